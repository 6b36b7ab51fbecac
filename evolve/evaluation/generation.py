"""The games of a generation: among the population, and of everyone against the opponents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evolve.deals import SPARRING, TRAINING
from evolve.evaluation.arena import Arena
from evolve.evaluation.fitness import Tally, against, both_seats, nothing_yet
from evolve.evaluation.population_pairing import pairing_of
from rulebots.players import Player
from rulebots.tournaments.pairing import Pairs


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
