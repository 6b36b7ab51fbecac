"""Text: what is written reads back, nonsense is refused, and every position can be shown and drawn."""

from __future__ import annotations

from typing import Any

from rulebots.checking.findings import Findings
from rulebots.checking.law import legal_moves, sample_states
from rulebots.errors import UsageError
from rulebots.game.checks import EndlessCall, call_limited
from rulebots.game.contract import Game, State, checked_game
from rulebots.game.position import Position
from rulebots.game.seats import seats_kernel
from rulebots.kernel.user_code import in_users_terms
from rulebots.packages import package_of

NONSENSE = ("", "   ", "?", "no move", "-1", "9999999999999999999999", "\x00", "é")
#: Random games from which positions are taken.
GAMES = 8


def check_text(game: Game) -> Findings:
    """`write`, `read`, `show` and `draw` in random positions."""
    found = Findings()
    with found.collecting():
        for state in sample_states(game, GAMES, 60, chance=True):
            for check in (_check_moves, _check_shown):
                with found.collecting():
                    check(game, state, found)
            if found:
                return found
        for state in sample_states(game, 1, 1)[:1]:
            for text in NONSENSE:
                if not found:
                    _check_nonsense(game, state, text, found)
    return found


def _check_moves(game: Game, state: State, found: Findings) -> None:
    texts = dict[str, int]()
    for move in legal_moves(checked_game(game), state):
        text: Any = call_limited(game.text.write, move)
        if not isinstance(text, str) or not text.strip():
            found.add_of(game.text.write, f"gives {text!r} for the move {move}: expected some text")
            return
        if len(text.split()) > 1:
            found.add_of(
                game.text.write, f"writes the move {move} with a blank, '{text}': in records a blank ends a move"
            )
            return
        if text in texts:
            found.add_of(game.text.write, f"writes the moves {texts[text]} and {move} alike, as '{text}'")
            return
        texts[text] = move
        try:
            again: Any = call_limited(game.text.read, text, state)
        except EndlessCall:
            raise
        except UsageError as error:
            found.add_of(game.text.read, f"refuses '{text}', which `write` gives for the legal move {move}: {error}")
            return
        if again != move:
            found.add_of(game.text.read, f"reads '{text}' as {again!r}, but `write` gives it for the move {move}")
            return


def _check_shown(game: Game, state: State, found: Findings) -> None:
    before = state.tobytes()
    draw = package_of(game).draw
    look_on = package_of(game).look_on
    seats = (*range(seats_kernel(game)(state)), None)
    for seat in seats:
        text: Any = call_limited(game.text.show, state, seat)
        if not isinstance(text, str) or not text.strip():
            found.add_of(game.text.show, f"gives {text!r} for seat {seat}: expected the position as text")
            return
    if state.tobytes() != before:
        found.add_of(game.text.show, "changes the state: it may only read it")
        return
    drawings = [(draw, (seat,), f" for seat {seat}") for seat in seats] if draw is not None else []
    for drawing, given, whom in [*drawings, *([(look_on, (), "")] if look_on is not None else [])]:
        diagram: Any = call_limited(drawing, Position.of(game, state), *given)
        if not hasattr(diagram, "shapes"):  # a diagram is known by what it has, as all parts of a game are
            kind = type(diagram).__name__
            found.add_of(drawing, f"gives {kind}{whom}: expected a rulebots.output.diagram.Diagram")
            return
        if state.tobytes() != before:
            found.add_of(drawing, "changes the state: it may only read it")
            return


def _check_nonsense(game: Game, state: State, text: str, found: Findings) -> None:
    remedy = "raise UsageError, which says what was expected"
    try:
        move: Any = call_limited(game.text.read, text, state)
    except EndlessCall:
        raise
    except UsageError:
        return
    except Exception as error:
        if in_users_terms(error) is None:
            raise
        found.add_of(game.text.read, f"fails on the text {text!r} with {type(error).__name__}: {remedy}")
        return
    found.add_of(game.text.read, f"reads the text {text!r} as the move {move!r}: {remedy}")
