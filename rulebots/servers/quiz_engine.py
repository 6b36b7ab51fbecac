"""The quiz's client without its socket: what a server's lines mean to the player.

The player gets a position that agrees with all that the server has told: wherever it has not seen a card lies some
card of the pack that it has not seen. Once it learns that another one lies there, the two change places. What the
player observes of that position is the truth.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from rulebots.errors import shown
from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.games.lost_cities.cards import FROM_DECK, FROM_PILE, INVESTMENTS, KINDS, SUIT_SIZE
from rulebots.games.lost_cities.text import write
from rulebots.protocols import Begin, Bye, Decide, End, Engine, Event, ProtocolError, Say, sent
from rulebots.servers import quiz_lines as lines

_HAND = " Hand:  "
_DECK = " Deck:  "
_ERROR = "Error:  "
#: Lines of a board that say nothing new.
_KNOWN = (*(f"{land}:" for land in lines.LANDS), "  Opponent:", "  Discards:", "       You:")
_HAND_SIZE = lines.OPTIONS["hand_size"]
#: Every card of the pack.
PACK = tuple(
    10 * suit + max(0, copy - INVESTMENTS + 1) for suit in range(len(lines.LANDS)) for copy in range(SUIT_SIZE)
)  # fmt: skip


class QuizEngine(Engine):
    """One game as a client; the player's chance comes from the random state `luck`, in 1..2**32-1."""

    longest_line = lines.LONGEST_LINE

    def __init__(self, game: Game, luck: int) -> None:
        self._game = game
        self._luck = luck
        self._known: Knowledge | None = None
        self._asked: Decide | None = None
        self._refused = set[int]()
        self._last = -1
        self._over = False

    def receive(self, line: str) -> Sequence[Event]:
        """What a line of the server asks for, if anything. Raises ProtocolError."""
        events: list[Event] = []
        notice = lines.read_notice(line)
        if self._known is None:  # the side that begins is asked before it is told anything
            seat = 1 if notice is not None and not notice.mine else 0
            self._known = Knowledge(self._game, seat, self._luck)
            events.append(Begin(seat, lines.OPTIONS))
        if not self._learns(line, notice, self._known):
            events += self._follow(line, self._known)
        return events

    @staticmethod
    def _learns(line: str, notice: lines.Notice | None, known: Knowledge) -> bool:
        """Whether the line tells something about the cards, which is known then."""
        hand = None
        if line.startswith(_HAND):
            hand = [lines.read_card(word) for word in line.removeprefix(_HAND).split()]
        try:
            if notice is not None:
                known.tell(notice)
            elif hand is not None:
                known.see_hand(hand)
            elif line.startswith(_DECK):
                known.see_deck(line)
            else:
                return False
        except (ValueError, IndexError):
            raise ProtocolError(f"sent '{shown(line)}', which contradicts what it told before") from None
        return True

    def _follow(self, line: str, known: Knowledge) -> Sequence[Event]:
        if line.startswith(_ERROR):
            return [self._try_another(line)]
        if (score := lines.read_score(line)) is not None:
            if not score.final:
                return [self._question(line, score.prompt, known)]
            self._over = True
            points = (score.mine, score.other) if known.seat == 0 else (score.other, score.mine)
            return [End(points)]
        if line == lines.GAME_OVER:
            self._over = True
        elif not line.startswith(_KNOWN) and line not in {lines.WON, lines.DRAWN, lines.LOST}:
            raise ProtocolError(f"sent a line that the quiz does not have: '{shown(line)}'")
        return []

    def _question(self, line: str, prompt: str, known: Knowledge) -> Event:
        if prompt not in {lines.PLAY, lines.DRAW}:
            raise sent(line, f"the question '{lines.PLAY}' or '{lines.DRAW}'")
        position = known.position
        if position.mover != known.seat or position.over:
            raise ProtocolError(f"asked '{prompt}' when it is not our turn")
        self._refused.clear()
        self._asked = Decide(position, position.legal_moves)
        return self._asked

    def _try_another(self, line: str) -> Event:
        """The server refused a move that is legal here and waits for another, without a limit."""
        if self._asked is None:
            raise ProtocolError(f"sent '{shown(line)}' when it had not asked")
        self._refused.add(self._last)
        moves = self._asked.moves.tolist()
        if moves[0] != FROM_DECK:  # discards and the deck are always allowed: try them first
            moves.reverse()
        for move in moves:
            if move not in self._refused:
                self._last = move
                return Say(write(move))
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
    """What the player in one seat knows; seat 0 has begun.

    Its methods raise ValueError or IndexError for news that cannot be true.
    """

    def __init__(self, game: Game, seat: int, luck: int) -> None:
        self.seat = seat
        self._position = Position(game, lines.OPTIONS, PACK, luck=[luck, luck], compiled=True)
        #: The guessed cards in each seat's hand. All cards of the deck are guesses as well.
        self._guessed = [list(PACK[:_HAND_SIZE]), list(PACK[_HAND_SIZE : 2 * _HAND_SIZE])]

    @property
    def position(self) -> Position:
        """A position that agrees with everything; it is the caller's."""
        return self._position.copy()

    def tell(self, notice: lines.Notice) -> None:
        """A move has been made."""
        seat = self.seat if notice.mine else 1 - self.seat
        state = self._position.state
        drawn: list[int] = []
        if notice.move == FROM_DECK:
            drawn = state.deck[: state.deck_left][-1:].tolist()
        elif notice.move < FROM_DECK:
            self._lay(seat, notice.move % KINDS)
        else:
            suit = notice.move - FROM_PILE
            if state.pile[suit, state.pile_size[suit] - 1] != notice.card:
                raise ValueError("another card is on that pile")
        self._position.push(notice.move)
        self._guessed[seat] += drawn

    def see_deck(self, line: str) -> None:
        """The player is shown how many cards the deck has."""
        if f"({self._position.state.deck_left})" not in line:
            raise ValueError("another number of cards is left")

    def see_hand(self, hand: Sequence[int]) -> None:
        """The player is shown its hand."""
        guessed = self._guessed[self.seat]
        news = Counter(hand) - self._known(self.seat)
        if len(hand) != self._position.state.hand_size[self.seat] or news.total() != len(guessed):
            raise ValueError("cards of the hand are missing")
        wrong = Counter(guessed) - news
        missing = news - Counter(guessed)
        for guess, card in zip(wrong.elements(), missing.elements(), strict=True):
            self._exchange(self.seat, guess, card)
        guessed.clear()

    def _lay(self, seat: int, card: int) -> None:
        """A seat lays a card: one that it is known to hold, else one of the guessed."""
        guessed = self._guessed[seat]
        if self._known(seat)[card]:
            return
        if card not in guessed:
            self._exchange(seat, guessed[0], card)
        guessed.remove(card)

    def _known(self, seat: int) -> Counter[int]:
        """The cards that a seat is known to hold."""
        state = self._position.state
        return Counter(state.hand[seat, : state.hand_size[seat]].tolist()) - Counter(self._guessed[seat])

    def _exchange(self, seat: int, guess: int, card: int) -> None:
        """Put a card in the place of a guess in a seat's hand, and the guess where the card was guessed to be."""
        state = self._position.state
        if card in self._guessed[1 - seat]:
            self._replace(1 - seat, card, guess)
        else:
            state.deck[state.deck[: state.deck_left].tolist().index(card)] = guess
        self._replace(seat, guess, card)

    def _replace(self, seat: int, former: int, card: int) -> None:
        """Another card in a seat's hand, which is sorted."""
        guessed = self._guessed[seat]
        guessed[guessed.index(former)] = card
        hand = self._position.state.hand[seat, : self._position.state.hand_size[seat]]
        hand[hand.tolist().index(former)] = card
        hand.sort()
