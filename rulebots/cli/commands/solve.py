"""`rulebots solve`."""

from __future__ import annotations

import dataclasses
import itertools
import json
import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rulebots.cli.arguments import GameName
from rulebots.cli.commands import app
from rulebots.cli.console import examples, say

if TYPE_CHECKING:
    from rulebots.game import Game, Option


@app.command(
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True},
    epilog=examples(
        "rulebots solve kalah --pits 4 --stones 3",
        "rulebots solve kalah --pits 4 --stones 3 --no-empty-capture --json",
        "rulebots solve kalah --pits 1-4 --stones 1-4 --table --out kalah.json",
        "rulebots solve circles --size 6 --eliminate 3 --last-loses",
    ),
)
def solve(
    context: typer.Context,
    game: GameName,
    table: Annotated[
        bool, typer.Option("--table", help="All sizes of a range, such as --pits 1-4, the small ones first.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Where the table is kept while it grows; what it has already is not solved again.",
            show_default="GAME-solved.json",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The result as one JSON object.")] = False,
) -> None:
    """Work out what a game is worth when both sides play their best.

    The value is the first player's margin of points. The game's options are flags: `--pits 4`, and for
    what can only be on or off `--empty-capture` or `--no-empty-capture` (see `rulebots games`). With
    `--table`, a number that is not given runs from the smallest to the usual one.
    """
    from rulebots.game import load_game

    played = load_game(game)
    chosen = ranges_of(played, context.args)
    if table:
        solve_table(played, chosen, out or Path(f"{game}-solved.json"), as_json=as_json)
        return
    if out is not None:
        raise typer.BadParameter("it only goes with --table", param_hint="'--out'")
    for name, values in chosen.items():
        if len(values) > 1:
            raise typer.BadParameter("a range needs --table: expected one number", param_hint=f"'--{name}'")
    from rulebots.search.exact.solving import solve as solve_game

    solution = solve_game(played, {name: values[0] for name, values in chosen.items()})
    if as_json:
        say(json.dumps(dataclasses.asdict(solution)))
        return
    say(f"value  {solution.value:+d} for the first player")
    say(f"line   {' '.join(solution.line)}")
    say(f"nodes  {solution.nodes:,}")
    say(f"time   {solution.seconds:.2f} s")


def solve_table(game: Game, chosen: Mapping[str, range], path: Path, *, as_json: bool) -> None:
    """Solve every combination that the file does not have yet, and show all of them."""
    from rulebots.search.exact.solved_table import SolvedTable
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
            solved.add(options, solve_game(game, options))
        if not as_json:
            found = solved[options]
            size = "  ".join(f"{name} {value}" for name, value in options.items())
            say(f"{size}  value {found.value:+3d}  {found.seconds:8.2f} s{'  (from the file)' if known else ''}")
    if as_json:
        say(json.dumps([solved.entry(options) for options in sizes]))


def ranges_of(game: Game, arguments: Sequence[str]) -> dict[str, range]:
    """The game's options among the arguments, a range of one for a single number; the game checks their values.

    Raises:
        BadParameter: something that is no option of the game, or not a number or range.
    """
    found: dict[str, range] = {}
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        flag, equals, text = word.partition("=")
        name = next((n for n, o in game.options.items() if flag in flags_of(n, o)), None)
        if name is None:
            from rulebots.errors import unknown

            known = [flag for n, o in game.options.items() for flag in flags_of(n, o)]
            raise typer.BadParameter(unknown("option", word, known, game.name))
        hint = f"'{flag}'"
        if name in found:
            raise typer.BadParameter("it is there twice", param_hint=hint)
        if is_switch(game.options[name]):
            if equals:
                raise typer.BadParameter(f"it takes no value, not '{text}'", param_hint=hint)
            off = flag == flags_of(name, game.options[name])[1]
            found[name] = range(1) if off else range(1, 2)
            continue
        if not equals:
            text = rest.pop(0) if rest else ""
        number = re.fullmatch(r"([0-9]{1,9})(?:-([0-9]{1,9}))?", text)
        if number is None or int(number[2] or number[1]) < int(number[1]):
            what = f"expected a whole number, or a range such as 1-4, not '{text}'"
            raise typer.BadParameter(what, param_hint=hint)
        found[name] = range(int(number[1]), int(number[2] or number[1]) + 1)
    return found


def is_switch(option: Option) -> bool:
    """Whether an option can only be on or off."""
    return (option.low, option.high) == (0, 1)


def flags_of(name: str, option: Option) -> tuple[str, ...]:
    """An option's flag, `--pits`; of a switch those for on and off, `--empty-capture` and `--no-empty-capture`."""
    names = (name, option.off or f"no_{name}") if is_switch(option) else (name,)
    return tuple(f"--{word.replace('_', '-')}" for word in names)
