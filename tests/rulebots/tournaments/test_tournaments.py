"""Tournaments: who meets whom, what is made of it, and that a ladder file plays it again."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
import yaml
from contenders import contender

from rulebots.cli import main as cli
from rulebots.errors import UsageError
from rulebots.fingerprint import fingerprint
from rulebots.game import Game, load_game
from rulebots.play.match import play_match
from rulebots.players import Player, RandomPlayer, RulePlayer, named_apart
from rulebots.tournaments.ladder import load_ladder
from rulebots.tournaments.picture import picture
from rulebots.tournaments.playing import play_tournament
from rulebots.tournaments.problems import LadderError
from rulebots.tournaments.standings import Tournament


@pytest.fixture(scope="module")
def played() -> Tournament:
    game = load_game("lost-cities")
    players = [contender(game, who) for who in ("random", "discard", "dumb", "discard")]
    return play_tournament(players, deals=2, seed=5)


def test_the_same_player_twice_is_named_apart(played: Tournament) -> None:
    assert played.names == ("random", "discard", "dumb", "discard (2)")
    assert named_apart(["a", "a (2)", "a", "a"]) == ["a", "a (2)", "a (3)", "a (4)"]
    assert played.cross_table[1, 3] == 0.5
    assert played.ratings.elo[1] == pytest.approx(played.ratings.elo[3])


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
    rules = lost_cities.rule_set("shelly")
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


@pytest.mark.parametrize("ending", ["png", "svg"])
def test_a_picture_is_drawn_and_the_same_each_time(played: Tournament, ending: str) -> None:
    drawn = picture(played, ending, "a title")
    assert drawn.startswith({"png": b"\x89PNG", "svg": b"<?xml"}[ending])
    assert drawn == picture(played, ending, "a title")


def run(capsys, monkeypatch, *arguments: str) -> tuple[int, str, str]:
    monkeypatch.setattr("sys.argv", ["rulebots", "tournament", *arguments])
    code = cli.main()
    printed = capsys.readouterr()
    return code, printed.out, printed.err


PLAYERS = ("discard", "dumb", "discard")


def test_a_ladder_plays_the_tournament_again_or_names_what_differs(tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, _ = run(capsys, monkeypatch, *PLAYERS, "--deals", "2", "--ladder", "l.yaml", "--csv", "l.csv")
    assert code == 0
    assert "Lost Cities: round-robin, 2 deals a meeting, seed 1" in out
    code, again, _ = run(capsys, monkeypatch, "--rerun", "l.yaml")
    assert code == 0
    assert again == out + "l.yaml: every meeting has the same result\n"
    rows = list(csv.DictReader(io.StringIO(Path("l.csv").read_text())))
    assert [row["rank"] for row in rows] == ["1", "2", "3"]
    assert float(rows[0]["elo_low"]) < float(rows[0]["elo"]) < float(rows[0]["elo_high"])
    text = Path("l.yaml").read_text()
    content = load_ladder("l.yaml").players["dumb"]["content"]
    for name, change, message in [
        ("a", (content, "f" * 16), f"player 'dumb': its content was {'f' * 16}, now {content}"),
        (
            "b",
            ("[discard, discard (2), 0,", "[discard, discard (2), 1,"),
            "discard against discard (2): was 1 4 0 0, now 0 4 0 0",
        ),
        ("c", ("law: ", "law: x"), "the law of lost-cities: its code is not the one of the file"),
    ]:
        Path(f"{name}.yaml").write_text(text.replace(*change))
        code, _, err = run(capsys, monkeypatch, "--rerun", f"{name}.yaml")
        assert code == 1
        assert err.startswith(f"rulebots: {name}.yaml gives other results: ")
        assert message in err
    other = yaml.safe_load(text)
    other["versions"]["numba"] = "0.1"
    Path("d.yaml").write_text(yaml.safe_dump(other, sort_keys=False))
    assert run(capsys, monkeypatch, "--rerun", "d.yaml")[0] == 0
    other["meetings"][0][2] += 1
    Path("e.yaml").write_text(yaml.safe_dump(other, sort_keys=False))
    assert "version of numba: was 0.1, now" in run(capsys, monkeypatch, "--rerun", "e.yaml")[2]


def test_json_has_everything(capsys, monkeypatch) -> None:
    _, out, _ = run(capsys, monkeypatch, "dumb", "discard", "--gauntlet", "random", "--deals", "1", "--json")
    found = json.loads(out)
    assert (found["game"], found["system"], found["deals"]) == ("lost-cities", "gauntlet", 1)
    assert [(m["first"], m["second"]) for m in found["meetings"]] == [("random", "dumb"), ("random", "discard")]
    assert {row["player"] for row in found["players"]} == {"dumb", "discard", "random"}
    assert found["one_sided"] is True
    assert found["players"][0]["elo_95"][0] < found["players"][0]["elo"]


BAD = {
    ("shelly",): (2, "a tournament needs at least 2 players, not 1"),
    (): (2, "a tournament needs at least 2 players, not 0"),
    ("shelly", "shely"): (2, "no player 'shely' of lost-cities; did you mean 'shelly'?"),
    ("shelly", "dumb", "--deals", "0"): (2, "'--deals': expected a whole number from 1 to 1,000,000, not '0'"),
    ("shelly", "dumb", "--swiss", "1", "--gauntlet", "dumb"): (2, "--swiss and --gauntlet each say who meets whom"),
    ("shelly", "dumb", "risk", "--swiss", "9"): (2, "swiss: 3 players need 2 to 3 rounds, not 9"),
    ("shelly", "dumb", "--plot", "p.pdf"): (2, "'p.pdf': expected the name of a picture, FILE.png or FILE.svg"),
    ("shelly", "dumb", "--csv", "taken"): (1, "'taken' exists already"),
    ("shelly", "dumb", "--deals", "100000", "--csv", "no/such.csv"): (1, "cannot write 'no/such.csv': No such file"),
    ("shelly", "dumb", "--rerun", "taken"): (2, "--rerun plays what the file says: leave out players and settings"),
    ("--rerun", "none.yaml"): (1, "none.yaml: there is no such file"),
    ("--rerun", "taken"): (1, "taken: no 'format: rulebots-ladder/1'; expected a file that `rulebots tournament"),
    ("--rerun", "broken"): (1, "broken: while"),
    ("--rerun", "half"): (1, "half: 'game' is missing; expected a file"),
    ("--game", "kalah", "shelly", "random"): (2, "no player 'shelly' of kalah"),
}


@pytest.mark.parametrize("arguments", BAD, ids=" ".join)
def test_a_mistake_ends_in_one_line_that_names_it(arguments, tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("taken").write_text("a: 1\n")
    Path("broken").write_text("a: [1\n")
    Path("half").write_text("format: rulebots-ladder/1\n")
    code, message = BAD[arguments]
    found, out, err = run(capsys, monkeypatch, *arguments)
    assert (found, out, err.count("\n")) == (code, "", 1)
    assert err.startswith("rulebots: ")
    assert message in err


@pytest.mark.parametrize(
    ("part", "junk"), [("settings", 3), ("players", {"a": 1}), ("meetings", [1]), ("versions", "x")]
)
def test_a_ladder_of_another_shape_is_refused(part: str, junk: object, tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    run(capsys, monkeypatch, *PLAYERS, "--deals", "1", "--ladder", "l.yaml")
    ladder = yaml.safe_load(Path("l.yaml").read_text())
    Path("junk.yaml").write_text(yaml.safe_dump({**ladder, part: junk}))
    with pytest.raises(LadderError, match=r"junk.yaml: a part is not laid out as in a ladder; expected a file that"):
        load_ladder("junk.yaml")
