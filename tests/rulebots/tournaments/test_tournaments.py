"""Tournaments: who meets whom, what is made of it, and that a ladder file plays it again."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass, replace

import numpy as np
import pytest
import yaml
from contenders import contender
from rich.console import Console

from rulebots.cli.tables import ratings_table
from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.kernel import kernel
from rulebots.kernel.fingerprint import fingerprint
from rulebots.play.match import play_match
from rulebots.players import KernelPlayer, Player, RandomPlayer, RulePlayer, named_apart
from rulebots.registry import load_game, parts_of
from rulebots.tournaments.ladder import ladder_of, ladder_text
from rulebots.tournaments.picture import picture
from rulebots.tournaments.playing import play_tournament
from rulebots.tournaments.standings import Tournament, as_csv


@pytest.fixture(scope="module")
def played() -> Tournament:
    game = load_game("lost-cities")
    players = [contender(game, who) for who in ("random", "discard", "dumb", "discard")]
    return play_tournament(players, deals=2, seed=5)


@pytest.mark.slow
def test_the_same_player_twice_is_named_apart(played: Tournament) -> None:
    assert played.names == ("random", "discard", "dumb", "discard (2)")
    assert named_apart(["a", "a (2)", "a", "a"]) == ["a", "a (2)", "a (3)", "a (4)"]
    assert played.cross_table[1, 3] == 0.5
    assert played.ratings.elo[1] == pytest.approx(played.ratings.elo[3])


@pytest.mark.slow
def test_each_meeting_is_the_match_of_the_same_seed(played: Tournament, lost_cities: Game) -> None:
    assert len(played.meetings) == 6
    dumb, random = (contender(lost_cities, who) for who in ("dumb", "random"))
    result = play_match(random, dumb, deals=2, seed=5)
    assert next(m.result for m in played.meetings if (m.first, m.second) == (0, 2)) == result
    assert played.cross_table[0, 2] == result.win_rate
    assert np.isnan(played.cross_table.diagonal()).all()
    both = played.cross_table + played.cross_table.T
    assert both[~np.isnan(both)] == pytest.approx(1)


def test_rows_are_ranked_and_count_all_games(played: Tournament) -> None:
    rows = played.rows()
    assert [row["rank"] for row in rows] == [1, 2, 3, 4]
    assert [row["games"] for row in rows] == [12] * 4
    assert rows[-1]["player"] == "random"
    assert all(low < row["elo"] < high for row, (low, high) in ((row, row["elo_95"]) for row in rows))
    assert list(rows[0]["against"]) == [row["player"] for row in rows[1:]]


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
        (2, {"deals": 0}, "deals: expected a whole number of at least 1, not 0"),
    ],
)
def test_a_tournament_that_cannot_be_is_refused(lost_cities: Game, count, arguments, message) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        play_tournament([RandomPlayer(lost_cities) for _ in range(count)], **arguments)


def test_players_of_two_games_cannot_meet(lost_cities: Game) -> None:
    with pytest.raises(UsageError, match="'random' plays lost-cities, 'random' plays kalah"):
        play_tournament([RandomPlayer(lost_cities), RandomPlayer(load_game("kalah"))])


def test_a_fingerprint_is_that_of_what_plays(lost_cities: Game) -> None:
    rules = parts_of(lost_cities).rule_set("shelly")
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


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["png", "svg"])
def test_a_picture_is_drawn_and_the_same_each_time(played: Tournament, ending: str) -> None:
    drawn = picture(played, ending, "a title")
    assert drawn.startswith({"png": b"\x89PNG", "svg": b"<?xml"}[ending])
    assert drawn == picture(played, ending, "a title")


@kernel
def choose_first(view, moves, n, weights, blended, scores):
    return moves[0]


@pytest.fixture(scope="module")
def copied() -> Tournament:
    """Two players who play one game again and again, and one who never does."""
    game = replace(load_game("tictactoe"), opening_plies=0)
    names = ("first", "also first")
    return play_tournament([*(KernelPlayer(game, choose_first, name) for name in names), RandomPlayer(game)], deals=30)


def test_deals_played_alike_are_one_deal_of_a_meeting(copied: Tournament) -> None:
    alike, *others = copied.meetings
    assert alike.deals.tolist() == [0] * 30
    assert all(len(set(meeting.deals.tolist())) == meeting.result.distinct_deals > 20 for meeting in others)
    meetings = copied.pairs()
    assert (meetings[0]["distinct_deals"], meetings[0]["win_rate_95"], meetings[0]["superiority"]) == (1, None, None)


def test_ratings_rest_on_distinct_deals_and_reports_say_how_many_there_were(copied: Tournament) -> None:
    of_alike, *of_others = (meeting.result.distinct_deals for meeting in copied.meetings)
    rows = {row["player"]: row for row in copied.rows()}
    assert rows["first"]["distinct_deals"] == of_alike + of_others[0]
    assert rows["random"]["distinct_deals"] == sum(of_others)
    settings = {"system": "round-robin", "rounds": None, "deals": 30, "seed": 1, "options": {}, "opening_plies": 0}
    ladder = ladder_of(copied, copied.names, copied.names, settings)
    rating = yaml.safe_load(ladder_text(ladder))["ratings"]["first"]
    assert rating["distinct_deals"] == rows["first"]["distinct_deals"]
    columns = next(csv.DictReader(as_csv(copied).splitlines()))
    assert int(columns["distinct_deals"]) == rows[columns["player"]]["distinct_deals"]


def test_players_with_too_few_distinct_deals_have_no_interval() -> None:
    game = replace(load_game("tictactoe"), opening_plies=0)
    result = play_tournament([KernelPlayer(game, choose_first, name) for name in ("one", "other")], deals=30)
    assert np.isinf(result.ratings.low).all()
    assert [row["elo"] for row in result.rows()] == [0.0, 0.0]
    with io.StringIO() as out:
        Console(file=out, width=200).print(ratings_table(result))
        assert out.getvalue().count("too few") == 2
    assert "elo_low" in as_csv(result)
    assert [row["elo_high"] for row in csv.DictReader(as_csv(result).splitlines())] == ["", ""]
