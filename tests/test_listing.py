"""The code that the chapters show: the lines of the class, and they run."""

import ast
import builtins
import inspect
import linecache
import re
import symtable
import sys
import textwrap

import pytest
from helpers import KINDS, LEARNERS, stream

import olc
from olc import gradient
from olc.core.check import above
from olc.core.learner import HOOKS, Linear, hints, parameter
from olc_book.listing import Listing

SHOWN = [
    *KINDS,
    *(olc.Exp3, olc.Exp3IX, olc.Exp3P),
    *(gradient.GradientDescent, gradient.ExponentiatedGradient),
]


def stripped(kind):
    """Return the class as Python without docstrings, types and its decorators."""
    (tree,) = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    tree.decorator_list = []
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node):
            node.body = node.body[1:] or node.body
        if isinstance(node, ast.FunctionDef):
            node.returns = None
        if isinstance(node, ast.arg):
            node.annotation = None
    tree.body = [
        ast.Assign([node.target], node.value, lineno=0)
        if isinstance(node, ast.AnnAssign) and node.value
        else node
        for node in tree.body
    ]
    return tree


@pytest.mark.parametrize("kind", SHOWN)
def test_a_listing_holds_the_lines_of_the_class_and_no_others(kind):
    code = str(Listing(kind))
    (tree,) = ast.parse(code).body
    comments = [line.strip("# ") for line in code.splitlines() if "    # " in line]
    _, _, spare = " ".join(comments).partition("not shown: ")
    own = stripped(kind)
    names = spare.split(", ")
    left_out = [node for node in own.body if getattr(node, "name", None) in names]
    own.body = [node for node in own.body if node not in left_out]
    assert ast.unparse(tree) == ast.unparse(own)
    source = re.sub(r"(?m)^( +\w+): .+? = ", r"\1 = ", inspect.getsource(kind))
    for line in code.splitlines():
        assert "def " in line or "    # " in line or line in source
    # what is left out, no game asks for
    assert not {node.name for node in left_out} & {*HOOKS, "draw", "estimate"}
    assert '"""' not in code
    assert max(map(len, code.splitlines())) <= 88


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_shown_is_what_runs(kind):
    names = {}
    for base in reversed(kind.__mro__[:-1]):
        names |= vars(inspect.getmodule(base)) | {base.__name__: base}
    exec(str(Listing(kind)), names, made := {})
    learner = LEARNERS[kind.__name__](5)
    other = made[kind.__name__](**learner.get_params())
    assert type(other) is not kind
    game = stream(learner, 80, seed=2)
    expected, trace = olc.play(learner, game), olc.play(other, game)
    assert trace.predictions.tolist() == expected.predictions.tolist()
    assert trace.update_rounds.tolist() == expected.update_rounds.tolist()
    if isinstance(learner, Linear):
        assert other.weights.tobytes() == learner.weights.tobytes()


def test_what_is_inherited_is_named_with_its_owner():
    for kind in KINDS:
        code = " ".join(str(Listing(kind)).replace("# ", "").split())
        for hook in ("score", "decide", "wants_update", "update"):
            owner = next(base for base in kind.__mro__ if hook in vars(base))
            said = code.partition("inherits ")[2].partition(f"({owner.__name__})")
            assert (f"def {hook}(" in code) == (owner is kind)
            assert owner is kind or hook in said[0].rpartition(")")[2]


class Half(olc.Winnow):
    def step(self, count, x, y):
        return 0.5 * super().step(count, x, y)


@hints(coordinatewise=False)
class Commented(Linear):
    """A learner with everything that a listing leaves out, or keeps."""

    # the comment of the class
    bold: float = parameter(above(0), default=1.0)  # bold: kept

    def step(
        self,
        state: object,
        x: object,
        y: int,  # -1 or +1: a label
    ) -> object:
        """Say something."""
        # ⟨w, x⟩ first
        gain: float = self.bold * self.doubled

        def inner(a: int) -> int:
            # stays
            return a

        return inner(y) * x * gain

    def link(self, state): return 0.5 * state  # fmt: skip

    @property
    def doubled(self) -> float:
        """Twice as bold."""
        return 2 * self.bold

    @property
    def spare(self) -> float:
        return 3 * self.bold


def test_a_call_of_the_base_class_is_shown_as_it_is():
    assert str(Listing(Half)) == inspect.cleandoc("""
        class Half(olc.Winnow):
            # inherits score, update (Linear), decide (Threshold), wants_update
            # (Learner), link (Winnow)
            def step(self, count, x, y):
                return 0.5 * super().step(count, x, y)
        """)
    assert "inherits" not in str(Listing(olc.Learner))


def test_comments_and_properties_stay_and_the_rest_goes():
    assert str(Listing(Commented)) == inspect.cleandoc("""
        class Commented(Linear):
            # inherits score, update (Linear), decide, wants_update (Learner)
            # the comment of the class
            bold = parameter(above(0), default=1.0)  # bold: kept

            def step(self, state, x, y):
                # ⟨w, x⟩ first
                gain = self.bold * self.doubled

                def inner(a):
                    # stays
                    return a

                return inner(y) * x * gain

            def link(self, state): return 0.5 * state  # fmt: skip

            @property
            def doubled(self):
                return 2 * self.bold

            # not shown: spare
        """)
    shown = str(Listing(Commented.spare))
    assert shown == "@property\ndef spare(self):\n    return 3 * self.bold"


def cell(name, code):
    """Run code as a cell of a notebook, whose lines are kept in a cache."""
    linecache.cache[name] = (len(code), None, code.splitlines(True), name)
    exec(compile(code, name, "exec"), vars(sys.modules["__main__"]))


@pytest.fixture
def notebook(monkeypatch):
    """Return the names of a notebook, and forget them afterwards."""
    monkeypatch.setattr(linecache, "cache", {})
    before = dict(names := vars(sys.modules["__main__"]))
    yield names
    names.clear()
    names.update(before)


def test_a_class_of_a_notebook_is_found_by_its_cell(notebook):
    code = "import abc, olc\n\nclass Cell(olc.Perceptron, abc.ABC):\n"
    code += "    def decide(self, z):\n        return {}\n"
    code += "    def extra(self):\n        return 2\n"
    cell("<cell 7>", code.format(1))
    first = notebook["Cell"]
    cell("<cell 8>", code.format(-1))
    cell("<cell 9>", "class Cell:\n    def decide(self, z):\n        return 0\n")
    assert str(Listing(first)) == inspect.cleandoc("""
        class Cell(olc.Perceptron, abc.ABC):
            # inherits score, update (Linear), wants_update (Learner), step
            # (Perceptron)
            def decide(self, z):
                return 1

            # not shown: extra
        """)


def test_a_class_without_methods_is_that_of_the_last_cell(notebook):
    code = "import olc\nclass Bold(\n    olc.Perceptron,\n):\n    threshold = {}\n"
    cell("<cell 1>", code.format(1.0))
    old = notebook["Bold"]
    cell("<cell 2>", code.format(2.0))
    assert "threshold = 2.0" in str(Listing(notebook["Bold"]))
    assert str(Listing(old)) == "# The source of Bold is not at hand."


def test_what_has_no_source_is_said_in_a_sentence():
    exec("class Gone(olc.Winnow):\n    def step(self): ...", made := {"olc": olc})
    for thing in (made["Gone"], made["Gone"].step, len, int):
        name = thing.__name__
        assert str(Listing(thing)) == f"# The source of {name} is not at hand."


def test_a_function_defines_or_imports_every_name_that_it_uses():
    theory = olc.perceptron
    for function in (
        *(olc.core.game.Game.round, olc.core.learner.query, olc.play_one_by_one),
        *(olc.duel, olc.OneAgainstAll.games, gradient.forecast),
        *(theory.mistake_bound, theory.until_converged, theory.proof),
    ):
        table = symtable.symtable(str(Listing(function)), "listing", "exec")
        (inner,) = table.get_children()
        known = {*vars(inspect.getmodule(function)), *dir(builtins)}
        assert {*inner.get_globals()} <= known


def test_the_frame_of_a_round_is_shown():
    frame = str(Listing(olc.core.game.Game.round, olc.core.learner.query))
    assert frame.startswith("def round(self, x, y):\n    learner = self.learner\n")
    assert "\n\n\ndef query(learner, x, y):\n    score = learner.score(x)\n" in frame
    assert frame.index("query(learner, x, y)") < frame.index("learner.update(x, y)")


def test_several_things_are_one_block_of_python():
    both = Listing(olc.Perceptron.step, olc.NormalizedWinnow.step)
    assert str(both).count("def step") == 2
    assert both._repr_markdown_() == f"```python\n{both}\n```"
    with pytest.raises(TypeError, match=r"shows a class or a function, not Perceptron"):
        Listing(olc.Perceptron(2))
