"""`rulebots engine`."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from rulebots.cli import options as opt
from rulebots.cli.commands import app


@app.with_examples(
    "rulebots engine champion --game lost-cities",
    "rulebots engine mcts:seconds=1 --game kalah",
    "rulebots match champion 'program:rulebots engine shelly --game lost-cities' --deals 10",
    group="Serve",
)
def engine(
    name: Annotated[str, typer.Argument(metavar="PLAYER", help="The player that answers; with --player the game.")],
    game: Annotated[str | None, opt.named("GAME", "The game.", default="that of the player's file")] = None,
    player: Annotated[str | None, opt.named("PLAYER", "The player, where the game comes first.", default=False)] = None,
    protocol: Annotated[str, opt.named("NAME", "The protocol.")] = "rulebots-player",
    rules: opt.CustomRules = None,
) -> None:
    """Answer another program with moves over standard input.

    Nothing else is written to standard output; what the player itself prints goes to standard error. The conversation
    ends when the other side says so, or closes its end.
    """
    if player is not None and game is not None:
        raise typer.BadParameter("with --player the game comes first: rulebots engine GAME --player PLAYER")
    spec, of = (name, game) if player is None else (player, name)
    from rulebots.players.names import make_player
    from rulebots.protocols.seated_player import SeatedPlayer, warm_up
    from rulebots.protocols.stdio import engine_maker, serve

    engine_of = engine_maker(protocol)
    opt.bring(of, rules)
    played = opt.game_of(of, [spec])
    made = make_player(spec, played)
    asked = engine_of(played, made)
    warm_up(made)
    with os.fdopen(os.dup(1), "wb") as sink:
        os.dup2(2, 1)  # a player that prints would break the protocol
        serve(asked, SeatedPlayer(made, played), sink=sink)
