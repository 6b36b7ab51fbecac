"""Positions of Can't Stop, written as columns and spaces: "7:3 12:1" are 3 spaces of column 7 and 1 of column 12."""

from __future__ import annotations

from rulebots.game.position import Position
from rulebots.games.cant_stop.moves import FIRST_ROLL, ROLL_OF, RUNNERS, length_of
from rulebots.packages import load_game

GAME = load_game("cant-stop")


def spaces(text: str) -> dict[int, int]:
    return {int(column): int(space) for column, space in (word.split(":") for word in text.split())}


def position(
    mine: str = "", theirs: str = "", runners: str = "", dice: str = "", seat: int = 0, **options: int
) -> Position:
    """A decision of that seat: how to use the dice, or without dice whether to stop.

    A column climbed to its top is won. `runners` stand where they are, whatever is below them.
    """
    found = Position(GAME, options)
    state = found.state
    state.mover = state.turn = seat
    for who, text in ((seat, mine), (1 - seat, theirs)):
        for column, space in spaces(text).items():
            state.height[who, column - 2] = space
            if space == length_of(state.sides, state.shortest, column - 2):
                state.closed |= 1 << (column - 2)
                state.won[who] += 1
    for column, space in spaces(runners).items():
        state.runner[column - 2] = space
        state.topped += space == length_of(state.sides, state.shortest, column - 2)
    state.free = RUNNERS - len(spaces(runners))
    if dice:
        state.roll = FIRST_ROLL + ROLL_OF[tuple(int(die) for die in dice.split("-"))]
    return found


def legal(of: Position) -> list[str]:
    """The moves as texts."""
    return [of.write(move) for move in of.legal_moves]
