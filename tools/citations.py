"""A Sphinx extension: citations by author and year, and by author where none is known.

The style of sphinxcontrib-bibtex that this one follows says [n.d.] instead, "no date".
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from pybtex.style.template import field, first_of, join, optional
from sphinxcontrib.bibtex import plugin
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


def setup(app: Any) -> dict[str, bool]:
    """Register the extension."""
    plugin.register_plugin(
        "sphinxcontrib.bibtex.style.referencing", "author_and_year", AuthorAndYear
    )
    return {"parallel_read_safe": True, "parallel_write_safe": True}
