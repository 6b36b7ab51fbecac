"""Records of games between random players."""

from __future__ import annotations

from contenders import contender

from rulebots.game import Game
from rulebots.records import play_recorded
from rulebots.records.record import Record


def random_games(game: Game, deals: int = 2, opening_plies: int = 3) -> Record:
    player = contender(game, "random")
    return play_recorded(player, contender(game, "random"), deals, 5, opening_plies=opening_plies)[1]
