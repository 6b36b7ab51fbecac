"""Can't Stop once more, slow and obvious: the oracle of its law, of perft counts and of small boards' exact values."""

from __future__ import annotations

import copy
import functools
import itertools
from collections import Counter
from fractions import Fraction

Dice = tuple[int, ...]
#: Columns by their sums, one for each advance of a single space.
Columns = tuple[int, ...]


def rolls(sides: int) -> Counter[Dice]:
    """Every roll without an order, and in how many orders it comes."""
    return Counter(tuple(sorted(dice)) for dice in itertools.product(range(1, sides + 1), repeat=4))


@functools.cache
def pairings(dice: Dice) -> frozenset[Columns]:
    """Every way to make two pairs of four dice, as the two sums."""
    orders = itertools.permutations(dice)
    return frozenset(tuple(sorted((a + b, c + d))) for a, b, c, d in orders)


class Board:
    """A board with sums as columns. `marks` are the seats' squares, `runners` the neutral ones; -1 is off the board."""

    def __init__(self, sides: int = 6, shortest: int = 3, needed: int = 3, both: int = 1, seats: int = 2) -> None:
        middle = sides + 1
        self.tops = {c: shortest + 2 * (middle - 2 - abs(c - middle)) for c in range(2, 2 * sides + 1)}
        self.sides, self.needed, self.both = sides, needed, both
        self.marks: list[dict[int, int]] = [{} for _ in range(seats)]
        self.winners: dict[int, int] = {}
        self.runners: dict[int, int] = {}
        self.turn = 0
        #: Turns that have ended.
        self.turns = 0
        self.dice: Dice | None = None
        #: Whether the dice are to be rolled.
        self.rolling = True

    def won(self, seat: int) -> int:
        return list(self.winners.values()).count(seat)

    @property
    def over(self) -> bool:
        return any(self.won(seat) >= self.needed for seat in range(len(self.marks)))

    def after(self, runners: dict[int, int], columns: Columns) -> dict[int, int] | None:
        """The runners after they have advanced in all these columns, or None where they cannot."""
        runners = dict(runners)
        for column in columns:
            if column in self.winners:
                return None
            if column not in runners:
                if len(runners) == 3:
                    return None
                runners[column] = self.marks[self.turn].get(column, 0)
            runners[column] += 1
            if runners[column] > self.tops[column]:
                return None
        return runners

    def advances(self, dice: Dice) -> set[Columns]:
        found = set()
        for pair in pairings(dice):
            whole = self.after(self.runners, pair) is not None
            if whole:
                found.add(pair)
            # With two equal sums one space is less than both, and nobody is asked to take less of the same column.
            if not whole or (not self.both and pair[0] != pair[1]):
                found |= {(column,) for column in pair if self.after(self.runners, (column,)) is not None}
        return found

    def choices(self) -> set[str]:
        """What can be done, as the game writes it."""
        if self.rolling:
            return {"-".join(map(str, dice)) for dice in rolls(self.sides)}
        if self.dice is None:
            return {"stop", "roll"}
        return {"+".join(map(str, columns)) for columns in self.advances(self.dice)}

    def do(self, choice: str) -> None:
        if self.rolling:
            self.roll(tuple(int(die) for die in choice.split("-")))
        elif choice == "roll":
            self.rolling = True
        elif choice == "stop":
            self.stop()
        else:
            self.advance(tuple(int(column) for column in choice.split("+")))

    def roll(self, dice: Dice) -> None:
        if self.advances(dice):
            self.dice, self.rolling = dice, False
        else:
            self.pass_on()

    def advance(self, columns: Columns) -> None:
        runners = self.after(self.runners, columns)
        assert runners is not None
        self.runners, self.dice = runners, None
        tops = [column for column, space in runners.items() if space == self.tops[column]]
        if self.won(self.turn) + len(tops) >= self.needed:
            self.stop()

    def stop(self) -> None:
        for column, space in self.runners.items():
            self.marks[self.turn][column] = space
            if space == self.tops[column]:
                self.winners[column] = self.turn
                for marks in self.others():
                    marks.pop(column, None)
        self.pass_on()

    def pass_on(self) -> None:
        self.runners, self.dice, self.rolling = {}, None, not self.over
        self.turns += 1
        if not self.over:
            self.turn = (self.turn + 1) % len(self.marks)

    def others(self) -> list[dict[int, int]]:
        """The marks of the other seats, the next one's first."""
        return self.marks[self.turn + 1 :] + self.marks[: self.turn]

    def points(self, seat: int) -> int:
        return -self.turns if len(self.marks) == 1 else int(self.won(seat) >= self.needed)


def perft(board: Board, depth: int) -> int:
    """Sequences of so many choices, of the players and of chance."""
    if depth == 0:
        return 1
    if board.over:
        return 0
    leaves = 0
    for choice in board.choices():
        twin = copy.deepcopy(board)
        twin.do(choice)
        leaves += perft(twin, depth - 1)
    return leaves


# --- exact values, by value iteration over whole turns

#: The marks of both seats, the mover's first, as spaces in every column.
Marks = tuple[tuple[int, ...], tuple[int, ...]]


class Values:
    """How likely the mover wins from the beginning of a turn, if both play their best: `win[marks]`, all positions.

    Positions are swept until no value changes by more than `tolerance`. A turn is worked out in full: every roll, every
    way to use it, and whether to stop after it.
    """

    def __init__(self, sides: int, shortest: int, needed: int, tolerance: float = 1e-12) -> None:
        self.board = Board(sides, shortest, needed)
        self.columns = sorted(self.board.tops)
        self.tops = tuple(self.board.tops[c] for c in self.columns)
        self.needed = needed
        self.rolls = [(Fraction(count, sides**4), dice) for dice, count in rolls(sides).items()]
        self.pairs: dict[frozenset[Columns], float] = {}
        for odds, dice in self.rolls:
            self.pairs[pairings(dice)] = self.pairs.get(pairings(dice), 0.0) + float(odds)
        start: Marks = ((0,) * len(self.tops), (0,) * len(self.tops))
        self.win: dict[Marks, float] = {}
        self._find(start)
        change = 1.0
        while change > tolerance:
            change = 0.0
            for marks in self.order:
                value = self.turn(marks)
                change = max(change, abs(value - self.win[marks]))
                self.win[marks] = value

    def _find(self, start: Marks) -> None:
        """Collect every position that can begin a turn; those with most spaces climbed come first."""
        pending = [start]
        self.win[start] = 0.5
        while pending:
            marks = pending.pop()
            for runners in self.ends(marks):
                following = self.stopped(marks, runners)
                if following is not None and following not in self.win:
                    self.win[following] = 0.5
                    pending.append(following)
            bust = marks[1], marks[0]
            if bust not in self.win:
                self.win[bust] = 0.5
                pending.append(bust)
        self.order = sorted(self.win, key=lambda marks: -sum(marks[0]) - sum(marks[1]))

    def closed(self, marks: Marks) -> set[int]:
        return {i for i, top in enumerate(self.tops) if top in (marks[0][i], marks[1][i])}

    def ends(self, marks: Marks) -> list[dict[int, int]]:
        """Every way in which the runners can stand after at least one advance."""
        free = [i for i in range(len(self.tops)) if i not in self.closed(marks)]
        return [
            dict(zip(chosen, spaces, strict=True))
            for count in range(1, min(3, len(free)) + 1)
            for chosen in itertools.combinations(free, count)
            for spaces in itertools.product(*(range(marks[0][i] + 1, self.tops[i] + 1) for i in chosen))
        ]

    def stopped(self, marks: Marks, runners: dict[int, int]) -> Marks | None:
        """The position that the opponent gets; None if the game is won."""
        mine, theirs = list(marks[0]), list(marks[1])
        for i, space in runners.items():
            mine[i] = space
            if space == self.tops[i]:
                theirs[i] = 0
        if sum(m == top for m, top in zip(mine, self.tops, strict=True)) >= self.needed:
            return None
        return tuple(theirs), tuple(mine)

    def turn(self, marks: Marks) -> float:
        """How likely the mover wins, from the values of the positions that can follow the turn."""
        bust = 1.0 - self.win[marks[1], marks[0]]
        board = copy.copy(self.board)
        board.turn = 0
        board.marks = [{c: marks[0][i] for i, c in enumerate(self.columns)}, {}]
        board.winners = {self.columns[i]: 0 for i in self.closed(marks)}
        known: dict[frozenset[tuple[int, int]], float] = {}

        def rolling(runners: dict[int, int]) -> float:
            key = frozenset(runners.items())
            if key not in known:
                total = 0.0
                for pairs, odds in self.pairs.items():
                    ways = [board.after(runners, pair) for pair in pairs]
                    ways += [
                        board.after(runners, (column,))
                        for pair in pairs
                        if board.after(runners, pair) is None
                        for column in pair
                    ]
                    total += odds * max((deciding(way) for way in ways if way is not None), default=bust)
                known[key] = total
            return known[key]

        def deciding(runners: dict[int, int]) -> float:
            following = self.stopped(marks, {self.columns.index(c): space for c, space in runners.items()})
            if following is None:
                return 1.0
            return max(1.0 - self.win[following], rolling(runners))

        return rolling({})
