"""Batches of simulations."""

from __future__ import annotations

import numpy as np
import pytest
from search_positions import GAME, start

from rulebots.search.mcts.backpropagation import backpropagate_batch_kernel
from rulebots.search.mcts.selection import puct_kernel
from rulebots.search.mcts.simulation import new_workspace, select_kernel
from rulebots.search.mcts.tree import ROOT, expand, new_tree


@pytest.mark.parametrize(("loss", "leaves"), [(1.0, 9), (0.0, 1)])
def test_virtual_loss_sends_the_leaves_of_a_batch_apart(loss: float, leaves: int) -> None:
    """Children of which one looks better than all others: without virtual loss all would wait for that one."""
    tree, workspace, position = new_tree(1000), new_workspace(GAME, 12), start(GAME)
    workspace.root[0] = position.state
    priors = np.full(9, 0.05)
    priors[0] = 0.6
    expand(tree, ROOT, position.legal_moves, 9, priors)
    tree.visits[ROOT] = 1
    waiting, made, _ = select_kernel(GAME, puct_kernel(per_seat=False), per_seat=False)(
        tree, workspace, 100, 0.001, loss, 1
    )
    assert waiting == made == leaves
    chosen = workspace.paths[:waiting, 1]
    assert len(set(chosen.tolist())) == leaves
    assert tree.visits[ROOT] == 1 + leaves
    assert tree.value_sum[chosen].tolist() == [-loss] * leaves
    workspace.values[:waiting] = 0.5
    backpropagate_batch_kernel(GAME, per_seat=False)(tree, workspace, waiting, loss)
    assert tree.visits[chosen].tolist() == [1] * leaves
    assert tree.value_sum[chosen].tolist() == [0.5] * leaves
    assert tree.value_sum[ROOT] == 0.5 * leaves
