"""The Lost Cities quiz without sockets: its sentences, the server's side of a game, and the client's.

A `QuizTable` says what each seat is told, and what its answers mean. A `QuizEngine` says what a server's lines mean to
the player, which gets a position that agrees with all that the server has told: wherever it has not seen a card lies
some card of the pack that it has not seen. Once it learns that another one lies there, the two change places. What the
player observes of that position is the truth.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from rulebots.errors import UsageError, demand, shown
from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.games.lost_cities import cards
from rulebots.games.lost_cities.text import read, write
from rulebots.protocols import Begin, Bye, Decide, End, Engine, Event, ProtocolError, Say, sent

#: The game that is played: five lands of twelve cards, and hands of eight.
GAME = "lost-cities"
LANDS = 5
HAND = 8
OPTIONS = {"suits": LANDS, "hand_size": HAND}
#: Bytes.
LONGEST_LINE = 1024
PLAY = "Your play?"
DRAW = "Draw from?"
ERROR = "Error:  "
GAME_OVER = "Game over."
#: By the sign of the margin.
RESULTS = {1: "Congratulations, you win.", 0: "The game is a draw.", -1: "I'm sorry, you lose."}
#: Lines that tell the client nothing new.
_KNOWN = (
    *(f"{land}:" for land in cards.SUITS[:LANDS]), "  Opponent:", "  Discards:", "       You:", " Deck:", GAME_OVER,
    *RESULTS.values(),
)  # fmt: skip
_HAND = " Hand:  "
_NOTICE = re.compile(r"(You|Your opponent) (?:draws? a card from the deck|(play|discard|pick)s?(?: up)? the (\w+))\.")
_SCORE = re.compile(r"(Final )?Score:  (-?\d{1,9}) \(You\) vs\. (-?\d{1,9}) \(Opponent\)\.(?:  (.*\?))?")
#: What the quiz trims from an answer.
_BLANKS = " \t\n\v\f\r\0"
#: The cards by name, and the whole pack, in which each land has three investments.
_CARDS = {cards.card_text(card): card for card in range(10 * LANDS)}
PACK = sorted([*_CARDS.values(), *range(0, 10 * LANDS, 10), *range(0, 10 * LANDS, 10)])

#: A line for a seat.
SeatLine = tuple[int, str]


def ending(mine: int, other: int) -> list[str]:
    """The last lines of a game, for one player."""
    margin = mine - other
    return [GAME_OVER, f"Final Score:  {mine} (You) vs. {other} (Opponent).", RESULTS[(margin > 0) - (margin < 0)]]


@dataclass
class Score:
    """The games so far, from the side of a server or a client."""

    games: int = 0
    mine: int = 0
    other: int = 0
    #: How many were `won`, `lost`, `drawn` or `stalled`, and how many of these ended `by fault`.
    ends: Counter[str] = field(default_factory=Counter)

    def count(self, mine: int, other: int, *, stalled: bool = False, fault: bool = False) -> None:
        """Count another game; its points already include the forfeit."""
        self.games += 1
        self.mine += mine
        self.other += other
        self.ends["stalled" if stalled else "won" if mine > other else "lost" if mine < other else "drawn"] += 1
        self.ends["by fault"] += fault

    def line(self, name: str) -> str:
        """The score in a line: `champion: 12 won, 7 lost, 1 drawn of 20 games; 31.2 to 20.4 points a game`."""
        if not self.games:
            return "no game was played"
        ends = [f"{self.ends[end]:,} {end}" for end in ("won", "lost", "drawn")]
        ends += [f"{self.ends[end]:,} {end}" for end in ("stalled", "by fault") if self.ends[end]]
        return (
            f"{name}: {', '.join(ends)} of {self.games:,} game{'s' * (self.games > 1)}; "
            f"{self.mine / self.games:.1f} to {self.other / self.games:.1f} points a game"
        )


@dataclass
class QuizTable:
    """A game between two seats. Its methods return the lines to send, in order.

    `question` begins it. `answer` takes a line from the mover; for a player of ours, `play` takes its move.
    """

    position: Position

    @property
    def over(self) -> bool:
        """Whether the game is over. The quiz has no cap on moves; the package's law has."""
        return self.position.over or self.position.stalled

    def answer(self, line: str) -> tuple[bool, list[SeatLine]]:
        """Whether the line is a legal move, which is then made, and the lines to send."""
        drawing = self._drawing
        seat = self.position.mover
        move = self._read(line)
        if move is None:
            refusal = "Invalid draw." if drawing else "Invalid play."
        elif move in self.position.legal_moves:
            return True, self.play(move)
        elif drawing:
            refusal = "No cards there."
        else:
            state = self.position.state
            held = move % cards.KINDS in state.hand[seat, : state.hand_size[seat]]
            refusal = "You can't play that card." if held else "No such card."
        return False, [(seat, ERROR + refusal)]

    def play(self, move: int) -> list[SeatLine]:
        """Make a legal move of the seat that has to decide."""
        seat = self.position.mover
        state = self.position.state
        if move == cards.FROM_DECK:
            notice = "draw{} a card from the deck."
        elif move >= cards.FROM_PILE:
            suit = move - cards.FROM_PILE
            notice = f"pick{{}} up the {cards.card_text(state.pile[suit, state.pile_size[suit] - 1])}."
        else:
            notice = f"{'play' if move < cards.KINDS else 'discard'}{{}} the {cards.card_text(move % cards.KINDS)}."
        self.position.play(move)
        lines = [(1 - seat, f"Your opponent {notice.format('s')}"), (seat, f"You {notice.format('')}")]
        if not self.over:
            return [*lines, *self.question()]
        return [*lines, *((own, line) for own in (0, 1) for line in ending(*self._points(own)))]

    def question(self) -> list[SeatLine]:
        """What the seat that has to decide is shown and asked."""
        seat = self.position.mover
        mine, other = self._points(seat)
        question = f"Score:  {mine} (You) vs. {other} (Opponent).  {DRAW if self._drawing else PLAY}"
        return [(seat, line) for line in (*self.position.text(seat).split("\n"), question)]

    def _points(self, seat: int) -> tuple[int, int]:
        points = self.position.points
        return points[seat], points[1 - seat]

    @property
    def _drawing(self) -> bool:
        return bool(self.position.state.phase == cards.DRAW)

    def _read(self, line: str) -> int | None:
        """The move that an answer means, legal or not: a card, or a draw where one is due."""
        if not line.isascii():
            return None
        try:
            move = read(line.strip(_BLANKS), self.position.state)
        except UsageError:
            return None
        return move if (move >= cards.FROM_DECK) == self._drawing else None


class Notice(NamedTuple):
    """A move in the news; the card is None for one from the deck, which only the mover sees, later."""

    mine: bool
    move: int
    card: int | None


def read_notice(line: str) -> Notice | None:
    """The move that a line tells of; None for another line. Raises ProtocolError for an unknown card."""
    match = _NOTICE.fullmatch(line.strip())
    if match is None:
        return None
    mine = match[1] == "You"
    if match[3] is None:
        return Notice(mine, cards.FROM_DECK, None)
    card = read_card(match[3])
    moves = {"play": card, "discard": card + cards.KINDS, "pick": cards.FROM_PILE + card // 10}
    return Notice(mine, moves[match[2]], card)


def read_card(word: str) -> int:
    """`InvD`, `2D` .. `10V` as a card. Raises ProtocolError."""
    if word not in _CARDS:
        raise sent(word, "a card such as InvD or 10V")
    return _CARDS[word]


class QuizEngine(Engine):
    """One game as a client; the player's chance comes from the random state `luck`, in 1..2**32-1."""

    longest_line = LONGEST_LINE

    def __init__(self, game: Game, luck: int) -> None:
        self._game = game
        self._luck = luck
        self._known: Knowledge | None = None
        #: The legal moves that the server has not refused; None before its first question.
        self._untried: list[int] | None = None
        self._over = False

    def receive(self, line: str) -> Sequence[Event]:
        """What a line of the server asks for, if anything. Raises ProtocolError."""
        begun: list[Event] = []
        notice = read_notice(line)
        if self._known is None:  # the side that begins is asked before it gets any news
            seat = 1 if notice is not None and not notice.mine else 0
            self._known = Knowledge(self._game, seat, self._luck)
            begun = [Begin(seat, OPTIONS)]
        known = self._known
        hand = [read_card(word) for word in line.removeprefix(_HAND).split()] if line.startswith(_HAND) else None
        try:
            if notice is not None:
                known.tell(notice)
            elif hand is not None:
                known.see_hand(hand)
        except (ValueError, IndexError):
            raise ProtocolError(f"sent '{shown(line)}', which contradicts what it told before") from None
        return begun if notice or hand else [*begun, *self._follow(line, known)]

    def _follow(self, line: str, known: "Knowledge") -> Sequence[Event]:
        score = _SCORE.fullmatch(line.strip())
        if score is not None and score[1] is None:
            return [self._question(line, score[4], known.position, known.seat)]
        if score is not None:
            self._over = True
            points = int(score[2]), int(score[3])
            return [End(points if known.seat == 0 else points[::-1])]
        if line.startswith(ERROR):
            if self._untried is None:
                raise ProtocolError(f"sent '{shown(line)}' when it had not asked")
            demand(self._untried, "refused every legal move", ProtocolError)
            return [Say(write(self._untried.pop()))]  # it waits for another move, without a limit
        demand(line.startswith(_KNOWN), f"sent a line that the quiz does not have: '{shown(line)}'", ProtocolError)
        return []

    def _question(self, line: str, prompt: str, position: Position, seat: int) -> Event:
        if prompt not in {PLAY, DRAW}:
            raise sent(line, f"the question '{PLAY}' or '{DRAW}'")
        demand(position.mover == seat and not position.over, f"asked '{prompt}' when it is not our turn", ProtocolError)
        self._untried = position.legal_moves.tolist()
        return Decide(position, position.legal_moves)

    def answer(self, asked: Decide, move: int, about: Any = None) -> list[str]:
        """The move as the quiz writes it: `3d`, `d10v`, `n`."""
        self._untried = [other for other in asked.moves.tolist() if other != move]
        return [write(move)]

    def closed(self) -> Sequence[Event]:
        """The server ends the connection after each game."""
        demand(self._over, "cut the connection before the game was over", ProtocolError)
        return [Bye()]


class Knowledge:
    """What the player in one seat knows; seat 0 has begun.

    Its methods raise ValueError or IndexError for news that cannot be true.
    """

    def __init__(self, game: Game, seat: int, luck: int) -> None:
        self.seat = seat
        self._position = Position(game, OPTIONS, PACK, luck=[luck, luck], compiled=True)
        #: The guessed cards in each seat's hand. All cards of the deck are guesses as well.
        self._guessed = [PACK[:HAND], PACK[HAND : 2 * HAND]]

    @property
    def position(self) -> Position:
        """A position that agrees with everything; it is the caller's."""
        return self._position.copy()

    def tell(self, notice: Notice) -> None:
        """A move has been made."""
        seat = self.seat if notice.mine else 1 - self.seat
        state = self._position.state
        guessed = self._guessed[seat]
        drawn: list[int] = []
        if notice.move == cards.FROM_DECK:
            drawn = state.deck[: state.deck_left][-1:].tolist()
        elif notice.move >= cards.FROM_PILE:
            suit = notice.move - cards.FROM_PILE
            demand(
                state.pile[suit, state.pile_size[suit] - 1] == notice.card, "another card is on that pile", ValueError
            )
        elif not self._held(seat)[card := notice.move % cards.KINDS]:
            if card not in guessed:
                self._exchange(seat, guessed[0], card)
            guessed.remove(card)
        self._position.push(notice.move)
        guessed += drawn

    def see_hand(self, hand: Sequence[int]) -> None:
        """The player is shown its hand."""
        guessed = self._guessed[self.seat]
        news = Counter(hand) - self._held(self.seat)
        demand(
            len(hand) == self._position.state.hand_size[self.seat] and news.total() == len(guessed),
            "cards of the hand are missing",
            ValueError,
        )
        wrong = Counter(guessed) - news
        missing = news - Counter(guessed)
        for guess, card in zip(wrong.elements(), missing.elements(), strict=True):
            self._exchange(self.seat, guess, card)
        guessed.clear()

    def _held(self, seat: int) -> Counter[int]:
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
        guessed = self._guessed[seat]
        guessed[guessed.index(former)] = card
        hand = self._position.state.hand[seat, : self._position.state.hand_size[seat]]
        hand[hand.tolist().index(former)] = card
        hand.sort()
