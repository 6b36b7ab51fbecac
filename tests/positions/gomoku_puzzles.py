"""Positions of gomoku in which the mover wins by force: where only five win, how many threes it takes, the text."""

from __future__ import annotations

from typing import NamedTuple

from rulebots.game.position import Position
from rulebots.packages import load_game


class Puzzle(NamedTuple):
    #: Of the stones of the winner, how many leave the other side a choice.
    threes: int
    exactly: int
    text: str

    @property
    def position(self) -> Position:
        size = self.text.partition(" ")[0].count("/") + 1
        return Position.from_text(load_game("gomoku"), self.text, {"size": size, "exactly": self.exactly})


#: Solved in some hundred positions at most.
SHORT = [
    Puzzle(0, 0, "15/15/15/15/15/7OO6/7XXO5/6OXXXO4/5XXXO6/5OXO7/15/15/15/15/15 O f7"),
    Puzzle(0, 1, "11/11/11/3OX6/2XXXO5/2OXO6/2XXO6/1OXXO2X3/3O2O4/11/11 O c4"),
    Puzzle(0, 0, "15/15/15/15/15/15/4XXXO1O5/4XOOO7/3OOOXX7/4XXX8/5X9/4O10/15/15/15 O f6"),
    Puzzle(1, 1, "15/15/15/15/15/8X6/6X2O5/4X1O2X5/5O1X7/4OXOX7/3X1O1O7/15/15/15/15 O f6"),
    Puzzle(2, 0, "9/9/4O4/4XX3/3XOO3/3OOX3/2X6/9/9 X f5"),
]
LONG = [
    Puzzle(2, 1, "15/15/15/15/4O10/15/4O1O2O5/5XXO7/5OXXX1O4/4OXXXO6/4XXOX7/4OX3O5/15/15/15 X e11"),
    Puzzle(2, 1, "15/15/15/11O3/6O1OX5/5OXXXXO4/4X2OXO5/4O1OXXXXO3/6OXO1XX3/5OXXX1OO3/5O1O2X4/15/15/15/15 O l7"),
    Puzzle(3, 1, "19/19/19/19/19/19/19/9XOX7/9O1O7/10X1X6/19/11O7/19/19/19/19/19/19/19 X j11"),
    Puzzle(3, 1, "9/9/9/5OX2/3XOOO2/5X3/2X1XOX2/9/9 O f4"),
    Puzzle(3, 0, "15/15/15/15/15/5X3X5/5O9/6X2OX4/8XOOO3/9XO4/15/15/15/15/15 X l7"),
    Puzzle(4, 0, "15/15/15/15/15/7O7/6OXX6/5XXXO6/5XXO7/4OO9/15/15/15/15/15 O f8"),
    Puzzle(
        4, 0, "15/15/4X2O1X5/1X1O2X1O1O4/2OX3OXXX4/1O1O1XO2O5/2XOOO1XOX5/4X3OXO4/1X4XO7/6O1X6/7X7/15/15/15/15 X k12"
    ),
    Puzzle(5, 0, "15/15/15/15/15/7O7/15/5OX1X6/4XOOO7/5XOX1X5/15/15/15/15/15 X f8"),
]
