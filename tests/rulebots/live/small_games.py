"""Small games as strangers write them: classes of Python's over engines of their own."""
# ruff: noqa: S311 - dice

from __future__ import annotations

import copy
import random
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from rulebots import RuleSet, rule
from rulebots.live import CHANCE, LiveGame


class Heap:
    """Take one to three; who takes the last wins."""

    def __init__(self) -> None:
        self.left = 11
        self.turn = 0
        self.winner: int | None = None

    def take(self, count: int) -> None:
        self.left -= count
        if self.left == 0:
            self.winner = self.turn
        self.turn = 1 - self.turn


class Nim(LiveGame):
    """Without a copy: positions are played again."""

    def new(self, seed: int) -> Heap:
        return Heap()

    def mover(self, g: Heap) -> int:
        return g.turn

    def moves(self, g: Heap) -> Any:
        return range(1, min(3, g.left) + 1)

    def play(self, g: Heap, move: int) -> None:
        g.take(move)

    def over(self, g: Heap) -> bool:
        return g.winner is not None

    def points(self, g: Heap, seat: int) -> int:
        return int(g.winner == seat)


class CopiedNim(Nim):
    """With a copy, words for moves, and a picture."""

    def copy(self, g: Heap) -> Heap:
        return copy.copy(g)

    def write(self, g: Heap, move: int) -> str:
        return f"take {move} of {g.left}"

    def show(self, g: Heap, seat: int | None) -> str:
        return "|" * g.left


class Heaps(CopiedNim):
    """With an argument."""

    def __init__(self, left: int) -> None:
        self.left = left
        self.name = f"heaps-{left}"

    def new(self, seed: int) -> Heap:
        g = Heap()
        g.left = self.left
        return g


class Coin(NamedTuple):
    """A move that is an object."""

    row: int
    column: str


@dataclass(frozen=True)
class Board:
    """A position that never changes: whoever takes the third coin of a row wins."""

    taken: tuple[Coin, ...] = ()


class Coins(LiveGame):
    """Moves are tuples, and `play` gives another object."""

    title = "Rows of coins"

    def new(self, seed: int) -> Board:
        return Board()

    def mover(self, g: Board) -> int:
        return len(g.taken) % 2

    def moves(self, g: Board) -> list[Coin]:
        return [coin for row in (1, 2, 3) for column in "abc" if (coin := Coin(row, column)) not in g.taken]

    def play(self, g: Board, move: Coin) -> Board:
        return replace(g, taken=(*g.taken, move))

    def over(self, g: Board) -> bool:
        return any(sum(coin.row == row for coin in g.taken) == 3 for row in (1, 2, 3))

    def points(self, g: Board, seat: int) -> int:
        return int(self.over(g) and (len(g.taken) - 1) % 2 == seat)

    def copy(self, g: Board) -> Board:
        return g


class Bank:
    """Pig: roll, or bank what was rolled; a one loses it. `dice` rolls."""

    def __init__(self, dice: Any = None, seats: int = 2) -> None:
        self.dice = dice
        self.banked = [0] * seats
        self.pot = 0
        self.turn = 0
        self.rolling = False

    def bank(self) -> None:
        self.banked[self.turn] += self.pot
        self.pass_on()

    def pass_on(self) -> None:
        self.pot = 0
        self.turn = (self.turn + 1) % len(self.banked)

    def rolled(self, eyes: int) -> None:
        self.rolling = False
        if eyes == 1:
            self.pass_on()
        else:
            self.pot += eyes


class Pig(LiveGame):
    """The engine's own dice, of its seed."""

    def new(self, seed: int) -> Bank:
        return Bank(random.Random(seed), self.seats)

    def mover(self, g: Bank) -> int:
        return g.turn

    def moves(self, g: Bank) -> list[str]:
        return ["roll", "bank"] if g.pot else ["roll"]

    def play(self, g: Bank, move: str) -> None:
        if move == "bank":
            g.bank()
        else:
            g.rolled(g.dice.randint(1, 6))

    def over(self, g: Bank) -> bool:
        return max(g.banked) >= 15

    def points(self, g: Bank, seat: int) -> int:
        return g.banked[seat]

    def copy(self, g: Bank) -> Bank:
        return copy.deepcopy(g)


class FourPigs(Pig):
    """Four seats."""

    seats = 4
    counts = "places"


class GlobalPig(Pig):
    """Dice of Python's global random numbers."""

    def new(self, seed: int) -> Bank:
        return Bank(random)

    def copy(self, g: Bank) -> Bank:
        twin = copy.copy(g)
        twin.banked = [*g.banked]
        return twin


class ChancePig(Pig):
    """Dice that the caller rolls; a one is twice as likely."""

    chance = True

    def new(self, seed: int) -> Bank:
        return Bank()

    def mover(self, g: Bank) -> int:
        return CHANCE if g.rolling else g.turn

    def moves(self, g: Bank) -> Any:
        return [1, 2, 3, 4, 5, 6] if g.rolling else super().moves(g)

    def odds(self, g: Bank) -> list[float]:
        return [2, 1, 1, 1, 1, 1]

    def play(self, g: Bank, move: Any) -> None:
        if g.rolling:
            g.rolled(move)
        elif move == "bank":
            g.bank()
        else:
            g.rolling = True


class Hand(NamedTuple):
    """What a seat of `HighCard` knows."""

    mine: tuple[int, ...]
    table: tuple[int, ...]
    won: tuple[int, ...]


class Tricks:
    """Four cards each of twelve; the higher one takes a trick, and its player leads."""

    def __init__(self, seed: int) -> None:
        cards = random.Random(seed).sample(range(1, 13), 8)
        self.hands = [sorted(cards[:4]), sorted(cards[4:])]
        self.table: list[int] = []
        self.won = [0, 0]
        self.turn = 0

    def lay(self, card: int) -> None:
        self.hands[self.turn].remove(card)
        self.table.append(card)
        if len(self.table) == 1:
            self.turn = 1 - self.turn
            return
        first, second = self.table
        self.turn = self.turn if second > first else 1 - self.turn
        self.won[self.turn] += 1
        self.table = []


class HighCard(LiveGame):
    """Hidden hands, which can be dealt again."""

    hidden = True
    counts = "points"

    def new(self, seed: int) -> Tricks:
        return Tricks(seed)

    def mover(self, g: Tricks) -> int:
        return g.turn

    def moves(self, g: Tricks) -> list[int]:
        return g.hands[g.turn]

    def play(self, g: Tricks, move: int) -> None:
        g.lay(move)

    def over(self, g: Tricks) -> bool:
        return not any(g.hands)

    def points(self, g: Tricks, seat: int) -> int:
        return g.won[seat]

    def copy(self, g: Tricks) -> Tricks:
        return copy.deepcopy(g)

    def sees(self, g: Tricks, seat: int) -> Hand:
        return Hand(tuple(g.hands[seat]), tuple(g.table), tuple(g.won))

    def resample(self, g: Tricks, seat: int, seed: int) -> Tricks:
        twin = copy.deepcopy(g)
        free = [card for card in range(1, 13) if card not in g.hands[seat] and card not in g.table]
        twin.hands[1 - seat] = sorted(random.Random(seed).sample(free, len(g.hands[1 - seat])))
        return twin


class Tower(LiveGame):
    """Alone: lay the numbers of a seed in rising order, or throw them away."""

    seats = 1
    counts = "points"

    def new(self, seed: int) -> list[Any]:
        return [random.Random(seed).sample(range(20), 8), [-1]]

    def mover(self, g: list[Any]) -> int:
        return 0

    def moves(self, g: list[Any]) -> list[str]:
        return ["drop", "lay"] if g[0][0] > g[1][-1] else ["drop"]

    def play(self, g: list[Any], move: str) -> None:
        number = g[0].pop(0)
        if move == "lay":
            g[1].append(number)

    def over(self, g: list[Any]) -> bool:
        return not g[0]

    def points(self, g: list[Any], seat: int) -> int:
        return len(g[1]) - 1

    def copy(self, g: list[Any]) -> list[Any]:
        return [[*part] for part in g]


class Meeting(LiveGame):
    """Together: two who want to say the same number."""

    together = True
    hidden = True

    def new(self, seed: int) -> list[int]:
        return []

    def mover(self, g: list[int]) -> int:
        return len(g) % 2

    def moves(self, g: list[int]) -> Any:
        return range(4)

    def play(self, g: list[int], move: int) -> None:
        g.append(move)

    def over(self, g: list[int]) -> bool:
        return len(g) == 8

    def points(self, g: list[int], seat: int) -> int:
        return sum(one == other for one, other in zip(g[::2], g[1::2], strict=False))

    def sees(self, g: list[int], seat: int) -> tuple[int, ...]:
        return tuple(g[: len(g) // 2 * 2])


class Sticks:
    """An engine as easyAI's are."""

    def __init__(self, players: list[str]) -> None:
        self.players = players
        self.pile = 9
        self.current_player = 1

    def possible_moves(self) -> list[str]:
        return ["1", "2", "3"][: self.pile]

    def make_move(self, move: str) -> None:
        self.pile -= int(move)

    def is_over(self) -> bool:
        return self.pile <= 0

    def scoring(self) -> int:
        """Of the current player: who took the last stick loses."""
        return 100 if self.is_over() else 0

    def switch_player(self) -> None:
        self.current_player = 3 - self.current_player


class SticksGame(LiveGame):
    """An easyAI engine behind the methods of `LiveGame`."""

    def new(self, seed: int) -> Sticks:
        return Sticks(["one", "two"])

    def mover(self, g: Sticks) -> int:
        return g.current_player - 1

    def moves(self, g: Sticks) -> list[str]:
        return g.possible_moves()

    def play(self, g: Sticks, move: str) -> None:
        g.make_move(move)
        g.switch_player()

    def over(self, g: Sticks) -> bool:
        return g.is_over()

    def points(self, g: Sticks, seat: int) -> int:
        return g.scoring() if seat == g.current_player - 1 else -g.scoring()

    def copy(self, g: Sticks) -> Sticks:
        return copy.deepcopy(g)


@rule("move", early=1.0)
def by_text(position: Any, move: Any) -> float:
    """A preference that any move has."""
    return float(sum(map(ord, str(move))) % 7)


@rule("move", early=1.0)
def keeps_low(hand: Any, move: Any) -> float:
    """It keeps the high cards."""
    return float(-move)


#: Every game with a rule for it.
GAMES = (Nim, CopiedNim, Coins, Pig, FourPigs, GlobalPig, ChancePig, HighCard, Tower, Meeting, SticksGame)

nim_rules = RuleSet("nim", CopiedNim, (by_text,))
card_rules = RuleSet("cards", HighCard, (keeps_low,))
