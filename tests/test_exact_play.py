"""Exact play: tables against trying everything, perfect players, and how often others keep a win."""

from __future__ import annotations

import json
from typing import Any

import naive_circles as naive
import numpy as np
import pytest

from rulebots.cli import commands
from rulebots.cli.console import load_commands, run_app
from rulebots.errors import UsageError
from rulebots.game import Game, load_game
from rulebots.games.circles.lines import cell_number
from rulebots.games.circles.solver import Tablebase, tablebase_of
from rulebots.kernel import compiling
from rulebots.play.deals import draw_deals
from rulebots.play.match import mirrored, play_games
from rulebots.players.names import make_player
from rulebots.position import Position, law_of
from rulebots.search.exact.accuracy import Accuracy, accuracy
from rulebots.search.exact.solving import solve, solve_by_search
from rulebots.search.exact.tablebase import ExploredTablebase, best_line, best_moves, legal_moves, tablebase_finder

load_commands(commands)
CIRCLES, TICTACTOE, KALAH = load_game("circles"), load_game("tictactoe"), load_game("kalah")


def start(game: Game, **options: int) -> Any:
    state = game.new_state()
    game.setup(state, np.zeros(0, np.int64), game.option_values(options))
    return state


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = run_app(commands.app, "rulebots", arguments)
    shown = capsys.readouterr()
    return code, shown.out, shown.err


@pytest.mark.parametrize(("rows", "eliminate"), [(2, 1), (2, 2), (3, 1), (3, 2), (3, 3), (4, 2), (4, 3), (4, 4)])
@pytest.mark.parametrize("last_wins", [0, 1])
def test_the_table_is_that_of_trying_everything(rows: int, eliminate: int, last_wins: int) -> None:
    base = Tablebase(rows, eliminate, last_wins)
    cells = sorted(naive.triangle(rows))
    assert base.positions == 2 ** len(cells) - 1
    wins = []
    for number in range(base.positions):
        state = base.state(number)
        live = frozenset(cell for cell in cells if int(state.stones[0]) >> cell_number(*cell) & 1)
        wins.append(naive.mover_wins(live, eliminate, bool(last_wins)))
        assert base.value(state) == (1 if wins[-1] else -1), CIRCLES.show(state, None)
    assert base.winning == sum(wins)


@pytest.mark.parametrize(
    ("options", "value"),
    [
        # One stone at a time: the number of stones decides.
        ({"size": 2, "eliminate": 1}, 1),
        ({"size": 3, "eliminate": 1}, 1 if 6 % 2 else -1),
        ({"size": 3, "eliminate": 1, "last_wins": 0}, 1),
        # Three stones, each a neighbour of both others: take one, and two go at once; take two, and one goes.
        ({"size": 2, "eliminate": 2}, -1),
        ({"size": 2, "eliminate": 2, "last_wins": 0}, 1),
    ],
)
def test_small_boards_are_as_one_sees_by_hand(options: dict[str, int], value: int) -> None:
    assert solve(CIRCLES, options).value == value
    assert solve_by_search(CIRCLES, options).value == value


@pytest.mark.parametrize("last_wins", [0, 1])
def test_the_table_and_a_search_agree_and_the_line_leads_there(last_wins: int) -> None:
    options = {"size": 4 if compiling() else 3, "eliminate": 3, "last_wins": last_wins}
    found = solve(CIRCLES, options)
    assert found.value == solve_by_search(CIRCLES, options).value
    state = start(CIRCLES, **options)
    for text in found.line:
        law_of(CIRCLES).play(state, CIRCLES.read(text, state))
    assert CIRCLES.over(state)
    assert CIRCLES.points(state, 0) - CIRCLES.points(state, 1) == found.value


@pytest.mark.skipif(not compiling(), reason="two million positions take long interpreted")
def test_the_game_of_the_seed_is_won_for_who_begins() -> None:
    """6 rows, up to 3 stones, either way of ending: as a table of nim-values made apart from this one says."""
    assert [solve(CIRCLES, {"last_wins": last_wins}).value for last_wins in (1, 0)] == [1, 1]
    assert tablebase_of(start(CIRCLES)).winning == 1_891_956


def test_a_board_is_tabulated_once() -> None:
    assert tablebase_of(start(CIRCLES, size=4, eliminate=4)) is tablebase_of(start(CIRCLES, size=4, eliminate=12))
    assert tablebase_of(start(CIRCLES, size=4)) is not tablebase_of(start(CIRCLES, size=4, last_wins=0))


def test_a_board_that_is_too_large_is_refused() -> None:
    with pytest.raises(UsageError, match=r"needs a table of all positions, which ends at size 7, not 8"):
        tablebase_finder(CIRCLES)(start(CIRCLES, size=8))


def test_any_small_game_is_explored_by_its_law() -> None:
    explored, state = ExploredTablebase(CIRCLES), start(CIRCLES, size=3)
    base = tablebase_of(state)
    assert explored.value(state) == base.value(state)
    met = [explored.state(number) for number in range(explored.positions)]
    assert {int(s.stones[0]) for s in met} == set(range(1, 64))
    assert [explored.value(s) for s in met] == [base.value(s) for s in met]
    assert explored.winning == sum(base.value(s) > 0 for s in met)


def test_exploring_counts_margins_and_turns_in_a_row() -> None:
    state = start(KALAH, pits=2, stones=2)
    base = tablebase_finder(KALAH)(state)
    assert base.value(state) == solve_by_search(KALAH, {"pits": 2, "stones": 2}).value
    line = best_line(KALAH, base, state)
    for move in line:
        law_of(KALAH).play(state, move)
    assert KALAH.over(state)


def test_exploring_stops_where_there_are_too_many_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulebots.search.exact.tablebase.MOST_POSITIONS", 100)
    with pytest.raises(UsageError, match=r"this board of Tic-tac-toe has more than 100: choose a smaller one"):
        tablebase_finder(TICTACTOE)(start(TICTACTOE))


@pytest.mark.parametrize(
    ("rival", "wins_of_lost_games"), [("random", 0.5), ("hand_tuned", 0)] if compiling() else [("random", 0.5)]
)
def test_perfect_wins_every_won_game_of_circles_and_some_lost_ones(rival: str, wins_of_lost_games: float) -> None:
    size = 5 if compiling() else 4
    deals = draw_deals(CIRCLES, 20, 1, options={"size": size}, opening_plies=0)
    won = tablebase_of(start(CIRCLES, size=size)).value(start(CIRCLES, size=size)) > 0
    games = play_games([make_player("perfect", CIRCLES), make_player(rival, CIRCLES)], deals, mirrored(20))
    first, second = games.points[0::2, 0], games.points[1::2, 1]
    assert won
    assert first.all()
    assert second.mean() >= wins_of_lost_games


@pytest.mark.skipif(not compiling(), reason="all of tic-tac-toe takes long interpreted")
def test_perfect_never_loses_at_tictactoe() -> None:
    players = [make_player(name, TICTACTOE) for name in ("perfect", "random")]
    games = play_games(players, draw_deals(TICTACTOE, 30, 1, opening_plies=0), mirrored(30))
    mine = np.where(
        np.arange(60) % 2 == 0, games.points[:, 0] - games.points[:, 1], games.points[:, 1] - games.points[:, 0]
    )
    assert (mine >= 0).all()
    assert mine.mean() > 0.5


def test_perfect_without_a_win_leaves_the_fewest_right_answers() -> None:
    base = Tablebase(4, 3, 1)
    player = make_player("perfect", CIRCLES)
    hardest = 0
    for number in range(0, base.positions, 11):
        state = base.state(number)
        moves = legal_moves(CIRCLES, state)
        move = player.decide(Position.of(CIRCLES, state))
        assert move in best_moves(CIRCLES, base, state, moves)
        if base.value(state) < 0:
            shares = {}
            for other in moves:
                child = state.copy()
                CIRCLES.play(child, int(other))
                answers = legal_moves(CIRCLES, child)
                shares[int(other)] = len(best_moves(CIRCLES, base, child, answers)) / len(answers)
            assert shares[move] == min(shares.values())
            hardest += len(set(shares.values())) > 1
    assert hardest > 5


def test_perfect_takes_no_settings_and_no_hidden_cards(lost_cities: Game) -> None:
    with pytest.raises(UsageError, match="no setting 'depth' of perfect"):
        make_player("perfect:depth=3", CIRCLES)
    with pytest.raises(UsageError, match="'perfect' searches positions, but Lost Cities hides cards"):
        make_player("perfect", lost_cities)


def test_accuracy_of_all_positions_is_exact() -> None:
    found = accuracy(make_player("random", CIRCLES), {"size": 3}, 1000, 1)
    assert (found.asked, found.winning, found.positions) == (50, 50, 63)
    assert found.share == found.kept / found.asked
    assert found.share_95 == (found.share, found.share)
    assert 0.2 < found.share < 0.8
    assert accuracy(make_player("perfect", CIRCLES), {"size": 3}, 1000, 1).share == 1.0


def test_accuracy_of_a_sample_is_that_of_its_seed_and_has_an_interval() -> None:
    player, options = make_player("random", CIRCLES), {"size": 4}
    found = accuracy(player, options, 200, 7)
    assert found == accuracy(player, options, 200, 7)
    assert found.asked == 200
    assert found.share_95[0] < found.share < found.share_95[1]
    exact = accuracy(player, options, 10_000, 1)
    assert found.share_95[0] <= exact.share <= found.share_95[1]


def test_accuracy_asks_each_position_of_a_sample_once() -> None:
    """All but one of the won positions: a draw that repeats would miss some."""
    winning = Tablebase(3, 3, 1).winning
    found = accuracy(make_player("perfect", CIRCLES), {"size": 3}, winning - 1, 3)
    assert found == Accuracy(winning - 1, winning - 1, 1.0, found.share_95, winning, 63)


def test_accuracy_needs_a_game_without_chance(lost_cities: Game) -> None:
    with pytest.raises(UsageError, match="Lost Cities depends on chance or hides something"):
        accuracy(make_player("random", lost_cities), {}, 10, 1)


def test_the_command_says_how_many_positions_there_were(capsys: pytest.CaptureFixture[str]) -> None:
    flags = ["accuracy", "perfect", "--game", "circles", "--option", "size=3"]
    code, out, _ = run(capsys, *flags)
    assert code == 0
    assert out.splitlines() == [
        "perfect at Circles: keeps the win in 50 of 50 won positions",
        "accuracy   100.00 %, exactly: those are all",
        "positions  63, of which 50 are won for the mover",
    ]
    code, out, _ = run(capsys, *flags, "--positions", "20", "--json")
    assert code == 0
    assert json.loads(out).keys() == {"kept", "asked", "share", "share_95", "winning", "positions"}
    code, out, _ = run(capsys, *flags, "--positions", "20")
    assert out.splitlines()[1].startswith("accuracy   100.00 % (")
    code, _, err = run(capsys, *flags[:-1], "size=8")
    assert (code, err.count("\n")) == (2, 1)


def test_solve_takes_the_flag_of_the_seed_for_the_other_way_to_win(capsys: pytest.CaptureFixture[str]) -> None:
    small = ("solve", "circles", "--size", "2", "--eliminate", "2", "--json")
    values = [json.loads(run(capsys, *small, *flag)[1]) for flag in ([], ["--last-loses"], ["--last-wins"])]
    assert [found["value"] for found in values] == [-1, 1, -1]
    assert values[0].keys() == {"value", "line", "nodes", "seconds"}
    code, _, err = run(capsys, *small, "--no-last-wins")
    assert code == 2
    assert "no option '--no-last-wins' of circles; did you mean" in err
