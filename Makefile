# make test, make demo: each does its own set-up. See README.md.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export PIP_CONSTRAINT := $(CURDIR)/constraints.txt
export PIP_DISABLE_PIP_VERSION_CHECK := 1

FUZZ_SECONDS ?= 600

.PHONY: help test quick thorough golden demo check bench fuzz shape mutants format clean

help:
	@echo "make test    run the tests"
	@echo "make quick   run the tests that need no process, server or corpus: under a minute"
	@echo "make thorough  run the tests with every case, for nights and releases: an hour"
	@echo "make demo    from nothing to a verdict, on two corpora"
	@echo "make check   lint, types and import rules"
	@echo "make bench   speed and memory against peers, side by side (downloads them; a quarter of an hour)"
	@echo "make fuzz    attack readers with mutated input and writers with 300 kills (ten minutes; FUZZ_SECONDS=60, FUZZ=\"pages --seed 7\")"
	@echo "make shape   files, lines, functions, names used twice, modules entered by a command"
	@echo "make mutants plant 100 small defects and count those that the tests notice (20 minutes)"
	@echo "make golden  write the texts of all reports again (tests/golden); read the difference"
	@echo "make format  format the code"
	@echo "make clean   remove everything that make created"

# What a user installs is enough for the demo; the tools of tests come on top.
$(VENV)/.ready-demo: pyproject.toml constraints.txt
	@echo "setting up $(VENV) (once; half a minute to a minute)"
	@$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11) and 'cranfield needs Python 3.11 or newer; run: make PYTHON=python3.12 …')"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --quiet --editable ".[stacks]"
	@touch $@

$(VENV)/.ready: $(VENV)/.ready-demo
	@echo "adding the tools of tests (once; one to two minutes)"
	@$(BIN)/python -m pip install --quiet --quiet --upgrade pip
	@$(BIN)/python -m pip install --quiet --quiet --group dev
	@touch $@

$(VENV)/.ready-bench: $(VENV)/.ready
	@$(BIN)/python -m pip install --quiet --quiet --group bench
	@touch $@

# One worker more than two cores: a third of the time, tests wait for processes and servers.
test: $(VENV)/.ready
	$(BIN)/python -m pytest -n 3 --dist loadgroup

# Laws with 300 examples, simulations with all draws, every kill, every width and theme in browsers.
thorough: $(VENV)/.ready
	$(BIN)/python -m pytest -n 3 --dist loadgroup --thorough

quick: $(VENV)/.ready
	$(BIN)/python -m pytest -n 2 --hypothesis-profile quick -m "not process and not server and not corpus"

check: $(VENV)/.ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

demo: $(VENV)/.ready-demo
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh examples/demo.sh

bench: $(VENV)/.ready-bench
	@failed=0; for each in start_up randomisation_speed run_speed score_speed score_scale lexical_quality hybrid_quality questions_quality name_lookups query_speed vector_speed save_speed files_speed index_growth store_scale serve_load web_speed page_speed gate_noise verdict_errors model_corrected click_judging answer_checks agent_gate gate_sensitivity; do \
		$(BIN)/python benchmarks/$$each.py || failed=1; \
	done; exit $$failed

fuzz: $(VENV)/.ready
	@$(BIN)/python fuzz/driver.py --seconds $(FUZZ_SECONDS) $(FUZZ)

shape: $(VENV)/.ready
	@$(BIN)/python benchmarks/shape.py

mutants: $(VENV)/.ready
	@$(BIN)/python benchmarks/planted_mutations.py

golden: $(VENV)/.ready
	$(BIN)/python -m pytest tests/golden --golden

format: $(VENV)/.ready
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis benchmarks/data demo
	rm -rf suites/*/index suites/*/.cranfield suites/*/results suites/*/results.csv
