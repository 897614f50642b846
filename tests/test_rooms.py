"""Imports go one way through the rooms, and the engine names no learner."""

import ast
import re
import sys
import tomllib
import types

import pytest
from helpers import ROOT, run
from packaging.requirements import Requirement

import olc

#: Every module belongs to the first room whose pattern it fits; imports go up only.
ROOMS = {
    "core": r"olc\.core\.(check|numerics|learner|stream|game|ledger)",
    "fast": r"olc\.fast\.(play|kernels)",
    "data": r"olc\.(streams|adversaries)",
    "experiments": r"olc\.(sweep|sklearn)",
    "book": r"olc_book(\.\w+)*",
    "algorithms": r"olc\.\w+",
}
ORDER = ["core", "fast", "algorithms", "data", "experiments", "book"]
CORE = ["check", "numerics", "learner", "stream", "game", "ledger"]
MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(
        ".__init__"
    ): path
    for package in ("olc", "olc_book")
    for path in (ROOT / package).rglob("*.py")
}
DOORS = {"olc", "olc.core", "olc.fast"}  # these let in, or are empty


def room(module):
    """Return the place in the order of the room that a module is in."""
    found = [name for name, form in ROOMS.items() if re.fullmatch(form, module)]
    assert found, f"{module} is in no room"
    return ORDER.index(found[0])


def home(name):
    """Return the module that `name` of olc is, or comes from."""
    if name in olc._LATER:
        return olc._LATER[name]
    thing = getattr(olc, name)
    return thing.__name__ if isinstance(thing, types.ModuleType) else thing.__module__


def imports(source):
    """Yield the modules of ours that a text imports, in whatever way."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names=names):
                yield from (name.name for name in names)
            case ast.ImportFrom(module="olc", level=0, names=names):
                yield from (home(name.name) for name in names)
            case ast.ImportFrom(module=str(module), level=0, names=names):
                inside = (f"{module}.{name.name}" for name in names)
                yield from (name if name in MODULES else module for name in inside)
            case ast.ImportFrom():
                yield "olc_book"  # what is relative hides its room
            case ast.Attribute(value=ast.Name(id="olc"), attr=name):
                yield home(name)
            case ast.Constant(value=str(name)) if name in MODULES:
                yield name  # for import_module


def back(module, source):
    """Return what a module with this text imports and should not."""
    ours = {
        name for name in imports(source) if re.match(r"olc(_book)?\.|olc_book$", name)
    }
    wrong = {name for name in ours if room(name) > room(module)}
    if room(module) == 0:
        rank = {f"olc.core.{name}": number for number, name in enumerate(CORE)}
        wrong |= {name for name in ours - wrong if rank[name] >= rank[module]}
    return wrong


@pytest.mark.parametrize("module", sorted({*MODULES} - DOORS))
def test_imports_go_one_way(module):
    assert back(module, MODULES[module].read_text("utf-8")) == set()


@pytest.mark.parametrize(
    ("module", "source", "culprit"),
    [
        ("olc.geometry", "from olc import adversaries", "olc.adversaries"),
        ("olc.geometry", "from olc import plots", "olc_book.plots"),
        ("olc.geometry", "from olc import duel", "olc.adversaries"),
        (
            "olc.geometry",
            "from olc.core import check\nfrom olc import sweep",
            "olc.sweep",
        ),
        ("olc.geometry", "def f():\n    import olc.sklearn", "olc.sklearn"),
        ("olc.geometry", "import olc\nolc.text.pairs()", "olc_book.text"),
        ("olc.geometry", "import_module('olc_book.listing')", "olc_book.listing"),
        ("olc.geometry", "from . import plots", "olc_book"),
        ("olc.sweep", "from olc_book.plots import panel", "olc_book.plots"),
        ("olc.streams", "from olc.sweep import labelled", "olc.sweep"),
        ("olc.fast.play", "from olc.perceptron import Perceptron", "olc.perceptron"),
        ("olc.fast.play", "from olc import Perceptron", "olc.perceptron"),
        ("olc.core.game", "from olc.fast.play import play", "olc.fast.play"),
        ("olc.core.check", "from olc.core import game", "olc.core.game"),
    ],
)
def test_an_import_that_goes_back_is_noticed(module, source, culprit):
    assert back(module, source) == {culprit}


def test_a_module_in_no_room_is_noticed():
    with pytest.raises(AssertionError, match=r"olc\.show\.text is in no room"):
        back("olc.show.text", "from olc import geometry")


def test_olc_needs_numpy_alone_and_nothing_of_the_book():
    code = (
        "import sys, numpy.random; before = set(sys.modules); import olc;"
        "stream = olc.streams.disjunction(4, 1, 9, seed=0); stream.radius;"
        "[olc.play(kind(4), stream) for kind in (olc.Perceptron, olc.Winnow)];"
        "new = {name.partition('.')[0] for name in set(sys.modules) - before};"
        "print(*sorted(new - set(sys.stdlib_module_names)))"
    )
    assert run([sys.executable, "-c", code]).split() == ["numpy", "olc"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert [Requirement(line).name for line in project["dependencies"]] == ["numpy"]


def named(source):
    """Return the learners that a text names: as a name, an attribute or a string."""
    kinds = {name for name in olc.__all__ if isinstance(getattr(olc, name), type)}
    words = {
        getattr(node, field)
        for node in ast.walk(ast.parse(source))
        for field in ("id", "attr", "value")
        if isinstance(getattr(node, field, None), str)
    }
    return words & kinds - {"Learner", "Linear", "Stream", "Trace"}


def test_the_engine_names_no_learner():
    for module, path in MODULES.items():
        if module.startswith(("olc.core", "olc.fast")):
            assert named(path.read_text("utf-8")) == set(), module
    for source in ("Winnow(3)", "winnow.Winnow", "type(learner).__name__ == 'Winnow'"):
        assert named(source) == {"Winnow"}
