"""Players whose whole decision is a kernel: matches between them run compiled."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from rulebots.errors import UsageError
from rulebots.game import Game, Moves, View
from rulebots.kernel import Kernel, kernel, runnable
from rulebots.players.player import Player
from rulebots.rules import RuleSet, Weights
from rulebots.rules.scoring import chooser


@dataclass(frozen=True, eq=False)
class Style:
    """A compiled way of choosing, shared by all players that differ in their weights only.

    `choose` is a kernel `(view, moves, n, weights, blended, scores) -> move`: weights is
    float64[2, columns], the last two are scratch of float64[columns] and float64[move_count].
    """

    game: Game
    choose: Kernel[..., int]
    columns: int = 0
    rules: RuleSet | None = None


@functools.cache
def style_of(rules: RuleSet) -> Style:
    """The one style that all players of a rule set share."""
    return Style(rules.game, chooser(rules), len(rules.rules), rules)


def compiled_for(style: Style, make: Callable[[Style], Kernel[..., Any]], *examples: Any) -> Callable[..., Any]:
    """What `make` makes of a style, compiled for arguments like these.

    Rules that Numba cannot compile are called back in Python; should even that not do, all of it
    runs interpreted. Each such function is named in a warning.

    Raises:
        UsageError: a rule gives what is no number.
    """
    body = make(style)
    if body.obstacle(*examples) is not None and style.rules is not None:
        view = style.game.new_view()
        reasons = {r.key: why for r in style.rules.rules if (why := r.kernel.obstacle(view, 0))}
        for r in style.rules.rules:
            if r.key not in reasons and (what := r.kernel.no_number(view, 0)):
                raise UsageError(f"rule '{r.key}' gives {what}: expected a number or a bool; does it `return` one?")
        if reasons:
            return compiled_for(style_of(style.rules.interpreting(reasons)), make, *examples)
    return runnable(body, *examples)


@functools.cache
def _chooser(style: Style) -> Callable[..., int]:
    blended, scores, moves = np.zeros(style.columns), np.zeros(0), np.zeros(0, np.int64)
    weights = np.zeros((2, style.columns))
    return compiled_for(style, lambda s: s.choose, style.game.new_view(), moves, 0, weights, blended, scores)


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
        """The style's move for this player's weights, compiled."""
        blended, scores = np.zeros(self.style.columns), np.zeros(self.game.move_count)
        return int(_chooser(self.style)(view, moves, len(moves), self.weights, blended, scores))


class KernelPlayer(CompiledPlayer):
    """A player without weights, such as a game's own hand-written opponents."""

    def __init__(self, game: Game, choose: Kernel[..., int], name: str) -> None:
        super().__init__(_style_of(game, choose), np.zeros((2, 0)), name)


@kernel
def choose_random(view: Any, moves: Any, n: int, weights: Any, blended: Any, scores: Any) -> int:
    """Any legal move, all equally likely."""
    return moves[view.luck % n]


class RandomPlayer(KernelPlayer):
    """Plays any legal move, in any game."""

    def __init__(self, game: Game, name: str = "random") -> None:
        super().__init__(game, choose_random, name)
