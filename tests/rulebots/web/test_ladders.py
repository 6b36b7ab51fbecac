"""Ladders, asked over HTTP."""

from __future__ import annotations

import re
import time
from pathlib import Path

import chorus
import goofspiel
import pytest
from page_client import Answer, Site, serving

from rulebots.packages import load_game
from rulebots.packages.players import make_player
from rulebots.tournaments.ladder import rerun
from rulebots.tournaments.tournament import play_tournament
from rulebots.web.ladders import PageLadder, lines_of


def over(site: Site, address: str) -> Answer:
    """The page of a ladder when nothing more is played."""
    for _ in range(2400):
        page = site.get(address)
        assert page.status == 200
        if re.search(r"</strong>, (over|stopped)\.", page.text):
            return page
        time.sleep(0.05)
    raise AssertionError(page.text)


def cells(page: Answer) -> list[str]:
    return re.findall(r'aria-label="([\d.]+ %, games of [^"]*)"', page.text)


def begun(site: Site, *names: str, deals: int = 12, game: str = "tictactoe") -> Answer:
    fields: dict[str, object] = {f"player-{i}": name for i, name in enumerate(names)}
    return site.post(f"/ladder/new/{game}", {**fields, "deals": deals})


def test_a_ladder_is_a_tournament_whose_games_can_be_stepped_through(site: Site) -> None:
    assert "/ladder/new/kalah" in site.get("/ladder").text
    form = site.get("/ladder/new/tictactoe").text
    assert 'value="random" checked' in form
    answer = begun(site, "random", "hand_tuned")
    assert answer.status == 303, answer.text
    page = over(site, answer.location)
    game = load_game("tictactoe")
    played = play_tournament([make_player(name, game) for name in ("random", "hand_tuned")], deals=12)
    best = played.rows()[0]
    assert best["player"] == "hand_tuned"
    rate = f"{100 * best['against']['random']:.1f} %"
    assert cells(page)[0] == f"{rate}, games of hand_tuned against random"
    assert f'<td data-head="Elo">{best["elo"]:+.0f}</td>' in page.text
    assert f">{best['elo_95'][0]:+.0f} to {best['elo_95'][1]:+.0f}</td>" in page.text
    games = site.get(f"{answer.location}/games?first=0&second=1")
    assert "The first 20 of 24 games" in games.text
    assert re.findall(r"<td>(random, hand_tuned|hand_tuned, random)</td>", games.text)[:3] == [
        "random, hand_tuned", "hand_tuned, random", "random, hand_tuned"
    ]  # fmt: skip
    opened = site.post(f"{answer.location}/games", {"first": 0, "second": 1, "number": 2})
    assert opened.location.endswith("?ply=0")
    table = site.get(opened.location)
    plies = int(re.findall(r'aria-label="open game 2">.*?<td>(\d+)</td></tr>', games.text)[0])
    assert f"After 0 of {plies} moves." in table.text
    assert re.search("Hand tuned . Random", table.text)
    assert site.get(answer.location, HX_Request="true").text.startswith('<section id="ladder">')
    assert "random, hand_tuned" in site.get("/ladder").text


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({}, "players: expected 2 to 16 of them, not 0"),
        ({"typed": "random"}, "expected 2 to 16 of them, not 1"),
        ({"typed": "random random"}, "expected 2 to 16 of them, not 1"),
        ({"typed": "random hand_tuned", "deals": "1"}, "deals: expected a whole number from 2 to 1,000"),
        ({"typed": "random os:system"}, "is not a player that this page may start"),
        ({"typed": "random ../x.yaml"}, "there is no file"),
        ({"typed": "random minimax:depth=0"}, "depth"),
        ({"typed": " ".join(f"minimax:depth={i}" for i in range(1, 18))}, "not 17"),
    ],
)
def test_a_ladder_that_cannot_begin_says_why(site: Site, fields: dict[str, object], said: str) -> None:
    answer = site.post("/ladder/new/tictactoe", fields)
    assert answer.status == 422
    assert said in answer.text
    assert "being played" not in site.get("/ladder").text


def test_addresses_of_no_ladder(site: Site) -> None:
    assert site.get("/ladder/new/no").status == 404
    for name, said in (("no", "no such ladder"), ("abcdefghijkl", "not here any more")):
        for path in (f"/ladder/{name}", f"/ladder/{name}/games?first=0&second=1"):
            answer = site.get(path)
            assert answer.status == 404
            assert said in answer.text
    address = begun(site, "random", "hand_tuned", deals=2).location
    over(site, address)
    for query in ("", "?first=0", "?first=x&second=1", "?first=1&second=0", "?first=0&second=9"):
        assert site.get(f"{address}/games{query}").status == 422, query
    for number in ("0", "5", "x"):
        assert site.post(f"{address}/games", {"first": 0, "second": 1, "number": number}).status == 422
    assert not list(site.folder.glob("games/*"))


def test_a_restart_loses_no_ladder(tmp_path: Path) -> None:
    with serving(tmp_path) as site:
        address = begun(site, "random", "hand_tuned", deals=3).location
        before = over(site, address).text
        games = site.get(f"{address}/games?first=0&second=1").text
    (tmp_path / "ladders" / "abcdefghijkl.yaml").write_text("{}")
    with serving(tmp_path) as site:
        forms = re.compile(r'name="secret" value="[^"]*"')
        assert forms.sub("", over(site, address).text) == forms.sub("", before)
        assert forms.sub("", site.get(f"{address}/games?first=0&second=1").text) == forms.sub("", games)
        assert site.get(f"{address}/games?first=0&second=2").status == 422
        opened = site.post(f"{address}/games", {"first": 0, "second": 1, "number": 2})
        assert "After 0 of" in site.get(opened.location).text
        assert site.post(f"{address}/stop").status == 303
        listed = site.get("/ladder").text
        assert f'href="{address}"' in listed
        assert "ladders/abcdefghijkl.yaml" in listed
        assert site.get("/ladder/abcdefghijkl").status == 422
        (tmp_path / "ladders" / "abcdefghijkm.yaml").symlink_to(
            tmp_path / f"{address[1:].replace('ladder/', 'ladders/')}.yaml"
        )
        assert site.get("/ladder/abcdefghijkm").status == 404


def test_a_kept_ladder_is_that_of_a_tournament(tmp_path: Path) -> None:
    with serving(tmp_path) as site:
        address = begun(site, "random", "hand_tuned", deals=3).location
        over(site, address)
    (file,) = (tmp_path / "ladders").iterdir()
    assert rerun(file).differences == []


@pytest.mark.slow
def test_a_ladder_that_the_end_of_the_server_stops_is_kept_as_far_as_it_is_played(tmp_path: Path) -> None:
    with serving(tmp_path) as site:
        address = begun(site, "random", "minimax:depth=2", deals=1000).location
        while "<strong>0 of" in site.get(address).text:
            time.sleep(0.05)
    with serving(tmp_path) as site:
        assert re.search(r"<strong>\d+ of 1000 deals a meeting</strong>, stopped\.", site.get(address).text)


@pytest.mark.slow
def test_one_ladder_at_a_time_and_it_can_be_stopped(site: Site) -> None:
    answer = begun(site, "minimax:depth=3", "minimax:depth=2", deals=1000)
    refused = begun(site, "random", "hand_tuned")
    assert refused.status == 422
    assert "another ladder is being played" in refused.text
    stopped = site.act(f"{answer.location}/stop")
    assert stopped.status == 200
    page = over(site, answer.location)
    assert ", stopped." in page.text
    assert begun(site, "random", "hand_tuned", deals=2).status == 303


class Seated:
    """A served folder with Goofspiel's players."""

    def player(self, name, game):
        return goofspiel.contrary(name) if name == "contrary" else goofspiel.matching(name)


@pytest.mark.slow
def test_a_ladder_of_a_game_for_three_is_played_at_tables() -> None:
    names = ["contrary", "a", "b", "c"]
    ladder = PageLadder(goofspiel.game, names, 12, Seated())
    ladder.work()
    assert (ladder.seats, ladder.games_a_deal, len(ladder.tables), ladder.played) == (3, 6, 4, 12)
    assert ladder.standing is not None
    assert (ladder.standing.seats, len(ladder.standing.meetings), ladder.standing.uneven) == (3, 12, "")
    players = [Seated().player(name, goofspiel.game) for name in names]
    played = play_tournament(players, deals=12)
    assert [(line.name, line.elo) for line in lines_of(ladder.standing)] == [
        (row["player"], f"{row['elo']:+.0f}") for row in played.rows()
    ]
    assert set(ladder.records) == {"0-1", "0-2", "0-3", "1-2", "1-3", "2-3"}
    assert ladder.records["0-1"] == ladder.records["0-2"] == ladder.records["1-2"]


def test_a_page_says_what_has_no_ladder(site: Site, monkeypatch) -> None:
    for game, said in (
        (chorus.game, "Chorus is played alone, and has no ladder"),
        (goofspiel.game, "players: a table of 3 needs at least 3 of them, not 2"),
    ):
        monkeypatch.setattr("rulebots.web.ladders.game_of", lambda _, game=game: game)
        monkeypatch.setattr("rulebots.web.served_folder.ServedFolder.offered", lambda *_: ["random"])
        answer = begun(site, "random", "random:2", game=game.name)
        assert answer.status == 422
        assert said in answer.text
