"""Who meets whom in a population."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from evolve.schedules import OpponentsOnly, RoundRobin, Swiss, pairing_of
from evolve.settings import Settings
from rulebots.errors import UsageError
from rulebots.tournaments.pairing import Table, table_robin


def test_a_schedule_names_a_pairing_with_its_settings() -> None:
    assert pairing_of("round-robin") == RoundRobin()
    assert pairing_of("swiss") == Swiss(9)
    assert pairing_of("swiss:rounds=12") == Swiss(12)


@pytest.mark.parametrize(
    ("spec", "message"),
    {
        "swis": "no schedule 'swis'; did you mean 'swiss'?",
        "swiss:rounds=0": "rounds: expected a whole number from 1 to 1,000, not 0",
        "gauntlet:rounds=2": "'gauntlet:rounds=2': no setting 'rounds' of gauntlet; there are: none",
    }.items(),
)
def test_an_unknown_schedule_is_refused(spec: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        pairing_of(spec)
    assert str(caught.value) == message


def test_the_games_of_a_generation_are_those_of_the_pairs_and_of_the_opponents() -> None:
    settings = {"population": 10, "deals": 3, "opponents": ("hand-tuned",), "hall_of_fame": 2, "opponent_deals": 5}
    against = 10 * 3 * 5 * 2
    assert Settings(**settings).games_a_generation() == 10 * 9 * 3 + against
    assert Settings(schedule="swiss:rounds=4", **settings).games_a_generation() == 10 * 4 * 3 + against
    assert Settings(schedule="gauntlet", **settings).games_a_generation() == against
    with pytest.raises(UsageError, match=r"'gauntlet' needs opponents, .*: name some, such as --opponents hand-tuned"):
        Settings(schedule="gauntlet")


@pytest.mark.parametrize("pairing", [RoundRobin(), OpponentsOnly(), Swiss(4), Swiss(50)])
@pytest.mark.parametrize("players", [2, 5, 8])
def test_a_pairing_says_how_many_pairs_it_makes(pairing: RoundRobin, players: int) -> None:
    played: list[Sequence[Table]] = []
    for _ in range(pairing.rounds_of(players)):
        played.append(pairing.next_round([0.0] * players, played))
        assert len(played[-1]) == pairing.pairs_a_round(players)
    everyone = {tuple(sorted(pair)) for pairs in played for pair in pairs}
    if pairing == Swiss(50):
        assert everyone == set(table_robin(players, 2))
