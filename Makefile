# make play         set up what is needed inside this folder, then play
# make serve        set up what is needed inside this folder, then open the games to your browser
# make test         set up what is needed, then run the tests
# make test-all     the long tests, too: browser, PostgreSQL, fault injection, largest sizes
# make test-integrations  the adapters to other harnesses, each in an environment of its own
# make test-repeat  run `make test` N times (5) beside LOAD busy processes (8), the first QUIET runs (0) without; a table
# make test-lowest  the tests of what needs other packages, with the lowest versions of these that are allowed
# make lock         write requirements-dev.lock again: the versions that LOCKED=1 installs
# make check        format, lint, types, which room imports which
# make check-workflows  lint the workflows of hosted CI, offline
# make bench        measure, beside the peers
# make catalogues   collect the messages for the translations, and compile these
# make api          write down the public interface again (tests/public_api.txt), after a change that is meant
# make lint-deploy  lint the Dockerfile and the compose file of deploy/
# make docs         build the documentation into site/; broken links and pages without a menu are errors
# make pictures     draw the pictures of the documents: the full-screen table, the pages, a session
# make release VERSION=1.0.0rc1  a dry run of a release in a copy: refuses what is not ready, leaves the rest in dist/
# make format       put the code in order
#
# PYTHON=python3.13 behind any of them uses that interpreter, in an environment of its own.
# LOCKED=1 behind any of them installs the versions of requirements-dev.lock, in an environment of its own.

# Images of containers often set this; compiled tests and modules start much faster.
unexport PYTHONDONTWRITEBYTECODE

N ?= 5
LOAD ?= 8
QUIET ?= 0

ifeq ($(origin PYTHON),undefined)
VENV := .venv$(if $(LOCKED),-locked)
PYTHON := $(shell for each in python3.11 python3.12 python3.13 python3; do \
	$$each -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$each && break; done)
else
VENV := .venv-$(notdir $(PYTHON))$(if $(LOCKED),-locked)
endif
BIN := $(VENV)/bin
QUICK := -n 2 --dist worksteal -m 'not long'

.PHONY: play serve test test-all test-integrations test-lowest lock test-repeat check bench catalogues api docs
.PHONY: check-workflows lint-deploy release pictures format clean

play: $(VENV)/play
	@$(BIN)/duel || [ $$? -eq 130 ]  # to leave by Ctrl-C is no fault

serve: $(VENV)/web
	@$(BIN)/duel serve || [ $$? -eq 130 ]

test: $(VENV)/dev
	$(BIN)/pytest $(QUICK)

test-all: $(VENV)/dev
	$(BIN)/pytest -n 2 --dist worksteal

# Each harness has an environment of its own, because their requirements contradict each other. The folder of its
# tests, its extra in pyproject.toml and its environment have the same name.
HARNESSES := $(sort $(patsubst tests/integrations/%/,%,$(filter-out %__pycache__/,$(wildcard tests/integrations/*/))))

test-integrations: $(HARNESSES:%=test-integration-%)

test-integration-%: .venv-integrations/%/installed
	.venv-integrations/$*/bin/python -m pytest -c tests/integrations/pytest.ini tests/integrations/$*

.PRECIOUS: .venv-integrations/%/installed

LOWEST := tests/adopted tests/batch tests/dataset tests/envs tests/store tests/tui tests/web tests/test_row_files.py

test-lowest: .venv-lowest/dev
	.venv-lowest/bin/pytest $(QUICK) -p no:cacheprovider -W ignore::DeprecationWarning $(LOWEST)

test-repeat: $(VENV)/dev
	$(BIN)/python -m tests.repeat --times $(N) --load $(LOAD) --quiet $(QUIET) -- $(QUICK)

check: $(VENV)/dev
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports

check-workflows: $(VENV)/release
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(BIN)/zizmor --offline --quiet --min-severity medium .github/workflows

bench: $(VENV)/bench
	$(BIN)/python -m benchmarks

lock: $(VENV)/release
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --no-annotate --no-header $(EXTRAS:%=--extra %) \
		--group dev pyproject.toml --output-file requirements-dev.lock

catalogues: $(VENV)/dev
	$(BIN)/python -m tools.catalogues

api: $(VENV)/dev
	$(BIN)/python -m tools.public_api

docs: $(VENV)/docs
	$(BIN)/python -m tools.documentation

lint-deploy: $(VENV)/deploy
	$(BIN)/hadolint deploy/Dockerfile
	$(BIN)/check-jsonschema --builtin-schema vendor.compose-spec deploy/compose.yaml

pictures: $(VENV)/dev
	$(BIN)/python -m tools.table_pictures
	$(BIN)/python tests/web/screenshots.py
	$(BIN)/python docs/picture.py

# RELEASE=--write, --tagged and --tests-passed: see tools/release.py.
release: $(VENV)/release $(VENV)/docs
	$(BIN)/python -m tools.release $(VERSION) $(RELEASE)

format: $(VENV)/dev
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

clean:
	rm -rf .venv .venv-* build dist site .cache .hypothesis .mypy_cache .pytest_cache .ruff_cache

$(BIN)/python:
	@$(or $(PYTHON),python3) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Number Duels needs Python 3.11 or newer; name one: make PYTHON=/path/to/python3.11")'
	$(PYTHON) -m venv $(VENV)

# Each stamp is an install that is up to date with pyproject.toml.
$(VENV)/play: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[tui]'
	@touch $@

$(VENV)/web: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[tui,web]'
	@touch $@ $(VENV)/play

# The extras that the tests use.
EXTRAS := arena data envs fast tui web
comma := ,
ALL_EXTRAS := $(subst $() ,$(comma),$(EXTRAS))
CONSTRAINTS := $(if $(LOCKED),--constraint requirements-dev.lock)

$(VENV)/dev: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'  # which knows dependency groups
	$(BIN)/python -m pip install --quiet --disable-pip-version-check $(CONSTRAINTS) --editable '.[$(ALL_EXTRAS)]' --group dev
	@touch $@ $(VENV)/web $(VENV)/play

$(VENV)/bench $(VENV)/deploy $(VENV)/docs $(VENV)/integrations $(VENV)/release: $(VENV)/%: pyproject.toml | $(VENV)/dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[$(ALL_EXTRAS)]' --group $*
	@touch $@

# The test client of an old Starlette needs httpx.
.venv-lowest/dev: pyproject.toml
	@test -x $(@D)/bin/python || $(PYTHON) -m venv $(@D)
	$(@D)/bin/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1' uv
	$(@D)/bin/uv pip compile --quiet --resolution lowest-direct $(EXTRAS:%=--extra %) pyproject.toml --output-file $(@D)/lowest.txt
	$(@D)/bin/python -m pip install --quiet --disable-pip-version-check --constraint $(@D)/lowest.txt --editable '.[$(ALL_EXTRAS)]' --group dev httpx
	@touch $@

# What the tests of one harness need beyond its extra is in a file requirements.txt in their folder.
.SECONDEXPANSION:
.venv-integrations/%/installed: pyproject.toml tests/integrations/requirements.txt $$(wildcard tests/integrations/%/requirements.txt)
	@test -x $(@D)/bin/python || $(PYTHON) -m venv $(@D)
	$(@D)/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[$*]' $(patsubst %,-r %,$(filter %.txt,$^))
	@touch $@
