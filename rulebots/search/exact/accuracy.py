"""Accuracy: the share of won positions in which a player keeps the win."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from rulebots.errors import UsageError
from rulebots.game.position import Position
from rulebots.game.random_numbers import luck_of, rng_of
from rulebots.players import Player
from rulebots.ratings import win_rate_interval
from rulebots.search import check_root
from rulebots.search.exact.tablebase import (
    ROUNDING,
    Tablebase,
    best_moves,
    check_seats,
    tablebase_finder,
    value_of_move,
)


@dataclass(frozen=True)
class Accuracy:
    """The player kept the win in `kept` of `asked` positions: the `share`, with its 95 % interval.

    The board has `positions` positions, of which `winning` are won for the mover. If the player was asked in all of
    those, the interval is the share itself.
    """

    kept: int
    asked: int
    share: float
    share_95: tuple[float, float]
    winning: int
    positions: int


def accuracy(player: Player, options: Mapping[str, int] | None = None, most: int = 10_000, seed: int = 1) -> Accuracy:
    """Ask a player for its move in `most` won positions, drawn by the seed, or in all of them if there are no more.

    Raises:
        UsageError: a wrong option, a board that is too large or has no won position, a game of chance, more than two
            seats, or a game that is played alone or together.
    """
    game = player.game
    values = player.game.option_values(options)
    seats = game.seats_with(values)
    check_seats(game, seats)
    uncertain = game.hidden or game.chance or game.deal(rng_of(seed), 1, values).size > 0
    base = None if uncertain or game.together(seats) else tablebase_finder(game)(Position(game, options))
    if base is None or base.winning == 0:
        raise UsageError(f"no position of this board of {game.title} is won for certain: ask about one (--position)")
    rng = rng_of(seed)
    luck = luck_of(rng, (min(most, base.winning),))
    options = game.named_options(values)
    kept = np.array(
        [
            _keeps(player, options, base, position, int(own))
            for own, position in zip(luck, _won_positions(base, most, rng), strict=False)
        ],
        np.float64,
    )
    share = float(kept.mean())
    return Accuracy(
        kept=int(kept.sum()),
        asked=len(kept),
        share=share,
        share_95=(share, share) if len(kept) == base.winning else win_rate_interval(kept, games=1),
        winning=base.winning,
        positions=base.positions,
    )


@dataclass(frozen=True)
class Judged:
    """A player's move in one position: `value` is the position's, the mover's margin of points under best play.

    `value_after` is the value after the `move`, and `best` are all moves that keep it.
    """

    move: int
    value: float
    value_after: float
    best: tuple[int, ...]

    @property
    def kept(self) -> bool:
        """Whether the move keeps the value."""
        return self.value_after >= self.value - ROUNDING


def judge(player: Player, position: Position) -> Judged:
    """Ask a player for its move in a position, and compare the exact values.

    Raises:
        UsageError: a position of another game, one that is over, or one in which chance is to move; a game that hides
            something, or a board that is too large to tabulate.
        PlayerFault: the player fails.
    """
    check_root(player.game, position)
    base = tablebase_finder(player.game)(position)
    move = player.beginning_a_game(position.mover).decide(position)
    return Judged(
        move=move,
        value=base.value(position),
        value_after=value_of_move(base, position, move),
        best=tuple(best_moves(base, position)),
    )


def _won_positions(base: Tablebase, most: int, rng: np.random.Generator) -> Iterator[Position]:
    """Different won positions, in the order in which they are drawn if there are more than `most`."""
    numbers: Iterable[int] = (
        iter(lambda: int(rng.integers(base.positions)), -1) if most < base.winning else range(base.positions)
    )
    seen: set[int] = set()
    for number in numbers:
        if number not in seen and base.value(position := base.position(number)) > 0:
            yield position
        seen.add(number)


def _keeps(player: Player, options: Mapping[str, int], base: Tablebase, position: Position, luck: int) -> bool:
    position.luck = [luck, luck]
    return value_of_move(base, position, player.beginning_a_game(position.mover, options).decide(position)) > 0
