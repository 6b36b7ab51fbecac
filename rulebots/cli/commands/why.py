"""`rulebots why`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rulebots.cli.arguments import OpeningPlies, OptionTexts, game_of, named_path, options_of, whole_number
from rulebots.cli.commands import app
from rulebots.cli.console import examples, say

if TYPE_CHECKING:
    from rulebots.game import Game
    from rulebots.players import Player
    from rulebots.records import Replay


@app.command(
    epilog=examples(
        "rulebots why champion --seed 7 --ply 5",
        "rulebots why shelly --seed 7 --ply 5 --against risk",
        "rulebots match champion shelly --deals 20 --record games.txt",
        "rulebots why champion --record games.txt --game 3 --ply 12",
    )
)
def why(
    player: Annotated[str, typer.Argument(metavar="PLAYER", help="A player made of rules: a name, or path.yaml.")],
    ply: Annotated[
        int, typer.Option(parser=whole_number(1), metavar="K", help="The move to explain; a game begins with ply 1.")
    ],
    record: Annotated[
        Path | None, typer.Option(parser=named_path, metavar="FILE", help="The record that the game is in.")
    ] = None,
    game: Annotated[
        str | None,
        typer.Option(metavar="N", help="With --record: the number of the game. Without: the name of a game to play."),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(parser=whole_number(0), metavar="N", help="Without --record: play a new game with this seed."),
    ] = None,
    against: Annotated[
        str | None, typer.Option(metavar="PLAYER", help="Who plays the other seat.", show_default="the player itself")
    ] = None,
    option: OptionTexts = None,
    opening_plies: OpeningPlies = None,
) -> None:
    """Explain a move of a player made of rules: the score of every move, and the rules that decide.

    The position is the one before ply K: of a recorded game, whichever player moved there, or of a new game, in
    which the player has the first seat.
    """
    if record is not None:
        settings = {"--seed": seed, "--against": against, "--option": option, "--opening-plies": opening_plies}
        for flag, given in settings.items():
            if given is not None:
                raise typer.BadParameter(
                    "it does not go with --record, whose game has been played", param_hint=f"'{flag}'"
                )
        who, replayed = recorded_game(player, record, game)
    else:
        if seed is None:
            raise typer.BadParameter("expected a game: --record FILE --game N, or --seed N", param_hint="'--seed'")
        who, replayed = new_game(player, against, game, seed, options_of(option), opening_plies)
    tell(who, replayed, ply)


def recorded_game(spec: str, file: Path, number: str | None) -> tuple[Player, Replay]:
    """The player, and a game from a record."""
    from rulebots.players.names import make_player
    from rulebots.records import load_record, replay

    if number is None or not re.fullmatch("[0-9]{1,9}", number):
        came = f", not '{number}'" if number else ""
        raise typer.BadParameter(f"expected the number of a game of the record{came}", param_hint="'--game'")
    record = load_record(file)
    recorded = record.numbered(int(number))
    return make_player(spec, record.game), replay(recorded)


def new_game(
    spec: str, against: str | None, name: str | None, seed: int, options: dict[str, int], opening_plies: int | None
) -> tuple[Player, Replay]:
    """The player, and a new game of it."""
    from rulebots.players.names import make_player
    from rulebots.records import play_recorded, replay

    game: Game = game_of(name, [spec, *([against] if against else [])])
    who = make_player(spec, game)
    other = make_player(against or spec, game)
    _, record = play_recorded(who, other, 1, seed, options, opening_plies=opening_plies)
    return who, replay(record.games[0])


def tell(player: Player, replayed: Replay, ply: int) -> None:
    """Print the position, the moves, and the rules that told the best two apart."""
    from rulebots.cli.explanation import show_reasons
    from rulebots.errors import UsageError
    from rulebots.players.explaining import explain

    recorded = replayed.recorded
    last = recorded.plies + (not replayed.over)
    if ply > last:
        raise UsageError(f"--ply: expected 1 to {last} in a game of {recorded.plies} plies, not {ply}")
    game, position = recorded.game, replayed.positions[ply - 1]
    if position.chance_to_move:
        brought = f" (it brings {game.write(replayed.moves[ply - 1])})" if ply <= recorded.plies else ""
        raise UsageError(f"--ply: chance decides ply {ply}{brought}: name the ply of a player's decision")
    explained = explain(player, position)
    seat = position.mover
    say(f"game {recorded.number} of {game.title}, ply {ply}: seat {seat} to move")
    say(position.text(seat))
    if ply <= recorded.plies:
        who = "the opening" if ply <= recorded.opening else recorded.seats[seat]
        say(f"{who} played {game.write(replayed.moves[ply - 1])}")
    say("")
    show_reasons(explained, player.name)
