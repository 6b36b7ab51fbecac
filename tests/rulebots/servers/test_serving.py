"""What every server does, whatever its protocol: room, records, its port, its end."""

from __future__ import annotations

import re
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from typing import Any

import naive_quiz
import pytest
from kgp_hosting import KALAH, Served
from quiz_hosting import final

from rulebots.errors import UsageError
from rulebots.files import OutputError
from rulebots.packages.players import make_player
from rulebots.records import check, load_record
from rulebots.servers import serving
from rulebots.servers.connections import ClientSettings, ConnectionLimits
from rulebots.servers.kgp import host as kgp
from rulebots.servers.kgp.connect import connect
from rulebots.servers.kgp.referee import KgpReferee
from rulebots.servers.quiz import host as quiz
from rulebots.servers.serving import HostSettings


def test_each_game_is_recorded_and_can_be_replayed(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    served = Served(player=make_player("leftmost", KALAH), games=2, mirrored=True, record=folder)
    connect(served.address, ClientSettings(make_player("score", KALAH), say=str))
    served.thread.join(30)
    for number, file in enumerate(sorted(folder.iterdir()), 1):
        record = load_record(file)
        check(record)
        assert file.name == f"game-000{number}.txt"
        assert record.games[0].begins == number
        assert file.read_text("utf-8").splitlines()[-1] == f"# {served.line(f'game {number}: ')}"
    with pytest.raises(OutputError, match=r"cannot write .*File exists"):
        kgp.host(HostSettings(0, pair=True, record=file))


def test_who_has_not_moved_leaves_no_record(raw: Any, tmp_path: Path) -> None:
    served = Served(player=make_player("leftmost", KALAH), options={}, record=tmp_path)
    client = raw(served.port)
    client.sendall(b"mode freeplay\n@14 move 9\n")
    served.line("no game")
    assert not list(tmp_path.iterdir())


def test_a_bug_in_a_game_of_two_clients_ends_neither_the_server_nor_the_first_of_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    right, calls = KgpReferee.ask, count()

    def wrong_at_third(referee: KgpReferee, *given: Any) -> Any:
        return None if next(calls) == 2 else right(referee, *given)

    monkeypatch.setattr(KgpReferee, "ask", wrong_at_third)
    served = Served(pair=True, games=1)
    for name in ("leftmost", "score", "random"):
        terms = ClientSettings(make_player(name, KALAH), say=str)
        threading.Thread(target=connect, args=(served.address, terms), daemon=True).start()
    served.thread.join(30)
    assert not served.thread.is_alive()
    Path(served.line("a bug of this server").rpartition(" ")[2]).unlink()
    assert served.line("game 1: ")
    assert served.said[-1].endswith("; 1 was cut off")


@pytest.mark.slow
def test_a_client_that_leaves_while_it_waits_for_another_touches_no_game(lost_cities, hosting):
    server = hosting(pair=True, games=1)
    with socket.create_connection(server.address):
        pass
    with ThreadPoolExecutor(2) as pool:
        played = list(pool.map(lambda _: naive_quiz.client(server.address, naive_quiz.dumb), range(2)))
    ends = [final(lines) for lines in played]
    assert sorted(ends) == sorted([*server.games(), *((b, a) for a, b in server.games())])
    assert [line for line in server.said if line.endswith(" closed the connection: no game")]


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


def test_not_everybody_can_wait_for_room(lost_cities, hosting, monkeypatch):
    monkeypatch.setattr(serving, "MOST_WAITING", 1)
    server = hosting(player=make_player("dumb", lost_cities), limits=ConnectionLimits(connections=1))
    with socket.create_connection(server.address) as first, socket.create_connection(server.address) as second:
        assert first.recv(1)
        with socket.create_connection(server.address) as third:
            third.settimeout(30.0)
            assert third.recv(1) == b""
        first.close()
        second.settimeout(30.0)
        assert second.recv(1)
    assert any(line.endswith("came while others (1) were waiting for room: no game") for line in server.said)


def test_a_server_to_which_nobody_listens_ends(lost_cities):
    said: list[str] = []

    def say(line: str) -> None:
        if said:
            raise BrokenPipeError
        said.append(line)

    terms = HostSettings(0, make_player("dumb", lost_cities), limits=ConnectionLimits(idle_seconds=0.05), say=say)
    with ThreadPoolExecutor(1) as pool:
        served = pool.submit(quiz.host, terms)
        while not said:
            time.sleep(0.01)
        found = re.search(r":(\d+) for", said[0])
        assert found
        with socket.create_connection(("127.0.0.1", int(found[1]))):
            assert isinstance(served.exception(30), BrokenPipeError)


def test_a_port_that_is_taken_is_one_line(lost_cities, listener):
    terms = HostSettings(port=listener.getsockname()[1], player=make_player("dumb", lost_cities))
    with pytest.raises(UsageError, match="choose another --port or --bind"):
        quiz.host(terms)
