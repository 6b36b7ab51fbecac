"""One game of the quiz's server without sockets: what each seat is told, and what its answers mean."""

from __future__ import annotations

from rulebots.game.position import Position
from rulebots.games.lost_cities.cards import DRAW, FROM_PILE, KINDS
from rulebots.servers import quiz_lines as lines

#: A line for a seat.
SeatLine = tuple[int, str]


class QuizTable:
    """A game between two seats. Its methods return the lines to send, in order.

    `answer` takes a line from the seat that is `waiting`; for a player of ours, `play` takes its move in `position`.
    """

    def __init__(self, position: Position) -> None:
        self.position = position

    @property
    def waiting(self) -> int:
        """The seat that has to decide."""
        return self.position.mover

    @property
    def over(self) -> bool:
        """Whether the game is over. The quiz has no cap on moves; the package's law has."""
        return self.position.over or self.position.stalled

    def begin(self) -> list[SeatLine]:
        """The first question."""
        return self._question()

    def answer(self, line: str) -> tuple[bool, list[SeatLine]]:
        """Whether the line is a legal move, which is then made, and the lines to send."""
        drawing = self._drawing
        move = lines.draw_answer(line) if drawing else lines.play_answer(line)
        refusal = ""
        if move is None:
            refusal = lines.INVALID_DRAW if drawing else lines.INVALID_PLAY
        elif move not in self.position.legal_moves:
            refusal = lines.NO_CARDS if drawing else self._why_not(move)
        if move is None or refusal:
            return False, [(self.waiting, refusal)]
        return True, self.play(move)

    def play(self, move: int) -> list[SeatLine]:
        """Make a legal move of the seat that has to decide."""
        seat = self.waiting
        state = self.position.state
        card = None
        if move >= FROM_PILE:
            suit = move - FROM_PILE
            card = int(state.pile[suit, state.pile_size[suit] - 1])
        self.position.play(move)
        mine, others = lines.notices(move, card)
        return [(1 - seat, others), (seat, mine), *(self._ending() if self.over else self._question())]

    def _question(self) -> list[SeatLine]:
        seat = self.waiting
        board = self.position.text(seat).split("\n")
        score = lines.score(*self._scores(seat), lines.DRAW if self._drawing else lines.PLAY)
        return [(seat, line) for line in (*board, score)]

    def _ending(self) -> list[SeatLine]:
        return [(seat, line) for seat in (0, 1) for line in lines.ending(*self._scores(seat))]

    def _scores(self, seat: int) -> tuple[int, int]:
        points = self.position.points
        return points[seat], points[1 - seat]

    @property
    def _drawing(self) -> bool:
        return bool(self.position.state.phase == DRAW)

    def _why_not(self, move: int) -> str:
        state = self.position.state
        hand = state.hand[self.waiting, : state.hand_size[self.waiting]]
        return lines.CANNOT_PLAY if move % KINDS in hand else lines.NO_SUCH_CARD
