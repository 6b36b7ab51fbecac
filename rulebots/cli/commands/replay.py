"""`rulebots replay`."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from rulebots.cli import options as opt
from rulebots.cli.commands import app
from rulebots.cli.console import say, say_json
from rulebots.cli.lookup import bring
from rulebots.cli.tables import counted
from rulebots.files.ranges import Range

if TYPE_CHECKING:
    from rulebots.records import RecordedGame


@app.with_examples(
    "rulebots match shelly risk --deals 20 --record games.txt",
    "rulebots replay games.txt",
    "rulebots replay games.txt 3",
    group="Look",
)
def replay(
    file: Annotated[Path, opt.argument("FILE", "A record: see `rulebots match --record`.", read=opt.read_path)],
    number: Annotated[
        int | None, opt.argument("[N]", "The game to show move by move.", read=Range(1, whole=True).read)
    ] = None,
    game: opt.CustomGame = None,
    as_json: opt.AsJson = False,
) -> None:
    """Play recorded games again: one by moves, or all, a line each.

    Every move follows the law of the game. Where a game differs from its record, the last line names the line of
    the file and the ply, and the exit code is 1.
    """
    from rulebots.records import check, load_record

    bring(game)
    record = load_record(file)
    if as_json:
        games = record.games if number is None else (record.numbered(number),)
        checked = check(dataclasses.replace(record, games=games))
        say_json({"game": record.game.name, "games": [_as_data(one) for one in checked]})
    elif number is None:
        for one in check(record):
            say(f"game {one.number}: {' against '.join(_seats_of(one))}, {one.plies} plies, {outcome(one)}")
        say(f"{counted(len(record.games), 'game')} of {record.game.title}, played again: all as recorded")
    else:
        _show_game(record.numbered(number))


def _as_data(recorded: RecordedGame) -> dict[str, Any]:
    result = recorded.result
    return {
        "number": recorded.number,
        "seats": list(_seats_of(recorded)),
        "options": dict(recorded.options),
        "moves": [move for row in recorded.rows for move in row.moves],
        "opening": recorded.opening,
        "points": result.points,
        "stalled": result.stalled,
    }


def _show_game(recorded: RecordedGame) -> None:
    """Show one game, position by position, as far as its record is right."""
    from rulebots.cli.dialogue import move_in_words
    from rulebots.game import CHANCE
    from rulebots.records import steps

    game = recorded.game
    seats = _seats_of(recorded)
    seated = " against ".join(f"{name} (seat {seat})" for seat, name in enumerate(seats))
    say(f"game {recorded.number} of {game.title}: {seated}")
    before = None
    for ply, (position, move) in enumerate(steps(recorded)):
        if before:
            names = ["the opening"] * len(seats) if ply <= recorded.opening else seats
            seat = "" if before.mover == CHANCE else f", seat {before.mover}"
            say(f"ply {ply}{seat}: {move_in_words(before, move, names)}")
        say(f"\n{position}")
        if game.text.write_position:
            say(f"--position '{position.to_text()}'")
        before = position.copy()
    say(f"after ply {recorded.plies}: {outcome(recorded)}")
    if game.text.write_position is None and position.deal is not None:
        # The text does not say how many play: the same cards and moves may be a game at another table.
        chosen = (f"--option {name}={n} " for name, n in recorded.options.items() if n != game.options[name].default)
        say(f"{''.join(chosen)}--position '{position.to_text()}'  (with fewer moves, an earlier position)")


def _seats_of(recorded: RecordedGame) -> Sequence[str]:
    """The players' names by seat; copies of one at a table of more than two have numbers."""
    from rulebots.players import named_apart

    return recorded.seats if len(recorded.seats) == len(recorded.names) else named_apart(recorded.seats)


def outcome(recorded: RecordedGame) -> str:
    """A game's result in words: `shelly wins, 45 to 12`."""
    from rulebots.records import best_of, in_words

    points = recorded.result.points
    if points is None:
        return "unfinished"
    if recorded.result.stalled:
        return f"stalled at {' to '.join(map(str, points))}"
    if recorded.game.together(len(points)):
        return f"{points[0]} points"
    winners = best_of(_seats_of(recorded), points)
    how = f"{winners[0]} wins" if len(winners) == 1 else f"{in_words(winners)} share the first place"
    how = "a draw" if len(winners) == len(points) else how
    return how + f", {' to '.join(map(str, sorted(points, reverse=True)))}" * recorded.game.scores(points)
