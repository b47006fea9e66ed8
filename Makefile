# `make serve` and `make test` are all a newcomer needs; the rest is for working on Skillpress.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PORT ?= 8000

.PHONY: serve build test lint types unit deps extended live bench clean

serve: $(VENV)/run.stamp  ## build skills/ and serve site and API on 127.0.0.1:8000
	$(BIN)/skillpress serve --port $(PORT)

build: $(VENV)/run.stamp  ## build skills/ into public/
	$(BIN)/skillpress build

test: lint types deps unit  ## install what the tests need, pass them

lint: $(VENV)/dev.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/dev.stamp
	$(BIN)/mypy

deps: $(VENV)/dev.stamp  ## the real clients, collections and browser that tests run
	$(BIN)/python -m tests.deps.install

unit: $(VENV)/dev.stamp deps
	$(BIN)/python -m pytest -n 2 --dist loadgroup -m "not browser and not extended and not live"
	$(BIN)/python -m pytest -m browser

extended: $(VENV)/dev.stamp deps  ## the installers that are large or need another Node: OpenClaw, Gemini CLI, skills 1.7.4
	$(BIN)/python -m tests.deps.install extended
	$(BIN)/python -m pytest -n 2 --dist loadgroup -m extended

live: $(VENV)/dev.stamp  ## run the released hosts over the probe folders and compare with the record
	$(BIN)/python -m tests.live.install
	$(BIN)/python -m pytest -m live tests/live

bench: $(VENV)/dev.stamp deps  ## print time, memory and growth of each layer
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) .testdeps .skillpress public artifacts

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Skillpress needs Python 3.11 or newer; name one with make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/run.stamp: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	touch $@

$(VENV)/dev.stamp: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	touch $@ $(VENV)/run.stamp
