"""What the quiz's server does besides the games: room, records, its port, its end."""

from __future__ import annotations

import contextlib
import re
import socket
import struct
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import naive_quiz
import pytest

from rulebots.errors import UsageError
from rulebots.files import OutputError
from rulebots.packages.players import make_player
from rulebots.records import check, load_record
from rulebots.servers import quiz_host
from rulebots.servers.clients import connect_to_quiz as connect
from rulebots.servers.connections import ConnectionLimits, NetworkSettings
from rulebots.servers.quiz import Score
from rulebots.servers.quiz_host import HostSettings


@pytest.mark.slow
def test_each_game_is_recorded_and_can_be_replayed(lost_cities, hosting, tmp_path: Path) -> None:
    folder = tmp_path / "games"
    server = hosting(player=make_player("dumb", lost_cities), games=2, mirrored=True, record=folder)
    theirs = make_player("risk_meant", lost_cities)
    connect("{}:{}".format(*server.address), NetworkSettings(theirs, games=2, say=[].append))
    server.games()
    for number, file in enumerate(sorted(folder.iterdir()), 1):
        record = load_record(file)
        check(record)
        assert file.name == f"game-000{number}.txt"
        assert record.games[0].begins == number
        (line,) = [line for line in server.said if line.startswith(f"game {number}: ")]
        assert file.read_text("utf-8").splitlines()[-1] == f"# {line}"
    with pytest.raises(OutputError, match=r"cannot write .*File exists"):
        quiz_host.host(HostSettings(make_player("dumb", lost_cities), port=0, record=file))


def test_a_client_that_leaves_before_its_first_move_leaves_no_record(lost_cities, hosting, tmp_path: Path) -> None:
    server = hosting(player=make_player("dumb", lost_cities), record=tmp_path)
    with socket.create_connection(server.address) as client:
        client.sendall(b"\xff\n")
        while client.recv(4096):
            pass
    assert any(line.endswith("expected text in UTF-8: no game") for line in server.said)
    assert not list(tmp_path.iterdir())


def test_a_score_names_what_there_was() -> None:
    score = Score()
    assert score.line("ours") == "no game was played"
    score.count(30, 20)
    assert score.line("ours") == "ours: 1 won, 0 lost, 0 drawn of 1 game; 30.0 to 20.0 points a game"
    score.count(5, 6, fault=True)
    score.count(7, 7)
    score.count(9, 1, stalled=True)
    assert score.line("ours") == (
        "ours: 1 won, 1 lost, 1 drawn, 1 stalled, 1 by fault of 4 games; 12.8 to 8.5 points a game"
    )


def test_clients_beyond_the_limit_wait_for_room(lost_cities, hosting):
    server = hosting(player=make_player("dumb", lost_cities), limits=ConnectionLimits(connections=1))
    with socket.create_connection(server.address) as first:
        assert first.recv(1)
        with socket.create_connection(server.address) as second:
            second.settimeout(0.5)
            with pytest.raises(TimeoutError):
                second.recv(1)
            first.close()
            second.settimeout(30.0)
            assert second.recv(1)


def test_idle_clients_make_room_for_one_that_waits(lost_cities, hosting, monkeypatch):
    monkeypatch.setattr(quiz_host, "CROWDED_SECONDS", 0.3)
    monkeypatch.setattr(quiz_host, "_LOOK", 0.02)
    server = hosting(player=make_player("dumb", lost_cities), games=1, limits=ConnectionLimits(connections=2))
    with contextlib.ExitStack() as idle:
        for _ in range(3):
            idle.enter_context(socket.create_connection(server.address))
        naive_quiz.client(server.address, naive_quiz.dumb)
    server.thread.join(60)
    assert any(line.endswith("made no move for 0.3 s: no game") for line in server.said)
    assert " of 1 game; " in server.said[-1]


def test_a_client_that_has_moved_keeps_its_place(lost_cities, hosting, monkeypatch):
    monkeypatch.setattr(quiz_host, "CROWDED_SECONDS", 0.01)
    monkeypatch.setattr(quiz_host, "_LOOK", 0.01)
    server = hosting(player=make_player("dumb", lost_cities), games=1, limits=ConnectionLimits(connections=1))
    waiting = contextlib.ExitStack()
    opened: list[bool] = []

    def slow(lines: list[str]) -> str:
        if lines[-1].endswith("Draw from?") and not opened:  # it has moved
            opened.append(True)
            waiting.enter_context(socket.create_connection(server.address))
            time.sleep(0.1)
        return naive_quiz.dumb(lines)

    with waiting:
        naive_quiz.client(server.address, slow)
    assert len(server.games()) == 1


OPEN = Path("/proc/self/fd")


@pytest.mark.skipif(not OPEN.exists(), reason="counts open files by /proc")
@pytest.mark.parametrize("resets", [False, True])
def test_clients_that_leave_while_they_wait_are_let_go(lost_cities, hosting, monkeypatch, resets):
    monkeypatch.setattr(quiz_host, "_LOOK", 0.02)
    monkeypatch.setattr(quiz_host, "CROWDED_SECONDS", 120)
    server = hosting(player=make_player("dumb", lost_cities), games=1, limits=ConnectionLimits(connections=1))
    with socket.create_connection(server.address) as idle:
        assert idle.recv(1)
        before = len([*OPEN.iterdir()])
        for _ in range(100):
            with socket.create_connection(server.address) as leaving:
                leaving.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", resets, 0))
        for _ in range(6000):  # a machine that stands still for a minute makes no looks
            if len([*OPEN.iterdir()]) <= before:
                break
            time.sleep(0.01)
        assert len([*OPEN.iterdir()]) <= before
        assert server.said[1:] == []
    naive_quiz.client(server.address, naive_quiz.dumb)
    assert len(server.games()) == 1
    # The idle one, and who has left since the last look: on a busy machine that is long ago.
    assert sum("no game" in line for line in server.said) < 50


def test_a_server_to_which_nobody_listens_ends(lost_cities):
    said: list[str] = []

    def say(line: str) -> None:
        if said:
            raise BrokenPipeError
        said.append(line)

    terms = HostSettings(make_player("dumb", lost_cities), port=0, limits=ConnectionLimits(idle_seconds=0.05), say=say)
    with ThreadPoolExecutor(1) as pool:
        served = pool.submit(quiz_host.host, terms)
        while not said:
            time.sleep(0.01)
        found = re.search(r":(\d+) for", said[0])
        assert found
        with socket.create_connection(("127.0.0.1", int(found[1]))):
            assert isinstance(served.exception(30), BrokenPipeError)


def test_a_port_that_is_taken_is_one_line(lost_cities, listener):
    terms = HostSettings(port=listener.getsockname()[1], player=make_player("dumb", lost_cities))
    with pytest.raises(UsageError, match="choose another --port or --bind"):
        quiz_host.host(terms)
