"""Positions of Kalah, written as the numbers in the pits, each side from its own left."""

from __future__ import annotations

from written_positions import Case, value_of

from rulebots.game.position import Position
from rulebots.packages import load_game
from rulebots.rules import RuleSet


def position(
    mine: str, theirs: str, stores: tuple[int, int] = (0, 0), mover: int = 0, *, alone: bool = True
) -> Position:
    """A position: "0 1 4" are the mover's pits, `stores` the mover's store and the other one."""
    game = load_game("kalah")
    sides = [[int(word) for word in side.split()] for side in (mine, theirs)]
    assert len(sides[0]) == len(sides[1])
    state = game.new_state()
    state.mover, state.pits, state.empty_capture = mover, len(sides[0]), alone
    for side, store, seat in zip(sides, stores, (mover, 1 - mover), strict=True):
        first = seat * (state.pits + 1)
        state.board[first : first + state.pits] = side
        state.board[first + state.pits] = store
        state.left[seat] = sum(side)
    return Position.of(game, state)


def case(
    rule: str, what: str, pit: int, value: float, board: tuple[str, str], stores: tuple[int, int] = (0, 0)
) -> Case:
    """What a rule must say of a pit of a board, written as `position` takes it."""
    return Case(rule, what, {"mine": board[0], "theirs": board[1], "stores": stores}, str(pit), value)


def value_in(rules: RuleSet, rule: str, position: Position, pit: int) -> float:
    """What a rule says of a pit of the mover's."""
    return value_of(rules, rule, position.view(), pit)


def written(position: Position, seat: int = 0) -> tuple[str, str, tuple[int, int]]:
    """What `position` takes, as that seat sees it."""
    state = position.state
    pits, found = int(state.pits), []
    for side in (seat, 1 - seat):
        first = side * (pits + 1)
        found.append((" ".join(str(n) for n in state.board[first : first + pits]), int(state.board[first + pits])))
    return found[0][0], found[1][0], (found[0][1], found[1][1])
