"""A run: ask, play, tell; then a run-off on fresh deals, and an honest table of the champion."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from evolve import fitness
from evolve.fitness import Tally
from evolve.interrupts import uninterrupted
from evolve.settings import HAND_TUNED, Settings
from evolve.strategies import make_breeder
from rulebots.game import Game, UsageError, load_game
from rulebots.loop import NOBODY, advancer, law_of
from rulebots.matches import Deals, draw_deals, mirrored, play_games
from rulebots.players import CompiledPlayer, Player, RulePlayer, Style, style_of
from rulebots.population import Population, find_player, load_population, rounded
from rulebots.results import MatchResult, match_result
from rulebots.roster import file_of, make_player
from rulebots.rules import RuleSet, Weights

# What deals are for: part of their identity, so that no deal is ever used for two purposes.
TRAINING, SPARRING, WATCHING, RUNOFF, HELD_OUT = range(1, 6)
#: Mirrored deals by which the progress line measures the best and the whole population.
WATCH_DEALS = 200


@dataclass(frozen=True)
class Progress:
    """One generation: `best` and `mean` are win rates against the hand-tuned player on fresh deals."""

    generation: int
    games: int
    games_a_second: float
    best: float
    mean: float


@dataclass(frozen=True)
class Outcome:
    """What a run bred: the finalists as weights, the champion first, and what was measured of it.

    `held_out` is empty where nothing was measured.
    """

    settings: Settings
    rules: RuleSet
    generations: int
    games: int
    finalists: list[Weights]
    held_out: dict[str, MatchResult]

    @property
    def interrupted(self) -> bool:
        """Whether the run stopped before its last generation."""
        return self.generations < self.settings.generations


class Run:
    """A run in progress. Iterate over `generations()`, then call `finish()`; Ctrl-C may come between.

    Raises:
        UsageError: the settings name a game, rule set, strategy, player or file that does not exist.
    """

    def __init__(self, settings: Settings, jobs: int = 1, rules: RuleSet | None = None) -> None:
        self.settings = settings
        self.jobs = jobs
        self.game: Game = rules.game if rules else load_game(settings.game)
        self.game.option_values(settings.options)
        start = self._population(rules) if settings.start else None
        self.rules = rules or self._rule_set(start)
        self.references = {name: make_player(name, self.game) for name in self.game.references}
        named = (self.game.references[0] if name == HAND_TUNED else name for name in settings.opponents)
        self.opponents = [make_player(name, self.game) for name in named]
        self.hand_tuned = next(iter(self.references.values()))
        self.breeder = make_breeder(settings, self.rules, self._start(start), start.new_rules if start else ())
        self.games = 0

    @property
    def styles(self) -> set[Style]:
        """The compiled ways of choosing that take part."""
        met = [*self.references.values(), *self.opponents]
        return {style_of(self.rules), *(player.style for player in met if isinstance(player, CompiledPlayer))}

    def generations(self) -> Iterator[Progress]:
        """Breed, a generation a step."""
        settings = self.settings
        law_of(self.game)  # compiled here, so that the first generation's speed is that of its games
        for style in self.styles:
            advancer(style)
        while self.breeder.generation < settings.generations:
            generation = self.breeder.generation
            began = time.perf_counter()
            bred = self._players(self.breeder.ask())
            told, played = self._play(bred, generation)
            with uninterrupted():
                self.breeder.tell(told)
                self.games += played
            speed = played / (time.perf_counter() - began)
            best, mean = self._watch(bred, int(np.argmax(told.strength(settings.margin))), generation)
            yield Progress(generation + 1, self.games, speed, best, mean)

    def finish(self) -> Outcome:
        """Run off the finalists, and measure the champion against each reference player."""
        finalists = self.run_off()
        return self.outcome(finalists, self.measure(finalists[0]))

    def candidates(self) -> list[Weights]:
        """The finalists in no particular order, rounded as a file holds them, each once."""
        candidates: list[Weights] = []
        for weights in map(rounded, self.breeder.finalists()):
            if not any(np.array_equal(weights, other) for other in candidates):
                candidates.append(weights)
        return candidates

    def run_off(self) -> list[Weights]:
        """The candidates, best first by games that training never saw.

        They meet each other and all reference players on the same deals; wins and margins decide.
        """
        settings = self.settings
        candidates = self.candidates()
        players: list[Player] = [*self._players(candidates), *self.references.values()]
        count = len(candidates)
        schedule = np.concatenate(
            [
                fitness.round_robin(count, settings.runoff_deals),
                fitness.against(count, len(self.references), settings.runoff_deals),
            ]
        )
        deals = draw_deals(
            self.game,
            settings.runoff_deals,
            settings.seed,
            RUNOFF,
            options=settings.options,
            opening_plies=settings.opening_plies,
        )
        told = fitness.measure(players, count, deals, schedule, self.jobs, settings.margin_cap)
        ranked = np.argsort(-told.strength(settings.margin), kind="stable")
        return [candidates[i] for i in ranked]

    def measure(self, champion: Weights) -> dict[str, MatchResult]:
        """A match against each reference player, on deals that decided nothing."""
        settings, player = self.settings, RulePlayer(self.rules, champion, "champion")
        deals = draw_deals(
            self.game,
            settings.held_out_deals,
            settings.seed,
            HELD_OUT,
            options=settings.options,
            opening_plies=settings.opening_plies,
        )
        return {
            name: match_result(play_games([player, reference], deals, mirrored(settings.held_out_deals), self.jobs))
            for name, reference in self.references.items()
        }

    def outcome(self, finalists: list[Weights], held_out: dict[str, MatchResult]) -> Outcome:
        """What was bred up to now."""
        return Outcome(self.settings, self.rules, self.breeder.generation, self.games, finalists, held_out)

    def _population(self, rules: RuleSet | None) -> Population:
        """The players to start from: those of the file, or the one that is named."""
        path, wanted = file_of(self.settings.start)
        population = load_population(path, [rules] if rules else [])
        if wanted is None:
            return population
        name, entry = find_player(population, wanted)
        return replace(population, players={name: entry})

    def _rule_set(self, start: Population | None) -> RuleSet:
        """The rule set that the settings name; else that of the players to start from; else the game's first."""
        wanted = self.settings.rules
        if start is None or start.game is not self.game:
            return self.game.rule_set(wanted or None)
        return self.game.rule_set(wanted) if wanted else start.rules

    def _start(self, population: Population | None) -> list[Weights]:
        if population is None:
            return [self.rules.hand_tuned()]
        found, expected = ((r.game.name, r.name) for r in (population.rules, self.rules))
        if found != expected:
            raise UsageError(
                f"{self.settings.start}: expected players of {expected[0]} with the rule set '{expected[1]}', "
                f"not of {found[0]} with '{found[1]}'"
            )
        return [entry.weights for entry in population.players.values()]

    def _players(self, weights: Sequence[Weights]) -> list[RulePlayer]:
        return [RulePlayer(self.rules, w, f"bred {i + 1}") for i, w in enumerate(weights)]

    def _deals(self, count: int, *identity: int) -> Deals:
        """Deals of this run for one of the purposes above, and for one generation."""
        s = self.settings
        return draw_deals(self.game, count, s.seed, *identity, options=s.options, opening_plies=s.opening_plies)

    def _play(self, bred: Sequence[Player], generation: int) -> tuple[Tally, int]:
        """All games of a generation: all pairs, and everyone against the opponents on further deals."""
        s, count = self.settings, len(bred)
        schedule = fitness.round_robin(count, s.deals)
        deals = draw_deals(
            self.game, s.deals, s.seed, TRAINING, generation, options=s.options, opening_plies=s.opening_plies
        )
        told = fitness.measure(bred, count, deals, schedule, self.jobs, s.margin_cap)
        if not self.opponents:
            return told, len(schedule)
        further = fitness.against(count, len(self.opponents), s.opponent_deals)
        deals = draw_deals(
            self.game, s.opponent_deals, s.seed, SPARRING, generation, options=s.options, opening_plies=s.opening_plies
        )
        met = fitness.measure([*bred, *self.opponents], count, deals, further, self.jobs, s.margin_cap)
        return told.blended(met, s.opponent_share), len(schedule) + len(further)

    def _watch(self, bred: Sequence[Player], best: int, generation: int) -> tuple[float, float]:
        settings, count = self.settings, len(bred)
        deals = draw_deals(
            self.game,
            WATCH_DEALS,
            settings.seed,
            WATCHING,
            generation,
            options=settings.options,
            opening_plies=settings.opening_plies,
        )
        # Everyone in turn on deals of his own: two deals for all would say more of the deals than of the players.
        in_turn = mirrored(WATCH_DEALS, NOBODY, count)
        in_turn[:, 1:][in_turn[:, 1:] == NOBODY] = np.repeat(np.arange(WATCH_DEALS) % count, 2)
        everyone = fitness.measure([*bred, self.hand_tuned], count, deals, in_turn, self.jobs)
        pair = play_games([bred[best], self.hand_tuned], deals, mirrored(WATCH_DEALS), self.jobs)
        mean = float(everyone.wins.sum() + everyone.draws.sum() / 2) / len(in_turn)
        return match_result(pair).win_rate, mean
