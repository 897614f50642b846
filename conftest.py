"""Plain `pytest` and plain `pytest --nbval book` run as the Makefile runs them."""

from pathlib import Path

import pytest

import tools  # noqa: F401, it sets the environment, before numpy is imported


def pytest_configure(config: pytest.Config) -> None:
    """Tell nbval what not to compare, and which Python runs the chapters."""
    options = vars(config.option)
    if options.get("nbval"):
        options["nbval_current_env"] = True
        sanitize = Path(__file__).parent / "tests" / "nbval_sanitize.cfg"
        options["nbval_sanitize_with"] = str(sanitize)
    if options.get("dist") == "load":  # the cells of a chapter share a kernel
        options["dist"] = "loadfile"
