"""The quiz's server and client on real sockets, beside independent ones, and beside clients that behave badly."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import Any

import naive_quiz
import pytest
from quiz_hosting import final

from rulebots.packages.players import make_player
from rulebots.play.deals import draw_deals
from rulebots.play.match import play_deals
from rulebots.players import Player
from rulebots.servers.clients import connect_to_quiz as connect
from rulebots.servers.connections import ConnectionLimits, NetworkSettings
from rulebots.servers.quiz import QuizTable

MAIN = "import sys; from rulebots.cli.main import main; sys.exit(main())"


@pytest.mark.slow
def test_clients_of_the_quiz_play_whole_games_here(lost_cities, hosting):
    server = hosting(player=make_player("shelly", lost_cities), games=4)
    with ThreadPoolExecutor(4) as pool:
        clients = [naive_quiz.dumb, naive_quiz.dumb, naive_quiz.dumb, naive_quiz.dumb]
        played = list(pool.map(lambda choose: naive_quiz.client(server.address, choose), clients))
    assert sorted(final(lines)[::-1] for lines in played) == sorted(server.games())
    assert any("Error:  You can't play that card." in line for lines in played for line in lines)
    assert re.match(r"shelly: \d won, \d lost, \d drawn of 4 games; ", server.said[-1])


@pytest.mark.slow
def test_a_match_over_the_wire_is_the_match_without(lost_cities, hosting):
    ours, theirs = make_player("dumb", lost_cities), make_player("risk_meant", lost_cities)
    server = hosting(player=ours, games=4, seed=5, mirrored=True)
    connect("{}:{}".format(*server.address), NetworkSettings(theirs, games=4, say=[].append))
    expected = play_deals(ours, theirs, draw_deals(lost_cities, 2, 5))
    seats = [(0, 1), (1, 0)] * 2
    assert server.games() == [
        (int(points[a]), int(points[b])) for points, (a, b) in zip(expected.points, seats, strict=True)
    ]


def garbage(connection: socket.socket) -> None:
    connection.sendall(bytes(range(256)) + b"\n")
    connection.recv(10**6)


def long_line(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):
        for _ in range(160):
            connection.sendall(b"x" * 65_536)


def flood(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):
        for _ in range(200):
            connection.sendall(b"2d\nn\n" * 1000)


def refused_without_end(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):
        connection.sendall(b"nothing\n" * 1000)
        while connection.recv(65_536):
            pass


def silent(connection: socket.socket) -> None:
    while connection.recv(65_536):
        pass


def refused_now_and_then(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while True:
            connection.sendall(b"nothing\n")
            time.sleep(0.1)


def cut(connection: socket.socket) -> None:
    connection.recv(100)


BAD = {
    garbage: r"sent .*: expected text in UTF-8|gave 100 answers|closed the connection|cut the connection",
    long_line: "sent a line of more than 1,024 bytes",
    flood: "gave 100 answers in a row that are not moves|(closed|cut) the connection",
    refused_without_end: "gave 100 answers in a row that are not moves",
    refused_now_and_then: r"made no move for 0\.5 s",
    silent: r"made no move for 0\.5 s",
    cut: "(closed|cut) the connection",
}


@pytest.mark.slow
@pytest.mark.parametrize("behave", BAD)
def test_a_client_that_behaves_badly_is_one_line_and_disturbs_nobody(lost_cities, hosting, behave):
    server = hosting(player=make_player("dumb", lost_cities), games=2, limits=ConnectionLimits(idle_seconds=0.5))
    for _ in range(3):
        with socket.create_connection(server.address, timeout=30) as connection:
            behave(connection)
    with ThreadPoolExecutor(2) as pool:
        list(map(final, pool.map(lambda _: naive_quiz.client(server.address, naive_quiz.dumb), range(2))))
    assert len(server.games()) == 2
    bad = [line for line in server.said if line.endswith(": no game")]
    assert len(bad) == 3
    assert all(re.search(BAD[behave], line) and "\n" not in line for line in bad), bad


def test_a_client_that_leaves_in_the_middle_has_lost(lost_cities, hosting):
    server = hosting(player=make_player("dumb", lost_cities), games=1)
    moved = threading.Event()

    def once(lines: list[str]) -> str:
        if moved.is_set():
            raise ConnectionAbortedError
        if lines[-1].endswith("Draw from?"):
            moved.set()
            return "n"
        return naive_quiz.dumb(lines)

    with pytest.raises(ConnectionAbortedError):
        naive_quiz.client(server.address, once)
    ((mine, other),) = server.games()
    assert mine > other
    assert re.search(r"(closed|cut) the connection, and loses$", server.said[-2])
    assert "1 won, 0 lost, 0 drawn, 1 by fault of 1 game" in server.said[-1]


def test_a_player_of_ours_that_fails_loses_the_game_and_nothing_else(lost_cities, hosting):
    class Failing(Player):
        def choose(self, seen, moves):
            raise ValueError("no idea")

    server = hosting(player=Failing(lost_cities, "failing"), games=2)
    for _ in range(2):
        mine, other = final(naive_quiz.client(server.address, naive_quiz.dumb))
        assert mine > other
    assert len(server.games()) == 2
    assert "raised ValueError: no idea" in server.said[-2]


def test_a_bug_of_ours_ends_one_game_and_not_the_server(lost_cities, hosting, monkeypatch, caplog):
    right, calls = QuizTable.answer, count()

    def wrong_at_first(table: QuizTable, line: str) -> Any:
        return None if next(calls) == 0 else right(table, line)

    monkeypatch.setattr(QuizTable, "answer", wrong_at_first)
    server = hosting(player=make_player("dumb", lost_cities), games=1)
    with pytest.raises((OSError, AssertionError)):  # it is cut off
        final(naive_quiz.client(server.address, naive_quiz.dumb))
    assert final(naive_quiz.client(server.address, naive_quiz.dumb))[::-1] == server.games()[0]
    assert ": no game: a bug of this server\nTraceback" in caplog.text
    assert "TypeError: " in caplog.text


def started(*arguments: str) -> subprocess.Popen[str]:
    """A command, as in a terminal: it is not one of the background jobs, which ignore Ctrl-C."""
    return subprocess.Popen(
        [sys.executable, "-c", f"import signal; signal.signal(2, signal.default_int_handler); {MAIN}", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        text=True,
    )


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_ends_a_server_that_says_what_was_played(number):
    server = started("host", "lost-cities", "--port", "0", "--player", "dumb")
    assert server.stdout
    place = re.search(r"at ([\d.]+):(\d+)", server.stdout.readline())
    assert place
    address = place[1], int(place[2])
    final(naive_quiz.client(address, naive_quiz.dumb))
    assert "game 1: dumb against" in server.stdout.readline()
    with contextlib.ExitStack() as clients:
        for waiting in [clients.enter_context(socket.create_connection(address)) for _ in range(50)]:
            assert waiting.recv(1)
        os.kill(server.pid, number)
        out, err = server.communicate(timeout=60)
    assert (server.returncode, err) == (0, "")
    assert out.startswith("dumb: ")
    assert " of 1 game; " in out
