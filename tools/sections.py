"""A Sphinx extension: a search that finds sections, and shows what they say.

Sphinx finds pages and fetches them for an excerpt, which a browser refuses where the
book is opened from disk. So the index holds the text of every section, of every box
with its number, and of every described object; book/_assets/search.js looks through it.
"""

from __future__ import annotations

import html
import json
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes

INDEX = "searchindex.js"


def setup(app: Any) -> dict[str, bool]:
    """Register the extension."""
    found: list[list[str]] = []

    def begin(app: Any) -> None:
        # An index of Sphinx's own would not be used.
        app.builder.index_page = app.builder.dump_search_index = lambda *_: None

    def collect(
        app: Any, page: str, template: str, context: dict[str, Any], doctree: Any
    ) -> None:
        if page == "search":
            app.add_js_file("search.js")
        elif doctree:
            numbers = app.env.toc_fignumbers.get(page, {})
            found.extend([page, *section] for section in sections(doctree, numbers))

    def write(app: Any, failure: Exception | None) -> None:
        index = json.dumps(found, ensure_ascii=False, separators=(",", ":"))
        text = f"Search.setIndex({index})"
        (Path(app.outdir) / INDEX).write_text(text, encoding="utf-8")

    app.connect("builder-inited", begin)
    app.connect("html-page-context", collect)
    app.connect("build-finished", write)
    return {"parallel_read_safe": True, "parallel_write_safe": False}


def sections(document: nodes.Element, numbers: Any) -> Iterator[list[str]]:
    """Yield anchor, title and text of sections, boxes and described objects."""
    for part in document.findall(_is_part):
        if _is_box(part):
            anchor, title = part["ids"][0], box_title(part, numbers)
        elif isinstance(part, nodes.section):
            top = isinstance(part.parent, nodes.document)
            anchor, title = "" if top else part["ids"][0], inline(part[0])
        elif part[0]["ids"]:
            anchor = part[0]["ids"][0]
            title = part[0].get("fullname") or anchor
        else:
            continue  # described elsewhere
        yield [anchor, title, " ".join(" ".join(own(part)).split())]


def box_title(box: nodes.Element, numbers: Any) -> str:
    """Return what stands above a box, such as Theorem 5.1 (Perceptron convergence)."""
    kind = box.get("realtype") or box.get("type")
    number = numbers.get(box.get("countertype", kind), {}).get(box["ids"][0], ())
    words = [kind.capitalize(), ".".join(map(str, number)), inline(box[0]).strip()]
    return " ".join(filter(None, words))


def _is_part(node: nodes.Node) -> bool:
    # The box of an exercise holds a section, too, but that has no heading.
    titled = isinstance(node, nodes.section) and isinstance(node[0], nodes.title)
    return titled or _is_box(node) or isinstance(node, addnodes.desc)


def _is_box(node: nodes.Node) -> bool:
    boxed = isinstance(node, nodes.Element) and node.get("label") and node["ids"]
    return bool(boxed and ("realtype" in node or node.get("type") == "exercise"))


def own(node: nodes.Element) -> Iterator[str]:
    """Yield the paragraphs of a part of a page, without those of the parts in it."""
    for child in node.children:
        if _is_box(child):
            yield inline(child[0])  # the rest has an entry of its own
        if _is_part(child) or isinstance(child, nodes.title):
            continue
        if isinstance(child, nodes.TextElement | nodes.raw):
            yield inline(child)
        elif not isinstance(child, nodes.Invisible):
            yield from own(child)


def inline(node: nodes.Node) -> str:
    """Return the text of a paragraph, with formulas as plain as they can be."""
    if isinstance(node, nodes.math | nodes.math_block):
        return plain(node.astext())
    if isinstance(node, nodes.raw):
        kept = re.sub(r"(?s)<(svg|style|script)\b.*?</\1>", " ", node.astext())
        return html.unescape(re.sub(r"<[^>]*>", " ", kept))
    if isinstance(node, nodes.Text | addnodes.desc_signature):
        return node.astext()
    return "".join(map(inline, node.children))


SIGNS = {
    **{"le": "≤", "ge": "≥", "ne": "≠", "approx": "≈", "cdot": "·", "times": "×"},
    **{"in": "∈", "to": "→", "sum": "∑", "pm": "±", "infty": "∞", "ell": "ℓ"},
    **{"dots": "…", "ldots": "…", "langle": "⟨", "rangle": "⟩"},
    **{"lVert": "‖", "rVert": "‖"},
}
NAMES = {"ln", "log", "exp", "max", "min", "Pr", "sqrt", "sup", "inf", "sinh", "cosh"}


def plain(formula: str) -> str:
    r"""Return a formula without its commands.

    >>> plain(r"M \le \frac{R^2}{\gamma^2} \text{ for every } w_{t+1}")
    'M ≤ R^2/γ^2 for every w_t+1'
    """
    text = re.sub(r"\\[dt]?frac(\w|\{[^{}]*\})(\w|\{[^{}]*\})", r"\1/\2", formula)
    text = re.sub(r"\\(?:begin|end)\{\w+\*?\}|\\\\|\\[,;:! ]|&", " ", text)
    text = re.sub(r"\\([A-Za-z]+)", lambda command: _sign(command[1]), text)
    return " ".join(re.sub(r"[{}$\\]", "", text).split())


def _sign(name: str) -> str:
    size = "SMALL" if name.islower() else "CAPITAL"
    letter = name.removeprefix("var").upper().replace("LAMBDA", "LAMDA")
    try:
        return unicodedata.lookup(f"GREEK {size} LETTER {letter}")
    except KeyError:
        return SIGNS.get(name, f" {name}" if name in NAMES else "")
