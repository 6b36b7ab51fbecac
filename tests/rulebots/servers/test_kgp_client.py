"""The client of the Kalah Game Protocol, over the loopback: what it says of servers that fail."""

from __future__ import annotations

import re
import shutil
import socket
import ssl
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import naive_kgp
import pytest
import websockets.sync.server

from rulebots.errors import FileError, UsageError
from rulebots.packages import load_game
from rulebots.packages.players import make_player
from rulebots.play.deals import draw_deals
from rulebots.play.match import play_deals
from rulebots.players import Player
from rulebots.servers.clients import PORTS, connect_to_kalah as connect
from rulebots.servers.connections import Address, ConnectionLimits, NetworkSettings

KALAH = load_game("kalah")
SMALL = {"pits": 3, "stones": 2}


def expected_points() -> list[tuple[int, ...]]:
    """The points by seat of a game in each seat, of the same match without a wire."""
    deals = draw_deals(KALAH, 1, 1, options={**SMALL, "empty_capture": 0}, opening_plies=0)
    played = play_deals(make_player("leftmost", KALAH), make_player("score", KALAH), deals).points
    return [tuple(points) for points in played.reshape(2, 2).tolist()]


@pytest.mark.parametrize("scheme", ["kgp", "ws"])
def test_games_over_the_wire_are_those_of_the_same_match_without_it(scheme: str) -> None:
    said: list[str] = []
    points: list[tuple[int, int]] = []
    settings = NetworkSettings(make_player("score", KALAH), say=said.append)
    if scheme == "kgp":

        def attend(lines: Any) -> None:
            def write(text: str) -> None:
                lines.write(text)
                lines.flush()

            points.extend(naive_kgp.serve(write, (line.rstrip() for line in lines), (1, 0), **SMALL))

        served_by(attend, settings.player, said.append, greeting="")
    else:

        def attend_socket(socket: websockets.sync.server.ServerConnection) -> None:
            lines = (str(line).rstrip() for line in socket)
            points.extend(naive_kgp.serve(socket.send, lines, (1, 0), **SMALL))

        with websockets.sync.server.serve(attend_socket, "127.0.0.1", 0) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            connect(f"ws://127.0.0.1:{server.socket.getsockname()[1]}/socket", settings)
    assert points == expected_points()
    assert said[1:-1] == ["game 1 against naive", "game 2 against naive"]
    assert re.fullmatch(r"score has answered \d+ positions", said[-1])


def test_mistakes_are_one_line() -> None:
    player = make_player("score", KALAH)
    for address in ("kgp://nowhere:0", "kgp://127.0.0.1:5/socket", "ws:/127.0.0.1:5", "ws://127.0.0.1:5/a b"):
        with pytest.raises(UsageError, match="expected kgp://HOST:PORT, ws://HOST:PORT/PATH, wss://"):
            connect(address, NetworkSettings(player, say=str))
    with pytest.raises(UsageError, match="does not tell where a game ends: leave out --games"):
        connect("ws://127.0.0.1:5", NetworkSettings(player, games=1, say=str))
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    for scheme in ("kgp", "ws"):
        with pytest.raises(FileError, match=f"the server 127.0.0.1:{port} cannot be reached"):
            connect(f"{scheme}://127.0.0.1:{port}", NetworkSettings(player, say=str))


def test_a_server_that_breaks_the_protocol_is_told_and_left() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        heard: list[bytes] = []

        def serve() -> None:
            connection, _ = server.accept()
            with connection:
                connection.sendall(b"kgp 7 0 0\r\n")
                while data := connection.recv(4096):
                    heard.append(data)

        thread = threading.Thread(target=serve)
        thread.start()
        port = server.getsockname()[1]
        with pytest.raises(FileError, match=r"speaks version 7.0.0 of KGP: expected 1"):
            connect(f"kgp://127.0.0.1:{port}", NetworkSettings(make_player("score", KALAH), say=str))
        thread.join(10)
    assert b"goodbye" in b"".join(heard)


def served_by(
    attend: Callable[[Any], None],
    player: Player,
    said: Callable[[str], None] = str,
    greeting: str = "2 kgp 1 0 1\r\n",
) -> None:
    """Connect to a server whose one client gets this: a file of its lines, to read and to write."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            connection, _ = server.accept()
            with connection, connection.makefile("rw", newline="") as lines:
                lines.write(greeting)
                lines.flush()
                attend(lines)
                lines.flush()
                connection.shutdown(socket.SHUT_WR)
                while lines.readline():  # what is not read would cut off what was sent
                    pass

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            connect(f"kgp://127.0.0.1:{server.getsockname()[1]}", NetworkSettings(player, say=said))
        finally:
            thread.join(10)


def test_no_move_asked_for_is_a_failure_with_a_reason() -> None:
    def attend(lines: Any) -> None:
        lines.write('4 error "Requested no mode"\r\ngoodbye\r\n')

    with pytest.raises(FileError, match=r"goodbye and asked for no move: it said 'Requested no mode'$") as raised:
        served_by(attend, make_player("score", KALAH))
    assert raised.value.exit_code == 1


class Sweeping(Player):
    """A search that has another move each time, and takes all the time that it is given."""

    own_seconds = 1.0

    def __init__(self) -> None:
        super().__init__(KALAH, "sweeping")
        self.given: list[float] = []
        self.stopped = threading.Event()

    def choose(self, seen: Any, moves: Any) -> int:
        assert self.clock_seconds is not None
        self.given.append(self.clock_seconds)
        self.stopped.wait(self.clock_seconds)
        return int(moves[len(self.given) % len(moves)])

    def stop(self) -> None:
        self.stopped.set()


def test_a_search_sends_a_first_move_early_and_better_ones_later() -> None:
    heard: list[str] = []

    def until_yield(lines: Any) -> None:
        lines.write("4 state <3,0,0,2,2,2,2,2,2>\r\n")
        lines.flush()
        while "yield" not in (line := next(lines)):
            heard.append(line)
        lines.write("goodbye\r\n")

    player = Sweeping()
    served_by(until_yield, player)
    sent = [line.rstrip() for line in heard if "@4" in line]
    # On a busy machine its second is over before the last one.
    assert sent[:3] == ["5@4 move 2", "7@4 move 3", "9@4 move 1"]
    assert sent[3:] in ([], ["11@4 move 2"])
    assert player.given[:3] == pytest.approx([0.1, 0.2, 0.4])
    assert all(0 < seconds <= 0.1 + 1e-6 for seconds in player.given[3:])  # of its own second it keeps a fifth


def test_a_search_that_is_stopped_says_nothing_more() -> None:
    heard: list[str] = []

    def attend(lines: Any) -> None:
        lines.write("4 state <3,0,0,2,2,2,2,2,2>\r\n")
        lines.flush()
        while "move" not in next(lines):
            pass
        lines.write("6@4 stop\r\n8 ping\r\n")
        lines.flush()
        while "pong" not in (line := next(lines)):
            heard.append(line)
        lines.write("goodbye\r\n")

    said: list[str] = []
    served_by(attend, Sweeping(), said.append)
    assert heard == []
    assert said[-1] == "sweeping has answered 1 positions"


@pytest.mark.parametrize(
    ("scheme", "said"),
    [("ws", "opened no WebSocket: "), ("wss", "(does not speak TLS|cut the connection|closed the connection)")],
)
def test_a_server_of_another_protocol_is_one_line(listener: socket.socket, scheme: str, said: str) -> None:
    def answer() -> None:
        connection, _ = listener.accept()
        with connection:
            connection.sendall(b"2 kgp 1 0 1\r\n")

    threading.Thread(target=answer, daemon=True).start()
    with pytest.raises(FileError, match=f"the server .* {said}"):
        connect(
            f"{scheme}://127.0.0.1:{listener.getsockname()[1]}", NetworkSettings(make_player("score", KALAH), say=str)
        )


def test_a_server_that_never_greets_is_left() -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute:
        terms = NetworkSettings(make_player("score", KALAH), limits=ConnectionLimits(idle_seconds=0.1), say=str)
        with pytest.raises(FileError, match=r"said nothing for 0\.1 s"):
            connect(f"kgp://127.0.0.1:{mute.getsockname()[1]}", terms)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate of this machine's own, with its key in the same file."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("needs openssl")
    file = tmp_path_factory.mktemp("tls") / "server.pem"
    made = [
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:P-256",
        "-nodes",
        "-days",
        "2",
        "-subj",
        "/CN=localhost",
    ]
    names = ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", file, "-out", file.with_suffix(".crt")]
    subprocess.run([openssl, *made, *names], check=True, capture_output=True)
    file.write_bytes(file.read_bytes() + file.with_suffix(".crt").read_bytes())
    return file


def test_a_server_over_tls_has_to_show_who_it_is(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[str] = []

    def attend(client: websockets.sync.server.ServerConnection) -> None:
        client.send("2 kgp 1 0 1\r\n")
        for line in client:
            heard.append(str(line))
            if "mode" in heard[-1]:
                client.send("4 state <3,0,0,2,2,")
                client.send("2,2,2,2>\r\n")
            if "yield" in heard[-1]:
                client.send("goodbye\r\n")

    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificate)
    terms = NetworkSettings(make_player("score", KALAH), say=str)
    with websockets.sync.server.serve(attend, "127.0.0.1", 0, ssl=tls) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"wss://127.0.0.1:{server.socket.getsockname()[1]}/socket"
        with pytest.raises(FileError, match="shows a certificate that is not trusted: self-signed certificate"):
            connect(address, terms)
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        connect(address, terms)
    assert heard[1:] == ["3 mode freeplay\r\n", "5@4 move 2\r\n", "7@4 yield\r\n"]


def test_each_scheme_has_its_port() -> None:
    ports = {
        address: Address.read(address, PORTS).port
        for address in ("kgp://a", "ws://a/b", "wss://t@a/b", "wss://[::1]:7/")
    }
    assert list(ports.values()) == [2671, 80, 443, 7]
    assert Address.read("wss://t@a/b", PORTS).url == "wss://a:443/b"
