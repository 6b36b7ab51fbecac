"""How often a run-off chooses the best finalist, and what a wrong choice costs, at equal games.

Short runs of the usual strategy of each game give the finalists. They and the reference players meet on many more deals
than a run-off has; that says which finalist is best. Run-offs are then played again and again on deals drawn from those
games: all pairs on all deals, as `evolve` does, or by sequential halving (Karnin, Koren and Somekh, "Almost Optimal
Exploration in Multi-Armed Bandits", ICML 2013), where the worse half of the finalists gets no further games.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import TypeAlias

import joblib
import numpy as np
import numpy.typing as npt
from machine import Figures

from evolve import Run, Settings
from rulebots.play.match import mirrored
from rulebots.players import RulePlayer

GAMES = ("tictactoe", "kalah", "lost-cities")
SEEDS = (1, 2, 3, 4, 5)
GENERATIONS, DEALS = 8, 100
#: Deals of the referee, in those of a run-off, and run-offs a run.
REFEREE, REPEATED = 20, 2_000
#: The purpose of the referee's deals: none of evolve/deals.py.
JUDGING = 99

#: float64[finalists, deals]: what a finalist scored on a deal from both seats, in the mean over all opponents: the
#: other finalists and the reference players.
Scores: TypeAlias = npt.NDArray[np.float64]


def scores_of(run: Run, deals: int) -> Scores:
    """What the finalists of a run score against each other and against the reference players."""
    settings, weights = run.settings, run.candidates()
    finalists = [RulePlayer(run.rules, w, f"finalist {i}") for i, w in enumerate(weights)]
    players, count = [*finalists, *run.references.values()], len(finalists)
    drawn, schedule, total = run.arena.deals(deals, JUDGING), mirrored(deals), np.zeros((len(players), deals))
    for i in range(count):
        for j in range(i + 1, len(players)):
            games = run.arena.play([players[i], players[j]], drawn, schedule)
            margin = np.where(schedule[:, 1] == 0, 1, -1) * (games.points[:, 0] - games.points[:, 1])
            capped = settings.margin * np.clip(margin, -settings.margin_cap, settings.margin_cap)
            for player, sign in ((i, 1), (j, -1)):
                won = np.where(games.stalled, 0.0, (1 + sign * np.sign(margin)) / 2 + sign * capped)
                total[player] += won.reshape(deals, 2).mean(axis=1)
    return total[:count] / (len(players) - 1)


def all_pairs(scores: Scores, opponents: int, deals: int, rng: np.random.Generator) -> int:
    """The best of all pairs on all deals; `opponents` are all players who are met, the finalists among them."""
    return int(np.argmax(scores[:, rng.choice(scores.shape[1], deals, replace=False)].mean(axis=1)))


def halving(scores: Scores, opponents: int, deals: int, rng: np.random.Generator) -> int:
    """The best of sequential halving with as many games; who is left meets everyone, also those who are out."""
    left, total = np.arange(len(scores)), np.zeros(len(scores))
    rounds = int(np.ceil(np.log2(len(scores))))
    games = deals * pairs_of(len(left), opponents)
    for _ in range(rounds):
        more = games // rounds // pairs_of(len(left), opponents)
        drawn = rng.choice(scores.shape[1], more, replace=False)
        total[left] += scores[left[:, None], drawn].sum(axis=1)
        left = left[np.argsort(-total[left], kind="stable")][: (len(left) + 1) // 2]
    return int(left[0])


def pairs_of(left: int, opponents: int) -> int:
    """The pairs in which at least one of those takes part who are left; `opponents` count them as well."""
    return left * opponents - left * (left + 1) // 2


WAYS: dict[str, Callable[[Scores, int, int, np.random.Generator], int]] = {"all pairs": all_pairs, "halving": halving}


def main() -> None:
    """Breed, judge, and run off."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="+", default=list(GAMES), metavar="GAME")
    parser.add_argument("--seeds", nargs="+", type=int, default=list(SEEDS), metavar="N")
    parser.add_argument("--generations", type=int, default=GENERATIONS, metavar="N")
    parser.add_argument("--deals", type=int, default=DEALS, metavar="N", help=f"of a run-off (default {DEALS})")
    parser.add_argument("--quick", action="store_true", help="one short run, to see that it works")
    wanted = parser.parse_args()
    if wanted.quick:
        wanted.games, wanted.seeds, wanted.generations, wanted.deals = ["tictactoe"], [1], 1, 10
    jobs, repeated = int(joblib.cpu_count()), 20 if wanted.quick else REPEATED
    figures = Figures(
        f"run-offs of {wanted.deals} deals after {wanted.generations} generations, {len(wanted.seeds)} runs a game"
    )
    for game in wanted.games:
        right: dict[str, list[float]] = {way: [] for way in WAYS}
        lost: dict[str, list[float]] = {way: [] for way in WAYS}
        for seed in wanted.seeds:
            run = Run(Settings.of(game=game, seed=seed, generations=wanted.generations), jobs)
            for _ in run.generations():
                pass
            scores = scores_of(run, REFEREE * wanted.deals)
            true, rng = scores.mean(axis=1), np.random.default_rng(seed)
            met = len(scores) + len(run.references)
            for way, chosen in WAYS.items():
                found = [chosen(scores, met, wanted.deals, rng) for _ in range(repeated)]
                right[way].append(float(np.mean(true[found] == true.max())))
                lost[way].append(float(true.max() - true[found].mean()))
                print(f"{game}, seed {seed}, {way}:", right[way][-1], lost[way][-1], file=sys.stderr, flush=True)
        for way in WAYS:
            each = ", ".join(f"{100 * share:.0f}" for share in right[way])
            figures.add(f"{game}, {way}: the best is chosen", f"{100 * np.mean(right[way]):.1f} % ({each})")
            figures.add(f"{game}, {way}: a choice costs", f"{100 * np.mean(lost[way]):.2f} points")
    figures.show()


if __name__ == "__main__":
    main()
