"""The player's name with its command and settings: `piskvork:./pbrain-other:seconds=5`."""

from __future__ import annotations

import functools

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.protocols.piskvork.points import GAME
from rulebots.protocols.piskvork.referee import PiskvorkReferee
from rulebots.protocols.program import ProgramPlayer, ProgramSettings, command_of


def player_of(spec: str, game: Game) -> ProgramPlayer:
    """The player of that name. Nothing is started before it plays.

    Raises:
        UsageError: another game, no command, no such program, unknown settings, or values out of range.
        CodeError: a data file names it, and no person does.
    """
    if game.name != GAME:
        raise UsageError(f"'{spec}' plays {GAME}, not {game.name}: choose another game or player")
    command, settings = command_of(spec, ProgramSettings, "piskvork:./pbrain-other")
    memory = None if settings.memory is None else settings.memory * 1_000_000
    return ProgramPlayer(game, spec, command, settings, functools.partial(PiskvorkReferee, game, memory))
