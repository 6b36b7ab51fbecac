"""What a server of the Kalah Game Protocol asks of a client about a small position."""

from __future__ import annotations

from rulebots.game.position import Position
from rulebots.packages import load_game
from rulebots.players.player import Shown
from rulebots.protocols import Clock
from rulebots.servers.kgp.referee import KgpReferee

KALAH = load_game("kalah")
START = "<3,0,0,2,2,2,2,2,2>"


def asked(referee: KgpReferee, position: Position) -> list[str]:
    seen = Shown(position.mover, position.view(), None, position.plies, "", position.to_text())
    return referee.ask(seen, position.legal_moves, Clock())


def small() -> Position:
    return Position(KALAH, {"pits": 3, "stones": 2, "empty_capture": 0})
