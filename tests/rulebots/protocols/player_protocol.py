"""A referee of rulebots-player/1 that has been greeted, what it asks, and positions to ask about."""

from __future__ import annotations

import json

from rulebots.game import CHANCE, Game
from rulebots.game.position import Position
from rulebots.game.random_numbers import next_luck
from rulebots.players import Needs
from rulebots.players.player import _seen
from rulebots.protocols import Clock
from rulebots.protocols.rulebots_player import PlayerReferee

HELLO = '{"type":"hello","protocol":"rulebots-player/1"}'


def referee_of(game: Game) -> PlayerReferee:
    referee = PlayerReferee(game)
    assert referee.receive(HELLO) is None
    assert referee.ready
    return referee


def asked(game: Game, referee: PlayerReferee, position: Position) -> dict:
    (line,) = referee.ask(_seen(Needs.SHOWN, position), position.legal_moves, Clock(1.0))
    return json.loads(line)


def random_positions(game: Game, seed: int, plies: int = 60):
    """Positions of a game of random moves, where a player decides."""
    position, luck = Position(game, seed=seed), seed
    while not position.over and position.plies < plies:
        luck = next_luck(luck)
        if position.mover == CHANCE:
            position.push(position.drawn(luck))
            continue
        yield position
        position.push(int(position.legal_moves[luck % len(position.legal_moves)]))
