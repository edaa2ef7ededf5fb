# `make demo` and `make test` work on a fresh machine: each sets up .venv first.

PYTHON ?= python3
BIN := .venv/bin
REPORT := reports/demo.html
SUITES := suites/gender suites/lexicon suites/wsd suites/minimal_pairs/en-pt suites/winograd
PLUGINS := $(wildcard plugins/*/pyproject.toml)
TESTS ?= tests

.PHONY: demo demo-fix docs example test test-slow test-oldest test-python lint bench soak clean

# Gender and word senses on one screen, at most 60 lines; `make demo SUITES=suites/` runs everything.
# A failing gate is a valid result, an error is not; pytest's exit code is the same for both.
demo: .venv/demo
	@$(BIN)/pytest -q --mt-model=demo --mt-report=$(REPORT) --junitxml=.mtprobe/demo.xml $(SUITES) || [ $$? -eq 1 ]
	@grep -q 'errors="0"' .mtprobe/demo.xml && test -s $(REPORT)
	@echo
	@echo "A gate that fails is the expected outcome here: the demo model is biased, and now you know how much."
	@echo "$(CURDIR)/$(REPORT)"

# Fine-tunes the demo model on half of the occupations, runs the gates on the other half and on word senses before and after, and
# opens the comparison (on Linux without a display, prints its path). Installs torch. To train again, run `make clean` first.
FIX := .mtprobe/fix
FIX_STEPS := 200
FIX_TUNE :=
FIX_TEST :=
FIX_GATES = $(BIN)/pytest -q $(FIX_TEST) --mt-method=gender-morphology,lexicon --mt-store=$(FIX)/store.sqlite $(FIX)/model/held-out suites/wsd
demo-fix: .venv/demo-fix
	@test -e $(FIX)/model/onnx || $(BIN)/mtprobe tune demo suites/gender/occupations.mt.yaml --counterfactuals \
		--test suites/gender/two-people.mt.yaml --replay suites/lexicon --objective penalty --penalty 5 \
		--replay-share 0.85 --smoothing 0 --learning-rate 2e-5 --steps $(FIX_STEPS) --every 50 $(FIX_TUNE) --store $(FIX)/store.sqlite -o $(FIX)/model
	@$(FIX_GATES) --mt-model=before=demo --mt-record=$(FIX)/before.jsonl || [ $$? -eq 1 ]
	@$(FIX_GATES) --mt-model=after=onnx:$(FIX)/model/onnx --mt-record=$(FIX)/after.jsonl || [ $$? -eq 1 ]
	@$(BIN)/mtprobe compare $(FIX)/before.jsonl $(FIX)/after.jsonl --html $(FIX)/comparison.html
	@case "$$(uname)$$DISPLAY$$WAYLAND_DISPLAY" in Linux) ;; *) $(BIN)/python -m webbrowser $(abspath $(FIX))/comparison.html ;; esac
	@echo "$(abspath $(FIX))/comparison.html"

# The documentation site, in site/. A broken link or anchor is an error.
docs: .venv/docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
	@echo "$(CURDIR)/site/index.html"

# Updates the example report and the screenshot of it in the README.
example: .venv/dev
	@$(MAKE) --no-print-directory demo REPORT=reports/example.html SUITES=suites/
	$(BIN)/python reports/picture.py

# Each worker starts with half of the files: few models and browsers are loaded twice.
test: lint
	$(BIN)/pytest -n 2 --dist worksteal -m "not slow" --ignore tests/real tests

# What `make test` leaves to CI: tests that take about a second or more, and long sweeps.
test-slow: .venv/dev
	$(BIN)/pytest -n 2 --dist worksteal -m slow --ignore tests/real tests

# Tests with the minimum versions of pyproject.toml, in a separate virtual environment. Ignores tests that need torch, ray, a
# browser or development tools. Deselects tests whose results depend on versions: the lemmatizer's version in golden files, the
# column of an invalid byte, and the last bit of an int8 score.
LIGHT_PLUGINS := $(filter-out plugins/mtprobe-ray/% plugins/mtprobe-train/%,$(PLUGINS))
NOT_LIGHT := real docs report fuzz plugins/ray plugins/train authoring/cues cli/test_new_backend.py pytester/test_executor.py \
	engine/tokenizers/test_huggingface_spans.py
NOT_OLDEST := $(NOT_LIGHT) golden/test_runs.py golden/test_figures.py packaging/test_fresh_install.py
test-oldest: .venv-oldest/done
	.venv-oldest/bin/pytest -n 2 --dist worksteal $(NOT_OLDEST:%=--ignore tests/%) \
		--deselect tests/engine/graphs/test_int8.py::test_targets_that_share_a_beginning_are_scored_as_if_alone_bit_for_bit \
		-k "not xff" tests

# Tests with another Python, `make test-python PYTHON=python3.13`, in a separate virtual environment, except those that
# need torch, ray, a browser or development tools.
OTHER = .venv-$(shell $(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])')
test-python:
	test -e $(OTHER)/bin/pip || $(PYTHON) -m venv $(OTHER)
	$(OTHER)/bin/pip install --quiet --editable ".[demo-cpu,hf-cpu,study,lemmas,tests]" \
		$(LIGHT_PLUGINS:%/pyproject.toml=--editable %) --constraint constraints.txt
	$(OTHER)/bin/pytest -n 2 --dist worksteal $(NOT_LIGHT:%=--ignore tests/%) $(TESTS)

lint: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: .venv/dev
	$(BIN)/pip install --quiet --editable ".[bench]" --constraint constraints.txt
	$(BIN)/python -m benchmarks

# All tests with many more random cases. Also simulates how often gates are wrong and writes the tables in
# docs/explanation/error-rates.md.
soak: .venv/dev
	MTPROBE_SOAK=1 $(BIN)/pytest tests
	$(BIN)/python -m tests.statistics.error_rates

clean:
	rm -rf .venv .venv-oldest .venv-3.* .mtprobe site reports/demo.html build

.venv/demo: pyproject.toml constraints.txt | .venv/bin/pip
	@echo "installing mtprobe and its demo model into .venv"
	@$(BIN)/pip install -qq --editable ".[demo,checks]" --constraint constraints.txt
	@touch $@

.venv/demo-fix: .venv/demo plugins/mtprobe-train/pyproject.toml
	$(BIN)/pip install --quiet --editable ".[demo,checks]" --editable plugins/mtprobe-train --constraint constraints.txt
	@touch $@

.venv/docs: pyproject.toml constraints.txt | .venv/bin/pip
	$(BIN)/pip install --quiet --editable ".[docs]" --constraint constraints.txt
	@touch $@

.venv/dev: pyproject.toml constraints.txt $(PLUGINS) | .venv/bin/pip
	$(BIN)/pip install --quiet --editable ".[dev]" $(PLUGINS:%/pyproject.toml=--editable %) --constraint constraints.txt
	@touch $@ .venv/demo .venv/demo-fix .venv/docs

.venv-oldest/done: pyproject.toml constraints-oldest.txt $(PLUGINS)
	rm -rf .venv-oldest
	$(PYTHON) -m venv .venv-oldest
	.venv-oldest/bin/pip install --quiet --editable ".[demo,hf,study,lemmas,checks,tests]" \
		$(LIGHT_PLUGINS:%/pyproject.toml=--editable %) --constraint constraints-oldest.txt
	@touch $@

.venv/bin/pip:
	@$(PYTHON) -m venv .venv
