"""What a table of win rates says beyond ratings: the mix of players that no player beats, and cycles."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rulebots.errors import UsageError
from rulebots.game.random_numbers import rng_of
from rulebots.tournaments.standings import Tournament

Floats = npt.NDArray[np.float64]
#: How often the deals are drawn again for the intervals.
RESAMPLED = 200
#: By how much the mix may score less than one half; a share below ten times this is none.
ROUNDING = 1e-9
#: What is 0 but for rounding in a step of the linear program, and steps that are never needed.
TINY, MOST_PIVOTS = 1e-12, 10_000


@dataclass(frozen=True)
class Nash:
    """The Nash mix of a tournament: `shares` of its players, float64[players] that sum to 1, with 95 % intervals.

    A player drawn by these shares scores at least one half against each player of the table. `low` and `high` are None
    where some pair has too few different deals. `against` is what the mix scores against each player.
    `cycles` are three players each of whom beats the next, and the last the first, as (first, second, third); all three
    win rates have intervals above one half. `apparent` counts those of the win rates alone.
    """

    names: tuple[str, ...]
    shares: Floats
    low: Floats | None
    high: Floats | None
    against: Floats
    cycles: tuple[tuple[int, int, int], ...]
    apparent: int

    def summary(self) -> dict[str, Any]:
        """Plain data for JSON."""
        ends = (
            [None] * len(self.names) if self.low is None or self.high is None else zip(self.low, self.high, strict=True)
        )
        players = {
            name: {
                "share": float(share),
                "share_95": None if pair is None else [float(end) for end in pair],
                "against": float(rate),
            }
            for name, share, pair, rate in zip(self.names, self.shares, ends, self.against, strict=True)
        }
        cycles = [[self.names[i] for i in cycle] for cycle in self.cycles]
        return {"players": players, "cycles": cycles, "apparent_cycles": self.apparent}


def nash_of(tournament: Tournament, seed: int = 1) -> Nash:
    """The Nash mix and the cycles of a round robin; a stalled game is half a win for both.

    Intervals are those of a bootstrap over deals (B. Efron, Ann. Stat. 7, 1979): a deal is drawn with the results
    of all pairs on it, and copies of a deal are drawn together. `seed` is that of the bootstrap.

    Raises:
        UsageError: some players have not met, or they met at tables of more than two.
    """
    if tournament.seats > 2:
        raise UsageError("a Nash mix is about who beats whom of two: play with two seats")
    count = len(tournament.names)
    table = _table(tournament, None)
    if np.isnan(table).any():
        raise UsageError("a Nash mix needs the win rates of all pairs: play a round robin")
    shares = nash_mix(table)
    low = high = None
    if not any(meeting.result.too_few for meeting in tournament.meetings):
        numbers = np.unique(np.concatenate([meeting.deals for meeting in tournament.meetings]))
        rng, drawn = rng_of(seed, count, RESAMPLED), np.empty((RESAMPLED, count))
        for i in range(RESAMPLED):
            weights = dict(
                zip(numbers.tolist(), rng.multinomial(len(numbers), [1 / len(numbers)] * len(numbers)), strict=True)
            )
            drawn[i] = nash_mix(np.nan_to_num(_table(tournament, weights), nan=0.5))
        low, high = np.quantile(drawn, [0.025, 0.975], axis=0)
        low, high = np.minimum(low, shares), np.maximum(high, shares)
    ends = {(m.first, m.second): m.result.win_rate_95 for m in tournament.meetings}
    sure = np.zeros((count, count), np.bool_)
    for (first, second), (below, above) in ends.items():
        sure[first, second], sure[second, first] = below > 0.5, above < 0.5
    return Nash(tournament.names, shares, low, high, shares @ table, tuple(_cycles(sure)), len(_cycles(table > 0.5)))


def nash_mix(table: Floats) -> Floats:
    """The mix of rows, float64[n] that sum to 1, whose worst win rate against the columns is largest.

    `table` is float64[n, n]: the win rate of the row's player against the column's, with 1/2 on the diagonal. As one
    wins what the other loses, some mix scores one half against each (J. von Neumann, 1928). Of several it is the one
    whose largest share is smallest, so that equal players have equal shares.
    """
    # Divided by the largest, the shares are from 0 to 1, and their sum is to be as large as can be.
    shares = _largest_sum(0.5 - table.T)
    shares = np.where(shares < 10 * ROUNDING * shares.sum(), 0.0, shares)
    return shares / shares.sum()


def _largest_sum(rows: Floats) -> Floats:
    """The numbers x, float64[n], from 0 to 1 each, of the largest sum for which no element of `rows` @ x is above 0.

    It is the simplex method (G. B. Dantzig, 1951) on a dense table, from x = 0. What an element may be is a little more
    than 0, and for each a little different, or the method might go in circles (A. Charnes, Econometrica 20, 1952).
    Wherever it stops, no element is above that.
    """
    most, count = rows.shape
    # A line for each row and for each x at most 1; the last one is the sum. Its last column says what is left.
    table = np.zeros((most + count + 1, count + 1))
    table[:most, :count], table[:most, count] = rows, ROUNDING * (1 + np.arange(most) / most)
    table[most:-1, :count], table[most:-1, count], table[-1, :count] = np.eye(count), 1.0, -1.0
    # Which x a line and a column stand for; from `count` on none.
    of_line, of_column = count + np.arange(most + count), np.arange(count)
    for _ in range(MOST_PIVOTS):
        enters = int(np.argmin(table[-1, :-1]))
        column = table[:, enters].copy()
        if column[-1] > -TINY:
            break
        room = np.full(most + count, np.inf)
        leaves = int(np.argmin(np.divide(table[:-1, -1].clip(0), column[:-1], out=room, where=column[:-1] > TINY)))
        line = table[leaves] / column[leaves]
        table -= np.outer(column, line)
        table[leaves], table[:, enters] = line, -column / column[leaves]
        table[leaves, enters] = 1 / column[leaves]
        of_line[leaves], of_column[enters] = of_column[enters], of_line[leaves]
    found = np.zeros(most + 2 * count)
    found[of_line] = table[:-1, -1]
    return found[:count]


def _table(tournament: Tournament, weights: dict[int, int] | None) -> Floats:
    """Win rates of the row against the column; `weights` say how often each deal counts. NaN where two did not meet."""
    count = len(tournament.names)
    table = np.full((count, count), np.nan)
    np.fill_diagonal(table, 0.5)
    for meeting in tournament.meetings:
        times = None if weights is None else np.array([weights[number] for number in meeting.deals.tolist()])
        if times is not None and not times.any():
            continue
        rate = float(np.average(meeting.scores, weights=times))
        table[meeting.first, meeting.second], table[meeting.second, meeting.first] = rate, 1 - rate
    return table


def _cycles(beats: npt.NDArray[np.bool_]) -> list[tuple[int, int, int]]:
    """Every three players in a circle, each once, beginning with the lowest number."""
    found = []
    for i, j, k in itertools.combinations(range(len(beats)), 3):
        if beats[i, j] and beats[j, k] and beats[k, i]:
            found.append((i, j, k))
        elif beats[i, k] and beats[k, j] and beats[j, i]:
            found.append((i, k, j))
    return found
