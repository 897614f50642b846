"""Every figure draws what its table holds, and says what the table says.

The figures and their small data are in `figures.yaml`. The numbers of the artists are
compared with the table: each numeric column is drawn, in the panel of its rows; a line
carries the values of the column or the learner that its label names; a line across the
picture stands at a number of the sentence below it. All else that can be seen is in
`figures.txt`, as it was when somebody last looked at the pictures.
"""

from __future__ import annotations

import importlib
import inspect
import io
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest
import yaml
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.container import BarContainer
from matplotlib.lines import AxLine, Line2D
from matplotlib.text import Annotation
from matplotlib.ticker import FixedLocator

import olc
from olc import (
    adversaries,
    bandits,
    gradient,
    halving,
    normalized_winnow,
    one_proof,
    perceptron,
    streams,
    text,
)
from olc_book import plots
from olc_book.plots import Figure
from olc_book.plots import _figure as page

Case = dict[str, Any]
CASES: dict[str, Case] = yaml.safe_load(
    Path(__file__).with_name("figures.yaml").read_text("utf-8")
)


#: `python tests/test_figures.py` writes it anew: look at the pictures that differ.
LAST = Path(__file__).with_name("figures.txt")
BEFORE = dict(
    part.split("\n", maxsplit=1) for part in LAST.read_text("utf-8").split("\n\n")
)


def T(columns: str, rows: str) -> pd.DataFrame:
    """Return a table: its columns, and its rows between semicolons."""
    lines = "\n".join([columns.removeprefix("*"), *rows.split("; ")])
    index = 0 if columns.startswith("*") else None
    return pd.read_csv(io.StringIO(lines), index_col=index)


# --- small games ----------------------------------------------------------------------

PLANE = olc.Stream(
    [[1, 2], [2, 1], [-1, -1], [-1, 1]], np.array([1, 1, -1, -1]), np.array([1, 0])
)
PANEL = streams.panel(16, 3, 300, seed=0)


def clouds() -> tuple[Any, Any, Any]:
    clean = streams.separable(2, margin=0.15, rounds=120, seed=2)
    noisy = streams.flip_labels(clean, chance=0.15, seed=2)
    learner = olc.VotedPerceptron(2)
    olc.play(learner, noisy)
    return learner, noisy, clean


def voted() -> tuple[Any, Any]:
    data = streams.separable(5, 0.05, 1300, seed=0)
    learner = olc.VotedPerceptron(5)
    olc.play(learner, data[:300])
    return learner, data[300:]


def games(stream: Any, *learners: Any) -> dict[str, Any]:
    names = {
        "NormalizedWinnow": "normalised Winnow",
        "BalancedWinnow": "Balanced Winnow",
    }
    kinds = [type(learner).__name__ for learner in learners]
    return {
        names.get(kind, kind): olc.play(learner, stream)
        for kind, learner in zip(kinds, learners, strict=True)
    }


def signed(n: int = 6) -> Any:
    stream = streams.signed_panel(n, k=3, rounds=100, seed=0)
    return olc.play(olc.BalancedWinnow(n, eta=1 / 3), stream)


def bandit_games() -> tuple[Any, ...]:
    losses = bandits.turning_losses(400, turn=100)
    traces = {
        "Exp3": bandits.play_bandit(olc.Exp3.tuned(2, 400), losses, seeds=8),
        "Exp3-IX": bandits.play_bandit(olc.Exp3IX.tuned(2, 400), losses, seeds=8),
    }
    return traces, {"Exp3": pd.Series([2.0, 5.0])}, 61.0


def kernels() -> tuple[Any, Any]:
    curve, line = (
        olc.KernelPerceptron(olc.kernel_perceptron.Polynomial(degree))
        for degree in (2, 1)
    )
    for learner in (curve, line):
        olc.play(learner, streams.xor(8))
    return {"a curve": curve, "a line": line}, streams.xor()


def panel_game(eta: float) -> Any:
    return olc.play(olc.NormalizedWinnow(16, eta=eta), PANEL, record=True)


def panel_ledgers() -> dict[str, pd.DataFrame]:
    duel = olc.duel(
        olc.NormalizedWinnow(16, eta=1 / 3), adversaries.Panel(16, k=3), rounds=100
    )
    proof = normalized_winnow.proof
    return {"random": proof(panel_game(1 / 3)), "adversary": proof(duel)}


def slider_game() -> tuple[Any, ...]:
    learner = olc.PNormPerceptron(16, p=4)
    olc.play(learner, PANEL)
    return (
        learner,
        PANEL.target,
        T(
            "n,k,p,mistakes",
            "16,3,2,21; 16,3,2,25; 16,3,2,22; 16,3,4,17; 16,3,4,19; 16,3,8,13; 9,3,4,9",
        ),
        T("n,k,p,mistakes", "16,3,2,45; 16,3,4,38; 16,3,8,36; 9,3,4,98"),
        T("n,k,mistakes", "16,3,14; 16,3,15; 16,3,19; 9,3,97"),
    )


def proofs() -> dict[str, pd.DataFrame]:
    learners = {
        "Perceptron": olc.Perceptron(16),
        "p-norm Perceptron": olc.PNormPerceptron(16),
    }
    return {
        name: one_proof.proof(olc.play(who, PANEL)) for name, who in learners.items()
    }


def thresholds_stream() -> Any:
    table, points = halving.thresholds(7), [6, 0, 4, 2, 1]
    return olc.Stream(table[:, points].T, table[2, points])


def contrary() -> Any:
    table = halving.thresholds(7)
    return olc.duel(olc.Halving(8), adversaries.Contrary(table), rounds=20)


def forecast_ledgers() -> dict[str, pd.DataFrame]:
    X, u = np.array([[1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]), np.array([0.75, 0.25])
    learners = {
        "GD": gradient.GradientDescent(2, eta=0.25),
        "EG": gradient.ExponentiatedGradient(2, eta=0.5),
    }
    return {
        name: gradient.proof(gradient.forecast(learner, X, X @ u + 0.1), u)
        for name, learner in learners.items()
    }


def gap_game() -> tuple[Any, ...]:
    words, dictionary = ("than", "then"), text.Dictionary()
    X = dictionary.rows([text.features(text.gap("More than enough", words))])
    learner = olc.BalancedMarginWinnow(X.shape[1], alpha=2, thickness=1)
    olc.play(learner, X, [1])
    return text.gap("Much more than that one", words), words, learner, dictionary


def settled() -> tuple[Any, Any]:
    stream = streams.separable(2, 0.1, 60, 36)
    learner = olc.MarginPerceptron(2, thickness=1.0)
    perceptron.until_converged(learner, stream)
    return learner, stream


def experts() -> Any:
    stream = streams.experts(4, rounds=30, seed=0, error=0.5, best=0.1)
    return olc.play(olc.WeightedMajority(4, eta=0.3), stream)


def pixel_votes() -> Any:
    votes = streams.experts(4, rounds=20, seed=0, error=[0.1, 0.9, 0.5, 0.5])
    return olc.Stream(np.hstack([votes.X, -votes.X]), votes.y)


BLANK = page._blank(4, 3)
NOISE = T(*next(iter(CASES["averaged_perceptron.held_out"]["of"][0].items())))


# --- what was drawn -------------------------------------------------------------------


class Drawn(NamedTuple):
    figure: Figure
    panels: list[Axes]

    @property
    def axes(self) -> list[Axes]:
        """Those that are no legend."""
        return [ax for ax in self.panels if ax.lines or ax.patches or ax.texts]


def argument(entry: Any) -> list[Any]:
    """Return what an entry of the file stands for: a table, a value, an expression."""
    if isinstance(entry, dict) and all(
        isinstance(rows, str) for rows in entry.values()
    ):
        return [T(*next(iter(entry.items())))]
    if isinstance(entry, str) and entry.startswith("= *"):
        return list(eval(entry[3:]))
    return [
        eval(entry[2:]) if isinstance(entry, str) and entry.startswith("= ") else entry
    ]


def drawn(name: str) -> Drawn:
    """Draw a case, and keep its axes: a picture alone cannot be asked."""
    *chapter, function = name.split(",")[0].split(".")
    module = importlib.import_module(".".join(["olc_book.plots", *chapter]))
    case, panels = CASES[name], []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(page, "_to_svg", lambda ax: panels.append(ax) or "")
        patch.setattr(page, "_blank", lambda *size: BLANK)  # quicker, all of one size
        options = {
            key: argument(value)[0] for key, value in case.get("with", {}).items()
        }
        given = [value for entry in case.get("of", []) for value in argument(entry)]
        figure = getattr(module, function)(*given, **options)
        if "then" in case:
            figure = figure(*case["then"])
    return Drawn(figure, panels)


def across(ax: Axes) -> Iterator[tuple[Line2D, float]]:
    """Yield the lines across the picture, and where they stand."""
    for line in ax.lines:
        if line.get_transform() == ax.get_yaxis_transform(which="grid"):
            yield line, float(np.asarray(line.get_ydata())[0])
        elif line.get_transform() == ax.get_xaxis_transform(which="grid"):
            yield line, float(np.asarray(line.get_xdata())[0])


def series(ax: Axes) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """Yield the label and the numbers of every line, and of every group of bars."""
    others = [line for line, _ in across(ax)]
    for line in ax.lines:
        label, size = str(line.get_label()), np.size(line.get_xdata())
        if line not in others and size and label and not label.startswith("_"):
            yield label, np.ravel(line.get_xdata()), np.ravel(line.get_ydata())
    for bars in (group for group in ax.containers if isinstance(group, BarContainer)):
        heights = [abs(bar.get_height()) for bar in bars]
        if not bars.get_label().startswith("_"):
            yield bars.get_label(), np.arange(len(heights)), np.array(heights)


def numbers(ax: Axes) -> np.ndarray:
    """Return all numbers that a panel shows: of its lines, bars, bands and words."""
    found: list[Any] = [np.array([0.0])]
    for line in ax.lines:
        if isinstance(line, AxLine):
            along = np.subtract(line.get_xy2(), line.get_xy1())
            found.append(np.degrees([np.arctan2(-along[0], along[1])]).round())
        else:
            found += [line.get_xdata(), line.get_ydata()]
            if ax.get_ylabel() == "log₂ weight":
                found.append(np.exp2(line.get_ydata()))
    for patch in ax.patches:
        found += [[part] for part in patch.get_extents().get_points().ravel()]
        if hasattr(patch, "get_height"):
            found += [[patch.get_height()], [patch.get_width()]]
    for shape in ax.collections:
        found += [path.vertices.ravel() for path in shape.get_paths()]
    for words in ax.texts:
        found.append([float(n) for n in re.findall(r"\d+\.?\d*", words.get_text())])
    return np.concatenate([np.asarray(part, dtype=float).ravel() for part in found])


NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?")


def close(value: float, shown: np.ndarray) -> bool:
    """Say whether a number of a table, rounded as it is there, is among those shown."""
    digits = next(
        d for d in range(1, 7) if abs(round(value, d) - value) < 1e-9 or d == 6
    )
    slack = 1e-9 + (
        0 if float(value).is_integer() and digits == 1 else 0.5 * 10**-digits
    )
    return bool((np.abs(shown - value) <= max(slack, 0.0501 * (digits == 1))).any())


def numeric(table: pd.DataFrame, hidden: Any = ()) -> list[Any]:
    """Return the columns of numbers that have to be drawn."""
    chosen = [name for name in table if table[name].dtype.kind in "iuf"]
    return [] if hidden == "all" else [name for name in chosen if name not in hidden]


def by_panel(case: Drawn) -> list[tuple[pd.DataFrame, list[Axes]]]:
    """Return the rows of each panel and the panel; or all rows and all panels.

    A panel is about the value of the first level that its axes name, or else about the
    next one.
    """
    table = case.figure.table
    assert table is not None
    values = table.index.get_level_values(0)
    if table.index.nlevels == 1 or not 1 < values.nunique() == len(case.axes):
        return [(table, case.axes)]
    parts = []
    for value, following in zip(values.unique(), case.axes, strict=True):
        titles = {ax: f" {ax.get_xlabel()} {ax.get_ylabel()} " for ax in case.axes}
        named = [ax for ax in case.axes if re.search(rf"\W{value}\W", titles[ax])]
        parts.append((table[values == value], (named or [following])[:1]))
    return parts


def every_numeric_column_of_the_table_is_drawn(drawing: Drawn, case: Case) -> None:
    for rows, axes in by_panel(drawing):
        shown = np.concatenate([numbers(ax) for ax in axes])
        for column in numeric(rows, case.get("hidden", ())):
            values = rows[column].to_numpy(dtype=float)
            lost = [
                value
                for value in values
                if np.isfinite(value) and not close(value, shown)
            ]
            assert not lost, (column, lost)


def carried(rows: pd.DataFrame, label: str) -> Iterator[pd.Series]:
    """Yield the columns that a line of this label may carry."""
    for column in rows:
        levels = column if isinstance(column, tuple) else (column,)
        if label in map(str, levels):
            yield pd.to_numeric(rows[column], errors="coerce")
    for level in range(rows.index.nlevels):
        chosen = rows.index.get_level_values(level).astype(str) == label
        if chosen.any():
            yield from (rows[column][chosen] for column in numeric(rows))


def carries(x: np.ndarray, y: np.ndarray, values: pd.Series) -> bool:
    """Say whether a line has these values, one by one, or passes through them."""
    finite = values[np.isfinite(values.astype(float))]
    if len(values) == len(finite) == len(y):
        lined_up = zip(finite, np.column_stack([x, y]), strict=True)
        return all(close(value, shown) for value, shown in lined_up)
    if all(close(value, np.concatenate([x, y])) for value in finite):
        return True
    at = finite.index.get_level_values(-1)
    if at.dtype.kind not in "iuf" or (np.diff(x) < 0).any():
        return False
    return np.allclose(np.interp(at, x, y), finite, rtol=0.02)


def a_line_carries_the_values_of_what_its_label_names(
    drawing: Drawn, case: Case
) -> None:
    for rows, axes in by_panel(drawing):
        for written, x, y in (line for ax in axes for line in series(ax)):
            label = case.get("names", {}).get(written, written)
            told = list(carried(rows, label))
            assert told or label in OTHERWISE, label
            assert not told or any(carries(x, y, values) for values in told), label


#: Labels of what is no series: examples, and what the rule of columns looks at.
OTHERWISE = {
    "",
    "upper",
    "lower",
    "y = +1",
    "y = −1",
    "other experts",
    "C(η)",
    "this η",
}
OTHERWISE |= {"cosh η", "w⁺ − w⁻", "w₁", "w₂", "w₃", "learner", "best expert"}


def said(text: str) -> list[float]:
    """Return the numbers of a sentence; 5 % is 0.05, too."""
    plain = re.sub(r"“.*?”", "", text).replace("−", "-").replace(",", "")
    found = []
    for match in NUMBER.finditer(plain):
        value = float(match.group())
        found.append(value)
        if plain[match.end() :].startswith(" %"):
            found.append(value / 100)
    return found


def a_line_across_the_picture_stands_at_a_number_of_the_sentence(
    drawing: Drawn, case: Case
) -> None:
    known = [0.0, 1.0, 0.5, *said(drawing.figure.alt), *case.get("also", [])]
    for ax in drawing.axes:
        for _, place in across(ax):
            assert any(
                abs(place - value) <= 0.006 * abs(value) + 0.005 for value in known
            ), place


def the_sentence_says_what_was_found(drawing: Drawn, case: Case) -> None:
    assert case["says"] in drawing.figure.alt


def the_sentence_tells_numbers_of_the_table_or_their_means(
    drawing: Drawn, case: Case
) -> None:
    figure = drawing.figure
    assert figure.table is not None
    frame = figure.table.reset_index()
    cells = [*frame.to_numpy().ravel(), *map(str, frame.columns)]
    cells += frame.mean(numeric_only=True).to_list()
    table = np.array([float(cell) for cell in cells if NUMBER.fullmatch(f"{cell}")])
    told = said(figure.alt)
    sums = case is CASES["spelling.votes"]
    assert sums or not told or not len(table) or any(close(n, table) for n in told)


@pytest.mark.parametrize("name", list(CASES))
def test_a_figure(name: str) -> None:
    drawing, case = drawn(name), CASES[name]
    every_numeric_column_of_the_table_is_drawn(drawing, case)
    a_line_carries_the_values_of_what_its_label_names(drawing, case)
    a_line_across_the_picture_stands_at_a_number_of_the_sentence(drawing, case)
    the_sentence_says_what_was_found(drawing, case)
    the_sentence_tells_numbers_of_the_table_or_their_means(drawing, case)
    as_before(drawing, name)


# --- what was drawn before ------------------------------------------------------------


def digest(values: Any) -> str:
    """Write numbers, or of many the ends and what changes with any other."""
    found = np.ravel(np.ma.filled(np.ma.asarray(values, dtype=float), np.nan))
    known = found[np.isfinite(found)]
    if len(known) > 6:
        steps = np.abs(np.diff(known)).mean()
        places = (known * np.arange(len(known))).mean()
        known = np.array(
            [known[0], known[-1], known.mean(), known.std(), steps, places]
        )
    return " ".join(
        [f"{len(found)}:", *(f"{value:.4g}" for value in known.round(9) + 0.0)]
    )


def artists(ax: Axes) -> Iterator[str]:
    """Describe all that can be seen in a panel, but for sizes and widths."""
    limits = digest([*ax.get_xlim(), *ax.get_ylim()]) if ax.axison else "off"
    yield f"{ax.get_xlabel()}, {ax.get_ylabel()}"
    yield f"{ax.get_xscale()}, {ax.get_yscale()} {limits}"
    for axis in (ax.xaxis, ax.yaxis):
        if isinstance(axis.get_major_locator(), FixedLocator):
            yield f"ticks {digest(axis.get_ticklocs())}"
    legend = ax.get_legend()
    yield f"legend {[text.get_text() for text in legend.get_texts()] if legend else ''}"
    for line in ax.lines:
        at = [*line.get_xy1(), *line.get_xy2()] if isinstance(line, AxLine) else None
        x, y = (digest(at), "") if at else map(digest, line.get_data())
        style = f"{to_hex(line.get_color())} {line.get_linestyle()} {line.get_marker()}"
        yield f"line {line.get_label()} {style} x {x} y {y}"
    for patch in ax.patches:
        corners = patch.get_path().transformed(patch.get_patch_transform()).vertices
        yield f"patch {to_hex(patch.get_facecolor())} {digest(corners)}"
    for shape in ax.collections:
        paths = [path.vertices for path in shape.get_paths()]
        corners = digest(np.vstack([shape.get_offsets(), *paths]))
        yield f"shape {[to_hex(tone) for tone in shape.get_facecolor()[:1]]} {corners}"
    for image in ax.images:
        yield f"image {digest(image.get_array())}"
    for words in ax.texts:
        tail = digest(words.xyann) if isinstance(words, Annotation) else ""
        tip = words.xy if isinstance(words, Annotation) else words.get_position()
        yield f"text {words.get_text()!r} {digest(tip)} {tail}"


def described(drawing: Drawn) -> str:
    table = drawing.figure.table
    assert table is not None
    lines = [drawing.figure.alt]
    for name in numeric(table.reset_index()):
        lines.append(f"column {name} {digest(table.reset_index()[name])}")
    lines += [line for ax in drawing.panels for line in artists(ax)]
    return "\n".join(line.replace("\n", " ").strip() for line in lines)


def as_before(drawing: Drawn, name: str) -> None:
    """Compare with the file: words to the letter, numbers but for the last digits."""
    now, before = described(drawing), BEFORE[name]
    for new, old in zip(now.splitlines(), before.splitlines(), strict=True):
        assert NUMBER.sub("", new) == NUMBER.sub("", old)
        numbers = [[float(n) for n in NUMBER.findall(line)] for line in (new, old)]
        assert np.allclose(*numbers, rtol=2e-3, atol=1e-9), f"{new}\n{old}"


def test_a_disc_is_a_pixel_that_speaks_for_plus_one() -> None:
    case = drawn("weighted_majority.pixels")
    table = case.figure.table
    assert table is not None
    for line in case.axes[0].lines:
        ((across, up),) = np.asarray(line.get_xydata())
        assert (line.get_marker() == "o") == (
            table.to_numpy()[int(up), int(across)] > 0
        )


def test_every_drawing_function_is_among_these() -> None:
    known = {name.split(",")[0] for name in CASES}
    for module in pkgutil.iter_modules(plots.__path__):
        if module.name.startswith("_") or module.name == "kit":
            continue
        chapter = importlib.import_module(f"olc_book.plots.{module.name}")
        for name, thing in inspect.getmembers(chapter, inspect.isfunction):
            draws = "Figure" in str(thing.__annotations__.get("return"))
            if thing.__module__ == chapter.__name__ and draws:
                assert f"{module.name}.{name}" in known


if __name__ == "__main__":
    parts = [f"{name}\n{described(drawn(name))}" for name in CASES]
    LAST.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
