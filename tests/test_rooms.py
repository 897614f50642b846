"""Imports go one way through the rooms, and the engine names no learner."""

from helpers import ROOT

#: Every module belongs to the first room whose pattern it fits; imports go up only.
ROOMS = {
    "core": ["olc.core"],
    "fast": ["olc.fast"],
    "data": ["olc.streams", "olc.adversaries"],
    "experiments": ["olc.sweep", "olc.sklearn"],
    "book": ["olc_book"],
    "algorithms": ["olc"],
}
ORDER = ["core", "fast", "algorithms", "data", "experiments", "book"]
CORE = ["check", "numerics", "learner", "stream", "game", "ledger"]
MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts): path
    for package in ("olc", "olc_book")
    for path in (ROOT / package).rglob("*.py")
}


def room(module):
    """Return the place in the order of the room that a module is in."""
    within = (
        name
        for name, places in ROOMS.items()
        if any(f"{module}.".startswith(f"{place}.") for place in places)
    )
    return ORDER.index(next(within))
