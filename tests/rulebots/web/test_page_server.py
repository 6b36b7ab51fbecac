"""`rulebots web` as a process: a stranger's game, wrong use in one line, and its end."""

from __future__ import annotations

import http.client
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from nim_package import write_nim
from page_client import Client

from rulebots.records import PERSON, load_record

PROGRAM = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from rulebots.cli.main import main
sys.exit(main())
"""
DRAW = '''
from rulebots.output.diagram import Diagram

def draw(position, seat):
    """A heap."""
    left = int(position.state.heap)
    diagram = Diagram(100, 10, f"{left} stones")
    for stone in range(left):
        diagram.circle(4 * stone + 2, 5, 2, "seat-0")
        diagram.place(f"stone {stone}", 4 * stone, 3, 4, 4, f"stone {stone + 1}")
    for move in position.legal_moves:
        diagram.way(move, f"stone {move}")
    return diagram
'''


def words(*given: str) -> list[str]:
    return [sys.executable, "-c", PROGRAM, "web", "--port", "0", *given]


@contextmanager
def running(folder: Path, *given: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The process, and the address that it prints."""
    process = subprocess.Popen(
        words(*given), cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ
    )
    try:
        assert process.stdout is not None
        yield process, process.stdout.readline()
    finally:
        process.kill()
        process.communicate()


def said(folder: Path, *given: str) -> tuple[int, str]:
    """The exit code and what is on stderr."""
    done = subprocess.run(words(*given), cwd=folder, capture_output=True, text=True, check=False, timeout=120)
    return done.returncode, done.stderr


@pytest.mark.slow
def test_ctrl_c_ends_it_in_one_line_also_with_open_tabs(tmp_path: Path) -> None:
    with running(tmp_path) as (process, line):
        found = re.fullmatch(r"the page is at (http://127\.0\.0\.1:(\d+)/)   \(Ctrl-C ends it\)\n", line)
        assert found, line
        tabs = [socket.create_connection(("127.0.0.1", int(found[2]))) for _ in range(5)]
        assert Client(int(found[2])).get("/").status == 200
        process.send_signal(signal.SIGINT)
        _, complaint = process.communicate(timeout=60)
        assert (process.returncode, complaint) == (0, "")
        for tab in tabs:
            tab.close()


SLOW = """
import time
from rulebots.players import Player

class Slow(Player):
    \"\"\"A player whose making outlasts the test, as a compilation that nothing interrupts.\"\"\"

    def __init__(self, *given, **more):
        with open("making", "a") as making:
            making.write("x")
        time.sleep(3600)

    def choose(self, view, moves):
        return moves[0]
"""


@pytest.mark.slow
def test_ctrl_c_ends_it_while_players_are_being_made_and_no_game_is_lost(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(SLOW)
    with running(tmp_path, "--offer", "slow.py:Slow") as (process, line):
        browser = Client(int(re.findall(r":(\d+)/", line)[0]))
        played = browser.begin("tictactoe", player2=PERSON)
        page = browser.get(played)
        browser.act(f"{played}/place", place=page.places[0])
        browser.begin("tictactoe", player2="slow.py:Slow")
        hint = threading.Thread(target=given_up, args=(browser, f"{played}/hint?player=slow.py:Slow"))
        hint.start()
        while not (tmp_path / "making").exists() or (tmp_path / "making").read_text() != "xx":
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, complaint = process.communicate(timeout=60)
        hint.join()
    assert (process.returncode, complaint) == (0, "")
    assert load_record(tmp_path / "games" / f"{Path(played).name}.txt").games[0].rows


def given_up(browser: Client, path: str) -> None:
    """Ask what the server cannot answer before its end."""
    with suppress(OSError, http.client.HTTPException):
        browser.get(path)


@pytest.mark.slow
@pytest.mark.parametrize("flags", [["--bind", "0.0.0.0"], ["--allow-programs"]])  # noqa: S104 - as long as the test
def test_others_reach_it_with_the_token_that_it_prints(tmp_path: Path, flags: list[str]) -> None:
    with running(tmp_path, *flags) as (_, line):
        found = re.search(r":(\d+)/\?token=([0-9a-f]{32}) ", line)
        assert found, line
        browser = Client(int(found[1]))
        assert browser.get("/").status == 401
        assert browser.get(f"/?token={found[2]}").status == 303
        assert browser.get("/").status == 200


@pytest.mark.slow
@pytest.mark.parametrize("draw", ["", DRAW, DRAW.replace("seat-0", "sat-0"), DRAW.replace("state.heap", "state.hep")])
def test_a_strangers_game_is_played_whatever_its_drawing_does(tmp_path: Path, draw: str) -> None:
    declared = [("__init__.py", "    game=game,\n", '    game=game,\n    draw="diagram:draw",\n')] if draw else []
    nim = write_nim(tmp_path, declared)
    if draw:
        text = (nim / "game.py").read_text()
        field = re.search(r'\("mover", [^)]*\),\s*\("(\w+)"', text)
        assert field, text
        draw = draw.replace("state.heap", f"state.{field[1]}")
        (nim / "diagram.py").write_text(draw)
    with running(tmp_path, "--game", "./nim") as (_, line):
        browser = Client(int(re.findall(r":(\d+)/", line)[0]))
        assert "Nim" in browser.get("/").text
        address = browser.begin("nim", player2="random")
        for _ in range(100):
            page = browser.get(address)
            assert page.status == 200
            if "win" in page.status_line:
                break
            if "our move" not in page.status_line:
                time.sleep(0.1)
            elif page.places:
                browser.act(f"{address}/place", place=page.places[0])
            else:
                browser.act(f"{address}/move", move=page.moves[0])
        assert "won" in page.status_line
        first = browser.get(f"{address}?ply=0").text
        if "sat-0" in draw:
            assert "did you mean &#39;seat-0&#39;" in first
        elif "hep" in draw:
            assert "diagram.py:" in first
        else:
            assert ("<svg viewBox" in first) == bool(draw)


@pytest.mark.slow
def test_a_strangers_law_that_fails_is_a_line_on_the_page_and_the_page_goes_on(tmp_path: Path) -> None:
    law = write_nim(tmp_path) / "game.py"
    text = law.read_text()
    broken = re.sub(r"(\ndef play\(.*\n)", r"\1    nowhere_defined()\n", text, count=1)
    assert broken != text
    law.write_text(broken)
    with running(tmp_path, "--game", "./nim") as (process, line):
        browser = Client(int(re.findall(r":(\d+)/", line)[0]))
        address = browser.begin("nim", player2=PERSON)
        answer = browser.act(f"{address}/move", move=browser.get(address).moves[0])
        assert answer.status == 422, answer.text
        assert "game.py:" in answer.text
        assert "nowhere_defined" in answer.text
        assert "content-security-policy" in answer.headers
        assert browser.get(address).status == 200
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=60)[1] == ""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("given", "code", "line"),
    [
        (["--bind", "everyone"], 2, "--bind: expected an address such as 127.0.0.1 or 0.0.0.0, not 'everyone'"),
        (["--bind", "192.0.2.1"], 1, "cannot listen on 192.0.2.1"),
        (["--folder", "nowhere"], 1, "--folder: expected a folder, not 'nowhere'"),
        (["--port", "70000"], 2, "expected a whole number from 0 to 65,535, not '70000'"),
        (["--game", "./nowhere"], 1, "nowhere"),
        (["--offer", "nowhere.py:H4"], 1, "nowhere.py"),
    ],
)
def test_wrong_use_is_one_line(tmp_path: Path, given: list[str], code: int, line: str) -> None:
    found = said(tmp_path, *given)
    assert found[0] == code, found
    assert line in found[1]
    assert found[1].count("\n") == 1


@pytest.mark.slow
def test_a_port_that_is_taken_is_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, line = said(tmp_path, "--port", str(port))
    assert code == 1
    assert f"cannot listen on 127.0.0.1, port {port}: " in line
    assert "choose another one with --port" in line


@pytest.mark.parametrize("package", ["starlette", "uvicorn", "jinja2"])
def test_without_the_extra_it_says_what_to_install(tmp_path: Path, package: str) -> None:
    program = f"import sys; sys.modules[{package!r}] = None\n{PROGRAM}"
    command = [sys.executable, "-c", program, "web", "--port", "0"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2
    expected = f"rulebots: rulebots web: {package} is not installed; in the checkout, pip install '.[web]'\n"
    assert done.stderr == expected


@pytest.mark.slow
def test_a_users_token_has_to_be_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEBOTS_WEB_TOKEN", "short")
    code, line = said(tmp_path, "--bind", "0.0.0.0")  # noqa: S104 - it is refused
    assert code == 2
    assert "RULEBOTS_WEB_TOKEN: expected at least 16 letters and digits" in line


@pytest.mark.slow
def test_a_users_token_is_asked_for_on_this_machine_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    token = "a" * 20
    monkeypatch.setenv("RULEBOTS_WEB_TOKEN", token)
    with running(tmp_path) as (_, line):
        assert f"/?token={token} " in line
        browser = Client(int(re.findall(r":(\d+)/", line)[0]))
        assert browser.get("/").status == 401
        assert browser.get(f"/?token={token}").status == 303
        assert browser.get("/").status == 200
