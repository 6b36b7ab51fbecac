"""The quiz's client on real sockets, at an independent server and at servers that fail."""

from __future__ import annotations

import random
import re
import threading
from concurrent.futures import ThreadPoolExecutor

import naive_quiz
import pytest

from rulebots.errors import FileError
from rulebots.packages.players import make_player
from rulebots.players import KernelPlayer, Player, PlayerFault
from rulebots.protocols import ProtocolError
from rulebots.servers.clients import connect_to_quiz as connect
from rulebots.servers.connections import NetworkSettings, TcpConnection


@pytest.mark.slow
@pytest.mark.parametrize("theirs", [0, 1])
@pytest.mark.parametrize("name", ["shelly", "dumb"])
def test_we_play_whole_games_at_a_server_of_the_quiz(lost_cities, listener, name, theirs):
    said: list[str] = []
    with ThreadPoolExecutor(1) as pool:
        answers = pool.submit(naive_quiz.serve, listener, naive_quiz.dumb, random.Random(theirs), theirs)  # noqa: S311 - a deck of cards
        connect(
            "{}:{}".format(*listener.getsockname()), NetworkSettings(make_player(name, lost_cities), say=said.append)
        )
        assert len(answers.result(60)) > 20
    assert re.fullmatch(rf"game 1: {name} -?\d+ to -?\d+", said[0])
    assert "of 1 game; " in said[1]


def test_a_client_of_ours_that_fails_says_so(lost_cities, hosting):
    class Failing(Player):
        def choose(self, seen, moves):
            raise ValueError("no idea")

    server = hosting(player=make_player("dumb", lost_cities))
    said: list[str] = []
    with pytest.raises(PlayerFault, match="raised ValueError: no idea"):
        connect("{}:{}".format(*server.address), NetworkSettings(Failing(lost_cities, "failing"), say=said.append))
    assert said == ["no game was played"]


def test_what_our_player_has_to_compile_is_compiled_before_the_server_waits(lost_cities, listener, monkeypatch):
    place, happened = "{}:{}".format(*listener.getsockname()), list[str]()

    async def connected(*_: object) -> None:
        happened.append("connected")
        raise ProtocolError("is full")

    monkeypatch.setattr(TcpConnection, "connect", connected)
    monkeypatch.setattr(KernelPlayer, "decide", lambda *_: happened.append("decided"))
    with pytest.raises(FileError, match="game 1: is full"):
        connect(place, NetworkSettings(make_player("dumb", lost_cities), say=[].append))
    # A host of another test may still think in its thread.
    assert happened.index("decided") < happened.index("connected")


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
            "{}:{}".format(*listener.getsockname()), NetworkSettings(make_player("dumb", lost_cities), say=[].append)
        )


def test_where_nobody_listens(lost_cities, listener):
    place = "{}:{}".format(*listener.getsockname())
    listener.close()
    with pytest.raises(FileError, match=f"the server {place}, game 1: cannot be reached: "):
        connect(place, NetworkSettings(make_player("dumb", lost_cities), say=[].append))
