"""What plays the games of a run: threads here, or processes here and on other machines (see `processes`).

Deals and random states belong to the identity of a game, so the results are the same for all workers and
however a schedule is split, and a piece that was lost is played again.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias, TypeVar

import joblib

from evolve.schedules import DealSource, Schedule, pieces
from rulebots.game import Game
from rulebots.play.deals import Deals
from rulebots.play.match import play_games
from rulebots.play.results import Games, joined
from rulebots.players import Player

#: A dataclass of arrays: the results of a schedule are those of its pieces, concatenated.
R = TypeVar("R")
S = TypeVar("S")
T = TypeVar("T")
#: A function of players, deals and (a piece of) a schedule; processes find it by import.
Job: TypeAlias = Callable[[Sequence[Player], Deals, Schedule], R]


class Workers:
    """`jobs` threads of this process: compiled games release the GIL."""

    def __init__(self, jobs: int = 1) -> None:
        self.jobs = jobs

    def play(self, game: Game, players: Sequence[Player], deals: DealSource, schedule: Schedule) -> Games:
        """The games of a schedule, in its order.

        Raises:
            UsageError: a worker lacks the game or the rules, or workers keep dying.
        """
        return play_games(players, deals.draw(game), schedule, self.jobs)

    def map(
        self, job: Job[R], game: Game, players: Sequence[Player], deals: DealSource, schedule: Schedule, at_once: int
    ) -> R:
        """The results of a job on a schedule, in pieces of at most `at_once` games. Raises UsageError as `play`."""
        drawn = deals.draw(game)
        with joblib.parallel_config("threading", n_jobs=self.jobs):
            tasks = (joblib.delayed(job)(players, drawn, piece) for piece in pieces(schedule, at_once))
            return joined(joblib.Parallel()(tasks))

    def each(self, do: Callable[[T], S], tasks: Sequence[T]) -> Iterator[S]:
        """What a function makes of each task, in order, as it comes; processes find the function by import.

        Raises:
            UsageError: what the function raises, or workers keep dying.
        """
        if self.jobs == 1:
            yield from map(do, tasks)
        else:
            yield from joblib.Parallel(self.jobs, backend="threading", return_as="generator")(
                joblib.delayed(do)(task) for task in tasks
            )
