"""Games played once more, held against positions that play the same moves."""

from __future__ import annotations

import numpy as np
import pytest

from evolve.analysis.measuring import Estimate
from evolve.analysis.report.games import MARKS, _changes, _decided, self_play, trace, verdict
from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.play.deals import draw_deals
from rulebots.players import RandomPlayer
from rulebots.registry import load_game


@pytest.mark.parametrize("name", ["tictactoe", "cant-stop"])
def test_a_trace_says_what_the_positions_say(name: str) -> None:
    assert_trace(load_game(name), 4)


def assert_trace(game: Game, count: int) -> None:
    deals = draw_deals(game, count, 5)
    games = self_play(RandomPlayer(game), deals, 1, keep_moves=True)
    found = trace(deals, games)
    for g in range(count):
        position = Position(game, None, deals.cards[g], compiled=True)
        offered, taken = np.zeros((2, game.move_count), int), np.zeros((2, game.move_count), int)
        kinds_offered, kinds_taken = np.zeros((2, len(game.kinds)), int), np.zeros((2, len(game.kinds)), int)
        for ply, move in enumerate(games.moves[g, : games.plies[g]].tolist()):
            for mark in np.flatnonzero(found.at[g] == ply):
                assert found.states[g, mark] == position.state
            legal, mover = position.legal_moves, position.mover
            counts = ply >= games.openings[g] and not position.chance_to_move
            assert found.choices[g, ply] == (len(legal) if counts else 0)
            if counts and len(legal) > 1:
                offered[mover, legal] += 1
                taken[mover, move] += 1
                kinds = {int(game.kind(int(one))) for one in legal}
                if len(kinds) > 1:
                    kinds_offered[mover, list(kinds)] += 1
                    kinds_taken[mover, int(game.kind(move))] += 1
            position.play(move)
            assert found.leads[g, ply] == position.points[0] - position.points[1]
        assert (found.offered[g] == offered).all()
        assert (found.taken[g] == taken).all()
        assert (found.kinds_offered[g] == kinds_offered).all()
        assert (found.kinds_taken[g] == kinds_taken).all()
    assert found.at.shape == (count, MARKS)


@pytest.mark.parametrize(
    ("course", "changes", "decided_for_seat_0"),
    [
        ([0, 0, 1, 1], 0, 0.5),
        ([1, -1, 0, 1], 2, 0.75),
        ([-1, -1, -1, -1], 0, 1.0),
        ([1, 1], 0, 0.0),
        ([1, 0, 0, -1, 1], 2, 0.8),
    ],
)
def test_leads_of_a_written_course(course, changes, decided_for_seat_0) -> None:
    assert _changes(np.array(course)) == changes
    assert _decided(np.array(course), 1) == pytest.approx(decided_for_seat_0)


def test_a_choice_is_dead_or_dominant_only_where_its_whole_interval_is() -> None:
    assert verdict(Estimate(0.001, 0.0, 0.009, 50.0)) == "dead"
    assert verdict(Estimate(0.001, 0.0, 0.02, 50.0)) == ""
    assert verdict(Estimate(0.99, 0.96, 1.0, 50.0)) == "dominant"
    assert verdict(Estimate(0.99, 0.9, 1.0, 50.0)) == ""
    assert verdict(Estimate(0.0, None, None, 3.0)) == ""
