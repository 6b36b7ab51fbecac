"""Adam Shelly's players of Ruby Quiz 58, statement by statement as his Ruby: the oracle of seed.py.

A board is a list: the mover's pits, its store, the opponent's pits, its store. The numbers 6, 7, 12,
13 and 14 of the quiz's board are written in terms of the pits a side.
"""

from __future__ import annotations

from rulebots.games.kalah.players import NUMBERED, branch


class Ruby:
    """What the players share: his KalahPlayer, with luck that is handed down instead of `rand`."""

    def __init__(self, pits: int) -> None:
        self.pits = pits

    def rotate(self, board: list[int], n: int) -> list[int]:
        return board[n:] + board[:n]

    def opposite(self, n: int) -> int:
        return 2 * self.pits - n

    def simulate(self, board: list[int], i: int) -> list[int]:
        b = list(board)
        stones, b[i] = b[i], 0
        while stones > 0:
            i += 1
            if i > 2 * self.pits:
                i = 0
            b[i] += 1
            stones -= 1
        if i in range(self.pits) and b[i] == 1:
            b[self.pits] += b[i] + b[self.opposite(i)]
            b[i] = b[self.opposite(i)] = 0
        return b

    def random_index(self, items: list[int], value: int, luck: int) -> int:
        n = (luck >> 8) % items.count(value)
        for i, e in enumerate(items):
            if e == value:
                n -= 1
                if n < 0:
                    return i
        raise AssertionError


class RemoveHigh(Ruby):
    def get_move(self, board: list[int], luck: int) -> int:
        mine = board[: self.pits]
        return mine.index(max(mine))


class Score(Ruby):
    def get_move(self, board: list[int], luck: int) -> int:
        scores = [self.gain(board, i) for i in range(self.pits)]
        return scores.index(max(scores))

    def gain(self, board: list[int], i: int) -> int:
        if board[i] == 0:
            return -1
        return self.simulate(board, i)[self.pits] - board[self.pits]


class DeepScore(Ruby):
    def get_move(self, board: list[int], luck: int) -> int:
        return self.best_move(board, luck)

    def best_move(self, board: list[int], luck: int) -> int:
        scores = [self.score_for(board, i, branch(luck, 1 + i)) for i in range(self.pits)]
        return scores.index(max(scores))

    def score_for(self, board: list[int], m: int, luck: int) -> int:
        if board[m] < 1:
            return -100
        b, taketurn = board, True
        while taketurn:
            taketurn = (b[m] + m) % (2 * self.pits + 2) == self.pits
            b = self.simulate(b, m)
            if taketurn:
                luck = branch(luck, 0)
                m = self.best_move(b, luck)
        return b[self.pits] - board[self.pits]


class APessimistic(DeepScore):
    max_depth = 3

    def get_move(self, board: list[int], luck: int) -> int:
        self.level = 0
        return self.best_move(board, luck)

    def best_move(self, board: list[int], luck: int) -> int:
        if self.level > self.max_depth:
            return super().best_move(board, luck)
        self.level += 1
        scores = [
            self.score_for(board, i, branch(luck, 1 + i))
            - self.worst_case(self.simulate(board, i), branch(luck, 1 + max(NUMBERED, self.pits) + i))
            for i in range(self.pits)
        ]
        self.level -= 1
        return self.random_index(scores, max(scores), luck)

    def worst_case(self, board: list[int], luck: int) -> int:
        worst = 0
        opp_board = self.rotate(board, self.pits + 1)
        for i in range(self.pits):
            s = self.score_for(opp_board, i, branch(luck, 1 + i))
            worst = max(worst, s)
        return worst
