"""Playing a recorded game again, and saying where it is not what the record says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from rulebots.errors import UsageError
from rulebots.game import Game, State, View
from rulebots.play.deals import draw_deals
from rulebots.play.loop import Law, law_of
from rulebots.random_numbers import next_luck
from rulebots.records.model import Record, RecordedGame, RecordError, Row

#: Legal moves that a message names.
NAMED = 12


@dataclass(frozen=True)
class Replay:
    """A game played again: `states[p]` is the position behind `p` moves, `moves` their numbers."""

    recorded: RecordedGame
    states: tuple[State, ...]
    moves: tuple[int, ...]

    @property
    def over(self) -> bool:
        """Whether the last position ends the game."""
        return bool(self.recorded.game.over(self.states[-1]))

    def view(self, ply: int) -> View:
        """What the mover knew when it chose the move of that ply, counted from 1; ply plies + 1 is the last position.

        Its luck is the one that it had then; 1 where the record does not say.
        """
        game, state = self.recorded.game, self.states[ply - 1]
        view = game.new_view()
        game.observe(state, view)
        view.luck = self._luck(ply)
        return view

    def legal(self, ply: int) -> list[int]:
        """The moves that were legal at that ply; none where the game is over."""
        game, state, room = self.recorded.game, self.states[ply - 1], np.zeros(self.recorded.game.move_count, np.int64)
        return [] if game.over(state) else room[: game.moves(state, room)].tolist()

    def _luck(self, ply: int) -> int:
        if self.recorded.luck is None:
            return 1
        seat = int(self.states[ply - 1].mover)
        luck = self.recorded.luck[seat]
        for state in self.states[self.recorded.opening : ply]:
            luck = next_luck(luck) if state.mover == seat else luck
        return luck


def replay(recorded: RecordedGame) -> Replay:
    """Play a recorded game again, move by move, and compare.

    The law runs interpreted: whatever a record says, no array is written beyond its end.

    Raises:
        RecordError: a move is none or is not legal, or points or result are others; it names line and ply.
    """
    states, moves = [], []
    for state, move in steps(recorded):
        states.append(state.copy())
        moves.append(move)
    return Replay(recorded, tuple(states), tuple(moves[1:]))


def check(record: Record) -> Iterator[RecordedGame]:
    """Play every game of a record again, and give each once it turned out as recorded.

    Raises:
        RecordError: as `replay` does.
    """
    drawn: dict[tuple[tuple[str, int], ...], set[tuple[int, ...]]] = {}
    for recorded in record.games:
        key = tuple(recorded.options.items())
        if key not in drawn:
            drawn[key] = _drawn(record, recorded)
        law = law_of(record.game) if recorded.deal in drawn[key] else None
        for _ in steps(recorded, law):
            pass
        yield recorded


def _drawn(record: Record, recorded: RecordedGame) -> set[tuple[int, ...]]:
    """The deals of the record's seed: those the compiled law is safe with, for they were not edited."""
    if record.seed is None:
        return set()
    cards = draw_deals(record.game, len(record.games), record.seed, options=recorded.options, opening_plies=0).cards
    return {tuple(row) for row in cards.tolist()}


def steps(recorded: RecordedGame, law: Law | None = None) -> Iterator[tuple[State, int]]:
    """Each position with the move that led to it, -1 for the first one; the state is the same record each time.

    Without a compiled law the game's own runs, interpreted. Raises RecordError as `replay` does.
    """
    yield from _steps(recorded, law or recorded.game)


def _steps(recorded: RecordedGame, law: Law | Game) -> Iterator[tuple[State, int]]:
    game, ply = recorded.game, 0
    state, legal = game.new_state(), np.zeros(game.move_count, np.int64)
    try:
        game.setup(state, np.array(recorded.deal, np.int64), game.option_values(recorded.options))
    except (ArithmeticError, LookupError, ValueError) as error:
        raise _error(recorded, recorded.deal_line, f"not a deal of {game.title}: {error}") from None
    yield state, -1
    for row in recorded.rows:
        for text in row.moves:
            ply += 1
            if law.over(state):
                raise _error(recorded, row.line, f"ply {ply}: the game is over before '{text}'")
            if ply > game.ply_cap:
                raise _error(recorded, row.line, f"ply {ply}: a game of {game.title} has at most {game.ply_cap} plies")
            try:
                move = game.read(text, state)
                _must_be_legal(game, text, move, legal[: law.moves(state, legal)].tolist())
                law.play(state, move)
            except UsageError as error:
                raise _error(recorded, row.line, f"ply {ply}: {error}") from None
            except (ArithmeticError, LookupError) as error:
                what = f"ply {ply}: '{text}' cannot be played, for the deal is none of {game.title}: {error}"
                raise _error(recorded, row.line, what) from None
            yield state, move
        _compare_points(recorded, row, state)
    _compare_result(recorded, state, ply, over=bool(law.over(state)))


def _compare_points(recorded: RecordedGame, row: Row, state: Any) -> None:
    points = _points(recorded.game, state)
    if row.points is not None and points != row.points:
        what = f"behind ply {row.last} the points are {_text(points)}, not {_text(row.points)}"
        raise _error(recorded, row.line, what)


def _compare_result(recorded: RecordedGame, state: Any, ply: int, *, over: bool) -> None:
    result, points = recorded.result, _points(recorded.game, state)
    message = ""
    if result.points is None:
        message = f"the game is over behind ply {ply}, and not unfinished" if over else ""
    elif not over and not result.stalled:
        message = f"the game is not over behind ply {ply}: moves are missing"
    elif result.stalled and over:
        message = f"the game is over behind ply {ply}, and did not stall"
    elif result.stalled and ply < recorded.game.ply_cap:
        message = f"a game stalls at ply {recorded.game.ply_cap}, not at ply {ply}: moves are missing"
    elif points != result.points:
        message = f"behind ply {ply} the result is {_text(points)}, not {_text(result.points)}"
    if message:
        raise _error(recorded, result.line, message)


def _must_be_legal(game: Game, text: str, move: int, legal: list[int]) -> None:
    if move not in legal:
        named = ", ".join(game.write(other) for other in legal[:NAMED])
        more = f" and {len(legal) - NAMED} more" if len(legal) > NAMED else ""
        raise UsageError(f"'{text}' is not legal; legal are {named}{more}")


def _points(game: Game, state: Any) -> tuple[int, int]:
    return int(game.points(state, 0)), int(game.points(state, 1))


def _text(points: tuple[int, int]) -> str:
    return f"{points[0]} {points[1]}"


def _error(recorded: RecordedGame, line: int, message: str) -> RecordError:
    return RecordError(recorded.source, line, f"game {recorded.number}: {message}")
