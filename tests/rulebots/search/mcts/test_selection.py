"""The child that a simulation goes to, and the move that is chosen from a finished tree."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rulebots.search.mcts.selection import (
    line_kernel,
    mean_kernel,
    move_probabilities,
    puct_kernel,
    ranking,
    uct_kernel,
    without_luck,
)
from rulebots.search.mcts.tree import DRAWN, LOST, ROOT, UNPROVEN, WON, Tree, expand, new_tree

uct = uct_kernel(per_seat=False)
puct = puct_kernel(per_seat=False)
mean_of = mean_kernel(per_seat=False)
principal_variation = line_kernel(per_seat=False)
#: The numbers of the root's children in the trees below.
CHILDREN = np.arange(1, 6)
MEANS, VISITS, PRIORS = [0.5, -0.2, 0.1, 0.7, 0.0], [10, 3, 5, 8, 4], [0.1, 0.5, 0.2, 0.1, 0.1]


def searched_tree(mover: int) -> Tree:
    """A root with five children, of the given means for the mover, visits and priors."""
    tree = new_tree(6)
    expand(tree, ROOT, np.arange(10, 15), 5, np.array(PRIORS))
    tree.mover[ROOT] = mover
    tree.visits[CHILDREN] = VISITS
    tree.value_sum[CHILDREN] = np.array(MEANS) * VISITS * (1 - 2 * mover)
    tree.visits[ROOT], tree.value_sum[ROOT] = tree.visits.sum(), tree.value_sum.sum()
    return tree


@pytest.mark.parametrize("mover", [0, 1])
@pytest.mark.parametrize("c", [0.0, 0.3, 1.0, 5.0])
def test_children_are_selected_by_the_published_formulas(mover: int, c: float) -> None:
    tree, total = searched_tree(mover), sum(VISITS)
    by_uct = [mean + c * math.sqrt(math.log(total) / visits) for mean, visits in zip(MEANS, VISITS, strict=True)]
    by_puct = [
        mean + c * prior * math.sqrt(total) / (1 + visits)
        for mean, visits, prior in zip(MEANS, VISITS, PRIORS, strict=True)
    ]
    assert uct(tree, ROOT, c, 1) == (CHILDREN[int(np.argmax(by_uct))], 1)
    assert puct(tree, ROOT, c, 1) == (CHILDREN[int(np.argmax(by_puct))], 1)


def test_uct_visits_each_child_once_before_any_twice_in_an_order_of_chance() -> None:
    orders = set()
    for seed in (1, 2, 3):
        tree, luck, order = new_tree(6), seed, []
        expand(tree, ROOT, np.arange(10, 15), 5, np.ones(5))
        for _ in range(5):
            child, luck = uct(tree, ROOT, 1.0, luck)
            order.append(int(tree.move[child]))
            tree.visits[[ROOT, child]] += 1
        assert sorted(order) == list(range(10, 15))
        orders.add(tuple(order))
    assert len(orders) > 1


@pytest.mark.parametrize("mover", [0, 1])
def test_a_proven_loss_is_never_selected_and_a_proven_win_counts_fully(mover: int) -> None:
    lost, won = (LOST, WON) if mover == 0 else (WON, LOST)
    for select in (uct, puct):
        tree = searched_tree(mover)
        tree.proven[4] = lost
        assert select(tree, ROOT, 0.0, 1)[0] == 1
        tree.proven[2] = won
        assert select(tree, ROOT, 0.0, 1)[0] == 2
        tree.proven[CHILDREN] = lost
        tree.proven[5] = UNPROVEN
        assert select(tree, ROOT, 0.0, 1)[0] == 5


def ranked_children(tree: Tree) -> list[int]:
    """The numbers of the root's children, best first: the child by move m is m - 9."""
    return (ranking(tree, ROOT).moves - 9).tolist()


def test_children_are_ranked_by_proof_distance_visits_mean_prior_and_move() -> None:
    tree = searched_tree(0)
    assert ranked_children(tree) == [1, 4, 3, 5, 2]
    tree.visits[CHILDREN], tree.value_sum[CHILDREN] = 10, [1, 2, 2, 0, 0]
    assert ranked_children(tree) == [2, 3, 1, 4, 5]
    tree.prior[3] = 0.9
    assert ranked_children(tree) == [3, 2, 1, 4, 5]
    tree.proven[[2, 5]] = LOST, WON
    assert ranked_children(tree) == [5, 3, 1, 4, 2]
    tree.proven[1], tree.distance[[1, 5]] = WON, [4, 2]
    tree.proven[4], tree.distance[[2, 4]] = LOST, [3, 7]
    assert ranked_children(tree) == [5, 1, 3, 4, 2], "the shortest win, the longest loss"


@pytest.mark.parametrize("mover", [0, 1])
def test_the_line_of_best_moves_begins_with_the_child_that_is_ranked_first(mover: int) -> None:
    rng, line = np.random.default_rng(1), np.zeros(1, np.int64)
    for _ in range(200):
        tree = searched_tree(mover)
        tree.visits[CHILDREN] = rng.integers(0, 3, 5)
        tree.value_sum[CHILDREN] = np.minimum(tree.visits[CHILDREN], rng.integers(-1, 2, 5))
        tree.proven[CHILDREN] = rng.choice([UNPROVEN, UNPROVEN, LOST, DRAWN, WON], 5)
        tree.distance[CHILDREN] = rng.integers(0, 3, 5)
        best = ranked_children(tree)[0]
        length = principal_variation(tree, ROOT, line)
        assert length == (tree.visits[best] > 0 or tree.proven[best] != UNPROVEN)
        assert not length or line[0] == tree.move[best]
        found = ranking(tree, ROOT)
        assert [mean_of(tree, ROOT, move - 9) for move in found.moves] == found.values.tolist()


def test_temperature_draws_the_move_by_visits_and_0_takes_the_most_visited() -> None:
    tree = new_tree(10)
    expand(tree, ROOT, np.arange(9), 9, np.ones(9))
    children = np.arange(1, 10)
    tree.visits[children] = [0, 10, 20, 0, 40, 0, 0, 30, 500]
    tree.proven[9] = LOST  # for seat 0, who chooses here

    def shares(temperature: float) -> list[float]:
        found = ranking(tree, ROOT)
        by_move = dict(zip(found.moves, move_probabilities(found.visits, found.signs, temperature), strict=True))
        return [by_move[move] for move in range(9)]

    assert shares(0.0) == [0, 0, 0, 0, 1, 0, 0, 0, 0]
    np.testing.assert_allclose(shares(1.0), [0, 0.1, 0.2, 0, 0.4, 0, 0, 0.3, 0])
    np.testing.assert_allclose(shares(0.5), np.array([0, 1, 4, 0, 16, 0, 0, 9, 0]) / 30)
    assert shares(0.02)[4] > 0.99
    tree.proven[2] = WON
    assert shares(1.0)[1] == 1, "a proven win needs no luck"


def test_with_chance_the_guides_move_is_kept_unless_another_is_better_for_certain() -> None:
    tree = searched_tree(0)  # its second child has the largest prior
    kept = without_luck(ranking(tree, ROOT))
    assert kept.moves.tolist() == [11, 10, 13, 12, 14]
    assert kept.visits.tolist() == [3, 10, 8, 5, 4]
    for visits, first in ((20, 11), (200, 11), (400, 10)):
        tree.visits[1:3], tree.value_sum[1:3] = [visits + 1, visits], [0.2 * (visits + 1), 0.0]
        assert without_luck(ranking(tree, ROOT)).moves[0] == first, (
            "0.2 are 0.6, 2.0 and 2.8 errors of 3.9, 2.2 and 2.0"
        )
    tree.visits[1:3], tree.value_sum[1:3] = [21, 20], [4.2, 0.0]
    tree.proven[2] = LOST
    assert without_luck(ranking(tree, ROOT)).moves[0] == 10, "a proven loss is no luck"
    tree.proven[[2, 4]] = UNPROVEN, WON
    assert without_luck(ranking(tree, ROOT)).moves[0] == 13, "nor is a proven win"
