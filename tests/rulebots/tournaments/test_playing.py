"""Tournaments: who meets whom on which deals, and what is refused."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
import pytest
from contenders import contender

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.kernel.fingerprint import fingerprint
from rulebots.packages import load_game
from rulebots.packages.rule_sets import load_rules
from rulebots.play.match import play_match
from rulebots.players import Player, RandomPlayer, RulePlayer, named_apart
from rulebots.tournaments.tournament import Tournament, play_tournament


@pytest.mark.slow
def test_the_same_player_twice_is_named_apart(played: Tournament) -> None:
    assert played.names == ("leftmost", "score", "remove-high", "score (2)")
    assert named_apart(["a", "a (2)", "a", "a"]) == ["a", "a (2)", "a (3)", "a (4)"]
    assert played.cross_table[1, 3] == 0.5
    assert played.ratings.elo[1] == pytest.approx(played.ratings.elo[3])


@pytest.mark.slow
def test_each_meeting_is_the_match_of_the_same_seed(played: Tournament) -> None:
    assert len(played.meetings) == 6
    leftmost, remove_high = (contender(played.game, who) for who in ("leftmost", "remove-high"))
    result = play_match(leftmost, remove_high, deals=2, seed=5)
    assert next(m.result for m in played.meetings if (m.first, m.second) == (0, 2)) == result
    assert played.cross_table[0, 2] == result.win_rate
    assert np.isnan(played.cross_table.diagonal()).all()
    both = played.cross_table + played.cross_table.T
    assert both[~np.isnan(both)] == pytest.approx(1)


@pytest.mark.slow
def test_swiss_rounds_are_played_on_further_deals(lost_cities: Game) -> None:
    players = [contender(lost_cities, who) for who in ("discard", "dumb", "discard", "dumb", "discard")]
    seen = []
    result = play_tournament(
        players, "swiss", rounds=3, deals=1, watch=lambda done, total, _: seen.append((done, total))
    )
    assert seen == [(n, 6) for n in range(1, 7)]
    assert [m.deals.tolist() for m in result.meetings] == [[0], [0], [1], [1], [2], [2]]
    assert result.ratings.connected


@pytest.mark.parametrize(
    ("count", "arguments", "message"),
    [
        (1, {}, "a tournament needs at least 2 players, not 1"),
        (2, {"system": "knockout"}, "expected one of round-robin, swiss, gauntlet, not 'knockout'"),
        (5, {"system": "swiss", "rounds": 2}, "swiss: 5 players need 3 to 5 rounds, not 2"),
        (4, {"system": "swiss", "rounds": 4}, "swiss: 4 players need 2 to 3 rounds, not 4"),
        (4, {"system": "swiss"}, "swiss: 4 players need 2 to 3 rounds, not None"),
        (2, {"deals": 0}, "deals: expected a whole number from 1 to 1,000,000, not 0"),
    ],
)
def test_a_tournament_that_cannot_be_is_refused(lost_cities: Game, count, arguments, message) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        play_tournament([RandomPlayer(lost_cities) for _ in range(count)], **arguments)


def test_players_of_two_games_cannot_meet(lost_cities: Game) -> None:
    with pytest.raises(UsageError, match="'random' plays lost-cities, 'random' plays kalah"):
        play_tournament([RandomPlayer(lost_cities), RandomPlayer(load_game("kalah"))])


def test_a_fingerprint_is_that_of_what_plays(lost_cities: Game) -> None:
    rules = load_rules("shelly", lost_cities)
    weights = rules.hand_tuned()
    one, other = RulePlayer(rules, weights, "one"), RulePlayer(rules, weights, "other")
    assert fingerprint(one) == fingerprint(other) == fingerprint(contender(lost_cities, "shelly"))
    weights[1, 3] += 1e-6
    assert fingerprint(RulePlayer(rules, weights, "one")) != fingerprint(one)
    everyone = [fingerprint(contender(lost_cities, who)) for who in ("dumb", "discard", "random", "shelly")]
    assert len(set(everyone)) == 4


@dataclass(frozen=True)
class Budget:
    depth: int = 2


class Searching(Player):
    """A player of parts, such as a search: settings, and another player inside."""

    def __init__(self, game: Game, budget: Budget, inner: Player) -> None:
        super().__init__(game, "searching")
        self.given = (budget, {"inner": inner}, self)

    def choose(self, view, moves):
        return int(moves[0])


def test_a_fingerprint_sees_settings_and_players_inside(lost_cities: Game) -> None:
    dumb, discard = (contender(lost_cities, who) for who in ("dumb", "discard"))
    one = fingerprint(Searching(lost_cities, Budget(), dumb))
    assert one == fingerprint(Searching(lost_cities, Budget(2), contender(lost_cities, "dumb")))
    assert one != fingerprint(Searching(lost_cities, Budget(3), dumb))
    assert one != fingerprint(Searching(lost_cities, Budget(), discard))
