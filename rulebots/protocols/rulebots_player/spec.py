"""The player's name with its command and settings: `program:./mybot --flag:seconds=1`."""

from __future__ import annotations

import functools

from rulebots.game import Game
from rulebots.protocols.program import ProgramPlayer, ProgramSettings, command_of
from rulebots.protocols.rulebots_player.referee import PlayerReferee


def player_of(spec: str, game: Game) -> ProgramPlayer:
    """The player of that name. Nothing is started before it plays.

    Raises:
        UsageError: no command, no such program, unknown settings, or values out of range.
        CodeError: a data file names it, and no person does.
    """
    command, settings = command_of(spec, ProgramSettings, "program:./mybot or 'program:python3 mybot.py'")
    return ProgramPlayer(game, spec, command, settings, functools.partial(PlayerReferee, game))
