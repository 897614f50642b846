"""The style of the figures: what every picture of the book can be relied on for."""

from __future__ import annotations

import gc
import itertools
import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from helpers import KINDS, run
from matplotlib.colors import to_hex, to_rgb

import olc
from olc import plots
from olc.core.stream import Stream
from olc.fast.play import play
from olc_book.plots import (
    Figure,
    _figure,
    colour,
    family_tree,
    kit,
    look,
    panel,
    panels,
    replay_frame,
)
from olc_book.plots._figure import COLUMN, HALF, WIDEST

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
    return Figure(ax, ALT, **options).captioned(CAPTION)  # type: ignore[arg-type]


def parsed(figure: Figure) -> ElementTree.Element:
    html = figure._repr_html_()
    return ElementTree.fromstring(f"<div>{html}</div>")


def linear(colour: str) -> np.ndarray:
    """Return how much light of each channel a colour has."""
    c = np.array(to_rgb(colour))
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)


def luminance(colour: str) -> float:
    return float(linear(colour) @ [0.2126, 0.7152, 0.0722])


@pytest.mark.parametrize("background", ["#ffffff", "#121212"])
def test_every_colour_stands_out_on_the_light_and_the_dark_page(
    background: str,
) -> None:
    for drawn in [*COLOURS, *ALGORITHMS.values()]:
        darker, lighter = sorted([luminance(drawn), luminance(background)])
        assert (lighter + 0.05) / (darker + 0.05) >= 3, drawn


def test_no_new_transform_takes_the_place_of_one_of_an_axes():
    # Matplotlib keeps parents by their ids; of what is unpacked these are the old ones.
    ax = panel(3.3, 1.7)
    gc.collect()
    alive = {id(each) for each in gc.get_objects()}
    for node in (ax.transData, ax.transAxes, ax.transScale, ax.transLimits, ax.viewLim):
        assert node._parents.keys() <= alive


def test_no_two_default_lines_differ_in_colour_alone() -> None:
    ax = panel()
    lines = [ax.plot([0, 1], [0, 1])[0] for _ in COLOURS]
    assert len({line.get_color() for line in lines}) == len(COLOURS)
    dashes = {str(line._dash_pattern) for line in lines}  # type: ignore[attr-defined]
    assert len(dashes) == len(COLOURS)


# --- one colour per algorithm ----------------------------------------------------


def matrix(rows: str) -> np.ndarray:
    return np.array([row.split() for row in rows.split(";")], dtype=float)


def seen(colour: str, eye: str) -> np.ndarray:
    """Return how an eye sees a colour, in CIELAB; Machado's model of a blind one."""
    blind = {
        "any": "1 0 0; 0 1 0; 0 0 1",
        "protanope": "0.152286 1.052583 -0.204868; 0.114503 0.786281 0.099216;"
        "-0.003882 -0.048116 1.051998",
        "deuteranope": "0.367322 0.860646 -0.227968; 0.280085 0.672501 0.047413;"
        "-0.011820 0.042940 0.968881",
    }
    to_xyz = matrix(
        "0.4124564 0.3575761 0.1804375; 0.2126729 0.7151522 0.0721750;"
        "0.0193339 0.1191920 0.9503041"
    )
    light = np.clip(matrix(blind[eye]) @ linear(colour), 0, 1)
    x, y, z = np.cbrt(to_xyz @ light / to_xyz.sum(axis=1))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def apart(one: str, two: str, eye: str) -> float:
    return float(np.linalg.norm(seen(colour(one), eye) - seen(colour(two), eye)))


def test_no_two_algorithms_have_the_same_colour() -> None:
    for one, two in itertools.combinations(ALGORITHMS, 2):
        variants = one.removeprefix("Threshold") == two.removeprefix("Threshold")
        assert variants == (colour(one) == colour(two)), (one, two)
        assert variants or apart(one, two, "any") > 19


@pytest.mark.parametrize("names", TOGETHER)
def test_algorithms_that_share_a_picture_differ_in_line_and_to_the_colour_blind(
    names: str,
) -> None:
    for one, two in itertools.combinations(names.split(), 2):
        assert look(one)["linestyle"] != look(two)["linestyle"], (one, two)
        for eye, least in (("any", 20), ("protanope", 7), ("deuteranope", 7)):
            assert apart(one, two, eye) > least, (one, two, eye)


def test_an_algorithm_can_be_named_as_the_text_names_it() -> None:
    for kind in KINDS:
        assert colour(kind) == plots.COLOURS[kind.__name__]
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
    # Examples are told apart without colour, and a look is changed for nobody else.
    positive, negative = look("positive"), look("negative")
    assert positive.pop("color") == negative["color"] == look("positive")["color"]
    assert positive["marker"] != negative["marker"]
    assert negative["markerfacecolor"] == "none"


# --- the page ---------------------------------------------------------------------


def test_numbers_in_a_sentence_are_written_as_in_prose() -> None:
    said = "From -1.5 to (-2) it is 12% of 2-norms, x = -3, p-norm 1e-3 and 5 %."
    written = "From −1.5 to (−2) it is 12 % of 2-norms, x = −3, p-norm 1e-3 and 5 %."
    assert Figure(panel(), said).alt == written


def test_a_figure_is_one_picture_with_a_caption_and_says_what_it_finds() -> None:
    figure = parsed(curve()).find("figure")
    assert figure is not None
    assert figure.get("class") == "olc-figure"
    picture = figure.find("div[@role='img']")
    assert picture is not None
    assert picture.get("aria-label") == f"Picture: mistakes against round. {ALT}"
    assert [(part.tag, part.text) for part in figure[1:]] == [("figcaption", CAPTION)]
    assert curve()._repr_html_().count(ALT) == 1  # nobody hears it twice
    bare = parsed(Figure(panel(), ALT)).find("figure")
    assert [(part.tag, part.text) for part in bare[1:]] == [("p", ALT)]


def test_a_picture_is_named_by_its_axes() -> None:
    left, right = panels(2)
    left.set(xlabel="N", ylabel="mistakes")
    right.set(xlabel="N", ylabel="mistakes")
    right.set_axis_off()
    assert Figure([left, right], ALT).label == ("Picture: mistakes against N")
    assert Figure(panel(), ALT).label == ("Picture: a drawing without axes")


def test_a_figure_takes_its_ink_and_font_from_the_page() -> None:
    html = curve()._repr_html_()
    assert html == curve()._repr_html_()  # the same bytes
    assert "currentColor" in html
    for foreign in (plots.INK, "#000000", "font-family", "#ffffff", "<style", "DejaVu"):
        assert foreign not in html
    words = {element.text for element in parsed(curve()).iter("text")}
    assert {"round", "mistakes"} <= words  # text stays text
    assert len(html) < 15_000


def test_every_reference_has_its_target_and_no_two_figures_share_one() -> None:
    left, right = panels(2)
    left.plot([0, 1, 2], [0, 1, 5], marker="o")
    other = Figure([left, right], ALT)
    for html in (curve()._repr_html_(), both := other._repr_html_()):
        ids = re.findall(r'\bid="([^"]+)"', html)
        used = set(re.findall(r'(?:url\(|href=")#([^")]+)', html))
        assert len(ids) == len(set(ids))
        assert set(ids) == used
        assert len(used) >= 4  # two kinds of marker, two of tick, a clip path
    assert not used & set(re.findall(r'\bid="([^"]+)"', curve()._repr_html_()))
    assert len(list(parsed(other).iter("svg"))) == 2
    assert "flex-wrap:wrap" in both  # below each other where there is no room


@pytest.mark.parametrize("size", [(), (3.5, 2.8), (5.4, 3.6), (9, 3)])
def test_text_can_be_read_on_a_phone(size: tuple[float, ...]) -> None:
    ax = panel(*size)
    ax.plot([0, 1], label="a line")
    ax.set(xlabel="round", ylabel="mistakes", title="small")
    ax.text(0, 0, "smaller still", fontsize=6)
    ax.legend(fontsize=8)
    svg = Figure(ax, ALT).svgs[-1]
    assert 'class="olc-narrow" ' in svg
    if size == (9, 3):  # too wide: it keeps its proportions
        assert ax.figure.get_figheight() == pytest.approx(4.1 / 3)
    width = float(re.search(r'viewBox="0 0 ([\d.]+)', svg)[1])  # type: ignore[index]
    sizes = [float(size) for size in re.findall(r"font(?:-size)?:([\d.]+)px", svg)]
    assert len(sizes) > 5
    # 328 pixels are left for a picture on a screen of 360.
    assert min(sizes) * min(4 / 3, 328 / width) >= 11


def viewed(svg: str) -> float:
    """Return the width of a picture in inches."""
    return float(re.search(r'viewBox="0 0 ([\d.]+)', svg)[1]) / 72  # type: ignore[index]


def test_one_panel_takes_the_column_with_a_twin_for_a_phone_and_two_share_it() -> None:
    wide, twin = Figure(panel(), ALT).svgs
    assert [viewed(wide), viewed(twin)] == pytest.approx([COLUMN, WIDEST], abs=0.01)
    assert 'style="display:none;' in twin  # where there is no style sheet
    assert "display:none" not in wide
    pair = Figure(panels(2, 3.2), ALT).svgs
    assert [viewed(svg) for svg in pair] == pytest.approx([HALF, HALF], abs=0.01)
    square = panel(3.6, 3.6)
    square.set(aspect="equal")
    (svg,) = Figure(square, ALT).svgs
    assert viewed(svg) == pytest.approx(3.6, abs=0.01)


def test_panels_have_letters_but_for_a_legend_by_itself() -> None:
    drawn = panels(2)
    for ax in drawn:
        ax.plot([0, 1], label="line")
    drawn.append(panel())
    drawn[-1].set_axis_off()
    drawn[-1].legend(*drawn[0].get_legend_handles_labels())
    svgs = Figure(drawn, ALT).svgs
    letters = [re.findall(r"weight:700[^>]*>(\w)</text>", svg) for svg in svgs]
    assert letters == [["a"], ["b"], []]
    assert "weight:700" not in Figure(panel(), ALT).svgs[0]


def test_lines_are_named_at_their_ends_and_no_two_names_touch() -> None:
    ax = panel()
    for height, name in ((1.0, "a first line"), (1.01, "a second"), (5.0, "high up")):
        ax.plot([0, 1, 2], [0, height, height], label=name)
    ax.plot([0, 2], [3, 3])  # without a label
    kit.name_ends(ax)
    wide, twin = Figure(ax, ALT).svgs
    ends = [text for text in ax.texts if text.get_gid() == _figure.END]
    assert [text.get_text() for text in ends] == ["a first line", "a second", "high up"]
    assert [text.get_color() for text in ends] == [
        line.get_color() for line in ax.lines[:3]
    ]
    first, second, third = (
        ax.transData.transform(text.xy)[1] * 72 / ax.figure.dpi + text.get_position()[1]
        for text in ends
    )
    assert second - first == pytest.approx(_figure._LINE)
    assert third - second > 3 * _figure._LINE
    assert ends[2].get_position()[1] == pytest.approx(0)  # it had room
    for svg in (wide, twin):  # letters need more contrast than lines
        assert svg.count("color-mix(in srgb,") == 3
    ax.lines[0].set_label("a name of many words")
    kit.name_ends(ax)
    wide, twin = Figure(ax, ALT).svgs
    assert ">a name of many words</text>" in wide
    assert ">a name of</text>" in twin


def test_logarithmic_axes_have_plain_labels() -> None:
    ax = panel()
    ax.plot([1, 10, 1e6], [3e-5, 1e-2, 1])
    ax.set(xscale="log", yscale="log")
    words = {text.text for text in parsed(Figure(ax, ALT)).iter("text")}
    assert {"1", "100", "10⁶", "0.01", "10⁻⁴"} <= words
    assert not any("$" in (word or "") for word in words)
    written = [_figure._power(value) for value in (0, 4096, 1e5, 2e6)]
    assert written == ["0", "4096", "10⁵", "2·10⁶"]


def test_long_tick_labels_get_a_wider_margin() -> None:
    ax = panel()
    ax.plot([0, 1], [1_000_000, 1_000_001])
    ax.ticklabel_format(useOffset=False, style="plain")
    Figure(ax, ALT)
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
    assert Figure(figure.drawings[0].axes, ALT).svgs == before


def test_panels_are_saved_one_by_one_and_the_ending_is_the_format(
    tmp_path: Path,
) -> None:
    Figure(panels(2), ALT).save(str(tmp_path / "race.svg"))
    assert {path.name for path in tmp_path.iterdir()} == {"race-1.svg", "race-2.svg"}


def test_every_name_of_the_family_is_in_its_box_and_links_to_its_chapter(
    tmp_path: Path,
) -> None:
    step = pd.DataFrame({"from": ["Perceptron"], "to": ["average"]}, [18])
    figure = family_tree.tree(step)
    assert re.findall('<a href="([^"]+)" aria-label="([^"]+)">', figure.svgs[0]) == [
        ("perceptron.html", "Perceptron"),
        ("averaged_perceptron.html", "average"),
    ]
    with plt.rc_context({"svg.fonttype": "none"}):
        figure.save(tmp_path / "tree.svg")  # cut to its ink
    svg = (tmp_path / "tree.svg").read_text("utf-8")
    boxes = re.findall(r'_blank">\s*<path d="M ([\d.]+) .*\s*L ([\d.]+) ', svg)
    names = re.findall(r'_blank">\s*<text [^>]* x="([\d.]+)"', svg)
    assert np.mean(np.array(boxes, float), axis=1) == pytest.approx(
        [*map(float, names)]
    )


# --- the default picture of a replay ---------------------------------------------


def plane() -> Stream:
    return Stream(
        np.array([[1.0, 2.0], [2.0, 1.0], [-1.0, -1.0], [-1.0, 1.0]]),
        np.array([1, 1, -1, -1], dtype=np.int8),
    )


def test_a_replay_in_the_plane_names_the_weights() -> None:
    trace = play(olc.Perceptron(2), plane(), record=True)
    first, last = (repr(replay_frame(trace, step)) for step in (0, 2))
    assert first == "Figure: Before the game the weights are (0, 0)."
    assert last == "Figure: After update 2 of 2, in round 4, the weights are (2, 1)."
    wide = play(olc.Perceptron(5), Stream(np.eye(5), np.ones(5, dtype=np.int8)))
    figure = replay_frame(wide, 5)
    assert figure.alt == "After update 5 of 5, in round 5, the largest weight is 1."
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


# --- the vocabulary ---------------------------------------------------------------


def test_the_middle_of_the_seeds_and_its_spread() -> None:
    seeds = range(4)
    runs = pd.DataFrame({"N": [8] * 4, "Winnow": seeds, "Perceptron": [5, 6, 7, 9]})
    table = kit.means(runs, "N", "Winnow", also=["Perceptron"])
    assert table.loc[8].to_dict() == {
        **{"low": 0.75, "mean": 1.5, "high": 2.25},
        "Perceptron": 6.75,
    }
    names = ["Winnow", "Perceptron"]
    whole = kit.medians(runs, "N", names, "learner", spread=(0, 1), name="M")
    assert whole.index.tolist() == [("Winnow", 8), ("Perceptron", 8)]
    assert whole.loc[("Perceptron", 8)].to_dict() == {"low": 5, "M": 6.5, "high": 9}


def test_a_ledger_says_when_its_potential_leaves_the_envelopes() -> None:
    ledger = pd.DataFrame({"lower": [1, 4], "potential": [2.0, 5.0], "upper": [3, 6]})
    ledger = ledger.rename_axis("mistake")
    assert plots.ledger_figure(ledger, "‖w‖²").table is ledger
    broken = ledger.assign(potential=[2.0, 7.0])
    assert "after 1 of the 2 mistakes" in plots.ledger_figure(broken, "‖w‖²").alt


# --- what is not installed -------------------------------------------------------


@pytest.mark.parametrize("missing", ["matplotlib", "pandas"])
def test_figures_say_what_to_install(missing: str) -> None:
    program = f"import sys; sys.modules[{missing!r}] = None; import olc\n"
    for name in ("plots", "widgets", "plots.winnow"):
        program += f"try: olc.{name}\nexcept ImportError as error: print(error)\n"
    said = run([sys.executable, "-c", program])
    assert said == 3 * f"{missing} is missing: pip install matplotlib pandas\n"
