"""A plugin of pytest: what nbval runs goes to the cache from which the book is built.

So the chapters of an unbuilt book run once in `make test`, not once for nbval and once
more for the pages that the browser visits.
"""

from __future__ import annotations

import fcntl
import functools
import time
from collections import defaultdict
from collections.abc import Generator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbval.plugin import IPyNbCell

from tools import book

BEFORE = book.package()
CACHE = functools.cache(book.open_cache)
SECONDS: dict[Path, list[float]] = defaultdict(list)  # of the cells that were right


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    """Take down what a cell gave, and keep the notebook when all cells were right."""
    start = time.perf_counter()
    result = yield  # a wrong cell raises here
    if isinstance(item, IPyNbCell):
        SECONDS[item.path].append(time.perf_counter() - start)
        item.cell.outputs = nbformat.from_dict(item.test_outputs)
        item.cell.execution_count = item.cell_num + 1
        notebook, seconds = item.parent.nb, SECONDS[item.path]
        if len(seconds) == sum(cell.cell_type == "code" for cell in notebook.cells):
            book.BUILD.mkdir(exist_ok=True)
            with (book.BUILD / "lock").open("w") as lock:  # the workers share the cache
                fcntl.flock(lock, fcntl.LOCK_EX)
                book.keep(CACHE(), item.path, notebook, sum(seconds), BEFORE)
    return result
