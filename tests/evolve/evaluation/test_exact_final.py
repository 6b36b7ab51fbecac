"""The end of a run, on a game that takes no time: who is best is known."""

from __future__ import annotations

from typing import Any

import pytest
from chorus import game as chorus
from chorus import good, wild
from numbers_game import game, low, middle, namer

from evolve.evaluation.arena import Arena
from evolve.evaluation.final import (
    BEGAN_FROM,
    SAME,
    Measured,
    Rivals,
    affordable,
    best_of,
    measure,
    run_off,
    same,
    verdict,
)
from evolve.schedules import HELD_OUT, RUNOFF, DealSource
from evolve.settings import Settings
from evolve.workers import Workers
from rulebots.players import Player, RulePlayer
from rulebots.ratings import Sprt

#: Games of a run that pay for all that its settings ask for.
LONG = 10_000_000
HIGH, MIDDLE, LOW = namer(1, name="high"), namer(0, 1, name="middle"), namer(-1, name="low")


class Noting(Arena):
    """Notes the deals that it draws."""

    def __init__(self, seats: int = 2, **settings: Any) -> None:
        super().__init__(game, Settings(options={"seats": seats}, **settings), Workers())
        self.drawn: list[tuple[int, ...]] = []

    def deals(self, count: int, *identity: int) -> DealSource:
        self.drawn.append((count, *identity))
        return super().deals(count, *identity)


def test_the_run_off_orders_the_candidates_by_what_they_win() -> None:
    arena = Noting(runoff_deals=3)
    assert run_off(arena, [LOW, HIGH, MIDDLE], [], LONG) == [1, 2, 0]
    assert run_off(arena, [LOW, HIGH, MIDDLE], [low()], LONG) == [1, 2, 0]
    assert run_off(arena, [HIGH, namer(2), MIDDLE], [], LONG)[2] == 2
    assert {count for count, *_ in arena.drawn} == {3}
    # Only the reference tells two apart that do not meet it alike; equals keep their order.
    assert run_off(Noting(runoff_deals=1), [HIGH, HIGH], [], LONG) == [0, 1]


@pytest.mark.parametrize(
    ("champion", "begun", "best"),
    [(LOW, [MIDDLE, HIGH], HIGH), (HIGH, [MIDDLE, LOW], HIGH), (LOW, [HIGH, MIDDLE], HIGH), (LOW, [], LOW)],
)
def test_the_best_is_one_of_those_that_the_run_began_from_where_that_wins(
    champion: RulePlayer, begun: list[RulePlayer], best: RulePlayer
) -> None:
    assert best_of(Noting(verdict_deals=4), champion, begun, LONG) is best


def test_each_of_them_plays_on_other_deals_and_none_against_itself() -> None:
    arena = Noting(verdict_deals=4)
    assert best_of(arena, HIGH, [HIGH, namer(1), LOW, MIDDLE], LONG) is HIGH
    assert [count for count, *_ in arena.drawn] == [4, 4]
    assert len(set(arena.drawn)) == 2
    twin = namer(2)
    assert best_of(arena, HIGH, [twin], LONG) is HIGH, "who is level does not take the place"


def test_a_verdict_ends_with_the_step_that_decides() -> None:
    test = Sprt(0, 200)
    better = verdict(Noting(), HIGH, LOW, 100, test=test)
    assert (better.says, better.former, better.deals, better.games, better.win_rate) == ("better", "low", 12, 24, 1.0)
    assert better.distinct_deals == 12
    worse = verdict(Noting(), LOW, HIGH, 100, test=test)
    assert (worse.says, worse.win_rate) == ("not better", 0.0)
    assert worse.sentence == "the champion is NOT better than the shipped player 'high' (0.0% of 24 games)"
    arena = Noting()
    assert verdict(arena, HIGH, LOW, 20, 3).says == "undecided"
    assert [drawn[0] for drawn in arena.drawn] == [4] * 5
    assert [drawn[2:] for drawn in arena.drawn] == [(3, step) for step in range(5)]


@pytest.mark.parametrize(
    ("games", "seats", "deals"),
    [(0, 2, (4, 10, 10)), (4000, 2, (40, 33, 200)), (4000, 4, (16, 10, 50)), (LONG, 2, (400, 2000, 8000))],
)
def test_what_the_end_costs_is_a_share_of_the_runs_games(games: int, seats: int, deals: tuple[int, ...]) -> None:
    arena = Noting(seats)
    run_off(arena, [HIGH, LOW], [middle()] * 2, games)
    assert arena.drawn.pop()[0] == deals[0]
    assert best_of(arena, MIDDLE, [HIGH], games) is HIGH
    measure(arena, HIGH, Rivals({"a": LOW, "b": MIDDLE, "c": LOW}, LOW, [low()], {1: LOW, 2: MIDDLE}), None, games)
    assert next(drawn[0] for drawn in arena.drawn if drawn[1] == HELD_OUT) == deals[1]
    assert affordable(arena, "verdict_deals", games, len(arena.mirrored(1))) == deals[2]
    chosen = Noting(seats, runoff_deals=70)
    run_off(chosen, [HIGH, LOW], [], games)
    assert chosen.drawn == [(70, RUNOFF)], "as many as the user chose"


def test_who_weighs_the_same_rules_alike_is_the_same() -> None:
    assert same(HIGH, namer(1))
    assert not same(HIGH, namer(2))
    assert not same(HIGH, low())
    assert not same(HIGH, RulePlayer(HIGH.rules.extended("more", []), HIGH.weights))


def measured(
    champion: RulePlayer = HIGH,
    former: Player = LOW,
    training: float | None = 0.75,
    starters: dict[str, RulePlayer] | None = None,
    seats: int = 2,
) -> tuple[Measured, Noting]:
    arena = Noting(seats, held_out_deals=12, verdict_deals=2)
    found = measure(
        arena,
        champion,
        Rivals({"hand-tuned": LOW, "middle": MIDDLE}, former, [low(), middle()], {3: LOW}, starters or {}),
        training,
        LONG,
    )
    return found, arena


def test_a_champion_is_measured_against_references_opponents_and_former_champions() -> None:
    found, arena = measured()
    assert {name: result.win_rate for name, result in found.held_out.items()} == {"hand-tuned": 1.0, "middle": 1.0}
    assert {result.deals for result in found.held_out.values()} == {12}
    assert (found.fresh, found.even, found.alone, found.gap) == (1.0, 0.5, False, -0.25)
    assert (found.fame[3].win_rate, found.verdict.deals, found.verdict.says) == (1.0, 2, "undecided")
    assert found.on_start is None
    assert [drawn[0] for drawn in arena.drawn] == [12, 2]
    lower, _ = measured(champion=MIDDLE, training=None)
    assert (lower.gap, lower.held_out["middle"].win_rate) == (None, 0.5)
    assert 0.5 < lower.fresh < 1.0
    assert [measured(seats=3)[0].alone, measured(seats=3)[0].even] == [True, 1 / 3]


def test_those_that_the_run_began_from_are_measured_as_well() -> None:
    found, _ = measured(starters={"first": MIDDLE, "again": namer(1)})
    assert list(found.held_out) == ["hand-tuned", "middle", "first"]
    assert found.on_start is not None
    assert (found.on_start.who, found.on_start.former, found.on_start.deals) == (BEGAN_FROM, "middle", 2)
    assert found.on_start.sentence.startswith(f"undecided whether the champion is better than {BEGAN_FROM} 'middle'")
    unchanged, _ = measured(starters={"first": namer(1, name="first")})
    assert unchanged.on_start is not None
    assert (unchanged.on_start.says, unchanged.on_start.games, unchanged.on_start.win_rate) == (SAME, 0, 0.5)
    assert unchanged.on_start.sentence == f"the champion is {BEGAN_FROM} 'first'"
    assert measured(starters={"first": namer(-1)})[0].on_start is None, "that is the former champion"


def test_together_there_is_a_match_beside_each_partner() -> None:
    arena = Arena(chorus, Settings(options={"seats": 3}, held_out_deals=2, verdict_deals=2), Workers())
    arena.partners = [wild("partner")]
    found = measure(arena, good(), Rivals({"wild": wild()}, wild(), [wild()]), None, LONG)
    assert list(found.held_out) == ["wild", "with partner"]
    assert (found.alone, found.even) == (False, 0.5)
    assert found.held_out["wild"].points == 3 * 3 - 3
