"""What the tests share: one of each learner, data for it, and bits to compare."""

import inspect
import math
import os
import subprocess
import sys
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import olc
from olc import play_one_by_one
from olc.halving import VersionSpace
from olc.kernel_perceptron import Polynomial, RadialBasis

ROOT = Path(__file__).resolve().parent.parent
# As in a new shell: neither this make nor this pytest.
SHELL = {
    name: value
    for name, value in os.environ.items()
    if not name.startswith(("MAKE", "MFLAGS", "PYTEST", "PYTHONPATH"))
}


def table(n):
    """Return n hypotheses that differ at three points or more."""
    points = (np.arange(n)[:, None] >> np.arange(max(3, n.bit_length()))) & 1
    return np.hstack([2 * points - 1, np.ones((n, 1))])


def learner(kind, n, /, **parameters):
    """Return a learner of this class, with values for what has no default."""
    values = {"n": n, "table": table(n), "eta": 0.2, "thickness": 0.1}
    for name, wanted in inspect.signature(kind).parameters.items():
        if wanted.default is wanted.empty:
            parameters.setdefault(name, values[name])
    return kind(**parameters)


#: Every learner of the package.
KINDS = [
    thing
    for thing in map(vars(olc).get, olc.__all__)
    if inspect.isclass(thing) and issubclass(thing, olc.Learner)
    if thing not in (olc.Learner, olc.Linear)
]

#: One of each, and some with parameters of which another path may depend.
LEARNERS = {kind.__name__: partial(learner, kind) for kind in KINDS} | {
    "WeightedMajority, slow": partial(olc.WeightedMajority, eta=0.01),
    "WeightedMajority, fast": partial(olc.WeightedMajority, eta=0.999),
    "Perceptron, rate": partial(olc.Perceptron, rate=0.3),
    "KernelPerceptron, polynomial": lambda n: olc.KernelPerceptron(Polynomial(2)),
    "KernelPerceptron, radial": lambda n: olc.KernelPerceptron(RadialBasis(2)),
    "Winnow, strict": lambda n: olc.Winnow(n, threshold=math.nextafter(n / 2, n)),
    "Winnow, eliminate": partial(olc.Winnow, eliminate=True),
    "Winnow, alpha": partial(olc.Winnow, alpha=1.3),
    "MarginPerceptron, rate": partial(olc.MarginPerceptron, thickness=0.7, rate=0.1),
    "PNormPerceptron, odd": partial(olc.PNormPerceptron, p=3.7),
    "PNormPerceptron, 2": partial(olc.PNormPerceptron, p=2),
    "ThresholdMarginWinnow, wide": partial(olc.ThresholdMarginWinnow, thickness=0.5),
    "ThresholdRelative": partial(olc.ThresholdRelative, threshold=0.5, aim=0.25),
    "ThresholdRelative, rate": partial(olc.ThresholdRelative, threshold=-1, rate=0.5),
}

GEARS = ["plain", "compiled"]


@contextmanager
def in_gear(gear):
    """Play in this gear, whatever the size of the game."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OLC_GEAR", gear)
        yield


def examples(learner, rounds, seed, dtype="float64", n=None):
    """Return random rows of features that the learner takes, in this type."""
    random, dtype = np.random.default_rng(seed), np.dtype(dtype)
    unsigned = dtype.kind in "bu"
    if isinstance(learner, olc.StandardOptimal):
        points = learner.table.T[-1:] if unsigned else learner.table.T
        return points[random.integers(len(points), size=rounds)].astype(dtype)
    shape = (rounds, n or learner.n or 6)
    if learner.features == "signs":
        signs = random.choice([-1, 1], size=shape)
        return np.abs(signs).astype(dtype) if unsigned else signs.astype(dtype)
    if learner.features == "bits" or dtype.kind == "b":
        return random.integers(0, 2, shape).astype(dtype)
    if dtype.kind in "iu":
        return random.integers(0 if unsigned else -3, 4, shape).astype(dtype)
    return random.normal(size=shape).astype(dtype)


def labels(learner, X, seed, noise=0.5):
    """Return labels of a target that errs at this rate; hypothesis 0 never does."""
    if isinstance(learner, VersionSpace):
        return X[:, 0].astype(np.int8)
    random = np.random.default_rng(seed)
    scores = X.astype(float) @ random.normal(size=X.shape[1])
    flips = np.where(random.random(len(X)) < noise, -1, 1)
    return np.where(scores > 0, flips, -flips)


def stream(learner, rounds, seed, dtype="float64", noise=0.5, n=None):
    """Return a random stream that the learner can play."""
    X = examples(learner, rounds, seed, dtype, n)
    return olc.Stream(X, labels(learner, X, seed, noise))


def bad_entry(learner):
    """Return a number that this learner takes for no feature."""
    return {"real": np.nan, "signs": 0, "bits": 0.5}[learner.features]


@st.composite
def labelled(draw, widths=(1, 4), largest=4):
    """Whole numbers with labels that need not make sense."""
    n, rounds = draw(st.integers(*widths)), draw(st.integers(1, 40))
    entries = st.integers(-largest, largest)
    X = draw(hnp.arrays(np.int64, (rounds, n), elements=entries))
    signs = hnp.arrays(np.int8, rounds, elements=st.sampled_from([-1, 1]))
    return olc.Stream(X, draw(signs))


@st.composite
def separable(draw, widths=(1, 5), longest=60):
    """Whole numbers labelled by a halfspace through the origin, none on its edge."""
    n, rounds = draw(st.integers(*widths)), draw(st.integers(1, longest))
    u = draw(hnp.arrays(np.int64, n, elements=st.integers(-4, 4)))
    X = draw(hnp.arrays(np.int64, (rounds, n), elements=st.integers(-9, 9)))
    X = X[X @ u != 0]
    assume(len(X))
    return olc.Stream(X, np.sign(X @ u), u)


@st.composite
def positive(draw, most=12, radii=(1.0,)):
    """Real numbers that a target without negative weights separates by some margin."""
    n, rounds = draw(st.integers(1, most)), draw(st.integers(1, 120))
    random = np.random.default_rng(draw(st.integers(0, 9999)))
    u = random.random(n) * (random.random(n) < 0.5)
    u[random.integers(n)] += 0.1
    u *= random.choice([0.2, 1, 10])
    radius = draw(st.sampled_from(radii))
    X = random.uniform(-radius, radius, (rounds, n))
    X = X[np.abs(X @ u) > 0.12 * radius * u.sum()]
    assume(len(X))
    return olc.Stream(X, np.sign(X @ u), u)


@st.composite
def forecasts(draw, most=5):
    """Rows, the number that follows each, and weights; all of them eighths."""
    n, eighths = draw(st.integers(1, most)), st.integers(-8, 8).map(lambda i: i / 8)
    rows = st.lists(eighths, min_size=n, max_size=n)
    game = draw(st.lists(st.tuples(rows, eighths), min_size=1, max_size=12))
    X, y = zip(*game, strict=True)
    return np.array(X), np.array(y), np.array(draw(rows))


@st.composite
def opinions(draw, most=7, longest=40):
    """Any opinions of experts and any answers."""
    n, rounds = draw(st.integers(1, most)), draw(st.integers(1, longest))
    random = np.random.default_rng(draw(st.integers(0, 9999)))
    often = draw(st.sampled_from([(0.5, 0.5), (0.1, 0.9)]))
    X = random.choice([-1, 1], (rounds, n), p=often)
    return olc.Stream(X, random.choice([-1, 1], rounds))


#: Classes of a few hypotheses on a few points.
tables = st.tuples(st.integers(1, 7), st.integers(1, 4)).flatmap(
    lambda shape: hnp.arrays(np.int8, shape, elements=st.sampled_from([-1, 1]))
)


class Stubborn(olc.Learner):
    """Not linear: predict what most labels were."""

    def __init__(self, n):
        self.n, self.yes = n, 0

    def score(self, x):
        return self.yes

    def update(self, x, y):
        self.yes += y


def bits(thing):
    """Return something that is equal for learners (arrays, ...) with the same bits."""
    if isinstance(thing, olc.Learner):
        return type(thing), bits(thing.rounds), bits(vars(thing))
    if isinstance(thing, np.ndarray):
        return thing.dtype.str, thing.shape, thing.tobytes()
    if inspect.ismethod(thing):
        return thing.__func__.__code__
    if isinstance(thing, np.random.Generator):
        return thing.bit_generator.state
    if isinstance(thing, dict):
        return {key: bits(value) for key, value in thing.items() if key != "rounds"}
    if isinstance(thing, list | tuple):
        return [bits(item) for item in thing]
    return thing


def assert_same_trace(one, other):
    """The two games went the same way."""
    assert np.array_equal(one.predictions, other.predictions)
    assert np.array_equal(one.update_rounds, other.update_rounds)
    assert np.array_equal(one.mistake_rounds, other.mistake_rounds)
    assert one.predictions.dtype == other.predictions.dtype == np.int8
    assert one.update_rounds.dtype == other.update_rounds.dtype == np.int64
    assert (one.expected is None) == (other.expected is None)
    assert one.expected is None or np.array_equal(one.expected, other.expected)
    assert bits(one.before) == bits(other.before)


def assert_play_is_the_loop(make, X, y, *same):
    """Play X, and the same rows in other forms, in both gears and by the loop."""
    loop = play_one_by_one(slow := make(), X, y)
    for gear in GEARS:
        for rows in (X, *same):
            with in_gear(gear):
                trace = olc.play(fast := make(), rows, y)
            assert_same_trace(trace, loop)
            assert bits(fast) == bits(slow)
    return loop


def until_converged(learner, stream):
    """Cycle until a pass changes nothing; return the number of updates."""
    updates, _, at_rest = olc.perceptron.until_converged(
        learner, stream, max_epochs=2000
    )
    assert at_rest
    return updates


def run(command: list[str], **options) -> str:
    """Run a command in a new shell, and return what it prints."""
    options = {"cwd": ROOT, "env": SHELL} | options
    done = subprocess.run(command, capture_output=True, text=True, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def run_alone(script, **settings):
    """Return what a script prints in a Python of its own, or its last complaint."""
    shell = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)} | settings
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, env=shell)
    return done.stdout.split() or done.stderr.splitlines()[-1:]


def assert_between(ledger, scale=1.0):
    """At every mistake lower ≤ potential ≤ upper, but for rounding at this scale."""
    slack = 1e-9 * np.maximum(ledger.potential.abs(), scale)
    assert (ledger.lower <= ledger.potential + slack).all()
    assert (ledger.potential <= ledger.upper + slack).all()
