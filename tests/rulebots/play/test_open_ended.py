"""Matches that go on until their own results say that they may end."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from contenders import contender

from rulebots.cli import main as cli
from rulebots.cli.console import live_line
from rulebots.cli.tables import standing, verdict
from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.kernel import kernel
from rulebots.packages import game_names, load_game
from rulebots.play.match import (
    REPEATING,
    OpenMatch,
    decided,
    narrow,
    next_block,
    play_match,
    play_sprt,
    sprt_result,
    time_over,
    unless_repeating,
)
from rulebots.players import KernelPlayer, RandomPlayer
from rulebots.ratings import Sprt
from rulebots.search.minimax.player import MinimaxPlayer
from rulebots.search.minimax.search import Limits

TICTACTOE = load_game("tictactoe")


@pytest.mark.slow
@pytest.mark.parametrize("game", [load_game(name) for name in game_names()], ids=lambda g: g.name)
def test_a_match_is_the_same_in_however_many_steps_it_is_played(game: Game) -> None:
    match = OpenMatch(contender(game, "random"), contender(game, "random"), seed=3)
    for deals in (1, 2, 1):
        result = match.play(deals)
    assert result == play_match(match.first, match.second, deals=4, seed=3)


@pytest.mark.slow
def test_it_ends_when_the_interval_is_narrow(lost_cities: Game) -> None:
    match = OpenMatch(contender(lost_cities, "dumb"), contender(lost_cities, "discard"))
    seen = []
    result = match.play_until(narrow(0.2), watch=seen.append)
    widths = [high - low for low, high in (r.win_rate_95 for r in seen)]
    assert widths[-1] <= 0.4 < widths[-2]
    assert seen[-1] == result
    assert [r.games for r in seen] == [2 * sum(next_block(0) for _ in range(n + 1)) for n in range(len(seen))]


def test_blocks_grow_with_the_match() -> None:
    assert [next_block(deals) for deals in (0, 4, 100, 10_000)] == [4, 4, 12, 1250]


@pytest.mark.slow
def test_it_ends_when_the_time_is_over_or_at_the_most_deals(lost_cities: Game) -> None:
    match = OpenMatch(contender(lost_cities, "discard"), contender(lost_cities, "discard"))
    assert match.play_until(time_over(1e-9)).games == 2 * (4 + 4)
    assert OpenMatch(match.first, match.second).play_until(lambda _: False, most_deals=6).games == 12


@pytest.mark.slow
def test_a_sequential_test_ends_with_its_verdict(lost_cities: Game) -> None:
    discard, risk = contender(lost_cities, "discard"), contender(lost_cities, "risk")
    found = play_sprt(discard, risk, Sprt(-100, 100))
    assert (found.accepted, found.llr > found.test.bounds[1]) == ("H1", True)
    assert found.match == play_match(discard, risk, found.match.games // 2)
    assert not decided(found.test)(play_match(discard, risk, found.match.games // 2 - 4))
    assert play_sprt(discard, discard, Sprt(-1, 1), most_deals=4).accepted == "undecided"


@kernel
def choose_first(view, moves, n, weights, blended, scores):
    return moves[0]


@pytest.mark.slow
def test_a_sequential_test_decides_nothing_on_copies_of_a_game() -> None:
    game = replace(load_game("tictactoe"), opening_plies=0)
    best, other = MinimaxPlayer(game, Limits(depth=4)), KernelPlayer(game, choose_first, "first")
    found = play_sprt(best, other, Sprt(0, 200), most_deals=40)
    assert found.match.win_rate > 0.5
    assert (found.match.deals, found.match.distinct_deals) == (40, 1)
    assert found.accepted == "undecided"
    assert verdict(found) == (
        "undecided after 80 games (distinct deals: 1 of 40): "
        "neither H0 (at most +0 Elo) nor H1 (at least +200) is clear"
    )
    assert not narrow(0.4)(found.match)


@pytest.mark.parametrize("most", [0, 10**7])
def test_a_limit_out_of_range_is_refused(lost_cities: Game, most: int) -> None:
    match = OpenMatch(contender(lost_cities, "discard"), contender(lost_cities, "discard"))
    with pytest.raises(UsageError, match="deals: expected a whole number from 1 to 1,000,000"):
        match.play_until(narrow(0.1), most_deals=most)


def run(capsys, monkeypatch, *arguments: str) -> str:
    monkeypatch.setattr("sys.argv", ["rulebots", "match", "discard", "risk", *arguments])
    assert cli.main() == 0
    return capsys.readouterr().out


@pytest.mark.slow
def test_the_command_says_which_hypothesis_won_after_how_many_games(capsys, monkeypatch) -> None:
    lines = run(capsys, monkeypatch, "--sprt", "-100", "100").splitlines()
    said = (
        r"H1 accepted after \d+ games: the difference is at least \+100, not at most -100 Elo \(alpha 0.05, beta 0.05\)"
    )
    assert re.fullmatch(said, lines[-1])
    assert run(capsys, monkeypatch, "--sprt", "0", "1", "--deals", "2").splitlines()[-1].startswith("undecided after 4")
    result = json.loads(run(capsys, monkeypatch, "--sprt", "-400", "400", "--alpha", "0.01", "--json"))
    assert result["sprt"]["accepted"] == "H1"
    assert result["sprt"]["alpha"] == 0.01


@pytest.mark.slow
def test_a_pipe_is_told_how_a_match_stands_whenever_twice_as_many_games_were_played(lost_cities: Game, capsys) -> None:
    result = play_match(contender(lost_cities, "discard"), contender(lost_cities, "risk"), 10)
    for quiet in (False, True):
        with live_line(quiet=quiet) as line:
            for games in (10, 100, 150, 210, 500):
                line(games, standing(replace(result, games=games, deals=games // 2, distinct_deals=games // 2), None))
    out, err = capsys.readouterr()
    assert out == ""
    lines = err.splitlines()
    assert [int(line.split()[0]) for line in lines] == [100, 210, 500]
    assert re.fullmatch(r"100 games: win rate .* % \(.* to .*\), Elo \S+ \(.* to .*\)", lines[0])
    assert standing(result, sprt_result(Sprt(0, 10), result)).endswith("(-2.94 to 2.94)")


def test_a_match_ends_when_its_players_only_repeat_themselves() -> None:
    result = play_match(RandomPlayer(TICTACTOE), RandomPlayer(TICTACTOE), 12)
    enough = unless_repeating(lambda _: False)
    course = [(400, 70), (800, 72), (1599, 72), (1600, 72)]
    told = [
        enough(replace(result, games=2 * deals, deals=deals, distinct_deals=distinct)) for deals, distinct in course
    ]
    assert told == [False, False, False, True]
    assert not unless_repeating(lambda _: False)(
        replace(result, games=2 * REPEATING, deals=REPEATING, distinct_deals=REPEATING)
    )
    assert unless_repeating(lambda _: True)(result)


@pytest.mark.slow
def test_the_command_says_why_it_ended_without_the_interval(capsys, monkeypatch) -> None:
    monkeypatch.setattr("rulebots.play.match.REPEATING", 20)
    words = ["rulebots", "match", "standard", "standard", "--game", "tictactoe", "--opening-plies", "0"]
    monkeypatch.setattr("sys.argv", [*words, "--until", "1%"])
    assert cli.main() == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == "no interval of +- 1 % after 40 games (distinct deals: 1 of 20)"
    assert any(re.fullmatch(r"distinct deals +1  of \d+; the others are copies of these", line) for line in lines)
    few = {line.split("  ")[0] for line in lines if line.endswith("too few") or " too few " in line}
    assert few >= {"win rate", "Elo", "superiority", "margin"}
    monkeypatch.setattr("sys.argv", [*words, "--deals", "12", "--json"])
    assert cli.main() == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["distinct_deals"], found["effective_deals"]) == (1, 1.0)
    assert found["win_rate_95"] is found["elo_95"] is found["margin_95"] is found["superiority"] is None
