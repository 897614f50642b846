"""A Sphinx extension: SOLUTIONS=no builds a book without solutions.

The option hide_solutions of sphinx-exercise breaks off where a solution has code. Its
titles begin their link with the blank that comes before it, which is underlined then.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx_exercise.nodes import solution_node

# Where jupyter-book is called by itself, it does not know this folder.
sys.path.append(str(Path(__file__).resolve().parent.parent))

from tools import book


def setup(app: Any) -> dict[str, bool]:
    """Register the extension."""
    if not book.SOLUTIONS:
        app.connect("doctree-read", _drop)
    app.connect("doctree-resolved", _unlink_blank)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _drop(app: Any, doctree: Any) -> None:
    for node in list(doctree.findall(solution_node)):
        # A link into the solution leads to the exercise above it.
        places = {one for part in node.findall(nodes.Element) for one in part["ids"]}
        places.discard("solution-content")  # every one has it
        node.replace_self(nodes.target(ids=sorted(places)))


def _unlink_blank(app: Any, doctree: Any, page: str) -> None:
    for node in doctree.findall(solution_node):
        for link in list(node[0].findall(nodes.reference)):
            name = next(link.findall(nodes.Text))
            if name.startswith(" "):
                name.parent.replace(name, nodes.Text(name.lstrip()))
                link.parent.insert(link.parent.index(link), nodes.Text(" "))
