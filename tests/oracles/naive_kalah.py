"""Kalah, slow and obvious, from the reference text alone: the oracle of the compiled law.

Each side has a list of pits, from its own left, and a store; a move is the number of a pit.
"""

from __future__ import annotations


class NaiveGame:
    """One game, from its beginning."""

    def __init__(self, pits: int = 6, stones: int = 4, *, empty_capture: bool = True) -> None:
        self.pits = [[stones] * pits, [stones] * pits]
        self.stores = [0, 0]
        self.mover = 0
        self.empty_capture = empty_capture

    def legal(self) -> list[int]:
        return [pit for pit, stones in enumerate(self.pits[self.mover]) if stones > 0]

    def over(self) -> bool:
        return sum(self.pits[0]) == 0 or sum(self.pits[1]) == 0

    def points(self, seat: int) -> int:
        return self.stores[seat] + (sum(self.pits[seat]) if self.over() else 0)

    def play(self, pit: int) -> None:
        """Sow stone by stone: along my side, into my store, along the other side, and round again."""
        me, other = self.mover, 1 - self.mover
        size = len(self.pits[me])
        stones = self.pits[me][pit]
        self.pits[me][pit] = 0
        side, place = me, pit
        for _ in range(stones):
            place += 1
            if side == me and place == size:
                self.stores[me] += 1
            elif side == me and place > size:
                side, place = other, 0
                self.pits[other][0] += 1
            elif side == other and place == size:
                side, place = me, 0
                self.pits[me][0] += 1
            else:
                self.pits[side][place] += 1
        if side == me and place == size:
            return
        if side == me and self.pits[me][place] == 1:
            opposite = size - 1 - place
            if self.pits[other][opposite] > 0 or self.empty_capture:
                self.stores[me] += 1 + self.pits[other][opposite]
                self.pits[me][place] = self.pits[other][opposite] = 0
        self.mover = other


def perft(game: NaiveGame, depth: int) -> int:
    """How many sequences of that many moves there are; a game that is over has no more."""
    if depth == 0:
        return 1
    if game.over():
        return 0
    total = 0
    for pit in game.legal():
        after = copied(game)
        after.play(pit)
        total += perft(after, depth - 1)
    return total


def copied(game: NaiveGame) -> NaiveGame:
    twin = NaiveGame(0, 0, empty_capture=game.empty_capture)
    twin.pits = [list(side) for side in game.pits]
    twin.stores = list(game.stores)
    twin.mover = game.mover
    return twin
