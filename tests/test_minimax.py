"""Minimax finds what an exhaustive search finds, within its limits, in any game that hides nothing."""

from __future__ import annotations

import dataclasses
import functools
import itertools
import time

import numpy as np
import pytest
from naive_minimax import after, legal_moves, margin, positions, value_of_move

from rulebots.errors import UsageError
from rulebots.game import Game, State, load_game
from rulebots.games.tictactoe.lines import FIELDS, study_lines
from rulebots.kernel import compiling
from rulebots.play.deals import draw_deals
from rulebots.play.match import mirrored, play_games
from rulebots.players import RulePlayer
from rulebots.players.names import make_player
from rulebots.position import Position
from rulebots.rules import RuleSet
from rulebots.search.minimax.player import MinimaxPlayer
from rulebots.search.minimax.search import Limits, Minimax, MinimaxResult

kalah, tictactoe = load_game("kalah"), load_game("tictactoe")
#: Few rules are compiled in no time.
FEW = RuleSet("few", tictactoe, tictactoe.rule_set().rules[:2], fields=FIELDS, facts=study_lines)
COUNT = 8 if compiling() else 3
DEPTH = 5 if compiling() else 3
KALAH = {"pits": 4, "stones": 3}
ASKED = [(kalah, state) for state in positions(kalah, COUNT, **KALAH)]
ASKED += [(tictactoe, state) for state in positions(tictactoe, 2)]


def same(found: MinimaxResult, other: MinimaxResult) -> bool:
    return dataclasses.replace(found, seconds=0) == dataclasses.replace(other, seconds=0)


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


def test_slices_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    state = ASKED[1][1]
    whole = Minimax(kalah, megabytes=1).best(state, Limits(depth=DEPTH))
    monkeypatch.setattr("rulebots.search.minimax.search.LONG_SLICE", 1)
    assert same(Minimax(kalah, megabytes=1).best(state, Limits(depth=DEPTH)), whole)


def test_a_search_that_is_stopped_is_never_worse_than_its_last_whole_depth() -> None:
    state = positions(kalah, 6)[5]
    whole = {d: Minimax(kalah).best(state, Limits(depth=d)).move for d in range(1, DEPTH + 1)}
    worth = functools.cache(lambda move, depth: value_of_move(kalah, state, move, depth))
    changed = 0
    for nodes in range(1, 100):
        found = Minimax(kalah).best(state, Limits(nodes=nodes))
        assert found.nodes <= nodes
        assert found.move in legal_moves(kalah, state)
        former = whole.get(found.depth, found.move)
        deeper = found.depth + 1
        assert found.move == former or worth(found.move, deeper) > worth(former, deeper)
        changed += found.move != former
    assert changed, "no search was stopped after it had found something better"


def test_a_search_ends_with_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that goes on a millisecond at every look at it."""
    ticks = itertools.count()
    monkeypatch.setattr(time, "perf_counter", lambda: next(ticks) / 1000)
    found = Minimax(kalah).best(positions(kalah, 1)[0], Limits(seconds=0.024))
    assert found.nodes > 100
    assert 0.024 <= found.seconds <= 0.028


def test_a_move_is_found_even_when_there_is_no_time_at_all() -> None:
    state = ASKED[0][1]
    assert Minimax(kalah).best(state, Limits(seconds=1e-6)).move in legal_moves(kalah, state)


def test_a_search_to_the_end_goes_no_deeper() -> None:
    moves = "" if compiling() else "1,1 0,0 0,2 2,0"
    state = tictactoe.new_state()
    tictactoe.setup(state, np.zeros(0, np.int64), tictactoe.option_values({}))
    for text in moves.split():
        state = after(tictactoe, state, tictactoe.read(text, state))
    found = Minimax(tictactoe).best(state, Limits(depth=20))
    assert (found.exact, found.value) == (True, 0)
    assert found.depth <= 9 - len(moves.split())


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


def test_a_player_by_name_plays_whole_games_of_any_game() -> None:
    for game, names in {
        kalah: ("minimax:depth=2", "minimax:nodes=60,table=0.5"),
        tictactoe: ("minimax:depth=3", "minimax:nodes=30,depth=9"),
    }.items():
        players = [make_player(name, game) for name in names]
        deals = draw_deals(game, 2, 1, options=KALAH if game is kalah else {})
        games = play_games(players, deals, mirrored(2))
        again = play_games(players, deals, mirrored(2), jobs=2)
        assert games.points.tolist() == again.points.tolist()
        assert not games.stalled.any()


def test_each_game_has_a_table_of_its_own() -> None:
    player = MinimaxPlayer(kalah, Limits(depth=2))
    first, second = player.for_one_game(), player.for_one_game()
    assert first is not second is not player
    state: State = ASKED[0][1]
    position = Position.of(kalah, state)
    assert first.decide(position) == second.decide(position)
    assert first.result
    assert player.result is None


def test_a_game_that_hides_something_is_refused(lost_cities: Game) -> None:
    with pytest.raises(UsageError, match="minimax reads the position, but Lost Cities hides cards"):
        Minimax(lost_cities)
    with pytest.raises(UsageError, match="'minimax:depth=2' searches positions, but Lost Cities hides cards"):
        make_player("minimax:depth=2", lost_cities)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("minimax", "minimax: a search needs a limit: give depth, nodes or seconds"),
        ("minimax:table=1", "a search needs a limit"),
        ("minimax:depth=0", "minimax: depth: expected a whole number from 1 to 1,022, not 0"),
        ("minimax:depth=1023", "depth: expected a whole number from 1 to 1,022, not 1023"),
        ("minimax:nodes=0", "minimax: nodes: expected a whole number from 1 to "),
        ("minimax:seconds=0", "minimax: seconds: expected a number from 1e-06 to 1e+06, not 0.0"),
        ("minimax:depth=2,table=-1", "minimax: table: expected a number from 0 to 4096, not -1.0"),
        ("minimax:deep=2", "no setting 'deep' of minimax; did you mean 'depth'?"),
        ("minimax:depth=2,rules=nobody", "no player 'nobody' of kalah"),
        ("minimax:depth=2,rules=random", "expected the name of a rule player, such as hand_tuned, not 'random'"),
    ],
)
def test_settings_that_are_none_are_answered_in_one_line(spec: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        make_player(spec, kalah)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
