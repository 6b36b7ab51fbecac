"""Searching with several threads."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from played_positions import after
from search_positions import GAME, SIMULATIONS, start

from rulebots.errors import UsageError
from rulebots.search.mcts.parallel import ParallelSearch, combined
from rulebots.search.mcts.player import MctsPlayer
from rulebots.search.mcts.search import Search
from rulebots.search.mcts.settings import SearchSettings


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
