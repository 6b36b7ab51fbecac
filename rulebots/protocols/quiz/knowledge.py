"""What one player of a game of the quiz knows, and a position that agrees with it.

Every card has a place in the pack as it was dealt: eight for each hand, then the deck. The player learns which card is
in a place when it sees it: its own hand, what is laid, what is picked up. The position puts the cards that it has not
seen in the places that are left, so that it is one of the possible ones; what the player observes there is the truth.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.games.lost_cities.cards import INVESTMENTS, KINDS, SUIT_SIZE, card_text
from rulebots.games.lost_cities.game import FROM_DECK, FROM_PILE
from rulebots.position import Position
from rulebots.protocols.protocol import ProtocolError
from rulebots.protocols.quiz.words import LANDS, OPTIONS, Notice

_HAND = OPTIONS["hand_size"]
#: Every card of the pack.
PACK = tuple(
    10 * suit + max(0, copy - INVESTMENTS + 1) for suit in range(len(LANDS)) for copy in range(SUIT_SIZE)
)  # fmt: skip


class Knowledge:
    """The knowledge of the player in one seat; seat 0 has begun."""

    def __init__(self, game: Game, seat: int, luck: int) -> None:
        self.game, self.seat = game, seat
        self._luck = luck
        #: The card in each place, as far as it is known.
        self._cards: list[int | None] = [None] * len(PACK)
        #: The places whose cards each seat holds.
        self._held = [list(range(_HAND)), list(range(_HAND, 2 * _HAND))]
        self._piles: list[list[int]] = [[] for _ in LANDS]
        self._next = 2 * _HAND
        self._moves: list[int] = []

    @property
    def deck(self) -> int:
        """How many cards the deck has."""
        return len(PACK) - self._next

    def tell(self, notice: Notice) -> None:
        """A move has been made. Raises ProtocolError for one that cannot have been."""
        seat = self.seat if notice.mine else 1 - self.seat
        if notice.move == FROM_DECK:
            if self._next == len(PACK):
                raise ProtocolError("told of a card from the deck, which is empty")
            self._held[seat].append(self._next)
            self._next += 1
        elif notice.move >= FROM_PILE:
            pile = self._piles[notice.move - FROM_PILE]
            if not pile or self._cards[pile[-1]] != notice.card:
                raise ProtocolError(f"told that {card_text(notice.card or 0)} was picked up, which is on no pile")
            self._held[seat].append(pile.pop())
        else:
            card = notice.move % KINDS
            place = self._place_of(seat, card)
            self._cards[place] = card
            self._held[seat].remove(place)
            if notice.move >= KINDS:
                self._piles[card // 10].append(place)
        self._moves.append(notice.move)

    def see_hand(self, hand: Sequence[int]) -> None:
        """The player is shown its hand. Raises ProtocolError where that is not the hand that it has to have."""
        mine = self._held[self.seat]
        new = Counter(hand) - Counter(card for card in (self._cards[place] for place in mine) if card is not None)
        unknown = [place for place in mine if self._cards[place] is None]
        if len(hand) != len(mine) or new.total() != len(unknown):
            shown = " ".join(card_text(card) for card in hand)
            raise ProtocolError(f"showed the hand '{shown}', which does not follow from what it told before")
        for place, card in zip(unknown, new.elements(), strict=True):
            self._cards[place] = card

    def position(self) -> Position:
        """A position that agrees with everything.

        Raises:
            ProtocolError: none does, because the moves that were told are not those of this game.
        """
        unseen = Counter(PACK)
        unseen.subtract(card for card in self._cards if card is not None)
        if min(unseen.values()) < 0:
            twice = card_text(min(unseen, key=lambda card: unseen[card]))
            raise ProtocolError(f"told of more cards {twice} than the pack has")
        rest = unseen.elements()
        deal = [next(rest) if card is None else card for card in self._cards]
        position = Position(self.game, OPTIONS, deal, luck=[self._luck, self._luck], compiled=True)
        try:
            for move in self._moves:
                position.push(move)
        except UsageError as error:
            raise ProtocolError(f"told of a move that the law does not know: {error}") from None
        return position

    def _place_of(self, seat: int, card: int) -> int:
        """Where in a seat's hand a card is that it lays: where it is known to be, else anywhere that is not known."""
        for known in (card, None):
            for place in self._held[seat]:
                if self._cards[place] == known:
                    return place
        raise ProtocolError(f"told that {card_text(card)} was laid by who cannot hold it")
