"""The code that the chapters show: what runs, next to its algorithm box."""

import ast
import inspect

import pytest
from helpers import KINDS, LEARNERS, Stubborn, stream

import olc
from olc import bandits, gradient, perceptron
from olc.core.check import above
from olc.core.learner import Linear, parameter
from olc.show.listing import HOOKS, Listing


def test_the_perceptron_reads_like_its_box():
    assert str(Listing(olc.Perceptron)) == inspect.cleandoc("""
        class Perceptron(Linear):
            # parameters: n, rate = 1.0
            # self.weights is always self.link(self.state)

            def start(self):  # from Linear
                return np.zeros(self.n)

            def score(self, x):  # from Linear
                return x @ self.weights

            def decide(self, score):  # from Learner
                return np.sign(score)

            def wants_update(self, score, y):  # from Learner
                return self.decide(score) != y

            def update(self, x, y):  # from Linear
                self.state = self.step(self.state, x, y)

            def step(self, state, x, y):  # from Linear
                return state + self.rate * y * x

            def link(self, state):  # from Linear
                return state
        """)


NEIGHBOURS = {
    olc.Exp3: {"start", "draw", "update", "estimate", "step", "link", "chances"},
    olc.Exp3IX: {"start", "draw", "update", "estimate", "step", "link", "chances"},
    olc.Exp3P: {"start", "draw", "update", "estimate", "step", "link", "chances"},
    gradient.GradientDescent: {"start", "update", "step", "link"},
    gradient.ExponentiatedGradient: {"start", "update", "step", "link"},
    gradient.SignedExponentiatedGradient: {"start", "update", "step", "link"},
}


@pytest.mark.parametrize("kind", [*KINDS, *NEIGHBOURS])
def test_a_listing_is_a_short_class_that_shows_all_it_asks_for(kind):
    code = str(Listing(kind))
    (tree,) = ast.parse(code).body
    shown = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
    assert [name for name in shown if name in HOOKS] == sorted(
        set(shown) & set(HOOKS), key=HOOKS.index
    )
    expected = {"score", "decide", "wants_update", "update"}
    assert NEIGHBOURS.get(kind, expected) <= set(shown)
    asked = {
        node.func.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "self"
    }
    assert asked <= {*shown, *inspect.signature(kind).parameters}
    for unwanted in ('"""', "Any", "Vector", "entrywise", "raise", "super", "_checks"):
        assert unwanted not in code
    assert " _" not in code
    assert max(map(len, code.splitlines())) <= 72
    assert len(code.splitlines()) <= 50


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_shown_is_what_runs(kind):
    names = {}
    for base in reversed(kind.__mro__[:-1]):
        names |= vars(inspect.getmodule(base)) | {base.__name__: base}
    # only the declared parameters come from the learner itself
    shown = str(Listing(kind)).replace(f"class {kind.__name__}(", "class Shown(Kind, ")
    exec(shown, names | {"Kind": kind}, made := {})
    learner = LEARNERS[kind.__name__](5)
    other = made["Shown"](**learner.get_params())
    game = stream(learner, 80, seed=2)
    expected, trace = olc.play(learner, game), olc.play(other, game)
    assert trace.predictions.tolist() == expected.predictions.tolist()
    assert trace.updates.tolist() == expected.updates.tolist()
    assert other.weights.tobytes() == learner.weights.tobytes()


class Commented(Linear):
    """A learner with everything that a listing leaves out, or keeps."""

    bold: float = parameter(
        above(0),
        derived=lambda self: 2 * self.n,
    )

    def step(
        self,
        state: object,
        x: object,
        y: int,
    ) -> object:
        """Say something."""
        # ⟨w, x⟩ first
        if y == 0:
            raise ValueError("no")

        gain: float = self.bold  # kept
        return super().step(state, x, y) * gain


def test_a_parameter_stays_on_its_line():
    head = str(Listing(olc.BalancedMarginWinnow)).splitlines()[1:3]
    assert head == [
        "    # parameters: n, threshold = 1.0, alpha = 2.0, plus = 1.0,",
        "    # minus = 1.0, thickness",
    ]


def test_comments_stay_and_the_rest_goes():
    code = str(Listing(Commented))
    assert code.startswith(
        "class Commented(Linear):\n    # parameters: n, bold = 2 * n\n"
    )
    assert (
        """
    def step(self, state, x, y):
        # ⟨w, x⟩ first

        gain = self.bold  # kept
        return (state + self.rate * y * x) * gain
"""
        in code
    )


def test_a_learner_that_declares_nothing_shows_how_it_is_made():
    code = str(Listing(Stubborn))
    assert code.startswith(
        "class Stubborn(Learner):\n    def __init__(self, n):\n"
        "        self.n, self.yes = n, 0\n\n    def score(self, x):\n"
    )
    assert "def start" not in code


def test_a_function_is_shown_without_its_docstring_its_types_and_its_checks():
    assert str(Listing(perceptron.mistake_bound)) == inspect.cleandoc("""
        def mistake_bound(radius, margin, start=0.0, rate=1.0):
            ratio = radius / margin
            steps_back = start / rate
            return ratio * ratio + 2 * steps_back / margin
        """)
    assert "range(1, max_epochs + 1)" in str(Listing(perceptron.settle))
    assert "_check" not in str(Listing(gradient.forecast, bandits.Bandit.learn))
    assert str(Listing(olc.core.game.Game.round)).startswith(
        "def round(self, x, label):\n"
    )


def test_several_classes_are_shown_without_checks():
    form = olc.ConstraintClassifier
    code = str(Listing(form.score, form.rival, form.update, form.constraint))
    assert "return scores_of(X, self.weights)" in code
    assert "z[y] = x" in code
    assert " _" not in code
    assert "[_" not in code


def test_a_body_that_is_only_a_docstring_keeps_it():
    def nothing():
        """Do nothing."""

    assert str(Listing(nothing)) == 'def nothing():\n    """Do nothing."""'


def test_several_things_stand_two_lines_apart_as_one_block_of_python():
    both = Listing(olc.Perceptron.step, olc.NormalizedWinnow.step)
    assert str(both).count("def step") == 2
    assert "\n\n\ndef step" in str(both)
    assert both._repr_markdown_() == f"```python\n{both}\n```"
