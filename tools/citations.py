"""A Sphinx extension: citations by author and year, and by author where none is known.

The style of sphinxcontrib-bibtex that this one follows says [n.d.] instead, "no date".
A citation may also be a link to its key, [Littlestone (1988)](#littlestone1988), which
JupyterLab can show; the page shows the same words.
"""

from __future__ import annotations

import dataclasses
import functools
from dataclasses import dataclass
from typing import Any

import pybtex.plugin
from docutils import nodes
from pybtex.style.template import field, first_of, join, optional
from sphinxcontrib.bibtex import plugin
from sphinxcontrib.bibtex.domain import BibtexDomain
from sphinxcontrib.bibtex.style.referencing import (
    BracketStyle,
    GroupReferenceStyle,
    PersonStyle,
)
from sphinxcontrib.bibtex.style.referencing.basic_author_year import (
    BasicAuthorYearParentheticalReferenceStyle,
    BasicAuthorYearTextualReferenceStyle,
)
from sphinxcontrib.bibtex.style.template import reference

ROUND = BracketStyle(left="(", right=")")


class InText(BasicAuthorYearTextualReferenceStyle):
    """Littlestone (1988); where there is no year the author is the link."""

    def inner(self, role_name: str) -> Any:
        """Return the template of one reference."""
        author = self.person.author_or_editor_or_title(full="s" in role_name)
        year = join["(", reference[field("year")], ")"]
        return first_of[optional[join(sep=" ")[author, year]], reference[author]]


class InBrackets(BasicAuthorYearParentheticalReferenceStyle):
    """(Littlestone, 1988)."""

    def inner(self, role_name: str) -> Any:
        """Return the template of one reference."""
        author = self.person.author_or_editor_or_title(full="s" in role_name)
        return reference[join(sep=", ")[author, optional[field("year")]]]


@dataclass
class AuthorAndYear(GroupReferenceStyle):
    """Both, as the roles cite:t and cite:p."""

    person: PersonStyle = dataclasses.field(default_factory=PersonStyle)

    def __post_init__(self) -> None:
        """Collect the styles."""
        self.styles += [
            InText(bracket=ROUND, person=self.person),
            InBrackets(bracket=ROUND, person=self.person),
        ]
        super().__post_init__()


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
    plugin.register_plugin(
        "sphinxcontrib.bibtex.style.referencing", "author_and_year", AuthorAndYear
    )
    # Every citation asks for a plugin, and all installed packages are searched for it.
    pybtex.plugin.find_plugin = functools.cache(pybtex.plugin.find_plugin)
    app.add_domain(Links, override=True)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
