"""Run the cells of a page and show what they give, as a notebook would."""

import builtins
import importlib
import io
import json
import sys
import traceback

from pyodide.code import eval_code

MOST = 100_000  # characters that a cell may print
# What works in a notebook, and has another way here.
COMMAND = (
    "what begins with % or ! is a command of Jupyter, not Python. To time a line, write"
    " timeit.timeit(lambda: ..., number=100) after import timeit"
)
NO_INPUT = (
    "input() cannot wait for an answer on this page: write the answer into the cell, as"
    " in name = 'Ada'"
)
NO_WIDGETS = (
    "ipywidgets need a notebook; on this page olc.widgets.explore(draw, n=range(9)) has"
    " sliders that move"
)
space = sys.modules["__main__"].__dict__


class Printed(io.TextIOBase):
    """What a cell prints, shown at once."""

    def __init__(self, show):
        self.show, self.left = show, MOST

    def write(self, text):
        self.left -= len(text)
        if self.left < 0:
            raise RuntimeError(f"the cell prints more than {MOST:,} characters")
        self.show("printed", text)
        return len(text)


def no_input(prompt=""):
    """Say what to do in place of asking."""
    raise RuntimeError(NO_INPUT)


def run(code, name, show, played="[]"):
    """Run a cell; return the module that it misses, if that is why it fails.

    `played` has the labs of the page: what the reader did there, `olc.lab` returns.
    """
    for lab, state in json.loads(played):
        labs = importlib.import_module("olc_book.labs")
        labs.PLAYED[lab, state.pop("mode")] = state
    sys.stdout = sys.stderr = Printed(show)
    show_drawings.show, builtins.input = show, no_input
    space["display"] = lambda value: show(*face(value))
    try:
        value = eval_code(code, space, filename=name)
        if value is not None:
            space["_"] = value
            show(*face(value))
        show_drawings()
    except BaseException as error:
        show("error", explanation(error))
        while error is not None:  # a sweep says in which run it was missed
            if isinstance(error, ImportError) and error.name:
                return error.name.partition(".")[0]
            error = error.__cause__
    return None


def forget(module):
    """Drop what was imported of a package, before all of it is there."""
    for name in [*sys.modules]:
        if name.partition(".")[0] == module:
            del sys.modules[name]


def face(value):
    """Return the best face of a value, after its kind."""
    for kind in () if isinstance(value, type) else ("html", "markdown"):
        make = getattr(value, f"_repr_{kind}_", None)
        if make is not None and (text := make()) is not None:
            return kind, text
    return "text", repr(value)


def show_drawings():
    """Show the figures that are open in pyplot, and close them."""
    if plt := sys.modules.get("matplotlib.pyplot"):
        for number in plt.get_fignums():
            plt.figure(number).savefig(file := io.StringIO(), format="svg")
            show_drawings.show("html", file.getvalue())
        plt.close("all")


def explanation(error):
    """Return the message of an error, then the lines of the cells that led to it."""
    cells = [
        f"{frame.filename}, line {frame.lineno}: {frame.line}"
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename.startswith("cell ")
    ]
    *where, message = traceback.format_exception_only(error)
    if isinstance(error, SyntaxError) and (error.text or "").lstrip()[:1] in ("%", "!"):
        message = f"SyntaxError: {COMMAND}"
    if isinstance(error, ModuleNotFoundError) and error.name == "ipywidgets":
        message = f"ModuleNotFoundError: {NO_WIDGETS}"
    return "\n".join([message.strip(), *cells, *map(str.rstrip, where)])
