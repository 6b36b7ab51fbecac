"""Where the games of a run are played: its game and options, its deals, its workers; and the games of a generation."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evolve.evaluation.fitness import Tally, tally, team_tally
from evolve.schedules import (
    SEATING,
    SPARRING,
    TRAINING,
    DealSource,
    Schedule,
    against,
    all_pairs,
    companions,
    draw_tables,
    in_every_seat,
    pairing_of,
    pieces,
    teams,
)
from evolve.settings import Settings
from evolve.workers import Workers
from rulebots.game import Game
from rulebots.game.random_numbers import rng_of
from rulebots.play.deals import mirrored
from rulebots.play.results import Games, MatchResult, match_result
from rulebots.players import Player

#: Games of a schedule that are played before their results, about 200 bytes a game, are added up.
AT_ONCE = 1 << 18


class Arena:
    """Plays schedules on deals of the run's seed, and gives their results.

    Raises:
        UsageError: the settings have options that are not of the game.
    """

    def __init__(self, game: Game, settings: Settings, workers: Workers) -> None:
        game.option_values(settings.options)
        self.game = game
        self.seats = game.seats_with(settings.options)
        self.together = game.together(self.seats)
        self.in_points = game.in_points(self.seats)
        self.settings = settings
        self.workers = workers
        self.partners: Sequence[Player] = ()

    def deals(self, count: int, *identity: int) -> DealSource:
        """Deals of this run, for one of the purposes in evolve/schedules.py, and perhaps for one generation."""
        s = self.settings
        return DealSource(count, (s.seed, *identity), tuple(sorted(s.options.items())), s.opening_plies)

    def play(self, players: Sequence[Player], deals: DealSource, schedule: Schedule) -> Games:
        """The games of a schedule, in which the run's partners come after the players."""
        return self.workers.play(self.game, [*players, *self.partners], deals, schedule)

    def measure(
        self, players: Sequence[Player], count: int, deals: DealSource, schedule: Schedule, margin_cap: float = np.inf
    ) -> Tally:
        """The tally of the first `count` players of a schedule, added up in pieces of AT_ONCE games."""
        if self.together:
            return team_tally(schedule, self.play(players, deals, schedule), count)
        total = Tally.of_no_games(count, in_points=self.in_points)
        for piece in pieces(schedule, AT_ONCE):
            total += tally(piece, self.play(players, deals, piece), count, margin_cap, self.game)
        return total

    def match(self, first: Player, second: Player, deals: DealSource) -> MatchResult:
        """A match from the first player's side, each deal from both sides; together, in teams of copies."""
        return match_result(self.play([first, second], deals, self.mirrored(deals.count)), self.game)

    def mirrored(self, deals: int, first: int = 0, second: int = 1) -> Schedule:
        """The schedule of a match at this run's tables; together, in teams of copies."""
        return mirrored(deals, first, second, seats=self.seats, together=self.together)

    def with_partner(self, player: Player, partner: Player, deals: DealSource) -> MatchResult:
        """What a player makes of deals with copies of a partner in its team, against a team of these alone."""
        return match_result(
            self.play([player, partner], deals, teams(2, companions(deals.count, self.seats, 1, 1.0), 1)), self.game
        )

    def teams(self, players: int, deals: int) -> Schedule:
        """Each of the players plays every deal in the company that the run breeds for: copies, or partners too."""
        return teams(players, companions(deals, self.seats, len(self.partners), self.settings.partner_share), players)

    @property
    def even(self) -> float:
        """The win rate of a player alone among its equals."""
        return 0.5 if self.together or self.game.counts == "places" else 1 / self.seats

    @property
    def games_a_generation(self) -> int:
        """Those of a generation at these tables."""
        return self.settings.games_a_generation(self.seats, together=self.together)

    def against(self, count: int, opponents: int, deals: int) -> Schedule:
        """Each of the first `count` players with each of the opponents after them; together, all in teams."""
        if self.together:
            return self.teams(count + opponents, deals)
        return against(count, opponents, deals, self.seats)

    def everyone(self, count: int, opponents: int, deals: int) -> Schedule:
        """The same, and the first `count` with each other as well."""
        others = self.against(count, opponents, deals)
        return others if self.together else np.concatenate([all_pairs(count, deals, self.seats), others])


@dataclass(frozen=True)
class Generation:
    """The results of a generation: `tally` of all games, `sparring` of those against the opponents, the number `games`.

    Without opponents `sparring` is the tally of all as well.
    """

    tally: Tally
    sparring: Tally
    games: int


def play_generation(
    arena: Arena, population: Sequence[Player], opponents: Sequence[Player], generation: int
) -> Generation:
    """Play all games of a generation, those against the opponents on deals of their own."""
    s = arena.settings
    count = len(population)
    pairing = pairing_of(s.schedule)
    deals = arena.deals(s.deals, TRAINING, generation)
    rounds = 0 if arena.together else pairing.rounds_of(count)
    among = Tally.of_no_games(count, in_points=arena.in_points)
    games = 0
    played = list[Any]()
    # Larger tables do not depend on results: those of all rounds are drawn at once.
    while len(played) < (rounds if arena.seats == 2 else min(rounds, 1)):
        if arena.seats == 2:
            played.append(pairing.next_round(among.strength(s.margin).tolist(), played))
        else:
            played.append(draw_tables(count, arena.seats, rounds, rng_of(s.seed, SEATING, generation)))
        for tables in pieces(np.asarray(played[-1], np.int64), max(1, AT_ONCE // (s.deals * arena.seats))):
            schedule = in_every_seat(tables, s.deals, arena.seats)
            among += arena.measure(population, count, deals, schedule, s.margin_cap)
            games += len(schedule)
    if not opponents and not arena.together:
        return Generation(among, among, games)
    schedule = arena.against(count, len(opponents), s.opponent_deals)
    deals = arena.deals(s.opponent_deals, SPARRING, generation)
    sparring = arena.measure([*population, *opponents], count, deals, schedule, s.margin_cap)
    return Generation(among.blended(sparring, s.opponent_share) if games else sparring, sparring, games + len(schedule))
