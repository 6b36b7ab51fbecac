"""`rulebots why`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rulebots.cli import options as opt
from rulebots.cli.commands import app
from rulebots.cli.completion import complete_player
from rulebots.cli.console import say, say_json
from rulebots.errors import UsageError

if TYPE_CHECKING:
    from rulebots.game.position import Position
    from rulebots.players import Player
    from rulebots.records import Replay


@app.with_examples(
    "rulebots why champion --seed 7 --ply 5",
    "rulebots why shelly --seed 7 --ply 5 --against risk",
    "rulebots match champion shelly --deals 20 --record games.txt",
    "rulebots why champion --replay games.txt --number 3 --ply 12",
    "rulebots why champion --game kalah --position '4,0,5,5,5,4,1/5,4,4,4,4,3,0 1'",
    group="Look",
)
def why(
    player: Annotated[
        str,
        typer.Argument(
            metavar="PLAYER",
            help="A player made of rules, by a name or path.yaml; or rollout:...",
            autocompletion=complete_player,
        ),
    ],
    ply: Annotated[int | None, opt.whole("The move to explain; a game begins with ply 1.", 1)] = None,
    record: Annotated[
        Path | None, opt.file_read("The record of the game, as `rulebots match --record` writes it.", "--replay")
    ] = None,
    number: Annotated[int | None, opt.whole("With --replay: the number of the game.", 1)] = None,
    game: opt.PlayedGame = None,
    seed: Annotated[int | None, opt.seed_option("Without --replay: it deals a new game.")] = None,
    against: Annotated[str | None, opt.against_option("In a new game.", default="the player itself")] = None,
    imports: opt.Imports = None,
    option: opt.OptionTexts = None,
    opening_plies: opt.OpeningPlies = None,
    position: opt.PositionText = None,
    as_json: opt.AsJson = False,
) -> None:
    """Explain a move of a player made of rules.

    It shows the score of every move, and the rules that decide.

    Of a player that searches by rollouts it shows the candidates with their chances to win.

    The position is the one before ply K: of a recorded game, whichever player moved there, or of a new game, in
    which the player has the first seat. With --position it is that one.
    """
    if position is not None:
        unfit: dict[str, object] = {"--ply": ply, "--replay": record, "--seed": seed, "--against": against}
        opt.refuse(unfit | {"--opening-plies": opening_plies}, "it does not go with --position")
        explain_position(player, position, game, imports, opt.options_of(option), as_json=as_json)
        return
    if ply is None:
        raise typer.BadParameter("expected the move to explain: --ply K", param_hint="'--ply'")
    if record is not None:
        settings = {"--seed": seed, "--against": against, "--option": option, "--opening-plies": opening_plies}
        opt.refuse(settings, "it does not go with --replay, whose game has been played")
        opt.bring(game, imports)
        who, replayed = recorded_game(player, record, number)
    else:
        if seed is None:
            raise typer.BadParameter("expected a game: --replay FILE --number N, or --seed N", param_hint="'--seed'")
        from rulebots.records import play_recorded, replay

        _, (who, other) = opt.players_of((player, against or player), game, imports)
        _, played = play_recorded(who, other, 1, seed, opt.options_of(option), opening_plies=opening_plies)
        replayed = replay(played.games[0])
    tell(who, replayed, ply, as_json=as_json)


def recorded_game(spec: str, file: Path, number: int | None) -> tuple[Player, Replay]:
    """The player, and a game from a record."""
    from rulebots.packages.players import make_player
    from rulebots.records import load_record, replay

    if number is None:
        raise typer.BadParameter("expected the number of a game of the record", param_hint="'--number'")
    record = load_record(file)
    recorded = record.numbered(number)
    return make_player(spec, record.game), replay(recorded)


def explain_position(
    spec: str, text: str, name: str | None, imports: list[str] | None, options: dict[str, int], *, as_json: bool
) -> None:
    """Print a position and how the player sees it."""
    from rulebots.game.position import Position

    game, (who,) = opt.players_of([spec], name, imports)
    position = Position.from_text(game, text, options)
    show_why, data = reasons_of(who, position)
    if as_json:
        say_json({"game": game.name, "seat": position.mover, "position": position.text(position.mover), **data()})
        return
    say(f"{game.title}: seat {position.mover} to move")
    say(position.text(position.mover))
    say("")
    show_why()


def reasons_of(player: Player, position: Position) -> tuple[Callable[[], None], Callable[[], dict[str, Any]]]:
    """What shows why the player moves as it does, and what gives it as plain data.

    It is the rules that decide, or what its rollouts find out.

    Raises:
        UsageError: the player has no reasons to show, or there is no decision.
    """
    from rulebots.cli.explanation import (
        candidates_data,
        candidates_of,
        reasons_data,
        show_candidates,
        show_reasons,
    )
    from rulebots.players.explaining import explain_to_mover

    searched = candidates_of(player, position)
    if searched is not None:
        game = position.game
        return lambda: show_candidates(searched, game, player.name), lambda: candidates_data(searched, game)
    explained = explain_to_mover(player, position)
    return lambda: show_reasons(explained, player.name), lambda: reasons_data(explained)


def tell(player: Player, replayed: Replay, ply: int, *, as_json: bool) -> None:
    """Print the position, the moves, and the rules that told the best two apart."""
    recorded = replayed.recorded
    last = recorded.plies + (not replayed.positions[-1].over)
    if ply > last:
        raise UsageError(f"--ply: expected 1 to {last} in a game of {recorded.plies} plies, not {ply}")
    game, position = recorded.game, replayed.positions[ply - 1]
    if position.chance_to_move:
        brought = f" (it brings {game.text.write(replayed.moves[ply - 1])})" if ply <= recorded.plies else ""
        raise UsageError(f"--ply: chance decides ply {ply}{brought}: name the ply of a player's decision")
    (show_why, data), seat = reasons_of(player, position), position.mover
    if as_json:
        played = game.text.write(replayed.moves[ply - 1]) if ply <= recorded.plies else None
        about = {"game": game.name, "number": recorded.number, "ply": ply, "seat": seat, "played": played}
        say_json({**about, "position": position.text(seat), **data()})
        return
    say(f"game {recorded.number} of {game.title}, ply {ply}: seat {seat} to move")
    say(position.text(seat))
    if ply <= recorded.plies:
        who = "the opening" if ply <= recorded.opening else recorded.seats[seat]
        say(f"{who} played {game.text.write(replayed.moves[ply - 1])}")
    say("")
    show_why()
