# `make demo` and `make test` work on a fresh machine: each sets up .venv first.

PYTHON ?= python3
BIN := .venv/bin
REPORT := reports/demo.html
PLUGINS := $(wildcard plugins/*/pyproject.toml)

.PHONY: demo example test test-oldest lint bench soak clean

# A failing gate is a result, an error is not; pytest's exit code is the same for both.
demo: .venv/demo
	@$(BIN)/pytest --mt-model=demo --mt-report=$(REPORT) --junitxml=.mtprobe/demo.xml suites/ || [ $$? -eq 1 ]
	@grep -q 'errors="0"' .mtprobe/demo.xml && test -s $(REPORT)
	@echo
	@echo "A gate that fails is the expected outcome here: the demo model is biased, and now you know how much."
	@echo "$(CURDIR)/$(REPORT)"

# Redraws the report that the README shows, and its picture.
example: .venv/dev
	@$(MAKE) --no-print-directory demo REPORT=reports/example.html
	$(BIN)/python reports/picture.py

# Each worker starts with half of the files, so that few models and browsers are loaded twice.
test: lint
	$(BIN)/pytest -n 2 --dist worksteal --ignore tests/real tests

# The minimum versions of pyproject.toml, in a virtual environment of their own. Ignored is what needs torch, ray, a browser
# or tools of the development environment; deselected is what other versions say in other words: the lemmatizer's version
# in golden files, the column of a bad byte, and the last bit of an int8 score.
OLDEST_PLUGINS := $(filter-out plugins/mtprobe-ray/%,$(PLUGINS))
NOT_OLDEST := real report fuzz plugins/ray authoring/cues cli/test_new_backend.py pytester/test_executor.py \
	golden/test_runs.py golden/test_figures.py engine/tokenizers/test_huggingface_spans.py
test-oldest: .venv-oldest/done
	.venv-oldest/bin/pytest -n 2 --dist worksteal $(NOT_OLDEST:%=--ignore tests/%) \
		--deselect tests/engine/graphs/test_int8.py::test_targets_that_share_a_beginning_are_scored_as_if_alone_bit_for_bit \
		-k "not xff" tests

lint: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: .venv/dev
	$(BIN)/pip install --quiet --editable ".[bench]" --constraint constraints.txt
	$(BIN)/python -m benchmarks

# Also simulates how often gates are wrong, and writes the tables of docs/statistics.md.
soak: .venv/dev
	MTPROBE_SOAK=1 $(BIN)/pytest tests
	$(BIN)/python -m tests.statistics.error_rates

clean:
	rm -rf .venv .venv-oldest .mtprobe reports/demo.html

.venv/demo: pyproject.toml constraints.txt | .venv/bin/pip
	$(BIN)/pip install --quiet --editable ".[demo]" --constraint constraints.txt
	@touch $@

.venv/dev: pyproject.toml constraints.txt $(PLUGINS) | .venv/bin/pip
	$(BIN)/pip install --quiet --editable ".[dev]" $(PLUGINS:%/pyproject.toml=--editable %) --constraint constraints.txt
	@touch $@ .venv/demo

.venv-oldest/done: pyproject.toml constraints-oldest.txt $(PLUGINS)
	rm -rf .venv-oldest
	$(PYTHON) -m venv .venv-oldest
	.venv-oldest/bin/pip install --quiet --editable ".[demo,hf,study,lemmas,xdist]" hypothesis jsonschema \
		$(OLDEST_PLUGINS:%/pyproject.toml=--editable %) --constraint constraints-oldest.txt
	@touch $@

.venv/bin/pip:
	$(PYTHON) -m venv .venv
