# make demo    a small tournament for each game between the sample bots, with tables and pages (two minutes, the first
#              time with the installation)
# make test    runs the tests; `make test PYTEST="python -m pytest -k wizard"` some of them
# make check   everything a change must pass: format, lint, layers, types, tests, coverage, wheel
# make mutants changes the rules of the games in some thousand ways and asks the tests; half an hour, not in CI;
#              `make mutants GAME=cuttle` one game
# make clean   removes what these made, the virtual environment included
#
# Each works as the only command in a fresh checkout: what is missing is installed into $(VENV).

VENV ?= .venv
PYTHON ?= $(shell for p in python3.11 python3; do $$p -c '' 2>/dev/null && echo $$p && break; done)
PYTEST ?= python -m pytest
PIP := python -m pip install -q --disable-pip-version-check

# Not the default shell: make then runs every command through it, so that PATH below always counts.
SHELL := /bin/bash
export PATH := $(abspath $(VENV))/bin:$(PATH)

.PHONY: demo test check mutants clean

demo: $(VENV)/.installed
	@VENV="$(VENV)" bash sample_bots/demo.sh

test: $(VENV)/.installed-dev
	$(PYTEST)

check: $(VENV)/.installed-dev
	ruff format --check .
	ruff check .
	lint-imports
	mypy
	coverage erase
	$(MAKE) test PYTEST="coverage run -m pytest -n 2 --dist loadgroup"
	coverage combine -q
	coverage report
	bash .ci/wheel

mutants: $(VENV)/.installed-mutants
	@mkdir -p mutants # Python looks for modules only in folders that are there when it starts
	HYPOTHESIS_PROFILE=mutants PYTHONPATH="$(abspath mutants)" python -m mutmut run $(if $(GAME),"referee.games.$(subst -,_,$(GAME)).*")
	@python -m mutmut results --all true | awk -F ': ' '$$2 == "not checked" { next } { count[$$2]++ } \
	  $$2 != "killed" { print } END { for (status in count) print count[status], status }'

clean:
	rm -rf .venv .venv-ci demo mutants build dist *.egg-info .coverage .coverage.* .*_cache .hypothesis
	find . -name __pycache__ -prune -exec rm -rf {} +

# The stamps say that an installation was finished: a half-made one is begun again.
$(VENV)/.installed: pyproject.toml $(VENV)/.made
	@echo "Installing croupier into $(VENV) ..."
	@$(PIP) -e .
	@touch $@

$(VENV)/.installed-dev: pyproject.toml $(VENV)/.made
	@echo "Installing croupier and its development tools into $(VENV) ..."
	@$(PIP) -e . --group dev
	@touch $@

$(VENV)/.installed-mutants: $(VENV)/.installed-dev
	@echo "Installing mutmut into $(VENV) ..."
	@$(PIP) --group mutants
	@touch $@

# pip 25.1 is the first that knows --group.
$(VENV)/.made:
	@test -n "$(PYTHON)" || { echo "Croupier needs Python 3.11 or newer, and no python3 was found."; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Croupier needs Python 3.11 or newer, and $(PYTHON) is older; name another: make PYTHON=python3.12 ..."; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
	  { echo "$(PYTHON) cannot make virtual environments; on Debian: sudo apt-get install python3-venv"; exit 1; }
	@$(PYTHON) -m venv "$(VENV)"
	@$(PIP) --upgrade 'pip>=25.1'
	@touch $@
