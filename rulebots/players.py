"""Players: a `choose(view, moves) -> move` over what the mover may know, and nothing else."""

from __future__ import annotations

import functools
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rulebots.game import Game, Moves, State, UsageError, View
from rulebots.kernel import Kernel, kernel, runnable
from rulebots.rules import MOST_WEIGHT, RuleSet, Weights
from rulebots.scoring import chooser


class Player(ABC):
    """Anyone who can play a game: subclass this and give `choose`.

    A player keeps no memory between decisions: all that it may use is the view, and the view's
    `luck` is its only source of chance. The same view and moves give the same move.
    """

    def __init__(self, game: Game, name: str) -> None:
        self.game = game
        self.name = name

    @abstractmethod
    def choose(self, view: View, moves: Moves) -> int:
        """One of `moves` (int64[n], the legal ones). `view` is overwritten after the call."""

    def for_one_game(self) -> Player:
        """The player that plays one game: itself, but for players that remember its course."""
        return self


class StatePlayer(Player):
    """A player that reads the state, such as a search: only of games in which nothing is hidden.

    Its matches go one game at a time, each with its own `for_one_game()`, so that it may keep what
    it worked out for earlier moves of the same game.

    Raises:
        UsageError: the game hides something.
    """

    def __init__(self, game: Game, name: str) -> None:
        if game.hidden:
            raise UsageError(f"'{name}' searches positions, but {game.title} hides cards: choose another player")
        super().__init__(game, name)

    @abstractmethod
    def decide(self, state: State, view: View, moves: Moves) -> int:
        """What the match loop asks instead of `choose`; `state` must not be changed."""

    def choose(self, view: View, moves: Moves) -> int:
        """Not for this player: a view does not say all that it reads."""
        raise UsageError(f"'{self.name}' needs the state, not a view: call decide")


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


class RulePlayer(CompiledPlayer):
    """A weighted sum of a rule set's rules (the seed's MultiplierPlayer).

    `weights` is float64[2, rules], or `{group: {rule: [early, late] or one number}}`; rules that are
    not named weigh 0. Raises UsageError for unknown names, other shapes and numbers that are not finite.
    """

    def __init__(
        self, rules: RuleSet, weights: Weights | Mapping[str, Mapping[str, Any]], name: str = "player"
    ) -> None:
        try:
            matrix = rules.weights(weights) if isinstance(weights, Mapping) else np.array(weights, np.float64)
        except (TypeError, ValueError) as error:
            raise UsageError(f"player '{name}': {error}") from None
        if not (np.abs(matrix) <= MOST_WEIGHT).all():
            raise UsageError(f"player '{name}': expected weights from {-MOST_WEIGHT:g} to {MOST_WEIGHT:g}")
        if matrix.shape != (2, len(rules.rules)):
            raise UsageError(
                f"player '{name}': expected weights of shape (2, {len(rules.rules)}), early and late for "
                f"each rule of '{rules.name}', not shape {matrix.shape}"
            )
        super().__init__(style_of(rules), matrix, name)
        self.rules = rules


@kernel
def choose_random(view: Any, moves: Any, n: int, weights: Any, blended: Any, scores: Any) -> int:
    """Any legal move, all equally likely."""
    return moves[view.luck % n]


class RandomPlayer(KernelPlayer):
    """Plays any legal move, in any game."""

    def __init__(self, game: Game, name: str = "random") -> None:
        super().__init__(game, choose_random, name)


def named_apart(names: Sequence[str]) -> list[str]:
    """The names, with a number behind one that was there before: `shelly`, `shelly (2)`."""
    apart: list[str] = []
    for name in names:
        count, unique = 1, name
        while unique in apart:
            count += 1
            unique = f"{name} ({count})"
        apart.append(unique)
    return apart
