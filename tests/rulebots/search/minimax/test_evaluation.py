"""The values of positions at the horizon. Evaluation by best scores is tested with Kalah's rules that allow it."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
from played_positions import after, margin, positions

from rulebots.game.position import Position
from rulebots.games.tictactoe.rules import FIELDS, study_lines
from rulebots.packages import load_game
from rulebots.packages.rule_sets import load_rules
from rulebots.players import RulePlayer
from rulebots.rules import RuleSet
from rulebots.search.minimax.evaluation import UNITS_PER_POINT, history_order, standing_kernel
from rulebots.search.minimax.search import Limits, Minimax

kalah, tictactoe = load_game("kalah"), load_game("tictactoe")
FEW = RuleSet("few", tictactoe, load_rules(game=tictactoe).rules[:2], fields=FIELDS, facts=study_lines)


def played_out(player: RulePlayer, position: Position, seat: int) -> int:
    """The margin for a seat at the end of the game that the player plays against itself from here."""
    while not position.over:
        position = after(position, player.decide(position))
    return margin(position, seat)


def test_rules_without_points_are_evaluated_by_a_rollout_of_their_player() -> None:
    player = RulePlayer(FEW, FEW.hand_tuned())
    values = set()
    for position in positions(tictactoe, 3):
        result = Minimax(tictactoe, player, 0).best(position, Limits(depth=1))
        expected = {
            move: played_out(player, after(position, move), position.mover) for move in position.legal_moves.tolist()
        }
        assert result.value == max(expected.values()) == expected[result.move]
        values.update(expected.values())
    assert len(values) > 1


def test_a_margin_is_the_seats_own() -> None:
    position = positions(kalah, 3)[2]
    assert margin(position, 0) != 0
    for seat in (0, 1):
        standing = standing_kernel(kalah, paired=True)(position.state, seat, None)
        assert standing == UNITS_PER_POINT * margin(position, seat)


def test_moves_are_ordered_by_their_cutoffs() -> None:
    position = positions(kalah, 1)[0]
    moves = position.legal_moves
    history = np.arange(2 * kalah.move_count).reshape(2, kalah.move_count)
    scores = np.zeros(kalah.move_count)
    arrays = SimpleNamespace(scores=scores, history=history)
    history_order(kalah)(position.state, 5, moves, len(moves), arrays)
    assert scores[: len(moves)].tolist() == history[position.mover, moves].tolist()
