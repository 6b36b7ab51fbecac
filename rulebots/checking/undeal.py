"""`undeal`: from the deal that it writes, the moves lead to a position that no seat can tell from the one it got."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rulebots.checking.problem import Problems, add, at, collecting
from rulebots.game import Game
from rulebots.game.checked import checked_game
from rulebots.game.random_numbers import CARDS, rng_of
from rulebots.game.trial import redealt_positions

#: Random games.
GAMES = 4

Ints = npt.NDArray[np.int64]


def check_undeal(game: Game) -> Problems:
    """What is wrong with a game's `undeal`, if it has one; its law and its redeal are taken to be right."""
    found: Problems = []
    if game.undeal is None:
        return found
    if game.redeal is None:
        add(found, at(game.undeal, "is of no use without `redeal`: a search takes back redeals"))
        return found
    with collecting(found):
        options = game.option_values()
        rows = np.sort(game.deal(rng_of(2, CARDS), GAMES, options), axis=1)
        if (rows != rows[0]).any():
            what = "deals other numbers each time: `undeal` is for deals that are orders of the same numbers"
            add(found, at(game.draw_deals, what))
            return found
        for number in range(GAMES):
            for state, seats, moves in redealt_positions(game, number, options):
                _check_taken_back(game, state, seats, moves, options, rows[0], found)
                if found:
                    return found
    return found


def _check_taken_back(
    game: Game, state: Any, seats: Ints, moves: Ints, options: Any, numbers: Ints, found: Problems
) -> None:
    law, deal = checked_game(game), np.zeros(len(numbers), np.int64)
    assert law.undeal is not None
    law.undeal(state, seats, moves, options, deal, 12345)
    if (np.sort(deal) != numbers).any():
        add(found, at(game.undeal, f"writes {deal.tolist()}: expected the numbers of a deal in some order"))
        return
    again, room = game.new_state(), np.zeros(game.move_count, np.int64)
    law.setup(again, deal, options)
    for ply, (seat, move) in enumerate(zip(seats.tolist(), moves.tolist(), strict=True), start=1):
        legal = [] if law.over(again) else room[: law.moves(again, room)].tolist()
        if again.mover != seat or move not in legal:
            what = f"writes a deal from which move {ply}, {game.write(move)} of seat {seat}, cannot be made"
            add(found, at(game.undeal, f"{what}: who makes it has to hold by then what it needs"))
            return
        law.play(again, move)
    for seat in (0, 1):
        views = [_seen(law, one, seat) for one in (state, again)]
        fields = [name for name in game.view.names or () if not np.array_equal(views[0][name], views[1][name])]
        if fields:
            what = f"writes a deal from which the moves lead elsewhere: seat {seat} would see another view.{fields[0]}"
            add(found, at(game.undeal, what))
            return


def _seen(law: Game, state: Any, seat: int) -> Any:
    """What a seat would observe if it were to move."""
    view, state = law.new_view(), state.copy()
    state.mover = seat
    law.observe(state, view)
    return view
