"""Bad arguments are refused in one sentence: a line per case in tests/refusals/*.txt.

A line is ``call | error | words``: the error that the call raises, and a regular
expression that its message matches. Lines that begin with # are comments.
"""

import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import olc

FILES = sorted((Path(__file__).parent / "refusals").glob("*.txt"))
NAMES = {
    **{name: getattr(olc, name) for name in dir(olc)},
    **{path.stem: getattr(olc, path.stem, None) for path in FILES},
    "np": np,
    "math": math,
    "pd": pd,
    "sparse": sparse,
    "olc": olc,
    "__name__": "refusals",  # the module of the classes that a line defines
}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_bad_arguments_are_refused_in_words(path):
    wrong = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        call, error, words = (part.strip() for part in line.split(" | "))
        kind = vars(__import__("builtins"))[error]
        try:
            with pytest.raises(kind, match=words):
                eval(call, dict(NAMES))
        except (AssertionError, pytest.fail.Exception, Exception) as found:
            wrong.append(f"line {number}: {call}: {type(found).__name__}: {found}")
    assert not wrong, "\n".join(wrong)
