"""Figures of the chapter `linear_classifiers`."""

import itertools

from matplotlib.patches import Polygon
from scipy.spatial import ConvexHull

from olc import geometry
from olc_book.plots.kit import *

__all__ = [
    "balls",
    "bias",
    "cube",
    "halfspaces",
    "higher_dimension",
    "lift",
    "origins",
    "turn",
]


def halfspaces(
    X: Vector, classifiers: Sequence[tuple[Sequence[float], float]]
) -> Figure:
    """Draw points as halfspaces (w, bias) classify them, one panel each."""
    axes, rows = panels(len(classifiers), height=3.4), []
    for ax, (w, bias) in zip(axes, classifiers, strict=True):
        y = np.where(X @ w + bias > 0, 1, -1)
        length = math.hypot(*w)
        _shade(ax, w, bias)
        # the direction of w, at a length that fits
        plane(ax, X, y, np.divide(w, length), bias / length, reach=2.2)
        ax.plot(0, 0, "+", color=GREY, markersize=9)
        name = f"w = ({w[0]:g}, {w[1]:g}), b = {bias:g}"
        rows.append([name, int(np.sum(y > 0)), abs(bias) / length])
    columns = ["halfspace", "positive points", "distance from 0"]
    found = [
        f"{name}: {count} of {len(X)} points are positive and the line {_passes(far)}"
        for name, count, far in rows
    ]
    return Figure(axes, "; ".join(found) + ".", pd.DataFrame(rows, columns=columns))


def _passes(distance: Any) -> str:
    return f"passes 0 at a distance of {distance:.3g}" if distance else "goes through 0"


def _shade(ax: Axes, w: Sequence[float], bias: float) -> None:
    reach = np.linspace(-4, 4, 60)
    x, y = np.meshgrid(reach, reach)
    scores = w[0] * x + w[1] * y + bias
    ax.contourf(x, y, scores, levels=[0, 99], colors=[BLUE], alpha=0.1)


def lift(values: Sequence[float], y: Sequence[int], threshold: float) -> Figure:
    """Draw points of a line beside the same points lifted to height 1."""
    line, lifted = panels(2, height=2.5)
    reach = 1.15 * max(values)
    for ax, height in ((line, 0.0), (lifted, 1.0)):
        X = np.column_stack([values, np.full(len(values), height)])
        points(ax, X, y, reach)
        ax.set(xlim=(-0.6, reach), ylim=(-0.6, 1.6), aspect="auto")
    line.axvline(threshold, **look("weights"))
    line.set(xlabel="x", ylabel="", yticks=[])
    boundary(lifted, (1, -threshold))
    lifted.axhline(1, **look("bound"), linewidth=1)
    lifted.plot(0, 0, "+", color=GREY, markersize=9)
    lifted.set(xlabel="x", ylabel="constant feature")
    table = pd.DataFrame({"x": values, "constant": 1.0, "y": y})
    table["score"] = table["x"] - threshold * table["constant"]
    right = int((table["score"] * table["y"] > 0).sum())
    said = (
        f"The threshold {threshold:g} is right about {right} of {len(table)} "
        f"points of the line; at height 1 the line through 0 with the slope "
        f"1/{threshold:g} is right about the same."
    )
    return Figure([line, lifted], said, table)


def turn(stream: Stream) -> Callable[[float], Figure]:
    """Return a function that draws the line of a direction, and the hull it touches."""
    cloud = geometry.signed(stream)
    hull = cloud[ConvexHull(cloud).vertices]
    best, direction = geometry.maximal_margin(stream)
    across, up = best * direction
    dots: dict[str, Any] = {"color": GREY, "linestyle": ":", "linewidth": 1.2}

    def at(angle: float) -> Figure:
        w = np.array([math.cos(math.radians(angle)), math.sin(math.radians(angle))])
        distances = cloud @ w
        gamma, wrong = float(distances.min()), int((distances <= 0).sum())
        line, touch = panels(2, height=3.4)
        plane(line, stream.X, stream.y, w, margin=abs(gamma), reach=2.4)
        nearest = np.isclose(distances, gamma)
        line.plot(*stream.X[nearest].T, **look("ring"))
        touch.add_patch(Polygon(hull, color=BLUE, alpha=0.15, linewidth=0))
        touch.plot(*cloud.T, **look("positive"))
        touch.plot(across, up, **look("mistake"))
        touch.annotate("z*", (across, up), (7, 3), textcoords="offset points")
        touch.plot(0, 0, "+", color=GREY, markersize=9)
        boundary(touch, w, -gamma, **dots)
        arrow(touch, w)
        touch.set(xlim=(-2.4, 2.4), ylim=(-2.4, 2.4), aspect="equal")
        touch.set(xlabel="z₁", ylabel="z₂")
        touch.locator_params(nbins=4)
        verdict = f"all {len(cloud)} points are right"
        if wrong:
            are = "is" if wrong == 1 else "are"
            verdict = f"{wrong} of {len(cloud)} points {are} wrong"
        alt = (
            f"At an angle of {angle:g}° {verdict} and the margin is {gamma:.2f}; the "
            f"hull comes as near to 0 as {best:.2f}."
        )
        table = pd.DataFrame({"y": stream.y, "signed distance": distances})
        return Figure([line, touch], alt, table)

    return at


def bias(table: pd.DataFrame) -> Figure:
    """Draw (R′/γ′)² and the corrections against the constant feature c."""
    looks = {"(R′/γ′)²": "bound", "corrections": "random"}
    axes = curves(table, looks, "constant c", "corrections", who="Perceptron",
                  xticks=table.index, yticks=[10, 100, 1000, 10_000, 100_000],
                  legend="ends")  # fmt: skip
    best = table.iloc[int(np.argmin(table["corrections"]))]
    said = (
        f"The corrections are fewest, {best['corrections']:.0f}, at c = "
        f"{best.name:g}, where the bound is {best['(R′/γ′)²']:.0f}."
    )
    return Figure(axes, said, table)


def origins(examples: Mapping[str, Stream]) -> Figure:
    """Draw the widest street of each set of examples, in units of its radius."""
    axes, rows = panels(len(examples), height=3.4), {}
    for ax, (name, data) in zip(axes, examples.items(), strict=True):
        gamma, best = geometry.maximal_margin(data)
        R = data.radius
        plane(ax, data.X / R, data.y, best, margin=gamma / R, reach=1.25)
        ax.plot(0, 0, "+", color=GREY, markersize=9)
        ax.set(title=name, xlabel="x / R", ylabel="constant / R")
        rows[name] = gamma / R, (R / gamma) ** 2
    columns = ["γ / R", "(R / γ)²"]
    table = pd.DataFrame.from_dict(rows, "index", columns=columns)
    found = [
        f"{name}: beside a longest example of length 1 the street is "
        f"{2 * ratio:.2f} wide"
        for name, (ratio, _) in rows.items()
    ]
    return Figure(axes, sentences(found), table.round(4))


def balls(w: Sequence[float], x: Sequence[float]) -> Figure:
    """Draw the balls around x that touch the line of w, in length and largest entry."""
    normal, point = np.asarray(w, dtype=float), np.asarray(x, dtype=float)
    score, axes, rows = float(normal @ point), panels(2, height=3.4), {}
    farthest = score / np.linalg.norm(normal)  # of the two balls
    around = np.linspace(0, 2 * np.pi, 121)
    circle = np.column_stack([np.cos(around), np.sin(around)])
    square = np.array([[1, 1], [-1, 1], [-1, -1], [1, -1], [1, 1]])
    for ax, ball, dual, towards, name in (
        (axes[0], circle, 2, normal / np.linalg.norm(normal), "length"),
        (axes[1], square, 1, np.sign(normal), "largest entry"),
    ):
        distance = score / np.linalg.norm(normal, dual)
        plane(ax, [point], [1], normal, reach=1.0)
        nearest = point - distance * towards
        ax.plot(*(point + distance * ball).T, color=BLUE, linestyle="-")
        ax.plot(*zip(point, nearest, strict=True), color=GREY, linestyle=":")
        ax.plot(*nearest, **look("mistake"))
        ax.annotate("x", (point[0], point[1]), (6, 4), textcoords="offset points")
        low, high = (point - farthest).min() - 0.3, (point + farthest).max() + 0.3
        ax.set(xlim=(low, high), ylim=(low, high), title=f"{name}: {distance:.2f}")
        rows[name] = distance, *nearest
    columns = ["distance", "nearest, z₁", "nearest, z₂"]
    table = pd.DataFrame.from_dict(rows, "index", columns=columns)
    found = [f"in {name} the distance is {row[0]:.2f}" for name, row in rows.items()]
    return Figure(axes, sentences(found), table.round(3))


_VIEW = np.array([[-0.5, -0.4], [1.0, 0.0], [0.0, 1.0]])  # x₁ comes towards us


def cube(thresholds: Mapping[str, int]) -> Figure:
    """Draw the corners of the cube of three bits under "at least r of 3"."""
    axes, corners = (
        panels(len(thresholds), height=2.6),
        np.array([*np.ndindex(2, 2, 2)]),
    )
    pairs = itertools.combinations(corners, 2)
    edges = [pair for pair in pairs if np.abs(np.subtract(*pair)).sum() == 1]
    for ax, (name, r) in zip(axes, thresholds.items(), strict=True):
        for one, two in edges:
            ends = np.array([one, two]) @ _VIEW
            ax.plot(*ends.T, color=GREY, linestyle="-", linewidth=0.8)
        # the plane Σx = r − ½ cuts the edges whose ends have r − 1 and r ones
        cut = [(one + two) / 2 for one, two in edges
               if {one.sum(), two.sum()} == {r - 1, r}]  # fmt: skip
        flat = np.array(cut) @ _VIEW
        around = np.argsort(np.arctan2(*(flat - flat.mean(axis=0)).T))
        ax.add_patch(Polygon(flat[around], color=GREEN, alpha=0.25, linewidth=0))
        points(ax, corners @ _VIEW, np.where(corners.sum(axis=1) >= r, 1, -1), size=6)
        for corner in corners:
            bits = "".join(map(str, corner))
            above = bits in ("000", "001", "011", "101")
            ax.annotate(bits, corner @ _VIEW, (12 * corner[1] - 6, 3 if above else -3),
                        ha="left" if corner[1] else "right", color=GREY, fontsize=8,
                        va="bottom" if above else "top",
                        textcoords="offset points")  # fmt: skip
        ax.set(xlim=(-0.85, 1.4), ylim=(-0.55, 1.2), aspect="equal", title=name)
        ax.set_axis_off()
    table = pd.DataFrame(
        {name: corners.sum(axis=1) >= r for name, r in thresholds.items()},
        ["".join(map(str, corner)) for corner in corners],
    )
    found = [f"{name} is true at {table[name].sum()} of 8 corners" for name in table]
    return Figure(axes, sentences(found), table.rename_axis("corner"))


def higher_dimension(stream: Stream) -> Figure:
    """Draw exclusive or flat, and with x₁x₂ as a third coordinate."""
    flat, tall = panels(2, height=3.2)
    points(flat, stream.X, stream.y, reach=1.7)
    product = stream.X[:, 0] * stream.X[:, 1]
    view = np.array([[1.0, 0.0], [0.45, 0.25], [0.0, 1.0]])  # oblique, from the front
    corners = np.array([[-1.6, -1.6], [1.6, -1.6], [1.6, 1.6], [-1.6, 1.6]]) @ view[:2]
    tall.add_patch(Polygon(corners, color=GREEN, alpha=0.18, linewidth=0))
    foot = np.asarray(stream.X, dtype=float) @ view[:2]
    top = foot + np.outer(product, view[2])
    for low, high in zip(foot, top, strict=True):
        tall.plot(*zip(low, high, strict=True), color=GREY, linestyle=":", linewidth=1)
    points(tall, top, stream.y, reach=2.4)
    tall.set(ylim=(-2.2, 2.2))
    tall.set_axis_off()
    for axis, name in zip(view, ("x₁", "x₂", "x₁x₂"), strict=True):
        arrow(tall, 2 * axis, color=GREY, linewidth=1)
        tall.annotate(name, 2 * axis, (3, 3), textcoords="offset points")
    above = np.unique(stream.y[product > 0])
    side = "negative" if np.array_equal(above, [-1]) else "mixed"
    table = pd.DataFrame(stream.X, columns=["x₁", "x₂"])
    said = (
        "In the plane the positive and the negative points of exclusive or lie on "
        f"crossing diagonals; with the product as height all points above the plane "
        f"are {side} and all below it have the other label."
    )
    return Figure([flat, tall], said, table.assign(product=product, y=stream.y))
