"""What is chosen how often, and whether who chooses it more often wins more often: by move, and by kind of move."""

from __future__ import annotations

from typing import Any

import numpy as np

from evolve.analysis.report.course import first_scores
from evolve.analysis.report.estimates import Estimate, Floats, Ints, ratio, share_of_cases
from evolve.analysis.report.tracing import Trace
from rulebots.game import Game
from rulebots.play.results import Games

#: What is chosen in a smaller share of the decisions that offer it is dead; in a larger one, dominant.
DEAD, DOMINANT = 0.01, 0.95
#: A move that was offered in fewer games is not listed.
FEWEST_GAMES = 20


def choice_figures(game: Game, games: Games, traced: Trace) -> dict[str, Any]:
    """A line for each kind of move, and for each move that was offered often enough, the most valuable first.

    `taken` is the share of the decisions that offered it; `more` the win rate of the side that chose it more often
    than the other one, less what its seat scores anyway: that they go together does not make one the other's cause.
    All intervals of a table hold together.
    """
    scores = first_scores(games)
    surplus = scores - scores.mean()
    kinds = _table([kind.name for kind in game.kinds], traced.kinds_offered, traced.kinds_taken, surplus, games.courses)
    offered = np.flatnonzero((traced.offered.sum(axis=1) > 0).sum(axis=0) >= FEWEST_GAMES)
    names = [game.write(int(move)) for move in offered]
    moves = _table(names, traced.offered[:, :, offered], traced.taken[:, :, offered], surplus, games.courses)
    return {"kinds": kinds, "moves": moves}


def _table(names: list[str], offered: Ints, taken: Ints, surplus: Floats, courses: Ints) -> list[dict[str, Any]]:
    found = []
    for number, name in enumerate(names):
        cases, chosen = offered[:, :, number], taken[:, :, number]
        if not cases.any():  # such as a kind of move that is never one of several
            continue
        rate = share_of_cases(chosen.sum(axis=1), cases.sum(axis=1), courses, len(names))
        more = np.sign(chosen[:, 0] - chosen[:, 1]).astype(np.float64)
        worth = ratio(surplus * more, np.abs(more), courses, len(names))
        found.append({"name": name, "taken": rate.as_data(), "more": worth.as_data(), "verdict": verdict(rate)})
    return sorted(found, key=lambda line: -(line["more"]["mean"] or 0.0))


def verdict(rate: Estimate) -> str:
    """Where the whole interval says so "dead" or "dominant", else nothing."""
    if rate.low is None or rate.high is None:
        return ""
    return "dead" if rate.high < DEAD else "dominant" if rate.low > DOMINANT else ""
