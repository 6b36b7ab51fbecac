"""What people are shown of a game that hides something: its text and its picture must not tell what is hidden."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from rulebots.checking.law import sample_states
from rulebots.checking.problem import Problems, add, at
from rulebots.contract import checked_game
from rulebots.diagram import Diagram
from rulebots.game import Game
from rulebots.position import Position

#: Random games from which positions are taken, and how many positions.
GAMES, POSITIONS = 2, 24


def _shown(game: Game, state: Any, seat: int) -> object:
    return game.show(state, seat)


def _drawn(game: Game, state: Any, seat: int) -> object:
    diagram = game.draw(Position.of(game, state), seat) if game.draw is not None else None
    return (diagram.words, diagram.shapes, diagram.places, diagram.ways) if isinstance(diagram, Diagram) else None


def _counted(game: Game, state: Any, seat: int) -> object:
    return [int(game.points(state, one)) for one in (0, 1)]


#: What a seat is shown: its name in the contract -> what it gives.
SHOWN: Mapping[str, Callable[[Game, Any, int], object]] = {"show": _shown, "draw": _drawn, "points": _counted}


@functools.cache
def tells(game: Game) -> frozenset[str]:
    """What of `SHOWN` tells a seat what it cannot know: it changes when that is dealt again (`redeal`).

    Empty for a game that hides nothing, has no `redeal`, or fails, which whoever plays it is told elsewhere.
    """
    found = set[str]()
    if game.hidden and game.redeal is not None:
        with contextlib.suppress(Exception):
            for state, twin in _alike(game):
                found |= {name for name, of in SHOWN.items() if name not in found and _differs(game, of, state, twin)}
    return frozenset(found)


def check_secrecy(game: Game) -> Problems:
    """`show` and `draw` in random positions. Points may be meant to tell something: the page has them at the end."""
    found: Problems = []
    for name in sorted(tells(game) - {"points"}):
        what = "tells a seat what is hidden from it: what it gives changes with `redeal`, and that is sent to a browser"
        add(found, at(getattr(game, name), what))
    return found


def _alike(game: Game) -> Iterator[tuple[Any, Any]]:
    """States that their mover cannot tell apart."""
    law, luck = checked_game(game), 12345
    assert law.redeal is not None
    for state in sample_states(game, GAMES, POSITIONS):
        twin = state.copy()
        luck = law.redeal(twin, luck)
        yield state, twin


def _differs(game: Game, of: Callable[[Game, Any, int], object], state: Any, twin: Any) -> bool:
    """Whether it tells two states apart; one that fails tells nothing."""
    with contextlib.suppress(Exception):
        seat = int(state.mover)
        return of(game, state, seat) != of(game, twin, seat)
    return False
