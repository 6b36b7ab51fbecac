"""What one player of a game of the quiz knows, as a position that agrees with it.

The position is one of the possible ones: where the player has not seen a card, there lies some card of the pack that it
has not seen. Once it sees that another one lies there, the two change places. What the player observes is the truth.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.games.lost_cities.cards import INVESTMENTS, KINDS, SUIT_SIZE, card_text
from rulebots.games.lost_cities.game import FROM_DECK, FROM_PILE
from rulebots.protocols.protocol import ProtocolError
from rulebots.servers.quiz.words import LANDS, OPTIONS, Notice

_HAND = OPTIONS["hand_size"]
#: Every card of the pack.
PACK = tuple(
    10 * suit + max(0, copy - INVESTMENTS + 1) for suit in range(len(LANDS)) for copy in range(SUIT_SIZE)
)  # fmt: skip


class Knowledge:
    """The knowledge of the player in one seat; seat 0 has begun."""

    def __init__(self, game: Game, seat: int, luck: int) -> None:
        self.seat = seat
        self._position = Position(game, OPTIONS, PACK, luck=[luck, luck], compiled=True)
        #: The cards in each seat's hand that nobody has told us of: they may lie elsewhere. All of the deck is so.
        self._guessed = [list(PACK[:_HAND]), list(PACK[_HAND : 2 * _HAND])]

    @property
    def deck(self) -> int:
        """How many cards the deck has."""
        return int(self._position.state.deck_left)

    @property
    def position(self) -> Position:
        """A position that agrees with everything; it is the caller's."""
        return self._position.copy()

    def tell(self, notice: Notice) -> None:
        """A move has been made. Raises ProtocolError for one that cannot have been."""
        seat, state = self.seat if notice.mine else 1 - self.seat, self._position.state
        drawn: list[int] = []
        if notice.move == FROM_DECK:
            drawn = [int(state.deck[self.deck - 1])] if self.deck else []
        elif notice.move >= FROM_PILE:
            suit = notice.move - FROM_PILE
            if not state.pile_size[suit] or state.pile[suit, state.pile_size[suit] - 1] != notice.card:
                raise ProtocolError(f"told that {card_text(notice.card or 0)} was picked up, which is on no pile")
        else:
            self._lays(seat, notice.move % KINDS)
        try:
            self._position.push(notice.move)
        except UsageError as error:
            raise ProtocolError(f"told of a move that the law does not know: {error}") from None
        self._guessed[seat] += drawn

    def see_hand(self, hand: Sequence[int]) -> None:
        """The player is shown its hand. Raises ProtocolError where that is not the hand that it has to have."""
        guessed = self._guessed[self.seat]
        new = Counter(hand) - self._known(self.seat)
        if len(hand) != self._position.state.hand_size[self.seat] or new.total() != len(guessed):
            shown = " ".join(card_text(card) for card in hand)
            raise ProtocolError(f"showed the hand '{shown}', which does not follow from what it told before")
        wrong, missing = Counter(guessed) - new, new - Counter(guessed)
        for guess, card in zip(wrong.elements(), missing.elements(), strict=True):
            self._exchange(self.seat, guess, card)
        guessed.clear()

    def _lays(self, seat: int, card: int) -> None:
        """A seat has had that card in its hand: one that it is known to hold, else any. Raises ProtocolError."""
        guessed = self._guessed[seat]
        if self._known(seat)[card]:
            return
        if not guessed:
            raise ProtocolError(f"told that {card_text(card)} was laid by who cannot hold it")
        if card not in guessed:
            self._exchange(seat, guessed[0], card)
        guessed.remove(card)

    def _known(self, seat: int) -> Counter[int]:
        """The cards that a seat is known to hold."""
        state = self._position.state
        return Counter(state.hand[seat, : state.hand_size[seat]].tolist()) - Counter(self._guessed[seat])

    def _exchange(self, seat: int, guess: int, card: int) -> None:
        """Put a card in the place of a guess in a seat's hand, and the guess where it was guessed to be."""
        state, theirs = self._position.state, self._guessed[1 - seat]
        deck = state.deck[: self.deck]
        if card in theirs:
            self._replace(1 - seat, card, guess)
        elif card in deck:
            deck[deck.tolist().index(card)] = guess
        else:
            raise ProtocolError(f"told of more cards {card_text(card)} than the pack has")
        self._replace(seat, guess, card)

    def _replace(self, seat: int, former: int, card: int) -> None:
        """Another card in a seat's hand, which is sorted."""
        state, guessed = self._position.state, self._guessed[seat]
        guessed[guessed.index(former)] = card
        held = state.hand[seat, : state.hand_size[seat]]
        held[held.tolist().index(former)] = card
        held.sort()
