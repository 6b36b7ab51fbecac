"""A run: ask, play, tell; then a run-off on fresh deals, and an honest table of the champion."""

import functools
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evolve.evaluation import final
from evolve.evaluation.arena import Arena, play_generation
from evolve.evaluation.hall_of_fame import HallOfFame
from evolve.evaluation.polish import Polish, polish
from evolve.lessons import rollouts, rule_ranges
from evolve.lessons.learner import Learner, joins, take_lessons, why_none
from evolve.monitoring import CollapseWatch, Progress, RecentMatches, measure_generation, watched_share
from evolve.schedules import pairing_of
from evolve.settings import HAND_TUNED, Settings
from evolve.signals import uninterrupted
from evolve.start import Beginning, beginning, identity_of, restored
from evolve.workers import Workers
from rulebots.errors import demand, listed
from rulebots.game import Game
from rulebots.kernel.fingerprint import fingerprint
from rulebots.kernel.precompile import Compilation, precompile
from rulebots.output.notebook import data_frame, html_table
from rulebots.packages import load_game, package_of
from rulebots.packages.players import make_player, shipped_files
from rulebots.packages.population import rounded
from rulebots.packages.rule_sets import load_rules
from rulebots.play import loop
from rulebots.play.deals import opening_plies_of
from rulebots.play.match import styles_of
from rulebots.play.trial_games import try_styles
from rulebots.players import Player, RulePlayer, decides_by_rules, style_of
from rulebots.rules import RuleSet, Weights

#: The shipped player that a new champion has to beat; the hand-tuned one where a game ships none.
FORMER = "champion"


@dataclass(frozen=True, repr=False)
class Outcome:
    """What a run bred: the finalists as weights, the champion first, and what was measured of it.

    `run_off` says whether games decided the order of the finalists, and `polish` what was made of the first of them: if
    it was changed, the one before is the second. `measured` is what fresh deals say of the champion. A run that is
    interrupted at its end leaves out these three, or the last of them: they are None. `warnings` are the collapse
    warnings of the last generation. `kept` names the first player where that is an old one: after the run-off, the
    hand-tuned player or one of the file that the run began from.
    """

    settings: Settings
    rules: RuleSet
    generations: int
    games: int
    finalists: list[Weights]
    run_off: bool
    measured: final.Measured | None
    warnings: Sequence[str] = ()
    polish: Polish | None = None
    kept: str = ""
    bred_in: int = 0

    def __repr__(self) -> str:
        done = f"{self.generations} generations, {self.games:,} games"
        return f"<Outcome at {self.rules.game.name}: {done}{self._strength}>"

    def _repr_html_(self) -> str:
        champion = self.rules.rows(self.finalists[0])
        rows = [(row["group"], row["rule"], f"{row['early']:g}", f"{row['late']:g}") for row in champion]
        title = f"the champion at {self.rules.game.title}{self._strength}"
        return html_table(("group", "rule", "early", "late"), rows, title)

    def to_pandas(self) -> Any:
        """The champion's weights, a line for each rule: group, rule, early, late, meaning.

        Raises:
            UsageError: pandas is not installed.
        """
        return data_frame(self.rules.rows(self.finalists[0]))

    @property
    def _strength(self) -> str:
        if self.measured is None:
            return ", not measured"
        against, match = next(iter(self.measured.held_out.items()))
        return f", {final.figure(match)} against {against} on fresh deals"

    @property
    def trend(self) -> str:
        """Whether the run still gained at its end, and whether to go on, in words; "" where that is unknown."""
        if self.kept:
            return "more generations, another seed or another strategy may gain"
        matches = self.measured.held_out.items() if self.measured else ()
        former = {int(name.split()[1]): match for name, match in matches if name.startswith("generation ")}
        left, bred_in = self.settings.generations - self.generations, self.bred_in or self.generations
        whose = f"the champion of generation {bred_in}{', polished,' * bool(self.polish and self.polish.changes)}"
        return final.trend(former, self.generations, left, bred_in).replace("the champion", whose, 1)

    @property
    def verdicts(self) -> list[str]:
        """What fresh deals say, in words: first whether the file's player is better than what the run began with."""
        kept = f"no better than before the run: the file holds '{self.kept}', as no bred player did better"
        return [kept] if self.kept else self.measured.sentences if self.measured else []

    @property
    def interrupted(self) -> bool:
        """Whether the run stopped before its last generation."""
        return self.generations < self.settings.generations


def _by_hand(rules: RuleSet) -> RulePlayer:
    """The player with the rules' own weights."""
    return RulePlayer(rules, rounded(rules.hand_tuned()), HAND_TUNED)


class Run:
    """A run in progress. Call `breed()`, or iterate over `generations()` and then call `finish()`.

    `state` is the `state()` of an earlier run; this one continues it, and ends as that run would have ended.
    `drop_missing` leaves out rules that no longer exist.

    Raises:
        UsageError: the settings name a game, rule set, strategy, player or file that does not exist, or the state is
            that of other rules or opponents.
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
        if rules is None and settings.rules:
            rules = load_rules(settings.rules, self.game)  # first: files may need it
        self.arena = Arena(self.game, settings, workers or Workers(jobs))
        package = package_of(self.game)
        seats = self.arena.seats
        self.references = {
            name: make_player(name, self.game, seats) for name in (*package.references, *package.baselines)
        }
        self.hand_tuned = next(iter(self.references.values()))
        if rules:
            self._know_hand_tuned(rules)
        self.opponents = [
            self.hand_tuned if name == HAND_TUNED else make_player(name, self.game, seats)
            for name in settings.opponents
        ]
        self.arena.partners = [make_player(name, self.game, seats) for name in settings.partners]
        demand(
            self.arena.together or not self.arena.partners,
            f"partners: {self.game.title} is played against each other; they are for games for all together",
        )
        count = settings.population
        for one in self._met:
            one.check_seats(seats)
        demand(
            count >= seats or self.arena.together or not pairing_of(settings.schedule).rounds_of(count),
            f"population: a table of {seats} needs at least {seats} players, not {count}; "
            "or say --schedule gauntlet, in which they meet opponents only",
        )
        self.baselines = {name: self.references[name] for name in package.baselines}
        begun: Beginning = (
            restored(settings, self.game, rules, self._met, state, drop_missing=drop_missing)
            if state
            else beginning(settings, self.game, rules, drop_missing=drop_missing)
        )
        self.rules = begun.rules
        self.breeder = begun.breeder
        self.notes = list(begun.notes)
        self._know_hand_tuned(self.rules)
        self.former = make_player(FORMER, self.game, seats) if FORMER in shipped_files(self.game) else self.hand_tuned
        self.starters = {name: RulePlayer(self.rules, weights, name) for name, weights in begun.starters.items()}
        self.learner = self._learner()
        self.hall = HallOfFame(settings.hall_of_fame)
        windows = [dict(state["collapse"][name]) for name in ("recent", "best")] if state else []
        self.collapse = CollapseWatch(watched_share(self.arena, len(self.baselines)), *windows)
        self.recent = RecentMatches(list(state.get("recent", ())) if state else [])
        self.games: int = state["games"] if state else 0
        self.training: float = state["training"] if state else 0.0
        self.warnings: list[str] = state["warnings"] if state else []
        self.start_won = False
        if state:
            self.hall.restore({**state["hall"], "members": begun.hall})

    def _know_hand_tuned(self, rules: RuleSet) -> None:
        """Measure by the weights written beside the rules, where the package knows no player that tries to win."""
        if self.hand_tuned.name in package_of(self.game).baselines:
            self.hand_tuned = _by_hand(rules)
            self.references = {HAND_TUNED: self.hand_tuned, **self.references}

    @property
    def compilations(self) -> list[Compilation]:
        """The kernels that its generations call: the law, the players that take part, and their lessons."""
        return [
            *self._of_matches([self.hand_tuned, *self.baselines.values(), *self._met]),
            *(rollouts.compilations(style_of(self.rules)) if self.learner else []),
            *(rule_ranges.compilations(style_of(self.rules)) if self.breeder.unscaled else []),
        ]

    @property
    def compilations_of_the_end(self) -> list[Compilation]:
        """Those that its end calls, with whom the champion meets there: the other reference players."""
        return self._of_matches([*self.references.values(), *self._met, self.former])

    def compile(self) -> None:
        """Compile those of its generations, or load them. Raises CodeError where rules or players break the contract.

        Those of the end are compiled where they are first called.
        """
        try_styles(self.game, [style_of(self.rules)], self.game.option_values(self.settings.options))
        precompile(self.compilations)

    def _of_matches(self, met: Sequence[Player]) -> list[Compilation]:
        settings = self.settings
        styles = dict.fromkeys((style_of(self.rules), *styles_of(met)))
        plies = opening_plies_of(self.game, self.game.option_values(settings.options), settings.opening_plies)
        return loop.compilations(self.game, styles, openings=plies > 0)

    def generations(self) -> Iterator[Progress]:
        """Breed, a generation a step."""
        self.compile()  # before the first clock starts
        while self.breeder.generation < self.settings.generations:
            yield self._breed()

    def _breed(self) -> Progress:
        """Play a generation, learn from it, and breed the next one."""
        settings = self.settings
        generation = self.breeder.generation
        began = time.perf_counter()
        if self.breeder.unscaled:
            self.breeder.scale(rule_ranges.ranges_of(self.arena, self._players(self.breeder.ask())))
        bred = self._players(self.breeder.ask())
        played = play_generation(self.arena, bred, self._all_opponents, generation)
        wanted = self.learner.wanted(generation) if self.learner else ()
        lessons = [take_lessons(self.arena, request, self.rules, self._in_lessons) for request in wanted]
        of_lessons = [settings.lessons + settings.rollouts * len(taken.returns) for taken in lessons]
        speed = (played.games + sum(of_lessons)) / (time.perf_counter() - began)
        best = int(np.argmax(played.tally.strength(settings.margin)))
        match, mean, metrics = measure_generation(self.arena, bred, best, self.hand_tuned, self.baselines, generation)
        with uninterrupted():
            if self.learner:
                self.learner.learn(generation, lessons)
            self.breeder.tell(played.tally)
            # Lessons that are taken again after a restore were counted before: only the last are new.
            self.games += played.games + sum(of_lessons[-1:])
            self.training = float(played.sparring.win_rate[best])
            self.warnings = self.collapse.see(metrics)
            pooled = self.recent.see(match, mean)
            champion = rounded(self.breeder.finalists()[0])
            self.hall.consider(self.breeder.generation, champion)
        return Progress(
            generation=generation + 1,
            games=self.games,
            games_a_second=speed,
            **pooled,
            training=self.training,
            training_games=int(played.sparring.games[best]),
            metrics=metrics,
            warnings=self.warnings,
            champion=champion,
        )

    def breed(self, watch: Callable[[Progress], object] | None = None) -> Outcome:
        """All generations, the run-off and the measurement.

        `watch` is given the progress after each generation; if it returns False, no further one is bred, and the
        outcome says that the run was `interrupted`.
        """
        for progress in self.generations():
            if watch and watch(progress) is False:
                break
        return self.finish()

    def finish(self) -> Outcome:
        """Run off the finalists, polish the champion, and measure it on fresh deals."""
        finalists = self.run_off()
        polished = self.polish(finalists)
        return self.outcome(finalists, run_off=True, polished=polished, measured=self.measure(polished.weights))

    def candidates(self) -> list[Weights]:
        """The finalists, former champions of the run and the file's players that the run began from, each once.

        Of many former champions some take part, evenly spread over the run. They are in no particular order, and
        rounded as a file holds them.
        """
        every = map(
            rounded,
            [
                *self.breeder.finalists(),
                *self.hall.candidates.values(),
                *[player.weights for player in self.starters.values()],
            ],
        )
        return list({weights.tobytes(): weights for weights in every}.values())

    def run_off(self) -> list[Weights]:
        """The candidates, best first by games that training never saw.

        Where the hand-tuned player, or the best one of the file that the run began from, beats the winner, it is first.
        """
        candidates = self.candidates()
        order = final.run_off(self.arena, self._players(candidates), self._strong_references, self.games)
        ranked = [candidates[place] for place in order]
        start = [
            weights for weights in ranked if any(np.array_equal(weights, s.weights) for s in self.starters.values())
        ]
        winner, *begun = self._players([ranked[0], *start[:1], _by_hand(self.rules).weights])
        first = final.best_of(self.arena, winner, begun, self.games).weights
        self.start_won = first is not winner.weights
        return [first, *(weights for weights in ranked if not np.array_equal(weights, first))]

    def polish(self, finalists: Sequence[Weights]) -> Polish:
        """Polish the winner of the run-off; a player that the run began from stays as it is.

        It has to hold its own against the reference players, the weakest aside, and former champions of the run, and
        then against the winner: a gain over players one by one may be a loss in the winner's place.
        """
        games = self.arena.games_a_generation * self.breeder.generation
        most_games = 0 if self.start_won else int(self.settings.polish_share * games)
        winner = RulePlayer(self.rules, finalists[0], "champion")
        polished = polish(self.arena, winner, [*self._strong_references, *self._hall_players().values()], most_games)
        player = RulePlayer(self.rules, polished.weights, "champion")
        best = final.best_of(self.arena, player, [winner], self.games, len(self.starters) + 1)
        return Polish(winner.weights, (), polished.games) if best is winner else polished

    def measure(self, champion: Weights) -> final.Measured:
        """What games that decided nothing say of a champion; training says nothing of an old player."""
        met = self._all_opponents
        faced = met or self._players(self.breeder.ask())
        comparable = (met or self.arena.seats == 2 or self.arena.together) and not self._old(champion)
        player = RulePlayer(self.rules, champion, "champion")
        earlier = {
            f"generation {g}": one
            for g, one in self._hall_players().items()
            if g < self.breeder.generation and not final.same(player, one)
        }
        # The command that bred the shipped champion breeds it again; that one is compared with the hand-tuned player.
        former = self.hand_tuned if final.same(player, self.former) else self.former
        by_hand = _by_hand(self.rules)
        own = next(one for one in (self.hand_tuned, by_hand) if decides_by_rules(one) and final.same(one, by_hand))
        return final.measure(
            self.arena,
            player,
            final.Rivals(self.references, former, faced, earlier, self.starters or {own.name: own}),
            self.training if comparable else None,
            self.games,
        )

    def outcome(
        self,
        finalists: list[Weights],
        *,
        run_off: bool,
        polished: Polish | None = None,
        measured: final.Measured | None,
    ) -> Outcome:
        """What was bred up to now."""
        former = (g for g, one in self.hall.candidates.items() if np.array_equal(one, finalists[0]))
        if polished and polished.changes:
            finalists = [polished.weights, *finalists]
        return Outcome(
            settings=self.settings,
            rules=self.rules,
            generations=self.breeder.generation,
            games=self.games,
            finalists=finalists,
            run_off=run_off,
            measured=measured,
            warnings=self.warnings,
            polish=polished,
            kept=self._old(finalists[0]) if run_off else "",
            bred_in=next(former, self.breeder.generation),
        )

    def _old(self, weights: Weights) -> str:
        """The name of the hand-tuned player or the one that the run began from with these weights, "" for others."""
        known = (*self.starters.values(), self.hand_tuned, _by_hand(self.rules))
        return next((one.name for one in known if final.same(RulePlayer(self.rules, weights), one)), "")

    def state(self) -> dict[str, Any]:
        """Everything that the rest of the run depends on besides its settings, as plain data for JSON."""
        return {
            **self._identity,
            "games": self.games,
            "training": self.training,
            "warnings": self.warnings,
            "collapse": self.collapse.state(),
            "recent": self.recent.matches,
            "hall": self.hall.state(),
            "starters": {name: player.weights.tolist() for name, player in self.starters.items()},
            "breeder": self.breeder.state(),
        }

    @functools.cached_property
    def _identity(self) -> dict[str, Any]:
        """The identity of rules and opponents: a state continues with the same ones."""
        opponents = {player.name: fingerprint(player) for player in self._met}
        return {"rules": identity_of(self.rules), "opponents": opponents}

    @property
    def _met(self) -> list[Player]:
        """The players that the settings name: opponents and, in a cooperative game, partners."""
        return [*self.opponents, *self.arena.partners]

    @property
    def _all_opponents(self) -> list[Player]:
        """Whom everyone meets besides the population: the opponents of the settings, and the hall of fame."""
        return [*self.opponents, *map(self._hall_players().__getitem__, self.hall.opponents)]

    @property
    def _strong_references(self) -> list[Player]:
        """The reference players without the baselines, whom every finalist beats."""
        return [one for name, one in self.references.items() if name not in self.baselines] or [self.hand_tuned]

    @property
    def _in_lessons(self) -> Sequence[Player]:
        """The players beside the learner: in a cooperative game its partners."""
        return self.arena.partners if self.arena.together else self.opponents

    def _players(self, weights: Sequence[Weights]) -> list[RulePlayer]:
        return [RulePlayer(self.rules, w, f"bred {i + 1}") for i, w in enumerate(weights)]

    def _hall_players(self) -> dict[int, RulePlayer]:
        return {g: RulePlayer(self.rules, w, f"champion of generation {g}") for g, w in self.hall.members.items()}

    def _learner(self) -> Learner | None:
        """The breeder's learner, if the run takes lessons. Raises UsageError if the user asked for impossible ones."""
        settings = self.settings
        learner = self.breeder.learner
        if why := why_none(settings, learner, self.rules):
            demand("lessons" not in settings.chosen(), f"lessons: expected 0, not {settings.lessons}: {why}")
            self.notes.append(f"the run takes no lessons: {why}")
            return None
        if learner is None or settings.lessons == 0:
            return None
        if alone := [player.name for player in self._in_lessons if not joins(player)]:
            self.notes.append(f"lessons are without {listed(alone)}: rollouts begin in the middle of a game")
        again = len(learner.wanted(self.breeder.generation)) - 1
        if again and self.breeder.generation < settings.generations:
            which = f"{again} earlier generations" if again > 1 else "the generation before"
            self.notes.append(f"it first takes the lessons of {which} again")
        return learner
