"""The Nash mix and the cycles of written tables of win rates."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.optimize import linprog

from rulebots.errors import UsageError
from rulebots.packages import load_game
from rulebots.play.results import MatchResult
from rulebots.tournaments.nash import nash_mix, nash_of
from rulebots.tournaments.tournament import Meeting, Tournament, tournament_of

ROCK = np.array([[0.5, 0.2, 0.8], [0.8, 0.5, 0.2], [0.2, 0.8, 0.5]])


def test_rock_paper_scissors_is_mixed_in_equal_shares() -> None:
    assert nash_mix(ROCK) == pytest.approx([1 / 3] * 3)


def test_who_wins_more_is_drawn_less() -> None:
    # Rock beats scissors by more than the others win: a mix that nobody beats has more paper.
    table = np.array([[0.5, 0.4, 0.9], [0.6, 0.5, 0.4], [0.1, 0.6, 0.5]])
    shares = nash_mix(table)
    assert shares == pytest.approx([1 / 6, 4 / 6, 1 / 6], abs=1e-7)
    assert shares @ table == pytest.approx([0.5] * 3, abs=1e-7)


def test_a_single_best_player_has_all_of_it() -> None:
    table = np.array([[0.5, 0.6, 0.9], [0.4, 0.5, 0.7], [0.1, 0.3, 0.5]])
    assert nash_mix(table) == pytest.approx([1, 0, 0])


def test_players_who_do_the_same_share() -> None:
    table = np.array([[0.5, 0.5, 0.9], [0.5, 0.5, 0.9], [0.1, 0.1, 0.5]])
    assert nash_mix(table) == pytest.approx([0.5, 0.5, 0])


@given(st.integers(2, 8), st.integers(0, 2**32 - 1), st.sampled_from([2, 8, 800]))
def test_no_mix_that_nobody_beats_has_a_smaller_largest_share(size: int, seed: int, steps: int) -> None:
    above = np.triu(np.random.default_rng(seed).integers(0, steps + 1, (size, size)) / steps, 1)
    table = above + np.tril(1 - above.T, -1) + np.eye(size) / 2
    shares = nash_mix(table)
    assert (shares @ table).min() >= 0.5 - 1e-7
    # The variables are the shares and the largest of them.
    found = linprog(
        np.append(np.zeros(size), 1.0),
        A_ub=np.block([[-table.T, np.zeros((size, 1))], [np.eye(size), -np.ones((size, 1))]]),
        b_ub=np.append(np.full(size, -0.5), np.zeros(size)), A_eq=[[1.0] * size + [0.0]], b_eq=[1.0],
    )  # fmt: skip
    assert shares.max() == pytest.approx(found.fun, abs=1e-5)


def test_a_hundred_players_who_do_the_same_share() -> None:
    assert nash_mix(np.full((100, 100), 0.5)) == pytest.approx(np.full(100, 0.01))


@pytest.mark.parametrize("size", [2, 5, 12, 60])
def test_nobody_beats_the_mix_of_any_table(size: int) -> None:
    rng = np.random.default_rng(size)
    above = np.triu(rng.uniform(size=(size, size)), 1)
    table = above + np.tril(1 - above.T, -1) + np.eye(size) / 2
    shares = nash_mix(table)
    assert shares.sum() == pytest.approx(1)
    assert (shares >= 0).all()
    assert (shares @ table >= 0.5 - 1e-6).all()


def meeting(first: int, second: int, rate: float, deals: int, *, few: bool = False) -> Meeting:
    """The first player wins that share of the deals from both seats, and loses the others."""
    scores = np.zeros(deals)
    scores[(np.arange(deals) * 7 + 3 * second) % deals < round(rate * deals)] = 1.0
    reach = 1.96 * math.sqrt(rate * (1 - rate) / deals)
    result = MatchResult(
        wins=0, draws=0, losses=0, stalled=0, games=2 * deals, win_rate=rate, win_rate_95=(rate - reach, rate + reach),
        points=0, opponent_points=0, margin=0, margin_95=(0, 0), elo=0, elo_95=(0, 0), superiority=0.5,
        pentanomial=(0, 0, 0, 0, 0), plies=0, behaviour={}, distinct_deals=deals, effective_deals=2 if few else deals,
        table=None, deals=deals, opponent_rate=1 - rate, scores=scores, in_points=False,
        margins=np.zeros(deals),
    )  # fmt: skip
    return Meeting(first, second, (first, second), result, scores, np.arange(deals))


def tournament(table: np.ndarray, deals: int, *, few: bool = False) -> Tournament:
    pairs = [(i, j) for i in range(len(table)) for j in range(i + 1, len(table))]
    names = ["rock", "paper", "scissors", "well"][: len(table)]
    meetings = [meeting(i, j, table[i, j], deals, few=few) for i, j in pairs]
    return tournament_of(load_game("tictactoe"), names, meetings)


@pytest.mark.slow
def test_a_cycle_is_named_where_all_three_are_sure() -> None:
    found = nash_of(tournament(ROCK, 100))
    assert [[found.names[i] for i in cycle] for cycle in found.cycles] == [["rock", "scissors", "paper"]]
    assert found.apparent == 1
    assert found.shares == pytest.approx([1 / 3] * 3, abs=0.01)
    assert (found.low < found.shares).all()
    assert (found.high > found.shares).all()
    assert found.summary()["cycles"] == [["rock", "scissors", "paper"]]
    near = np.array([[0.5, 0.48, 0.52], [0.52, 0.5, 0.48], [0.48, 0.52, 0.5]])
    unsure = nash_of(tournament(near, 100))
    assert (unsure.cycles, unsure.apparent) == ((), 1)


@pytest.mark.slow
def test_more_deals_make_the_shares_surer() -> None:
    few, many = nash_of(tournament(ROCK, 50)), nash_of(tournament(ROCK, 800))
    assert ((many.high - many.low) < (few.high - few.low)).all()


def test_too_few_different_deals_give_no_interval() -> None:
    found = nash_of(tournament(ROCK, 50, few=True))
    assert (found.low, found.high) == (None, None)
    assert found.summary()["players"]["rock"]["share_95"] is None


def test_all_pairs_have_to_have_met() -> None:
    whole = tournament(ROCK, 20)
    part = tournament_of(whole.game, whole.names, whole.meetings[:2])
    with pytest.raises(UsageError, match="needs the win rates of all pairs: play a round robin"):
        nash_of(part)
