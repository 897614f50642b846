"""The sentence: read and weighed as the chapter's learner reads and weighs it."""

from __future__ import annotations

import pytest
from lab_games import printed, states

import olc
from olc_book import labs, text
from olc_book.labs.sentence import WORDS, table

FOOLED = "I accept that you are right."
ODD = [
    "", "nothing here", "accept", "EXCEPT!", "It’s `n_jobs`, except ``x``, 3.5e1 times",
    "a:func:`accept` b", "Naïve Größen except ½ and x² (s) f(s) f(x)", "<b>except</b>",
    "see :meth:`~a.b` accept __init__ a.b.c", "I'd accept, wouldn't you?", "_ accept",
    "accept except", "    accept    ", "camelCase accept a_b", "x" * 190 + " accept",
]  # fmt: skip


def test_the_goal_can_be_reached_and_is_not_at_first():
    first, fooled = states("sentence", {}, {"text": FOOLED})
    assert not first["reached"]
    assert fooled["reached"]
    assert fooled["written"] == "accept"
    assert fooled["said"] == "except"


def test_sentences_are_read_and_weighed_as_in_python():
    found = [gap.sentence for gap in text.gaps(*WORDS)]
    others = [gap.blank for gap in text.gaps("than", "then", "its", "it's")[::7]]
    found += [one.replace("____", "except") for one in others]
    found = ODD + [one for one in found if len(one) <= 200]
    assert len(found) > 800
    wrong = []
    games = states("sentence", *({"text": one} for one in found))
    for sentence, game in zip(found, games, strict=True):
        lab = labs.lab("sentence", text=sentence)
        try:
            gap = text.gap(sentence, WORDS)
        except ValueError:
            assert game["says"].startswith("Write a sentence with")
            continue
        same = game["seen"].split("~") == text.features(gap)
        same &= game["written"] == gap.word
        same &= game["score"] == pytest.approx(lab.score)
        same &= game["said"] == WORDS[lab.score < 1]
        wrong += [] if same else [(sentence, game["seen"], text.features(gap))]
    assert not wrong


def test_what_is_copied_prints_what_the_page_says(capsys):
    for game in states("sentence", {}, {"text": FOOLED}):
        trained, told = printed(game["python"], capsys)
        assert trained == "trained: Trace(59 mistakes in 432 rounds)"
        assert "it erred 59 times on 432 sentences" in game["says"]
        word, score = told.split(" with score ")
        assert word == game["said"]
        assert float(score) == pytest.approx(game["score"])


def test_the_table_of_weights_is_as_python_makes_it_and_small():
    stored = (labs.FOLDER / "js" / "spelling.js").read_text("utf-8")
    assert stored == table()


def test_a_sentence_that_is_none_is_refused():
    with pytest.raises(ValueError, match="text must be a text of at most 200 char"):
        olc.lab("sentence", text="x" * 201)


def test_the_still_says_what_the_script_says():
    (game,) = states("sentence", {})
    alt = olc.lab("sentence").still.alt
    assert f"It would put {game['said']}, with score {game['score']:.3g}" in alt
