"""Commands for those who work on the book, in the environment of the Makefile."""

import os
from pathlib import Path

VENV = Path(__file__).resolve().parent.parent / ".venv"

# Before numpy is imported: BLAS reads these once.
for library in ("OPENBLAS", "OMP", "MKL"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")
os.environ.setdefault("MPLCONFIGDIR", str(VENV / "matplotlib"))
os.environ.setdefault("NUMBA_CACHE_DIR", str(VENV / "numba"))
os.environ.setdefault("TQDM_DISABLE", "1")  # a bar would be stored with the outputs
