"""A progress bar for a person who waits at a terminal or a live notebook.

Nobody else gets one: a program that runs a notebook to store or to compare its
outputs would store the bar with them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def bar(total: int, what: str) -> Iterator[Callable[[int], None]]:
    """Yield a function that is told how many pieces of the work are done.

    >>> with bar(3, "runs") as show:
    ...     show(1)
    """
    screen = _screen()
    tqdm = _tqdm() if screen else None
    if tqdm is None:
        yield lambda done: None
        return
    with tqdm(total=total, desc=what, file=screen, leave=False, ncols=79) as shown:
        yield lambda done: shown.update(done - shown.n)


def _tqdm() -> Any:
    try:
        from tqdm import tqdm
    except ImportError:  # a bar is welcome, but no reason to stop the work
        return None
    return tqdm


def _screen() -> Any:
    """Return where to write so that a person sees it, or None if nobody looks."""
    if _kernel() is None:
        return sys.stderr if sys.stderr and sys.stderr.isatty() else None
    return None if run_by_a_program() else _Cell()


def run_by_a_program() -> bool:
    """Say whether this notebook runs to store or to compare its outputs.

    JupyterLab, VS Code and Colab could answer a question that a cell asks; a program
    that runs a notebook says that it could not.
    """
    kernel = _kernel()
    if kernel is None:
        return False
    return not kernel.get_parent().get("content", {}).get("allow_stdin")


def _kernel() -> Any:
    ipython = sys.modules.get("IPython")
    return getattr(ipython.get_ipython(), "kernel", None) if ipython else None


class _Cell:
    """An output of a notebook's cell that shows the last line written to it.

    The bar ends by wiping its line, so that nothing is left for the file to keep.
    """

    encoding = "utf-8"  # so that the bar has its finer steps

    def __init__(self) -> None:
        from IPython.display import display

        nothing = {"text/plain": ""}
        self._output = display(  # type: ignore[no-untyped-call]
            nothing, raw=True, display_id=True
        )

    def write(self, text: str) -> None:
        self._output.update({"text/plain": text.strip()}, raw=True)

    def flush(self) -> None:
        pass
