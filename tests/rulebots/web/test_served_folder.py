"""What a browser may name: players, population files and records."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from page_client import Site, serving

from rulebots.packages import load_game
from rulebots.web.served_folder import ServedFolder


@pytest.mark.parametrize(
    "path",
    [
        "/static/../pages.py",
        "/static/..%2fpages.py",
        "/static/%2e%2e/pages.py",
        "/static//etc/passwd",
        "/game/..%2f..%2fsecret",
        "/game/../../secret",
        "/game/aaaaaaaaaaa%00",
        "/tune/edit?player=../secret.yaml",
        "/tune/edit?player=/etc/passwd",
        "/tune/edit?player=link.yaml",
        "/tune/edit?game=../x&player=champion",
        "/new/..%2f..%2fgame",
    ],
)
def test_nothing_outside_the_folder_is_opened(site: Site, path: str) -> None:
    outside = site.folder.parent / "secret.yaml"
    outside.write_text("hidden: treasure\n")
    (site.folder / "link.yaml").symlink_to(outside)
    answer = site.get(path)
    assert answer.status in {404, 422, 405}
    assert "treasure" not in answer.text
    assert "root:" not in answer.text


@pytest.mark.parametrize(
    "name",
    [
        "os:system",
        "evil.py:Player",
        "./evil.py:Player",
        "evil.py:Player:depth=3",
        "../secret.yaml",
        "/etc/passwd",
        "/tmp/x.yaml",  # noqa: S108 - a name that is refused
        "program:sh",
        "mcts:iterations=10,rollout=../secret.yaml",
        "mcts:iterations=10,rollout=evil.py:Player",
        "mcts:iterations=10,rollout=os:system",
        "minimax:depth=1,rules=evil.py:Player",
        "mcts:seconds=31",
        "mcts:iterations=5,nodes=100000000",
        "minimax:depth=2,table=4000",
        "mcts:seconds=inf",
        "mcts:seconds=1e9",
        "x" * 301,
    ],
)
def test_a_player_that_the_browser_may_not_name_is_refused(site: Site, name: str) -> None:
    ran = site.folder / "ran"
    (site.folder / "evil.py").write_text(f"open({str(ran)!r}, 'w').close()\nclass Player: pass\n")
    answer = site.post("/new/tictactoe", {"player2": name})
    assert answer.status == 422, answer.text
    assert 'role="alert"' in answer.text
    assert not ran.exists()
    assert not (site.folder / "games").exists()


def test_a_record_names_no_code_either(site: Site) -> None:
    ran = site.folder / "ran"
    (site.folder / "evil.py").write_text(f"open({str(ran)!r}, 'w').close()\n")
    record = "format: rulebots-record/1\ngame: {}\nplayer 1: you\nplayer 2: evil.py:Player\ngames: 1\n\n"
    record += "game 1: player 1 begins\nluck: 1 2\nresult: unfinished\n"
    for game in ("tictactoe", "evil.py:game", "./evil"):
        assert site.post("/load", {"record": record.format(game), "number": 1}).status == 422
    assert not ran.exists()


def test_programs_may_be_allowed(tmp_path: Path, forget: Callable[[], None]) -> None:
    (tmp_path / "mine.py").write_text(
        "from rulebots.players import Player\n"
        "class First(Player):\n    def choose(self, seen, moves):\n        return int(moves[0])\n"
    )
    name = f"{tmp_path}/mine.py:First"
    with serving(tmp_path) as site:
        assert site.post("/new/tictactoe", {"player2": name}).status == 422
    for settings in ({"named": (name,)}, {"allow_programs": True}):
        with serving(tmp_path, **settings) as site:
            assert site.post("/new/tictactoe", {"player2": name}).status == 303


def test_a_search_gets_its_bounds(tmp_path: Path) -> None:
    from rulebots.errors import UsageError

    served, game = ServedFolder(tmp_path), load_game("tictactoe")
    assert served.player_text("mcts:power=3", game) == "mcts:power=3,seconds=30,nodes=2000000"
    assert served.player_text("minimax:depth=4", game) == "minimax:depth=4,seconds=30"
    assert served.player_text("rollout:simulations=9", game) == "rollout:simulations=9,seconds=30"
    assert served.player_text("champion", game) == "champion"
    (tmp_path / "mine.yaml").write_text("")
    guided = served.player_text("mcts:seconds=1,guide=mine.yaml", game)
    assert guided == f"mcts:seconds=1,guide={tmp_path.resolve() / 'mine.yaml'},nodes=2000000"
    with pytest.raises(UsageError, match=r"there is no file 'other\.yaml'"):
        served.player_text("mcts:seconds=1,guide=other.yaml", game)
    assert served.player("minimax:depth=1", game).name == "minimax:depth=1"


def test_records_of_the_folder_are_listed_and_their_games_opened(site: Site) -> None:
    address = site.begin("tictactoe", player1="random", player2="hand_tuned", seed=1)
    while "won" not in (text := site.get(address).status_line) and "draw" not in text:
        time.sleep(0.02)
    (site.folder / "match.txt").write_text(site.get(f"{address}/record").text)
    (site.folder / "notes.txt").write_text("nothing of the kind")
    outside = site.folder.parent / "outside.txt"
    outside.write_text((site.folder / "match.txt").read_text())
    (site.folder / "link.txt").symlink_to(outside)
    page = site.get("/load")
    assert re.findall(r"/load\?file=([^\"]*)", page.text) == ["match.txt"]
    games = site.get("/load?file=match.txt")
    assert "1 game." in games.text
    assert "open game 1" in games.text
    opened = site.post("/load", {"file": "match.txt", "number": 1})
    assert opened.location.endswith("?ply=0")
    assert "After 0 of" in site.get(opened.location).text
    for name in ("link.txt", "notes.txt", "../outside.txt", "games/x.txt", ""):
        assert site.get(f"/load?file={name}").status == 422, name
        assert site.post("/load", {"file": name, "number": 1}).status == 422, name
    assert site.post("/load", {"file": "match.txt", "number": 2}).status == 422


def test_files_that_say_that_they_are_of_another_game_are_not_offered(tmp_path: Path) -> None:
    heads = {
        "own.yaml": "# a comment\nformat: rulebots-population/1\ngame: kalah\n",
        "quoted.yaml": 'format: rulebots-population/1\ngame: "kalah"  # mine\n',
        "foreign.yaml": "--- !ruby/object:Object\n",
        "other.yaml": "format: rulebots-population/1\ngame: tictactoe\n",
        "ladder.yaml": "format: rulebots-ladder/1\ngame: kalah\n",
    }
    for name, head in heads.items():
        (tmp_path / name).write_text(head)
    served = ServedFolder(tmp_path)
    assert served.population_files(load_game("kalah")) == ["own.yaml", "quoted.yaml"]
    assert served.population_files() == ["foreign.yaml", "other.yaml", "own.yaml", "quoted.yaml"]
