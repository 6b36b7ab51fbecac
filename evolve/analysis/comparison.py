"""Two players rule by rule: what each weighs, and where they differ most, as figures and as a picture."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rulebots.errors import demand
from rulebots.output import figures as drawing
from rulebots.packages import load_game
from rulebots.packages.players import entry_of, make_player, player_names, shipped_files
from rulebots.players import RulePlayer
from rulebots.rules import EARLY, LATE

Pair = tuple[float, float]
#: Inches: a rule's row, what stands above and below the rows, a panel, and a letter of a rule's name.
ROW = 0.21
FRAME = 1.5
PANEL = 3.6
LETTER = 0.075


@dataclass(frozen=True)
class Weighing:
    """One rule as two players weigh it: (early, late), None for a player whose rules do not name it."""

    key: str
    meaning: str
    first: Pair | None
    second: Pair | None

    @property
    def pairs(self) -> tuple[Pair, Pair]:
        """The weights of both players; a missing rule weighs 0."""
        return self.first or (0.0, 0.0), self.second or (0.0, 0.0)

    @property
    def difference(self) -> float:
        """The sum of the early and the late distance."""
        first, second = self.pairs
        return abs(first[EARLY] - second[EARLY]) + abs(first[LATE] - second[LATE])

    @property
    def only(self) -> int | None:
        """0 or 1 where only the first or the second player has the rule; the other's weights are 0 or missing."""
        has = [pair is not None and any(pair) for pair in (self.first, self.second)]
        return None if has[0] == has[1] else has.index(True)


@dataclass(frozen=True)
class Comparison:
    """All rules that one of two players has, largest differences first; `names` are as the user gave them."""

    names: tuple[str, str]
    game: str
    rule_sets: tuple[str, str]
    rules: tuple[Weighing, ...]

    @property
    def flat(self) -> bool:
        """Whether every rule weighs the same early and late."""
        pairs = [pair for rule in self.rules for pair in (rule.first, rule.second) if pair is not None]
        return all(early == late for early, late in pairs)

    @property
    def alike(self) -> float:
        """The cosine of the angle between the players' weights: 1 for players that choose alike, at any scale."""
        first, second = (np.array([rule.pairs[side] for rule in self.rules]).ravel() for side in (0, 1))
        length = float(np.linalg.norm(first) * np.linalg.norm(second))
        return float(first @ second) / length if length else float(np.array_equal(first, second))


def compare(first: str | RulePlayer, second: str | RulePlayer, game: str | None = None) -> Comparison:
    """Compare two players made of rules; of population files by their names as `evolve show` takes them.

    `game` says of which game these names are, where several ship a player of one name.

    Raises:
        UsageError: players of different games, or no such player. PopulationError: no such file, or none.
    """
    one, two = (_loaded(player, game) if isinstance(player, str) else player for player in (first, second))
    demand(
        one.game is two.game,
        f"'{one.name}' plays {one.game.name}, '{two.name}' plays {two.game.name}: compare players of one game",
    )
    of_first, of_second = (
        {key: (early, late) for key, (early, late) in zip(player.rules.columns, player.weights.T.tolist(), strict=True)}
        for player in (one, two)
    )
    meanings = {rule.key: rule.meaning for rule in (*two.rules.rules, *one.rules.rules)}
    both = [Weighing(key, meanings[key], of_first.get(key), of_second.get(key)) for key in {**of_first, **of_second}]
    both.sort(key=lambda rule: -rule.difference)
    return Comparison((one.name, two.name), one.game.name, (one.rules.name, two.rules.name), tuple(both))


def _loaded(spec: str, game: str | None) -> RulePlayer:
    if game is not None and spec not in shipped_files(played := load_game(game)) and spec in player_names(played):
        built_in = make_player(spec, played)
        if isinstance(built_in, RulePlayer):
            return built_in
    population, _, entry = entry_of(spec, game)
    return RulePlayer(population.rules, entry.weights, spec)


def draw(comparison: Comparison, ending: str) -> bytes:
    """The picture as a `png` or `svg` file: the same bytes for the same players; of many rules, those most apart.

    Raises:
        UsageError: matplotlib is not installed.
    """
    rules = comparison.rules[: drawing.MOST_RULES]
    halves = {"one weight": EARLY} if comparison.flat else {"early in a game": EARLY, "late in a game": LATE}
    labels = LETTER * max((len(rule.key) for rule in rules), default=0)
    known = np.array([pair for rule in rules for pair in (rule.first, rule.second) if pair is not None], np.float64)
    with drawing.styled():
        figure = drawing.new_figure(labels + PANEL * len(halves) + 0.4, FRAME + ROW * len(rules))
        panels = figure.subplots(1, len(halves), sharex=True, sharey=True, squeeze=False)[0]
        for axes, (title, half) in zip(panels, halves.items(), strict=True):
            axes.set_xscale("asinh", linear_width=drawing.linear_weight(known))
            _panel(axes, comparison.names, rules, half)
            axes.set_title(title)
        marks = drawing.weight_ticks(known)
        panels[0].set_xticks(marks, [f"{mark:g}" for mark in marks])
        panels[0].minorticks_off()
        panels[0].set_yticks(range(len(rules)), [rule.key for rule in rules], fontsize=8)
        panels[0].set_ylim(len(rules) - 0.4, -0.6)
        more = comparison.rules[len(rules) :]
        rest = f"\n{len(more)} more rules differ by at most {more[0].difference:.2g}" if more else ""
        figure.suptitle(f"Weights of {comparison.game}, largest differences first{rest}", fontsize=11)
        handles, names = panels[0].get_legend_handles_labels()
        figure.legend(handles, names, loc="outside lower center", ncols=2)
        return drawing.picture_bytes(figure, ending)


def _panel(axes: Any, names: Sequence[str], rules: Sequence[Weighing], half: int) -> None:
    """The weights of one half of the game; an open ring is a rule that only the other player has."""
    rows = range(len(rules))
    first = [rule.pairs[0][half] for rule in rules]
    second = [rule.pairs[1][half] for rule in rules]
    axes.axvline(0, color=drawing.FAINT, lw=0.8, zorder=1)
    axes.hlines(rows, first, second, color=drawing.GRID, lw=2.2, zorder=2)
    sides = zip(names, (first, second), (drawing.FIRST, drawing.SECOND), (1, 0), strict=True)
    for name, weights, colour, other in sides:
        faces = ["white" if rule.only == other else colour for rule in rules]
        axes.scatter(weights, rows, s=24, c=faces, edgecolors=colour, linewidths=1.2, zorder=3)
        axes.scatter([], [], s=24, c=colour, label=name)
    axes.tick_params(left=False)
    axes.spines["left"].set_visible(False)
    axes.set_xlabel("weight (small ones drawn larger)")
