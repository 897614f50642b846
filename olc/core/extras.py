"""Packages that only some of the doors need, imported when such a door is opened."""

from __future__ import annotations

import importlib
from typing import Any


def need(name: str, extra: str) -> Any:
    """Import a module and return it, or say how to install its package.

    >>> need("math", extra="plots").sqrt(4)
    2.0
    >>> need("no_such_package", extra="plots")
    Traceback (most recent call last):
    ModuleNotFoundError: no_such_package is missing: pip install 'olc[plots]'
    """
    package = name.partition(".")[0]
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != package:  # the package is there, and misses something itself
            raise
    message = f"{package} is missing: pip install 'olc[{extra}]'"
    raise ModuleNotFoundError(message, name=package)
