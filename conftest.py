"""Plain `pytest` and plain `pytest --nbval book` run as the Makefile runs them."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parent

# Before numpy is imported: BLAS reads these once.
for library in ("OPENBLAS", "OMP", "MKL"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")
os.environ.setdefault("MPLCONFIGDIR", str(ROOT / ".venv" / "matplotlib"))
os.environ.setdefault("NUMBA_CACHE_DIR", str(ROOT / ".venv" / "numba"))


def pytest_configure(config: pytest.Config) -> None:
    """Tell nbval what not to compare, and which Python runs the chapters."""
    options = vars(config.option)
    if options.get("nbval"):
        options["nbval_current_env"] = True
        options["nbval_sanitize_with"] = str(ROOT / "tests" / "nbval_sanitize.cfg")
    if options.get("dist") == "load":  # the cells of a chapter share a kernel
        options["dist"] = "loadfile"
