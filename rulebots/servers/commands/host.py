"""`rulebots host`."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Annotated

import typer

from rulebots.cli.commands import app
from rulebots.cli.console import say
from rulebots.cli.options import (
    CustomRules,
    GameName,
    OptionTexts,
    RandomSeed,
    TotalSeconds,
    bring,
    decimal,
    named,
    options_of,
    path_to,
    switch,
    whole,
)
from rulebots.errors import UsageError
from rulebots.registry import load_game

MOST_GAMES = 1_000_000


@app.with_examples(
    "rulebots host lost-cities --port 61676 --player champion",
    "rulebots host lost-cities --port 61676 --player champion --games 20 --seed 1 --mirrored",
    "rulebots host lost-cities --port 61676 --pair",
    "rulebots host lost-cities --port 61676 --bind 0.0.0.0 --record games",
    "rulebots host kalah --port 2671 --player champion --option pits=8 --option stones=8 --move-seconds 2",
    "rulebots host kalah --protocol kgp-ws --port 8080 --pair",
)
def host(
    game: GameName,
    port: Annotated[int, whole("Where to listen; 0 is any free port.", 0, 65_535, metavar="P")],
    player: Annotated[str | None, named("PLAYER", "Who plays on this side.", default="you")] = None,
    pair: Annotated[bool, switch("--pair", "Let clients meet each other, two and two.")] = False,
    protocol: Annotated[str | None, named("NAME", "The protocol.", default="the game's usual one")] = None,
    bind: Annotated[str, named("ADDRESS", "For whom: this machine only, or 0.0.0.0 for everybody.")] = "127.0.0.1",
    games: Annotated[int | None, whole("End after so many games.", 1, MOST_GAMES, default="go on")] = None,
    seed: RandomSeed = None,
    mirrored: Annotated[
        bool, switch("--mirrored", "Play each deal twice, with seats changed, as a match does.")
    ] = False,
    option: OptionTexts = None,
    connections: Annotated[int, whole("At the same time; others wait.", 1, 100_000)] = 500,
    idle_seconds: Annotated[float, decimal("A client that answers later loses its game.", 0.01, 1e6)] = 60.0,
    move_seconds: Annotated[
        float | None,
        decimal(
            "A client's time for a move, where the protocol has a clock.", 0.01, 1e6, default="that of the protocol"
        ),
    ] = None,
    game_seconds: Annotated[
        float | None, decimal("Its time for all moves of a game.", 0.01, 1e6, default="any time")
    ] = None,
    total_seconds: TotalSeconds = 3600.0,
    record: Annotated[
        Path | None, path_to("FOLDER", "Write each game there, move by move: see `rulebots replay`.")
    ] = None,
    rules: CustomRules = None,
) -> None:
    """Serve a game to clients over the network, each its own game.

    A line says how each game ended, and the last one, after --games or Ctrl-C, the score. A client that breaks the
    protocol, says nothing or leaves loses its game; one that leaves before its first move has played none.
    """
    from rulebots.players.names import make_player
    from rulebots.servers.doors import HOSTS, door, hosting
    from rulebots.servers.hosting import HostTerms
    from rulebots.servers.network import Limits

    if pair and player is not None:
        raise typer.BadParameter("--pair lets clients meet each other: leave out --player")
    played = load_game(game)
    opened = hosting(played.name) if protocol is None else door(HOSTS, protocol)
    if played.name != opened.GAME:
        raise UsageError(f"the protocol '{protocol}' is about {opened.GAME}, not {played.name}")
    bring(None, rules)
    opened.host(
        HostTerms(
            port=port,
            player=None if player is None else make_player(player, played),
            bind=bind,
            pair=pair,
            games=games,
            seed=secrets.randbelow(2**32) if seed is None else seed,
            mirrored=mirrored,
            options=options_of(option),
            move_seconds=move_seconds,
            game_seconds=game_seconds,
            record=record,
            limits=Limits(connections, idle_seconds, total_seconds),
            say=say,
        )
    )
