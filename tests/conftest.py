"""How the tests run, and the fixtures that they share."""

import fcntl
import gc
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from helpers import GEARS, in_gear
from hypothesis import settings

# The same examples in every run: a failure here is a failure everywhere.
settings.register_profile("book", derandomize=True, deadline=None, max_examples=40)
settings.load_profile("book")

collect_ignore = ["typing_uses.py"]  # half of it is wrong, for mypy to say so


def pytest_collection_finish():
    """Spare the collector of garbage the many objects that stay to the end."""
    gc.freeze()


@pytest.fixture(scope="session")
def html() -> Path:
    """The built book: built once, whatever the number of workers."""
    from tools import book

    book.BUILD.mkdir(exist_ok=True)
    with (book.BUILD / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not book.is_current():
            command = [sys.executable, "-m", "tools.book", "build"]
            if subprocess.run(command, cwd=book.ROOT).returncode:
                pytest.fail("the book does not build: try make book", pytrace=False)
    return book.HTML


@pytest.fixture(params=GEARS)
def gear(request):
    """Play the whole test in one gear, and then in the other."""
    with in_gear(request.param):
        yield request.param


@pytest.fixture
def notebook(monkeypatch):
    """A kernel's stand-in: `request` says who asks, `shown` is what the cell showed."""
    import IPython

    notebook = SimpleNamespace(request={"allow_stdin": True}, shown=[])
    kernel = SimpleNamespace(get_parent=lambda: {"content": notebook.request})
    monkeypatch.setattr(IPython, "get_ipython", lambda: SimpleNamespace(kernel=kernel))

    def update(bundle, raw):
        assert raw
        notebook.shown.append(bundle["text/plain"])

    def display(bundle, raw, display_id):
        assert display_id
        update(bundle, raw)
        return SimpleNamespace(update=update)

    monkeypatch.setattr("IPython.display.display", display)
    return notebook
