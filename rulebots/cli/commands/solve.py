"""`rulebots solve`."""

from __future__ import annotations

import contextlib
import dataclasses
import itertools
import math
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rulebots.cli.arguments import GameName, PositionText, named_path
from rulebots.cli.commands import app
from rulebots.cli.console import examples, say, say_json
from rulebots.cli.game_options import TAKES_GAME_OPTIONS, chosen_ranges, game_before_flags, is_switch

if TYPE_CHECKING:
    from rulebots.game import Game
    from rulebots.search.exact.solving import Watch


@app.command(
    context_settings=dict(TAKES_GAME_OPTIONS),
    epilog=examples(
        "rulebots solve kalah --pits 4 --stones 3",
        "rulebots solve kalah --pits 4 --stones 3 --no-empty-capture --json",
        "rulebots solve kalah --pits 1-4 --stones 1-4 --table --out kalah.json",
        "rulebots solve circles --size 6 --eliminate 3 --last-loses",
        "rulebots solve tictactoe --position 'XO1/1X1/2O X'",
    ),
)
def solve(
    context: typer.Context,
    game: GameName,
    table: Annotated[
        bool, typer.Option("--table", help="Solve every size in a range, such as --pits 1-4, small ones first.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(
            parser=named_path,
            metavar="FILE",
            help="With --table: the file that keeps the results. What is in it is not solved again.",
            show_default="GAME-solved.json",
        ),
    ] = None,
    position: PositionText = None,
    anyway: Annotated[
        bool, typer.Option("--anyway", help="Go on where the search, as it grows, would take more than a year.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The result as one JSON object.")] = False,
) -> None:
    """Work out the value of a game when both sides play their best.

    The value is the first player's margin of points, the expected one where chance is in play; with --position that
    of seat 0, from there on. The game's options are flags after its name: `--pits 4`, and `--empty-capture` or
    `--no-empty-capture` for what is on or off (`rulebots games` shows them). With `--table`, an option that is not
    given runs from its smallest value to its default.
    """
    from rulebots.registry import load_game

    played = load_game(game_before_flags(game))
    chosen = chosen_ranges(played, context)
    if table:
        if position is not None:
            raise typer.BadParameter("it does not go with --table", param_hint="'--position'")
        solve_table(played, chosen, out or Path(f"{played.name}-solved.json"), anyway=anyway, as_json=as_json)
        return
    if out is not None:
        raise typer.BadParameter("it only goes with --table", param_hint="'--out'")
    for name, values in chosen.items():
        if len(values) > 1:
            raise typer.BadParameter("a range needs --table: expected one number", param_hint=f"'--{name}'")
    from rulebots.cli.tables import exact
    from rulebots.game.position import Position
    from rulebots.search.exact.solving import solve as solve_game
    from rulebots.search.exact.solving import solve_position

    options, whose = {name: values[0] for name, values in chosen.items()}, "the first player"
    began = time.perf_counter()
    with watched(quiet=as_json) as watch:
        if position is None:
            solution = solve_game(played, options, watch, anyway=anyway)
        else:
            given = Position.from_text(played, position, options)
            solution = solve_position(given, watch, anyway=anyway)
            whose = f"seat 0; {'chance' if given.chance_to_move else f'seat {given.mover}'} is to move"
    if as_json:
        loading = max(0.0, time.perf_counter() - began - solution.seconds)
        say_json({**dataclasses.asdict(solution), "loading_seconds": loading})
        return
    say(f"value  {exact(solution.value)} for {whose}")
    say(f"line   {' '.join(solution.line) or '-'}")
    say(f"nodes  {solution.nodes:,}")
    say(f"time   {solution.seconds:.2f} s")


@contextlib.contextmanager
def watched(*, quiet: bool) -> Iterator[Watch]:
    """What solving tells how far it has come: a status line in a terminal, in a pipe a line each time it doubles."""
    from rulebots.cli.status_line import live_line

    with live_line(quiet=quiet) as show:
        yield lambda progress: show(int(10 * progress.seconds), f"solving: {progress}")


def solve_table(game: Game, chosen: Mapping[str, range], path: Path, *, anyway: bool, as_json: bool) -> None:
    """Solve every combination of options that the file does not have yet, and show all of them."""
    from rulebots.cli.tables import exact
    from rulebots.search.exact.solving import SolvedTable
    from rulebots.search.exact.solving import solve as solve_game

    ranges = {
        name: chosen.get(name, range(option.default if is_switch(option) else option.low, option.default + 1))
        for name, option in game.options.items()
    }
    sizes = [dict(zip(ranges, values, strict=True)) for values in itertools.product(*ranges.values())]
    sizes.sort(key=lambda options: (math.prod(options.values()), tuple(options.values())))
    for options in sizes:
        game.option_values(options)
    solved = SolvedTable(path, game)
    for options in sizes:
        known = options in solved
        if not known:
            with watched(quiet=as_json) as watch:
                solved.add(options, solve_game(game, options, watch, anyway=anyway))
        if not as_json:
            found = solved[options]
            size = "  ".join(f"{name} {value}" for name, value in options.items())
            say(f"{size}  value {exact(found.value):>3}  {found.seconds:8.2f} s{'  (from the file)' if known else ''}")
    if as_json:
        say_json([solved.entry(options) for options in sizes])
