"""Where the games of a run are played: its game and options, its deals, its workers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from evolve.deals import DealSource, Schedule
from evolve.evaluation.fitness import Tally, tally
from evolve.workers.base import Workers
from rulebots.game import Game
from rulebots.play.match import mirrored
from rulebots.play.results import Games, MatchResult, match_result
from rulebots.players import Player

if TYPE_CHECKING:
    from evolve.settings import Settings


class Arena:
    """Plays schedules on deals of the run's seed, and gives their results.

    Raises:
        UsageError: the settings have options that are not of the game.
    """

    def __init__(self, game: Game, settings: Settings, workers: Workers) -> None:
        game.option_values(settings.options)
        self.game = game
        self.settings = settings
        self.workers = workers

    def deals(self, count: int, *identity: int) -> DealSource:
        """Deals of this run, for one of the purposes in evolve/deals.py, and perhaps for one generation."""
        s = self.settings
        return DealSource(count, (s.seed, *identity), tuple(sorted(s.options.items())), s.opening_plies)

    def play(self, players: Sequence[Player], deals: DealSource, schedule: Schedule) -> Games:
        """The games of a schedule."""
        return self.workers.play(self.game, players, deals, schedule)

    def measure(
        self, players: Sequence[Player], count: int, deals: DealSource, schedule: Schedule, margin_cap: float = np.inf
    ) -> Tally:
        """The tally of the first `count` players of a schedule."""
        return tally(schedule, self.play(players, deals, schedule), count, margin_cap)

    def match(self, first: Player, second: Player, deals: DealSource) -> MatchResult:
        """A match from the first player's side, each deal from both seats."""
        return match_result(self.play([first, second], deals, mirrored(deals.count)))
