"""A game that is being played: it can be taken back, move by move, and written as a record at any time."""

from __future__ import annotations

import numpy as np

from rulebots.game import Moves, State, View
from rulebots.random_numbers import next_luck
from rulebots.records.model import Record, RecordedGame, Result
from rulebots.records.replaying import replay
from rulebots.records.writing import rows_of


class Ongoing:
    """A recorded game, finished or not, to be played on. The law runs interpreted: it is one game.

    `states[p]` is the position behind p moves, `moves` are their numbers, those of the record first.

    Raises:
        RecordError: the record's moves are not what the law allows.
    """

    def __init__(self, recorded: RecordedGame, seed: int | None = None) -> None:
        self.game = recorded.game
        self.recorded = recorded
        self.seed = seed
        replayed = replay(recorded)
        self.states: list[State] = list(replayed.states)
        self.moves: list[int] = list(replayed.moves)

    @property
    def state(self) -> State:
        """The position now."""
        return self.states[-1]

    @property
    def seat(self) -> int:
        """Whose decision it is."""
        return int(self.state.mover)

    @property
    def stalled(self) -> bool:
        """Whether the game has reached its limit of moves without being over."""
        return len(self.moves) >= self.game.ply_cap and not self.game.over(self.state)

    @property
    def ended(self) -> bool:
        """Whether there is nothing more to play."""
        return bool(self.game.over(self.state)) or self.stalled

    @property
    def points(self) -> tuple[int, int]:
        """The points of seat 0 and seat 1."""
        return int(self.game.points(self.state, 0)), int(self.game.points(self.state, 1))

    def legal(self) -> Moves:
        """The legal moves, int64[n]."""
        room = np.zeros(self.game.move_count, np.int64)
        return room[: self.game.moves(self.state, room)]

    def view(self) -> View:
        """What the mover may know, with the luck that the decision has."""
        view, seat = self.game.new_view(), self.seat
        self.game.observe(self.state, view)
        view.luck = (self.recorded.luck or (1, 1))[seat]
        for state in self.states[self.recorded.opening :]:
            view.luck = next_luck(int(view.luck)) if state.mover == seat else view.luck
        return view

    def play(self, move: int) -> None:
        """Make a legal move."""
        state = self.state.copy()
        self.game.play(state, move)
        self.states.append(state)
        self.moves.append(int(move))

    def take_back(self, seat: int) -> bool:
        """Go back to that seat's last decision; False where it has made none."""
        for ply in range(len(self.moves) - 1, self.recorded.opening - 1, -1):
            if self.states[ply].mover == seat:
                del self.moves[ply:], self.states[ply + 1 :]
                return True
        return False

    def record(self) -> Record:
        """The game so far, as a record of one game."""
        first = self.recorded
        played = RecordedGame(
            game=self.game,
            number=1,
            names=first.names,
            begins=first.begins,
            options=first.options,
            deal=first.deal,
            rows=rows_of(self.game, self.moves, first.opening),
            result=Result(self.points, self.stalled) if self.ended else Result(None),
            luck=first.luck,
        )
        return Record(self.game, first.names, first.options, (played,), self.seed, first.opening)
