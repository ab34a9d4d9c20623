# `make` lists the targets. Each works as the only command on a fresh machine with Python 3.11 or newer and make.

SHELL := /bin/sh
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
MAKEFLAGS += --no-builtin-rules --no-print-directory
# Without it every start of the program would compile its modules anew: half a second each, and tests start hundreds.
unexport PYTHONDONTWRITEBYTECODE

VENV ?= .venv
BIN = $(VENV)/bin
STAMPS = $(VENV)/stamps
PIP = $(BIN)/python -m pip --disable-pip-version-check --quiet
PYTEST = $(BIN)/python -m pytest --numprocesses $(WORKERS) --dist loadfile --no-loadscope-reorder
# One more than there are processors, but four at most; `make WORKERS=2 test` takes another number.
WORKERS ?= $(shell n=$$(($$(getconf _NPROCESSORS_ONLN) + 1)); echo $$((n < 4 ? n : 4)))

# The first of these that is Python 3.11 or newer; `make PYTHON=/path/to/python app` takes another.
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11 python3.14 python; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && { echo "$$p"; break; }; done)

# Options for what is run: make test ARGS="-k bracketing", make app ARGS="my.run --port 8600".
ARGS ?=

# The oldest Streamlit that the app may run on.
OLDEST := $(shell sed -n 's/.*"streamlit>=\([0-9.]*\),.*/\1/p' pyproject.toml)

.PHONY: help app class test test-all test-oldest lint bench docs readme clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' Makefile

app: $(STAMPS)/warm ## install what is missing and start the app
	@exec $(BIN)/evaltools app $(ARGS)

class: $(STAMPS)/warm ## start the app with ballots for the phones of a class
	@exec $(BIN)/evaltools class $(ARGS)

test: $(STAMPS)/test $(STAMPS)/warm ## run the tests but for the slow ones and those with a browser
	@exec $(PYTEST) -m "not slow and not browser" $(ARGS)

test-all: $(STAMPS)/test $(STAMPS)/warm ## run all tests
	@exec $(PYTEST) $(ARGS)

test-oldest: VENV = build/streamlit-$(OLDEST)
test-oldest: ## run the tests of pages with the oldest Streamlit that the app may run on
	@$(MAKE) VENV=$(VENV) $(STAMPS)/test
	@$(PIP) install streamlit==$(OLDEST)
	@exec $(PYTEST) tests/pages tests/app -m "not slow and not browser" $(ARGS)

lint: $(STAMPS)/lint ## check style, types and layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(STAMPS)/bench ## measure speed and memory, beside other programs
	@exec $(BIN)/python -m benchmarks $(ARGS)

docs: $(STAMPS)/docs ## build the site in build/docs: pages, pictures and the Python reference
	@exec $(BIN)/python -W error::UserWarning -m docs.site build/docs

readme: $(STAMPS)/test ## put what the program knows into README.md and docs
	@exec $(BIN)/python -m docs.readme

clean: ## remove everything that make and the tools have made
	rm -rf $(VENV) build dist .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# ------------------------------------------------------------------------------------------------------ installation

$(STAMPS)/venv:
	@test -n "$(PYTHON)" || { \
		echo "evaltools needs Python 3.11 or newer, and none was found. Install one, or name one: make PYTHON=…" >&2; \
		exit 1; }
	@echo "Making $(VENV) with $(PYTHON) ($$($(PYTHON) --version 2>&1))"
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
		echo "This Python cannot make virtual environments: it comes without ensurepip." >&2; \
		echo "Debian and Ubuntu: apt-get install python3-venv; elsewhere: the full Python of your system." >&2; \
		exit 1; }
	@$(PYTHON) -m venv --clear $(VENV)
	@mkdir -p $(STAMPS) && touch $@

# The editable installation follows changes of the code by itself; only these two files change what is installed.
$(STAMPS)/package: $(STAMPS)/venv pyproject.toml constraints.txt
	@echo "Installing evaltools and what it needs (a minute or two the first time)"
	@$(PIP) install --constraint constraints.txt --editable '.[app,zstd]'
	@touch $@

$(STAMPS)/test $(STAMPS)/lint $(STAMPS)/bench $(STAMPS)/docs: $(STAMPS)/%: $(STAMPS)/package
	@echo "Installing what make $* needs"
	@$(PIP) install --constraint constraints.txt --editable '.[$*]'
	@$(MORE)
	@touch $@

# Alone: all that PYEVALB depends on is a writer of tables, which nothing here uses and which wants an older dateutil.
$(STAMPS)/bench: MORE = $(PIP) install --constraint constraints.txt --no-deps PYEVALB

# Compiles the kernels and scores the sample into the user's cache, so that the first page comes up at once, and so that
# tests need not compile the same kernels in each of their processes.
$(STAMPS)/warm: $(STAMPS)/package
	@echo "Compiling the kernels and scoring the sample (once)"
	@$(BIN)/python -m evaltools.runs.warm
	@touch $@
