"""Lost Cities, slow and obvious, from the reference text alone: the oracle of the compiled law.

A card is (suit letter, value), an investment has value 0; a move is the text that a player types.
"""

from __future__ import annotations

SUIT_LETTERS = "DOMJVC"

Card = tuple[str, int]


def pack_of(suits: int) -> list[Card]:
    """Every card of a pack, investments three times."""
    return [(suit, value) for suit in SUIT_LETTERS[:suits] for value in (0, 0, 0, *range(2, 11))]


def hand_order(card: Card) -> tuple[int, int]:
    """By suit D O M J V (C), then investments, then rising numbers."""
    return SUIT_LETTERS.index(card[0]), card[1]


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
    return f"{card[1] or 'i'}{card[0].lower()}"


class NaiveGame:
    """One game; `deal` is the whole shuffled pack, dealt from its front."""

    def __init__(self, deal: list[Card], suits: int = 5, hand_size: int = 8) -> None:
        self.suits = SUIT_LETTERS[:suits]
        self.hands = [deal[:hand_size], deal[hand_size : 2 * hand_size]]
        self.deck = deal[2 * hand_size :]
        self.expeditions: list[dict[str, list[int]]] = [{s: [] for s in self.suits} for _ in range(2)]
        self.piles: dict[str, list[int]] = {s: [] for s in self.suits}
        self.mover = 0
        self.drawing = False
        self.forbidden = ""  # the suit discarded to this very turn
        self.taken: list[list[Card]] = [[], []]  # picked up from a pile in the open, and still held
        self.streaks = [0, 0]

    def hand(self, seat: int) -> list[Card]:
        return sorted(self.hands[seat], key=hand_order)

    def over(self) -> bool:
        return not self.deck

    def points(self, seat: int) -> int:
        return sum(expedition_points(e) for e in self.expeditions[seat].values())

    def legal(self) -> list[str]:
        """The moves to choose from, each once: the play of a card before its discard."""
        if self.drawing:
            return ["n"] + [s.lower() for s in self.suits if self.piles[s] and s != self.forbidden]
        words = []
        for card in dict.fromkeys(self.hand(self.mover)):
            if may_follow(self.expeditions[self.mover][card[0]], card[1]):
                words.append(card_word(card))
            words.append("d" + card_word(card))
        return words

    def play(self, word: str) -> None:
        """Make a legal move."""
        if self.drawing:
            self._draw(word)
            return
        discarding = word[0] == "d"
        suit, value = word[-1].upper(), 0 if "i" in word else int(word.removeprefix("d")[:-1])
        self.hands[self.mover].remove((suit, value))
        if (suit, value) in self.taken[self.mover]:
            self.taken[self.mover].remove((suit, value))
        if discarding:
            self.piles[suit].append(value)
            self.forbidden = suit
            self.streaks[self.mover] += 1
        else:
            self.expeditions[self.mover][suit].append(value)
            self.streaks[self.mover] = 0
        self.drawing = True

    def _draw(self, word: str) -> None:
        if word == "n":
            self.hands[self.mover].append(self.deck.pop(0))
        else:
            card = (word.upper(), self.piles[word.upper()].pop())
            self.hands[self.mover].append(card)
            self.taken[self.mover].append(card)
        self.drawing = False
        self.forbidden = ""
        self.mover = 1 - self.mover


def perft(game: NaiveGame, depth: int) -> int:
    """How many sequences of that many moves there are; a game that is over has no more."""
    if depth == 0:
        return 1
    if game.over():
        return 0
    total = 0
    for word in game.legal():
        after = copied(game)
        after.play(word)
        total += perft(after, depth - 1)
    return total


def copied(game: NaiveGame) -> NaiveGame:
    twin = NaiveGame([], len(game.suits), 0)
    twin.hands = [list(h) for h in game.hands]
    twin.deck = list(game.deck)
    twin.expeditions = [{s: list(e) for s, e in side.items()} for side in game.expeditions]
    twin.piles = {s: list(p) for s, p in game.piles.items()}
    twin.mover, twin.drawing, twin.forbidden = game.mover, game.drawing, game.forbidden
    twin.taken = [list(t) for t in game.taken]
    twin.streaks = list(game.streaks)
    return twin
