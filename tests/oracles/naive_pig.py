"""Pig as plain Python (tests/pig): what a position is worth under best play of both, by value iteration.

Neller and Presser, Optimal Play of the Dice Game Pig, UMAP Journal 25(1), 2004, iterate in the same way.
"""

from __future__ import annotations

import functools

#: Value iteration ends when no value changes by more.
STEP = 1e-12


def winning(goal: int, sides: int) -> dict[tuple[int, int, int], tuple[float, float]]:
    """The mover's probability to win by (roll, hold), by (its score, the other's score, what the turn has won).

    Turns are not limited.
    """
    best = {
        (mine, theirs, total): 0.5
        for mine in range(goal)
        for theirs in range(goal)
        for total in range(goal - mine)
        if total != 1
    }
    found = dict.fromkeys(best, (0.0, 0.0))
    change = 1.0
    while change > STEP:
        change = 0.0
        for (mine, theirs, total), before in best.items():
            roll = 1 - best[theirs, mine, 0]
            for face in range(2, sides + 1):
                roll += 1.0 if mine + total + face >= goal else best[mine, theirs, total + face]
            hold = 1 - best[theirs, mine + total, 0] if total else 0.0
            found[mine, theirs, total] = roll / sides, hold
            best[mine, theirs, total] = max(found[mine, theirs, total])
            change = max(change, abs(best[mine, theirs, total] - before))
    return found


def expected_margin(goal: int, turns: int, sides: int, loaded: int = 1) -> float:
    """The points by which seat 0 is ahead in the end, where each has so many turns and wants a large margin."""
    weights = [1] * (sides - 1) + [loaded]

    @functools.cache
    def after_turn(mine: int, theirs: int, left: int) -> float:
        """For the seat that moves next, with nothing won yet; `left` turns are left."""
        if left == 0 or max(mine, theirs) >= goal:
            return mine - theirs
        return rolling(mine, theirs, 0, left)

    @functools.cache
    def rolling(mine: int, theirs: int, total: int, left: int) -> float:
        value = 0.0
        for face, weight in enumerate(weights, 1):
            if face == 1:
                value -= weight * after_turn(theirs, mine, left - 1)
            elif mine + total + face >= goal:
                value -= weight * after_turn(theirs, mine + total + face, left - 1)
            else:
                won = total + face
                held = -after_turn(theirs, mine + won, left - 1)
                value += weight * max(held, rolling(mine, theirs, won, left))
        return value / sum(weights)

    return after_turn(0, 0, 2 * turns)
