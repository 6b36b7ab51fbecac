"""A game in progress: it begins with a deal, moves can be taken back, and it can be written as a record at any time."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.game.random_numbers import next_luck
from rulebots.play.deals import draw_deals
from rulebots.records.model import Record, RecordedGame, Result
from rulebots.records.replaying import replay
from rulebots.records.writing import rows_of

#: What a person is called in a record.
PERSON = "you"


def new_game(
    game: Game,
    names: tuple[str, str],
    options: Mapping[str, int],
    seed: int,
    begins: int,
    position: str = "",
) -> RecordedGame:
    """A game between player 1 and player 2 (`names`) without a move; `begins` says which of them, 1 or 2, has seat 0.

    `position` is where it begins if not with its deal, as `Position.to_text` writes it.

    Raises:
        UsageError: a wrong option or seed, or a position in which the game is over. PositionError: not a position.
    """
    deals = draw_deals(game, 1, seed, options=options, opening_plies=0)
    if position:
        given = Position.from_text(game, position, options)
        if given.over:
            raise UsageError(f"position '{position}': the game is over there")
        position = given.to_text()
    return RecordedGame(
        game=game,
        number=1,
        names=names,
        begins=begins,
        options={option: int(deals.options[option]) for option in game.options},
        deal=tuple(deals.cards[0].tolist()),
        rows=(),
        result=Result(None),
        luck=(int(deals.luck[0, 0]), int(deals.luck[0, 1])),
        chance=int(deals.outcomes[0]) if game.chance else None,
        position=position,
    )


class Ongoing:
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
        #: The random state that outcomes of chance are drawn from, each from the next one; None without chance.
        self.chance = (recorded.chance or secrets.randbelow(2**32 - 1) + 1) if self.game.chance else None

    @property
    def position(self) -> Position:
        """The position now."""
        return self.positions[-1]

    @property
    def ended(self) -> bool:
        """Whether there is nothing more to play."""
        return self.position.over or self.position.stalled

    def play(self, move: int) -> None:
        """Make a legal move."""
        position = self.position.copy()
        position.play(move)
        self.positions.append(position)
        self.moves.append(int(move))

    def draw(self) -> int:
        """The outcome that chance brings here, the same after moves were taken back and made again."""
        assert self.chance is not None
        luck = self.chance
        for position in self.positions:
            if position.chance_to_move:
                luck = next_luck(luck)
        return self.position.drawn(luck)

    def take_back(self, seat: int) -> bool:
        """Go back to that seat's latest decision; False if it has made none."""
        for ply in range(len(self.moves) - 1, self.recorded.opening - 1, -1):
            if self.positions[ply].mover == seat:
                del self.moves[ply:], self.positions[ply + 1 :]
                return True
        return False

    def outcome(self, names: Sequence[str]) -> str:
        """How the game ended, in words; `names` are those of the seats."""
        points = self.position.points
        score = f"{names[0]} {points[0]}, {names[1]} {points[1]}"
        if self.position.stalled:
            return f"The game has reached its limit of {self.game.ply_cap} moves: nobody wins. {score}"
        if points[0] == points[1]:
            return f"A draw. {score}"
        winner = names[0] if points[0] > points[1] else names[1]
        return f"{'You win' if winner == PERSON else f'{winner} wins'}. {score}"

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
            result=Result(self.position.points, self.position.stalled) if self.ended else Result(None),
            luck=first.luck,
            chance=self.chance,
            position=first.position,
        )
        return Record(self.game, first.names, first.options, (played,), self.seed, first.opening)
