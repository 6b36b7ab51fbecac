"""Each refusal of the server, over HTTP."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from page_client import Site, serving
from starlette.routing import Route

from rulebots.web.pages import TEMPLATES
from rulebots.web.security import HEADERS, Access
from rulebots.web.served_folder import ServedFolder

FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:{port}",
        "127.0.0.1",
        "127.0.0.1:1",
        "localhost.evil.example:{port}",
        "192.0.2.1:{port}",
    ],
)
def test_another_host_is_refused(site: Site, host: str) -> None:
    answer = site.get("/", Host=host.format(port=site.port))
    assert answer.status == 421
    assert "open the address that rulebots web printed" in answer.text


@pytest.mark.parametrize("host", ["127.0.0.1:{port}", "localhost:{port}", "LOCALHOST:{port}", "[::1]:{port}"])
def test_the_names_of_this_machine_are_known(site: Site, host: str) -> None:
    assert site.get("/", Host=host.format(port=site.port)).status == 200


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://127.0.0.1:1"}, 403),
        ({"Origin": ""}, 403),
        ({"Origin": "", "Sec-Fetch-Site": "cross-site"}, 403),
        ({"Content-Type": "text/plain"}, 415),
        ({"Content-Type": "multipart/form-data; boundary=x"}, 415),
        ({"Content-Type": "application/json"}, 415),
    ],
)
def test_a_form_from_elsewhere_is_refused(site: Site, headers: dict[str, str], status: int) -> None:
    assert site.post("/new/tictactoe", {"player2": "random"}, headers).status == status
    assert not (site.folder / "games").exists()


@pytest.mark.parametrize("secret", ["", "wrong", "x" * 43])
def test_a_form_without_the_browsers_secret_is_refused(site: Site, secret: str) -> None:
    answer = site.post("/new/tictactoe", {"player2": "random", "secret": secret})
    assert answer.status == 403
    assert "load it again" in answer.text


def test_the_secret_of_another_browser_is_refused(site: Site) -> None:
    site.get("/")
    other = Site(site.port, site.folder, site.sessions)
    other.get("/")
    assert other.cookies != site.cookies
    assert site.post("/new/tictactoe", {"secret": other.cookies["rulebots-secret"]}).status == 403


def test_other_methods_are_refused(site: Site) -> None:
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"):
        assert site.ask(method, "/").status == 405, method
    assert site.post("/").status == 405
    assert site.get("/game/abcdefghijkl/move").status == 405


def test_a_form_that_is_too_large_is_refused(site: Site) -> None:
    assert site.post("/load", {"record": "x" * 1_100_000}).status == 413


def test_a_form_that_is_no_text_is_refused(site: Site) -> None:
    site.get("/")
    origin = {"Origin": f"http://127.0.0.1:{site.port}", **FORM}
    assert site.ask("POST", "/load", b"\xff\xfe=1", origin).status == 400
    assert site.ask("POST", "/load", "&".join(f"a{i}=1" for i in range(3000)), origin).status == 400


@pytest.mark.parametrize("path", ["/", "/nowhere", "/static/page.css", "/game/abcdefghijkl", "/new/nothing", "/tune"])
def test_every_answer_has_the_headers(site: Site, path: str) -> None:
    answer = site.get(path)
    for name, value in HEADERS.items():
        assert answer.headers[name] == value
    assert "unsafe" not in answer.headers["content-security-policy"]
    assert "server" not in answer.headers


def test_refusals_have_the_headers_too(site: Site) -> None:
    for answer in (site.get("/", Host="evil.example"), site.post("/new/tictactoe", {"secret": ""})):
        assert answer.headers["content-security-policy"] == HEADERS["content-security-policy"]


def test_the_templates_have_nothing_inline() -> None:
    for template in TEMPLATES.glob("*.html"):
        text = template.read_text()
        assert " style=" not in text
        assert "<style" not in text
        assert " onclick" not in text
        assert "hx-on" not in text
        assert "|safe" not in text
        for script in text.split("<script")[1:]:
            assert script.startswith(' src="/static/'), template
        assert "//" not in text.replace("</", ""), f"{template} names something elsewhere"


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
    answer = site.post("/new/tictactoe", {"typed2": name})
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
        assert site.post("/new/tictactoe", {"typed2": name}).status == 422
    for settings in ({"named": (name,)}, {"allow_programs": True}):
        with serving(tmp_path, **settings) as site:
            assert site.post("/new/tictactoe", {"typed2": name}).status == 303


def test_every_form_needs_the_secret_of_its_browser(site: Site) -> None:
    from rulebots.web.app import new_app

    routes = [
        route for route in new_app(ServedFolder(site.folder), Access(site.port)).routes if isinstance(route, Route)
    ]
    paths = [re.sub(r"{\w+}", "tictactoe", route.path) for route in routes if "POST" in (route.methods or ())]
    assert {"/new/tictactoe", "/tune/save", "/ladder/tictactoe/stop", "/runs/new", "/worth"} <= set(paths)
    for path in paths:
        assert site.post(path, {"secret": "x" * 43}).status == 403, path
    assert not any(site.folder.iterdir())


def test_a_server_that_others_can_reach_needs_its_token(tmp_path: Path) -> None:
    with serving(tmp_path, token="a" * 32) as site:
        for path in ("/", "/static/page.css", "/?token=wrong", "/game/abcdefghijkl"):
            answer = site.get(path)
            assert answer.status == 401, path
            assert "token and all" in answer.text
        form = {"Content-Type": "application/x-www-form-urlencoded", "Origin": f"http://127.0.0.1:{site.port}"}
        assert site.ask("POST", "/load", "", form).status == 401
        inside = site.get(f"/new/tictactoe?token={'a' * 32}")
        assert (inside.status, inside.location) == (303, "/new/tictactoe")
        assert site.get("/").status == 200
        assert site.post("/new/tictactoe", {"player2": "random"}).status == 303


def test_a_token_opens_addresses_but_no_foreign_names() -> None:
    open_to_all = Access(80, "0.0.0.0", "t" * 32)  # noqa: S104 - what it would be bound to
    assert open_to_all.known_host("192.0.2.7")
    assert open_to_all.known_host("[2001:db8::1]:80")
    assert not open_to_all.known_host("evil.example")
    assert not Access(80).known_host("192.0.2.7")


def test_a_search_gets_its_bounds(tmp_path: Path) -> None:
    from rulebots.errors import UsageError
    from rulebots.registry import load_game

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
