"""Lost Cities in plain Python, from the reference text alone: the oracle of the compiled law.

Cards are named tuples, a table is lists, and a move is the text that a player types. It knows nothing of
the package that it checks. The benchmark of the compiled match loop plays on it too, so it stays quick
where a game is played: `lay`, `discard`, `draw` are the law without the text.
"""

from __future__ import annotations

import copy
from bisect import insort
from collections.abc import Sequence
from typing import NamedTuple

SUIT_LETTERS = "DOMJVC"  # Deserts, Oceans, Mountains, Jungles, Volcanoes, Caves


class Card(NamedTuple):
    """A card; an investment has the value 0. Cards sort as a hand does."""

    suit: int
    value: int


def pack_of(suits: int) -> list[Card]:
    """Every card of a pack, investments three times."""
    return [Card(suit, value) for suit in range(suits) for value in (0, 0, 0, *range(2, 11))]


def may_follow(expedition: list[int], value: int) -> bool:
    """Numbers strictly rising; investments only before any number."""
    if not expedition:
        return True
    return expedition[-1] == 0 if value == 0 else value > expedition[-1]


def expedition_points(expedition: list[int]) -> int:
    if not expedition:
        return 0
    investments = expedition.count(0)
    return (sum(expedition) - 20) * (1 + investments) + (20 if len(expedition) >= 8 else 0)


def card_word(card: Card) -> str:
    return f"{card.value or 'i'}{pile_word(card.suit)}"


def pile_word(suit: int) -> str:
    return SUIT_LETTERS[suit].lower()


class NaiveGame:
    """One game; `deal` is the whole shuffled pack, dealt from its front."""

    def __init__(self, deal: Sequence[Card], suits: int = 5, hand_size: int = 8) -> None:
        self.suits = range(suits)
        self.hands = [sorted(deal[:hand_size]), sorted(deal[hand_size : 2 * hand_size])]
        self.deck = list(reversed(deal[2 * hand_size :]))  # drawn from its end
        self.expeditions: list[list[list[int]]] = [[[] for _ in self.suits] for _ in range(2)]
        self.piles: list[list[int]] = [[] for _ in self.suits]
        self.mover = 0
        self.drawing = False
        self.forbidden: int | None = None  # the suit discarded to this very turn
        self.taken: list[list[Card]] = [[], []]  # picked up from a pile in the open, and still held
        self.laid_again: list[list[Card]] = [[], []]  # investments that were picked up so, and laid since
        self.streaks = [0, 0]

    def over(self) -> bool:
        return not self.deck

    def points(self, seat: int) -> int:
        return sum(map(expedition_points, self.expeditions[seat]))

    def lay(self, card: Card) -> None:
        """The mover lays a card on its own expedition."""
        if card.value == 0 and card in self.taken[self.mover]:
            self.laid_again[self.mover].append(card)
        self._give_up(card)
        self.expeditions[self.mover][card.suit].append(card.value)
        self.streaks[self.mover] = 0

    def discard(self, card: Card) -> None:
        """The mover lays a card on the pile of its suit."""
        self._give_up(card)
        self.piles[card.suit].append(card.value)
        self.forbidden = card.suit
        self.streaks[self.mover] += 1

    def _give_up(self, card: Card) -> None:
        self.hands[self.mover].remove(card)
        if card in self.taken[self.mover]:
            self.taken[self.mover].remove(card)
        self.drawing = True

    def draw(self, suit: int | None) -> None:
        """The mover takes the top of a pile, or of the deck (None); the turn is over."""
        if suit is None:
            card = self.deck.pop()
        else:
            card = Card(suit, self.piles[suit].pop())
            self.taken[self.mover].append(card)
        insort(self.hands[self.mover], card)
        self.drawing = False
        self.forbidden = None
        self.mover = 1 - self.mover

    def legal(self) -> list[str]:
        """The moves to choose from, each once: the play of a card before its discard."""
        if self.drawing:
            return ["n"] + [pile_word(s) for s in self.suits if self.piles[s] and s != self.forbidden]
        words = []
        for card in dict.fromkeys(self.hands[self.mover]):
            if may_follow(self.expeditions[self.mover][card.suit], card.value):
                words.append(card_word(card))
            words.append("d" + card_word(card))
        return words

    def play(self, word: str) -> None:
        """Make a legal move."""
        suit = None if word == "n" else SUIT_LETTERS.index(word[-1].upper())
        if self.drawing:
            self.draw(suit)
            return
        assert suit is not None
        value = word.removeprefix("d")[:-1]
        card = Card(suit, 0 if value == "i" else int(value))
        if word.startswith("d"):
            self.discard(card)
        else:
            self.lay(card)


def perft(game: NaiveGame, depth: int) -> int:
    """How many sequences of that many moves there are; a game that is over has no more."""
    if depth == 0:
        return 1
    if game.over():
        return 0
    total = 0
    for word in game.legal():
        after = copy.deepcopy(game)
        after.play(word)
        total += perft(after, depth - 1)
    return total
