"""The quiz's client without its socket: what a server's lines mean to the player.

The player knows a position that agrees with all that it was told: where it has not seen a card, there lies some card of
the pack that it has not seen. Once it sees that another one lies there, the two change places. What it observes of that
position is the truth.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.games.lost_cities.cards import INVESTMENTS, KINDS, SUIT_SIZE, card_text
from rulebots.games.lost_cities.game import FROM_DECK, FROM_PILE
from rulebots.games.lost_cities.text import write
from rulebots.protocols import Begin, Bye, Decide, End, Engine, Event, ProtocolError, Say
from rulebots.servers.quiz import lines

_HAND, _DECK, _ERROR = " Hand:  ", " Deck:  ", "Error:  "
#: Lines of a board that say nothing new.
_KNOWN = (*(f"{land}:" for land in lines.LANDS), "  Opponent:", "  Discards:", "       You:")
_RESULTS = ("Congratulations, you win.", "The game is a draw.", "I'm sorry, you lose.")
_HAND_SIZE = lines.OPTIONS["hand_size"]
#: Every card of the pack.
PACK = tuple(
    10 * suit + max(0, copy - INVESTMENTS + 1) for suit in range(len(lines.LANDS)) for copy in range(SUIT_SIZE)
)  # fmt: skip


class QuizEngine(Engine):
    """One game as a client; `luck`, in 1..2**32-1, is the random state that the player's chance comes from."""

    longest_line = 1024

    def __init__(self, game: Game, luck: int) -> None:
        self._game, self._luck = game, luck
        self._known: Knowledge | None = None
        self._asked: Decide | None = None
        self._refused = set[int]()
        self._last = -1
        self._over = False

    def receive(self, line: str) -> Sequence[Event]:
        """What a line of the server's asks for, if anything."""
        begun: list[Event] = []
        notice = lines.read_notice(line)
        if self._known is None:  # the side that begins is asked before it is told anything
            seat = 1 if notice is not None and not notice.mine else 0
            self._known = Knowledge(self._game, seat, self._luck)
            begun.append(Begin(seat, lines.OPTIONS))
        if notice is not None:
            self._known.tell(notice)
            return begun
        return [*begun, *self._understood(line, self._known)]

    def _understood(self, line: str, known: Knowledge) -> Sequence[Event]:
        if line.startswith(_ERROR):
            return self._again(line)
        if line.startswith(_HAND):
            known.see_hand([lines.read_card(word) for word in line.removeprefix(_HAND).split()])
        elif line.startswith(_DECK):
            if f"({known.deck})" not in line:
                raise ProtocolError(f"showed another deck than the {known.deck} cards that are left")
        elif (score := lines.read_score(line)) is not None:
            return self._scored(score, known)
        elif line == lines.GAME_OVER:
            self._over = True
        elif not line.startswith(_KNOWN) and line not in _RESULTS:
            raise ProtocolError(f"sent a line that the quiz does not have: '{line[:60]}'")
        return []

    def _scored(self, score: lines.ScoreLine, known: Knowledge) -> Sequence[Event]:
        if score.final:
            self._over = True
            mine, other = score.mine, score.other
            return [End((mine, other) if known.seat == 0 else (other, mine))]
        if score.prompt not in {lines.PLAY, lines.DRAW}:
            raise ProtocolError(f"asked '{score.prompt[:40]}': expected '{lines.PLAY}' or '{lines.DRAW}'")
        position = known.position
        if position.mover != known.seat or position.over:
            raise ProtocolError(f"asked '{score.prompt}' when it is not our turn")
        self._refused.clear()
        self._asked = Decide(position, position.legal_moves)
        return [self._asked]

    def _again(self, line: str) -> Sequence[Event]:
        """The server refused a move that is legal here: another one, for it waits without end."""
        if self._asked is None:
            raise ProtocolError(f"sent '{line[:40]}' when it had not asked")
        self._refused.add(self._last)
        others = self._asked.moves.tolist()
        if others[0] != FROM_DECK:  # a discard is always allowed, and so is the deck
            others.reverse()
        for move in others:
            if move not in self._refused:
                self._last = move
                return [Say(write(move))]
        raise ProtocolError("refused every legal move")

    def answer(self, asked: Decide, move: int, about: Any = None) -> list[str]:
        """The move as the quiz writes it: `3d`, `d10v`, `n`."""
        self._last = move
        return [write(move)]

    def closed(self) -> Sequence[Event]:
        """The server ends the connection after each game."""
        if not self._over:
            raise ProtocolError("cut the connection before the game was over")
        return [Bye()]


class Knowledge:
    """The knowledge of the player in one seat; seat 0 has begun."""

    def __init__(self, game: Game, seat: int, luck: int) -> None:
        self.seat = seat
        self._position = Position(game, lines.OPTIONS, PACK, luck=[luck, luck], compiled=True)
        #: The cards in each seat's hand that nobody has told of: they may lie elsewhere. So may all cards of the deck.
        self._guessed = [list(PACK[:_HAND_SIZE]), list(PACK[_HAND_SIZE : 2 * _HAND_SIZE])]

    @property
    def deck(self) -> int:
        """How many cards the deck has."""
        return int(self._position.state.deck_left)

    @property
    def position(self) -> Position:
        """A position that agrees with everything; it is the caller's."""
        return self._position.copy()

    def tell(self, notice: lines.Notice) -> None:
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
        """A seat lays that card: one that it is known to hold, else one of the guessed. Raises ProtocolError."""
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
