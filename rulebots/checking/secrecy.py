"""What people are shown of a game that hides something: its text and its picture must not tell what is hidden."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from rulebots.checking.law import sample_states
from rulebots.checking.problem import Problems, add, at
from rulebots.game import Game
from rulebots.game.checked import checked_game
from rulebots.game.position import Position
from rulebots.output.diagram import Diagram
from rulebots.registry import parts_of

#: Random games from which positions are taken, and how many positions.
GAMES, POSITIONS = 2, 24


def _shown(game: Game, state: Any, seat: int) -> object:
    return game.show(state, seat)


def _drawn(game: Game, state: Any, seat: int) -> object:
    draw = parts_of(game).draw
    diagram = draw(Position.of(game, state), seat) if draw is not None else None
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
        shows = parts_of(game).draw if name == "draw" else game.show
        add(found, at(shows, what))
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
