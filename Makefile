# Every target sets itself up: the first one to run makes .venv from the lock.
# All paths are relative, so the folder may have any name.

PYTHON  ?= python3
WORKERS ?= 3
LAB     ?=

# Commands are called as modules of this Python: the scripts beside it begin with the
# path of the folder, and would not survive a new name.
VENV      = .venv
PY        = $(VENV)/bin/python
PIP       = $(PY) -m pip --disable-pip-version-check
UV        = $(PY) -m uv --quiet --no-config pip

# One BLAS thread: the workers share the cores, benchmarks compare like with
# like, and sums are taken in the same order on every machine.
export OPENBLAS_NUM_THREADS := 1
export OMP_NUM_THREADS := 1
export MKL_NUM_THREADS := 1
# Fonts and figure style come from here, not from the reader's own settings; what is
# compiled once serves every worker and every kernel.
export MPLCONFIGDIR ?= $(CURDIR)/$(VENV)/matplotlib
export NUMBA_CACHE_DIR ?= $(CURDIR)/$(VENV)/numba
# So does bytecode, even where the shell forbids it: each worker of pytest would rewrite
# the assertions of its plugins, and each kernel would compile olc.
export PYTHONDONTWRITEBYTECODE :=

MAKEFLAGS += --no-print-directory
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
.PHONY: $(shell sed -n 's/^\([a-z]*\):.*/\1/p' Makefile)

help: ## show this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 20

# --- reading -----------------------------------------------------------------

# make book SOLUTIONS=no leaves the solutions out. What is made of the book (zip, pdf, slides)
# is made of the edition that stands there, unless SOLUTIONS is no or yes.
book: $(VENV)/.installed ## build the book into _build/html
	$(PY) -m tools.book build

# The folder notebooks is the reader's own: git ignores it, and nothing overwrites an answer.
lab: $(VENV)/.installed ## open notebooks of your own in JupyterLab, the index first
	$(PY) -m tools.export notebooks
	$(PY) -m jupyterlab $(LAB) notebooks/index.ipynb

edit: $(VENV)/.installed ## open the chapters themselves in JupyterLab
	$(PY) -m jupyterlab $(LAB) book/index.ipynb

students: $(VENV)/.installed ## write plain notebooks, without and with solutions
	$(PY) -m tools.export

# Needs Node.js 20 or newer.
live: $(VENV)/.installed ## build the book whose pages run in the browser, and try them
	$(PY) -m tools.live
	$(PYTEST) tests/test_live.py

serve: $(VENV)/.installed ## show the built book on this machine, as a server would
	$(PY) -m http.server --bind 127.0.0.1 --directory _build/html 8000

zip: $(VENV)/.installed ## pack the built book into one file to hand out
	$(PY) -m tools.book zip

pdf: $(VENV)/.installed ## print the whole book into one PDF
	$(PY) -m tools.paper

slides: $(VENV)/.installed ## make a deck of slides for each chapter
	$(PY) -m tools.slides

release: $(VENV)/.installed ## build wheel, zip, PDF and notebooks into dist, with checksums
	$(PY) -m tools.release

# --- checking ----------------------------------------------------------------

# The cells of a chapter share a kernel and the pages a browser: a file stays with one
# worker (see conftest.py). The browser waits a lot, hence one worker more than cores.
PYTEST = $(PY) -m pytest -n $(WORKERS)

test: lint book ## lint, types, every chapter, the tests, the browser
	$(PYTEST) -m 'not slow'

slow: $(VENV)/.installed ## the tests that wait for others: JupyterLab, the corpus, pip
	$(PYTEST) -m slow

# Every chapter ran once for the book, and a test compares what it gave with what is
# stored. This is the independent check, with a run of its own.
nbval: $(VENV)/.installed ## run every cell of every chapter and compare its output
	$(PYTEST) --nbval book

# The last bits of a product depend on the processor; no number of the book may.
portable: export OPENBLAS_CORETYPE = Nehalem
portable: export NPY_DISABLE_CPU_FEATURES = X86_V3 X86_V4
portable: nbval ## run the chapters as an older processor would

cover: $(VENV)/.installed ## which lines and branches of olc no test runs
	$(PYTEST) -m 'not slow and not built' --cov=olc --cov=olc_book

# An OpenBLAS as old as the lowest numpy's takes a new processor for an ancient one,
# on which even x @ w depends on the address of x. Old libraries may warn.
lowest: VENV = build/lowest
lowest: ## run the package's tests with the lowest versions that pyproject.toml allows
	rm -rf $(VENV)
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --quiet uv
	$(UV) install --python $(PY) --resolution lowest-direct -r pyproject.toml --extra all
	$(UV) install --python $(PY) -c requirements.txt pytest pytest-xdist hypothesis pyyaml
	OPENBLAS_CORETYPE=Haswell $(PYTEST) -W default -m 'not built and not slow' tests \
	  $(patsubst %,--ignore=tests/test_%.py,assignment bench binder book browser errata \
	    export figures install labs labs_browser live paper typing workshop)

# Needs Coq: apt-get install coq. Nothing else does.
proofs: $(VENV)/.installed ## let Coq check the theorems in proofs/, and list them
	$(PY) -m tools.proofs

lint: $(VENV)/.installed ## ruff and mypy only
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy

format: $(VENV)/.installed ## let ruff mend what it can
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .

bench: $(VENV)/.installed ## compare speed with the peers, write bench/RESULTS.md
	$(PY) -m bench

compare: $(VENV)/.installed ## compare accuracy with the peers, write bench/COMPARISON.md
	$(PY) -m bench.compare

# Such as make mutants MODULE=olc_book/plots/kit.py TESTS=tests/test_plots.py. The tool has an
# environment of its own, and plants its mistakes in a copy of what git knows.
MODULE ?= olc/winnow.py
TESTS  ?= $(patsubst %,tests/test_%,$(notdir $(MODULE)) bounds.py refusals.py)
COSMIC  = ../cosmic-ray/bin/python -m cosmic_ray
mutants: $(VENV)/.installed ## plant mistakes in a module and list those its tests miss
	$(PYTHON) -m venv build/cosmic-ray
	build/cosmic-ray/bin/python -m pip install --quiet cosmic-ray==8.7.0
	rm -rf build/mutants && mkdir build/mutants
	git ls-files -z | tar c --null -T - | tar x -C build/mutants
	sed 's|MODULE|$(MODULE)|; s|TESTS|$(TESTS)|' cosmic-ray.toml > build/mutants/cosmic-ray.toml
	cd build/mutants && $(COSMIC).cli init cosmic-ray.toml session && \
	  $(COSMIC).tools.filters.operators_filter session cosmic-ray.toml && \
	  $(COSMIC).cli baseline cosmic-ray.toml && $(COSMIC).cli exec cosmic-ray.toml session && \
	  $(COSMIC).tools.report --surviving-only --show-diff session

times: $(VENV)/.installed ## how long each chapter takes to run
	$(PY) -m tools.book times

# --- making ------------------------------------------------------------------

notebooks: $(VENV)/.installed ## run every chapter and store its outputs
	$(PY) -m tools.book execute

picture: $(VENV)/.installed ## record the picture of the README in Chromium or Chrome
	$(PY) -m tools.screenshot

$(VENV)/.installed: requirements.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo 'Python 3.11 or newer is needed: try make PYTHON=python3.11'; exit 1; }
	@echo 'Setting up $(VENV), a few minutes the first time. pip shows the packages of'
	@echo 'requirements.txt as it downloads them; then it unpacks them, 1.4 GB, in silence.'
	$(PYTHON) -m venv $(VENV)
	@$(PIP) install -r requirements.txt
	@# The way to olc is relative, so that a copied folder does not use the first one's.
	echo ../../../.. > "$$($(PY) -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/olc.pth"
	@# Build the font cache now: a first import that builds it may print a
	@# warning, and a notebook would take that for an output.
	$(PY) -c 'import matplotlib.font_manager'
	@# And compile the kernel for the rows that it knows, dense and CSR: the chapter
	@# that runs first would seem slow.
	$(PY) -c 'import numpy as np, olc; from scipy.sparse import csr_array as csr; \
	  [olc.play(olc.Perceptron(1), form(np.ones((4096, 1), kind)), np.ones(4096)) \
	    for form in (np.array, csr) for kind in (float, np.int8)]'
	@touch $@

# Locked versions stay where they can; make lock LOCK=--upgrade takes the newest ones.
# The lock holds for every platform and Python that pyproject.toml allows, with the hash
# of every file: pip installs these and no others. It names extras as its packages do,
# coverage[toml], or an older pip would not find the pin.
lock: VENV = build/lock
lock: ## write requirements.txt from pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --quiet uv
	$(UV) compile --universal --python-version 3.11 --generate-hashes --no-annotate \
	  --no-strip-extras --custom-compile-command 'make lock' $(LOCK) \
	  --all-extras pyproject.toml -o requirements.txt

clean: ## remove what was built; keep .venv
	rm -rf _build build dist htmlcov .coverage .coverage.*
	rm -rf .pytest_cache .mypy_cache .ruff_cache .hypothesis *.egg-info
	find . -path ./$(VENV) -prune -o -path ./.git -prune -o -type d \
	  \( -name __pycache__ -o -name .ipynb_checkpoints \) -prune -exec rm -rf {} +

distclean: clean ## remove .venv too
	rm -rf $(VENV)
