"""Figures of the chapter `nonseparable`."""

from olc_book.plots.kit import *

__all__ = ["bounded", "cycles", "zigzag"]

_OWN = look("Perceptron")
_DOTS: dict[str, Any] = {"color": _OWN["color"], "linestyle": "none", "marker": "."}


def bounded(trace: Trace) -> Figure:
    """Draw the length of the weights, mistake by mistake, below R√M."""
    count = np.arange(1, len(trace.update_rounds) + 1)
    lengths = np.linalg.norm(path(trace)[1:], axis=1)
    table = pd.DataFrame(
        {"‖w‖": lengths, "R√M": trace.stream.radius * np.sqrt(count)},
        index=pd.Index(count, name="mistakes"),
    )
    looks = {"R√M": look("upper"), "‖w‖": _OWN | {"linewidth": 0.8}}
    axes = curves(table, looks, "mistakes M", "length", legend="upper left")
    shown = np.unique(np.geomspace(1, len(count), 12).round().astype(int))
    said = (
        f"In {len(count)} mistakes the weights are never longer than "
        f"{np.ceil(10 * lengths.max()) / 10:.1f}, while R√M has grown to "
        f"{table['R√M'].iloc[-1]:.0f}."
    )
    return Figure(axes, said, table.loc[shown])


def cycles(xor: ArrayLike, wandering: ArrayLike) -> Figure:
    """Draw weights that repeat, one row a round, and a weight that never does."""
    weights, values = np.asarray(xor), np.asarray(wandering)
    period, wander = panels(2, 3.5, 2.8)
    lines = ("-", "-.", ":")
    for i, (line, offset) in enumerate(zip(lines, (0.06, 0, -0.06), strict=True)):
        style: dict[str, Any] = {"linestyle": line, "color": _OWN["color"]}
        rounds = np.arange(1, len(weights) + 1)
        period.step(rounds, weights[:, i] + offset, **style, label=f"w{'₁₂₃'[i]}")
    period.set(xlabel="round", ylabel="weights", ylim=(-1.6, 3.2))
    period.legend(ncols=3, loc="upper center")
    wander.plot(values, **_DOTS, markersize=2)
    wander.set(xlabel="update", ylabel="weight", ylim=(-1.8, 1.8))
    distinct = len(np.unique(weights, axis=0))
    first = ["exclusive or", len(weights), distinct]
    second = ["with √2", len(values), len(np.unique(values))]
    columns = ["examples", "updates", "different weights"]
    table = pd.DataFrame([first, second], columns=columns)
    said = (
        f"Exclusive or takes {distinct} different weight vectors in {len(weights)} "
        f"updates. With √2 the weight stays between {values.min():.2f} and "
        f"{values.max():.2f} and takes {len(np.unique(values))} different values in "
        f"{len(values)} updates."
    )
    return Figure([period, wander], said, table)


def zigzag(trace: Trace) -> Figure:
    """Draw the path of the weights in the plane, in units of the margin and across."""
    stream = trace.stream
    walk = path(trace)
    ax = panel(height=3.2)
    ax.plot(walk[:, 1], walk[:, 0], **_OWN | {"marker": ".", "linewidth": 1})
    ax.axvline(0, color=GREY, linewidth=0.8)
    ax.set(xlabel="across, w₂", ylabel="along the target, w₁")
    count = pd.Index(np.arange(len(walk)), name="mistakes")
    table = pd.DataFrame(walk, index=count, columns=["w₁", "w₂"])
    ratio = (stream.radius / stream.margin) ** 2
    said = (
        f"In {trace.mistakes} mistakes the weights climb to w₁ = {walk[-1, 0]:.4g}, "
        f"from side to side between w₂ = {walk[1:, 1].min():.4g} and "
        f"{walk[1:, 1].max():.4g}; R²/γ² is {ratio:.4g}."
    )
    return Figure(ax, said, table)
