"""The match loop: any players, any game, and the same games on any number of threads.

A batch of games advances in turns: each style of player in it advances every game until another side has to decide.
For compiled players that is one compiled call over the whole batch; other players are asked in Python, decision by
decision, around the compiled law. A generation of bred players is one style, so its games run from the first move to
the last inside one call.
"""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

import joblib
import numpy as np
import numpy.typing as npt

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.play.deals import Deals, draw_deals
from rulebots.play.loop import NOBODY, Batch, ask, begin, compiled_advance, compiled_results, prepare
from rulebots.play.results import Games, MatchResult, match_result, no_games
from rulebots.players import CompiledPlayer, Needs, Player, Style

#: Games that advance together: few enough for their states to stay in the processor's cache.
BATCH = 512


def play_games(
    players: Sequence[Player],
    deals: Deals,
    schedule: npt.NDArray[np.int64],
    jobs: int = 1,
    *,
    keep_moves: bool = False,
) -> Games:
    """Play a schedule, int64[games, 3]: the deal and the indices of the players in seat 0 and seat 1.

    The results do not depend on `jobs`, the number of threads. With `keep_moves` they hold every move.

    Raises:
        UsageError: fewer than one thread, or a player chose a move that is not legal.
    """
    if jobs < 1:
        raise UsageError(f"jobs: expected at least 1 thread, not {jobs}")
    prepare(deals.game, styles_of(players), openings=deals.opening_plies > 0)
    sides, count = sides_of(players), len(schedule)
    games = no_games(deals.game, count, deals.game.ply_cap if keep_moves else 0)
    slices = batches_of(players, count)
    if jobs == 1 or len(slices) == 1:
        for part in slices:
            _play_batch(sides, deals, schedule[part], games, part)
    else:
        joblib.Parallel(n_jobs=jobs, prefer="threads")(
            joblib.delayed(_play_batch)(sides, deals, schedule[part], games, part) for part in slices
        )
    return games


def mirrored(deals: int, first: int = 0, second: int = 1) -> npt.NDArray[np.int64]:
    """A schedule in which two players play each deal twice, with seats swapped: int64[2 * deals, 3]."""
    schedule = np.empty((deals, 2, 3), np.int64)
    schedule[:, :, 0] = np.arange(deals)[:, None]
    schedule[:, 0, 1:] = first, second
    schedule[:, 1, 1:] = second, first
    return schedule.reshape(-1, 3)


def play_match(
    first: Player,
    second: Player,
    deals: int = 1000,
    seed: int = 1,
    options: Mapping[str, int] | None = None,
    jobs: int = 1,
    opening_plies: int | None = None,
) -> MatchResult:
    """Let two players of one game play each of `deals` deals twice, with seats swapped.

    Raises:
        UsageError: players of different games, fewer than one deal, a wrong option or seed, or an illegal choice.
    """
    game = game_of([first, second])
    drawn = draw_deals(game, deals, seed, options=options, opening_plies=opening_plies)
    return match_result(play_deals(first, second, drawn, jobs))


def play_deals(first: Player, second: Player, deals: Deals, jobs: int = 1, *, keep_moves: bool = False) -> Games:
    """The games of a match on these deals, in the order of `mirrored`; a player may meet itself."""
    players = [first, second] if first is not second else [first, copy.copy(first)]
    return play_games(players, deals, mirrored(len(deals)), jobs, keep_moves=keep_moves)


def game_of(players: Sequence[Player]) -> Game:
    """The game that all of these players play. Raises UsageError if they do not play the same one."""
    for player in players:
        if not isinstance(player, Player):
            raise UsageError(f"expected a player, such as make_player('shelly', game), not {player!r}")
        if player.game is not players[0].game:
            raise UsageError(
                f"'{players[0].name}' plays {players[0].game.name}, '{player.name}' plays {player.game.name}: "
                "a match needs two players of one game"
            )
    return players[0].game


def sides_of(players: Sequence[Player]) -> list[Side]:
    """The players of a schedule as sides: one for each style, and one for each player that is asked in Python."""
    styles = dict.fromkeys(p.style if isinstance(p, CompiledPlayer) else p for p in players)
    return [CompiledSide(style, players) if isinstance(style, Style) else AskedSide(style, players) for style in styles]


def styles_of(players: Sequence[Player]) -> tuple[Style, ...]:
    """The compiled ways of choosing of these players, each once."""
    return tuple(dict.fromkeys(p.style for p in players if isinstance(p, CompiledPlayer)))


def batches_of(players: Sequence[Player], count: int) -> list[slice]:
    """`count` games cut into slices that advance together."""
    batch = 1 if any(player.needs is not Needs.OBSERVATION for player in players) else BATCH
    return [slice(i, min(i + batch, count)) for i in range(0, count, batch)]


class Side(ABC):
    """Players that decide in the same way. `row` is int64[players]: the index of each player among them, or NOBODY."""

    row: npt.NDArray[np.int64]

    @abstractmethod
    def for_batch(self) -> Side:
        """This side with everything of its own that it needs while it plays one batch."""

    @abstractmethod
    def take_turns(self, batch: Batch, seats: npt.NDArray[np.int64]) -> None:
        """Advance every game of the batch until another side has to decide; `seats` is int64[games, 2]."""


class CompiledSide(Side):
    """All players of one style, which differ only in their weights."""

    def __init__(self, style: Style, players: Sequence[Player]) -> None:
        own = [p for p in players if isinstance(p, CompiledPlayer) and p.style is style]
        self.row = np.array([own.index(p) if p in own else NOBODY for p in players], np.int64)
        self.weights = np.stack([p.weights for p in own])
        self.style, self.workspace = style, style.workspace()
        self.advance = compiled_advance(style)

    def for_batch(self) -> Side:
        """With arrays of its own, because batches may be played in several threads."""
        side = copy.copy(self)
        side.workspace = self.style.workspace()
        return side

    def take_turns(self, batch: Batch, seats: npt.NDArray[np.int64]) -> None:
        """One compiled call."""
        self.advance(*batch.arrays, seats, self.weights, *self.workspace)


class AskedSide(Side):
    """One player that is asked in Python, decision by decision."""

    def __init__(self, player: Player, players: Sequence[Player]) -> None:
        self.player = player
        self.row = np.array([0 if p is player else NOBODY for p in players], np.int64)

    def for_batch(self) -> Side:
        """With a player that may remember the course of this batch's games."""
        side = copy.copy(self)
        side.player = self.player.for_one_game()
        return side

    def take_turns(self, batch: Batch, seats: npt.NDArray[np.int64]) -> None:
        """Move by move, around the compiled law."""
        ask(self.player, batch, seats)


def play_on(batch: Batch, sides: Sequence[Side], players: npt.NDArray[np.int64]) -> None:
    """Play the games of a batch to the end and read their results; `players` is int64[games, 2], by seat."""
    seats = [(side.for_batch(), side.row[players]) for side in sides]
    while batch.active.any():
        for side, of_side in seats:
            side.take_turns(batch, of_side)
    compiled_results(batch.game)(batch.states, batch.points, batch.stalled, batch.behaviour)


def _play_batch(
    sides: Sequence[Side], deals: Deals, schedule: npt.NDArray[np.int64], games: Games, part: slice
) -> None:
    batch = Batch(deals.game, deals.luck[schedule[:, 0]], games.moves[part])
    begin(batch, deals, schedule[:, 0].copy())
    games.openings[part] = batch.plies
    play_on(batch, sides, schedule[:, 1:])
    games.points[part] = batch.points
    games.plies[part] = batch.plies
    games.courses[part] = batch.courses
    games.stalled[part] = batch.stalled
    for column, name in enumerate(deals.game.behaviour):
        games.behaviour[name][part] = batch.behaviour[:, :, column]
