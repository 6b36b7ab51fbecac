"""The results of a tournament: ratings, distinct deals, the spreadsheet."""

from __future__ import annotations

import csv
import io
import math
from dataclasses import replace

import numpy as np
import pytest
import yaml
from rich.console import Console

from rulebots.cli.tables import ratings_table
from rulebots.kernel import kernel
from rulebots.packages import load_game
from rulebots.players import KernelPlayer, RandomPlayer
from rulebots.tournaments.ladder import ladder_of, ladder_text
from rulebots.tournaments.tournament import Tournament, play_tournament


def test_rows_are_ranked_and_count_all_games(played: Tournament) -> None:
    rows = played.rows()
    assert [row["rank"] for row in rows] == [1, 2, 3, 4]
    assert [row["games"] for row in rows] == [12] * 4
    assert [row["elo"] for row in rows] == sorted((row["elo"] for row in rows), reverse=True)
    assert (rows[0]["player"], rows[-1]["player"]) == ("leftmost", "remove-high")
    assert all(low < row["elo"] < high for row, (low, high) in ((row, row["elo_95"]) for row in rows))
    assert list(rows[0]["against"]) == [row["player"] for row in rows[1:]]


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
    columns = next(csv.DictReader(copied.as_csv().splitlines()))
    assert int(columns["distinct_deals"]) == rows[columns["player"]]["distinct_deals"]


def test_meetings_in_which_every_game_stalled_rate_nobody() -> None:
    game = replace(load_game("tictactoe"), ply_cap=4)
    stalled = play_tournament([RandomPlayer(game, name) for name in "abc"], deals=20)
    assert {(row["elo"], row["games"] - row["stalled"], *row["elo_95"]) for row in stalled.rows()} == {
        (0, 0, -math.inf, math.inf)
    }


def test_a_player_whose_games_all_stalled_is_listed_last_and_says_so() -> None:
    game = replace(load_game("tictactoe"), ply_cap=9)
    result = play_tournament([RandomPlayer(game, name) for name in "abc"], deals=20)
    stall = [replace(m, result=replace(m.result, wins=0, draws=m.result.games, losses=0, stalled=m.result.games))
             for m in result.meetings if 0 in (m.first, m.second)]  # fmt: skip
    rated = [m for m in result.meetings if 0 not in (m.first, m.second)]
    stalled = replace(result, meetings=[*stall, *rated])
    assert stalled.ranking[-1] == 0
    assert stalled.rows()[-1]["elo_95"] == (-math.inf, math.inf)
    assert math.isfinite(stalled.rows()[0]["elo_95"][0])
    with io.StringIO() as out:
        Console(file=out, width=200).print(ratings_table(stalled))
        assert [line.split()[1] for line in out.getvalue().splitlines() if "all games stalled" in line] == ["a"]


def test_players_with_too_few_distinct_deals_have_no_interval() -> None:
    game = replace(load_game("tictactoe"), opening_plies=0)
    result = play_tournament([KernelPlayer(game, choose_first, name) for name in ("one", "other")], deals=30)
    assert np.isinf(result.ratings.low).all()
    assert [row["elo"] for row in result.rows()] == [0.0, 0.0]
    with io.StringIO() as out:
        Console(file=out, width=200).print(ratings_table(result))
        assert out.getvalue().count("too few") == 2
    assert "elo_low" in result.as_csv()
    assert [row["elo_high"] for row in csv.DictReader(result.as_csv().splitlines())] == ["", ""]
