"""Where the games of a run are played: its game and options, its deals, its workers; and the games of a generation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evolve.deals import SPARRING, TRAINING, DealSource, Schedule
from evolve.evaluation.fitness import Tally, against, both_seats, nothing_yet, tally
from evolve.evaluation.population_pairing import pairing_of
from evolve.evaluation.run_settings import RunSettings
from evolve.workers.base import Workers
from rulebots.game import Game
from rulebots.play.match import mirrored
from rulebots.play.results import Games, MatchResult, match_result
from rulebots.players import Player
from rulebots.tournaments.pairing import Pairs


class Arena:
    """Plays schedules on deals of the run's seed, and gives their results.

    Raises:
        UsageError: the settings have options that are not of the game.
    """

    def __init__(self, game: Game, settings: RunSettings, workers: Workers) -> None:
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


@dataclass(frozen=True)
class Generation:
    """What came of them: `tally` of all, `sparring` of those against the opponents, and how many `games` they were.

    Without opponents `sparring` is the tally of all as well.
    """

    tally: Tally
    sparring: Tally
    games: int


def play_generation(
    arena: Arena, population: Sequence[Player], opponents: Sequence[Player], generation: int
) -> Generation:
    """Play all games of a generation, those against the opponents on deals of their own."""
    s, count, pairing = arena.settings, len(population), pairing_of(arena.settings.schedule)
    deals = arena.deals(s.deals, TRAINING, generation)
    tally, rounds = nothing_yet(count), list[Pairs]()
    for _ in range(pairing.rounds_of(count)):
        pairs = pairing.next_round(tally.strength(s.margin).tolist(), rounds)
        tally += arena.measure(population, count, deals, both_seats(pairs, s.deals), s.margin_cap)
        rounds.append(pairs)
    games = 2 * s.deals * sum(map(len, rounds))
    if not opponents:
        return Generation(tally, tally, games)
    schedule = against(count, len(opponents), s.opponent_deals)
    deals = arena.deals(s.opponent_deals, SPARRING, generation)
    sparring = arena.measure([*population, *opponents], count, deals, schedule, s.margin_cap)
    both = tally.blended(sparring, s.opponent_share) if games else sparring
    return Generation(both, sparring, games + len(schedule))
