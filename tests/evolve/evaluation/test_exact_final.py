"""The end of a run, on a game that takes no time: who is best is known."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from chorus import game as chorus, good, wild
from numbers_game import game, low, middle, namer

from evolve.evaluation import final
from evolve.evaluation.arena import Arena
from evolve.evaluation.final import (
    BEGAN_FROM,
    SAME,
    Measured,
    Rivals,
    affordable,
    best_of,
    idle_rules,
    measure,
    run_off,
    same,
    specialist,
    standing,
    verdict,
)
from evolve.schedules import HELD_OUT, IDLING, RUNOFF, VERDICT, DealSource
from evolve.settings import Settings
from evolve.workers import Workers
from rulebots.players import Player, RulePlayer
from rulebots.ratings import Sprt

#: Games of a run that pay for all that its settings ask for.
LONG = 10_000_000
HIGH, MIDDLE, LOW = namer(1, name="high"), namer(0, 1, name="middle"), namer(-1, name="low")
OTHER = namer(-2, name="other")


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


def test_a_verdict_ends_with_the_step_that_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(final, "TEST", Sprt(0, 200))
    better = verdict(Noting(), HIGH, LOW, 100)
    assert (better.says, better.former, better.deals, better.games, better.win_rate) == ("better", "low", 12, 24, 1.0)
    assert better.distinct_deals == 12
    worse = verdict(Noting(), LOW, HIGH, 100)
    assert (worse.says, worse.win_rate) == ("worse", 0.0)
    said = "the champion is worse than the shipped player 'high' (0.0 % of 24 games; 95 %: 0.0 to 28.8)"
    assert worse.sentence == said
    monkeypatch.undo()
    arena = Noting()
    better = verdict(arena, HIGH, LOW, 20)
    assert better.sentence.startswith("the champion is better than the shipped player 'low' (100.0 % of 40 games; 95 %")
    assert verdict(Noting(), LOW, HIGH, 20).says == "worse", "the interval tells before the test does"
    assert [drawn[0] for drawn in arena.drawn] == [4] * 5
    assert [drawn[2:] for drawn in arena.drawn] == [(step,) for step in range(5)]


@pytest.mark.parametrize(
    ("games", "seats", "deals"),
    [(0, 2, (4, 30, 30)), (4000, 2, (40, 30, 200)), (4000, 4, (16, 30, 50)), (LONG, 2, (400, 2000, 8000))],
)
def test_what_the_end_costs_is_a_share_of_the_runs_games(games: int, seats: int, deals: tuple[int, ...]) -> None:
    arena = Noting(seats)
    run_off(arena, [HIGH, LOW], [middle()] * 2, games)
    assert arena.drawn.pop()[0] == deals[0]
    assert best_of(arena, MIDDLE, [HIGH], games) is HIGH
    measure(arena, HIGH, Rivals({"a": LOW, "b": MIDDLE}, LOW, [low()], {"c": LOW}, {"d": MIDDLE}), None, games)
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
        Rivals(
            {"hand-tuned": LOW, "middle": MIDDLE}, former, [low(), middle()], {"generation 3": OTHER}, starters or {}
        ),
        training,
        LONG,
    )
    return found, arena


def test_a_champion_is_measured_against_references_opponents_and_former_champions() -> None:
    found, arena = measured()
    assert {name: result.win_rate for name, result in found.held_out.items()} == {
        "hand-tuned": 1.0,
        "middle": 1.0,
        "generation 3": 1.0,
    }
    assert {result.deals for result in found.held_out.values()} == {12}
    assert (found.fresh, found.even, found.alone, found.gap) == (1.0, 0.5, False, -0.25)
    assert (found.verdict.deals, found.verdict.says) == (2, "undecided")
    assert found.on_start is None
    assert [drawn[:2] for drawn in arena.drawn] == [(12, HELD_OUT), (100, IDLING), (2, VERDICT)]
    assert found.standing == standing({name: found.held_out[name] for name in ("hand-tuned", "generation 3")})
    lower, _ = measured(champion=MIDDLE, training=None)
    assert (lower.gap, list(lower.held_out)) == (None, ["hand-tuned", "generation 3"]), "none against itself"
    assert 0.5 < lower.fresh < 1.0
    assert lower.fresh_95 is None, "of too few deals"
    assert [measured(seats=3)[0].alone, measured(seats=3)[0].even] == [True, 1 / 3]


def test_those_that_the_run_began_from_are_measured_as_well() -> None:
    found, _ = measured(starters={"first": MIDDLE, "again": namer(1)})
    assert list(found.held_out) == ["hand-tuned", "middle", "first", "generation 3"]
    assert found.standing is not None
    assert found.standing.players == ("hand-tuned", "first", "generation 3")
    assert found.on_start is not None
    assert (found.on_start.who, found.on_start.former, found.on_start.deals) == (BEGAN_FROM, "middle", 2)
    assert found.on_start.sentence.startswith(f"the champion is not shown to be better than {BEGAN_FROM} 'middle'")
    unchanged, _ = measured(starters={"first": namer(1, name="first")})
    assert unchanged.on_start is not None
    assert (unchanged.on_start.says, unchanged.on_start.games, unchanged.on_start.win_rate) == (SAME, 0, 0.5)
    assert unchanged.on_start.sentence == f"the champion is {BEGAN_FROM} 'first'"
    former = measured(starters={"first": LOW})[0]
    assert former.on_start is not None
    assert former.on_start.sentence.replace(f"{BEGAN_FROM} ", "the shipped player ") == former.verdict.sentence
    assert former.sentences == [former.on_start.sentence], "one verdict, as they are the same player"


def test_the_test_of_a_champion_goes_on_from_the_games_in_the_table() -> None:
    arena = Noting(held_out_deals=12, verdict_deals=40)
    equal = namer(2, name="champion")
    found = measure(arena, HIGH, Rivals({"hand-tuned": LOW}, equal, [low()]), None, LONG)
    row = found.held_out["shipped champion"]
    assert (row.deals, row.games, row.win_rate) == (40, 80, 0.5), "one figure, of all games"
    assert (found.verdict.deals, found.verdict.games) == (40, 80)
    assert (found.verdict.win_rate, found.verdict.win_rate_95) == (row.win_rate, row.win_rate_95)
    assert found.held_out["hand-tuned"].deals == 12
    assert "(50.0 % of 80 games; every deal even" in found.verdict.sentence
    assert sum(count for count, purpose, *_ in arena.drawn if purpose == VERDICT) == 28


def test_the_hand_tuned_player_does_not_play_against_itself() -> None:
    found, _ = measured(champion=LOW, training=None)
    assert list(found.held_out) == ["middle", "generation 3"]
    assert (found.verdict.says, found.verdict.games, found.verdict.former) == (SAME, 0, "low")


def test_whether_it_is_better_than_its_start_comes_first() -> None:
    found, _ = measured(starters={"first": MIDDLE})
    assert found.on_start is not None
    assert found.sentences == [found.on_start.sentence, found.verdict.sentence]


def test_the_shipped_champion_is_in_the_field() -> None:
    found, _ = measured(former=namer(2, name="champion"))
    assert found.held_out["shipped champion"].win_rate == 0.5
    assert found.standing is not None
    assert found.standing.players == ("hand-tuned", "shipped champion", "generation 3")
    assert found.standing.mean == pytest.approx((1 + 1 + 0.5) / 3)
    assert found.standing.mean_95[0] < 5 / 6 < found.standing.mean_95[1]


def test_too_few_deals_place_nobody_in_the_field() -> None:
    arena = Noting(held_out_deals=9, verdict_deals=2)
    found = measure(arena, HIGH, Rivals({"a": LOW}, MIDDLE, [low()]), None, LONG)
    assert found.standing is not None
    assert (found.standing.mean, found.standing.mean_95) == (1.0, None)


def match(rate: float, half: float = 0.02) -> Any:
    return SimpleNamespace(win_rate=rate, win_rate_95=(rate - half, rate + half), in_points=False, level=False)


@pytest.mark.parametrize(
    ("against", "met", "theirs", "sentence"),
    [
        (0.847, {"generation 9": 0.42}, 0.8, "42.0 % (40.0 to 44.0) against its own generation 9"),
        (
            0.847,
            {"generation 9": 0.47, "generation 17": 0.45},
            0.8,
            "45.0 % (43.0 to 47.0) against its own generation 17",
        ),
        (0.847, {"generation 9": 0.49}, 0.8, ""),
        # 77 % of the games against a player against whom this one takes 85 % are 60 % against each other.
        (
            0.85,
            {"champion": 0.45},
            0.77,
            "45.0 % (43.0 to 47.0) against champion, where that promises 56.5 % or more",
        ),
        (
            0.85,
            {"generation 9": 0.49},
            0.77,
            "49.0 % (47.0 to 51.0) against its own generation 9, where that promises",
        ),
        (0.85, {"generation 9": 0.50}, 0.77, ""),
        (0.85, {"champion": 0.50}, 0.82, ""),
        (0.60, {"champion": 0.40}, 0.70, ""),
        (0.45, {"generation 9": 0.44}, 0.50, ""),
        (0.85, {}, 0.5, ""),
    ],
)
def test_a_specialist_is_told_as_one(against: float, met: dict[str, float], theirs: float, sentence: str) -> None:
    matches = {"hand": match(against), **{name: match(rate) for name, rate in met.items()}}
    found = specialist("hand", matches, {name: match(theirs) for name in met}, {"generation 9", "generation 17"})
    own = f"{100 * against:.1f} % ({100 * (against - 0.02):.1f} to {100 * (against + 0.02):.1f})"
    begin = f"a specialist: the champion scores {own} against hand, but "
    assert found.startswith(begin + sentence) if sentence else found == ""


def lead(margin: float) -> Any:
    return SimpleNamespace(margin=margin, margin_95=(margin - 0.2, margin + 0.2), in_points=True, level=False)


def test_where_points_count_a_specialist_loses_points_to_its_own_generation() -> None:
    matches = {"hand": lead(2.5), "generation 9": lead(-0.3), "shipped champion": lead(-2.0), "generation 1": lead(0.1)}
    theirs = {name: lead(2.5) for name in matches if name != "hand"}
    assert specialist("hand", matches, theirs, {"generation 9", "generation 1"}) == (
        "a specialist: the champion scores +2.50 points a game (+2.30 to +2.70) against hand, but "
        "-0.30 points a game (-0.50 to -0.10) against its own generation 9"
    )
    theirs.pop("generation 9")
    assert specialist("hand", matches, theirs, {"generation 9", "generation 1"}) == ""


def test_a_champion_that_loses_to_its_own_generation_is_called_a_specialist_in_the_measurement() -> None:
    arena = Noting(held_out_deals=400, verdict_deals=2)
    rivals = Rivals({"hand": namer(-2)}, LOW, [low()], {"generation 9": HIGH})
    found = measure(arena, MIDDLE, rivals, None, LONG)
    assert found.specialist.startswith("a specialist: the champion scores ")
    assert found.specialist.endswith("against its own generation 9")
    assert (
        measure(arena, HIGH, Rivals({"hand": LOW}, LOW, [low()], {"generation 9": MIDDLE}), None, LONG).specialist == ""
    )


def test_a_reference_player_shows_a_specialist_too() -> None:
    """Whoever beats all but one, against whom the hand-tuned player does well."""
    arena = Noting(held_out_deals=400, verdict_deals=2)
    found = measure(arena, MIDDLE, Rivals({"hand": LOW, "high": HIGH}, LOW, [low()]), None, LONG)
    assert found.specialist == "", "it beats the hand-tuned player, too"
    assert specialist("hand", {"hand": match(0.9), "cheap": match(0.34)}, {"cheap": match(0.6)}, ()).endswith(
        "but 34.0 % (32.0 to 36.0) against cheap, where that promises 81.8 % or more"
    )


@pytest.mark.parametrize("seats", [2, 3])
def test_rules_that_change_no_move_are_found(seats: int) -> None:
    games = {2: 200, 3: 600}[seats]
    assert idle_rules(Noting(seats), namer(1), LONG) == (("name.moderation",), games)
    assert idle_rules(Noting(seats), namer(9, 0.001), 0) == (("name.moderation",), games // 25)
    assert idle_rules(Noting(seats), namer(0.001, 9), LONG)[0] == ("name.number",)
    assert idle_rules(Noting(seats), namer(-1), LONG)[0] == ("name.number", "name.moderation"), "it names the lowest"
    assert idle_rules(Noting(seats), namer(1, -9), LONG)[0] == ("name.moderation",)


def test_together_there_is_a_match_beside_each_partner() -> None:
    arena = Arena(chorus, Settings(options={"seats": 3}, held_out_deals=2, verdict_deals=2), Workers())
    arena.partners = [wild("partner")]
    found = measure(arena, good(), Rivals({"wild": (former := wild())}, former, [wild()]), None, LONG)
    assert list(found.held_out) == ["wild", "with partner"]
    assert (found.alone, found.even) == (False, 0.5)
    assert found.held_out["wild"].points == 3 * 3 - 3


def test_a_verdict_on_points_has_one_figure_with_its_interval() -> None:
    """A test that accepts "not better" says no more; an interval below 0 says worse, and the table has the same one."""
    arena = Arena(chorus, Settings(options={"seats": 3}, held_out_deals=12, verdict_deals=40), Workers())
    former = good("champion")
    found = measure(arena, wild(), Rivals({"wild": wild("hand"), "good": former}, former, [good()]), None, LONG)
    row, said = found.table["good"], found.verdict
    assert (said.says, said.margin, said.margin_95) == ("worse", row.margin, row.margin_95)
    assert said.games == row.games > 2 * 12
    low, high = row.margin_95
    assert said.sentence.endswith(
        f"{row.margin:+.2f} points a game, in {row.games} games; 95 %: {low:+.2f} to {high:+.2f})"
    )
    # Beside partners the verdict is from other games: there it tells alone, and the data have both.
    arena.partners = [wild("partner")]
    found = measure(arena, wild(), Rivals({"wild": wild("hand"), "good": former}, former, [good()]), None, LONG)
    assert "good" in found.held_out
    assert "good" not in found.table
