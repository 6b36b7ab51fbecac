"""Tournaments at tables of one to six: who meets whom, ratings by place, points of games for all together."""

from __future__ import annotations

import itertools
import json
import re
from collections import Counter
from pathlib import Path

import chorus
import goofspiel
import numpy as np
import pytest

from rulebots.cli import main as cli
from rulebots.errors import UsageError
from rulebots.play.deals import draw_deals, ordered
from rulebots.play.match import play_games
from rulebots.players import Player, RandomPlayer
from rulebots.ratings import bradley_terry
from rulebots.tournaments.cross_play import cross_play, play_settings
from rulebots.tournaments.ladder import LadderError, ladder_of, ladder_text, parse_ladder
from rulebots.tournaments.nash import nash_of
from rulebots.tournaments.pairing import Tables, swiss_tables, table_robin, uneven
from rulebots.tournaments.picture import picture
from rulebots.tournaments.tournament import Tournament, meetings_of, play_tournament, tournament_of

GAME = goofspiel.game
SETTINGS = {"system": "round-robin", "rounds": None, "deals": 12, "seed": 3, "options": {}, "opening_plies": None}


def four() -> list[Player]:
    return [goofspiel.matching(), goofspiel.contrary(), RandomPlayer(GAME), goofspiel.matching("other")]


def met(tables) -> Counter:
    return Counter(pair for table in tables for pair in itertools.combinations(table, 2))


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
@pytest.mark.parametrize("more", [0, 1, 2, 3, 4, 6, 7, 14])
def test_every_two_meet_about_equally_often_and_all_sit_equally_often(seats: int, more: int) -> None:
    players = seats + more
    tables = table_robin(players, seats, seed=4)
    assert tables == table_robin(players, seats, seed=4)
    assert len(set(tables)) == len(tables) <= players * (players - 1)
    counts = met(tables)
    assert len(counts) == players * (players - 1) // 2
    spread = max(counts.values()) - min(counts.values())
    assert spread <= 1
    said = f"at {min(counts.values())} to {max(counts.values())} tables"
    assert uneven(tables) == (f"Not every two players met equally often: {said}." if spread else "")
    sat = Counter(player for table in tables for player in table)
    assert (len(sat), len(set(sat.values()))) == (players, 1)


@pytest.mark.parametrize(("players", "seats", "tables"), [(7, 3, 7), (13, 4, 13), (11, 6, 11), (5, 4, 5), (6, 6, 1)])
def test_designs_that_are_known_are_found(players: int, seats: int, tables: int) -> None:
    assert len(table_robin(players, seats)) == tables
    assert not uneven(table_robin(players, seats))


@pytest.mark.parametrize(("players", "seats"), [(3, 3), (8, 3), (9, 4), (12, 6)])
def test_a_gauntlet_has_the_first_at_every_table_and_the_others_at_as_many(players: int, seats: int) -> None:
    tables = Tables("gauntlet", seats, players).next_round([], [])
    assert all(table[0] == 0 and len(set(table)) == seats for table in tables)
    others = Counter(player for table in tables for player in table[1:])
    assert (len(others), len(set(others.values()))) == (players - 1, 1)


def test_swiss_neighbours_sit_together_and_meet_others_next_time() -> None:
    scores, rounds = [float(-player) for player in range(9)], []
    for _ in range(3):
        rounds.append(swiss_tables(3, scores, rounds))
        assert sorted(itertools.chain.from_iterable(rounds[-1])) == list(range(9))
    assert rounds[0] == [(0, 1, 2), (3, 4, 5), (6, 7, 8)]
    assert rounds[1] == [(0, 3, 6), (1, 4, 7), (2, 5, 8)]
    assert max(met(itertools.chain.from_iterable(rounds[:2])).values()) == 1
    assert sum(met(itertools.chain.from_iterable(rounds)).values()) == 27
    rests = [swiss_tables(3, scores[:5], []), [(0, 1, 2)]]
    assert rests[0] == [(0, 1, 2)]
    assert swiss_tables(3, scores[:5], rests) == [(0, 3, 4)]


def result_of(points: np.ndarray, deals: np.ndarray, order: np.ndarray):
    """Ratings out of the points of tables [games, players], in that order of the games."""
    pairs, scores, numbers = [], [], []
    for game in order:
        for i, j in itertools.combinations(range(points.shape[1]), 2):
            pairs.append((i, j))
            scores.append((np.sign(points[game, i] - points[game, j]) + 1) / 2)
            numbers.append(deals[game])
    return bradley_terry(points.shape[1], np.array(pairs), np.array(scores), np.array(numbers))


def test_the_order_of_games_changes_nothing() -> None:
    rng = np.random.default_rng(5)
    points = rng.integers(6, size=(120, 4)) + np.array([0, 0, 1, 2])
    deals = np.repeat(np.arange(30), 4)
    first = result_of(points, deals, np.arange(120))
    for _ in range(20):
        again = result_of(points, deals, rng.permutation(120))
        for one, other in ((first.elo, again.elo), (first.low, again.low), (first.high, again.high)):
            assert np.allclose(one, other, atol=1e-6)
        assert np.argsort(first.elo).tolist() == np.argsort(again.elo).tolist()


@pytest.mark.parametrize(("seats", "players", "deals", "shared"), [(3, 4, 40, 1.0), (4, 5, 30, 0.5), (5, 6, 40, 1.0)])
def test_intervals_hold_what_they_promise_with_luck_shared_within_a_deal(seats, players, deals, shared) -> None:
    """Places by strength and Gumbel noise: then every two follow Bradley and Terry (R. D. Luce, 1959)."""
    rng, strength, schedule = np.random.default_rng(2), np.linspace(0, 1, players) ** 2, ordered(deals, seats)
    at, a_deal, held = np.argsort(schedule[:, 1:], axis=1), len(ordered(1, seats)), []
    for _ in range(150):
        luck, pairs, scores = rng.gumbel(size=(deals, seats)), [], []
        for table in table_robin(players, seats):
            noise = rng.gumbel(size=at.shape)
            noise = np.where(rng.random((len(at), 1)) < shared, luck[schedule[:, 0]], noise)
            result = np.take_along_axis(strength[np.array(table)[schedule[:, 1:]]] + noise, at, axis=1)
            for i, j in itertools.combinations(range(seats), 2):
                pairs.append(np.full((deals, 2), (table[i], table[j])))
                scores.append((result[:, i] > result[:, j]).reshape(deals, a_deal).mean(axis=1))
        numbers = np.tile(np.arange(deals), len(pairs))
        found = bradley_terry(players, np.concatenate(pairs), np.concatenate(scores), numbers)
        true = (strength - strength.mean()) * 400 / np.log(10)
        held.append((found.low <= true) & (true <= found.high))
    assert 0.92 < np.mean(held) < 0.98


@pytest.mark.parametrize("games", [1, 12, 120])
def test_third_place_is_never_rated_above_two_winners_who_tie(games: int) -> None:
    points = np.tile([5, 5, 2], (games, 1))
    found = result_of(points, np.arange(games), np.arange(games))
    assert found.elo[0] == pytest.approx(found.elo[1])
    assert found.elo[2] < found.elo[0]


@pytest.mark.parametrize("seats", [3, pytest.param(4, marks=pytest.mark.slow), 5])
def test_meetings_at_a_table_are_its_games_by_place(seats: int) -> None:
    players = [*four(), goofspiel.contrary("last")][:seats]
    deals = draw_deals(GAME, 12, 9, options={"seats": seats})
    schedule = ordered(12, seats)
    games = play_games(players, deals, schedule)
    meetings = meetings_of(tuple(range(seats)), games, 100)
    a_deal = len(schedule) // 12
    assert [(m.first, m.second) for m in meetings] == list(itertools.combinations(range(seats), 2))
    for m in meetings:
        wins = draws = 0
        for table, points in zip(schedule[:, 1:].tolist(), games.points.tolist(), strict=True):
            mine, theirs = points[table.index(m.first)], points[table.index(m.second)]
            wins, draws = wins + (mine > theirs), draws + (mine == theirs)
        assert (m.result.wins, m.result.draws, m.result.games) == (wins, draws, len(schedule))
        assert (m.result.deals, len(m.scores), m.deals.min()) == (12, 12, 100)
        assert m.scores.mean() == pytest.approx(m.result.win_rate)
        assert m.result.table is not None
        assert (m.result.table.seats, m.result.games) == (seats, 12 * a_deal)
    shuffled = tournament_of(GAME, "abcde"[:seats], meetings[::-1]).ratings
    assert np.allclose(shuffled.elo, tournament_of(GAME, "abcde"[:seats], meetings).ratings.elo)


@pytest.fixture(scope="module")
def tables() -> Tournament:
    return play_tournament(four(), deals=12, seed=3)


@pytest.mark.slow
def test_rows_count_tables_and_shares_make_one(tables: Tournament) -> None:
    rows = tables.rows()
    assert (tables.seats, tables.games_a_deal, len(tables.meetings)) == (3, 6, 12)
    assert [row["games"] for row in rows] == [3 * 72] * 4
    assert [row["distinct_deals"] for row in rows] == [36] * 4
    assert sum(row["share"] for row in rows) == pytest.approx(4 / 3)
    assert np.mean([row["place"] for row in rows]) == pytest.approx(2)
    assert all(row["elo_95"][0] < row["elo"] < row["elo_95"][1] for row in rows)
    assert tables.as_csv().splitlines()[0].startswith("rank,player,elo,elo_low,elo_high,win_rate,share,place,points,")
    assert picture(tables, "png")


def test_watch_is_told_of_each_table_and_ends_the_tournament() -> None:
    seen = []

    def watch(done, total, meeting):
        seen.append((done, total, meeting.table))
        return done < 2

    played = play_tournament(four(), deals=1, watch=watch)
    assert seen == [(1, 4, (0, 1, 2)), (2, 4, (0, 1, 3))]
    assert len(played.meetings) == 6
    rows = play_tournament(four(), deals=1, watch=lambda *_: False).rows()
    row = next(row for row in rows if row["player"] == "other")
    assert (row["games"], np.isnan(row["share"]), np.isnan(row["win_rate"])) == (0, True, True)


@pytest.mark.parametrize(("system", "rounds"), [("gauntlet", None), ("swiss", 2)])
def test_other_systems_play_at_tables_too(system: str, rounds: int | None) -> None:
    played = play_tournament(four(), system, rounds=rounds, deals=2)
    assert played.seats == 3
    assert played.ratings.connected
    if system == "swiss":
        assert {tuple(m.deals.tolist()) for m in played.meetings} == {(0, 1), (2, 3)}


class Faulty(Player):
    """Always makes a move that is not legal."""

    def choose(self, view, moves):
        return -1


def test_a_fault_at_a_table_is_told_once_and_loses_to_all() -> None:
    played = play_tournament([*four()[:2], Faulty(GAME, "faulty")], deals=2)
    row = next(row for row in played.rows() if row["player"] == "faulty")
    assert (row["faults"], row["games"], row["win_rate"], row["rank"]) == (12, 12, 0.0, 3)
    assert [len(faults) for faults in played.faults] == [0, 0, 12]


@pytest.mark.slow
def test_a_ladder_says_its_seats_and_is_read_as_it_was_written(tables: Tournament, monkeypatch) -> None:
    names = list(tables.names)
    ladder = ladder_of(tables, names, names, SETTINGS)
    text = ladder_text(ladder)
    assert "\nseats: 3\n" in text
    assert "seats: 3}, opening_plies: 0}" in text
    assert "# at each table for every two: first, second" in text
    monkeypatch.setattr("rulebots.tournaments.ladder.load_game", lambda _: GAME)
    assert parse_ladder(text) == ladder
    assert 0 < ladder.ratings["contrary"]["share"] < 1 < ladder.ratings["contrary"]["place"] < 3
    with pytest.raises(LadderError, match="expected 'seats: 3', as the game and its options have it, not 2"):
        parse_ladder(text.replace("\nseats: 3\n", "\nseats: 2\n"))
    with pytest.raises(LadderError, match="expected 'seats: 3', as the game and its options have it, not 2"):
        parse_ladder(text.replace("\nseats: 3\n", "\n"))


def test_an_uneven_ladder_says_how_far_from_even_it_is() -> None:
    players = [goofspiel.matching(str(i)) for i in range(8)]
    played = play_tournament(players, deals=1, options={"seats": 4, "cards": 2})
    ladder = ladder_of(played, played.names, played.names, {**SETTINGS, "options": {"seats": 4}})
    assert ladder.uneven == "Not every two players met equally often: at 1 to 2 tables."
    assert f"# {ladder.uneven}\n" in ladder_text(ladder)


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_cross_play_says_who_scores_how_much_with_whom(seats: int) -> None:
    found = cross_play([chorus.wild(), chorus.good()], deals=20, options={"seats": seats})
    assert (found.seats, found.ranking) == (seats, [1, 0])
    most = chorus.ROUNDS * seats - seats
    assert found.points[1, 1] == most
    first, second = found.rows()
    assert (first["player"], first["points"], second["rank"]) == ("good", most, 2)
    assert (first["perfect"] == 1) == (seats == 4)
    played = {1: [20, 20], 2: [20, 40, 20]}.get(seats, [20, 20 * seats, 20 * seats, 20])
    assert [p.games for p in found.partners] == played
    if seats == 1:
        assert first["with_others"] is None
        return
    assert found.points[0, 0] < found.points[0, 1] < most
    assert (found.points[0, 1] == found.points[1, 0]) == (seats == 2)
    assert first["points_95"] == (-np.inf, np.inf)  # all deals brought the same
    assert found.as_csv().splitlines()[0].endswith("with_others,games,stalled,with good,with wild")
    assert picture(found, "svg")


def test_together_at_three_seats_one_guest_of_each_host() -> None:
    found = cross_play([chorus.wild(), chorus.good()], deals=20, options={"seats": 3})
    assert [(p.host, p.guest, p.games) for p in found.partners] == [(0, 0, 20), (0, 1, 60), (1, 0, 60), (1, 1, 20)]
    assert found.points[1, 0] > found.points[0, 1], "two of the good ones score more than one"


def test_a_ladder_of_a_game_together_has_points(monkeypatch) -> None:
    monkeypatch.setattr("rulebots.tournaments.ladder.load_game", lambda _: chorus.game)
    for seats in (1, 2, 3):
        settings = {**SETTINGS, "options": {"seats": seats}}
        found = play_settings([chorus.wild(), chorus.good()], settings)
        ladder = ladder_of(found, found.names, found.names, settings)
        assert ladder.together
        assert parse_ladder(ladder_text(ladder)).meetings == [list(row) for row in ladder.meetings]
        assert ("seats:" in ladder_text(ladder).replace("{seats:", "")) == (seats != 2)


MISTAKES = [
    (lambda: nash_of(play_tournament(four(), deals=1)), "a Nash mix needs two opponents at a table"),
    (lambda: play_tournament(four()[:2]), "a table of 3 needs at least 3 players, not 2: name more of them, or one of"),
    (lambda: play_tournament(four(), "swiss", rounds=9), "swiss: 4 players need 2 to 3 rounds, not 9"),
    (
        lambda: play_tournament([chorus.good(), chorus.wild()]),
        "Chorus is played alone: use rulebots.tournaments.cross_play",
    ),
    (
        lambda: play_settings(
            [chorus.good(), chorus.wild()], {**SETTINGS, "system": "gauntlet", "options": {"seats": 1}}
        ),
        "Chorus is played alone: nobody meets opponents; leave out --gauntlet, and all play the same deals",
    ),
    (lambda: cross_play(four()), "Goofspiel with 3 seats is played against each other: use play_tournament"),
    (lambda: cross_play([chorus.good()]), "a tournament needs at least 2 players, not 1"),
    (
        lambda: play_settings([chorus.good(), chorus.wild()], {**SETTINGS, "system": "swiss", "options": {"seats": 2}}),
        "Chorus is played together: nobody meets opponents; leave out --swiss, and all play the same deals",
    ),
    (lambda: play_settings(four(), {**SETTINGS, "options": {"seats": 9}}), "option 'seats' of goofspiel takes a whole"),
]


@pytest.mark.parametrize(("attempt", "message"), MISTAKES, ids=[message for _, message in MISTAKES])
def test_a_mistake_is_one_line(attempt, message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message)) as error:
        attempt()
    assert "\n" not in str(error.value)


PACKAGE = """{}
from {}.game import game, simple
from rulebots.packages import GamePackage

package = GamePackage(__name__, game=game, rule_sets=(simple,), players={})
"""
FOLDERS = {
    goofspiel: ("from {0}.game import contrary, matching", '{{"matching": matching, "contrary": contrary}}'),
    chorus: ("from {0}.game import good, wild", '{{"good": good, "wild": wild}}'),
}


def run(capsys, monkeypatch, *arguments: str) -> tuple[int, str, str]:
    monkeypatch.setattr("sys.argv", ["rulebots", "tournament", *arguments])
    code = cli.main()
    return code, *capsys.readouterr()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch) -> str:
    """A folder with both games, of other names in each test: a game is known by its name from then on."""
    monkeypatch.chdir(tmp_path)
    mark = f"{abs(hash(tmp_path.as_posix())) % 10**9}"
    for module, (imported, players) in FOLDERS.items():
        name = f"{module.__name__}_{mark}"
        home = tmp_path / name
        home.mkdir()
        law = Path(module.__file__).read_text()
        (home / "game.py").write_text(law.replace(f'name="{module.__name__}"', f'name="{name}"'))
        (home / "__init__.py").write_text(PACKAGE.format(imported.format(name), name, players.format()))
    return mark


@pytest.mark.slow
def test_a_tournament_at_tables_is_played_again_from_its_ladder(folder: str, capsys, monkeypatch) -> None:
    four_at = ("random", "matching", "contrary", "matching", "--game", f"./goofspiel_{folder}", "--deals", "12")
    code, out, err = run(
        capsys, monkeypatch, *four_at, "--ladder", "l.yaml", "--csv", "l.csv", "--plot", "l.png", "--option", "cards=3"
    )
    assert (code, Path("l.png").exists()) == (0, True), err
    assert "Goofspiel, 3 seats: round-robin, 12 deals a meeting, seed 1" in out
    assert "won (of 33.3 %)" in out
    code, again, _ = run(capsys, monkeypatch, "--rerun", "l.yaml")
    assert (code, again) == (0, out + "l.yaml: every meeting has the same result\n")
    code, out, _ = run(capsys, monkeypatch, *four_at, "--option", "seats=4", "--json")
    found = json.loads(out)
    assert (code, found["seats"], found["uneven"], len(found["meetings"])) == (0, 4, "", 6)
    assert found["meetings"][0]["games"] == 24 * 12
    code, out, err = run(capsys, monkeypatch, *four_at, "--nash")
    assert (code, out) == (2, "")
    assert "--nash needs the win rates of all pairs: a round robin" in err
    code, out, err = run(capsys, monkeypatch, *four_at, "--option", "seats=5")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "a table of 5 needs at least 5 players, not 4" in err


@pytest.mark.slow
@pytest.mark.parametrize("seats", [1, 2, 3])
def test_what_is_played_together_is_played_again_from_its_ladder(folder: str, capsys, monkeypatch, seats: int) -> None:
    two = ("good", "wild", "--game", f"./chorus_{folder}", "--deals", "12", "--option", f"seats={seats}")
    code, out, err = run(capsys, monkeypatch, *two, "--ladder", "l.yaml", "--csv", "l.csv", "--plot", "l.svg")
    assert code == 0, err
    assert ("points" in out, "Elo" in out, "with others" in out) == (True, False, seats > 1)
    assert f": {'alone' if seats == 1 else 'together'}, 12 deals each, seed 1" in out
    code, again, _ = run(capsys, monkeypatch, "--rerun", "l.yaml")
    assert (code, again) == (0, out + "l.yaml: every meeting has the same result\n")
    text = Path("l.yaml").read_text()
    total = re.search(r"good, good, (\d+)", text)
    assert total
    Path("x.yaml").write_text(text.replace(total[0], f"{total[0]}0"))
    code, _, err = run(capsys, monkeypatch, "--rerun", "x.yaml")
    assert (code, err.count("rulebots:")) == (1, 1)  # besides progress
    assert f"good with good: was {total[1]}0 12 0, now {total[1]} 12 0 (total, games, stalled)" in err
