"""Monte Carlo tree search in every game in which nothing is hidden: budgets, seeds, memory, forced outcomes.

----

Searching with several threads.
"""

from __future__ import annotations

import asyncio
import itertools
import threading
import time
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest
from played_positions import after
from search_positions import (
    FAR,
    GAME,
    SIMULATIONS,
    assert_adds_up,
    child_by,
    course,
    every_game,
    far,
    start,
    to_decide,
    tree_of,
)

import rulebots.search.mcts.search as mcts
from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.packages import load_game
from rulebots.players import RulePlayer
from rulebots.rules import RuleSet
from rulebots.search.mcts.player import MctsPlayer, ParallelSearch, combined
from rulebots.search.mcts.search import Search
from rulebots.search.mcts.settings import SearchSettings
from rulebots.search.mcts.tree import DRAWN, ROOT


@pytest.mark.slow
@every_game
def test_moves_are_legal_and_all_simulations_are_made(game: Game) -> None:
    search = Search(game, SearchSettings(iterations=33))
    record, unkept = course(game), 0
    for position in map(record.position, record.decisions[::3]):
        before = position.state.tobytes()
        result = search.run(position, 1)
        assert sorted(result.moves.tolist()) == sorted(position.legal_moves.tolist())
        assert result.move == result.moves[0]
        assert result.line[0] == result.move
        assert [*result.line[1:2]] == [answer for answer in result.answers[:1] if answer >= 0]
        assert result.simulations == 33 or result.proven.any()
        assert result.kept or result.visits.sum() == result.simulations
        unkept += not result.kept
        assert (position.state.tobytes(), position.luck) == (before, None)
        assert_adds_up(tree_of(search))
    assert unkept > 0


@pytest.mark.slow
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


def test_values_are_the_movers_also_where_a_seat_moves_twice() -> None:
    """Every node's sum is what its simulations brought seat 0; a mean is turned for the seat that chooses."""
    game = load_game("kalah")
    record = course(game, 1)
    twice = [i for i in range(record.plies - 1) if record.states[i].mover == record.states[i + 1].mover]
    assert twice
    checked = 0
    for i in twice[:2]:
        position = record.position(i)
        search = Search(game, SearchSettings(iterations=SIMULATIONS))
        result, side = search.run(position, 1), 1 - 2 * position.mover
        tree = tree_of(search)
        for move, value, proven in zip(result.moves, result.values, result.proven, strict=True):
            node = child_by(tree, ROOT, int(move))
            mean = tree.value_sum[node] / tree.visits[node] if tree.visits[node] else 0.0
            assert value == pytest.approx(side * (tree.proven[node] - DRAWN if proven else mean))
            checked += value != 0
    assert checked


def test_a_limit_of_seconds_ends_by_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    game, ticks = load_game("tictactoe"), itertools.count()
    search = Search(game, SearchSettings(seconds=0.1))
    monkeypatch.setattr(mcts.time, "perf_counter", lambda: next(ticks) * 0.004)
    result = search.run(start(game), 1)
    assert 0.1 <= result.seconds <= 0.11
    assert result.simulations > 8


def test_iterations_and_seconds_together_end_with_the_first() -> None:
    game = load_game("tictactoe")
    assert Search(game, SearchSettings(iterations=5, seconds=1000.0)).run(start(game), 1).simulations == 5


def test_without_a_limit_a_search_goes_on_until_it_is_stopped() -> None:
    game = load_game("circles")
    position = Position(game, {"size": 12})
    search, results = Search(game, SearchSettings(nodes=20_000)), []
    thread = threading.Thread(target=lambda: results.append(search.run(position, 1)))
    thread.start()
    while tree_of(search).visits[ROOT] < 20:
        time.sleep(0.001)
    with pytest.raises(UsageError, match="busy in another thread"):
        search.run(position, 1)
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


@pytest.mark.slow
@every_game
def test_a_full_tree_does_not_grow_and_the_search_goes_on(game: Game) -> None:
    search = Search(game, SearchSettings(iterations=3 * SIMULATIONS, nodes=1000))
    result = search.run(to_decide(Position(game)), 1)
    tree = tree_of(search)
    assert result.simulations == 3 * SIMULATIONS
    assert result.nodes <= 1000 == len(tree.visits)
    assert_adds_up(tree)


@pytest.mark.slow
def test_a_tree_grows_to_its_capacity() -> None:
    game = load_game("tictactoe")
    result = Search(game, SearchSettings(iterations=1500, nodes=1000)).run(start(game), 1)
    assert result.simulations == 1500
    assert 1000 - 9 < result.nodes <= 1000, "another node could have been expanded"


def test_what_cannot_be_searched_is_refused() -> None:
    record, search = course(GAME), Search(GAME, SearchSettings(iterations=5))
    with pytest.raises(UsageError, match="the game is over: there is nothing to search"):
        search.run(record.position(record.plies))
    with pytest.raises(UsageError, match="expected a position of Tic-tac-toe, not of Kalah"):
        search.run(Position(load_game("kalah")))


def opened(settings: SearchSettings, seed: int = 1) -> npt.NDArray[np.float64]:
    """The priors of the root's children after a search."""
    search = Search(GAME, settings, rollout=FAR, prior=FAR)
    search.run(start(GAME), seed)
    tree = search._tree
    return tree.prior[tree.first_child[ROOT] : tree.first_child[ROOT] + tree.child_count[ROOT]].astype(np.float64)


@pytest.mark.interpreted
def test_noise_is_mixed_into_the_priors_of_the_root_by_its_weight() -> None:
    plain = opened(SearchSettings(iterations=3, softness=20.0))
    assert plain.sum() == pytest.approx(1)
    noisy = opened(SearchSettings(iterations=3, softness=20.0, noise=0.25, alpha=0.3))
    drawn = (noisy - 0.75 * plain) / 0.25
    assert drawn.sum() == pytest.approx(1, abs=1e-5)
    assert (drawn >= -1e-6).all()
    assert drawn.max() > 0.2
    assert opened(SearchSettings(iterations=3, softness=20.0, noise=0.25, alpha=0.3)).tolist() == noisy.tolist()
    assert opened(SearchSettings(iterations=3, softness=20.0, noise=0.25, alpha=0.3), seed=2).tolist() != noisy.tolist()
    smooth = opened(SearchSettings(iterations=3, softness=20.0, noise=1.0, alpha=1000.0))
    np.testing.assert_allclose(smooth, 1 / 9, atol=0.03)


@pytest.mark.interpreted
def test_the_temperature_of_a_search_is_used() -> None:
    settings = SearchSettings(iterations=20, temperature=5.0, select="puct", softness=20.0)
    search = Search(GAME, settings, rollout=FAR, prior=FAR)
    found = [search.run(start(GAME), seed) for seed in range(10)]
    assert any(result.move != result.moves[0] for result in found)
    assert found[3].move == search.run(start(GAME), 3).move


def test_arguments_that_contradict_each_other_are_refused() -> None:
    other = RuleSet("other", GAME, (far,))
    stranger = RulePlayer(other, other.hand_tuned(), "stranger")
    with pytest.raises(
        UsageError, match="need players of the same rule set, but 'far' belongs to 'written' and 'stranger' to 'other'"
    ):
        Search(GAME, SearchSettings(iterations=1), rollout=FAR, prior=stranger)
    with pytest.raises(UsageError, match="UCT does not use priors"):
        Search(GAME, SearchSettings(iterations=1, select="uct"), prior=FAR)
    with pytest.raises(UsageError, match="an evaluator gives values and priors"):
        Search(GAME, SearchSettings(iterations=1), prior=FAR, evaluator=lambda states: (np.zeros(len(states)), None))
    with pytest.raises(UsageError, match="'far' plays tictactoe, not circles"):
        Search(load_game("circles"), SearchSettings(iterations=1), prior=FAR)
    with pytest.raises(UsageError, match="Lost Cities hides cards"):
        Search(load_game("lost-cities"), SearchSettings(iterations=1))


def test_a_call_may_have_limits_and_a_temperature_of_its_own() -> None:
    search = Search(GAME, SearchSettings(iterations=20))
    result = search.run(start(GAME), 1)
    assert result.simulations == 20
    assert sorted(result.probabilities.tolist()) == [0.0] * 8 + [1.0]
    longer = search.run(start(GAME), 1, iterations=50, temperature=1.0)
    assert longer.simulations == 50
    np.testing.assert_allclose(longer.probabilities, longer.visits / longer.visits.sum())
    assert search.run(start(GAME), 1).probabilities.max() == 1.0, "the settings are what they were"
    with pytest.raises(UsageError, match="mcts: iterations: expected a whole number from 1 to"):
        search.run(start(GAME), 1, iterations=0)


def test_a_search_can_be_awaited_and_cancelled() -> None:
    async def searching() -> int:
        search = Search(GAME, SearchSettings(iterations=30))
        found = await search.run_async(start(GAME), 1)
        assert found.move == Search(GAME, SearchSettings(iterations=30)).run(start(GAME), 1).move
        endless = Search(load_game("circles"), SearchSettings(nodes=20_000))
        task = asyncio.create_task(endless.run_async(Position(endless.game, {"size": 12}), 1))
        while tree_of(endless).visits[ROOT] < 20:
            await asyncio.sleep(0.001)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        while endless._busy.locked():
            await asyncio.sleep(0.001)
        return int(tree_of(endless).visits[ROOT])

    assert asyncio.run(searching()) >= 20


def test_threads_share_the_simulations_and_the_seed_decides() -> None:
    settings = SearchSettings(iterations=SIMULATIONS + 1, threads=3)
    first, again = (ParallelSearch(GAME, settings).run(start(GAME), 5) for _ in range(2))
    assert first.simulations == SIMULATIONS + 1 == first.visits.sum()
    assert (first.move, first.visits.tolist(), first.values.tolist()) == (
        again.move,
        again.visits.tolist(),
        again.values.tolist(),
    )
    assert first.move == first.moves[0] == first.line[0]
    other = ParallelSearch(GAME, settings).run(start(GAME), 6)
    assert other.visits.tolist() != first.visits.tolist()


def test_results_are_added_up_and_one_proof_is_enough() -> None:
    threatened = after(start(GAME), "0,0", "1,0", "0,1", "1,1")
    results = [Search(GAME, SearchSettings(iterations=n)).run(start(GAME), n) for n in (20, 40)]
    both = combined(results, 0.0, np.random.default_rng(1))
    for move, visits, value in zip(both.moves, both.visits, both.values, strict=True):
        pairs = [(one.visits[one.moves == move][0], one.values[one.moves == move][0]) for one in results]
        assert visits == sum(count for count, _ in pairs)
        assert value == pytest.approx(sum(count * mean for count, mean in pairs if count) / visits)
    won = ParallelSearch(GAME, SearchSettings(iterations=50, threads=2)).run(threatened, 1)
    assert (won.move, won.value, won.proven[0], won.distances[0]) == (threatened.read("0,2"), 1.0, True, 1)


def test_where_chance_is_in_play_the_sum_keeps_to_the_guide_as_one_search_does() -> None:
    one = Search(GAME, SearchSettings(iterations=40)).run(start(GAME), 1)
    count = len(one.moves)
    guided = replace(
        one,
        visits=np.arange(count, 0, -1),
        values=np.linspace(0.02, 0.0, count),
        priors=np.eye(count, dtype=np.float32)[1],
        proven=np.zeros(count, np.bool_),
    )
    rng = np.random.default_rng(1)
    assert combined([guided, guided], 0.0, rng).move == one.moves[0], "the most visited"
    kept = combined([guided, guided], 0.0, rng, keeps_to_guide=True)
    assert (kept.move, kept.moves[0], kept.line) == (one.moves[1],) * 2 + ((one.moves[1],),), "0.02 more is luck"


def test_a_player_with_threads_keeps_its_trees_and_an_evaluator_has_none() -> None:
    player = MctsPlayer(GAME, SearchSettings(iterations=SIMULATIONS, threads=2))
    position = start(GAME)
    position.push(player.decide(position))
    assert player.result is not None
    position.push(player.result.line[1])
    player.decide(position)
    assert player.result.kept > 0
    with pytest.raises(UsageError, match="an evaluator in Python runs in one thread"):
        MctsPlayer(
            GAME, SearchSettings(iterations=5, threads=2), evaluator=lambda states: (np.zeros(len(states)), None)
        )
    with pytest.raises(UsageError, match="for more, take a ParallelSearch"):
        Search(GAME, SearchSettings(iterations=5, threads=2))
