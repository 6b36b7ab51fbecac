"""Population files in layouts that are not ours: a game that knows some lists readers in its `rules.py`.

READERS = (Reader(is_theirs, read_theirs),)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from rulebots.errors import UsageError
from rulebots.files.yaml_reading import Map, Node, Scalar
from rulebots.players.population.model import Population
from rulebots.players.population.problems import Problems
from rulebots.registry import game_names, module_of

#: Keys that no other layout has: with one of them a file is meant to be of ours.
OURS = ("format", "players")


@dataclass(frozen=True)
class Reader:
    """What reads one foreign layout of population files.

    `recognizes(root)` is whether a file's tree has that layout. `read(root, problems, comment)` gives the
    population in it; everything wrong goes to `problems`, and `comment` is the text at the top of the file.
    """

    recognizes: Callable[[Node], bool]
    read: Callable[[Node, Problems, str], Population]


def reader_of(root: Node) -> Reader | None:
    """The first reader that recognizes a tree; None for our own layout, and where none does."""
    if isinstance(root, Map) and any(isinstance(key, Scalar) and key.text in OURS for key, _ in root.entries):
        return None
    return next((reader for reader in _readers() if reader.recognizes(root)), None)


def _readers() -> Iterator[Reader]:
    for game in game_names():
        try:
            yield from getattr(module_of(game, "rules"), "READERS", ())
        except UsageError:  # a game that cannot be imported says nothing about this file
            continue
