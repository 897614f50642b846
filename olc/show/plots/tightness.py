"""The figure of the chapter `tightness`."""

from __future__ import annotations

import pandas as pd

from olc.show.plots._figure import Figure, look, panel
from olc.show.plots._vocabulary import log_axis


def ratios(table: pd.DataFrame) -> Figure:
    """Draw the share of its bound that an adversary reaches, against N.

    `table` has the columns learner, n, mistakes and bound.
    """
    names = [str(name) for name in table["learner"].unique()]
    shares = table.assign(share=table["mistakes"] / table["bound"]).pivot(
        index="n", columns="learner", values="share"
    )[names]
    ax = panel(4.4, 3.6)
    for name in names:
        ax.plot(shares.index, shares[name], **look(name, "adversary"), label=name)
    ax.axhline(1, **look("bound"))
    log_axis(ax, shares.index)
    ax.set(xlabel="N", ylabel="share of the bound", ylim=(0, 1.05))
    ax.legend(loc="lower right")
    first, last = shares.iloc[0], shares.iloc[-1]
    said = ", ".join(
        f"{first[name]:.0%} and {last[name]:.0%} ({name})" for name in names
    )
    return Figure(
        ax,
        alt=f"At N = {shares.index[0]} and {shares.index[-1]} the adversaries reach "
        f"{said} of the bounds.",
        caption="The share of its bound, the sharpest that we know, to which each "
        "learner can be driven, against the number of features.",
        table=shares.rename_axis("N").round(3),
    )
