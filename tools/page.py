"""What is done to a page when Sphinx has written it: it gets light, and stays still.

A page loads what it needs to be read and no more: of the icons the ten that are shown,
in one font. A formula is given its room before MathJax has set it, or the lines below
would jump.
"""

from __future__ import annotations

import html
import logging
import re
from collections.abc import Iterable
from pathlib import Path

from fontTools import subset

from olc_book import labs
from olc_book.exercises import core

# --- formulas -------------------------------------------------------------------------

_GROUP = r"(\{(?:[^{}]|\{[^{}]*\})*\}|\w)"
_FRACTION = re.compile(rf"\\[td]?frac{_GROUP}{_GROUP}")
_SCRIPT = re.compile(r"[_^](?:\{([^{}]*)\}|\w)")
_SPACED = re.compile(
    r"\\(?:le|ge|ne|in|to|approx|mapsto|Rightarrow|leftarrow|land|lor|cup|cap|subseteq"
    r"|propto)(?![a-zA-Z])|[=<>+-]"
)
_SILENT = re.compile(
    r"\\(?:operatorname|math\w+|text\w*|hat|bar|tilde|[bB]ig[lr]?|left|right|limits"
    r"|displaystyle)(?![a-zA-Z])\*?|\\[()!,]"
)
_NAMED = re.compile(r"\\(ln|log|max|min|exp|cosh|sinh|sin|arcsin|Pr|sup)(?![a-zA-Z])")


def width(tex: str) -> float:
    """Estimate the width of a formula in a line, in the size of letters.

    The factors are fitted to a thousand formulas of the book; the mean miss is 0.4.
    """
    tex = _FRACTION.sub(lambda found: max(found[1], found[2], key=len), tex)
    scripts = [re.sub(r"\\[a-zA-Z]+", "x", one) for one in _SCRIPT.findall(tex)]
    small = sum(map(len, scripts)) + len(re.findall("[_^]", tex))
    spaced = len(_SPACED.findall(tex))
    tex = _NAMED.sub(r"\1", _SPACED.sub(" ", tex)).replace(r"\sqrt", "xx")
    tex = re.sub(r"\\[a-zA-Z]+|\\.", "x", _SILENT.sub(" ", tex))
    tex = re.sub(r"[{}_^\s]", "", tex)
    narrow = len(re.findall(r"[()\[\],|ijlt/:;.]", tex))
    wide = len(re.findall("[A-Zmw]", tex))
    sized = 0.63 * len(tex) - 0.2 * narrow + 0.22 * wide + 1.6 * spaced - 0.16 * small
    return round(max(0.5, 1.07 * sized), 1)


def height(tex: str) -> float:
    """Estimate the height of a formula that stands alone, in the size of letters."""
    tall = bool(re.search(r"\\(?:d?frac|sum|prod|int|max|min|Bigl|binom)", tex))
    return round((1 + tex.count(r"\\")) * (3.9 if tall else 3.4) + 0.8 + 0.8 * tall, 1)


def _room(found: re.Match[str]) -> str:
    tag, rest, tex = found.groups()
    size = f"--w:{width(html.unescape(tex))}em"
    if tag == "div":
        size = f"--h:{height(html.unescape(tex))}em"
    return f'<{tag} style="{size}" class="math{rest}>{tex}</{tag}>'


# --- pages ----------------------------------------------------------------------------

_FORMULA = re.compile(r'<(span|div) class="math([^>]*)>(.*?)</\1>', re.S)
_ICONS_SCRIPT = re.compile(r'<script src="[^"]*/fontawesome/[^"]*"></script>\s*')
# The theme fetches its fonts ahead in a way that browsers refuse on file://.
_FONTS_AHEAD = re.compile(r'<link rel="preload" as="font"[^>]*>\s*')
_UNANSWERED = (
    "Put your answer where the dots are, in the notebook of this chapter, or here if"
    " the page has a button to run it: then you are told what is right or wrong."
)
# Until MathJax has come; book.js takes it back. Without scripts formulas are read as
# they were written.
_WAITING = '<script>document.documentElement.classList.add("olc-waiting")</script>'
# The theme knows whether it is light or dark when all scripts have come, and only then
# has code its own lines and colours, and the sidebar its logo.
LATE = 'dataset.theme = localStorage.getItem("theme") || "auto"'
AT_ONCE = """dataset.theme = /light|dark/.exec(localStorage.getItem("mode"))?.[0]
      ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")"""


def finish(folder: Path) -> None:
    """Finish all pages of a built book."""
    labs.write(folder / "_static" / "labs")
    icons = set()
    for path in folder.rglob("*.html"):
        text = path.read_text("utf-8")
        root = "../" * (len(path.relative_to(folder).parts) - 1)
        text = labs.linked(text, f"{root}_static/labs")
        text = _FONTS_AHEAD.sub("", _ICONS_SCRIPT.sub("", text))
        if (set_text := _FORMULA.sub(_room, text)) != text:
            text = set_text.replace("<head>", f"<head>{_WAITING}", 1)
        text = text.replace(LATE, AT_ONCE)
        # docutils gives a reference a role that has gone out of use.
        text = text.replace('role="doc-biblioentry"', 'role="listitem"')
        # The theme gives what unfolds the list of modules an arrow, and no name.
        toggle = '<summary><span class="toctree-toggle"'
        text = text.replace(toggle, toggle.replace(">", ' aria-label="Modules">', 1))
        # Nobody has been asked yet: who runs the page hears that it is not answered.
        text = text.replace(f"✗ Not yet: {core.STUB}.", _UNANSWERED)
        # pandas leaves the corner of a table empty, and calls it a heading.
        text = text.replace("<th></th>", "<td></td>")
        path.write_text(text, "utf-8")
        icons |= set(re.findall(r"\bfa-[a-z-]+", text))
    for path in (folder / "_static" / "vendor").rglob("all.min.css"):
        path.write_text(only(icons, path.read_text("utf-8")), "utf-8")
        leave_shown(path, (folder / "_static").rglob("*.css"))


def only(icons: set[str], styles: str) -> str:
    """Return FontAwesome's styles with the signs of these icons and of no others."""

    def kept(found: re.Match[str]) -> str:
        return (
            found[0] if {*re.findall(r"\.(fa-[a-z0-9-]+):", found[1])} & icons else ""
        )

    sign = r'((?:\.fa-[a-z0-9-]+:{1,2}before,?)+)\{content:"[^"]*"\}'
    return re.sub(sign, kept, styles)


_FONT = "fa-solid-900"  # the one in which the icons of the pages are


def leave_shown(path: Path, all_styles: Iterable[Path]) -> None:
    """Leave of FontAwesome's font the signs that some style names, 2 of 156 kB."""
    text = "".join(one.read_text("utf-8") for one in all_styles)
    named = {int(code, 16) for code in re.findall(r"\\(f[0-9a-f]{3})\b", text)}
    named |= {ord(sign) for sign in text if "\uf000" <= sign <= "\uf8ff"}
    fonts = path.parent.parent / "webfonts"
    logging.getLogger("fontTools").setLevel(logging.WARNING)  # it tells of every table
    options = subset.Options(flavor="woff")
    font = subset.load_font(fonts / f"{_FONT}.ttf", options)
    fewer = subset.Subsetter(options)
    fewer.populate(unicodes=named)
    fewer.subset(font)
    subset.save_font(font, fonts / f"{_FONT}.woff", options)
    whole = rf"url\(([./]*webfonts/{_FONT})\.woff2\)[^;}}]*"
    smaller = r'url(\1.woff) format("woff")'
    path.write_text(re.sub(whole, smaller, path.read_text("utf-8")), "utf-8")
    for ending in (".ttf", ".woff2"):
        (fonts / f"{_FONT}{ending}").unlink()
