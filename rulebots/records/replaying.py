"""Recorded games played again, move by move, and compared; and games in progress."""

import contextlib
import functools
import itertools
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rulebots.errors import UsageError, demand, shown
from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.game.random_numbers import next_luck
from rulebots.game.text import PERSON, in_words
from rulebots.play import MOST_DEALS
from rulebots.play.deals import draw_deals
from rulebots.play.stepper import Stepper
from rulebots.records.record import (
    Record,
    RecordedGame,
    RecordError,
    Result,
    in_turn,
    recorded_game,
    result_of,
    rows_of,
)

#: The most legal moves that a message names.
NAMED = 12
#: Deals that a record may lack in between: games in which nobody has moved when a fault ends a match are left out.
LEFT_OUT = 1024
#: Redeals that decide whether a person has seen something hidden.
REDEALS = 16


@dataclass(frozen=True)
class Replay:
    """A game played again: `positions[p]` is the position after `p` moves, `moves` their numbers."""

    recorded: RecordedGame
    positions: tuple[Position, ...]
    moves: tuple[int, ...]


def replay(recorded: RecordedGame) -> Replay:
    """Play a recorded game again, move by move, and compare.

    The law runs interpreted, so that no record can write an array out of bounds.

    Raises:
        RecordError: a move cannot be read or is not legal, or points or the result differ; it names line and ply.
    """
    played = [(position.copy(), move) for position, move in steps(recorded)]
    positions, moves = zip(*played, strict=True)
    return Replay(recorded, positions, moves[1:])


def check(record: Record) -> Iterator[RecordedGame]:
    """Play every game of a record again, and yield each one that came out as recorded.

    Raises:
        RecordError: as `replay` does.
    """
    drawn: dict[Any, set[Any]] = {}
    for recorded in record.games:
        of_seed = record.seed is not None and not recorded.position
        if of_seed:
            _check_seed(record, recorded, drawn)
        # The deals of the record's seed were not edited, so that they are safe to run compiled.
        for _ in steps(recorded, compiled=of_seed):
            pass
        yield recorded


def _check_seed(record: Record, recorded: RecordedGame, drawn: dict[Any, set[Any]]) -> None:
    """Raise RecordError where a game is not one of the record's seed; `drawn` keeps the deals of a seed's options."""
    key = (*recorded.options.items(), recorded.luck is None, recorded.chance is None)
    if key not in drawn:
        count = min(len(record.games) + LEFT_OUT, MOST_DEALS)
        deals = draw_deals(record.game, count, record.seed or 0, options=recorded.options, opening_plies=0)
        luck = itertools.repeat(None) if recorded.luck is None else map(tuple, deals.luck.tolist())
        chance = itertools.repeat(None) if recorded.chance is None else deals.outcomes.tolist()
        drawn[key] = set(zip(map(tuple, deals.cards.tolist()), luck, chance, strict=False))
    if (recorded.deal, recorded.luck, recorded.chance) not in drawn[key]:
        raise _error(recorded, recorded.deal_line, f"its deal, luck or chance is not of seed {record.seed}")
    if recorded.opening not in (0, record.opening_plies):  # none where every opening ended the game
        raise _error(
            recorded,
            recorded.line,
            f"its opening has {recorded.opening} plies, not {record.opening_plies} as the head says",
        )


def steps(recorded: RecordedGame, *, compiled: bool = False) -> Iterator[tuple[Position, int]]:
    """Each position with the move that led to it, -1 for the first; it is the same object each time.

    Raises:
        RecordError: as `replay` does.
    """
    game = recorded.game
    luck = None if recorded.luck is None else list(recorded.luck)
    with _at(recorded, recorded.deal_line):
        if recorded.position:
            position = Position.from_text(game, recorded.position, recorded.options)
            position.luck = luck
        else:
            position = Position(game, recorded.options, recorded.deal, luck=luck, compiled=compiled)
    if compiled:  # nobody asks what the players saw
        position.past = position.luck = None
    yield position, -1
    for row in recorded.rows:
        with _at(recorded, row.line, position):
            for text in row.moves:
                move = _read(position, text)
                position.play(move, chosen=not row.opening)
                yield position, move
        if row.points is not None:
            _compare(recorded, row.line, "points are", position, Result(position.points), Result(row.points))
    _compare(recorded, recorded.result.line, "result is", position, result_of(position), recorded.result)


@contextlib.contextmanager
def _at(recorded: RecordedGame, line: int, position: Position | None = None) -> Iterator[None]:
    """Raise what is wrong with a deal, or with the move at a position, as a RecordError at its line."""
    try:
        yield
    except (UsageError, ArithmeticError, LookupError, ValueError) as error:
        place = f"ply {position.plies + 1}: " if position else ""
        fits = "" if isinstance(error, UsageError) else f"the deal does not fit {recorded.game.title}: "
        raise _error(recorded, line, f"{place}{fits}{error}") from None


def _read(position: Position, text: str) -> int:
    """The move of a text. Raises UsageError unless it is legal."""
    demand(not position.over, f"the game is over before '{text}'")
    demand(not position.stalled, f"a game of {position.game.title} has at most {position.game.ply_cap} plies")
    legal = position.legal_moves.tolist()
    names = [_written(position.game, move) for move in legal]
    # Reading takes the state, whose fields are slow: it is left to texts that are not as the game writes them.
    move = legal[names.index(text)] if text in names else position.game.text.read(text, position.state)
    if move not in legal:
        named = ", ".join(position.write(other) for other in legal[:NAMED])
        more = f" and {len(legal) - NAMED} more" if len(legal) > NAMED else ""
        raise UsageError(f"'{text}' is not legal; legal moves are {named}{more}")
    return move


@functools.cache
def _written(game: Game, move: int) -> str:
    return game.text.write(move)


def _compare(recorded: RecordedGame, line: int, what: str, position: Position, played: Result, written: Result) -> None:
    if played != written:
        raise _error(recorded, line, f"after ply {position.plies} the {what} {played}, not {written}")


def _error(recorded: RecordedGame, line: int, message: str) -> RecordError:
    return RecordError(recorded.source, f"game {recorded.number}: {message}", line)


def new_game(
    game: Game,
    names: tuple[str, ...],
    options: Mapping[str, int],
    seed: int,
    begins: int,
    position: str | None = None,
) -> RecordedGame:
    """A game without moves; `names` are those of player 1, player 2 and so on, one for each seat.

    Player `begins` has seat 0, and the others follow in turn. `position` is the start, if not that of the deal, as
    `Position.to_text` writes it.

    Raises:
        UsageError: a wrong option or seed, or a position in which the game is over.
        PositionError: not a position.
    """
    deals = draw_deals(game, 1, seed, options=options, opening_plies=0)
    recorded = recorded_game(deals, 0, names, in_turn(begins, deals.seats))
    if position is None:
        return recorded
    start = Position.from_text(game, position, options)
    demand(not start.over, f"position '{shown(position)}': the game is over there")
    # A deal in the text of the position replaces that of the seed.
    deal = recorded.deal if start.deal is None else tuple(start.deal.tolist())
    return replace(recorded, position=start.to_text(), deal=deal)


def best_of(names: Sequence[str], points: Sequence[int]) -> list[str]:
    """Those of the names, one for each seat, that have the most points."""
    return [name for name, own in zip(names, points, strict=True) if own == max(points)]


class Ongoing(Stepper):
    """A recorded game, finished or not, that can be continued. The law of this one game runs interpreted.

    `positions[p]` is the position after p moves, `moves` the numbers of all moves, those of the record first.

    Raises:
        RecordError: a move of the record is not legal.
    """

    def __init__(self, recorded: RecordedGame, seed: int | None = None) -> None:
        self.game = recorded.game
        self.recorded = recorded
        self.seed = seed
        replayed = replay(recorded)
        self.positions: list[Position] = list(replayed.positions)
        self.moves: list[int] = list(replayed.moves)
        #: The random state before the first outcome of chance; None without chance.
        self.first_chance = (recorded.chance or secrets.randbelow(2**32 - 1) + 1) if self.game.chance else None
        super().__init__(self.positions[-1])

    def play(self, move: int) -> None:
        """Make a legal move."""
        self.position = self.position.copy()
        super().play(move)
        self.positions.append(self.position)
        self.moves.append(int(move))

    def draw(self) -> int:
        """The outcome of chance here, the same after moves were taken back and made again."""
        assert self.first_chance is not None
        self.chance = self.first_chance
        for position in self.positions[:-1]:
            if position.chance_to_move:
                self.chance = next_luck(self.chance)
        return super().draw()

    def take_back(self, *seats: int) -> None:
        """Go back to the latest decision of one of these seats. Raises UsageError where `undo_refusal` says why not."""
        if refusal := self.undo_refusal(*seats):
            raise UsageError(refusal)
        ply = self._latest_decision(seats)
        assert ply is not None
        del self.moves[ply:], self.positions[ply + 1 :]
        self.position = self.positions[-1]

    def undo_refusal(self, *seats: int) -> str:
        """Why these seats cannot take back their latest decision; "" where they can.

        What chance has brought since, or the mover has seen of what was hidden, would come again.
        """
        ply = self._latest_decision(seats)
        if ply is None:
            return "there is no move to take back"
        seen = any(position.chance_to_move for position in self.positions[ply:-1])
        if not seen and self.game.hidden:
            seen = self.game.redeal is None or any(self._revealed(ply, state) for state in range(1, REDEALS + 1))
        if seen:
            return "the last move cannot be taken back: what was drawn or thrown since then has been seen"
        return ""

    def _latest_decision(self, seats: Sequence[int]) -> int | None:
        plies = range(len(self.moves) - 1, self.recorded.opening - 1, -1)
        return next((ply for ply in plies if self.positions[ply].mover in seats), None)

    def _revealed(self, ply: int, random_state: int) -> bool:
        """Whether the mover of that ply would have seen something else since, after a redeal of the hidden things."""
        redealt = self.positions[ply].redealt(random_state)
        seat = self.positions[ply].mover
        for move, position in zip(self.moves[ply:], self.positions[ply + 1 :], strict=True):
            if redealt.chance_to_move or move not in redealt.legal_moves:
                return True
            redealt.play(move)
            if redealt.view(seat) != position.view(seat):
                return True
        return False

    def outcome(self, names: Sequence[str]) -> str:
        """The end of the game in words; `names` are those of the seats."""
        points = self.position.points
        score = ", ".join(f"{name} {own}" for name, own in zip(names, points, strict=True))
        score = score[:1].upper() + score[1:] if names[0] == PERSON else score
        score = f". {score}" * self.game.scores(points)
        if self.position.stalled:
            return f"The game has reached its limit of {self.game.ply_cap} moves: nobody won{score}"
        if self.game.together(len(points)):
            return f"The game is over. {score[2:] if len(points) == 1 else f'Together: {points[0]} points'}"
        winners = best_of(names, points)
        if len(points) == 2:
            score = f", {max(points)} to {min(points)}" * self.game.scores(points)
        if len(winners) == 1:
            return f"{'You lost: ' * (PERSON in names) + winners[0] if winners[0] != PERSON else 'You'} won{score}"
        if len(winners) == len(points):
            return f"A draw{score}"
        return f"{in_words(winners)} share the first place{score}"

    def record(self) -> Record:
        """The game so far, as a record of one game."""
        first = self.recorded
        rows = rows_of(self.game, self.moves, first.opening)
        result = result_of(self.position)
        played = replace(
            first, number=1, rows=rows, result=result, chance=self.first_chance, source="record", line=0, deal_line=0
        )
        return Record(self.game, first.names, first.options, (played,), self.seed, first.opening)
