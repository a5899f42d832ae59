# make play   set up what is needed inside this folder, then play
# make serve  set up what is needed inside this folder, then open the games to your browser
# make test   set up what is needed, then run every test
# make check  format, lint, types
# make bench  measure, beside the peers
# make format put the code in order

PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin

.PHONY: play serve test check bench format clean

play: $(VENV)/play
	@$(BIN)/duel || [ $$? -eq 130 ]  # to leave by Ctrl-C is no fault

serve: $(VENV)/web
	@$(BIN)/duel serve || [ $$? -eq 130 ]

test: $(VENV)/dev
	$(BIN)/pytest -n 2

check: $(VENV)/dev
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy

bench: $(VENV)/bench
	$(BIN)/python -m benchmarks

format: $(VENV)/dev
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

clean:
	rm -rf $(VENV) dist .hypothesis .mypy_cache .pytest_cache .ruff_cache

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Number Duels needs Python 3.11 or newer; name one: make PYTHON=python3.11")'
	$(PYTHON) -m venv $(VENV)

# Each stamp is an install that is up to date with pyproject.toml.
$(VENV)/play: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/web: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[web]'
	@touch $@ $(VENV)/play

$(VENV)/dev: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@ $(VENV)/web $(VENV)/play

$(VENV)/bench: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,bench]'
	@touch $@ $(VENV)/dev $(VENV)/web $(VENV)/play
