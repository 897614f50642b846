"""The lab of the sentence: which of two words the learner of the chapter would put."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from typing import TYPE_CHECKING, Any

import olc
from olc_book import text
from olc_book.labs import Lab

if TYPE_CHECKING:
    from olc_book.plots import Figure

WORDS = "accept", "except"


@cache
def trained() -> tuple[dict[str, int], Any]:
    """Return how often each feature was updated for +1, less for -1, and the stream."""
    dictionary = text.Dictionary()
    train = text.examples(text.gaps(*WORDS), WORDS, dictionary)
    learner = olc.BalancedMarginWinnow(train.n, alpha=1.1, thickness=4)
    olc.play(learner, train)
    counts = zip(dictionary.names, learner.state.astype(int).tolist(), strict=True)
    return {name: count for name, count in counts if count}, train


def table() -> str:
    """Return js/spelling.js, which has these counts: one string, to be small."""
    names = defaultdict(list)
    for name, count in sorted(trained()[0].items()):
        names[count].append(name)
    groups = ("~".join([str(count), *names[count]]) for count in sorted(names))
    said = "// Made by olc_book.labs.sentence.table: count~feature~feature…#count~…"
    return f'{said}\nglobalThis.olcSpelling =\n  "{"#".join(groups)}";\n'


class Sentence(Lab):
    """What the reader has typed."""

    parts = ("spelling",)

    @property
    def votes(self) -> dict[str, float]:
        """The weights of the features that the trained learner knows."""
        seen = text.features(text.gap(self.text, WORDS))
        counts = trained()[0]
        return {
            name: 1.1 ** counts[name] - 1.1 ** -counts[name]
            for name in seen
            if name in counts
        }

    @property
    def score(self) -> float:
        """Their sum: the word is the first if it reaches 1."""
        return sum(self.votes.values())

    @property
    def examples(self) -> tuple[Any, Any]:
        """The sentences from which it has learnt."""
        train = trained()[1]
        return train.X, train.y

    @property
    def still(self) -> Figure:
        """The loudest votes."""
        from olc_book.plots import Figure, look, panel

        ax, votes = panel(height=2.6), self.votes
        loud = sorted(votes, key=lambda name: abs(votes[name]))[-7:]
        ax.barh(
            loud, [votes[name] for name in loud], color=look("MarginWinnow")["color"]
        )
        ax.set(xlabel=f"vote for {WORDS[0]}")
        word = WORDS[0] if self.score >= 1 else WORDS[1]
        return Figure(
            ax, f"{self.text} It would put {word}, with score {self.score:.3g}."
        )
