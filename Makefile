# Every target makes what it needs: `make book` on a fresh clone creates .venv, installs the
# pinned packages and builds the book. `make help` lists the targets.

SHELL := /bin/sh
.DEFAULT_GOAL := book
.NOTPARALLEL:
.PHONY: help book test variants proofs browser axe students fuzz machines lint serve lab editions outputs bench lock clean venv venv-bench venv-lab venv-editions

PY := .venv/bin/python

# How pytest is run: on as many cores as there are, four at most; a file, or a notebook, on one of them. In the
# order given, so that notebooks come last: none is long. By numbers of tests, files with a few long ones would.
PYTEST := $(PY) -m pytest -p progress -q -r fEs -n auto --maxprocesses=4 --dist loadfile --no-loadscope-reorder
NOTEBOOKS := --nbval --nbval-current-env --nbval-sanitize-with tests/nbval_sanitize.cfg \
  --nbval-cell-timeout=120

# One thread and fixed hashing, unless the caller says otherwise: `make machines` tries others.
export OMP_NUM_THREADS ?= 1
export OPENBLAS_NUM_THREADS ?= 1
export MKL_NUM_THREADS ?= 1
export PYTHONHASHSEED ?= 0

# Python keeps what it compiles, even where it is told not to: else each process would compile anew what it
# imports, or all packages would be compiled beforehand, which takes as long as to build the book. That is
# done only for who asks for the environment alone, and will run it by other means.
ifneq ($(MAKECMDGOALS),venv)
unexport PYTHONDONTWRITEBYTECODE
endif

# Every page that runs.
PAGES := index.ipynb $(wildcard book/*.ipynb)

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' Makefile

# The book is built afresh when a file that it is made from is newer, or a folder: then one of its files is gone.
SOURCES := _config.yml _toc.yml requirements.txt index.ipynb genindex.md tools/editions/plain.py \
  $(shell find book/. linlearn/. proofs/. -name '.?*' -prune -o -name __pycache__ -prune -o -print)

book: venv _build/book ## build the HTML book and print the path of its front page (the default)
	@echo "==> The book is ready. Open this page in a browser:"
	@echo "$(CURDIR)/_build/html/index.html"

_build/book: $(SOURCES) | venv
	@echo "==> Building the book; a warning is an error"
	@mkdir -p _build && rm -f $@ && touch _build/begun
	@$(PY) -c 'from jupyter_book.cli.main import main; main()' build . -q -W -n --keep-going
	@mv _build/begun $@

# The families that open pages: `make test` samples them, unless the same call runs one whole.
BROWSED := tests/test_browser.py tests/test_explore_pages.py tests/test_page_cost.py tests/test_untrusted.py
AXED := tests/test_axe.py
WHOLE_HERE := $(if $(filter browser,$(MAKECMDGOALS)),$(BROWSED)) $(if $(filter axe,$(MAKECMDGOALS)),$(AXED))
LEFT_OUT := $(WHOLE_HERE:%=--ignore=%)

test: book ## build the book, then test package, notebooks, guards, and a sample of what is slow
	@echo "==> Testing the package, every notebook's outputs, the book's promises and a sample of its pages"
	@$(PYTEST) -p kernels linlearn tests $(PAGES) --sample --doctest-modules --ignore-glob='tests/*.ipynb' \
	  --ignore=book/_ext $(LEFT_OUT) $(NOTEBOOKS)

variants: venv ## falsify each statement of the book, place by place: its own check must notice
	@echo "==> Falsifying every statement in one place after another"
	@$(PY) -m tools.variants

proofs: ## have the machine-checked proofs checked by Coq, which must be installed
	@echo "==> Checking the proofs with Coq, and that each statement is the one that somebody has read"
	@$${PYTHON:-python3} proofs/check.py

browser: book ## open every page in Chromium in every way; `make test` samples these
	@echo "==> Opening every page in Chromium: wide and narrow, light and dark, served and from the disk"
	@$(PYTEST) $(BROWSED) --dist load

axe: book ## ask axe about every page, wide and narrow, light and dark; `make test` samples these
	@echo "==> Looking for what keeps anyone from using a page, with axe"
	@$(PYTEST) $(AXED) --dist load

students: venv-lab book ## run every notebook for students alone, and open one in JupyterLab; `make test` samples these
	@echo "==> Running the students' notebooks, each alone in a folder, with the package as pip installs it"
	@$(PYTEST) tests/test_editions_notebooks.py::test_a_student_can_run_it_alone \
	  tests/test_editions_notebooks.py::test_nbconvert_keeps_every_formula tests/test_lab.py --dist load

# Four files hold more than Hypothesis draws: FUZZ=1 has them try every size of number, and hundreds of tables.
WHOLE := tests/test_ball.py tests/test_scales.py tests/test_optima.py tests/test_check_fuzz.py
fuzz: venv ## draw ten times the examples from a fresh seed (SEED=… for an old one)
	@seed=$${SEED:-$$($(PY) -c 'import secrets; print(secrets.randbelow(10**9))')}; \
	fresh="--hypothesis-profile=fuzz --hypothesis-seed=$$seed --dist load"; \
	echo "==> Looking for counterexamples; this run again: make fuzz SEED=$$seed"; \
	EXAMPLES=$${EXAMPLES:-10} $(PYTEST) tests -m hypothesis $(patsubst %,--ignore=%,$(WHOLE) $(BROWSED) $(AXED)) $$fresh && \
	FUZZ=1 $(PYTEST) $(WHOLE) $$fresh

machines: venv ## run notebooks and tests as on other machines (ROWS="farthest" for some of them)
	@$(PY) tools/machines.py $(ROWS)

lint: venv ## check style (ruff), types (mypy), docstrings (numpydoc) and spelling (codespell) of code, prose and notebooks
	@echo "==> Style"
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@echo "==> Types"
	@$(PY) -m mypy
	@echo "==> Docstrings"
	@$(PY) -X utf8 -m numpydoc lint $$(find linlearn -name '*.py')
	@echo "==> Spelling"
	@rm -rf _build/sources
	@$(PY) tools/notebooks.py sources --into _build/sources $(PAGES)
	@$(PY) -m codespell_lib *.md docs *.cff book/*.md linlearn tests tools benchmarks proofs book/_ext _build/sources
	@echo "==> No complaints"

serve: book ## build the book and serve it at http://127.0.0.1:8000 (PORT=… for another port)
	@$(PY) tools/serve.py _build/html $(PORT)

lab: venv-lab book ## open the lessons in JupyterLab, in your own folder my-notebooks (VARIANT=reader: with solutions)
	@echo "==> Starting JupyterLab; end it with Ctrl-C"
	@$(PY) -m jupyter labextension disable --level=sys_prefix '@jupyterlab/apputils-extension:announcements' 2>/dev/null
	@$(PY) tools/lab.py $(VARIANT)

editions: venv-editions book ## write the course as notebooks, slides, PDF and more into _build/editions
	@echo "==> Writing the editions"
	@$(PY) -m tools.editions $(EDITIONS)

outputs: venv ## run every notebook in place; on a clean checkout this changes nothing
	@echo "==> Running the notebooks"
	@$(PY) tools/notebooks.py run $(PAGES)

bench: venv-bench ## compare with other libraries (half an hour); SIZES=small for a quick look
	@echo "==> Racing the methods against other libraries, both sides in one run"
	@$(PY) -m benchmarks $(if $(SIZES),$(SIZES),--keep)

# Pins and hashes of all that requirements/*.in ask for, for every platform; what is locked already keeps its version.
LOCK = UV_CUSTOM_COMPILE_COMMAND="make lock" $(PY) -m uv pip compile --quiet --universal --python-version 3.11 \
  --generate-hashes --no-annotate
lock: venv ## write the requirements files anew from requirements/*.in, after a change there
	@echo "==> Asking the package index for versions and hashes"
	@$(LOCK) requirements/book.in -o requirements.txt >/dev/null
	@for name in bench lab editions; do \
	  $(LOCK) requirements/$$name.in -o requirements/$$name.txt >/dev/null \
	    $$(sed -n '/pypy/!s/^\([a-z0-9-]*\)==.*/--no-emit-package=\1/p' requirements.txt) || exit 1; \
	done
	@$(LOCK) requirements/installer.in -o requirements/installer.txt >/dev/null

clean: ## remove everything built, but not .venv (`rm -rf .venv` removes that)
	@rm -rf _build build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis
	@find . -path ./.venv -prune -o -type d -name __pycache__ -exec rm -rf {} +
	@echo "==> Removed what was built; .venv is kept, rm -rf .venv removes it"

venv:
	@sh tools/venv.sh

venv-bench:
	@sh tools/venv.sh bench

venv-lab:
	@sh tools/venv.sh lab

venv-editions:
	@sh tools/venv.sh editions
