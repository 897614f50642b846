"""Explorers: two faces, one picture. What a browser makes of them is test_browser's."""

from __future__ import annotations

import functools
import json
import re
from typing import Any

import ipywidgets
import numpy as np
import pandas as pd
import pytest
from helpers import KINDS
from helpers import learner as any_learner
from helpers import stream as any_stream

import olc
from olc.core.stream import Stream
from olc.fast.play import play
from olc_book.plots import Figure, panel
from olc_book.widgets import Explorer, explore, replay

VIEW = "application/vnd.jupyter.widget-view+json"


@functools.cache  # most explorers here have the same few frames
def draw(n: float = 1, shape: str = "line") -> Figure:
    ax = panel(3, 2)
    ax.plot([0, n], [0, n], "-" if shape == "line" else "o")
    return Figure(ax, alt=f"The {shape} ends at {n:g}.").captioned("Something small.")


def data(explorer: Explorer) -> dict[str, Any]:
    found = re.search(
        r'<script type="application/json">(.*?)</script>', explorer._repr_html_(), re.S
    )
    assert found is not None
    return json.loads(found[1])


def frame(explorer: Explorer, at: int) -> str:
    content = data(explorer)
    return "".join(content["parts"][part] for part in content["frames"][at])


def live(explorer: Explorer) -> ipywidgets.VBox:
    view = explorer._repr_mimebundle_()[VIEW]
    return ipywidgets.widgets.widget._instances[view["model_id"]]


# --- without Python ---------------------------------------------------------------


def test_an_explorer_carries_a_frame_for_every_combination() -> None:
    explorer = explore(draw, n={"one": 1, "two": 2}, shape=["line", "dots"])
    assert data(explorer)["alts"] == [
        f"The {shape} ends at {n}." for n in (1, 2) for shape in ("line", "dots")
    ]
    for at, figure in enumerate(explorer.frames):
        ids = re.compile(r"o[0-9a-f]{8}-|olc-id-")
        assert ids.sub("", frame(explorer, at)) == ids.sub("", "".join(figure.svgs))
    html = explorer._repr_html_()
    assert frame(explorer, 0) in html  # before any script runs
    assert '<div class="olc-controls" hidden>' in html
    assert 'aria-valuetext="one"' in explore(draw, n={"one": 1, "two": 2})._repr_html_()


def test_frames_share_what_they_have_in_common() -> None:
    explorer = explore(draw, n=[1, 1.5, 2, 3, 5])
    content = data(explorer)
    apart = sum(len("".join(figure.svgs)) for figure in explorer.frames)
    assert sum(len(part) for part in content["parts"]) < 0.7 * apart


def test_numbers_get_a_slider_and_everything_else_a_menu() -> None:
    html = explore(draw, n=[1, 2], shape=["line", "dots"])._repr_html_()
    assert html.count('<input type="range"') == 1
    assert html.count("<select") == 1
    assert "<option>dots</option>" in html
    for others in ([2, 1], [False, True]):  # not in ascending order, or no numbers
        assert '<input type="range"' not in explore(draw, n=others)._repr_html_()


@pytest.mark.parametrize(
    ("given", "labels"),
    [
        (np.linspace(0, 1, 3), ["0", "0.5", "1"]),
        (list(np.float32([0, 1])), ["0", "1"]),  # numbers of numpy are numbers
        ([1.0, 1.0000001, 2.0], ["1.0", "1.0000001", "2.0"]),  # and all are told apart
    ],
)
def test_no_value_is_dropped_because_its_label_is_short(
    given: Any, labels: list[str]
) -> None:
    (choice,) = explore(draw, n=given).choices
    assert choice.is_range
    assert choice.labels == labels
    assert list(choice.values.values()) == list(given)


def test_a_single_slider_can_play() -> None:
    button = "<button"
    assert button in explore(draw, n=[1, 2])._repr_html_()
    assert button not in explore(draw, shape=["line", "dots"])._repr_html_()
    both = explore(draw, n=[1, 2], shape=["line", "dots"])
    assert button not in both._repr_html_()


@pytest.mark.parametrize(
    "trap", ["</script> and </figure>", "<!--<script>", "<!-- </script --> <SCRIPT"]
)
def test_nothing_in_the_data_can_end_the_script_or_swallow_the_page(trap: str) -> None:
    def draw(n: int) -> Figure:
        return Figure(panel(), alt=f"It says {trap} {n}.").captioned("This is a trap.")

    explorer = explore(draw, n=[1, 2])
    content = re.findall(r"(?s)<script[^>]*>(.*?)</script>", explorer._repr_html_())
    assert len(content) == 2
    assert "<" not in content[0]
    assert explorer._repr_html_().count("</figure>") == 1
    assert data(explorer)["alts"][1] == f"It says {trap} 2."
    assert not re.search(r"(?i)<!--|</?script", content[1])


def test_a_picture_is_named_by_its_axes_and_what_was_chosen() -> None:
    def curve(eta: float, shape: str) -> Figure:
        ax = panel()
        ax.set(xlabel="round", ylabel="mistakes")
        return Figure(ax, alt=f"η is {eta} here.").captioned("An empty picture.")

    explorer = explore(curve, eta=[0.1, 0.5], shape=["line", "dots"])
    labels = data(explorer)["labels"]
    assert labels[2] == "Picture: mistakes against round (η = 0.5, shape = line)"
    assert len(set(labels)) == 4
    assert f'aria-label="{labels[0]}"' in explorer._repr_html_()


def test_an_explorer_keeps_the_numbers_of_all_its_frames() -> None:
    def counted(n: int, shape: str) -> Figure:
        table = pd.DataFrame({"value": [n, 2 * n]})
        return Figure(panel(), "It has a table.", table)

    table = explore(counted, n=[1, 3], shape={"a line": [0], "dots": [1]}).table
    assert table is not None
    assert table.index.names == ["n", "shape", None]
    assert table.loc[(3, "dots"), "value"].tolist() == [3, 6]
    single = explore(lambda n: counted(n, ""), n=[1, 3]).table
    assert single is not None
    assert single.loc[3, "value"].tolist() == [3, 6]
    assert explore(draw, n=[1, 2]).table is None


# --- with Python ------------------------------------------------------------------


@pytest.mark.parametrize(
    "given", [[1, 3, 5], [0.5, 1.0, 2.5], [8, 16, 64], [1.0, 1.0000001, 2.0]]
)
def test_a_live_slider_offers_the_given_values_and_no_others(given: Any) -> None:
    slider, _, picture = live(explore(draw, n=given)).children
    assert isinstance(slider, ipywidgets.SelectionSlider)
    assert len(slider.options) == len(given)
    for index, value in enumerate(given):
        slider.index = index
        assert f"The line ends at {value:g}." in picture.value


def test_a_single_live_slider_can_play() -> None:
    _, play_button, _ = live(explore(draw, n=[1, 5, 9])).children
    assert isinstance(play_button, ipywidgets.Play)
    assert (play_button.min, play_button.max) == (0, 2)
    for other in ({"shape": ["line", "dots"]}, {"n": [1, 2], "shape": ["a", "b"]}):
        children = live(explore(draw, **other)).children
        assert not any(isinstance(child, ipywidgets.Play) for child in children)


def test_live_controls_choose_the_frame_together() -> None:
    explorer = explore(draw, n=[1, 2, 3], shape={"A line": "line", "Dots": "dots"})
    slider, menu, picture = live(explorer).children
    assert isinstance(menu, ipywidgets.Dropdown)
    menu.value = "Dots"
    slider.index = 2
    assert "The dots ends at 3." in picture.value
    menu.value = "A line"
    assert picture.value.count("The line ends at 3.") == 1


def test_without_ipywidgets_there_is_still_the_page(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    explorer = explore(draw, n=[1, 2])
    assert VIEW in explorer._repr_mimebundle_()
    monkeypatch.setattr("olc_book.widgets.find_spec", lambda name: None)
    assert set(explorer._repr_mimebundle_()) == {"text/plain", "text/html"}


# --- replay -------------------------------------------------------------------------


@pytest.fixture
def trace() -> Any:
    X = np.array([[1.0, 2.0], [2.0, 1.0], [-1.0, -1.0], [-1.0, 1.0]])
    return play(olc.Perceptron(2), Stream(X, np.array([1, 1, -1, -1], dtype=np.int8)))


def test_replay_steps_through_the_updates(trace: Any) -> None:
    alts = data(replay(trace))["alts"]
    assert [alt.split(",")[0] for alt in alts] == [
        "Before the game the weights are (0",
        "After update 1 of 2",
        "After update 2 of 2",
    ]


def test_a_long_replay_leaves_out_steps_but_not_the_last() -> None:
    long = play(olc.Perceptron(40), Stream(np.eye(40), np.ones(40, dtype=np.int8)))
    explorer = replay(long, draw, frames=5)
    assert list(explorer.choices[0].values.values()) == [0, 10, 20, 30, 40]
    assert explorer.frames[2].alt == "The line ends at 20."
    game = play(olc.KernelPerceptron(), olc.streams.xor(8))  # a weight more every time
    sizes = [len(frame.table) for frame in replay(game).frames]
    assert sizes == list(range(len(game.update_rounds) + 1))


def test_a_replay_opens_at_the_last_update_and_an_explorer_where_it_is_told(
    trace: Any,
) -> None:
    last = len(trace.update_rounds)
    game = replay(trace)
    assert game.shown == len(game.frames) - 1
    assert f'value="{last}" ' in game._repr_html_()
    assert game.frames[-1].alt in game._repr_html_().split("<script")[0]
    assert live(game).children[0].index == last
    chosen = explore(draw, n=[1, 2, 3], shape=["line", "dots"]).opened(
        n=3, shape="dots"
    )
    assert chosen.shown == 5
    assert "<option selected>dots" in chosen._repr_html_()
    assert live(chosen).children[0].value == "3"
    for wrong in ({"n": 4}, {"m": 1}):
        with pytest.raises(ValueError, match="is not among the choices"):
            chosen.opened(**wrong)


@pytest.mark.parametrize("kind", KINDS)
def test_replay_takes_every_learner(kind: type[olc.Learner]) -> None:
    learner = any_learner(kind, 2)
    game = play(learner, any_stream(learner, 40, seed=1))
    last = len(game.update_rounds)
    assert last > 0
    *_, end = replay(game, frames=2).frames
    assert end.alt.startswith(f"After update {last} of {last}, in round ")
    assert end.table is not None
    assert end.table["weight"].tolist() == learner.weights.tolist()


# --- words --------------------------------------------------------------------------


def test_an_explorer_is_captioned_as_a_figure_is() -> None:
    def shot(place: int) -> Figure:
        return Figure(panel(), f"It lies at {place} here.")

    explorer = explore(shot, place=[-1, 2])
    assert "figcaption" not in explorer._repr_html_()
    assert explorer.captioned("Two places on a line.") is explorer
    assert "<figcaption>Two places on a line.</figcaption>" in explorer._repr_html_()
    assert repr(explorer) == "Explorer: place = −1, 2. It lies at −1 here."
    said = explore(lambda line: shot(len(line)), line=["One.", "Three."])
    assert repr(said) == "Explorer: line = One., Three. It lies at 4 here."
    many = explore(draw, n=range(1, 9), shape=["line", "dots"])
    shown = "Explorer: n = 1, 2, 3, …, 8; shape = line, dots. The line ends at 1."
    assert repr(many) == many._repr_mimebundle_()["text/plain"] == shown
    assert many._repr_mimebundle_()["text/html"] == many._repr_html_()
