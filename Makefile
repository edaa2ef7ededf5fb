# `make demo` and `make test` work on a fresh machine: each sets up .venv first.

PYTHON ?= python3
BIN := .venv/bin
REPORT := reports/demo.html
PLUGINS := $(wildcard plugins/*/pyproject.toml)

.PHONY: demo example test lint bench soak clean

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
	rm -rf .venv .mtprobe reports/demo.html

.venv/demo: pyproject.toml constraints.txt | .venv/bin/pip
	$(BIN)/pip install --quiet --editable ".[demo]" --constraint constraints.txt
	@touch $@

.venv/dev: pyproject.toml constraints.txt $(PLUGINS) | .venv/bin/pip
	$(BIN)/pip install --quiet --editable ".[dev]" $(PLUGINS:%/pyproject.toml=--editable %) --constraint constraints.txt
	@touch $@ .venv/demo

.venv/bin/pip:
	$(PYTHON) -m venv .venv
