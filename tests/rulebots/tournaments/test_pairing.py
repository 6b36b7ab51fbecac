"""Who meets whom in a tournament of two seats; see test_tournament_tables.py for more."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, strategies as st

from rulebots.tournaments.pairing import (
    Table,
    Tables,
    resting,
    swiss_tables,
    table_robin,
)


def test_everyone_meets_everyone_or_the_challenger() -> None:
    assert table_robin(3, 2) == [(0, 1), (0, 2), (1, 2)]
    assert Tables("gauntlet", 2, 4).next_round([], []) == [(0, 1), (0, 2), (0, 3)]
    assert resting(5, [(0, 3), (1, 4)]) == {2}


def swiss(players: int, rounds: int, seed: int = 0) -> list[list[Table]]:
    """Rounds of a tournament with random results."""
    rng, played = np.random.default_rng(seed), list[list[Table]]()
    scores = [0.0] * players
    for _ in range(rounds):
        played.append(swiss_tables(2, scores, played))
        scores = [score + rng.random() for score in scores]
    return played


@given(st.integers(2, 30), st.integers(0, 1000))
def test_a_swiss_round_pairs_all_but_one_and_nobody_twice_while_that_is_possible(players: int, seed: int) -> None:
    met: set[tuple[int, int]] = set()
    rested: list[int] = []
    for turn, pairs in enumerate(swiss(players, min(9, players), seed)):
        idle = resting(players, pairs)
        assert sorted([*itertools.chain.from_iterable(pairs), *idle]) == list(range(players))
        assert len(idle) == players % 2
        assert all(first < second for first, second in pairs)
        # Without rematches there are always pairs while each has met fewer than half of the others.
        assert turn > players / 2 - 1 or not met & set(pairs)
        met |= set(pairs)
        rested += idle
    assert len(set(rested)) == min(len(rested), players)


def test_neighbours_in_the_standings_meet() -> None:
    assert swiss_tables(2, [1, 4, 3, 2], []) == [(1, 2), (0, 3)]
    assert swiss_tables(2, [1, 4, 3, 2], [[(1, 2), (0, 3)]]) == [(1, 3), (0, 2)]
    assert swiss_tables(2, [1, 4, 3], [[(1, 2)]]) == [(0, 1)], "the last one has rested"


def test_rematches_are_as_few_as_possible() -> None:
    everyone = [[(0, 1), (2, 3)], [(0, 2), (1, 3)], [(0, 3), (1, 2)]]
    assert swiss_tables(2, [4, 3, 2, 1], everyone) == [(0, 1), (2, 3)]
    # The first two could meet, but then the other two would meet again.
    assert swiss_tables(2, [4, 3, 2, 1], [[(0, 2), (2, 3)], [(1, 3)]]) == [(0, 3), (1, 2)]


def exhaustive(order: list[int], met: set[tuple[int, int]]) -> list[Table]:
    """The pairs with the fewest rematches; among those, the first in the order in which neighbours are tried."""
    if not order:
        return []
    first, *others = order
    found = []
    for second in others:
        pair = (min(first, second), max(first, second))
        found.append([pair, *exhaustive([other for other in others if other != second], met)])
    return min(found, key=lambda pairs: sum(pair in met for pair in pairs))


@given(st.integers(1, 4), st.integers(0, 7), st.integers(0, 1000))
def test_a_round_is_that_of_an_exhaustive_search(half: int, rounds: int, seed: int) -> None:
    played = swiss(2 * half, min(rounds, 2 * half - 1), seed)
    met = set(itertools.chain.from_iterable(played))
    scores = np.random.default_rng(seed).random(2 * half).tolist()
    order = sorted(range(2 * half), key=lambda player: (-scores[player], player))
    assert swiss_tables(2, scores, played) == exhaustive(order, met)


def test_large_populations_are_paired_at_once() -> None:
    played = swiss(2001, 9)
    assert all(len(pairs) == 1000 for pairs in played)
    assert len(set(itertools.chain.from_iterable(played))) == 9000


@pytest.mark.slow
def test_many_rounds_end_although_rematches_cannot_be_avoided() -> None:
    assert all(len(pairs) == 12 for pairs in swiss(24, 30))
