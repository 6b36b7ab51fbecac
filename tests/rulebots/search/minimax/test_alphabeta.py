"""Alpha-beta finds what an exhaustive search finds."""

from __future__ import annotations

import numpy as np
import pytest
from naive_minimax import after, legal_moves, margin, positions, value_of_move

from rulebots.game import Game, State, load_game
from rulebots.games.tictactoe.lines import FIELDS, study_lines
from rulebots.kernel import compiling
from rulebots.players import RulePlayer
from rulebots.rules import RuleSet
from rulebots.search.minimax.search import Limits, Minimax, MinimaxResult

kalah, tictactoe = load_game("kalah"), load_game("tictactoe")
#: Few rules are compiled in no time.
FEW = RuleSet("few", tictactoe, tictactoe.rule_set().rules[:2], fields=FIELDS, facts=study_lines)
COUNT = 8 if compiling() else 3
DEPTH = 5 if compiling() else 3
KALAH = {"pits": 4, "stones": 3}
ASKED = [(kalah, state) for state in positions(kalah, COUNT, **KALAH)]
ASKED += [(tictactoe, state) for state in positions(tictactoe, 2)]


def guide(game: Game) -> RulePlayer:
    """Rules that say what a position is worth in Kalah, and rules that play on to the end in tic-tac-toe."""
    rules = game.rule_set("swift") if game is kalah else FEW
    return RulePlayer(rules, rules.hand_tuned())


@pytest.mark.parametrize("depth", range(1, DEPTH + 1))
def test_the_value_and_the_move_are_those_of_minimax_without_cuts(depth: int) -> None:
    for game, state in ASKED:
        before = state.tobytes()
        found = Minimax(game, megabytes=0).best(state, Limits(depth=depth))
        values = {move: value_of_move(game, state, move, depth) for move in legal_moves(game, state)}
        assert found.value == max(values.values())
        assert values[found.move] == found.value
        assert state.tobytes() == before


def end_of_line(game: Game, state: State, found: MinimaxResult) -> State:
    """The position to which the line of a search leads; the line has to be legal, and as long as can be."""
    assert found.line[0] == found.move
    assert found.depth == DEPTH + 1 or found.exact
    here = state
    for move in found.line:
        assert move in legal_moves(game, here)
        here = after(game, here, move)
    assert len(found.line) == found.depth or game.over(here)
    return here


def test_the_line_is_legal_and_leads_to_the_value() -> None:
    for game, state in ASKED:
        found = Minimax(game, None, 1).best(state, Limits(depth=DEPTH + 1))
        assert found.value == margin(game, end_of_line(game, state, found), int(state.mover))


def test_the_line_of_a_guided_search_is_legal() -> None:
    for game, state in ASKED:
        end_of_line(game, state, Minimax(game, guide(game), 1).best(state, Limits(depth=DEPTH + 1)))


@pytest.mark.parametrize("certain", [False, True])
def test_a_table_changes_no_value_of_a_search_to_the_end(certain: bool) -> None:
    for state in positions(kalah, COUNT, pits=3, stones=1):
        limits = Limits(depth=100)
        plain = Minimax(kalah, megabytes=0).best(state, limits)
        tabled = Minimax(kalah, megabytes=0.001 if certain else 1, verify_positions=certain).best(state, limits)
        assert plain.exact
        assert tabled.exact
        assert tabled.value == plain.value
        assert Minimax(kalah, guide(kalah), 1).best(state, limits).value == plain.value


def test_extra_turns_keep_the_side() -> None:
    state = kalah.new_state()
    kalah.setup(state, np.zeros(0, np.int64), kalah.option_values({"pits": 2, "stones": 1}))
    assert after(kalah, state, 1).mover == state.mover
    found = Minimax(kalah).best(state, Limits(depth=1))
    assert found.value == 1
    for depth in range(1, 5):
        value = max(value_of_move(kalah, state, move, depth) for move in (0, 1))
        assert Minimax(kalah, megabytes=0).best(state, Limits(depth=depth)).value == value


def test_a_win_is_taken_at_once_and_a_loss_put_off() -> None:
    state = tictactoe.new_state()
    tictactoe.setup(state, np.zeros(0, np.int64), tictactoe.option_values())
    points = legal_moves(tictactoe, state)
    for place in (0, 3, 1, 4):
        state = after(tictactoe, state, points[place])
    found = Minimax(tictactoe).best(state, Limits(depth=5))
    assert found.line == (points[2],)
    assert found.value == 1
    state = after(tictactoe, state, points[8])
    assert Minimax(tictactoe).best(state, Limits(depth=4)).line == (points[5],)
