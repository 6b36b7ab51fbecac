"""A run: ask, play, tell; then a run-off on fresh deals, and an honest table of the champion."""

from __future__ import annotations

import functools
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from evolve.cli.interrupts import uninterrupted
from evolve.evaluation import final as ending
from evolve.evaluation import fitness
from evolve.evaluation.arena import Arena
from evolve.evaluation.deals import LESSONS, SPARRING, TRAINING
from evolve.evaluation.final import Measured, Outcome
from evolve.evaluation.fitness import Tally
from evolve.evaluation.hall_of_fame import HallOfFame
from evolve.evaluation.pairings import pairing_of
from evolve.lessons.rollouts import Lessons, obstacle
from evolve.monitoring.collapse import Alarms
from evolve.monitoring.metrics import Progress, watch
from evolve.settings import HAND_TUNED, Settings
from evolve.start import Beginning, beginning, digest, identity_of, restored
from evolve.strategies.base import Pupil
from evolve.workers.processes import Workers
from rulebots.errors import UsageError
from rulebots.game import Game, load_game
from rulebots.play.loop import advancer, beginner, counter
from rulebots.players import CompiledPlayer, Player, RulePlayer, Style, style_of
from rulebots.players.names import make_player, shipped_files
from rulebots.population import rounded
from rulebots.rules import RuleSet, Weights

#: The shipped player that a new champion has to beat; the hand-tuned one where a game has none yet.
FORMER = "champion"


class Run:
    """A run in progress. Iterate over `generations()`, then call `finish()`; Ctrl-C may come between.

    `state` is what `state()` of an earlier run gave; this one goes on from there, and ends as that one
    would have ended. `drop_missing` leaves out rules that are no more.

    Raises:
        UsageError: the settings name a game, rule set, strategy, player or file that does not exist,
            or the state is that of other rules or opponents.
    """

    def __init__(
        self,
        settings: Settings,
        jobs: int = 1,
        rules: RuleSet | None = None,
        *,
        workers: Workers | None = None,
        state: Mapping[str, Any] | None = None,
        drop_missing: bool = False,
    ) -> None:
        self.settings = settings
        self.game: Game = rules.game if rules else load_game(settings.game)
        self.arena = Arena(self.game, settings, workers or Workers(jobs))
        measured = dict.fromkeys((*self.game.references, *self.game.baselines))
        self.references = {name: make_player(name, self.game) for name in measured}
        self.hand_tuned = next(iter(self.references.values()))
        named = (self.game.references[0] if name == HAND_TUNED else name for name in settings.opponents)
        self.opponents = [make_player(name, self.game) for name in named]
        shipped = FORMER if FORMER in shipped_files(self.game) else self.game.references[0]
        self.former = make_player(shipped, self.game)
        self.nulls = {name: self.references[name] for name in self.game.baselines}
        begun: Beginning = (
            restored(settings, self.game, rules, self.opponents, state, drop_missing=drop_missing)
            if state
            else beginning(settings, self.game, rules, drop_missing=drop_missing)
        )
        self.rules, self.breeder, self.notes = begun.rules, begun.breeder, begun.notes
        self.taught = self._taught()
        to_come = self.taught and self.breeder.generation < settings.generations
        if to_come and (again := len(self.breeder.former_pupils())):
            self.notes = [*self.notes, f"first it takes the lessons of the last {again} generations again"]
        self.pairing = pairing_of(settings.schedule)
        self.hall, self.alarms = HallOfFame(settings.hall_of_fame), Alarms()
        self.games, self.training, self.alarmed = 0, 0.0, list[str]()
        if state:
            self.games, self.training, self.alarmed = state["games"], state["training"], state["alarmed"]
            self.hall.restore({**state["hall"], "members": begun.hall})
            self.alarms.restore(state["alarms"])

    @property
    def styles(self) -> set[Style]:
        """The compiled ways of choosing that take part."""
        met = [*self.references.values(), *self.opponents, self.former]
        return {style_of(self.rules), *(player.style for player in met if isinstance(player, CompiledPlayer))}

    def compile(self) -> None:
        """Compile the law and the players, or load them from the cache."""
        opening_plies = self.settings.opening_plies
        beginner(self.game, openings=(self.game.opening_plies if opening_plies is None else opening_plies) > 0)
        counter(self.game)
        for style in self.styles:
            advancer(style)

    def generations(self) -> Iterator[Progress]:
        """Breed, a generation a step."""
        settings = self.settings
        self.compile()  # here, so that the first generation's speed is that of its games
        if self.breeder.generation < settings.generations:
            for earlier, former in self.breeder.former_pupils() if self.taught else ():
                self.breeder.remember(self._lessons(earlier, former))
        while self.breeder.generation < settings.generations:
            generation = self.breeder.generation
            began = time.perf_counter()
            bred = self._players(self.breeder.ask())
            told, met, played = self._play(bred, generation)
            pupil = self.breeder.pupil() if self.taught else None
            lessons = None if pupil is None else self._lessons(generation, pupil)
            played += 0 if lessons is None else settings.lessons + settings.samples * len(lessons.worth)
            speed = played / (time.perf_counter() - began)
            best = int(np.argmax(told.strength(settings.margin)))
            seen = watch(self.arena, bred, best, self.hand_tuned, self.nulls, generation)
            with uninterrupted():
                if lessons is not None:
                    self.breeder.study(lessons)
                self.breeder.tell(told)
                self.games += played
                self.training = float(met.win_rate[best])
                self.alarmed = self.alarms.see(seen.vitals)
                champion = rounded(self.breeder.finalists()[0])
                self.hall.consider(self.breeder.generation, champion)
            yield Progress(
                generation=generation + 1,
                games=self.games,
                games_a_second=speed,
                best=seen.best,
                best_95=seen.best_95,
                mean=seen.mean,
                training=self.training,
                training_games=int(met.games[best]),
                vitals=seen.vitals,
                alarms=self.alarmed,
                champion=champion,
            )

    def finish(self) -> Outcome:
        """Run off the finalists, and measure the champion on fresh deals."""
        finalists = self.run_off()
        return self.outcome(finalists, run_off=True, measured=self.measure(finalists[0]))

    def candidates(self) -> list[Weights]:
        """The finalists and the hall of fame in no particular order, rounded as a file holds them, each once."""
        candidates: list[Weights] = []
        for weights in map(rounded, [*self.breeder.finalists(), *self.hall.members.values()]):
            if not any(np.array_equal(weights, other) for other in candidates):
                candidates.append(weights)
        return candidates

    def run_off(self) -> list[Weights]:
        """The candidates, best first by games that training never saw."""
        candidates = self.candidates()
        order = ending.run_off(self.arena, self._players(candidates), list(self.references.values()))
        return [candidates[place] for place in order]

    def measure(self, champion: Weights) -> Measured:
        """What games that decided nothing say of a champion."""
        hall = {g: RulePlayer(self.rules, w, f"champion of generation {g}") for g, w in self.hall.members.items()}
        faced = [*self.opponents, *hall.values()] or self._players(self.breeder.ask())
        player, now = RulePlayer(self.rules, champion, "champion"), self.breeder.generation
        earlier = {g: member for g, member in hall.items() if g < now and not _same(player, member)}
        # The command that bred the shipped champion breeds it again: then the hand-tuned player stands in for it.
        former = self.hand_tuned if _same(player, self.former) else self.former
        return ending.measure(self.arena, player, self.references, faced, former, earlier, self.training)

    def outcome(self, finalists: list[Weights], *, run_off: bool, measured: Measured | None) -> Outcome:
        """What was bred up to now."""
        generations, games = self.breeder.generation, self.games
        return Outcome(self.settings, self.rules, generations, games, finalists, run_off, measured, self.alarmed)

    def state(self) -> dict[str, Any]:
        """All that the rest of the run depends on besides its settings, as plain data for JSON."""
        return {
            **self._identity,
            "games": self.games,
            "training": self.training,
            "alarmed": self.alarmed,
            "alarms": self.alarms.state(),
            "hall": self.hall.state(),
            "breeder": self.breeder.state(),
        }

    @functools.cached_property
    def _identity(self) -> dict[str, Any]:
        """By which a state knows whether it is gone on with by the same rules and opponents."""
        opponents = {player.name: digest(player) for player in self.opponents}
        return {"rules": identity_of(self.rules), "opponents": opponents}

    def _players(self, weights: Sequence[Weights]) -> list[RulePlayer]:
        return [RulePlayer(self.rules, w, f"bred {i + 1}") for i, w in enumerate(weights)]

    def _play(self, bred: Sequence[Player], generation: int) -> tuple[Tally, Tally, int]:
        """All games of a generation: among the population, and everyone against the opponents on further deals.

        Gives the tally of all of them, that of those against the opponents (where there are none: of
        all), and how many they were.
        """
        s, count = self.settings, len(bred)
        hall = [RulePlayer(self.rules, w, f"champion of generation {g}") for g, w in self.hall.members.items()]
        opponents = [*self.opponents, *hall]
        deals = self.arena.deals(s.deals, TRAINING, generation)
        told, pairs = fitness.nothing_yet(count), fitness.NOBODY_MET
        for _ in range(self.pairing.count(count)):
            meeting = self.pairing.pairs(told.strength(s.margin), pairs)
            told += self.arena.measure(bred, count, deals, fitness.both_seats(meeting, s.deals), s.margin_cap)
            pairs = np.concatenate([pairs, meeting])
        played = 2 * s.deals * len(pairs)
        if not opponents:
            return told, told, played
        further = fitness.against(count, len(opponents), s.opponent_deals)
        deals = self.arena.deals(s.opponent_deals, SPARRING, generation)
        met = self.arena.measure([*bred, *opponents], count, deals, further, s.margin_cap)
        return told.blended(met, s.opponent_share) if played else met, met, played + len(further)

    def _taught(self) -> bool:
        """Whether this run takes lessons. Raises UsageError where they were asked for and cannot be had."""
        if self.settings.lessons == 0:
            return False
        why = obstacle(self.rules)
        if self.breeder.pupil() is None:
            why = f"the strategy '{self.settings.strategy_name}' takes none"
        if why and "lessons" in self.settings.chosen():
            raise UsageError(f"lessons: expected 0, not {self.settings.lessons}, for {why}")
        if why:
            self.notes = [*self.notes, f"nobody takes lessons, for {why}"]
        return why is None

    def _lessons(self, generation: int, pupil: Pupil) -> Lessons:
        """The lessons of a generation, from the pupil's games with each of the opponents and with itself."""
        deals = self.arena.deals(self.settings.lessons, LESSONS, generation)
        player, itself = self._players([pupil.weights, pupil.weights])
        return self.arena.lessons([player, *self.opponents, itself], deals, pupil.within, pupil.self_play)


def _same(player: RulePlayer, other: Player) -> bool:
    return (
        isinstance(other, RulePlayer) and other.rules is player.rules and np.array_equal(other.weights, player.weights)
    )
