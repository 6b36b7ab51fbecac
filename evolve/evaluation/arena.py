"""Where the games of a run are played: its game and options, its deals, its workers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from evolve.evaluation import fitness
from evolve.evaluation.deals import Dealing
from evolve.evaluation.fitness import Schedule, Tally, tally
from evolve.lessons.rollouts import Lessons, Teaching
from evolve.settings import Settings
from evolve.workers.processes import Workers
from rulebots.game import Game
from rulebots.play.match import mirrored
from rulebots.play.results import Games, MatchResult, match_result
from rulebots.players import Player


class Arena:
    """Plays what it is asked to on deals of the run's seed, and says what came of it."""

    def __init__(self, game: Game, settings: Settings, workers: Workers) -> None:
        game.option_values(settings.options)
        self.game = game
        self.settings = settings
        self.workers = workers

    def deals(self, count: int, *identity: int) -> Dealing:
        """Deals of this run, for one of the purposes in dealing.py, and perhaps for one generation."""
        s = self.settings
        return Dealing(count, (s.seed, *identity), tuple(sorted(s.options.items())), s.opening_plies)

    def play(self, players: Sequence[Player], deals: Dealing, schedule: Schedule) -> Games:
        """The games of a schedule, int64[games, 3] of (deal, player in seat 0, player in seat 1)."""
        return self.workers.play(self.game, players, deals, schedule)

    def measure(
        self, players: Sequence[Player], count: int, deals: Dealing, schedule: Schedule, margin_cap: float = np.inf
    ) -> Tally:
        """The tally of the first `count` players of a schedule."""
        return tally(schedule, self.play(players, deals, schedule), count, margin_cap)

    def lessons(self, players: Sequence[Player], deals: Dealing, within: float, self_play: float) -> Lessons:
        """Lessons of the first of these players out of as many games, `self_play` of them against the last, its equal.

        `within` says how much worse a score than the best one may be for a move to be a contender.
        """
        s = self.settings
        schedule = fitness.studying(deals.count, len(players) - 2, self_play)
        return self.workers.lessons(
            self.game, players, deals, schedule, Teaching(within, s.samples, s.margin, s.margin_cap)
        )

    def match(self, first: Player, second: Player, deals: Dealing) -> MatchResult:
        """A match from the first player's side, each deal from both seats."""
        return match_result(self.play([first, second], deals, mirrored(deals.count)))
