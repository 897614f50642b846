"""The labs compute what olc computes, stay small, and take no state that is none."""

from __future__ import annotations

import gzip
import math
import random
import re
import subprocess
from fractions import Fraction

import nbformat
import numpy as np
import pytest
import yaml
from helpers import ROOT
from lab_games import node

import olc
from olc import kernel_perceptron, multiclass
from olc_book import labs
from olc_book.plots import COLOURS

FOLDER = ROOT / "olc_book" / "labs" / "js"
FILES = sorted(FOLDER.glob("*.js"))
LEARNERS = [labs.source(part) for part in ("learners", "panel")]
STREAMS = 1000  # for each kind of learner


# --- learners -------------------------------------------------------------------------


def reals(draw, T, n):
    """Examples on grids, where ties happen, or anywhere."""
    if draw.random() < 0.7:
        return draw.integers(-3, 4, (T, n)) * draw.choice([0.1, 0.25, 1.0])
    return draw.normal(size=(T, n)).round(2)


def signs(draw, T, n):
    return 2 * draw.integers(0, 2, (T, n)) - 1


def bits(draw, T, n):
    return draw.integers(0, 2, (T, n))


RATES = [math.log(2), math.log(3) / 2, math.atanh(1 / 3), 0.1, 0.3, 1.0, 0.05]
SHARES = [0.5, 0.25, 0.1, 0.75, 0.3, 0.999]
ALPHAS = [2.0, 1.5, 3.0, math.sqrt(2)]


def eta(draw, n):
    return {"eta": float(draw.choice(RATES))}


def share(draw, n):
    return {"eta": float(draw.choice(SHARES))}


def alpha(draw, n):
    given = {"alpha": float(draw.choice(ALPHAS))}
    return given | ({"threshold": draw.integers(1, 2 * n + 1) / 2} if n % 2 else {})


KINDS = {
    "Perceptron": (reals, lambda draw, n: {"rate": float(draw.choice([1, 0.3, 0.1]))}),
    "AveragedPerceptron": (reals, lambda draw, n: {}),
    "MarginPerceptron": (
        reals,
        lambda draw, n: {"thickness": draw.integers(0, 8) / 4, "rate": 0.5 + n % 2 / 2},
    ),
    "Winnow": (bits, alpha),
    "WinnowR": (bits, alpha),
    "NormalizedWinnow": (reals, eta),
    "BalancedWinnow": (signs, eta),
    "PNormPerceptron": (reals, lambda draw, n: {"p": float(draw.choice([2, 3, 3.7]))}),
    "WeightedMajority": (signs, share),
    "RandomizedWeightedMajority": (signs, share),
    "Halving": (signs, lambda draw, n: {}),
}
ALIKE = {"AveragedPerceptron": "Perceptron"}  # the same learner in JavaScript


def games(count, lengths, seed, widths=(1, 12)):
    """Return games as olc plays them, and what node is to be asked."""
    draw, asked, wanted = np.random.default_rng(seed), [], []
    for name, (features, options) in KINDS.items():
        for _ in range(count):
            n, T = int(draw.integers(*widths)), int(draw.integers(*lengths))
            X, y = features(draw, T, n), 2 * draw.integers(0, 2, T) - 1
            if name == "Halving":
                y = X[:, draw.integers(n)].copy()
            given = options(draw, n)
            learner = getattr(olc, name)(n, **given)
            trace = olc.play(learner, X, y)
            wanted.append((trace, learner))
            given = {key: float(value) for key, value in given.items()} | {"n": n}
            js = ALIKE.get(name, name)
            rows = {"X": X.tolist(), "y": y.tolist()}
            asked.append({"name": js, "options": given} | rows)
    return asked, wanted


def others(count, seed):
    """Return games of three classes and of kernels."""
    draw, asked, wanted = np.random.default_rng(seed), [], []
    for i in range(count):
        T, n = int(draw.integers(5, 30)), int(draw.integers(1, 5))
        X = draw.integers(-3, 4, (T, n)) * draw.choice([0.25, 0.5, 1.0])
        y = draw.integers(0, 3, T)
        learner = olc.ConstraintClassifier(olc.Perceptron(n), classes=3)
        wanted.append((multiclass.play(learner, X, y), learner))
        options = {"n": n, "classes": 3}
        rows = {"X": X.tolist(), "y": y.tolist()}
        asked.append({"name": "classifier", "options": options} | rows)
        y = 2 * draw.integers(0, 2, T) - 1
        degree, width = int(draw.integers(1, 4)), float(draw.choice([0.5, 1, 2]))
        if i % 2:
            X = draw.normal(size=(T, n)).round(2)
            kernel = kernel_perceptron.RadialBasis(width)
            options = {"name": "radial", "width": width}
        else:
            kernel = kernel_perceptron.Polynomial(degree, 1.0)
            options = {"name": "polynomial", "degree": degree}
        learner = olc.KernelPerceptron(kernel)
        wanted.append((olc.play(learner, X, y), learner))
        rows = {"X": X.tolist(), "y": y.tolist()}
        asked.append({"name": "kernel", "options": options} | rows)
    return asked, wanted


def differ(found, wanted):
    """Return which games went another way in JavaScript."""
    bad = []
    for i, (js, (trace, learner)) in enumerate(zip(found, wanted, strict=True)):
        same = js["said"] == trace.predictions.tolist()
        if isinstance(learner, olc.RandomizedWeightedMajority):  # coins are Python's
            same = js["chances"] == trace.expected.tolist()
        else:
            same &= js["mistakes"] == trace.mistake_rounds.tolist()
        if isinstance(learner, olc.AveragedPerceptron):
            same &= js["average"] == learner.average.tolist()
        same &= js["updates"] == trace.update_rounds.tolist()
        bad += [] if same else [i]
    return bad


@pytest.fixture(scope="module")
def short():
    one, other = games(STREAMS, (5, 25), seed=7), others(STREAMS, seed=8)
    return one[0] + other[0], one[1] + other[1]


def test_javascript_plays_thousands_of_short_games_as_olc_does(short):
    asked, wanted = short
    assert not differ(node(LEARNERS, games=asked)["games"], wanted)


def test_many_of_these_games_have_ties(short):
    ties = sum(int((trace.predictions == 0).sum()) for trace, _ in short[1])
    assert ties > 10_000


def test_javascript_plays_long_games_as_olc_does():
    asked, wanted = games(1, (2000, 2400), seed=9, widths=(2, 16))
    assert not differ(node(LEARNERS, games=asked)["games"], wanted)


MUTANTS = {
    "a tie is right": ("const wrong = said !== y", "const wrong = said === -y"),
    "above θ": ("score >= threshold", "score > threshold"),
    "below τ": ("y * score <= thickness", "y * score < thickness"),
    "no rounding": ("return top - (top - w)", "return w"),
    "a plain sum": ("return fsum(a.map((v, i) => v * b[i]))",
                    "return a.reduce((s, v, i) => s + v * b[i], 0)"),
    "no rate": ("v + rate * y * x[i]", "v + y * x[i]"),
    "no floor": ("Math.max(v, -1)", "v"),
    "half of η": ("(1 - eta) **", "(1 - eta / 2) **"),
    "experts forgiven": ("v + (x[i] !== y)", "v + (x[i] === y)"),
    "all alive": ("v && x[i] === y", "x[i] === y"),
    "ln cosh": ("Math.log1p(Math.exp(-2 * Math.abs(v)))", "Math.exp(-2 * Math.abs(v))"),
    "the first rival": ("s > scores[rival]", "s < scores[rival]"),
    "a late average": ("self.rounds * rate * y", "(self.rounds - 1) * rate * y"),
    "another chance": ("(1 - y * score) / 2", "(1 + y * score) / 2"),
    "p": ("** (p - 1)", "** p"),
    "the kernel's constant": ("+ 1) ** degree", ") ** degree"),
    "a wider kernel": ("Math.exp(-0.5 *", "Math.exp(-0.4 *"),
}  # fmt: skip


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mistake_planted_in_the_learners_is_noticed(name, short):
    old, new = MUTANTS[name]
    assert LEARNERS[0].count(old) >= 1
    asked, wanted = (part[:: 3 if name == "no rounding" else 9] for part in short)
    found = node([LEARNERS[0].replace(old, new)], games=asked)["games"]
    assert differ(found, wanted)


def test_the_sum_is_that_of_python_bit_by_bit():
    draw = random.Random(3)
    terms = [
        [draw.uniform(-1, 1) * 2.0 ** draw.randint(-60, 60)
         for _ in range(draw.randint(0, 12))] for _ in range(10_000)
    ]  # fmt: skip
    terms += [[*some, *(-v for v in some[1:])] for some in terms if some]
    terms += [[1.0, 2.0**-53, s * 2.0**-k] for k in range(54, 110) for s in (-1, 1)]
    found = node(LEARNERS, sums=terms)["sums"]
    assert [float(v) for v in found] == [math.fsum(some) for some in terms]


def test_a_panel_and_its_races_are_the_same_on_both_sides():
    asked, wanted = [], []
    for n, k, T, seed in ((16, 3, 400, 1), (64, 5, 600, 2), (1024, 3, 500, 3),
                          (33, 1, 200, 4), (4096, 7, 150, 5)):  # fmt: skip
        eta = math.atanh(1 / max(k, 2))
        links = [[None, 0], ["normalized", eta], ["balanced", eta], ["pNorm", 5]]
        asked.append({"n": n, "k": k, "rounds": T, "seed": seed, "links": links})
        learners = (olc.Perceptron(n), olc.NormalizedWinnow(n, eta=eta),
                    olc.BalancedWinnow(n, eta=eta),
                    olc.PNormPerceptron(n, p=5))  # fmt: skip
        stream = labs.panel(n, k, T, seed)
        lost = [olc.play(each, stream).mistake_rounds.tolist() for each in learners]
        wanted.append({
            "first": stream.X.ravel()[:64].tolist(), "y": stream.y.tolist(),
            "members": np.flatnonzero(stream.target).tolist(), "mistakes": lost,
        })  # fmt: skip
    assert node(LEARNERS, races=asked)["races"] == wanted


# --- margins and bounds ---------------------------------------------------------------


def test_margins_are_the_largest():
    draw = np.random.default_rng(4)
    asked, wanted, hulls = [], [], []
    for _ in range(300):
        X = draw.integers(-100, 101, (int(draw.integers(2, 12)), 2)) / 100
        u = draw.normal(size=2)
        X = X[abs(X @ u) > 0.1]
        if not len(X):
            continue
        y = np.sign(X @ u).astype(int)
        asked.append({"X": X.tolist(), "y": y.tolist()})
        hulls.append((X * y[:, None]).tolist())
        wanted.append(olc.geometry.maximal_margin(X, y)[0])
    found = node(LEARNERS, margins=asked, hulls=hulls)
    assert np.allclose([one["gamma"] for one in found["margins"]], wanted, atol=1e-9)
    slow = np.array([one["gamma"] for one in found["hulls"]])
    assert (slow <= np.array(wanted) + 1e-9).all()  # it may only promise too little
    assert np.allclose(slow, wanted, rtol=0.01)


def test_what_no_line_separates_has_no_margin():
    xor = {"X": [[1, 1], [-1, -1], [1, -1], [-1, 1]], "y": [1, 1, -1, -1]}
    rows = (np.array(xor["X"]) * np.array(xor["y"])[:, None]).tolist()
    found = node(LEARNERS, margins=[xor], hulls=[rows])
    assert found["margins"][0]["gamma"] <= 0
    assert found["hulls"][0]["gamma"] == 0


def test_bounds_are_those_of_olc():
    table = {}
    for n in (1, 2, 3, 5, 8, 13, 100, 1000, 1024, 4097):
        table |= {("halving", n): olc.halving.mistake_bound(n)}
        for k in {1, min(3, n), min(7, n)}:
            table |= {
                ("winnow", n, k): olc.winnow.mistake_bound(n, k),
                ("winnowR", n, k): olc.winnow_r.mistake_bound(n, k),
                ("winnowR", n, k, 10): olc.winnow_r.mistake_bound(n, k, errors=10),
                ("panel.perceptron", n, k): olc.perceptron.panel_bound(n, k),
                ("panel.normalized", n, k): olc.normalized_winnow.panel_bound(n, k),
                ("panel.balanced", n, k): olc.balanced_winnow.panel_bound(n, k),
                ("panel.pNorm", n, k, 5): olc.p_norm.panel_bound(n, k, 5),
            }
        for best, eta in ((0, 0.5), (10, 0.1), (3, 0.9)):
            given = n, best, eta
            table |= {
                ("weightedMajority", *given):
                    olc.weighted_majority.mistake_bound(*given),
                ("randomized", *given):
                    olc.randomized_weighted_majority.mistake_bound(*given),
                ("normalized", n, 1 / 3, eta / 3):
                    olc.normalized_winnow.mistake_bound(n, 1 / 3, eta / 3),
            }  # fmt: skip
    for radius, gamma, tau in ((1, 0.25, 0.5), (1.3, 0.1, 2), (3, 0.5, 0.01)):
        table |= {
            ("perceptron", radius, gamma): olc.perceptron.mistake_bound(radius, gamma),
            ("multiclass", radius, gamma): multiclass.mistake_bound(radius, gamma),
            ("perceptron", radius, gamma, tau):
                olc.margin_perceptron.mistake_bound(radius, gamma, tau),
            ("finalMargin", radius, gamma, tau):
                olc.margin_perceptron.final_margin(radius, gamma, tau),
        }  # fmt: skip
    found = node(LEARNERS, bounds=[[*key] for key in table])["bounds"]
    wrong = {
        key: (js, float(right))
        for (key, right), js in zip(table.items(), found, strict=True)
        if not math.isclose(js, float(Fraction(right)), rel_tol=1e-12)
    }
    assert not wrong


# --- files ----------------------------------------------------------------------------


def packed(*parts):
    return len(gzip.compress("".join(parts).encode(), 9))


def test_what_every_lab_needs_is_at_most_12_kb():
    shared = labs.source("kit"), labs.source("learners"), labs.styles()
    assert packed(*shared) <= 12 * 1024


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_lab_is_at_most_6_kb(path):
    if path.stem not in ("kit", "learners"):
        assert packed(labs.source(path.stem)) <= 6 * 1024


def test_the_scripts_have_at_most_2450_lines():
    text = "\n".join(path.read_text("utf-8") for path in FILES)
    assert len(re.findall(r"(?m)^\s*[^\s/].*", text)) <= 2450  # comments do not count


def test_colours_are_those_of_the_figures():
    said = re.findall(r"--olc-([A-Z]\w+):(#\w{6})", labs.styles())
    assert dict(said).items() <= COLOURS.items()
    assert len(said) > 10


def test_the_scripts_are_formatted_and_linted():
    biome = ROOT / "live" / "node_modules" / ".bin" / "biome"
    if not biome.exists():
        pytest.skip("biome is not installed: make live brings it")
    command = [biome, "ci", "--error-on-warnings", f"--config-path={ROOT / 'live'}"]
    subprocess.run([*command, FOLDER, ROOT / "tests" / "labs.mjs"], check=True)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_class_of_a_node_has_the_prefix_of_the_book(path):
    text = path.read_text("utf-8")
    names = re.findall(r'class: "([^"]+)"', text)
    assert all(name.startswith("olc-") for part in names for name in part.split())


# --- the face in Python ---------------------------------------------------------------


def test_a_lab_that_is_none_is_named():
    with pytest.raises(
        ValueError, match="no lab is called 'cube': choose from adversary,"
    ):
        olc.lab("cube")
    with pytest.raises(AttributeError, match="the lab plane has no 'colour', but mode"):
        olc.lab("plane", colour="red")


@pytest.mark.parametrize("name", labs.LABS)
def test_a_lab_shows_its_still_and_carries_its_scripts(name):
    bundle = olc.lab(name)._repr_mimebundle_()
    html = bundle["text/html"]
    assert html.startswith('<figure class="olc-figure olc-lab"')
    assert html.count("<figure") == html.count("</figure>") == 1
    assert "<svg" in html
    assert "olc-says" in html
    assert html.count("<script") == html.count("</script>") == 1
    assert bundle["text/plain"].startswith(f"Lab({name!r}, ")


def test_a_page_links_the_scripts_of_its_labs_once(tmp_path):
    two = "".join(
        olc.lab("plane", mode=mode)._repr_html_() for mode in ("hand", "flip")
    )
    page = labs.linked(f"<head></head><body>{two}</body>", "../_static/labs")
    sources = re.findall('<script defer src="../_static/labs/(.*?)"></script>', page)
    assert sources == [f"{part}.js" for part in labs.parts("plane")]
    assert page.count("<script") == len(sources)
    assert "<style" not in page
    labs.write(tmp_path)
    assert {*sources, "lab.css"} <= {path.name for path in tmp_path.iterdir()}
    assert labs.linked("<head></head>", "x") == "<head></head>"


def test_what_a_page_hands_over_is_what_a_lab_has(monkeypatch):
    state = {"tau": 0.5, "at": 2}
    monkeypatch.setitem(labs.PLAYED, ("plane", "margin"), state)
    assert olc.lab("plane", mode="margin").tau == 0.5
    assert (
        olc.lab("plane", mode="margin", tau=1).state.items()
        >= {"tau": 1, "at": 2}.items()
    )
    assert olc.lab("plane").at == 0


# --- chapters -------------------------------------------------------------------------


def numbered():
    parts = yaml.safe_load((ROOT / "_toc.yml").read_text("utf-8"))["parts"]
    files = [
        page["file"]
        for part in parts
        if "numbered" in part and "style" not in part  # an appendix has letters
        for page in part["chapters"]
    ]
    return [ROOT / f"{file}.ipynb" for file in files]


@pytest.mark.parametrize("path", numbered(), ids=lambda path: path.stem)
def test_a_chapter_asks_its_question_and_begins_with_its_lab(path):
    cells = nbformat.read(path, as_version=4).cells
    at = next(i for i, cell in enumerate(cells) if "olc.lab(" in cell.source)
    assert "slide" in cells[at].metadata.tags
    assert [cell.cell_type for cell in cells[:at]] == ["markdown"]
