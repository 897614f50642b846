"""The style of the figures: what every picture of the book can be relied on for."""

from __future__ import annotations

import itertools
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from helpers import KINDS
from matplotlib.colors import to_hex, to_rgb

import olc
from olc import plots
from olc.core.stream import Stream
from olc.fast.play import play
from olc_book.plots import (
    Figure,
    _figure,
    colour,
    kit,
    look,
    panel,
    panels,
    replay_frame,
)

COLOURS = [_figure.BLUE, _figure.VERMILION, _figure.GREEN]
COLOURS += [_figure.PURPLE, _figure.OCHRE, _figure.GREY]
ALGORITHMS = {
    name: value for name, value in plots.COLOURS.items() if value != plots.INK
}
# The algorithms that share a picture.
TOGETHER = [
    "Consistent Halving StandardOptimal",
    "WeightedMajority RandomizedWeightedMajority",
    "Perceptron KernelPerceptron",
    "Perceptron PNormPerceptron Winnow NormalizedWinnow BalancedWinnow",
    "Winnow WinnowR",
    "Perceptron MarginPerceptron AveragedPerceptron VotedPerceptron",
    "Perceptron AveragedPerceptron AveragedMarginPerceptron VotedPerceptron",
    "Perceptron MarginPerceptron PassiveAggressive",
    "MarginPerceptron ThresholdRelative",
    "MarginPerceptron NormalizedWinnow MarginWinnow",
    "Perceptron AveragedPerceptron Winnow BalancedWinnow BalancedMarginWinnow",
    "Exp3 Exp3P Exp3IX",
]
ALT = "The curve rises from 0 to 4."
CAPTION = "A curve of four points."


def curve(**options: object) -> Figure:
    ax = panel()
    ax.plot([0, 1, 2, 3], [0, 1, 3, 4], marker="o")
    ax.scatter([0, 1], [1, 0])
    ax.set(xlabel="round", ylabel="mistakes")
    return Figure(ax, alt=ALT, caption=CAPTION, **options)  # type: ignore[arg-type]


def parsed(figure: Figure) -> ElementTree.Element:
    html = figure._repr_html_()
    return ElementTree.fromstring(f"<div>{html}</div>")


def luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("background", ["#ffffff", "#121212"])
def test_every_colour_stands_out_on_the_light_and_the_dark_page(
    background: str,
) -> None:
    for drawn in [*COLOURS, *ALGORITHMS.values()]:
        darker, lighter = sorted([luminance(drawn), luminance(background)])
        assert (lighter + 0.05) / (darker + 0.05) >= 3, drawn


def test_no_two_default_lines_differ_in_colour_alone() -> None:
    ax = panel()
    lines = [ax.plot([0, 1], [0, 1])[0] for _ in COLOURS]
    assert len({line.get_color() for line in lines}) == len(COLOURS)
    dashes = {str(line._dash_pattern) for line in lines}  # type: ignore[attr-defined]
    assert len(dashes) == len(COLOURS)


# --- one colour per algorithm ----------------------------------------------------


def seen(colour: str, eye: str) -> np.ndarray:
    """Return how an eye sees a colour, in CIELAB; Machado's model of a blind one."""
    blind = {
        "any": np.eye(3),
        "protanope": [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ],
        "deuteranope": [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ],
    }
    to_xyz = [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
    channels = np.array(to_rgb(colour))
    linear = np.where(
        channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4
    )
    linear = np.clip(np.array(blind[eye]) @ linear, 0, 1)
    x, y, z = np.cbrt(np.array(to_xyz) @ linear / np.sum(to_xyz, axis=1))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def test_no_two_algorithms_have_the_same_colour() -> None:
    for (one, a), (two, b) in itertools.combinations(ALGORITHMS.items(), 2):
        variants = one.removeprefix("Threshold") == two.removeprefix("Threshold")
        assert variants == (a == b), (one, two)
        assert variants or np.linalg.norm(seen(a, "any") - seen(b, "any")) > 19


@pytest.mark.parametrize("names", TOGETHER)
def test_algorithms_that_share_a_picture_differ_in_line_and_to_the_colour_blind(
    names: str,
) -> None:
    for one, two in itertools.combinations(names.split(), 2):
        assert look(one)["linestyle"] != look(two)["linestyle"], (one, two)
        for eye, least in (("any", 20), ("protanope", 7), ("deuteranope", 7)):
            apart = np.linalg.norm(seen(colour(one), eye) - seen(colour(two), eye))
            assert apart > least, (one, two, eye)


def test_every_learner_has_a_colour_of_its_own_name() -> None:
    for kind in KINDS:
        assert colour(kind) == plots.COLOURS[kind.__name__]


def test_an_algorithm_can_be_named_as_the_text_names_it() -> None:
    for name in ("NormalizedWinnow", "normalised Winnow", "Normalized winnow"):
        assert colour(name) == colour(olc.NormalizedWinnow(4, eta=0.5))
    assert colour("Winnow-R") == colour(olc.WinnowR)
    assert colour("p-norm Perceptron") == plots.COLOURS["PNormPerceptron"]


def test_a_learner_of_ones_own_has_the_colour_of_its_family() -> None:
    class Mine(olc.Winnow):
        pass

    class Other(olc.Learner):
        pass

    assert colour(Mine(3)) == colour(Mine) == colour("Winnow")
    assert colour(Other) == plots.INK


def test_marks_tell_random_from_adversarial_and_dashes_are_for_bounds() -> None:
    looks = {how: look("Winnow", how) for how in ("random", "adversary", "bound")}
    assert {style["color"] for style in looks.values()} == {colour("Winnow")}
    assert looks["random"]["marker"] == "o"
    assert looks["adversary"]["marker"] == "^"
    assert looks["bound"]["linestyle"] == "--"
    assert "--" not in [look(name)["linestyle"] for name in ALGORITHMS]
    with pytest.raises(ValueError, match="how is 'chance': choose from 'random'"):
        look("Winnow", "chance")


def test_examples_are_told_apart_without_colour() -> None:
    positive, negative = look("positive"), look("negative")
    assert positive["color"] == negative["color"] == plots.INK
    assert positive["marker"] != negative["marker"]
    assert negative["markerfacecolor"] == "none"


# --- the page ---------------------------------------------------------------------


def test_numbers_in_a_sentence_are_written_as_in_prose() -> None:
    said = "From -1.5 to (-2) it is 12% of 2-norms, x = -3, p-norm 1e-3 and 5 %."
    figure = Figure(panel(), alt=said, caption=CAPTION)
    assert figure.alt == (
        "From −1.5 to (−2) it is 12 % of 2-norms, x = −3, p-norm 1e-3 and 5 %."
    )


def test_a_figure_is_one_picture_with_a_caption_and_says_what_it_finds() -> None:
    figure = parsed(curve()).find("figure")
    assert figure is not None
    assert figure.get("class") == "olc-figure"
    picture = figure.find("div[@role='img']")
    assert picture is not None
    assert picture.get("aria-label") == f"Picture: mistakes against round. {ALT}"
    assert [(part.tag, part.text) for part in figure[1:]] == [("figcaption", CAPTION)]
    bare = parsed(Figure(panel(), alt=ALT)).find("figure")
    assert [(part.tag, part.text) for part in bare[1:]] == [("p", ALT)]


def test_nobody_hears_the_finding_of_a_figure_twice() -> None:
    assert curve()._repr_html_().count(ALT) == 1


def test_a_picture_is_named_by_its_axes() -> None:
    left, right = panels(2)
    left.set(xlabel="N", ylabel="mistakes")
    right.set(xlabel="N", ylabel="mistakes")
    right.set_axis_off()
    assert Figure([left, right], alt=ALT, caption=CAPTION).label == (
        "Picture: mistakes against N"
    )
    assert Figure(panel(), alt=ALT, caption=CAPTION).label == (
        "Picture: a drawing without axes"
    )


def test_a_figure_takes_its_ink_and_font_from_the_page() -> None:
    html = curve()._repr_html_()
    assert "currentColor" in html
    for foreign in (plots.INK, "#000000", "font-family", "#ffffff", "<style", "DejaVu"):
        assert foreign not in html


def test_text_stays_text() -> None:
    words = {element.text for element in parsed(curve()).iter("text")}
    assert {"round", "mistakes"} <= words


def test_the_same_drawing_gives_the_same_bytes() -> None:
    assert curve()._repr_html_() == curve()._repr_html_()


def test_every_reference_in_a_figure_has_its_target() -> None:
    html = curve()._repr_html_()
    ids = re.findall(r'\bid="([^"]+)"', html)
    used = set(re.findall(r'(?:url\(|href=")#([^")]+)', html))
    assert len(ids) == len(set(ids))
    assert set(ids) == used
    assert len(used) >= 4  # two kinds of marker, two of tick, a clip path


def test_two_figures_on_a_page_share_no_id() -> None:
    ax = panel()
    ax.plot([0, 1, 2, 3], [0, 1, 3, 5], marker="o")
    other = Figure(ax, alt=ALT, caption=CAPTION)._repr_html_()
    ids = set(re.findall(r'\bid="([^"]+)"', curve()._repr_html_()))
    assert not ids & set(re.findall(r'\bid="([^"]+)"', other))


def test_a_figure_is_light() -> None:
    assert len(curve()._repr_html_()) < 15_000


def test_rounding_keeps_the_place_and_the_opacity() -> None:
    ax = panel()
    ax.axhspan(0, 1, alpha=0.25)
    ax.text(0.5, 0.5, "slanted", rotation=30)
    html = Figure(ax, alt=ALT, caption=CAPTION)._repr_html_()
    assert "opacity:0.25" in html
    assert "rotate(-30)" in html
    assert max(len(n) for n in re.findall(r'\by="\d+\.(\d+)"', html)) == 1


@pytest.mark.parametrize("size", [(), (3.5, 2.8), (5.4, 3.6), (9, 3)])
def test_text_can_be_read_on_a_phone(size: tuple[float, ...]) -> None:
    ax = panel(*size)
    ax.plot([0, 1], label="a line")
    ax.set(xlabel="round", ylabel="mistakes", title="small")
    ax.text(0, 0, "smaller still", fontsize=6)
    ax.legend(fontsize=8)
    (svg,) = Figure(ax, alt=ALT, caption=CAPTION).svgs
    width = float(re.search(r'viewBox="0 0 ([\d.]+)', svg)[1])  # type: ignore[index]
    sizes = [float(size) for size in re.findall(r"font(?:-size)?:([\d.]+)px", svg)]
    assert len(sizes) > 5
    # 328 pixels are left for a picture on a screen of 360.
    assert min(sizes) * min(4 / 3, 328 / width) >= 11


def test_a_panel_that_is_too_wide_keeps_its_proportions() -> None:
    width, height = panel(8.2, 5).figure.get_size_inches()
    assert width == pytest.approx(4.1)
    assert height == pytest.approx(2.5)


def test_panels_become_pictures_that_can_stand_below_each_other() -> None:
    left, right = panels(2)
    left.plot([0, 1])
    right.plot([1, 0])
    figure = Figure([left, right], alt=ALT, caption=CAPTION)
    assert len(list(parsed(figure).iter("svg"))) == 2
    assert "flex-wrap:wrap" in figure._repr_html_()


def test_logarithmic_axes_have_plain_labels() -> None:
    ax = panel()
    ax.plot([1, 10, 1e6], [3e-5, 1e-2, 1])
    ax.set(xscale="log", yscale="log")
    words = {
        text.text for text in parsed(Figure(ax, alt=ALT, caption=CAPTION)).iter("text")
    }
    assert {"1", "100", "10⁶", "0.01", "10⁻⁴"} <= words
    assert not any("$" in (word or "") for word in words)


@pytest.mark.parametrize(
    ("value", "label"),
    [(0, "0"), (4096, "4096"), (1e5, "10⁵"), (2e6, "2·10⁶"), (1e-4, "10⁻⁴")],
)
def test_tick_labels_of_a_logarithmic_axis(value: float, label: str) -> None:
    from olc_book.plots._figure import _power

    assert _power(value) == label


def test_long_tick_labels_get_a_wider_margin() -> None:
    ax = panel()
    ax.plot([0, 1], [1_000_000, 1_000_001])
    ax.ticklabel_format(useOffset=False, style="plain")
    Figure(ax, alt=ALT, caption=CAPTION)
    width = ax.figure.get_size_inches()[0] * 72
    assert ax.get_position().x0 * width > 55


def test_the_table_follows_the_figure_so_that_its_numbers_are_compared() -> None:
    table = pd.DataFrame({"n": [8, 16], "bound": [1 / 3, 134_700.2]})
    html = curve(table=table)._repr_html_()
    after = html.split("</figure>")[1]
    assert after.startswith("<details")
    assert "0.3333" in after
    assert "134700" in after  # no power of ten where the digits can be read
    assert "<th>0</th>" not in after  # an index without a name says nothing
    assert "<th>16</th>" in curve(table=table.set_index("n"))._repr_html_()


def test_a_long_table_is_cut_on_the_page_and_whole_in_python() -> None:
    table = pd.DataFrame({"n": range(1000)}).rename_axis("round")
    figure = curve(table=table)
    html = figure._repr_html_()
    assert "The numbers behind this figure: 40 of 1000 rows" in html
    assert html.count("<tr") <= 45
    assert "<th>999</th>" in html
    assert figure.table is table


def test_without_a_table_a_figure_has_that_of_its_labelled_lines() -> None:
    ax = panel()
    ax.plot([8, 16], [3, 5], label="mistakes")
    ax.plot([8, 16], [4, 6], label="bound")
    ax.plot([8, 16], [0, 0])
    ax.set(xlabel="N")
    table = Figure(ax, ALT).table
    assert table is not None
    assert table.index.name == "N"
    assert table.to_dict("list") == {"mistakes": [3, 5], "bound": [4, 6]}


def test_a_figure_has_the_caption_that_its_cell_gives_it() -> None:
    figure = Figure(panel(), ALT)
    assert "figcaption" not in figure._repr_html_()
    assert figure.captioned(CAPTION) is figure
    assert f"<figcaption>{CAPTION}</figcaption>" in figure._repr_html_()
    with pytest.raises(ValueError, match=r"caption is .* what the figure shows"):
        figure.captioned("short")


def test_thousands_are_parted_in_a_sentence_and_not_in_a_formula() -> None:
    figure = Figure(panel(), "At N = 1024 “in 1984” it errs 10617 times in 0.12345.")
    assert figure.alt == "At N = 1024 “in 1984” it errs 10,617 times in 0.12345."


def test_a_table_that_is_none_is_refused() -> None:
    with pytest.raises(TypeError, match="table is a dict: give a DataFrame"):
        curve(table={"n": [1, 2]})


def test_the_text_of_a_figure_is_its_finding() -> None:
    assert repr(curve()) == f"Figure: {ALT}"


@pytest.mark.parametrize("bad", ["", "curve", "figure of the margin.png", "  a b  "])
def test_a_figure_without_a_sentence_is_refused(bad: str) -> None:
    with pytest.raises(ValueError, match=r"alt is .*: say in a sentence what .* finds"):
        Figure(panel(), alt=bad, caption=CAPTION)


def test_a_figure_without_axes_is_refused() -> None:
    with pytest.raises(ValueError, match="axes is empty"):
        Figure([], alt=ALT, caption=CAPTION)


def test_an_unknown_look_is_refused_with_those_there_are() -> None:
    for unknown in ("minnow", 3):
        with pytest.raises(ValueError, match=rf"{unknown!r}: .*bound.*Winnow"):
            look(unknown)


def test_a_look_can_be_changed_without_changing_it_for_others() -> None:
    look("bound")["color"] = "red"
    assert look("bound")["color"] == _figure.GREY


@pytest.mark.parametrize("dark", [False, True])
def test_a_saved_figure_stands_by_itself(tmp_path: Path, dark: bool) -> None:
    figure = curve()
    before = figure.svgs
    for ending, first in (("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")):
        figure.save(tmp_path / f"curve.{ending}", dark=dark)
        assert (tmp_path / f"curve.{ending}").read_bytes().startswith(first)
    svg = (tmp_path / "curve.svg").read_text("utf-8")
    assert ElementTree.fromstring(svg).tag == "{http://www.w3.org/2000/svg}svg"
    assert "currentColor" not in svg
    page, ink = ("#121212", "#e6e6e6") if dark else ("#ffffff", plots.INK)
    assert page in svg
    assert ink in svg
    assert (plots.INK in svg) != dark
    assert _figure.BLUE in svg
    pixels = plt.imread(tmp_path / "curve.png")
    assert to_hex(pixels[0, 0]) == page
    # what is saved once for a dark page is as it was
    assert [_figure._to_svg(owner.axes[0]) for owner in figure.drawings] == before


def test_panels_are_saved_one_by_one_and_the_ending_is_the_format(
    tmp_path: Path,
) -> None:
    Figure(panels(2), ALT).save(str(tmp_path / "race.svg"))
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "race-1.svg",
        "race-2.svg",
    ]
    with pytest.raises(ValueError, match=r"'race.jpg': end it with .svg, .png or .pdf"):
        curve().save("race.jpg")


# --- the default picture of a replay ---------------------------------------------


def plane() -> Stream:
    return Stream(
        np.array([[1.0, 2.0], [2.0, 1.0], [-1.0, -1.0], [-1.0, 1.0]]),
        np.array([1, 1, -1, -1], dtype=np.int8),
    )


def test_a_replay_in_the_plane_names_the_weights() -> None:
    trace = play(olc.Perceptron(2), plane(), record=True)
    assert (
        repr(replay_frame(trace, 0))
        == "Figure: Before the game the weights are (0, 0)."
    )
    last = "Figure: After update 2 of 2, in round 4, the weights are (2, 1)."
    assert repr(replay_frame(trace, 2)) == last


def test_a_replay_needs_no_recorded_weights() -> None:
    recorded = play(olc.Perceptron(2), plane(), record=True)
    bare = play(olc.Perceptron(2), plane())
    for step in range(3):
        ours, theirs = replay_frame(bare, step), replay_frame(recorded, step)
        assert ours._repr_html_() == theirs._repr_html_()


@pytest.mark.parametrize("step", [-1, 3])
def test_a_replay_of_an_update_that_is_not_there_is_refused(step: int) -> None:
    trace = play(olc.Perceptron(2), plane())
    with pytest.raises(ValueError, match=f"step is {step}: give one from 0 to 2, the"):
        replay_frame(trace, step)


def test_a_replay_in_many_dimensions_shows_every_weight() -> None:
    X = np.eye(5)
    trace = play(olc.Perceptron(5), Stream(X, np.ones(5, dtype=np.int8)), record=True)
    figure = replay_frame(trace, 5)
    assert figure.alt == "After update 5 of 5, in round 5, the largest weight is 1."
    assert figure.table is not None
    assert figure.table["weight"].tolist() == [1] * 5


def test_the_scale_of_a_replay_is_that_of_the_whole_game() -> None:
    X = np.eye(4)
    for learner in (olc.Winnow(4), olc.KernelPerceptron()):
        trace = play(learner, Stream(X, np.ones(4, dtype=np.int8)))
        assert len(trace.update_rounds) == 4
        scales = {
            tuple(re.findall(r"<text[^>]*>([^<]*)", replay_frame(trace, step).svgs[0]))
            for step in range(5)
        }
        assert len(scales) == 1


def test_a_replay_of_weights_that_are_not_those_of_features_draws_no_line() -> None:
    learner = olc.KernelPerceptron()
    play(learner, plane()[[0, 3]])  # now it has two weights, as the plane has features
    trace = play(learner, Stream(plane().X, -plane().y))
    assert len(trace.before.weights) == 2
    assert len(trace.update_rounds) > 0
    figure = replay_frame(trace, 0)
    assert figure.alt == "Before the game the largest weight is 1."
    assert "number of the weight" in figure.label


def test_a_replay_with_a_threshold_draws_the_line_where_the_prediction_changes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn = []
    monkeypatch.setattr(
        "olc_book.plots.kit.boundary",
        lambda ax, w, bias=0.0, **style: drawn.append((list(w), bias)),
    )
    X = np.array([[1, 0], [0, 1]])
    trace = play(olc.Winnow(2), Stream(X, np.array([1, -1], dtype=np.int8)))
    replay_frame(trace, 1)
    assert drawn == [([2, 1], -2)]


def test_a_learner_without_weights_is_refused_with_a_remedy() -> None:
    class Silent:
        pass

    trace = play(olc.Perceptron(2), plane())
    object.__setattr__(trace, "before", Silent())
    with pytest.raises(TypeError, match="Silent has no weights to draw: give replay"):
        replay_frame(trace, 0)


# --- the vocabulary ---------------------------------------------------------------


@pytest.fixture
def runs() -> pd.DataFrame:
    """Two learners, three sizes, four seeds, as a sweep returns them."""
    rows = [
        (name, n, seed, factor * n + seed)
        for name, factor in (("Perceptron", 2), ("Winnow", 1))
        for n in (8, 16, 32)
        for seed in range(4)
    ]
    return pd.DataFrame(rows, columns=["learner", "N", "seed", "mistakes"])


def test_the_middle_of_the_seeds_and_its_spread(runs: pd.DataFrame) -> None:
    part = runs[runs["learner"] == "Winnow"]
    table = kit.means(part, "N", "mistakes")
    assert list(table.columns) == ["low", "mean", "high"]
    assert table.loc[16].tolist() == [16.75, 17.5, 18.25]
    whole = kit.medians(runs[::-1], "N", "mistakes", "learner", spread=(0, 1), name="M")
    assert whole.index.names == ["learner", "N"]
    assert whole.index.unique("learner").tolist() == ["Winnow", "Perceptron"]
    assert whole.loc[("Perceptron", 32)].to_dict() == {"low": 64, "M": 65.5, "high": 67}


def test_curves_are_the_columns_of_a_table_in_the_colours_of_their_learners(
    runs: pd.DataFrame,
) -> None:
    table = kit.means(runs, "N", "mistakes", "learner").assign(bound=99.0)
    (ax,) = kit.curves(table, {"mean": "random", "bound": "bound"}, by="learner")
    labels = [str(line.get_label()) for line in ax.lines]
    assert labels == ["Perceptron", "Winnow", "_", "_"]
    own = [colour("Perceptron"), colour("Winnow")]
    assert [line.get_color() for line in ax.lines] == 2 * own
    assert [line.get_marker() for line in ax.lines] == ["o", "o", "None", "None"]
    assert ax.lines[1].get_xydata().tolist() == [[8, 9.5], [16, 17.5], [32, 33.5]]  # type: ignore[union-attr]
    shades = [to_hex(shade.get_facecolor()[0]) for shade in ax.collections]  # type: ignore[index]
    assert shades == own


def test_curves_have_a_panel_for_each_value_and_name_it(runs: pd.DataFrame) -> None:
    single = kit.medians(runs[runs["seed"] == 0], "N", "mistakes", "learner")
    axes = kit.curves(single, {"median": "random"}, split="learner")
    kit.frame(axes, "N ({})", "mistakes", xticks=[8, 32], ylim=(0, None))
    assert [ax.get_xlabel() for ax in axes] == ["N (Perceptron)", "N (Winnow)"]
    own = [colour("Perceptron"), colour("Winnow")]
    assert [ax.lines[0].get_color() for ax in axes] == own
    assert not axes[0].collections  # one seed has no spread
    assert axes[0].get_xscale() == "log"


def test_a_column_may_have_a_look_and_a_label_of_its_own(runs: pd.DataFrame) -> None:
    table = kit.medians(runs, "N", "mistakes").assign(worst=70)
    looks = {"worst": look("bound"), "median": "adversary"}
    labels = {"median": "forced"}
    (ax,) = kit.curves(table, looks, who="Perceptron", labels=labels, shaded="median")
    worst, forced = ax.lines
    assert (worst.get_label(), worst.get_color()) == ("worst", _figure.GREY)
    assert (forced.get_label(), forced.get_marker()) == ("forced", "^")
    assert len(ax.collections) == 1
    with pytest.raises(ValueError, match="no look is called 'nobody'"):
        kit.curves(table, {"median": "random"}, who="nobody")


def test_running_mistakes_end_where_the_game_does() -> None:
    trace = play(olc.Perceptron(2), plane())
    ax = panel()
    kit.running(ax, trace, "the Perceptron")
    (line,) = ax.lines
    assert line.get_xydata().tolist() == [[0, 0], [1, 1], [4, 2], [4, 2]]  # type: ignore[union-attr]
    assert line.get_color() == colour("Perceptron")


def test_a_logarithmic_axis_is_marked_where_it_is_told_to() -> None:
    ax = panel()
    ax.plot([8, 64], [10, 1000])
    kit.log_axis(ax, [8, 16, 64])
    kit.log_axis(ax, [10, 1000], "y")
    words = {
        text.text for text in parsed(Figure(ax, alt=ALT, caption=CAPTION)).iter("text")
    }
    assert words - {"round"} == {"8", "16", "64", "10", "1000"}


def test_a_legend_of_many_lines_has_its_own_panel(runs: pd.DataFrame) -> None:
    table, last = kit.medians(runs, "N", "mistakes", "learner"), panel()
    looks = {"median": "random"}
    left, right = (kit.curves(table, looks, by="learner")[0] for _ in range(2))
    right.plot([8, 32], [30, 90], **look("Perceptron", "bound"), label="bound")
    kit.legend_panel(last, [left, right])
    legend = last.get_legend()
    assert legend is not None
    names = [text.get_text() for text in legend.get_texts()]
    assert names == ["Perceptron", "Winnow", "bound"]
    assert not last.axison


@pytest.fixture
def ledger() -> pd.DataFrame:
    table = pd.DataFrame(
        {"lower": [1.0, 4.0, 9.0], "potential": [2.0, 5.0, 10.0], "upper": [3, 6, 12]}
    )
    table.index = pd.RangeIndex(1, 4, name="mistake")
    return table


def test_an_envelope_holds_the_potential_up_to_now(ledger: pd.DataFrame) -> None:
    ax = panel()
    kit.envelope(ax, ledger, "‖w‖²", who="Perceptron", start=0.0, now=2)
    upper, potential, lower, cross = ax.lines
    assert potential.get_xydata().tolist() == [[0, 0], [1, 2], [2, 5]]  # type: ignore[union-attr]
    assert potential.get_color() == colour("Perceptron")
    assert cross.get_xydata().tolist() == [[2, 5]]  # type: ignore[union-attr]
    for line, name in ((upper, "upper"), (lower, "lower")):
        assert np.asarray(line.get_ydata()).tolist() == ledger[name].tolist()
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("mistake", "‖w‖²")
    ax = panel()
    kit.envelope(ax, ledger, "‖w‖²", now=0)
    assert len(ax.lines) == 3  # nothing to mark yet


def test_a_ledger_says_when_its_potential_leaves_the_envelopes(
    ledger: pd.DataFrame,
) -> None:
    assert plots.ledger_figure(ledger, "‖w‖²").table is ledger
    broken = ledger.assign(potential=[2.0, 7.0, 10.0])
    assert "after 2 of the 3 mistakes" in plots.ledger_figure(broken, "‖w‖²").alt
    with pytest.raises(ValueError, match="the ledger is empty: play a game"):
        plots.ledger_figure(ledger[:0], "‖w‖²")


def test_stems_are_one_light_line_whatever_their_number() -> None:
    ax = panel()
    kit.stems(ax, np.arange(500.0), marked=[3, 499], who="Winnow")
    zero, line, tips = ax.lines
    heights = np.asarray(line.get_ydata()).reshape(500, 3)
    assert heights[:, 1].tolist() == list(range(500))
    assert np.isnan(heights[:, 2]).all()
    assert tips.get_xydata().tolist() == [[4, 3], [500, 499]]  # type: ignore[union-attr]
    assert zero.get_color() == _figure.GREY
    kit.stems(panel(), [])


def test_examples_stand_in_rows_with_their_labels() -> None:
    ax = panel()
    kit.examples(ax, [[1, -1, 0], [0, 1, 1]], [1, -1], relevant=[2])
    positive, negative = ax.lines
    assert positive.get_xydata().tolist() == [[1, 1], [2, 2], [3, 2]]  # type: ignore[union-attr]
    assert negative.get_xydata().tolist() == [[2, 1]]  # type: ignore[union-attr]
    assert [text.get_text() for text in ax.texts] == ["+", "−"]
    assert len(ax.patches) == 1
    assert ax.yaxis_inverted()


def test_the_plane_has_a_line_a_margin_and_an_arrow() -> None:
    ax = panel()
    kit.plane(ax, plane().X, plane().y, [3, 4], bias=5, margin=0.5, who="Perceptron")
    _, _, line, *band = ax.lines
    assert line.get_color() == colour("Perceptron")
    for drawn, offset in zip([line, *band], (5, 2.5, 7.5), strict=True):
        point = drawn.get_xy1()  # type: ignore[attr-defined]
        assert 3 * point[0] + 4 * point[1] + offset == pytest.approx(0)
    (arrow,) = ax.texts
    tail, tip = np.array(arrow.xyann), np.array(arrow.xy)  # type: ignore[attr-defined]
    assert tail == pytest.approx([-0.6, -0.8])
    assert tip - tail == pytest.approx(np.array([0.6, 0.8]) * 2.3)  # as far as it fits


def test_weights_of_zero_separate_nothing() -> None:
    ax = panel()
    kit.plane(ax, plane().X, plane().y, [0, 0])
    kit.boundary(ax, [0, 0])
    assert len(ax.lines) == 2  # the points


def test_points_may_be_sparse_and_need_not_be_there() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    ax = panel()
    assert kit.points(ax, sparse.csr_array(plane().X), plane().y) == 2.3
    assert ax.lines[0].get_xydata().tolist() == [[1, 2], [2, 1]]  # type: ignore[union-attr]
    assert kit.points(panel(), np.empty((0, 2)), []) == 1


def test_a_name_without_a_place_in_the_family_is_refused() -> None:
    steps = pd.DataFrame({"from": ["Adaline"], "to": ["Winnow"], "change": ["all"]})
    with pytest.raises(ValueError, match="Adaline has no place: choose from Halving"):
        plots.family_tree.tree(steps)


# --- what is not installed -------------------------------------------------------


@pytest.mark.parametrize("missing", ["matplotlib", "pandas"])
def test_figures_say_what_to_install(missing: str) -> None:
    program = f"import sys; sys.modules[{missing!r}] = None; import olc\n"
    for name in ("plots", "widgets", "plots.winnow"):
        program += f"try: olc.{name}\nexcept ImportError as error: print(error)\n"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == 3 * f"{missing} is missing: pip install matplotlib pandas\n"
