"""The quiz's server without its sockets: one game, what each seat is told, and what its answers mean."""

from __future__ import annotations

from rulebots.game.position import Position
from rulebots.games.lost_cities.cards import KINDS
from rulebots.games.lost_cities.game import DRAW as DRAW_PHASE
from rulebots.games.lost_cities.game import FROM_PILE
from rulebots.servers.quiz import lines

#: A line for a seat.
Told = tuple[int, str]


class QuizGame:
    """A game between two seats. What a call gives are the lines to send, in order.

    A player that answers by a move and not by a line is asked with `position`.
    """

    def __init__(self, position: Position) -> None:
        self.position = position

    @property
    def waiting(self) -> int:
        """The seat that has to decide."""
        return self.position.mover

    @property
    def over(self) -> bool:
        """Whether there is nothing more to play. The quiz has no limit of moves; the package's law has."""
        return self.position.over or self.position.stalled

    def begin(self) -> list[Told]:
        """The first question."""
        return self._question()

    def answer(self, line: str) -> tuple[bool, list[Told]]:
        """What an answer of the seat that has to decide means: whether it is a move, which is then made."""
        seat, refusal = self.waiting, self._refusal(line)
        if refusal:
            return False, [(seat, refusal)]
        return True, self.play(self._move(line) or 0)

    def play(self, move: int) -> list[Told]:
        """A legal move of the seat that has to decide."""
        seat, taken = self.waiting, None
        state = self.position.state
        if move >= FROM_PILE:
            suit = move - FROM_PILE
            taken = int(state.pile[suit, state.pile_size[suit] - 1])
        self.position.play(move)
        mine, others = lines.notices(move, taken)
        return [(1 - seat, others), (seat, mine), *(self._ending() if self.over else self._question())]

    def _question(self) -> list[Told]:
        seat = self.waiting
        prompt = lines.DRAW if self._drawing else lines.PLAY
        board = self.position.text(seat).split("\n")
        mine, other = self._scores(seat)
        return [(seat, line) for line in (*board, lines.score(mine, other, prompt))]

    def _ending(self) -> list[Told]:
        return [(seat, line) for seat in (0, 1) for line in lines.ending(*self._scores(seat))]

    def _scores(self, seat: int) -> tuple[int, int]:
        points = self.position.points
        return points[seat], points[1 - seat]

    @property
    def _drawing(self) -> bool:
        return bool(self.position.state.phase == DRAW_PHASE)

    def _move(self, line: str) -> int | None:
        return lines.draw_answer(line) if self._drawing else lines.play_answer(line)

    def _refusal(self, line: str) -> str:
        """The quiz's line about an answer that is not a move; empty for one that is."""
        move = self._move(line)
        if move is None:
            return lines.INVALID_DRAW if self._drawing else lines.INVALID_PLAY
        if move in self.position.legal_moves:
            return ""
        if self._drawing:
            return lines.NO_CARDS
        state = self.position.state
        held = state.hand[self.waiting, : state.hand_size[self.waiting]]
        return lines.CANNOT_PLAY if move % KINDS in held else lines.NO_SUCH_CARD
