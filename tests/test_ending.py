"""Who the champion of a run has to beat at its end."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from evolve.cli.report import beaten
from evolve.run import Run
from evolve.settings import Settings
from rulebots.kernel import compiling
from rulebots.players import RulePlayer

TINY = Settings(
    rules="sheppard", generations=1, population=2, deals=1, opponent_deals=1, held_out_deals=2, verdict_deals=2
)


@pytest.mark.skipif(not compiling(), reason="whole runs take a minute interpreted")
def test_the_champion_meets_the_one_before_it_and_where_that_is_itself_the_hand_tuned_player() -> None:
    run = Run(TINY)
    list(run.generations())
    champion = run.candidates()[0]
    assert run.measure(champion).verdict.former == "champion"
    run.former = RulePlayer(run.rules, champion, "champion")
    assert run.measure(champion).verdict.former == "shelly"


@pytest.mark.skipif(not compiling(), reason="whole runs take a minute interpreted")
def test_the_hall_of_fame_takes_part_in_the_run_off_and_a_champion_does_not_meet_itself() -> None:
    run = Run(replace(TINY, generations=3, hall_of_fame=3, runoff_deals=1))
    list(run.generations())
    candidates = run.candidates()
    assert list(run.hall.members) == [1, 2, 3]
    for member in run.hall.members.values():
        assert any(np.array_equal(member, candidate) for candidate in candidates)
    assert list(run.measure(candidates[0] + 1.0).fame) == [1, 2], "that of the last generation is no former one"
    assert list(run.measure(run.hall.members[1]).fame) == [2]


def test_null_players_are_measured_even_where_a_game_does_not_name_them_as_references(monkeypatch) -> None:
    monkeypatch.setattr("rulebots.games.tictactoe.players.REFERENCES", ("standard",))
    run = Run(Settings("tictactoe"))
    assert list(run.references) == ["standard", "random"]
    assert run.nulls.keys() == {"random"}
    assert Run(Settings("kalah")).nulls.keys() == {"leftmost", "random"}


def test_a_member_of_the_hall_of_fame_is_beaten_when_the_whole_interval_says_so() -> None:
    ahead, even, behind = (0.51, 0.6), (0.496, 0.519), (0.4, 0.49)
    assert beaten({"generation 1": ahead, "generation 9": ahead}) == "it beats every member"
    assert beaten({"generation 1": ahead, "generation 9": even}) == (
        "it beats 1 of 2 members; undecided against generation 9"
    )
    assert beaten({"generation 1": behind, "generation 5": ahead, "generation 9": even}) == (
        "it beats 1 of 3 members; undecided against generation 9; it loses to generation 1"
    )
