"""Matplotlib drawings as inline SVG that follows the page: its ink, width and font."""

from __future__ import annotations

import functools
import hashlib
import io
import pickle
import re
import textwrap
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

import matplotlib
import matplotlib.style
import numpy as np
import pandas as pd
from cycler import cycler
from matplotlib import colors, figure, ticker
from matplotlib.axes import Axes
from matplotlib.text import Text

INK = "#010203"  #: text and axes; becomes the text colour of the page
# Okabe and Ito's colours, moved until each has a contrast of 3 : 1 or more on white
# and on the dark page. No two looks differ in colour alone.
BLUE = "#1f7fc4"
VERMILION = "#d55e00"
GREEN = "#009e73"
PURPLE = "#c2649a"
OCHRE = "#ad7d00"
GREY = "#7d7d7d"

_PALETTE = [BLUE, VERMILION, GREEN, PURPLE, OCHRE, GREY]
_DOTS_AND_DASH, _DOT_AND_DASHES = (0, (5, 1, 1, 1, 1, 1)), (0, (4, 1, 4, 1, 1, 1))
_DASHES = ["-", "--", "-.", ":", _DOTS_AND_DASH, (0, (8, 3))]

# One colour per algorithm through the whole book: greens and olives where experts or
# hypotheses vote, cool colours where examples are added, warm ones where weights are
# multiplied. Algorithms that share a picture differ in their line too; none is plainly
# dashed, for that is a bound.
_ALGORITHMS: dict[str, tuple[str, Any]] = {
    "Consistent": ("#8c9a1f", ":"),
    "Halving": ("#009e73", "-"),
    "StandardOptimal": ("#557a24", "-."),
    "WeightedMajority": ("#8a6d00", "-"),
    "RandomizedWeightedMajority": ("#2b9cb8", "-."),
    "Perceptron": ("#1f7fc4", "-"),
    "KernelPerceptron": ("#5a62d6", "-."),
    "MarginPerceptron": ("#9a84b8", "-."),
    "PassiveAggressive": ("#8028e8", _DOTS_AND_DASH),
    "ThresholdRelative": ("#6d7a4f", ":"),
    "AveragedPerceptron": ("#128078", ":"),
    "AveragedMarginPerceptron": ("#c060f0", _DOT_AND_DASHES),
    "VotedPerceptron": ("#4f6d8f", _DOTS_AND_DASH),
    "PNormPerceptron": ("#9c3f96", ":"),
    "Winnow": ("#d55e00", "-."),
    "NormalizedWinnow": ("#e0486a", _DOTS_AND_DASH),
    "BalancedWinnow": ("#b5874a", _DOT_AND_DASHES),
    "ThresholdBalancedWinnow": ("#b5874a", _DOT_AND_DASHES),
    "WinnowR": ("#9a4f33", "-"),
    "MarginWinnow": ("#8b5462", ":"),
    "ThresholdMarginWinnow": ("#8b5462", ":"),
    "BalancedMarginWinnow": ("#d26e6e", _DOTS_AND_DASH),
    "GradientDescent": ("#3050f0", "-"),
    "ExponentiatedGradient": ("#a05000", ":"),
    "SignedExponentiatedGradient": ("#c02020", "-."),
    "VovkAzouryWarmuth": ("#a08070", "-."),
    "Exp3": ("#d80c78", "-"),
    "Exp3P": ("#489c0c", ":"),
    "Exp3IX": ("#3090fc", "-."),
    "Learner": (INK, "-"),  # one of the reader's own
}
#: The colour of every algorithm, by the name of its class.
COLOURS = {name: colour for name, (colour, _) in _ALGORITHMS.items()}

# The same thing looks the same in every chapter. Examples are drawn in ink, so that
# the colours are left to the algorithms.
_OPEN = {"markerfacecolor": "none", "linestyle": "none"}
_LOOKS: dict[str, dict[str, Any]] = {
    "positive": {"color": INK, "marker": "o", "linestyle": "none"},
    "negative": {"color": INK, "marker": "s"} | _OPEN,
    "mistake": {"color": PURPLE, "marker": "x", "linestyle": "none"},
    "ring": {"color": PURPLE, "marker": "o", "markersize": 12} | _OPEN,
    "weights": {"color": GREEN, "linestyle": "-"},
    "target": {"color": GREY, "linestyle": "--"},
    "measured": {"color": BLUE, "marker": "o", "linestyle": "-"},
    "worst": {"color": VERMILION, "marker": "^", "linestyle": "-"},
    "bound": {"color": GREY, "linestyle": "--"},
    "potential": {"color": INK, "marker": "o", "linestyle": "-"},
    "upper": {"color": GREY, "linestyle": "--"},
    "lower": {"color": GREY, "linestyle": "-."},
}
_HOWS: dict[str | None, dict[str, Any]] = {
    None: {},
    "random": {"marker": "o"},
    "adversary": {"marker": "^"},
    "bound": {"linestyle": "--", "linewidth": 1.2},
}

matplotlib.style.use(Path(__file__).with_name("book.mplstyle"))
# No two of the default lines differ in colour alone.
_CYCLE = cycler(color=_PALETTE, linestyle=_DASHES)
matplotlib.rcParams["axes.prop_cycle"] = _CYCLE

# Margins in points. They are fixed, so that the axes of an explorer's frames and of
# neighbouring panels stay in line, and so that a frame needs to be drawn only once.
_LEFT, _RIGHT, _BOTTOM, _TOP = 42, 12, 36, 22


def colour(who: Any) -> str:
    """Return the colour of an algorithm: of a learner, a class of learners or a name.

    >>> import olc
    >>> colour(olc.Winnow(8)), colour("Winnow"), colour(olc.WinnowR)
    ('#d55e00', '#d55e00', '#9a4f33')
    """
    return COLOURS[_algorithm(who)]


def look(what: Any, how: str | None = None) -> dict[str, Any]:
    """Return the line of an algorithm, or of something else that chapters share.

    An algorithm is a learner, a class of learners or a name, and `how` says what the
    line tells of it: its mistakes on "random" streams (circles), those that an
    "adversary" forces (triangles), or a "bound" (dashed).

    >>> look("normalised Winnow", "adversary")["marker"]
    '^'
    >>> look("bound")
    {'color': '#7d7d7d', 'linestyle': '--'}
    """
    if how not in _HOWS:
        known = ", ".join(repr(name) for name in _HOWS if name)
        raise ValueError(f"how is {how!r}: choose from {known}")
    if isinstance(what, str) and what in _LOOKS:
        return _LOOKS[what] | _HOWS[how]
    color, line = _ALGORITHMS[_algorithm(what)]
    return {"color": color, "linestyle": line} | _HOWS[how]


def _algorithm(who: Any) -> str:
    """Return the first of a learner's classes that the table lists."""
    if isinstance(who, str):
        spelt = {_plain(name): name for name in _ALGORITHMS}
        names = [spelt.get(_plain(who), who)]
    else:
        kind = who if isinstance(who, type) else type(who)
        names = [base.__name__ for base in kind.__mro__]
    for name in names:
        if name in _ALGORITHMS:
            return name
    known = ", ".join((*_LOOKS, *_ALGORITHMS))
    raise ValueError(f"no look is called {who!r}: choose from {known}")


def _plain(name: str) -> str:
    return re.sub("[^a-z]", "", name.lower().replace("ised", "ized"))


#: The widest panel that a phone shows, in inches. Of its 360 pixels a picture has 328,
#: so that 10 points of its text are 11 pixels high.
WIDEST = 4.1
#: The width of a panel that has the column of text to itself, and of one of two.
COLUMN, HALF = 7.37, 3.64
_SMALLEST = 10  # points


def panel(width: float = WIDEST, height: float = 2.9) -> Axes:
    """Open one pair of axes; `width` and `height` are in inches.

    A figure of one panel is as wide as the column, and two panels fill it: the
    `width` counts where a unit of both axes has the same length. What is wider than
    4.1 inches is made smaller then, in the same proportions.
    """
    scale = min(1.0, WIDEST / width)
    packed, _ = _blank(scale * width, scale * height)
    ax: Axes = pickle.loads(packed).axes[0]
    return ax


@functools.cache
def _blank(width: float, height: float) -> tuple[bytes, figure.Figure]:
    """Return a figure with empty axes, packed: to unpack it takes a third of the time
    that matplotlib takes for another one, most of it for the ticks.

    The figure itself is kept, too. What is unpacked knows its transforms by the ids
    that they had here, and a new transform that was given one of these ids would take
    the place of another, which then misses that the limits have changed.
    """
    blank = figure.Figure(figsize=(width, height))
    ax = blank.add_subplot()
    ax.locator_params(nbins=6)  # few ticks: easier to read and quicker to draw
    for axis in (ax.xaxis, ax.yaxis):
        axis.get_major_ticks(8)  # as many as an axis may need
    return pickle.dumps(blank), blank


def panels(count: int, width: float = 3.5, height: float = 2.8) -> list[Axes]:
    """Open several axes, side by side or stacked where space is short."""
    return [panel(width, height) for _ in range(count)]


class Figure:
    """A finished drawing: SVG with its finding, a caption and the numbers behind it.

    `axes` is what `panel` or `panels` returned. `alt` says what the figure finds, to
    those who cannot see it and, as long as there is no caption, to all. One panel is
    drawn for the column of a page and once more for a phone; of several each has a
    letter, and they are stacked where space is short. `table` has the
    numbers that are drawn, by default those of the lines with a label: a reader can
    unfold them, and ``figure.table`` is the whole DataFrame. What the figure shows is
    said where it is used, by ``captioned``; `save` writes it to a file, and `drawings`
    are matplotlib's own figures, one for each panel. Labels are plain text: write γ and
    ‖w‖², not TeX.

    >>> ax = panel()
    >>> _ = ax.plot([8, 16], [3, 5], **look("Perceptron", "random"), label="mistakes")
    >>> figure = Figure(ax, "Mistakes rise to 5.").captioned("A small game.")
    >>> figure
    Figure: Mistakes rise to 5.
    >>> figure.table
        mistakes
    8          3
    16         5
    """

    def __init__(
        self,
        axes: Axes | Sequence[Axes],
        alt: str,
        table: pd.DataFrame | None = None,
    ) -> None:
        self.alt = with_commas(_sentence(alt, "alt", "what the figure finds"))
        self.caption = ""
        group = [axes] if isinstance(axes, Axes) else list(axes)
        if not group:
            raise ValueError("axes is empty: pass what panel() or panels() returned")
        if table is not None and not isinstance(table, pd.DataFrame):
            raise TypeError(f"table is a {type(table).__name__}: give a DataFrame")
        self.table = _drawn(group) if table is None else table
        self.label = _label(group)
        drawn = _for_column(group[0]) if len(group) == 1 else _side_by_side(group)
        self.svgs = [
            svg.replace(_ID, f"{_ID}{place or ''}")  # no two panels share one
            for place, svg in enumerate(drawn)
        ]
        self.drawings: list[Any] = [ax.figure for ax in group]

    def captioned(self, caption: str) -> Figure:
        """Set the text below the picture, and return the figure."""
        self.caption = _sentence(caption, "caption", "what the figure shows")
        return self

    def save(self, path: str | Path, *, dark: bool = False) -> None:
        """Write the picture to a file for light or dark pages: .svg, .png or .pdf.

        Several panels are as many files: race.svg becomes race-1.svg, race-2.svg, …
        """
        path = Path(path)
        if path.suffix not in (".svg", ".png", ".pdf"):
            raise ValueError(f"path is {str(path)!r}: end it with .svg, .png or .pdf")
        ink, page = ("#e6e6e6", "#121212") if dark else (INK, "#ffffff")
        several = len(self.drawings) > 1
        for number, owner in enumerate(self.drawings, start=1):
            name = path.with_stem(f"{path.stem}-{number}") if several else path
            _recolour(owner, INK, ink)
            owner.savefig(
                name, dpi=200, bbox_inches="tight", transparent=True, facecolor=page
            )
            _recolour(owner, ink, INK)

    def __repr__(self) -> str:
        return f"Figure: {self.alt}"

    def _repr_html_(self) -> str:
        svgs = "".join(self.svgs)
        return unique_ids(self.html(self.label), svgs) + self._details()

    def html(self, label: str, controls: str = "", scripts: str = "") -> str:
        """Return the figure of a page, or that of an explorer with its controls."""
        kind, live = (" olc-explorer", ' aria-live="polite"') if controls else ("", "")
        below = f'<p class="olc-says"{live}>{escape(self.alt)}</p>'
        if self.caption:
            if not controls:  # one caption; what is found is for those who cannot see
                label, below = f"{label}. {self.alt}", ""
            below += f"<figcaption>{escape(self.caption)}</figcaption>"
        role = "group" if "<a " in self.svgs[0] else "img"  # which hides its links
        return (
            f'<figure class="olc-figure{kind}">{controls}'
            f'<div class="olc-panels" role="{role}" aria-label="{escape(label)}" '
            f'style="{_PANELS_STYLE}">{"".join(self.svgs)}</div>'
            f"{below}{scripts}</figure>"
        )

    def _details(self) -> str:
        # The table follows the figure and is no part of it: it stays in the stored
        # notebook, so its numbers are compared with every fresh run.
        if self.table is None:
            return ""
        keys = self.table.index  # mere numbers say nothing, names do
        named = keys.name is not None or not pd.api.types.is_integer_dtype(keys)
        style: dict[str, Any] = {"border": 0, "float_format": readable}
        html = self.table.to_html(index=named, max_rows=_MOST_ROWS, **style)
        rows = len(self.table)
        shown = f": {_MOST_ROWS} of {rows} rows" if rows > _MOST_ROWS else ""
        return (
            '<details class="olc-data"><summary style="display:list-item">'
            f"The numbers behind this figure{shown}</summary>"
            f'<div class="olc-scroll">{html}</div></details>'
        )


_MOST_ROWS = 40  # a page is no place for more


def _recolour(owner: Any, old: str, new: str) -> None:
    """Give all that has one colour another, and leave its opacity as it is."""
    for artist in owner.findobj():
        for what in ("color", "facecolor", "edgecolor", *_MARKER):
            if (get := getattr(artist, f"get_{what}", None)) is not None:
                found = colors.to_rgba_array(get())[:, :3]
                if len(found) and (found == colors.to_rgb(old)).all():
                    artist.set(**{what: new})


_MARKER = ("markerfacecolor", "markeredgecolor")


def _drawn(axes: Sequence[Axes]) -> pd.DataFrame | None:
    """Return the numbers of the lines that have a label, if there are any."""
    drawn: list[Any] = [line for ax in axes for line in ax.lines]
    lines = [
        pd.Series(line.get_ydata(), line.get_xdata(), name=line.get_label())
        for line in drawn
        if not line.get_label().startswith("_") and len(line.get_xdata())
    ]
    if not lines or not all(line.index.is_unique for line in lines):
        return None
    return pd.concat(lines, axis=1).rename_axis(axes[0].get_xlabel() or None)


def _label(axes: Sequence[Axes]) -> str:
    """Name a picture in a few words, which the sentence with the finding follows."""
    names = [
        f"{ax.get_ylabel()} against {ax.get_xlabel()}"
        for ax in axes
        if ax.axison and ax.get_ylabel() and ax.get_xlabel()
    ]
    return f"Picture: {'; '.join(dict.fromkeys(names)) or 'a drawing without axes'}"


# These few rules travel with the picture, because a notebook has no style sheet.
_PANELS_STYLE = "display:flex;flex-wrap:wrap;justify-content:center;gap:0.4em"


def unique_ids(svg: str, *content: str) -> str:
    """Give the ids in `svg` a prefix made from `content`: no two figures share one."""
    prefix = hashlib.sha256("".join(content).encode()).hexdigest()[:8]
    return svg.replace(_ID, f"o{prefix}-")


_ID = "olc-id-"


def _sentence(text: str, name: str, purpose: str) -> str:
    # numbers as in the prose of a page: −1 and 5 %
    text = re.sub(r"(?<![\w)])-(?=\d)", "−", " ".join(text.split()))
    text = re.sub(r"(?<=\d)%", " %", text)
    if len(text) < 8 or " " not in text or re.search(r"\.(png|svg|jpe?g|pdf)$", text):
        raise ValueError(
            f"{name} is {text!r}: say in a sentence {purpose}, "
            "for those who cannot see it"
        )
    return text


def with_commas(text: str) -> str:
    """Part the thousands, except in a quotation and in a short one of a formula.

    >>> with_commas("At N = 1024 it errs 10617 times in “2001”.")
    'At N = 1024 it errs 10,617 times in “2001”.'
    """
    return re.sub(
        r"“[^”]*”|(?<![\d.])(?:\d{5,}|(?<!= )\d{4})(?!\d)",
        lambda found: f"{int(found[0]):,}" if found[0].isdigit() else found[0],
        text,
    )


def _for_column(ax: Axes) -> list[str]:
    """Return a picture as wide as the column, and its twin for a phone."""
    owner: Any = ax.figure
    height = owner.get_figheight()
    if ax.get_aspect() != "auto":  # a plane has its own proportions
        return [_to_svg(ax)]
    owner.set_size_inches(WIDEST, height)
    twin = _to_svg(ax).replace("<svg", '<svg class="olc-narrow"', 1)
    owner.set_size_inches(COLUMN, height)  # as it is saved
    wide = _to_svg(ax).replace("<svg", '<svg class="olc-wide"', 1)
    # A notebook has no style sheet, and no phone.
    return [wide, twin.replace('style="', 'style="display:none;', 1)]


def _side_by_side(axes: Sequence[Axes]) -> list[str]:
    """Return the pictures of panels, two of which fill the column, with letters."""
    letters = iter("abcdefghijklmnop")
    for ax in axes:
        owner: Any = ax.figure
        owner.set_size_inches(HALF, owner.get_figheight())
        if (ax.axison or ax.lines) and not owner.texts:  # no legend by itself
            place = {"va": "bottom", "weight": "bold"}
            owner.text(0.01, 0, next(letters), transform=owner.transFigure, **place)
    return [_to_svg(ax) for ax in axes]


def _to_svg(ax: Axes) -> str:
    owner = ax.figure
    assert isinstance(owner, figure.Figure)
    for axis in (ax.xaxis, ax.yaxis):
        if isinstance(axis.get_major_formatter(), ticker.LogFormatter):
            axis.set_major_formatter(ticker.FuncFormatter(_power))
            axis.set_minor_formatter(ticker.NullFormatter())
    for text in owner.findobj(Text):
        text.set_fontsize(max(_SMALLEST, text.get_fontsize()))
    # The label of the y axis stands upright above it, where a phone can show it.
    ax.yaxis.label.set(rotation=0, ha="left", va="bottom")
    ax.yaxis.set_label_coords(0, 1.02)
    width, height = 72 * owner.get_size_inches()
    ticks = list(ax.yaxis.get_majorticklocs())
    labels = ax.yaxis.get_major_formatter().format_ticks(ticks)
    longest = max(map(len, labels), default=0)
    ends = [text for text in ax.texts if text.get_gid() == END]
    for text in ends:  # on a phone a long name has several lines
        text.set_text(_filled(text.get_text(), width))
    widest = max((len(line) for text in ends for line in _lines(text)), default=0)
    owner.subplots_adjust(
        left=max(_LEFT, 12 + 6.2 * longest) / width,
        right=1 - max(_RIGHT, 8 + 5.6 * widest if ends else 0) / width,
        bottom=_BOTTOM / height,
        top=1 - _TOP / height,
    )
    _part(ax, ends)
    for letter in owner.texts:  # beside the name of the axis
        letter.set_y(1 - (_TOP - 4) / height)
    buffer, none = io.StringIO(), dict.fromkeys(["Date", "Creator", "Format", "Type"])
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "olc"}):
        owner.savefig(buffer, format="svg", transparent=True, metadata=none)
    return _inline(buffer.getvalue())


#: What marks a text as the name of a line, at its end.
END = "end"
_LINE = 12.5  # points from a line of such text to the next


def _filled(name: str, width: float) -> str:
    return textwrap.fill(name, 24 if width > 400 else 12, break_long_words=False)


def _lines(text: Any) -> list[str]:
    return str(text.get_text()).split("\n")


def _part(ax: Axes, ends: Sequence[Any]) -> None:
    """Move the names at the ends of lines up or down, as little as parts them."""
    if not ends:
        return
    low, high = sorted(ax.get_ylim())
    points = 72 / ax.figure.dpi
    floor, ceiling = points * ax.bbox.y0, points * ax.bbox.y1

    def height(text: Any) -> float:
        x, y = text.xy
        return float(points * ax.transData.transform((x, np.clip(y, low, high)))[1])

    ends = sorted(reversed(ends), key=height)  # of equals the first is on top
    wanted = np.array([height(text) for text in ends])
    room = np.array([_LINE * len(_lines(text)) for text in ends])
    # Less the room that those below take, the places only have to rise: those that
    # do not are pooled, and share their mean.
    below = np.cumsum(room) - room / 2
    pools: list[list[float]] = []
    for value in wanted - below:
        pools.append([value])
        while len(pools) > 1 and np.mean(pools[-2]) > np.mean(pools[-1]):
            pools[-2:] = [pools[-2] + pools[-1]]
    highest = max(floor, ceiling - room.sum())
    places = np.concatenate([np.full(len(pool), np.mean(pool)) for pool in pools])
    places = np.clip(places, floor, highest) + below
    for text, place in zip(ends, places, strict=True):
        x, y = text.xy
        text.set_position((6, place - points * ax.transData.transform((x, y))[1]))


def readable(value: float) -> str:
    """Write four digits, and a power of ten only where nobody would count zeros."""
    value += 0.0  # a zero has no sign
    return f"{value:.0f}" if 999.95 <= abs(value) < 1e7 else f"{value:.4g}"


def _power(value: float, _: object = None) -> str:
    """Label a tick of a logarithmic axis: 0.01, 4096, 10⁶."""
    if 1e-3 <= abs(value) < 1e5 or value == 0:
        return f"{value:g}"
    mantissa, exponent = f"{value:e}".split("e")
    digits = str(int(exponent)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    factor = f"{float(mantissa):g}"
    return f"10{digits}" if factor == "1" else f"{factor}·10{digits}"


def _inline(svg: str) -> str:
    """Cut matplotlib's file down to what an HTML page needs."""
    svg = svg[svg.index("<svg") :]
    size = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    assert size is not None
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.S)
    svg = re.sub(r'<defs>\s*<style type="text/css">.*?</style>\s*</defs>', "", svg)
    svg = svg.replace("xlink:href", "href").replace(INK, "currentColor")
    svg = re.sub(r"font-family:[^;\"]*;\s*", "", svg)
    # Clip paths and markers are referred to; the other ids name parts of the drawing.
    used = set(re.findall(r'(?:url\(|href=")#([\w-]+)', svg))

    def renamed(attribute: re.Match[str]) -> str:
        return f' id="{_ID}{attribute[1]}"' if attribute[1] in used else ""

    svg = re.sub(r' id="([^"]*)"', renamed, svg)
    svg = re.sub(r'(url\(|href=")#', rf"\1#{_ID}", svg)
    svg = re.sub(r'(id="\S+" )?\b(?:d|x|y|transform)="[^"]*"', _shorten, svg)
    svg = re.sub(r' transform="rotate\(-0 [^"]*"', "", svg)
    svg = re.sub(r'style="[^"]*"', lambda m: re.sub(r"([:;]) ", r"\1", m.group()), svg)
    svg = re.sub(r"fill:currentColor;|;fill:currentColor\b", "", svg)  # inherited
    # Small letters need more contrast than a line: a third of the ink. White ones
    # stand on a colour and have it already.
    mixed = r"\1fill:color-mix(in srgb,\2 67%,currentColor)"
    svg = re.sub(r"(<text\b[^>]*?)fill:(#(?!ffffff)\w{6})", mixed, svg)
    svg = re.sub(r'<path d="[^"]*" style="fill:none"/>', "", svg)  # empty backgrounds
    svg = re.sub(r">\s+<", "><", svg)
    while "<g></g>" in svg:
        svg = svg.replace("<g></g>", "")
    width, height = (float(side) for side in size.groups())
    opening = (
        f'<svg viewBox="0 0 {width:g} {height:g}" width="{width * 4 / 3:.0f}" '
        'stroke-linejoin="round" fill="currentColor" '
        'style="max-width:100%;height:auto;overflow:visible">'
    )
    return opening + svg[svg.index(">") + 1 :].strip()


def _shorten(attribute: re.Match[str]) -> str:
    # A tenth of a point cannot be seen, except in a marker, which is small.
    digits = 2 if attribute.group(1) else 1

    def short(number: re.Match[str]) -> str:
        return f"{float(number.group()):.{digits}f}".rstrip("0").rstrip(".")

    text = re.sub(r"-?\d+\.\d+", short, attribute.group())
    return re.sub(r"\s+", " ", re.sub(r"\s*\b([MLCQz])\b\s*", r"\1", text))
