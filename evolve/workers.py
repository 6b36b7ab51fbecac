"""Who plays the games of a run: threads of this process, or processes here and elsewhere."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from contextlib import AbstractContextManager

from evolve.dealing import Dealing
from evolve.fitness import Schedule
from rulebots.game import Game
from rulebots.matches import play_games
from rulebots.players import Player
from rulebots.results import Games


class Workers:
    """`jobs` threads."""

    def __init__(self, jobs: int = 1) -> None:
        self.jobs = jobs

    def play(self, game: Game, players: Sequence[Player], deals: Dealing, schedule: Schedule) -> Games:
        """The games of a schedule: the same, whoever plays them."""
        return play_games(players, deals.draw(game), schedule, self.jobs)


def workers_of(backend: str, jobs: int, address: str | None) -> AbstractContextManager[Workers]:
    """Workers for as long as the block runs. Raises UsageError for a backend that there is not."""
    return contextlib.nullcontext(Workers(jobs))
