"""Run the cells of a page and show what they give, as a notebook would."""

import ast
import base64
import io
import linecache
import pprint
import sys
import time
import traceback
import warnings

MOST = 100_000  # characters that a cell may print
warnings.filterwarnings("ignore", "tqdm:")  # it has no thread to watch its bar with
space = sys.modules["__main__"].__dict__


class Printed(io.TextIOBase):
    """What a cell prints, shown a few times a second; \\r begins the line again."""

    def __init__(self, show):
        self.show, self.text, self.count, self.shown = show, "", 0, time.monotonic()
        self.seen = False

    def write(self, text):
        self.text, self.count = self.text + text, self.count + len(text)
        if self.count > MOST:
            raise RuntimeError(f"the cell prints more than {MOST:,} characters")
        if time.monotonic() > self.shown + 0.1:
            self.flush()
        return len(text)

    def flush(self):
        self.shown = time.monotonic()
        lines = (line.rpartition("\r")[2] for line in self.text.split("\n"))
        if (text := "\n".join(lines)).strip() or self.seen:  # a bar may go again
            self.show("printed", text)
            self.seen = True

    def end(self):
        self.flush()
        self.text, self.seen = "", False


def run(code, name, show):
    """Run a cell; return the module that it misses, if that is why it fails."""
    out = sys.stdout, sys.stderr
    sys.stdout = sys.stderr = printed = Printed(show)
    space["display"] = lambda value: (printed.end(), display(value, show))[0]
    linecache.cache.pop(name, None)  # the newest cell is the last of the cache
    linecache.cache[name] = len(code), None, code.splitlines(keepends=True), name
    try:
        body = ast.parse(code, name).body
        last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
        exec(compile(ast.Module(body, []), name, "exec"), space)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), name, "eval"), space)
            printed.end()
            if value is not None and not code.rstrip().endswith(";"):
                space["_"] = value
                display(value, show)
        printed.end()
        show_drawings(show)
    except BaseException as error:
        printed.text += "\n" * (printed.text[-1:] not in ("", "\n"))
        printed.end()
        explain(error, show)
        while error is not None:  # a sweep says in which run it was missed
            if isinstance(error, ModuleNotFoundError) and error.name:
                return error.name.partition(".")[0]
            error = error.__cause__
    finally:
        sys.stdout, sys.stderr = out
    return None


def forget(module):
    """Drop what was imported of a package, before all of it is there."""
    for name in [*sys.modules]:
        if name.partition(".")[0] == module:
            del sys.modules[name]


def display(value, show):
    """Show a value by the best of its faces."""
    for kind in () if isinstance(value, type) else ("html", "markdown"):
        face = getattr(value, f"_repr_{kind}_", None)
        if face is not None and (text := face()) is not None:
            return show(kind, text)
    plain = isinstance(value, dict | list | tuple | set)
    text = pprint.pformat(value, width=79, sort_dicts=False) if plain else repr(value)
    return show("text", text)


def show_drawings(show):
    """Show the figures that are open in pyplot, and close them."""
    if plt := sys.modules.get("matplotlib.pyplot"):
        for number in plt.get_fignums():
            plt.figure(number).savefig(file := io.BytesIO(), dpi=144, format="png")
            show("image", base64.b64encode(file.getvalue()).decode())
        plt.close("all")


def explain(error, show):
    """Show the message of an error and the lines of the cells that led to it."""
    cells = [
        f"{frame.filename[1:-1]}, line {frame.lineno}: {frame.line}"
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename.startswith("<cell")
    ]
    *where, message = traceback.format_exception_only(error)
    show("error", "\n".join([message.strip(), *cells, *map(str.rstrip, where)]))
    # The first two frames are those of this file.
    full = traceback.TracebackException.from_exception(error)
    full.stack[:] = [frame for frame in full.stack if frame.filename != __file__]
    show("traceback", "".join(full.format()))
