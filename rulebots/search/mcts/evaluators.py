"""What gives a leaf its value and its children their priors: compiled playouts, or a Python function."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.kernel import Kernel, runnable
from rulebots.players import RulePlayer, compiled_for, style_of
from rulebots.rules import RuleSet
from rulebots.search.mcts.policies import guide_for, guide_of
from rulebots.search.mcts.selection import puct, uct
from rulebots.search.mcts.settings import SearchSettings
from rulebots.search.mcts.simulation import Desk, backing_up, growing, new_desk, selecting, simulating
from rulebots.search.mcts.tree import ROOT, Tree, new_tree

#: State records[n] -> values float[n], from -1 (lost) to 1 (won) for the mover of each position, and priors
#: float[n, move_count], not negative, of which only the legal moves count; None for even priors.
Evaluator = Callable[[Any], tuple[npt.ArrayLike, npt.ArrayLike | None]]

_PICK: dict[str, Kernel[..., tuple[int, int]]] = {"uct": uct, "puct": puct}


class Valuer(Protocol):
    """What a search asks for simulations."""

    #: How many leaves wait for their values together, unless the settings say.
    usual_batch: int

    def open(self, tree: Tree, desk: Desk, luck: int) -> None:
        """Give the root its children, where it has none."""

    def simulate(self, tree: Tree, desk: Desk, most: int, pause: int, c: float, luck: int) -> tuple[int, int]:
        """Simulate batches until `pause` simulations are made, never more than `most`: how many, and the next luck."""


class Playouts:
    """Playouts in one compiled loop with the selection and the back-up; random, or guided by a rule player.

    Raises:
        UsageError: `rollout` and `prior` are players of two rule sets.
    """

    usual_batch = 1

    def __init__(
        self, game: Game, settings: SearchSettings, select: str, rollout: RulePlayer | None, prior: RulePlayer | None
    ) -> None:
        if rollout and prior and rollout.rules is not prior.rules:
            raise UsageError(
                f"mcts: '{rollout.name}' and '{prior.name}' are made of two rule sets, "
                f"'{rollout.rules.name}' and '{prior.rules.name}': choose two players of one"
            )
        self._guides = tuple(guide_of(game, player, settings.softness) for player in (rollout, prior))
        self._loss = settings.virtual_loss
        self._visits = 1 if settings.expand is None else settings.expand
        rules = rollout.rules if rollout else prior.rules if prior else None
        self._simulate = _playouts(game, select, rules, rollout is not None, prior is not None)

    def open(self, tree: Tree, desk: Desk, luck: int) -> None:
        """Give the root its children, where it has none."""
        self.simulate(tree, desk, 0, 0, 0.0, luck)

    def simulate(self, tree: Tree, desk: Desk, most: int, pause: int, c: float, luck: int) -> tuple[int, int]:
        """Simulate; see `Valuer`."""
        done, luck = self._simulate(tree, desk, most, pause, c, self._loss, luck, *self._guides, self._visits)
        return int(done), int(luck)


@functools.cache
def _playouts(
    game: Game, select: str, rules: RuleSet | None, guided: bool, weighed: bool
) -> Callable[..., tuple[int, int]]:
    """`simulating`, compiled once a process or loaded from the cache."""
    weights = np.zeros((2, 0)) if rules is None else rules.hand_tuned()
    guides = (guide_for(game, rules if takes_part else None, weights) for takes_part in (guided, weighed))
    examples = (new_tree(1), new_desk(game, 1), 1, 1, 1.0, 1.0, 1, *guides, 1)

    def simulator(rules: RuleSet | None) -> Kernel[..., tuple[int, int]]:
        return simulating(game, _PICK[select], rules if guided else None, rules if weighed else None)

    if rules is None:
        return runnable(simulator(None), *examples)
    return compiled_for(style_of(rules), lambda style: simulator(style.rules), *examples)


class Asked:
    """A Python function that is asked about a batch of positions at a time, as a neural network wants it."""

    usual_batch = 8

    def __init__(self, game: Game, settings: SearchSettings, select: str, evaluator: Evaluator) -> None:
        self._game, self._evaluator, self._loss = game, evaluator, settings.virtual_loss
        self._visits = 0 if settings.expand is None else settings.expand
        self._select, self._grow, self._back_up = _halves(game, select)

    def open(self, tree: Tree, desk: Desk, luck: int) -> None:
        """Give the root its children, where it has none."""
        if tree.first[ROOT] == 0:
            tree.mover[ROOT] = desk.root[0].mover
            desk.states[0] = desk.root[0]
            desk.paths[0, 0], desk.lengths[0] = ROOT, 1
            self._grow(tree, desk, 1, self._ask(desk.states[:1])[1], -1)

    def simulate(self, tree: Tree, desk: Desk, most: int, pause: int, c: float, luck: int) -> tuple[int, int]:
        """Simulate; see `Valuer`."""
        done = 0
        while done < pause:
            waiting, made, luck = self._select(tree, desk, most - done, c, self._loss, luck)
            if waiting:
                states = desk.states[:waiting]
                values, priors = self._ask(states)
                desk.values[:waiting] = values * (1.0 - 2.0 * states["mover"])
                self._grow(tree, desk, waiting, priors, self._visits)
                self._back_up(tree, desk, waiting, self._loss)
            done += made
            if not made or done >= most:
                break
        return int(done), int(luck)

    def _ask(self, states: Any) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """The evaluator's values and priors, checked. Raises UsageError when they are none."""
        count, moves = len(states), self._game.move_count
        answer: object = self._evaluator(states.copy())
        if not (isinstance(answer, tuple) and len(answer) == 2):
            raise UsageError(f"evaluator: expected a pair (values, priors), not {type(answer).__name__}")
        values, priors = answer
        checked = np.asarray(values, np.float64)
        chances = np.ones((count, moves)) if priors is None else np.asarray(priors, np.float64)
        if checked.shape != (count,) or not (np.abs(checked) <= 1.0).all():
            raise UsageError(
                f"evaluator: expected values of shape ({count},) from -1 to 1, not shape {checked.shape} "
                f"from {checked.min(initial=np.inf):g} to {checked.max(initial=-np.inf):g}"
            )
        if chances.shape != (count, moves) or not ((chances >= 0.0) & (chances < np.inf)).all():
            raise UsageError(
                f"evaluator: expected priors of shape ({count}, {moves}), finite and not negative, "
                f"not shape {chances.shape} from {chances.min(initial=np.inf):g}"
            )
        return checked, chances


@functools.cache
def _halves(game: Game, select: str) -> tuple[Callable[..., Any], ...]:
    """`selecting`, `growing` and `backing_up`, compiled once a process or loaded from the cache."""
    tree, desk = new_tree(1), new_desk(game, 1)
    return (
        runnable(selecting(game, _PICK[select]), tree, desk, 1, 1.0, 1.0, 1),
        runnable(growing(game), tree, desk, 1, np.zeros((1, 1)), 0),
        runnable(backing_up(game), tree, desk, 1, 1.0),
    )
