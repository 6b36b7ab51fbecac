"""Alpha-beta finds what an exhaustive search finds."""

from __future__ import annotations

import pytest
from naive_minimax import value_of_move
from played_positions import after, margin, positions

from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.games.tictactoe.rules import FIELDS, study_lines
from rulebots.kernel import compiling
from rulebots.packages import load_game
from rulebots.packages.rule_sets import load_rules
from rulebots.players import RulePlayer
from rulebots.rules import RuleSet
from rulebots.search.minimax.search import Limits, Minimax, MinimaxResult

kalah, tictactoe = load_game("kalah"), load_game("tictactoe")
#: Few rules are compiled in no time.
FEW = RuleSet("few", tictactoe, load_rules(game=tictactoe).rules[:2], fields=FIELDS, facts=study_lines)
standard = load_rules(game=kalah)
#: One rule, which counts points.
COUNTED = RuleSet(
    "counted",
    kalah,
    tuple(rule for rule in standard.rules if rule.key == "win.stones_won"),
    fields=standard.fields,
    facts=standard.facts,
    consider=standard.consider,
    point=("win.stones_won", 0.2),
)
COUNT = 8 if compiling() else 3
DEPTH = 5 if compiling() else 3
KALAH = {"pits": 4, "stones": 3}
ASKED = [*positions(kalah, COUNT, **KALAH), *positions(tictactoe, 2)]


def guide(game: Game) -> RulePlayer:
    """Rules that say what a position is worth in Kalah, and rules that play on to the end in tic-tac-toe."""
    rules = COUNTED if game is kalah else FEW
    return RulePlayer(rules, rules.hand_tuned())


@pytest.mark.parametrize("depth", range(1, DEPTH + 1))
def test_the_value_and_the_move_are_those_of_minimax_without_cuts(depth: int) -> None:
    for position in ASKED:
        before = position.state.tobytes()
        found = Minimax(position.game, megabytes=0).best(position, Limits(depth=depth))
        values = {move: value_of_move(position, move, depth) for move in position.legal_moves.tolist()}
        assert found.value == max(values.values())
        assert values[found.move] == found.value
        assert (position.state.tobytes(), position.luck) == (before, None)


def end_of_line(position: Position, found: MinimaxResult) -> Position:
    """The position to which the line of a search leads; the line has to be legal, and as long as can be."""
    assert found.line[0] == found.move
    assert found.depth == DEPTH + 1 or found.exact
    end = after(position, *found.line)
    assert len(found.line) == found.depth or end.over
    return end


def test_the_line_is_legal_and_leads_to_the_value() -> None:
    for position in ASKED:
        found = Minimax(position.game, None, 1).best(position, Limits(depth=DEPTH + 1))
        assert found.value == margin(end_of_line(position, found), position.mover)


@pytest.mark.interpreted
@pytest.mark.slow
def test_the_line_of_a_guided_search_is_legal() -> None:
    for position in ASKED:
        search = Minimax(position.game, guide(position.game), 1)
        found = search.best(position, Limits(depth=DEPTH + 1))
        assert end_of_line(position, found).plies == position.plies + len(found.line)


@pytest.mark.parametrize("certain", [False, True])
def test_a_table_changes_no_value_of_a_search_to_the_end(certain: bool) -> None:
    for position in positions(kalah, COUNT, pits=3, stones=1):
        limits = Limits(depth=100)
        plain = Minimax(kalah, megabytes=0).best(position, limits)
        tabled = Minimax(kalah, megabytes=0.001 if certain else 1, verify_positions=certain).best(position, limits)
        assert plain.exact
        assert tabled.exact
        assert tabled.value == plain.value
        assert Minimax(kalah, guide(kalah), 1).best(position, limits).value == plain.value


def test_extra_turns_keep_the_side() -> None:
    position = Position(kalah, {"pits": 2, "stones": 1})
    assert after(position, 1).mover == position.mover
    found = Minimax(kalah).best(position, Limits(depth=1))
    assert found.value == 1
    for depth in range(1, 5):
        value = max(value_of_move(position, move, depth) for move in (0, 1))
        assert Minimax(kalah, megabytes=0).best(position, Limits(depth=depth)).value == value


def test_a_win_is_taken_at_once_and_a_loss_put_off() -> None:
    position = after(Position(tictactoe), "0,0", "1,0", "0,1", "1,1")
    found = Minimax(tictactoe).best(position, Limits(depth=5))
    assert found.line == (position.read("0,2"),)
    assert found.value == 1
    found = Minimax(tictactoe).best(after(position, "2,2"), Limits(depth=4))
    assert found.line == (position.read("1,2"),)
