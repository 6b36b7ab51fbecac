"""Threads of this process: the fastest workers on one machine, for compiled games release the GIL."""

from __future__ import annotations

from collections.abc import Sequence

import joblib

from evolve.deals import DealSource, Schedule
from evolve.workers.base import Job, R, Workers, concatenated
from rulebots.game import Game
from rulebots.play.match import play_games
from rulebots.play.results import Games
from rulebots.players import Player


class Threads(Workers):
    """`jobs` threads."""

    def __init__(self, jobs: int = 1) -> None:
        super().__init__(jobs)

    def play(self, game: Game, players: Sequence[Player], deals: DealSource, schedule: Schedule) -> Games:
        """The games of a schedule, in its order."""
        return play_games(players, deals.draw(game), schedule, self.jobs)

    def map(
        self, job: Job[R], game: Game, players: Sequence[Player], deals: DealSource, schedule: Schedule, at_once: int
    ) -> R:
        """What a job makes of a schedule, in pieces of at most `at_once` games."""
        drawn = deals.draw(game)
        pieces = (schedule[i : i + at_once] for i in range(0, len(schedule), at_once))
        return concatenated(
            joblib.Parallel(n_jobs=self.jobs, prefer="threads")(
                joblib.delayed(job)(players, drawn, piece) for piece in pieces
            )
        )
