"""`rulebots accuracy`."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Annotated

import typer

from rulebots.cli.arguments import OptionTexts, OwnRules, PositionText, bring, game_of, options_of, whole_number
from rulebots.cli.commands import app
from rulebots.cli.console import examples, say, say_json
from rulebots.registry import DEFAULT_GAME

if TYPE_CHECKING:
    from rulebots.game.position import Position
    from rulebots.players import Player

#: More than any board that can be tabulated has.
MOST_POSITIONS = 1_000_000_000


@app.command(
    epilog=examples(
        "rulebots accuracy champion --game circles",
        "rulebots accuracy mcts:power=20 --game circles --positions 1000 --seed 7",
        "rulebots accuracy random --game tictactoe --option size=3 --json",
        "rulebots accuracy champion --game circles --option size=4 --position 'o/oo/o.o/oooo 0'",
    )
)
def accuracy(
    player: Annotated[str, typer.Argument(metavar="PLAYER", help="A player: a name, path.yaml or path.yaml#player.")],
    game: Annotated[
        str | None,
        typer.Option(metavar="GAME", help="The game.", show_default=f"that of the player's file, else {DEFAULT_GAME}"),
    ] = None,
    rules: OwnRules = None,
    option: OptionTexts = None,
    position: PositionText = None,
    positions: Annotated[
        int,
        typer.Option(
            parser=whole_number(1, MOST_POSITIONS),
            metavar="N",
            help="Size of the sample; all, if there are fewer.",
        ),
    ] = 10_000,
    seed: Annotated[
        int, typer.Option(parser=whole_number(0), metavar="N", help="The same seed draws the same positions.")
    ] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="The result as one JSON object.")] = False,
) -> None:
    """Measure how often a player keeps a won position.

    The board must be small enough to tabulate. The result of a sample comes with its 95 % interval. With --position
    the player is asked there only: whether its move keeps the value, the mover's margin of points under best play.
    """
    options = options_of(option)
    from rulebots.game.position import Position
    from rulebots.players.names import make_player
    from rulebots.search.exact.accuracy import accuracy as accuracy_of

    bring(game, rules)
    played = game_of(game, (player,))
    if position is not None:
        judge_one(make_player(player, played), Position.from_text(played, position, options), as_json=as_json)
        return
    found = accuracy_of(make_player(player, played), options, positions, seed)
    if as_json:
        say_json(dataclasses.asdict(found))
        return
    low, high = (100 * end for end in found.share_95)
    say(f"{player} at {played.title}: keeps the win in {found.kept:,} of {found.asked:,} won positions")
    if found.asked == found.winning:
        say(f"accuracy   {100 * found.share:.2f} %, exactly: those are all")
    else:
        say(f"accuracy   {100 * found.share:.2f} % ({low:.2f} to {high:.2f})")
    say(f"positions  {found.positions:,}, of which {found.winning:,} are won for the mover")


def judge_one(player: Player, position: Position, *, as_json: bool) -> None:
    """Ask a player in one position, and say what its move is worth."""
    from rulebots.cli.tables import exact
    from rulebots.search.exact.accuracy import judge

    found, write = judge(player, position), position.write
    best = [write(move) for move in found.best]
    if as_json:
        values = {"value": found.value, "value_after": found.value_after, "kept": found.kept}
        say_json({"move": write(found.move), **values, "best": best})
        return
    say(position.text())
    verdict = "which keeps it" if found.kept else f"which leaves {exact(found.value_after)}"
    value = f"value {exact(found.value)} for seat {position.mover}, to move"
    say(f"{value}: {player.name} plays {write(found.move)}, {verdict}")
    if not found.kept:
        say(f"what keeps it: {', '.join(best)}")
