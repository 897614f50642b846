"""Gather the corpus of the chapter on spelling: python -m tools.spelling

The documentation strings of some packages that requirements.txt pins are read from
their source files, which are parsed and not imported. Text that was seen before, be it
inherited or copied with other names and numbers, is left out, and so is what has none
of the words in question. The rest goes to olc_book/_data/spelling.txt.gz, whose first
line says which versions were read, and by which rules: it need not be gathered anew
when the lock changes, and is not compared with a new one as long as the line holds.
"""

from __future__ import annotations

import ast
import gzip
import itertools
import re
import sys
import zlib
from collections.abc import Iterable, Iterator
from functools import lru_cache
from importlib import metadata
from pathlib import Path

from olc_book import text

ROOT = Path(__file__).resolve().parent.parent
CORPUS = ROOT / "olc_book" / "_data" / "spelling.txt.gz"
#: The packages by name, and the folder of each.
PACKAGES = {
    "ipython": "IPython",
    "matplotlib": "matplotlib",
    "numba": "numba",
    "numpy": "numpy",
    "pandas": "pandas",
    "scikit-learn": "sklearn",
    "scipy": "scipy",
    "sqlalchemy": "sqlalchemy",
}
RUN = 5  # words of a run that is looked for in what was seen before
SHORTEST, LONGEST = 5, 60  # words of a sentence; what is longer is a table or a list
MOST = 1500  # sentences around one word

tokens = lru_cache(1)(text.tokens)  # a sentence is asked for its own twice in a row


def main() -> int:
    """Gather the corpus and write it, if it has changed."""
    text_now = corpus({name: folder(name) for name in PACKAGES}, heading())
    packed = gzip.compress(text_now.encode("utf-8"), mtime=0)
    if not CORPUS.exists() or gzip.decompress(CORPUS.read_bytes()) != text_now.encode():
        CORPUS.write_bytes(packed)
    print(f"{text_now.count(chr(10)) - 1} sentences, {len(packed) / 1e6:.2f} MB")
    return 0


def heading() -> str:
    """Return the first line: the installed versions, and a hash of the rules."""
    read = [f"{name}=={metadata.version(name)}" for name in PACKAGES]
    patterns = [rule.pattern for rule in (text._TOKEN, text._ROLE, NO_PROSE, END)]
    rules = repr((text.CONFUSIONS, patterns, RUN, SHORTEST, LONGEST, MOST))
    return " ".join([*read, f"gatherer=={zlib.crc32(rules.encode()):08x}"])


def folder(name: str) -> Path:
    """Return where a package is installed."""
    return Path(str(metadata.distribution(name).locate_file(PACKAGES[name])))


def corpus(folders: dict[str, Path], heading: str) -> str:
    """Return the corpus: a heading, then package, word and sentence in each line."""
    fresh = unseen(
        (name, sentence)
        for name, place in folders.items()
        for doc in docstrings(place)
        for sentence in sentences(doc)
    )
    lines = few(line for pair in fresh for line in around(*pair))
    return "\n".join([heading, *lines, ""])


DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def docstrings(place: Path) -> Iterator[str]:
    """Yield the documentation strings of a package, file by file, tests left out."""
    for path in sorted(place.rglob("*.py"), key=lambda path: path.as_posix()):
        if "tests" not in path.relative_to(place).parts:
            for node in ast.walk(ast.parse(path.read_bytes())):
                if isinstance(node, DOCUMENTED) and (doc := ast.get_docstring(node)):
                    yield doc


# What opens a line that is no prose: doctests, directives, tables, and "name : type".
NO_PROSE = re.compile(r">>>|\.\.|\||\+-|\$|In \[|Out\[|[=\-~^*#+.]{3,}$|[*\w`, ]+ : ")
# The end of a sentence, unless it is that of an initial or of an abbreviation.
END = re.compile(
    r"(?<![A-Z])(?<!e\.g)(?<!i\.e)(?<!etc)(?<!cf)(?<!vs)[.!?]\)?\s+(?=[A-Z`*\"'(])"
)


def sentences(doc: str) -> Iterator[str]:
    """Yield the sentences of a documentation string, each on one line."""
    for paragraph in re.split(r"\n\s*\n", doc):
        lines = map(str.strip, paragraph.splitlines())
        lines = itertools.takewhile(lambda line: not line.startswith(">>>"), lines)
        for is_prose, run in itertools.groupby(lines, lambda s: not NO_PROSE.match(s)):
            if is_prose:
                prose = " ".join(" ".join(run).split())
                starts = [0, *(end.end() for end in END.finditer(prose))]
                for start, stop in itertools.pairwise([*starts, None]):
                    yield prose[start:stop].strip()


def unseen(pairs: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield the sentences most of whose runs of five words have not been seen.

    Names and numbers do not count, so that a copy in which only these differ is one.
    """
    seen: set[str] = set()
    same: set[str] = set()
    for name, sentence in pairs:
        if sentence in same:  # nothing of it is new
            continue
        same.add(sentence)
        words = [token for token in tokens(sentence) if token[0].isalpha()]
        if not SHORTEST <= len(words) <= LONGEST:
            continue
        runs = {" ".join(words[i : i + RUN]) for i in range(len(words) - RUN + 1)}
        if 2 * len(runs - seen) > len(runs):
            yield name, sentence
        seen |= runs


def around(name: str, sentence: str) -> Iterator[tuple[str, str, str]]:
    """Yield package, word and sentence for every set of words that it can ask for."""
    for words in text.CONFUSIONS:
        if found := [token for token in tokens(sentence) if token in words]:
            yield name, found[0], sentence


def few(lines: Iterable[tuple[str, str, str]]) -> list[str]:
    """Return the lines, at most so many for a word: which of them is up to a hash."""
    by_word: dict[str, list[tuple[int, int, str]]] = {}
    for number, (name, word, sentence) in enumerate(lines):
        lot = zlib.crc32(sentence.encode("utf-8"))
        line = f"{name}\t{word}\t{sentence}"
        by_word.setdefault(word, []).append((lot, number, line))
    kept = [line for found in by_word.values() for line in sorted(found)[:MOST]]
    return [line for _, _, line in sorted(kept, key=lambda line: line[1])]


if __name__ == "__main__":
    sys.exit(main())
