"""Players whose whole decision is a kernel, so that matches between them run compiled; those made of rules are."""

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeGuard

import numpy as np

from rulebots.errors import UsageError, demand
from rulebots.game import Floats, Game, Moves, View
from rulebots.game.checks import checked_choice
from rulebots.game.contract import checked_game
from rulebots.game.dtypes import records, widened
from rulebots.kernel import Kernel, kernel, runnable
from rulebots.output.notebook import data_frame, html_table
from rulebots.players.player import Player
from rulebots.rules import MOST_WEIGHT, RuleSet, Weights
from rulebots.rules.rule_set import checked_rules
from rulebots.rules.scoring import chooser


class Workspace(NamedTuple):
    """The scratch arrays of a style's kernels, for one side in one thread."""

    #: Two records of the style: one that every decision overwrites, and a blank one.
    views: Any
    #: float64[columns]: the weights blended for this moment of the game.
    blended: Floats
    #: float64[move_count]: the scores of the moves.
    scores: Floats


@dataclass(frozen=True, eq=False)
class Style:
    """A compiled way of choosing, shared by all players that differ only in their weights.

    `choose` is a kernel `(view, moves, n, weights, blended, scores) -> move`. `view` is a `record`, `weights`
    float64[2, columns]; `blended`, float64[columns], and `scores`, float64[move_count], are workspace.
    """

    game: Game
    choose: Kernel[..., int]
    columns: int = 0
    rules: RuleSet | None = None

    def identity(self) -> object:
        """What decides the play of its players besides their weights."""
        return self.game, self.choose, self.columns

    @property
    def record(self) -> np.dtype[Any]:
        """The dtype that `choose` sees: that of the rule set, or the game's view."""
        return self.game.view if self.rules is None else self.rules.record

    @property
    def parts(self) -> list[Kernel[..., Any]]:
        """The kernels of its author: those of the rule set, or `choose` itself."""
        return [self.choose] if self.rules is None else self.rules.kernels

    def __reduce__(self) -> tuple[Any, ...]:
        return (_style_of, (self.game, self.choose)) if self.rules is None else (style_of, (self.rules,))

    def workspace(self) -> Workspace:
        """New arrays for the decisions of one thread."""
        return Workspace(records(self.record, 2), np.zeros(self.columns), np.zeros(self.game.move_count))


@functools.cache
def style_of(rules: RuleSet) -> Style:
    """The one style that all players of a rule set share."""
    return Style(rules.game, chooser(rules), len(rules.rules), rules)


def checked_style(style: Style, ply_cap: int) -> Style:
    """A style that plays the same games, at most `ply_cap` plies of them, with every call checked."""
    if style.rules is None:
        game = replace(checked_game(style.game), ply_cap=ply_cap)
        return Style(game, checked_choice(style.choose), style.columns)
    rules = checked_rules(style.rules)
    capped = style_of(replace(rules, game=replace(rules.game, ply_cap=ply_cap)))
    return replace(capped, choose=checked_choice(capped.choose))


def compiled_for(style: Style, make: Callable[[Style], Kernel[..., Any]], *examples: Any) -> Callable[..., Any]:
    """The kernel `make(style)`, compiled for arguments like these.

    Rules that Numba cannot compile are called back in Python. Where it cannot compile the set's `facts`, `consider` or
    `progress`, all of it runs interpreted. Each such function is named in a warning.

    Raises:
        UsageError: a rule does not give a number.
    """
    body = make(style)
    if body.obstacle(*examples) is not None and style.rules is not None:
        if (calling := calling_back(style)) is not style:
            return compiled_for(calling, make, *examples)
        for part, arguments in style.rules.parts(records(style.record, 1)[0]):
            if part.obstacle(*arguments) is not None:
                runnable(part, *arguments)  # which warns
                return body.function
    return runnable(body, *examples)


def calling_back(style: Style) -> Style:
    """The same style, with rules that Numba cannot compile called back in Python; itself if there are none.

    Raises:
        UsageError: a rule does not give a number.
    """
    if style.rules is None:
        return style
    view = records(style.record, 1)[0]
    compiled = [r for r in style.rules.rules if not r.kernel.calls_back]
    reasons = {r.key: why for r in compiled if (why := r.kernel.obstacle(view, 0))}
    for r in compiled:
        if r.key not in reasons and (what := r.kernel.no_number(view, 0)):
            raise UsageError(f"rule '{r.key}' gives {what}: expected a number or a bool; does it `return` one?")
    return style_of(style.rules.interpreting(reasons)) if reasons else style


@functools.cache
def _chooser(style: Style) -> Callable[..., int]:
    workspace = style.workspace()
    weights = np.zeros((2, style.columns))
    examples = (workspace.views[0], np.zeros(0, np.int64), 0, weights, workspace.blended, workspace.scores)
    return compiled_for(style, lambda s: s.choose, *examples)


@functools.cache
def _style_of(game: Game, choose: Kernel[..., int]) -> Style:
    return Style(game, choose)


class CompiledPlayer(Player):
    """A player whose whole decision is a kernel; matches between such players run compiled."""

    def __init__(self, style: Style, weights: Weights, name: str) -> None:
        super().__init__(style.game, name)
        self.style = style
        self.weights = weights

    def choose(self, view: View, moves: Moves) -> int:
        """The move that the compiled style chooses with this player's weights."""
        choose = _chooser(self.style)
        workspace = self.style.workspace()
        seen = widened(view, self.style.record)
        writable = moves.copy()  # it is compiled for such an array
        return int(choose(seen, writable, len(moves), self.weights, workspace.blended, workspace.scores))


def is_compiled(player: Player) -> TypeGuard[CompiledPlayer]:
    """Whether a player decides by its style alone: it has one, no hooks, and no `choose` of its own."""
    own = isinstance(player, CompiledPlayer) and type(player).choose is CompiledPlayer.choose
    return own and hasattr(player, "style") and not player.follows_games


class KernelPlayer(CompiledPlayer):
    """A player without weights, such as a game's own hand-written opponents."""

    def __init__(self, game: Game, choose: Kernel[..., int], name: str) -> None:
        super().__init__(_style_of(game, choose), np.zeros((2, 0)), name)


@kernel
def choose_random(view: Any, moves: Any, n: int, weights: Any, blended: Any, scores: Any) -> int:
    """Any legal move, all equally likely."""
    return moves[view.luck % n]


class RandomPlayer(KernelPlayer):
    """Plays any legal move of any game, all equally likely."""

    def __init__(self, game: Game, name: str = "random") -> None:
        super().__init__(game, choose_random, name)


class RulePlayer(CompiledPlayer):
    """A weighted sum of a rule set's rules; the MultiplierPlayer of Ruby Quiz 51 is such a player.

    `weights` is float64[2, rules], or `{group: {rule: [early, late] or one number}}`; rules that are not named weigh 0.

    Raises:
        UsageError: an unknown name, weights of another shape, or a number that is not finite or too large.
    """

    def __init__(
        self, rules: RuleSet, weights: Weights | Mapping[str, Mapping[str, Any]], name: str = "player"
    ) -> None:
        matrix = rules.weights(weights) if isinstance(weights, Mapping) else np.array(weights, np.float64)
        shape = (2, len(rules.rules))
        demand(
            matrix.shape == shape and (np.abs(matrix) <= MOST_WEIGHT).all(),
            f"player '{name}': expected weights of shape {shape}, early and late for each rule of '{rules.name}', "
            f"from {-MOST_WEIGHT:g} to {MOST_WEIGHT:g}, not shape {matrix.shape}",
        )
        super().__init__(style_of(rules), matrix, name)
        self.rules = rules

    def _repr_html_(self) -> str:
        rows = ((row["group"], row["rule"], f"{row['early']:g}", f"{row['late']:g}") for row in self.rows())
        return html_table(("group", "rule", "early", "late"), rows, f"{self.name}, {self.game.title}")

    def rows(self) -> list[dict[str, Any]]:
        """A line for each rule in plain data: group, rule, early, late, meaning."""
        return self.rules.rows(self.weights)

    def to_pandas(self) -> Any:
        """The lines of `rows()` as a `pandas.DataFrame`.

        Raises:
            UsageError: pandas is not installed.
        """
        return data_frame(self.rows())


def decides_by_rules(player: object) -> TypeGuard[RulePlayer]:
    """Whether the moves of a player are those of its rules: a rule player without a `choose` of its own."""
    return isinstance(player, RulePlayer) and type(player).choose is RulePlayer.choose
