"""Each refusal of the server, over HTTP."""

from __future__ import annotations

import re
import socket
import time
from pathlib import Path

import pytest
from page_client import Site, serving
from starlette.routing import Route

from rulebots.web.pages import TEMPLATES
from rulebots.web.served_folder import ServedFolder
from rulebots.web.server import HEADERS, Access

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
    assert site.post("/new/tictactoe", {"secret": other.secret}).status == 403


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
            assert script.startswith(' src="{{ asset("'), template
        assert "//" not in text.replace("</", ""), f"{template} names something elsewhere"


def test_every_form_needs_the_secret_of_its_browser(site: Site) -> None:
    from rulebots.web.server import new_app

    routes = [
        route for route in new_app(ServedFolder(site.folder), Access(site.port)).routes if isinstance(route, Route)
    ]
    paths = [re.sub(r"{\w+}", "tictactoe", route.path) for route in routes if "POST" in (route.methods or ())]
    assert {"/new/tictactoe", "/tune/save", "/ladder/tictactoe/stop", "/runs/new", "/tune/worth"} <= set(paths)
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


def test_two_servers_of_one_host_keep_a_browser_apart(tmp_path: Path) -> None:
    with serving(tmp_path, token="a" * 32) as one, serving(tmp_path, token="b" * 32) as other:
        other.cookies = one.cookies  # a browser sends what any port of the host has set
        for site, token in ((one, "a"), (other, "b")):
            assert site.get(f"/?token={token * 32}").status == 303
        for site in (one, other, one):
            assert site.post("/new/tictactoe", {"player2": "random"}).status == 303


def test_a_token_opens_addresses_but_no_foreign_names() -> None:
    open_to_all = Access(80, "0.0.0.0", "t" * 32)  # noqa: S104 - what it would be bound to
    assert open_to_all.known_host("192.0.2.7")
    assert open_to_all.known_host("[2001:db8::1]:80")
    assert not open_to_all.known_host("evil.example")
    assert not Access(80).known_host("192.0.2.7")


def test_no_page_tells_where_the_folder_is(tmp_path: Path) -> None:
    folder = tmp_path / "Robinson's & <co>"
    (folder / "games").mkdir(parents=True)
    (folder / "games" / "abcdefghijkl.txt").write_text("no record\n")
    (folder / "ladders").mkdir()
    (folder / "ladders" / "abcdefghijkl.yaml").write_text("no ladder\n")
    (folder / "wrong.yaml").write_text("no population\n")
    with serving(folder) as site:
        missing = site.get("/game/abcdefghijkl")
        assert missing.status == 404
        assert "games/abcdefghijkl.txt" in missing.text
        pages = [site.get(path).text for path in ("/", "/ladder", "/ladder/abcdefghijkl", "/runs", "/load")]
        pages.append(site.get("/tune/edit?player=wrong.yaml").text)
        pages.append(site.post("/new/tictactoe", {"player2": "wrong.yaml"}).text)
        assert not [text for text in (missing.text, *pages) if tmp_path.name in text or "Robinson" in text]


def idle_and_slow(port: int, count: int) -> list[socket.socket]:
    """Connections that send nothing, half a header, or half a form."""
    form = b"POST /new/tictactoe HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Length: 100\r\n" % port
    form += b"Origin: http://127.0.0.1:%d\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\nplayer" % port
    opened = []
    for i in range(count):
        opened.append(socket.create_connection(("127.0.0.1", port), 5))
        opened[-1].sendall((b"", b"GET / HTTP/1.1\r\nHost:", form)[i % 3])
    return opened


def ended(connection: socket.socket) -> bool:
    """Whether the server has closed it, within some seconds."""
    try:
        while connection.recv(4096):
            pass
    except TimeoutError:
        return False
    except ConnectionError:
        pass
    return True


def test_idle_and_slow_connections_lock_nobody_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulebots.web.server.MOST_OF_ADDRESS", 30)
    with serving(tmp_path) as site:
        crowd = idle_and_slow(site.port, 60)
        assert site.get("/").status == 200
        assert site.begin("tictactoe", player2="you")
        assert ended(crowd[0]), "the idlest makes room"
        for connection in crowd:
            connection.close()


def test_a_request_arrives_in_time_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulebots.web.server.HEADERS_WITHIN", 0.2)
    monkeypatch.setattr("rulebots.web.pages.WITHIN", 0.2)
    with serving(tmp_path) as site:
        silent, half, form = idle_and_slow(site.port, 3)
        begun = time.monotonic()
        answer = form.recv(4096)
        assert b"408" in answer.partition(b"\r\n")[0], answer
        assert all(ended(connection) for connection in (silent, half, form))
        assert time.monotonic() - begun < 4
        # Slow headers on a connection that has been served once are no way around.
        again = socket.create_connection(("127.0.0.1", site.port), 5)
        again.sendall(b"GET /static/icon.svg HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\nGET / HTTP/1.1\r\n" % site.port)
        assert again.recv(1 << 16).startswith(b"HTTP/1.1 ")
        assert ended(again)
        for connection in (silent, half, form, again):
            connection.close()
