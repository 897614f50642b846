"""A Sphinx extension: a citation is a link to its key.

[Littlestone (1988)](#littlestone1988) is a form that JupyterLab can show; the page
shows the same words and leads to the bibliography.
"""

from __future__ import annotations

from typing import Any

from docutils import nodes
from pybtex.plugin import find_plugin, register_plugin
from sphinxcontrib.bibtex.domain import BibtexDomain


class Links(BibtexDomain):
    """The references of the book, as the targets of links."""

    def resolve_any_xref(self, *arguments: Any) -> list[tuple[str, nodes.reference]]:
        """Return a link to the reference, with the words of the text."""
        *_, words = arguments
        found = super().resolve_any_xref(*arguments)
        links = [link for _, node in found for link in node.findall(nodes.reference)]
        for link in links:
            link[:] = words.children
        return [("cite:p", link) for link in links]


def setup(app: Any) -> dict[str, bool]:
    """Register the extension."""
    app.add_domain(Links, override=True)
    # Every citation looks for it again, among all that is installed.
    writer = "pybtex.backends", "plaintext"
    register_plugin(*writer, find_plugin(*writer), force=True)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
