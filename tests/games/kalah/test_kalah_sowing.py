"""Whole turns of Kalah, against an exhaustive look."""

from __future__ import annotations

from typing import Any

import pytest
from naive_kalah import NaiveGame, copied
from recorded import recorded
from written_positions import facts_of

from rulebots.game.position import Position
from rulebots.games.kalah.rules import TURNS_AHEAD, standard
from rulebots.packages import load_game
from rulebots.play.deals import draw_deals


def looked_at(position: Position, pit: int) -> Any:
    """The view of a position with the facts of a pit."""
    return facts_of(standard, position.view(), pit)


def margin(game: NaiveGame, seat: int) -> int:
    return game.points(seat) - game.points(1 - seat)


def best_turn(game: NaiveGame, turns: int) -> int:
    """The margin that the mover's best turn brings over so many turns, its own being the first."""
    return max(turn_after(game, pit, turns) for pit in game.legal())


def turn_after(game: NaiveGame, pit: int, turns: int) -> int:
    child, me = copied(game), game.mover
    child.play(pit)
    gain = margin(child, me) - margin(game, me)
    if child.over():
        return gain
    if child.mover == me:
        return gain + best_turn(child, turns)
    return gain - (best_turn(child, turns - 1) if turns > 1 else 0)


@pytest.mark.parametrize(
    ("options", "turns"),
    [({}, 2), ({"pits": 4, "stones": 2, "empty_capture": 0}, TURNS_AHEAD), ({"pits": 3, "stones": 12}, 2)],
    ids=str,
)
def test_what_turns_bring_is_what_an_exhaustive_look_finds(options: dict[str, int], turns: int) -> None:
    game = load_game("kalah")
    deals = draw_deals(game, 2, 3, options=options)
    for number in range(len(deals)):
        record = recorded(deals, number)
        for ply in range(0, record.plies, 7):
            here = record.position(ply)
            state = here.state
            naive, pits = NaiveGame(0, 0), int(state.pits)
            naive.empty_capture, naive.mover = bool(state.empty_capture), int(state.mover)
            naive.pits = [state.board[first : first + pits].tolist() for first in (0, pits + 1)]
            naive.stores = [int(state.board[pits]), int(state.board[2 * pits + 1])]
            for pit in record.legal[ply]:
                ahead = looked_at(here, pit).ahead
                assert ahead[:turns].tolist() == [turn_after(naive, pit, 1 + turn) for turn in range(turns)]
