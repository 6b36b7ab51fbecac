"""How often a run-off chooses the best finalist, and what a wrong choice costs, at equal games.

Short runs of the usual strategy of each game give the finalists. They and the reference players meet on many more deals
than a run-off has; that says which finalist is best. Run-offs are then played again and again on deals drawn from those
games: all pairs on all deals, as `evolve` does, or by sequential halving (Karnin, Koren and Somekh, "Almost Optimal
Exploration in Multi-Armed Bandits", ICML 2013), where the worse half of the finalists gets no further games.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TypeAlias

import joblib
import numpy as np
import numpy.typing as npt
from machine import Figures

from evolve import Run, Settings
from evolve.evaluation import fitness

GAMES = ("circles", "kalah", "lost-cities")
SEEDS = (1, 2, 3, 4, 5)
GENERATIONS = 8
#: Deals of the referee, in those of a run-off, and run-offs a run.
REFEREE, REPEATED = 16, 2_000
#: The purpose of the referee's deals: none of evolve/deals.py.
JUDGING = 99

#: float64[finalists, opponents, deals]: what a finalist scored on a deal, in the mean of both seats. The finalists are
#: the first opponents; against itself, one has NaN.
Scores: TypeAlias = npt.NDArray[np.float64]


def scores_of(run: Run, deals: int) -> Scores:
    """What the finalists of a run score against each other and against the reference players."""
    settings, weights = run.settings, run.candidates()
    from rulebots.players import RulePlayer

    players = [*(RulePlayer(run.rules, w, f"finalist {i}") for i, w in enumerate(weights)), *run.references.values()]
    count, scores = len(weights), np.full((len(weights), len(players), deals), np.nan)
    for i in range(count):
        for j in range(i + 1, len(players)):
            schedule = fitness.both_seats([(0, 1)], deals)
            games = run.arena.play([players[i], players[j]], run.arena.deals(deals, JUDGING), schedule)
            margin = np.where(games.stalled, 0, games.points[:, 0] - games.points[:, 1]) * (1 - 2 * schedule[:, 1])
            capped = settings.margin * np.clip(margin, -settings.margin_cap, settings.margin_cap)
            for player, sign in ((i, 1), (j, -1)):
                if player < count:
                    won = np.where(games.stalled, 0.0, (1 + sign * np.sign(margin)) / 2) + sign * capped
                    scores[player, i + j - player] = won.reshape(deals, 2).mean(axis=1)
    return scores


def all_pairs(scores: Scores, deals: int, rng: np.random.Generator) -> int:
    """The best of all pairs on all deals."""
    drawn = rng.choice(scores.shape[2], deals, replace=False)
    return int(np.argmax(np.nanmean(scores[:, :, drawn], axis=(1, 2))))


def halving(scores: Scores, deals: int, rng: np.random.Generator) -> int:
    """The best of sequential halving with as many games; who is left meets everyone, also those who are out."""
    count, opponents, _ = scores.shape
    rounds, left = int(np.ceil(np.log2(count))), np.arange(count)
    games = deals * (count * opponents - count * (count + 1) // 2)
    played, total = 0, np.zeros(count)
    for _ in range(rounds):
        pairs = len(left) * opponents - len(left) * (len(left) + 1) // 2
        more = games // rounds // pairs
        drawn = rng.choice(scores.shape[2], more, replace=False)
        total[left] += more * np.nanmean(scores[left][:, :, drawn], axis=(1, 2))
        played += more
        left = left[np.argsort(-total[left], kind="stable")][: (len(left) + 1) // 2]
    return int(left[0])


WAYS: dict[str, Callable[[Scores, int, np.random.Generator], int]] = {"all pairs": all_pairs, "halving": halving}


def main() -> None:
    """Breed, judge, and run off."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="+", default=list(GAMES), metavar="GAME")
    parser.add_argument("--seeds", nargs="+", type=int, default=list(SEEDS), metavar="N")
    parser.add_argument("--generations", type=int, default=GENERATIONS, metavar="N")
    parser.add_argument("--quick", action="store_true", help="one short run, to see that it works")
    wanted = parser.parse_args()
    if wanted.quick:
        wanted.games, wanted.seeds, wanted.generations = ["circles"], [1], 1
    jobs, repeated = int(joblib.cpu_count()), 20 if wanted.quick else REPEATED
    figures = Figures(f"run-offs after {wanted.generations} generations, {len(wanted.seeds)} runs a game")
    for game in wanted.games:
        right: dict[str, list[float]] = {way: [] for way in WAYS}
        lost: dict[str, list[float]] = {way: [] for way in WAYS}
        for seed in wanted.seeds:
            small = {"runoff_deals": 20} if wanted.quick else {}
            run = Run(Settings.of(game=game, seed=seed, generations=wanted.generations, **small), jobs)
            for _ in run.generations():
                pass
            scores = scores_of(run, REFEREE * run.settings.runoff_deals)
            true, rng = np.nanmean(scores, axis=(1, 2)), np.random.default_rng(seed)
            for way, chosen in WAYS.items():
                found = [chosen(scores, run.settings.runoff_deals, rng) for _ in range(repeated)]
                right[way].append(float(np.mean(true[found] == true.max())))
                lost[way].append(float(true.max() - true[found].mean()))
        for way in WAYS:
            each = ", ".join(f"{100 * share:.0f}" for share in right[way])
            figures.add(f"{game}, {way}: the best is chosen", f"{100 * np.mean(right[way]):.1f} % ({each})")
            figures.add(f"{game}, {way}: a choice costs", f"{100 * np.mean(lost[way]):.2f} points")
    figures.show()


if __name__ == "__main__":
    main()
