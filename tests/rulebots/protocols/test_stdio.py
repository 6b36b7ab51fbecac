"""An engine over stdin and stdout."""

from __future__ import annotations

import json

import pytest

from rulebots.packages import load_game
from rulebots.packages.players import make_player
from rulebots.play.stepper import SeatedPlayer
from rulebots.protocols import LineTooLong
from rulebots.protocols.rulebots_player import PlayerEngine
from rulebots.protocols.stdio import serve

HELLO = '{"type":"hello","protocol":"rulebots-player/1"}'


def test_an_engine_goes_on_after_what_is_no_text_and_reads_a_last_line_without_an_end(tmp_path):
    game = load_game("kalah")
    player = make_player("random", game)
    (tmp_path / "in").write_bytes(b"\xff\n{\n" + HELLO.encode())
    with (tmp_path / "in").open("rb") as source, (tmp_path / "out").open("wb") as sink:
        serve(PlayerEngine(game, player), SeatedPlayer(player, game), source, sink)
    said = [json.loads(line) for line in (tmp_path / "out").read_text("utf-8").splitlines()]
    assert [message["type"] for message in said] == ["error", "error", "hello"]
    assert "expected text in UTF-8" in said[0]["message"]
    (tmp_path / "in").write_bytes(b"x" * 1_000_001)
    with (
        (tmp_path / "in").open("rb") as source,
        (tmp_path / "out").open("wb") as sink,
        pytest.raises(LineTooLong, match="of more than 1,000,000 bytes"),
    ):
        serve(PlayerEngine(game, player), SeatedPlayer(player, game), source, sink)
