"""The practice server of the Kalah Game Protocol and our client, over the loopback."""

from __future__ import annotations

import contextlib
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from kgp_hosting import KALAH, SMALL, Served

from rulebots.errors import FileError, UsageError
from rulebots.packages import load_game
from rulebots.packages.players import make_player
from rulebots.play.deals import draw_deals
from rulebots.play.match import play_deals
from rulebots.servers.connections import ClientSettings, ConnectionLimits
from rulebots.servers.kgp.connect import connect
from rulebots.servers.kgp.host import host, host_over_websockets
from rulebots.servers.kgp.referee import KgpReferee
from rulebots.servers.serving import HostSettings


@pytest.mark.parametrize(("scheme", "serve"), [("kgp", host), ("ws", host_over_websockets)])
def test_games_over_the_wire_are_those_of_the_same_match_without_it(
    scheme: str, serve: Callable[[HostSettings], None]
) -> None:
    first, second, deals = make_player("leftmost", KALAH), make_player("score", KALAH), 5
    served = Served(serve, player=first, games=2 * deals, mirrored=True)
    said: list[str] = []
    connect(f"{scheme}://127.0.0.1:{served.port}", ClientSettings(second, say=said.append))
    served.thread.join(30)
    games = [re.fullmatch(r"game \d+: leftmost against .*, (\d+) to (\d+)", line) for line in served.said]
    wire = [(int(game[1]), int(game[2])) for game in games if game]
    drawn = draw_deals(KALAH, deals, 3, options={**SMALL, "empty_capture": 0})
    played = play_deals(first, second, drawn).points.tolist()
    assert wire == [tuple(points if k % 2 == 0 else points[::-1]) for k, points in enumerate(played)]
    assert re.fullmatch(r"score has answered \d+ positions", said[-1])
    assert said[1:-1] == [f"game {number} against leftmost" for number in range(1, 2 * deals + 1)]
    assert served.said[-1].endswith("points a game")


def test_clients_meet_each_other() -> None:
    served = Served(pair=True, games=4)
    said: dict[str, list[str]] = {"leftmost": [], "score": []}
    clients = [
        threading.Thread(
            target=connect, args=(served.address, ClientSettings(make_player(name, KALAH), say=heard.append))
        )
        for name, heard in said.items()
    ]
    for client in clients:
        client.start()
    for thread in (*clients, served.thread):
        thread.join(30)
        assert not thread.is_alive()
    assert sum(line.startswith("game ") for line in served.said) == 4
    for name, other in (("leftmost", "score"), ("score", "leftmost")):
        assert said[name][1] == f"game 1 against rulebots {other}"  # a game may end before the other side's first move


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (b"3 mode freeplay\r\n5@14 move 9\r\n", "sent '5@14 move 9': expected one of the pits"),
        (b"3 mode freeplay\r\ngoodbye\r\n", "said goodbye: no game"),
        (b"hallo<\r\n", "expected"),
        (b"\xff\xff\n", "expected text in UTF-8: no game"),
        (b"x" * 20_000, "sent a line of more than 16,384 bytes: no game"),
    ],
)
def test_a_bad_client_ends_its_own_game_only(raw: Any, lines: bytes, said: str) -> None:
    served = Served(player=make_player("leftmost", KALAH), games=4)
    bad = raw(served.port)
    bad.sendall(lines)
    served.line(said)
    good = threading.Thread(
        target=connect, args=(served.address, ClientSettings(make_player("score", KALAH), say=str)), daemon=True
    )
    good.start()
    served.line("rulebots score")
    for thread in (good, served.thread):  # games without end would go on through all other tests
        thread.join(30)
        assert not thread.is_alive()


@pytest.mark.slow
def test_who_leaves_loses_and_who_says_nothing_has_no_game(raw: Any) -> None:
    served = Served(player=make_player("leftmost", KALAH), limits=ConnectionLimits(idle_seconds=0.3), options={})
    raw(served.port)
    served.line("has not chosen a mode within 0.3 s: no game")
    cut = raw(served.port)
    cut.sendall(b"mode freeplay\n")
    lines = cut.makefile("r")
    state = next(line for line in lines if " state " in line)
    board = [int(number) for number in state[state.index("<") + 1 : state.index(">")].split(",")]
    pit = next(k for k in range(1, 7) if board[2 + k])
    cut.sendall(f"@{state.split()[0]} move {pit}\n@{state.split()[0]} yield\n".encode())
    lines.close()
    cut.close()
    assert re.search(r"the connection, and loses$", served.line("and loses"))


def test_who_only_remarks_keeps_nobody_out(raw: Any) -> None:
    limits = ConnectionLimits(connections=5, idle_seconds=0.3)
    served = Served(player=make_player("leftmost", KALAH), limits=limits, games=1)
    bad = [raw(served.port) for _ in range(5)]
    for one in bad:
        assert one.recv(4)
    good = threading.Thread(
        target=connect, args=(served.address, ClientSettings(make_player("score", KALAH), say=str)), daemon=True
    )
    good.start()
    with contextlib.suppress(OSError):
        while good.is_alive():
            for one in bad:
                one.sendall(b'set info:comment "hm"\n')
            good.join(0.05)
    served.thread.join(30)
    assert not served.thread.is_alive()
    assert served.line("has not chosen a mode within 0.3 s: no game")
    assert served.line("game 1: leftmost against rulebots score")


def test_another_machine_has_half_of_the_room(raw: Any) -> None:
    served = Served(player=make_player("leftmost", KALAH), limits=ConnectionLimits(connections=4))
    others = [socket.create_connection(("127.0.0.1", served.port), 20, ("127.0.0.2", 0)) for _ in range(4)]
    try:
        for one in others[:2]:
            assert one.recv(4)
        assert raw(served.port).recv(4)
        others[2].settimeout(0.1)
        with pytest.raises(TimeoutError):
            others[2].recv(4)
        others[0].close()
        others[2].settimeout(20)
        assert others[2].recv(4)
    finally:
        for one in others:
            one.close()


def test_mistakes_are_one_line() -> None:
    with pytest.raises(UsageError, match="expected who plays on this side, --player PLAYER, or --pair"):
        host(HostSettings(0))
    with pytest.raises(UsageError, match="'dumb' plays lost-cities: the protocol is about Kalah"):
        host(HostSettings(0, make_player("dumb", load_game("lost-cities"))))
    with pytest.raises(UsageError, match="the protocol has no empty capture"):
        host(HostSettings(0, pair=True, options={"empty_capture": 1}))
    with pytest.raises(UsageError, match="no option 'pit' of kalah"):
        host(HostSettings(0, pair=True, options={"pit": 3}))
    player = make_player("score", KALAH)
    for address in ("kgp://nowhere:0", "kgp://127.0.0.1:5/socket", "ws:/127.0.0.1:5", "ws://127.0.0.1:5/a b"):
        with pytest.raises(UsageError, match="expected kgp://HOST:PORT, ws://HOST:PORT/PATH, wss://"):
            connect(address, ClientSettings(player, say=str))
    with pytest.raises(UsageError, match="does not tell where a game ends: leave out --games"):
        connect("ws://127.0.0.1:5", ClientSettings(player, games=1, say=str))
    free = socket.create_server(("127.0.0.1", 0))
    port = free.getsockname()[1]
    free.close()
    for scheme in ("kgp", "ws"):
        with pytest.raises(FileError, match=f"the server 127.0.0.1:{port} cannot be reached"):
            connect(f"{scheme}://127.0.0.1:{port}", ClientSettings(player, say=str))


def test_time_that_is_up_takes_the_last_move(raw: Any) -> None:
    served = Served(player=make_player("leftmost", KALAH), move_seconds=0.05, games=1)
    client = raw(served.port)
    client.sendall(b"mode freeplay\n")
    with client.makefile("r") as lines:
        heard = "".join(lines)
    assert "set time:mode relative" in heard
    assert "stop" in heard
    assert heard.endswith("goodbye\n")
    assert served.line("game 1: ")


def test_who_answers_pings_plays_on_by_random_moves(raw: Any) -> None:
    limits = ConnectionLimits(idle_seconds=0.2)
    options = {"pits": 3, "stones": 6}
    served = Served(player=make_player("leftmost", KALAH), move_seconds=0.05, limits=limits, games=1, options=options)
    client = raw(served.port)
    client.sendall(b"mode freeplay\n")
    with client.makefile("r") as lines:
        pings = 0
        for line in lines:
            if line.rstrip().endswith(" ping"):
                pings += 1
                client.sendall(f"@{line.split()[0]} pong\n".encode())
    assert pings > 1
    assert re.fullmatch(r"game 1: leftmost against .*, \d+ to \d+", served.line("game 1: "))


def test_who_has_the_move_and_says_nothing_is_asked_whether_it_is_there(raw: Any) -> None:
    limits = ConnectionLimits(idle_seconds=0.2)
    served = Served(player=make_player("leftmost", KALAH), game_seconds=30.0, limits=limits, options={})
    client = raw(served.port)
    client.sendall(b"mode freeplay\n")
    with client.makefile("r") as lines:
        heard = "".join(lines)
    assert heard.count(" ping\n") == 1
    assert re.search(r'error "has not answered a ping for 0\.\d s"\ngoodbye\n$', heard)
    assert served.line("has not answered a ping for 0.").endswith(" s: no game")


def test_who_lets_all_its_time_pass_in_silence_leaves(raw: Any) -> None:
    limits = ConnectionLimits(idle_seconds=0.4)
    served = Served(player=make_player("leftmost", KALAH), move_seconds=0.05, limits=limits, options={})
    raw(served.port).sendall(b"mode freeplay\n")
    assert re.search(r"has not answered a ping for 0\.\d s, and loses$", served.line("game 1: "))


@pytest.mark.parametrize("serve", [host, host_over_websockets])
@pytest.mark.parametrize("where", ["greet", "ask"])
def test_a_bug_of_ours_ends_one_game_and_not_the_server(
    monkeypatch: pytest.MonkeyPatch, where: str, serve: Callable[[HostSettings], None]
) -> None:
    right, calls = getattr(KgpReferee, where), count()

    def wrong_at_first(referee: KgpReferee, *given: Any) -> Any:
        return None if next(calls) == 0 else right(referee, *given)

    monkeypatch.setattr(KgpReferee, where, wrong_at_first)
    served = Served(serve, player=make_player("leftmost", KALAH), games=2)
    address = served.address if serve is host else served.address.replace("kgp", "ws")
    terms = ClientSettings(make_player("score", KALAH), say=str)
    with contextlib.suppress(FileError):  # it is cut off, or told goodbye
        connect(address, terms)
    said = served.line(": no game: a bug of this server: TypeError: ")
    connect(address, terms)
    served.thread.join(30)
    kept = Path(said.rpartition(" ")[2])
    assert re.match("Traceback(.|\n)*TypeError: ", kept.read_text("utf-8"))
    kept.unlink()
    assert sum(line.startswith("game ") for line in served.said) == 2
    assert served.said[-1].endswith("; 1 was cut off" if where == "ask" else "points a game")


@pytest.mark.slow
def test_ctrl_c_says_goodbye_on_either_side() -> None:
    def started(*arguments: str) -> subprocess.Popen[str]:
        main = "import signal, sys; signal.signal(2, signal.default_int_handler); from rulebots.cli.main import main"
        command = [sys.executable, "-c", f"{main}; sys.exit(main())", *arguments]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    server = started("host", "kalah", "--port", "0", "--player", "leftmost")
    assert server.stdout
    place = re.search(r"at ([\d.:]+) for", server.stdout.readline())
    assert place
    clients = [started("connect", f"kgp://{place[1]}", "--player", "random") for _ in range(2)]
    heard = ""
    while len(set(re.findall(r"rulebots random \(([\d.:]+)\)", heard))) < 2:  # both have played
        heard += server.stdout.readline()
    for process in (clients[0], server):
        process.send_signal(signal.SIGINT)
        while process is clients[0] and "said goodbye" not in heard:
            heard += server.stdout.readline()
    for process in (*clients, server):
        out, err = process.communicate(timeout=60)
        assert (process.returncode, err) == (0, ""), out
