"""Packages that only some of the doors need, imported when such a door is opened."""

from __future__ import annotations

import importlib
from typing import Any


def need(name: str, extra: str) -> Any:
    """Return the package of this name, or say how to install it."""
    try:
        return importlib.import_module(name)
    except ImportError:
        raise ImportError(f"{name} is missing: pip install 'olc[{extra}]'") from None
