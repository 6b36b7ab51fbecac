"""The league: its table, the mix that none of its members beats, and what it keeps."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
import pytest

from evolve.evaluation import league as module
from evolve.evaluation.arena import Arena
from evolve.evaluation.league import League
from evolve.settings import Settings
from evolve.workers.threads import Threads
from rulebots.play.results import Games
from rulebots.players import RulePlayer
from rulebots.registry import load_game, parts_of

GAME = load_game("tictactoe")
RULES = parts_of(GAME).rule_set()


class Told(Arena):
    """Nothing is played: the player whose first weight is a, of three, beats the one with a + 1, as in a circle."""

    def __init__(self) -> None:
        super().__init__(GAME, Settings("tictactoe"), Threads(1))
        self.played: list[tuple[str, str]] = []

    def play(self, players: Sequence[RulePlayer], deals: object, schedule: np.ndarray) -> Games:
        """Who beats whom, as the weights say."""
        names = [player.name for player in players]
        self.played = sorted({(names[a], names[b]) for a, b in schedule[:, 1:]})
        kind = np.array([player.weights[0, 0] for player in players])
        ahead = (kind[schedule[:, 2]] - kind[schedule[:, 1]]) % 3
        points = np.zeros((len(schedule), 2), np.int64)
        points[ahead == 1, 0] = points[ahead == 2, 1] = 1
        games = object.__new__(Games)
        object.__setattr__(games, "points", points)
        object.__setattr__(games, "stalled", np.zeros(len(schedule), np.bool_))
        return games


def weights(kind: int) -> np.ndarray:
    made = np.zeros_like(RULES.hand_tuned())
    made[0, 0] = kind
    return made


def test_stone_scissors_and_paper_are_met_equally_often() -> None:
    arena = Told()
    two = League().joined({"stone": weights(0), "scissors": weights(1)}, arena, RULES, 2)
    assert two.shares_at(2) == {"stone": 1.0}
    assert two.exploited == 0.0
    three = two.joined({"paper": weights(2)}, arena, RULES, 4)
    assert {pair for pair in arena.played if "paper" not in pair} == set(), "who has met does not meet again"
    assert three.table.tolist() == [[0.5, 1.0, 0.0], [0.0, 0.5, 1.0], [1.0, 0.0, 0.5]]
    assert list(three.shares_at(4).values()) == pytest.approx([1 / 3] * 3)
    assert three.games == 2 * module.LEAGUE_DEALS * (1 + 2)


def test_an_earlier_generation_keeps_the_mix_that_it_met() -> None:
    league = League().joined({"stone": weights(0), "scissors": weights(1)}, Told(), RULES, 2)
    league = league.joined({"paper": weights(2)}, Told(), RULES, 4)
    assert league.mix_at(1, RULES) is None
    for generation in (2, 3):
        mix = league.mix_at(generation, RULES)
        assert mix is not None
        assert [player.name for player in mix.players] == ["stone"]
    assert len(league.shares_at(5)) == 3


def test_a_full_league_lets_those_go_whom_no_mix_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_MEMBERS", 3)
    league = League().joined({"stone": weights(0), "scissors": weights(1)}, Told(), RULES, 2)
    league = league.joined({"a stone": weights(0), "another": weights(0)}, Told(), RULES, 4)
    assert league.playing == ("stone", "a stone", "another")
    assert "scissors" not in league.members
    assert league.table.tolist() == [[0.5] * 3] * 3


def test_a_restored_league_is_the_same() -> None:
    league = League().joined({"stone": weights(0), "scissors": weights(1)}, Told(), RULES, 2)
    for one in (League(), league):
        assert League.restored(json.loads(json.dumps(one.state()))).state() == one.state()


def test_win_rates_are_those_of_games_on_deals_of_the_league(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LEAGUE_DEALS", 3)
    arena = Arena(GAME, Settings("tictactoe", seed=5), Threads(1))
    tuned = RULES.hand_tuned()
    league = League().joined({"tuned": tuned, "against itself": -tuned}, arena, RULES, 2)
    players = [RulePlayer(RULES, tuned, "a"), RulePlayer(RULES, -tuned, "b")]
    match = arena.match(*players, arena.deals(3, module.LEAGUE, 2))
    assert league.table[0, 1] == match.win_rate
    assert league.table[1, 0] == 1 - match.win_rate
    assert match.win_rate > 0.5
