"""Text: what is written reads back, nonsense is refused, and every position can be shown and drawn."""

from __future__ import annotations

from typing import Any

import numpy as np

from rulebots.checking.law import sample_states
from rulebots.checking.problem import Problems, add, at, collecting
from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.game.checked import Endless, checked_game, limited
from rulebots.game.position import Position
from rulebots.kernel.user_code import in_users_terms
from rulebots.output.diagram import Diagram
from rulebots.registry import parts_of

NONSENSE = ("", "   ", "?", "no move", "-1", "9999999999999999999999", "\x00", "é")
#: Games from which positions are taken.
GAMES = 8


def check_text(game: Game) -> Problems:
    """`write`, `read`, `show` and `draw` in random positions."""
    found: Problems = []
    with collecting(found):
        for state in sample_states(game, GAMES, 60, chance=True):
            with collecting(found):
                _check_moves(game, state, found)
            with collecting(found):
                _check_shown(game, state, found)
            if found:
                return found
        for state in sample_states(game, 1, 1)[:1]:
            for text in NONSENSE:
                if not found:
                    _check_nonsense(game, state, text, found)
    return found


def _check_moves(game: Game, state: Any, found: Problems) -> None:
    room = np.zeros(game.move_count, np.int64)
    legal = room[: checked_game(game).moves(state, room)].tolist()
    texts = dict[str, int]()
    for move in legal:
        text: Any = limited(game.write, move)
        if not isinstance(text, str) or not text.strip():
            add(found, at(game.write, f"gives {text!r} for the move {move}: expected some text"))
            return
        if text in texts:
            add(found, at(game.write, f"writes the moves {texts[text]} and {move} alike, as '{text}'"))
            return
        texts[text] = move
        try:
            again: Any = limited(game.read, text, state)
        except Endless:
            raise
        except UsageError as error:
            add(found, at(game.read, f"refuses '{text}', which `write` gives for the legal move {move}: {error}"))
            return
        if again != move:
            add(found, at(game.read, f"reads '{text}' as {again!r}, but `write` gives it for the move {move}"))
            return


def _check_shown(game: Game, state: Any, found: Problems) -> None:
    before = state.tobytes()
    for seat in (0, 1, None):
        text: Any = limited(game.show, state, seat)
        if not isinstance(text, str) or not text.strip():
            add(found, at(game.show, f"gives {text!r} for seat {seat}: expected the position as text"))
            return
    if state.tobytes() != before:
        add(found, at(game.show, "changes the state: it may only read it"))
        return
    draw = parts_of(game).draw
    if draw is None:
        return
    for seat in (0, 1, None):
        diagram: Any = limited(draw, Position.of(game, state), seat)
        if not isinstance(diagram, Diagram):
            kind = type(diagram).__name__
            add(found, at(draw, f"gives {kind} for seat {seat}: expected a rulebots.output.diagram.Diagram"))
            return
    if state.tobytes() != before:
        add(found, at(draw, "changes the state: it may only read it"))


def _check_nonsense(game: Game, state: Any, text: str, found: Problems) -> None:
    remedy = "raise UsageError, which says what was expected"
    try:
        move: Any = limited(game.read, text, state)
    except Endless:
        raise
    except UsageError:
        return
    except Exception as error:
        told = in_users_terms(error)
        if told is None:
            raise
        add(found, at(game.read, f"fails on the text {text!r} with {type(error).__name__}: {remedy}"))
        return
    add(found, at(game.read, f"reads the text {text!r} as the move {move!r}: {remedy}"))
