"""The figures of the chapter `winnow_r` say what the package finds."""

import olc
from olc.plots import winnow_r as draw


def test_the_moving_target_counts_its_additions():
    stream = olc.streams.drifting_disjunction(12, 3, 70, 6, 4)
    assert f"{stream.additions} variables are added" in draw.moving_target().alt


def test_the_victim_of_winnow_r_stays_at_the_floor():
    assert "2 to the power −1," in draw.victim("Winnow-R", 6, n=64).alt
    assert "2 to the power −1," not in draw.victim("Winnow", 6, n=64).alt


def test_the_floor_separates_the_two_learners_in_both_games():
    table = draw.separation([3, 12], [2, 6], n=64, small=32).table
    assert (table["Winnow-R"] <= table["Winnow"]).all()
    flips = table.loc["flips"]
    assert flips["Winnow-R"].nunique() == 1
    assert flips.loc[12, "Winnow"] == flips.loc[3, "Winnow"] + 9


def test_random_drift_stays_below_the_bound():
    table = draw.random_drift(32, 2, 300, [0, 5], seeds=2).table
    assert table.index.tolist() == [2, 7]
    assert (table["Winnow-R, most"] <= table["bound"]).all()
