"""What one generation shows of itself, on fresh deals that decide nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from evolve.evaluation.arena import Arena
from evolve.evaluation.deals import NULLS, WATCHING
from evolve.monitoring.collapse import Vitals
from rulebots.play.loop import NOBODY
from rulebots.play.match import mirrored
from rulebots.players import Player, RulePlayer
from rulebots.rules import Weights

#: Mirrored deals by which the progress line measures the best and the whole population.
WATCH_DEALS = 200
#: Mirrored deals by which the alarms measure the best against each null player.
NULL_DEALS = 25


@dataclass(frozen=True)
class Progress:
    """One generation: `best` and `mean` are win rates against the hand-tuned player on fresh deals.

    `best_95` is the 95 % interval of the first. `training` is the win rate that the best player came
    out of its training games with, of which there were `training_games`; it is the best because of
    them, so that they flatter it. `champion` is what would come first if the run ended here,
    float64[2, rules]. `games` are those of the run so far that taught it something, and `alarms` are
    sentences: see alarms.py.
    """

    generation: int
    games: int
    games_a_second: float
    best: float
    best_95: tuple[float, float]
    mean: float
    training: float
    training_games: int
    vitals: Vitals
    alarms: Sequence[str]
    champion: Weights


@dataclass(frozen=True)
class Watched:
    """What the games that are played for show said of a generation."""

    best: float
    best_95: tuple[float, float]
    mean: float
    vitals: Vitals


def watch(
    arena: Arena,
    bred: Sequence[RulePlayer],
    best: int,
    hand_tuned: Player,
    nulls: Mapping[str, Player],
    generation: int,
) -> Watched:
    """Let the best of a generation and all of it meet the hand-tuned player, and the best the null players."""
    count, deals = len(bred), arena.deals(WATCH_DEALS, WATCHING, generation)
    # Everyone in turn on deals of his own: two deals for all would say more of the deals than of the players.
    in_turn = mirrored(WATCH_DEALS, NOBODY, count)
    in_turn[:, 1:][in_turn[:, 1:] == NOBODY] = np.repeat(np.arange(WATCH_DEALS) % count, 2)
    everyone = arena.measure([*bred, hand_tuned], count, deals, in_turn)
    pair = arena.match(bred[best], hand_tuned, deals)
    few = arena.deals(NULL_DEALS, NULLS, generation)
    return Watched(
        best=pair.win_rate,
        best_95=pair.win_rate_95,
        mean=float(everyone.wins.sum() + everyone.draws.sum() / 2) / len(in_turn),
        vitals=Vitals(
            nulls={name: arena.match(bred[best], player, few).win_rate for name, player in nulls.items()},
            points=pair.points,
            activity={name: mine for name, (mine, _) in pair.behaviour.items()},
            stalled=pair.stalled / pair.games,
            spread=spread([player.weights for player in bred]),
        ),
    )


def spread(weights: Sequence[Weights]) -> float:
    """How much players differ: the standard deviation of a weight among them as a share of its size.

    Both are medians over the weights, so that a few weights of hundreds, as rules have that come before
    all others, do not hide what is tried with the rest. A weight that everyone has at 0 does not count.
    """
    stack = np.array(weights).reshape(len(weights), -1)
    used = stack[:, stack.any(axis=0)]
    return float(np.median(used.std(axis=0)) / np.median(np.abs(used).mean(axis=0))) if used.size else 0.0
