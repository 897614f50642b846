"""The figures of the chapter `thick_separator` say what the package finds."""

import numpy as np

import olc
from olc.plots import thick_separator as draw


def test_a_thicker_slab_has_a_larger_margin_than_promised():
    stream = olc.streams.separable(2, 0.1, 60, 36)
    best, _ = olc.geometry.maximal_margin(stream)
    text = draw.slab(1.0).alt
    margin = float(text.split("margin ")[1].split(";")[0])
    promised = olc.margin_perceptron.final_margin(stream.radius, best, 1.0)
    assert promised < margin <= best + 1e-4
    assert f"promises {promised:.4f}" in text


def test_width_buys_margin_with_updates_within_the_bound():
    table = draw.width([0, 1, 5], n=3, seeds=2).table
    share = table["share of the best margin"]
    assert (share > table["promised"]).all()
    assert share.is_monotonic_increasing
    assert (table["updates"] <= table["bound"]).all()


def test_a_step_leaves_the_share_one_minus_the_rate():
    assert "+1.00 of the distance 2.00" in draw.step(0.5).alt
    learner = olc.ThresholdRelative(2, threshold=2.0, rate=1.0, aim=0.5)
    learner.update([1.0, 2.0], 1)
    first, second = np.round(learner.weights, 2)
    assert f"({first:.2f}, {second:.2f})" in draw.step(1.0, aim=0.5).alt
