"""What is exactly known of small games: `rulebots solve` and `rulebots accuracy`."""

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

from rulebots.cli import options as opt
from rulebots.cli.commands import app
from rulebots.cli.console import live_line, say, say_json
from rulebots.cli.lookup import chosen_ranges, game_before_flags, is_switch, options_of, players_of
from rulebots.cli.tables import exact
from rulebots.packages import load_game

if TYPE_CHECKING:
    from rulebots.game import Game
    from rulebots.game.position import Position
    from rulebots.players import Player
    from rulebots.search.exact.solving import Watch

#: More than any board that can be tabulated has.
MOST_POSITIONS = 1_000_000_000


@app.with_examples(
    "rulebots solve kalah --pits 4 --stones 3",
    "rulebots solve kalah --pits 4 --stones 3 --no-empty-capture --json",
    "rulebots solve kalah --pits 1-4 --stones 1-4 --table --out kalah.json",
    "rulebots solve circles --size 6 --eliminate 3 --last-loses",
    "rulebots solve tictactoe --position 'XO1/1X1/2O X'",
    context_settings=dict(opt.TAKES_GAME_OPTIONS),
    group="Measure",
)
def solve(
    context: typer.Context,
    game: opt.GameName,
    table: Annotated[
        bool, opt.switch("--table", "Solve every size in a range, such as --pits 1-4, small ones first.")
    ] = False,
    out: Annotated[
        Path | None, opt.shared("--out", "With --table; what is in it is not solved again.", default="GAME-solved.json")
    ] = None,
    position: opt.PositionText = None,
    option: opt.OptionTexts = None,
    anyway: Annotated[
        bool, opt.switch("--anyway", "Go on where the search, as it grows, would take more than a year.")
    ] = False,
    as_json: opt.AsJson = False,
) -> None:
    """Work out the value of a game when both sides play their best.

    The value is the first player's margin of points, the expected one where chance is in play; with --position that
    of seat 0, from there on. The game's options are flags after its name: `--pits 4`, and `--empty-capture` or
    `--no-empty-capture` for what is on or off (`rulebots games GAME` shows them). With `--table`, an option that is not
    given runs from its smallest value to its default.
    """
    played = load_game(game_before_flags(game))
    chosen = chosen_ranges(played, context, option)
    if table:
        opt.refuse({"--position": position}, "it does not go with --table")
        _solve_table(played, chosen, out or Path(f"{played.name}-solved.json"), anyway=anyway, as_json=as_json)
        return
    opt.refuse({"--out": out}, "it only goes with --table")
    ranges = {f"--{name}": values for name, values in chosen.items() if len(values) > 1}
    opt.refuse(ranges, "a range needs --table: expected one number")
    from rulebots.game.position import Position
    from rulebots.search.exact.solving import solve as solve_game, solve_position

    options = {name: values[0] for name, values in chosen.items()}
    whose = "the only player" if played.seats_with(options) == 1 else "the first player"
    began = time.perf_counter()
    with _watched(quiet=as_json) as watch:
        if position is None:
            solution = solve_game(played, options, watch, anyway=anyway)
        else:
            start = Position.from_text(played, position, options)
            solution = solve_position(start, watch, anyway=anyway)
            whose = f"seat 0; {'chance' if start.chance_to_move else f'seat {start.mover}'} is to move"
    if as_json:
        loading = max(0.0, time.perf_counter() - began - solution.seconds)
        say_json({**dataclasses.asdict(solution), "loading_seconds": loading})
        return
    say(f"value  {exact(solution.value)} for {whose}")
    say(f"line   {' '.join(solution.line) or '-'}")
    say(f"nodes  {solution.nodes:,}")
    say(f"time   {solution.seconds:.2f} s")


@contextlib.contextmanager
def _watched(*, quiet: bool) -> Iterator[Watch]:
    """What solving reports its progress to: a status line, in a pipe a line each time it doubles."""
    with live_line(quiet=quiet) as show:
        yield lambda progress: show(int(10 * progress.seconds), f"solving: {progress}")


def _solve_table(game: Game, chosen: Mapping[str, range], path: Path, *, anyway: bool, as_json: bool) -> None:
    """Solve every combination of options that the file does not have yet, and show all of them."""
    from rulebots.search.exact.solving import SolvedTable, solve as solve_game

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
            with _watched(quiet=as_json) as watch:
                solved.add(options, solve_game(game, options, watch, anyway=anyway))
        if not as_json:
            solution = solved[options]
            size = "  ".join(f"{name} {value}" for name, value in options.items())
            source = "  (from the file)" if known else ""
            say(f"{size}  value {exact(solution.value):>3}  {solution.seconds:8.2f} s{source}")
    if as_json:
        say_json([solved.entry(options) for options in sizes])


@app.with_examples(
    "rulebots accuracy champion --game circles",
    "rulebots accuracy mcts:power=20 --game circles --positions 1000 --seed 7",
    "rulebots accuracy random --game tictactoe --option size=3 --json",
    "rulebots accuracy champion --game circles --option size=4 --position 'o/oo/o.o/oooo 0'",
    group="Measure",
)
def accuracy(
    player: opt.PlayerName,
    game: opt.PlayedGame = None,
    imports: opt.Imports = None,
    option: opt.OptionTexts = None,
    position: opt.PositionText = None,
    positions: Annotated[int, opt.whole("Size of the sample; all, if there are fewer.", 1, MOST_POSITIONS)] = 10_000,
    seed: Annotated[int, opt.shared("--seed", "It draws the sample.")] = 1,
    as_json: opt.AsJson = False,
) -> None:
    """Measure how often a player keeps a won position.

    The board must be small enough to tabulate. The result of a sample comes with its 95 % interval. With --position
    the player is asked there only: whether its move keeps the value, the mover's margin of points under best play.
    """
    law, (mover,), options = players_of([player], game, imports, options_of(option))
    if position is not None:
        from rulebots.game.position import Position

        _judge_one(mover, Position.from_text(law, position, options), as_json=as_json)
        return
    from rulebots.search.exact.accuracy import accuracy as accuracy_of

    result = accuracy_of(mover, options, positions, seed)
    if as_json:
        say_json(dataclasses.asdict(result))
        return
    say(f"{player} at {law.title}: keeps the win in {result.kept:,} of {result.asked:,} won positions")
    low, high = result.share_95
    sure = ", exactly: those are all" if result.asked == result.winning else f" ({100 * low:.2f} to {100 * high:.2f})"
    say(f"accuracy   {100 * result.share:.2f} %{sure}")
    say(f"positions  {result.positions:,}, of which {result.winning:,} are won for the mover")


def _judge_one(player: Player, position: Position, *, as_json: bool) -> None:
    from rulebots.search.exact.accuracy import judge

    judgment = judge(player, position)
    move = position.write(judgment.move)
    best = [position.write(one) for one in judgment.best]
    if as_json:
        say_json({**dataclasses.asdict(judgment), "kept": judgment.kept, "move": move, "best": best})
        return
    say(position.text())
    verdict = "which keeps it" if judgment.kept else f"which leaves {exact(judgment.value_after)}"
    say(f"value {exact(judgment.value)} for seat {position.mover}, to move")
    say(f"{position.sentence(judgment.move, [player.name] * position.seats)}, {verdict}")
    if not judgment.kept:
        say(f"what keeps it: {', '.join(best)}")
