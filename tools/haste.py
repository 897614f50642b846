"""A Sphinx extension that saves time and changes no page.

What Sphinx reads it keeps to the end, so a search for garbage finds next to none, and
takes a quarter of the time. Pages that have been read are written by two processes,
which every extension of the book allows; not every one lets two read.
"""

from __future__ import annotations

import gc
from typing import Any


def setup(app: Any) -> dict[str, bool]:
    """Register the extension."""
    gc.disable()
    app.connect("env-updated", _write_two_at_a_time)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _write_two_at_a_time(app: Any, env: Any) -> None:
    app.parallel = 2
