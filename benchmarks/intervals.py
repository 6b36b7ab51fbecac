"""How often the 95 % intervals of a match exclude what is true, at one to six seats and few deals: at most 5.5 %.

Players are equal, so what is true is known: a win rate of one half, and the even share of tables won alone. In each
cell both figures are judged by the worse. The deals are independent, or the cards of a seat, the same in every game of
a deal, decide most of them, or most games end in a tie. The shorter matches are the beginnings of the longer ones.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from machine import machine

from rulebots.play.deals import mirrored
from rulebots.play.results import Contests, Games, contests_of, first_shares
from rulebots.ratings import win_rate_interval

Floats = npt.NDArray[np.float64]
SEED = 4_409
SEATS = (1, 2, 3, 4, 5, 6)
DEALS = (10, 20, 30, 100, 1000)
#: The spread of a seat's cards beside that of luck, and the step to which points are rounded.
KINDS = {"independent": (0.0, 0.01), "deals decide": (3.0, 0.01), "many draws": (0.0, 3.0)}
#: The most of the intervals that may exclude the truth.
MOST = 0.055
#: Games that are simulated at once.
AT_ONCE = 1_000_000


def contests(rng: np.random.Generator, seats: int, kind: str, deals: int) -> Contests:
    """Matches of two equal players: at one seat each plays alone, at more each is alone among copies of the other."""
    cards, step = KINDS[kind]
    schedule = mirrored(deals, seats=seats, together=seats == 1)
    of_seats = cards * rng.standard_normal((deals, seats))[schedule[:, 0]]
    points = np.rint((of_seats + rng.standard_normal(of_seats.shape)) / step).astype(np.int64)
    count = len(points)
    none = np.zeros(count, np.int64)
    faults = np.full(count, None, np.object_)
    games = Games(points, none, none > 0, np.zeros(count, []), np.arange(count), none, none[:, None], faults)
    return contests_of(games)


def figures(of: Contests) -> Iterator[tuple[Floats, int, float]]:
    """The scores of deals, the contests behind each, and what their mean truly is: win rate, tables won alone."""
    yield of.by_deal(of.scores()), len(of.points) // len(of.courses), 0.5
    seats = of.games.points.shape[1]
    if seats > 2:
        yield of.alone(first_shares(of.points), 0), seats, 1 / seats


def former(scores: Floats) -> tuple[float, float]:
    """The interval before: Wilson's with the normal quantile and the variance of the deals alone."""
    rate = float(scores.mean())
    variance = float(scores.var()) / (len(scores) - 1)
    trials = max(rate * (1 - rate) / variance, 1.0) if variance > 1e-15 else len(scores)
    spread = 1.96**2 / trials
    centre, half = (rate + spread / 2), np.sqrt(spread * rate * (1 - rate) + spread**2 / 4)
    return (centre - half) / (1 + spread), (centre + half) / (1 + spread)


def measured(seats: int, kind: str, simulations: int) -> dict[int, tuple[float, float, float]]:
    """By the number of deals: the share of intervals that exclude the truth, now and before, and how much wider now."""
    judged: dict[tuple[int, int], list[npt.NDArray[np.float64]]] = {}
    games = max(2, 2 * seats if seats > 2 else 2)
    piece = max(1, AT_ONCE // (max(DEALS) * games))
    for start in range(0, simulations, piece):
        rng = np.random.default_rng([SEED, seats, list(KINDS).index(kind), start])
        some = min(piece, simulations - start)
        for number, (scores, behind, truth) in enumerate(figures(contests(rng, seats, kind, some * max(DEALS)))):
            for match in scores.reshape(some, -1):
                for deals in DEALS:
                    ends = np.array([win_rate_interval(match[:deals], games=behind), former(match[:deals])])
                    outside = (ends[:, 0] > truth + 1e-9) | (ends[:, 1] < truth - 1e-9)
                    judged.setdefault((deals, number), []).append(np.array([*outside, *(ends[:, 1] - ends[:, 0])]))
    found = {}
    for deals in DEALS:
        means = [np.mean(rows, axis=0) for (length, _), rows in judged.items() if length == deals]
        now, before = np.max([mean[:2] for mean in means], axis=0)
        found[deals] = (float(now), float(before), float(max(mean[2] / mean[3] for mean in means)))
    return found


def main() -> None:
    """Simulate, then show."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--simulations", type=int, default=10_000, help="matches in each cell (default 10,000)")
    parser.add_argument("--quick", action="store_true", help="5 matches, to see that it works")
    wanted = parser.parse_args()
    simulations = 5 if wanted.quick else wanted.simulations
    print(f"share of the 95 % intervals that exclude the truth, {simulations:,} simulations in each cell;")
    print("in brackets the former one and how much wider the intervals have become")
    print(f"{'seats':5}  {'':12}" + "".join(f"{f'{deals:,} deals':>22}" for deals in DEALS))
    missed = 0
    for seats in SEATS:
        for kind in KINDS:
            found = measured(seats, kind, simulations)
            cells = [f"{100 * now:.1f} ({100 * before:.1f}, {wider:.2f})" for now, before, wider in found.values()]
            print(f"{seats:5}  {kind:12}" + "".join(f"{cell:>22}" for cell in cells), flush=True)
            missed += sum(now > MOST for now, _, _ in found.values())
    print(f"cells above {100 * MOST:.1f} %: {missed} of {len(SEATS) * len(KINDS) * len(DEALS)}")
    print(machine())


if __name__ == "__main__":
    main()
