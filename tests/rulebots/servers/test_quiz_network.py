"""The quiz's server and client on real sockets, beside independent ones, and beside clients that behave badly."""

from __future__ import annotations

import contextlib
import os
import queue
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from typing import Any

import naive_quiz
import pytest

from rulebots.errors import FileError, UsageError
from rulebots.play.deals import draw_deals
from rulebots.play.match import play_deals
from rulebots.players import KernelPlayer, Player, PlayerFault
from rulebots.players.names import make_player
from rulebots.protocols.protocol import ProtocolError
from rulebots.servers.connections import ClientSettings, ConnectionLimits, TcpConnection, host_and_port
from rulebots.servers.quiz.connect import connect
from rulebots.servers.quiz.game import QuizGame
from rulebots.servers.quiz.host import host
from rulebots.servers.serving import HostSettings

MAIN = "import sys; from rulebots.cli.main import main; sys.exit(main())"


class Hosting:
    """A server in a thread: where it listens, and what it has said."""

    def __init__(self, **terms: Any) -> None:
        self.said: list[str] = []
        self._first = queue.Queue[str]()
        self.thread = threading.Thread(target=host, args=(HostSettings(port=0, say=self._hear, **terms),), daemon=True)
        self.thread.start()
        found = re.search(r"listening at ([\d.]+):(\d+) ", self._first.get(timeout=60))
        assert found
        self.address = found[1], int(found[2])

    def _hear(self, line: str) -> None:
        self.said.append(line)
        self._first.put(line)

    def games(self) -> list[tuple[int, int]]:
        """The points of each game, ours first, in the order of the games' numbers."""
        self.thread.join(60)
        assert not self.thread.is_alive()
        found = [re.match(r"game (\d+): .*, (-?\d+) to (-?\d+)", line) for line in self.said]
        return [(int(f[2]), int(f[3])) for f in sorted(filter(None, found), key=lambda f: int(f[1]))]


@pytest.fixture
def hosting() -> Callable[..., Hosting]:
    return Hosting


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as found:
        yield found


def final(lines: list[str]) -> tuple[int, int]:
    assert lines[-3] == "Game over."
    found = re.fullmatch(r"Final Score:  (-?\d+) \(You\) vs\. (-?\d+) \(Opponent\)\.", lines[-2])
    assert found
    mine, other = int(found[1]), int(found[2])
    result = "The game is a draw." if mine == other else "I'm sorry, you lose."
    assert lines[-1] == ("Congratulations, you win." if mine > other else result)
    return mine, other


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
@pytest.mark.parametrize("theirs", [0, 1])
@pytest.mark.parametrize("name", ["shelly", "dumb"])
def test_we_play_whole_games_at_a_server_of_the_quiz(lost_cities, listener, name, theirs):
    said: list[str] = []
    with ThreadPoolExecutor(1) as pool:
        answers = pool.submit(naive_quiz.serve, listener, naive_quiz.dumb, random.Random(theirs), theirs)  # noqa: S311 - a deck of cards
        connect(
            "{}:{}".format(*listener.getsockname()), ClientSettings(make_player(name, lost_cities), say=said.append)
        )
        assert len(answers.result(60)) > 20
    assert re.fullmatch(rf"game 1: {name} -?\d+ to -?\d+", said[0])
    assert "of 1 game; " in said[1]


@pytest.mark.slow
def test_a_match_over_the_wire_is_the_match_without(lost_cities, hosting):
    ours, theirs = make_player("dumb", lost_cities), make_player("risk_meant", lost_cities)
    server = hosting(player=ours, games=4, seed=5, mirrored=True)
    connect("{}:{}".format(*server.address), ClientSettings(theirs, games=4, say=[].append))
    expected = play_deals(ours, theirs, draw_deals(lost_cities, 2, 5))
    seats = [(0, 1), (1, 0)] * 2
    assert server.games() == [
        (int(points[a]), int(points[b])) for points, (a, b) in zip(expected.points, seats, strict=True)
    ]


@pytest.mark.slow
def test_clients_meet_each_other(hosting):
    server = hosting(pair=True, games=2)
    with ThreadPoolExecutor(4) as pool:
        played = list(pool.map(lambda _: naive_quiz.client(server.address, naive_quiz.dumb), range(4)))
    ends = [final(lines) for lines in played]
    assert sorted(ends) == sorted([*server.games(), *((b, a) for a, b in server.games())])


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


def cut(connection: socket.socket) -> None:
    connection.recv(100)


BAD = {
    garbage: r"sent .*: expected text in UTF-8|gave 100 answers|closed the connection|cut the connection",
    long_line: "sent a line of more than 1,024 bytes",
    flood: "gave 100 answers in a row that are not moves|(closed|cut) the connection",
    refused_without_end: "gave 100 answers in a row that are not moves",
    silent: r"said nothing for 0\.5 s",
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


def test_a_client_of_ours_that_fails_says_so(lost_cities, hosting):
    class Failing(Player):
        def choose(self, seen, moves):
            raise ValueError("no idea")

    server = hosting(player=make_player("dumb", lost_cities))
    said: list[str] = []
    with pytest.raises(PlayerFault, match="raised ValueError: no idea"):
        connect("{}:{}".format(*server.address), ClientSettings(Failing(lost_cities, "failing"), say=said.append))
    assert said == ["no game was played"]


def test_a_bug_of_ours_ends_one_game_and_not_the_server(lost_cities, hosting, monkeypatch):
    right, calls = QuizGame.answer, count()

    def wrong_at_first(table: QuizGame, line: str) -> Any:
        return None if next(calls) == 0 else right(table, line)

    monkeypatch.setattr(QuizGame, "answer", wrong_at_first)
    server = hosting(player=make_player("dumb", lost_cities), games=1)
    with pytest.raises((OSError, AssertionError)):  # it is cut off
        final(naive_quiz.client(server.address, naive_quiz.dumb))
    assert final(naive_quiz.client(server.address, naive_quiz.dumb))[::-1] == server.games()[0]
    assert server.said[-1].endswith("; 1 was cut off")
    (said,) = [line for line in server.said if ": no game: a bug of this server: TypeError: " in line]
    kept = Path(said.rpartition(" ")[2])
    assert re.match("Traceback(.|\n)*TypeError: ", kept.read_text("utf-8"))
    kept.unlink()


def test_a_server_to_which_nobody_listens_ends(lost_cities):
    said: list[str] = []

    def say(line: str) -> None:
        if said:
            raise BrokenPipeError
        said.append(line)

    terms = HostSettings(0, make_player("dumb", lost_cities), limits=ConnectionLimits(idle_seconds=0.05), say=say)
    with ThreadPoolExecutor(1) as pool:
        served = pool.submit(host, terms)
        while not said:
            time.sleep(0.01)
        found = re.search(r":(\d+) for", said[0])
        assert found
        with socket.create_connection(("127.0.0.1", int(found[1]))):
            assert isinstance(served.exception(30), BrokenPipeError)


def test_what_our_player_has_to_compile_is_compiled_before_the_server_waits(lost_cities, listener, monkeypatch):
    place, happened = "{}:{}".format(*listener.getsockname()), list[str]()

    async def connected(*_: object) -> None:
        happened.append("connected")
        raise ProtocolError("is full")

    monkeypatch.setattr(TcpConnection, "connect", connected)
    monkeypatch.setattr(KernelPlayer, "decide", lambda *_: happened.append("decided"))
    with pytest.raises(FileError, match="game 1: is full"):
        connect(place, ClientSettings(make_player("dumb", lost_cities), say=[].append))
    assert happened == ["decided", "connected"]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (b"Welcome!\n", "game 1: sent a line that the quiz does not have: 'Welcome!'"),
        (b"", "game 1: cut the connection before the game was over"),
        (b"\xff\xff\n", "game 1: sent b'.*: expected text in UTF-8"),
        (b"x" * 5000, "game 1: sent a line of more than 1,024 bytes"),
    ],
)
def test_a_server_that_is_none_is_one_line(lost_cities, listener, lines, message):
    def answer() -> None:
        connection, _ = listener.accept()
        with connection:
            connection.sendall(lines)

    threading.Thread(target=answer, daemon=True).start()
    with pytest.raises(FileError, match=message):
        connect(
            "{}:{}".format(*listener.getsockname()), ClientSettings(make_player("dumb", lost_cities), say=[].append)
        )


def test_where_nobody_listens(lost_cities, listener):
    place = "{}:{}".format(*listener.getsockname())
    listener.close()
    with pytest.raises(FileError, match=f"the server {place}, game 1: cannot be reached: "):
        connect(place, ClientSettings(make_player("dumb", lost_cities), say=[].append))


@pytest.mark.parametrize(
    ("address", "parts"),
    [
        ("a.example:5", ("a.example", 5)),
        ("[::1]:61676", ("::1", 61676)),
        ("quiz://127.0.0.1:80/", ("127.0.0.1", 80)),
        ("a.example", None),
        ("a:0", None),
        ("a:65536", None),
        ("a b:1", None),
    ],
)
def test_an_address(address, parts):
    if parts is None:
        with pytest.raises(UsageError, match="expected HOST:PORT with a port from 1 to 65535"):
            host_and_port(address)
    else:
        assert host_and_port(address) == parts


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
    assert out.endswith("; 50 were cut off\n")


@pytest.mark.slow
def test_a_person_may_sit_at_our_side():
    server = subprocess.Popen(
        [sys.executable, "-c", MAIN, "host", "lost-cities", "--port", "0"],
        stdout=subprocess.PIPE,
        stdin=subprocess.PIPE,
        text=True,
    )
    assert server.stdout
    assert server.stdin
    place = re.search(r"at ([\d.]+):(\d+)", server.stdout.readline())
    assert place
    with ThreadPoolExecutor(1) as pool:
        client = pool.submit(naive_quiz.client, (place[1], int(place[2])), naive_quiz.dumb)
        lines: list[str] = []
        for line in server.stdout:
            lines.append(line.rstrip("\n"))
            if line.endswith("?\n"):
                if len(lines) > 200:
                    server.stdin.close()
                    break
                server.stdin.write("n\n" if line.endswith("Draw from?\n") else "d" + card(lines) + "\n")
                server.stdin.flush()
        rest = server.stdout.read()
        assert server.wait(60) == 0
        assert final(client.result(60))[0] > final(client.result(60))[1]
    assert "you left the game, and loses" in rest.replace("; you", "you")
    assert "you: 0 won, 1 lost" in rest


def card(lines: list[str]) -> str:
    return naive_quiz.hand(lines)[0].replace("Inv", "i")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("host", "gomoku", "--port", "0"), 2, "no protocol serves gomoku to clients; served are: lost-cities, kalah"),
        (("host", "lost-cities", "--port", "0", "--protocol", "quizz"), 2, "did you mean 'quiz'?"),
        (("host", "lost-cities", "--port", "99999"), 2, "expected a whole number from 0 to 65,535"),
        (("host", "lost-cities", "--port", "0", "--bind", "999.1.1.1"), 2, "cannot listen at 999.1.1.1, port 0"),
        (("host", "lost-cities", "--port", "0", "--pair", "--player", "dumb"), 2, "leave out --player"),
        (("connect", "127.0.0.1"), 2, "expected HOST and PORT"),
        (("connect", "nothing://127.0.0.1:5"), 2, "no protocol 'nothing'"),
        (("connect", "127.0.0.1", "1", "--player", "dumb"), 1, "the server 127.0.0.1:1, game 1: cannot be reached"),
        (("engine", "champion", "--protocol", "x"), 2, "no protocol 'x'"),
        (("engine", "kalah", "--player", "champion", "--game", "kalah"), 2, "with --player the game comes first"),
    ],
)
def test_wrong_use_is_one_line(arguments, code, message):
    command = started(*arguments)
    _, err = command.communicate(timeout=60)
    assert message in err
    assert (command.returncode, err.count("\n")) == (code, 1)


def test_a_port_that_is_taken_is_one_line(lost_cities, listener):
    terms = HostSettings(port=listener.getsockname()[1], player=make_player("dumb", lost_cities))
    with pytest.raises(UsageError, match="choose another --port or --bind"):
        host(terms)
