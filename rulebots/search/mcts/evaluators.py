"""Evaluators: values of leaves and priors of children, by rollouts or by a Python function."""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from rulebots.errors import UsageError
from rulebots.game import Floats, Game
from rulebots.kernel import Kernel, runnable
from rulebots.play.trial_games import try_styles
from rulebots.players import RulePlayer, compiled_for, style_of
from rulebots.rules import RuleSet
from rulebots.search.mcts.backpropagation import backpropagate_batch_kernel
from rulebots.search.mcts.policies import PolicyArrays, policy_arrays, temperature_of
from rulebots.search.mcts.selection import SELECTION_RULES
from rulebots.search.mcts.settings import SearchSettings
from rulebots.search.mcts.simulation import (
    SearchWorkspace,
    SimulationTerms,
    expand_batch_kernel,
    new_workspace,
    select_kernel,
    simulate_kernel,
)
from rulebots.search.mcts.tree import NO_CHILDREN, ROOT, UNPROVEN, Tree, new_tree

#: The factor of the temperature of rollouts where chance is in play: then the best score always wins.
SHARP = 1e-4

#: State records[n] -> (values, priors). Values are float[n], from -1 (lost) to 1 (won) for the mover of each position;
#: where chance is to move, for seat 0. With a return for each seat (see backpropagation.py) they are float[n, seats].
#: Priors are float[n, move_count], not negative, of which only the legal moves count, or None for even priors.
EvaluatorFunction = Callable[[Any], tuple[npt.ArrayLike, npt.ArrayLike | None]]


class RolloutEvaluator:
    """Rollouts, random or by a rule player, in one compiled loop with the rest of the simulation.

    Raises:
        UsageError: `rollout` and `prior` are players of different rule sets.
    """

    #: Leaves evaluated together, if the settings do not say.
    default_batch = 1

    def __init__(
        self,
        game: Game,
        settings: SearchSettings,
        select: str,
        rollout: RulePlayer | None,
        prior: RulePlayer | None,
        *,
        per_seat: bool,
    ) -> None:
        if rollout and prior and rollout.rules is not prior.rules:
            raise UsageError(
                f"mcts: 'rollout' and 'prior' need players of the same rule set, but '{rollout.name}' belongs to "
                f"'{rollout.rules.name}' and '{prior.name}' to '{prior.rules.name}'"
            )
        self._terms = SimulationTerms(
            c=0.0,
            virtual_loss=settings.virtual_loss,
            visits=int(prior is None) if settings.expand is None else settings.expand,
            # Chance varies rollouts enough: the guide's best moves say more than moves drawn by its scores.
            rollouts=_guided_arrays(game, rollout, (SHARP if game.chance else 1.0) * settings.softness),
            priors=_guided_arrays(game, prior, settings.softness),
        )
        rules = rollout.rules if rollout else prior.rules if prior else None
        guided = rollout is not None, prior is not None
        self._simulate = _compiled_simulate(game, select, rules, *guided, per_seat=per_seat)

    def expand_root(self, tree: Tree, workspace: SearchWorkspace, luck: int) -> None:
        """Expand the root if it has no children."""
        self.simulate(tree, workspace, 0, 0, 0.0, luck)

    def simulate(
        self, tree: Tree, workspace: SearchWorkspace, most: int, pause: int, c: float, luck: int
    ) -> tuple[int, int]:
        """Run batches until `pause` simulations are made, but never more than `most`.

        Returns:
            The number of simulations, and the next random state.
        """
        done, luck = self._simulate(tree, workspace, self._terms._replace(c=c), most, pause, luck)
        return int(done), int(luck)


def _guided_arrays(game: Game, player: RulePlayer | None, softness: float) -> PolicyArrays:
    if player is None:
        return policy_arrays(game)
    return policy_arrays(game, player.rules, player.weights, softness * temperature_of(player))


@functools.cache
def _compiled_simulate(
    game: Game, select: str, rules: RuleSet | None, guided_rollouts: bool, guided_priors: bool, *, per_seat: bool
) -> Callable[..., tuple[int, int]]:
    try_styles(game, [style_of(rules)] if rules else [])
    policies = (
        policy_arrays(game, rules, rules.hand_tuned()) if rules and guided else policy_arrays(game)
        for guided in (guided_rollouts, guided_priors)
    )
    seats = (game.most_seats,) if per_seat else ()
    examples = (new_tree(1, *seats), new_workspace(game, 1, *seats), SimulationTerms(1.0, 1.0, 1, *policies), 1, 1, 1)

    def body(rules: RuleSet | None) -> Kernel[..., tuple[int, int]]:
        return simulate_kernel(
            game,
            SELECTION_RULES[select](per_seat=per_seat),
            rules if guided_rollouts else None,
            rules if guided_priors else None,
            per_seat=per_seat,
        )

    if rules is None:
        return runnable(body(None), *examples)
    return compiled_for(style_of(rules), lambda style: body(style.rules), *examples)


class BatchEvaluator:
    """A Python function that evaluates a batch of positions per call, as suits a neural network."""

    default_batch = 8

    def __init__(
        self, game: Game, settings: SearchSettings, select: str, function: EvaluatorFunction, *, per_seat: bool
    ) -> None:
        self._game = game
        self._function = function
        self._virtual_loss = settings.virtual_loss
        self._per_seat = per_seat
        self._visits = 0 if settings.expand is None else settings.expand
        self._select, self._expand_batch, self._backpropagate_batch = _compiled_phases(game, select, per_seat=per_seat)

    def expand_root(self, tree: Tree, workspace: SearchWorkspace, luck: int) -> None:
        """Expand the root if it has no children."""
        if tree.first_child[ROOT] == NO_CHILDREN:
            tree.mover[ROOT] = workspace.root[0].mover
            workspace.states[0] = workspace.root[0]
            workspace.paths[0, 0] = ROOT
            workspace.lengths[0] = 1
            self._expand_batch(tree, workspace, 1, self._evaluate(workspace.states[:1], workspace)[1], -1)

    def simulate(
        self, tree: Tree, workspace: SearchWorkspace, most: int, pause: int, c: float, luck: int
    ) -> tuple[int, int]:
        """Run simulations; see `RolloutEvaluator`."""
        self.expand_root(tree, workspace, luck)
        done = 0
        while done < pause and tree.proven[ROOT] == UNPROVEN:
            pending, count, luck = self._select(tree, workspace, most - done, c, self._virtual_loss, luck)
            if pending:
                states = workspace.states[:pending]
                values, priors = self._evaluate(states, workspace)
                sides = 1.0 if self._per_seat else 1.0 - 2.0 * (states["mover"] == 1)
                workspace.values[:pending] = values * sides
                self._expand_batch(tree, workspace, pending, priors, self._visits)
                self._backpropagate_batch(tree, workspace, pending, self._virtual_loss)
            done += count
            if not count or done >= most:
                break
        return int(done), int(luck)

    def _evaluate(self, states: Any, workspace: SearchWorkspace) -> tuple[Floats, Floats]:
        """The function's values, float64[n], and priors, float64[n, move_count], checked.

        Raises:
            UsageError: the function returned something else.
        """
        count = len(states)
        moves = self._game.move_count
        answer: object = self._function(states.copy())
        if not (isinstance(answer, tuple) and len(answer) == 2):
            raise UsageError(f"evaluator: expected a pair (values, priors), not {type(answer).__name__}")
        values = np.asarray(answer[0], np.float64)
        priors = np.ones((count, moves)) if answer[1] is None else np.asarray(answer[1], np.float64)
        shape = (count, *workspace.values.shape[1:])
        most = np.finfo(np.float64).max if self._per_seat and self._game.in_points(shape[1]) else 1.0
        if values.shape != shape or not (np.abs(values) <= most).all():
            within = "from -1 to 1" if most == 1.0 else "in points"
            raise UsageError(
                f"evaluator: expected values of shape {shape} {within}, not shape {values.shape} "
                f"from {values.min(initial=np.inf):g} to {values.max(initial=-np.inf):g}"
            )
        if priors.shape != (count, moves) or not ((priors >= 0.0) & (priors < np.inf)).all():
            raise UsageError(
                f"evaluator: expected priors of shape ({count}, {moves}), finite and not negative, "
                f"not shape {priors.shape} from {priors.min(initial=np.inf):g}"
            )
        return values, priors


@functools.cache
def _compiled_phases(game: Game, select: str, *, per_seat: bool) -> tuple[Callable[..., Any], ...]:
    seats = (game.most_seats,) if per_seat else ()
    tree = new_tree(1, *seats)
    workspace = new_workspace(game, 1, *seats)
    return (
        runnable(
            select_kernel(game, SELECTION_RULES[select](per_seat=per_seat), per_seat=per_seat),
            tree,
            workspace,
            1,
            1.0,
            1.0,
            1,
        ),
        runnable(expand_batch_kernel(game, per_seat=per_seat), tree, workspace, 1, np.zeros((1, 1)), 0),
        runnable(backpropagate_batch_kernel(game, per_seat=per_seat), tree, workspace, 1, 1.0),
    )
