"""The strongest player of each style: a map over two statistics of how a player plays.

It is MAP-Elites (J.-B. Mouret and J. Clune, "Illuminating search spaces by mapping elites", 2015) with directional
variation (V. Vassiliades and J.-B. Mouret, GECCO 2018). Games are noisy, and a cell that keeps the best of many noisy
scores keeps the luckiest player. So a player that seems to be better than a cell's elite is measured again, together
with that elite, on fresh deals; all of their games count, and decide which of them stays, and where.

Strength is the win rate against one opponent; in a game for all together, the mean points of a team of copies.
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from evolve.analysis.measuring import within_budget
from evolve.evaluation.arena import Arena
from evolve.schedules import HELD_OUT, STYLES, of_pairs
from evolve.settings import Settings
from evolve.workers import Workers
from rulebots.errors import check_known, demand
from rulebots.files.ranges import check_numbers, number
from rulebots.game import Floats, Game
from rulebots.game.random_numbers import rng_of
from rulebots.output import figures as drawing
from rulebots.packages.players import champion_of, entry_of, make_player
from rulebots.packages.population import rounded
from rulebots.packages.rule_sets import load_rules
from rulebots.play.deals import sides_of_deal
from rulebots.play.results import Games, MatchResult, game_scores
from rulebots.players import Player, RulePlayer, decides_by_rules
from rulebots.rules import RuleSet, Weights

Cell = tuple[int, int]
#: The limits of the map are these quantiles of its first players; players beyond belong to the cells at its edge.
EDGES = (0.02, 0.98)
#: Statistics that every game has, besides its `behaviour`: plies of a game, and the player's own points.
LENGTH = "length"
POINTS = "points"
#: What a place on the map is called, from the lowest third of a statistic to the highest.
WORDS = ("low", "middle", "high")


@dataclass(frozen=True)
class MapSettings:
    """How a map is filled; see the module.

    The players have the rule set `rules`, by default the game's first, and meet `opponent`, by default the shipped
    champion. They begin from the hand-tuned weights and the champion's, or from those of the file `start`.

    Raises:
        UsageError: a value out of its range.
    """

    cells: int = number(10, 2, 50, "cells a side")
    batch: int = number(64, 4, 10_000, "players that are measured at once")
    deals: int = number(20, 1, 10_000, "mirrored deals of a child's first measurement")
    deciding_deals: int = number(80, 1, 10_000, "mirrored deals that decide which player is the elite of a cell")
    checked: float = number(0.25, 0.0, 10.0, "elites that are measured again with each batch, as a share of it")
    changed: float = number(0.3, 0.01, 1.0, "the share of its weights in which a child differs from a parent's mutant")
    step: float = number(0.1, 0.0, 10.0, "the standard deviation of such a change, as a share of that of all weights")
    line: float = number(0.2, 0.0, 10.0, "that of the step towards another elite, as a share of the way")
    first_step: float = number(
        2.0, 0.0, 100.0, "the largest `step` of the first players, which draw the limits of the map"
    )
    rules: str = ""
    opponent: str = ""
    start: str = ""

    def __post_init__(self) -> None:
        check_numbers(self)


@dataclass
class MeasuredPlayer:
    """A player and all of its games so far: how many, and the sums of what they scored and of the two statistics."""

    weights: Weights
    games: int = 0
    sums: Floats = field(default_factory=lambda: np.zeros(3))

    @property
    def strength(self) -> float:
        """Wins, and half of the draws, of all games; or their mean points."""
        return float(self.sums[0]) / self.games

    @property
    def place(self) -> tuple[float, float]:
        """The means of the two statistics."""
        _, first, second = (self.sums / self.games).tolist()
        return first, second


@dataclass(frozen=True)
class Elite:
    """The elite of a cell: its name, where it is, and its match against the opponent on separate deals.

    `believed` is the strength in the fresh games that put it there, after the search.
    """

    name: str
    cell: Cell
    weights: Weights
    place: tuple[float, float]
    result: MatchResult
    believed: float

    @property
    def strength(self) -> float:
        """The win rate of the match; together, the mean points of a team of copies."""
        return self.result.points if self.result.together else self.result.win_rate


@dataclass(frozen=True)
class StyleMap:
    """What was found: `styles` by strength, `by` two statistics, `limits` float64[2, 2] their lowest and highest value.

    Every cell has at most one style. `games` is how many it took.
    """

    rules: RuleSet
    by: tuple[str, str]
    limits: Floats
    cells: int
    opponent: str
    styles: tuple[Elite, ...]
    games: int

    @property
    def filled(self) -> float:
        """The share of the cells that have a style."""
        return len(self.styles) / self.cells**2

    @property
    def together(self) -> bool:
        """Whether strength is points of teams."""
        return any(style.result.together for style in self.styles)

    @property
    def strengths(self) -> Floats:
        """The strength of each cell's style, float64[cells, cells] by the first and the second statistic; NaN: none."""
        table = np.full((self.cells, self.cells), np.nan)
        for style in self.styles:
            table[style.cell] = style.strength
        return table


class StyleSearch:
    """Fills the map of a game: `fill`, then `measured`.

    `by` are two statistics: of the game's `behaviour`, `length` or `points`. `elites` are the players by cell.

    Raises:
        UsageError: no such statistic, opponent, rule set or option. PopulationError: a wrong file.
    """

    def __init__(
        self,
        game: Game,
        by: Sequence[str] = (),
        settings: MapSettings | None = None,
        *,
        seed: int = 1,
        options: Mapping[str, int] | None = None,
        opening_plies: int | None = None,
        jobs: int = 1,
    ) -> None:
        self.game = game
        self.by = statistics_of(game, by)
        self.settings = settings or MapSettings()
        seats = game.seats_with(options or {})
        self.opponent: Player = make_player(self.settings.opponent or champion_of(game), game, seats)
        self.rules, self._first = _beginning(game, self.settings, seats)
        run = Settings(game=game.name, seed=seed, options=dict(options or {}), opening_plies=opening_plies)
        self.arena = Arena(game, run, Workers(jobs))
        self.elites = dict[Cell, MeasuredPlayer]()
        self.limits: Floats = np.zeros((2, 2))
        self.games = 0
        self._batches = 0
        sizes = self._first[0][self._first[0] != 0]
        self._scale = float(sizes.std()) if len(sizes) > 1 else 1.0

    def fill(self, seconds: float | None = None, games: int | None = None) -> Iterator[int]:
        """Fill the map until that many seconds or games are spent; gives the number of filled cells after each batch.

        Compiling takes no part in them. Raises UsageError without a budget, or for one that is not above 0.
        """
        self._measure([MeasuredPlayer(self._first[0])])  # which compiles what is missing
        batches = (fill() for fill in itertools.chain([self._begin], itertools.repeat(self._step)))
        yield from within_budget(((filled, self.games) for filled in batches), seconds, games)

    def measured(self, deals: int = 500) -> StyleMap:
        """All elites on twice as many fresh deals, which say where they are and what to believe of them, and on others.

        Of two elites that come to the same cell the better one stays. `result` is their match on yet other deals.
        """
        elites = [MeasuredPlayer(rounded(elite.weights)) for elite in self.elites.values()]
        self._measure(elites, 2 * deals)
        best = dict[Cell, MeasuredPlayer]()
        for elite in elites:
            cell = self.cell_of(elite.place)
            if cell not in best or elite.strength > best[cell].strength:
                best[cell] = elite
        drawn = self.arena.deals(deals, HELD_OUT)
        elite_styles = [
            Elite("", cell, elite.weights, elite.place, self.arena.match(player, self.opponent, drawn), elite.strength)
            for cell, elite in best.items()
            for player in [RulePlayer(self.rules, elite.weights, "elite")]
        ]
        styles = sorted(elite_styles, key=lambda style: -style.strength)
        names = _names([self._words(style.cell) for style in styles])
        return StyleMap(
            rules=self.rules,
            by=self.by,
            limits=self.limits,
            cells=self.settings.cells,
            opponent=self.opponent.name,
            styles=tuple(replace(style, name=name) for name, style in zip(names, styles, strict=True)),
            games=self.games,
        )

    def cell_of(self, place: tuple[float, float]) -> Cell:
        """The cell of a place; what lies beyond the limits belongs to the cells at the edge."""
        low, high = self.limits.T
        share = (np.array(place) - low) / np.where(high > low, high - low, 1.0)
        first, second = np.clip((share * self.settings.cells).astype(np.int64), 0, self.settings.cells - 1).tolist()
        return first, second

    def _begin(self) -> int:
        """The first players: those to begin from, and their mutants, small to large; they draw the limits."""
        s, first, rng = self.settings, self._first, self._rng()
        steps = s.first_step * np.arange(1, 4 * s.batch - len(first) + 1) / (4 * s.batch)
        mutants = [self._mutated(first[i % len(first)], float(step), rng) for i, step in enumerate(steps)]
        players = [MeasuredPlayer(weights) for weights in (*first, *mutants)]
        self._measure(players)
        self.limits = np.quantile([player.place for player in players], EDGES, axis=0).T
        self._contend(players)
        return len(self.elites)

    def _step(self) -> int:
        s = self.settings
        rng = self._rng()
        elites = [elite.weights for elite in self.elites.values()]
        pairs = ([elites[i] for i in rng.integers(len(elites), size=2)] for _ in range(s.batch))
        children = [
            MeasuredPlayer(self._mutated(one + s.line * rng.normal() * (other - one), s.step, rng))
            for one, other in pairs
        ]
        self._measure(children)
        self._contend(children)
        self._decide(sorted(self.elites.values(), key=lambda elite: elite.games)[: round(s.checked * s.batch)], ())
        return len(self.elites)

    def _contend(self, players: Sequence[MeasuredPlayer]) -> None:
        """Measure again each player that seems to be better than the elite of its cell, and that elite."""
        promising = [player for player in players if self._beats(player)]
        met = {id(elite): elite for player in promising if (elite := self.elites.get(self.cell_of(player.place)))}
        self._decide(list(met.values()), promising)

    def _decide(self, elites: Sequence[MeasuredPlayer], rivals: Sequence[MeasuredPlayer]) -> None:
        """Measure elites and their rivals again; all games of each say where it belongs, and whether it stays."""
        if not elites and not rivals:
            return
        for elite in elites:
            del self.elites[self.cell_of(elite.place)]
        self._measure([*elites, *rivals], self.settings.deciding_deals)
        for player in (*elites, *rivals):
            if self._beats(player):
                self.elites[self.cell_of(player.place)] = player

    def _beats(self, player: MeasuredPlayer) -> bool:
        elite = self.elites.get(self.cell_of(player.place))
        return elite is None or player.strength > elite.strength

    def _measure(self, players: Sequence[MeasuredPlayer], deals: int | None = None) -> None:
        """Let the players meet the opponent on the next deals, and add up what they scored and did; together, alone.

        Of several seats the statistics are means. Each player is alone among copies of the opponent, and the opponent
        among its copies, as in the match that is reported.
        """
        count = len(players)
        deals = deals or self.settings.deals
        opponents = [] if self.arena.together else [self.opponent]
        schedule = (
            of_pairs([(player, count) for player in range(count)], deals, sides_of_deal(self.arena.seats))
            if opponents
            else self.arena.against(count, 0, deals)
        )
        bred = [RulePlayer(self.rules, player.weights, "style") for player in players]
        games = self.arena.play([*bred, *opponents], self.arena.deals(deals, STYLES, self._batches), schedule)
        self._batches += 1
        self.games += len(schedule)
        own = schedule[:, 1:] != count
        who = schedule[np.arange(len(own)), 1 + own.argmax(axis=1)]
        score = game_scores(games, 0.0, self.game)[:, None] if opponents else games.points
        sums = [
            np.bincount(who, (values * own).sum(axis=1) / own.sum(axis=1), count)
            for values in (score, *(statistic(games, name) for name in self.by))
        ]
        played = np.bincount(who, minlength=count)
        for i, player in enumerate(players):
            player.games += int(played[i])
            player.sums = player.sums + [of[i] for of in sums]

    def _mutated(self, weights: Weights, step: float, rng: np.random.Generator) -> Weights:
        """With a random change of some weights; of a flat set both halves stay alike."""
        shape = (1, weights.shape[1]) if self.rules.flat else weights.shape
        change = step * self._scale * rng.normal(size=shape) * (rng.random(shape) < self.settings.changed)
        return weights + change

    def _rng(self) -> np.random.Generator:
        return rng_of(self.arena.settings.seed, STYLES, self._batches)

    def _words(self, cell: Cell) -> str:
        """`high-investments-low-expeditions`."""
        parts = (WORDS[len(WORDS) * i // self.settings.cells] for i in cell)
        return "-".join(f"{word}-{name.replace(' ', '-')}" for word, name in zip(parts, self.by, strict=True))


def statistic(games: Games, name: str) -> Floats:
    """A statistic of each side of games, float64[games, seats]."""
    if name == LENGTH:
        return np.repeat(games.plies[:, None], games.points.shape[1], axis=1).astype(np.float64)
    return games.points.astype(np.float64) if name == POINTS else np.asarray(games.behaviour[name], np.float64)


def statistics_of(game: Game, by: Sequence[str]) -> tuple[str, str]:
    """Two statistics of a game: those of these names, else its first ones. Raises UsageError for others."""
    known = list(dict.fromkeys([*game.behaviour, LENGTH, POINTS]))
    for name in by:
        check_known("statistic", name, known, game.name)
    first, *more = by or known[:2]
    demand(
        len(more) == 1 and more[0] != first,
        f"a map of styles needs two different statistics of {', '.join(known)}, not {', '.join(by)}",
    )
    return first, more[0]


def _beginning(game: Game, settings: MapSettings, seats: int) -> tuple[RuleSet, list[Weights]]:
    rules = load_rules(settings.rules or None, game)
    if settings.start:
        population, _, _ = entry_of(settings.start, game.name, seats)
        demand(
            not settings.rules or population.rules is rules,
            f"{settings.start}: expected players of {game.name} with the rule set '{rules.name}'",
        )
        return population.rules, [entry.weights for entry in population.players.values()]
    best = make_player(champion_of(game), game, seats)
    first = [best.weights] if decides_by_rules(best) and best.rules is rules else []
    return rules, [*first, rules.hand_tuned()]


def _names(words: Sequence[str]) -> list[str]:
    """Each name once: the second style of the same words is called NAME-2."""
    numbers = [words[: i + 1].count(name) for i, name in enumerate(words)]
    return [name if number == 1 else f"{name}-{number}" for name, number in zip(words, numbers, strict=True)]


def as_data(styles: StyleMap) -> dict[str, Any]:
    """The map in plain data for JSON, without weights."""
    return {
        "game": styles.rules.game.name,
        "rules": styles.rules.name,
        "by": list(styles.by),
        "cells": styles.cells,
        "limits": styles.limits.tolist(),
        "opponent": styles.opponent,
        "games": styles.games,
        "filled": styles.filled,
        "styles": [
            {"name": s.name, "cell": list(s.cell), "place": list(s.place), "believed": s.believed, **s.result.summary()}
            for s in styles.styles
        ],
    }


def picture(styles: StyleMap, ending: str) -> bytes:
    """The picture as a file of that format, the same bytes for the same map.

    Raises:
        UsageError: matplotlib is not installed.
    """
    strengths = styles.strengths.T * (1 if styles.together else 100)
    with drawing.styled():
        figure = drawing.new_figure(8, 7)
        axes = figure.subplots()
        image = axes.imshow(
            np.ma.masked_invalid(strengths),
            origin="lower",
            extent=styles.limits.ravel().tolist(),
            aspect="auto",
            cmap="viridis",
        )
        axes.grid(visible=False)
        axes.set(xlabel=f"{styles.by[0]} a game", ylabel=f"{styles.by[1]} a game")
        against = "" if styles.together else f" against {styles.opponent}"
        axes.set_title(f"{styles.rules.game.title}: the strongest player of each style{against}")
        figure.colorbar(image, ax=axes, label="points of a team of copies" if styles.together else "win rate in %")
        return drawing.picture_bytes(figure, ending)
