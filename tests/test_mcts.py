"""What Monte Carlo tree search promises, in every game in which nothing is hidden."""

from __future__ import annotations

import itertools
import threading
import time
from typing import Any

import numpy as np
import pytest
from recorded import recorded

import rulebots.search.mcts.search as mcts
from rulebots.errors import UsageError
from rulebots.game import Game, load_game
from rulebots.kernel import compiling
from rulebots.play.deals import draw_deals
from rulebots.play.match import mirrored, play_games
from rulebots.players.names import make_player
from rulebots.position import law_of
from rulebots.registry import game_names
from rulebots.search.mcts.search import Search
from rulebots.search.mcts.settings import SearchSettings
from rulebots.search.mcts.tree import DRAWN, ROOT, Tree

OPEN_GAMES = [game for name in game_names() if not (game := load_game(name)).hidden]
every_game = pytest.mark.parametrize("game", OPEN_GAMES, ids=lambda g: g.name)
#: Boards on which a game is short.
SMALL = {"circles": {"size": 4}, "gomoku": {"size": 5}, "kalah": {"pits": 3, "stones": 2}, "tictactoe": {"size": 3}}
SIMULATIONS = 400 if compiling() else 60


def course(game: Game, deal: int = 0) -> Any:
    """A random game on a small board."""
    return recorded(draw_deals(game, deal + 1, 1, options=SMALL.get(game.name), opening_plies=0), deal)


def start(game: Game) -> Any:
    return course(game).states[0]


def after(game: Game, state: Any, *moves: int) -> Any:
    # As a caller may give it: whatever lies between the fields of its record.
    position = np.full(game.state.itemsize, 0xA5, np.uint8).view(np.dtype((np.record, game.state)))[0]
    for name in game.state.names or ():
        position[name] = state[name]
    for move in moves:
        law_of(game).play(position, move)
    return position


def tree_of(search: Search) -> Tree:
    return search._tree


def assert_adds_up(tree: Tree) -> None:
    """No virtual loss is left, and every simulation of a child is one of its parent."""
    used = int(tree.size[0])
    for node in range(used):
        below = slice(tree.first_child[node], tree.first_child[node] + tree.child_count[node])
        assert abs(tree.value_sum[node]) <= tree.visits[node]
        assert tree.visits[below].sum() <= tree.visits[node]
        assert tree.first_child[node] == 0 or node < tree.first_child[node] < used
    assert not tree.visits[used:].any()


@every_game
def test_moves_are_legal_and_every_simulation_of_the_budget_is_made(game: Game) -> None:
    search = Search(game, SearchSettings(iterations=33))
    record, unkept = course(game), 0
    for state, legal in list(zip(record.states, record.legal, strict=False))[::3]:
        before = state.tobytes()
        result = search.run(state, 1)
        assert sorted(result.moves.tolist()) == sorted(legal)
        assert result.move == result.moves[0]
        assert result.line[0] == result.move
        assert result.simulations == 33 or result.proven.any()
        assert result.kept or result.visits.sum() == result.simulations
        unkept += not result.kept
        assert state.tobytes() == before
        assert_adds_up(tree_of(search))
    assert unkept > 0


@every_game
def test_the_same_seed_gives_the_same_search_however_often_the_clock_is_looked_at(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    for first_look, seed in ((8, 1), (1, 1), (1000, 1), (8, 2)):
        monkeypatch.setattr(mcts, "FIRST_SLICE", first_look)
        result = Search(game, SearchSettings(iterations=70, batch=4)).run(start(game), seed)
        found.append((result.move, result.moves.tolist(), result.visits.tolist(), result.values.tolist()))
    assert found[0] == found[1] == found[2]
    assert found[0] != found[3]


@every_game
def test_what_is_proven_is_the_outcome_of_best_play(game: Game) -> None:
    """In the last positions of random games, of which every line can be looked at."""
    proven = 0
    for deal in range(3):
        record = course(game, deal)
        for state in record.states[max(0, record.plies - 3) : record.plies]:
            settings = SearchSettings(iterations=SIMULATIONS, solve=bool(deal % 2))
            result = Search(game, settings).run(state, 1)
            expected, lines = best_outcome(game, state, 3000)
            if lines > 0 and ((result.proven[0] and abs(result.value) == 1) or result.proven.all()):
                proven += 1
                assert result.value == expected
    assert proven > 3


def best_outcome(game: Game, state: Any, lines: int) -> tuple[int, int]:
    """The outcome for the mover with best play, and how many of `lines` positions were not needed; 0 were too few."""
    law, seat, best = law_of(game), int(state.mover), -1
    if law.over(state):
        margin = game.points(state, seat) - game.points(state, 1 - seat)
        return int(np.sign(int(margin))), lines - 1
    moves = np.zeros(game.move_count, np.int64)
    for move in moves[: law.moves(state, moves)].tolist():
        if lines <= 0 or best == 1:
            break
        later = after(game, state, move)
        outcome, lines = best_outcome(game, later, lines - 1)
        best = max(best, outcome if later.mover == seat else -outcome)
    return best, lines


@every_game
def test_the_tree_is_kept_through_both_players_moves(game: Game) -> None:
    """What is known of the new root is what was known of it, and a stranger's position begins a new tree."""
    search = Search(game, SearchSettings(iterations=SIMULATIONS))
    first, state = search.run(start(game), 1), start(game)
    node = child_by(tree_of(search), ROOT, first.move)
    assert tree_of(search).first_child[node], "the best move's node has no children yet"
    answer = int(tree_of(search).first_child[node])
    move, visits = int(tree_of(search).move[answer]), int(tree_of(search).visits[answer])
    below = described(tree_of(search), answer)
    state = after(game, state, first.move, move)
    assert search._move_root_to(state) == len(below)
    assert described(tree_of(search), ROOT) == below
    assert_adds_up(tree_of(search))
    again = Search(game, SearchSettings(iterations=SIMULATIONS))
    again.run(start(game), 1)
    second = again.run(state, 2)
    assert second.kept == len(below)
    assert tree_of(again).visits[ROOT] == visits + second.simulations
    elsewhere = again.run(start(game), 3)
    assert elsewhere.kept == 0
    fresh = Search(game, SearchSettings(iterations=SIMULATIONS)).run(start(game), 3)
    assert elsewhere.visits.tolist() == fresh.visits.tolist()


def child_by(tree: Tree, node: int, move: int) -> int:
    return next(
        c
        for c in range(tree.first_child[node], tree.first_child[node] + tree.child_count[node])
        if tree.move[c] == move
    )


def described(tree: Tree, root: int) -> list[tuple[Any, ...]]:
    """What a tree knows below a node, without the nodes' numbers."""
    found, waiting = [], [root]
    for node in waiting:
        entry = (tree.value_sum[node], tree.visits[node], tree.prior[node], tree.mover[node], tree.proven[node])
        found.append((*entry, tree.child_count[node], tree.move[node]))
        waiting += range(tree.first_child[node], tree.first_child[node] + tree.child_count[node])
    return found


def test_without_reuse_every_search_is_a_new_one() -> None:
    game = load_game("tictactoe")
    search = Search(game, SearchSettings(iterations=SIMULATIONS, reuse=False))
    result = search.run(start(game), 1)
    assert search.run(after(game, start(game), *result.line[:2]), 1).kept == 0


def test_a_search_that_asks_every_move_goes_through_its_own_tree_in_games_with_extra_turns() -> None:
    game = load_game("kalah")
    search, state = Search(game, SearchSettings(iterations=SIMULATIONS)), start(game)
    kept = []
    while not law_of(game).over(state) and len(kept) < 8:
        result = search.run(state, len(kept))
        kept.append(result.kept)
        state = after(game, state, result.move)
    assert kept[0] == 0
    assert all(kept[1:])


def test_values_are_the_movers_also_where_a_seat_moves_twice() -> None:
    """Every node's sum is what its simulations brought seat 0; a mean is turned for the seat that chooses."""
    game = load_game("kalah")
    record = course(game, 1)
    twice = [i for i in range(record.plies - 1) if record.states[i].mover == record.states[i + 1].mover]
    assert twice
    checked = 0
    for i in twice[:2]:
        state = record.states[i]
        search = Search(game, SearchSettings(iterations=SIMULATIONS))
        result, side = search.run(state, 1), 1 - 2 * state.mover
        tree = tree_of(search)
        for move, value, proven in zip(result.moves, result.values, result.proven, strict=True):
            node = child_by(tree, ROOT, int(move))
            mean = tree.value_sum[node] / tree.visits[node] if tree.visits[node] else 0.0
            assert value == pytest.approx(side * (tree.proven[node] - DRAWN if proven else mean))
            checked += value != 0
    assert checked


def test_a_budget_of_seconds_ends_by_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    game, ticks = load_game("tictactoe"), itertools.count()
    search = Search(game, SearchSettings(seconds=0.1))
    monkeypatch.setattr(mcts.time, "perf_counter", lambda: next(ticks) * 0.004)
    result = search.run(start(game), 1)
    assert 0.1 <= result.seconds <= 0.11
    assert result.simulations > 8
    assert result.simulations_per_second == result.simulations / result.seconds


def test_iterations_and_seconds_together_end_with_the_first() -> None:
    game = load_game("tictactoe")
    assert Search(game, SearchSettings(iterations=5, seconds=1000.0)).run(start(game), 1).simulations == 5


def test_without_a_budget_a_search_goes_on_until_it_is_stopped() -> None:
    game = load_game("circles")
    state = recorded(draw_deals(game, 1, 1, options={"size": 12}), 0).states[0]
    search, results = Search(game, SearchSettings(nodes=20_000)), []
    thread = threading.Thread(target=lambda: results.append(search.run(state, 1)))
    thread.start()
    while tree_of(search).visits[ROOT] < 20:
        time.sleep(0.001)
    with pytest.raises(UsageError, match="busy in another thread"):
        search.run(state, 1)
    search.stop()
    thread.join(60)
    assert not thread.is_alive()
    assert results[0].simulations >= 20
    assert results[0].move in results[0].moves


def test_a_search_that_was_stopped_can_search_again() -> None:
    game = load_game("tictactoe")
    search = Search(game, SearchSettings(iterations=20))
    search.stop()
    assert search.run(start(game), 1).simulations == 20


@every_game
def test_the_bound_of_memory_holds_and_the_search_goes_on(game: Game) -> None:
    search = Search(game, SearchSettings(iterations=3 * SIMULATIONS, nodes=1000))
    state = recorded(draw_deals(game, 1, 1, opening_plies=0), 0).states[0]
    result = search.run(state, 1)
    tree = tree_of(search)
    assert result.simulations == 3 * SIMULATIONS
    assert result.nodes <= 1000 == len(tree.visits)
    assert_adds_up(tree)


def test_memory_is_used_up_to_its_bound() -> None:
    game = load_game("tictactoe")
    result = Search(game, SearchSettings(iterations=1500, nodes=1000)).run(start(game), 1)
    assert result.simulations == 1500
    assert 1000 - 9 < result.nodes <= 1000, "there was no room for the children of one more node"


def test_a_win_in_one_is_proven_and_ends_the_search() -> None:
    game = load_game("tictactoe")
    a, b, c = (game.read(text, start(game)) for text in ("0,0", "0,1", "0,2"))
    d, e = (game.read(text, start(game)) for text in ("1,0", "1,1"))
    for select in ("uct", "puct"):
        result = Search(game, SearchSettings(iterations=5000, select=select)).run(after(game, start(game), a, d, b, e))
        assert (result.move, result.value, result.line) == (c, 1.0, (c,))
        assert result.simulations < 5000
        blocked = Search(game, SearchSettings(iterations=500, select=select)).run(after(game, start(game), a, d, b))
        assert blocked.move == c


def test_a_forced_loss_is_proven_too() -> None:
    game = load_game("tictactoe")
    corners = [game.read(text, start(game)) for text in ("0,0", "0,1", "2,0", "1,0", "2,2")]
    result = Search(game, SearchSettings(iterations=5000)).run(after(game, start(game), *corners))
    assert result.value == -1.0
    assert result.proven.all()


def test_a_game_that_is_over_is_not_searched() -> None:
    game = load_game("tictactoe")
    record = course(game)
    with pytest.raises(UsageError, match="the game is over"):
        Search(game, SearchSettings(iterations=5)).run(record.states[record.plies], 1)


def test_mcts_never_loses_tic_tac_toe_to_random() -> None:
    game = load_game("tictactoe")
    deals = 40 if compiling() else 2
    players = [make_player("mcts:iterations=500", game), make_player("random", game)]
    games = play_games(players, draw_deals(game, deals, 1, opening_plies=0), mirrored(deals))
    lost = games.points[:, 0] < games.points[:, 1]
    lost[1::2] = games.points[1::2, 0] > games.points[1::2, 1]
    assert not lost.any()


def test_solving_proves_with_fewer_simulations() -> None:
    game = load_game("tictactoe")
    state = after(game, start(game), *(game.read(text, start(game)) for text in ("0,0", "1,1", "2,2")))
    plain, solving = (Search(game, SearchSettings(iterations=20_000, solve=s)).run(state, 1) for s in (False, True))
    assert plain.proven.all()
    assert solving.proven.all()
    assert plain.value == solving.value == 0
    assert solving.simulations < plain.simulations / 2
