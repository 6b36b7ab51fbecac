"""What a table of win rates says beyond ratings: the mix of players that no player beats, and cycles."""

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np

from rulebots.errors import demand
from rulebots.game import Bools, Floats
from rulebots.game.random_numbers import rng_of
from rulebots.tournaments.tournament import Tournament

#: Bootstrap samples of the deals for the intervals.
RESAMPLED = 200
#: By how much the mix may score less than one half; a share below ten times this counts as 0.
ROUNDING = 1e-9
#: What is 0 but for rounding in a step of the linear program.
TINY = 1e-12
#: Safety cap on the steps of the linear program.
MOST_PIVOTS = 10_000


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

    def interval(self, player: int) -> list[float] | None:
        """The 95 % interval of a player's share; None where nothing can be said."""
        return None if self.low is None or self.high is None else [float(self.low[player]), float(self.high[player])]

    def summary(self) -> dict[str, Any]:
        """Plain data for JSON."""
        players = {
            name: {"share": float(self.shares[i]), "share_95": self.interval(i), "against": float(self.against[i])}
            for i, name in enumerate(self.names)
        }
        cycles = [[self.names[i] for i in cycle] for cycle in self.cycles]
        return {"players": players, "cycles": cycles, "apparent_cycles": self.apparent}


def nash_of(tournament: Tournament) -> Nash:
    """The Nash mix and the cycles of a round robin; a stalled game is half a win for both.

    Intervals are those of a bootstrap over deals (B. Efron, Ann. Stat. 7, 1979): a deal is drawn with the results
    of all pairs on it, and copies of a deal are drawn together.

    Raises:
        UsageError: some players have not met, or they met at tables of more than two.
    """
    demand(tournament.seats <= 2, "a Nash mix needs two opponents at a table: play with two seats")
    table = _table(tournament, None)
    demand(not np.isnan(table).any(), "a Nash mix needs the win rates of all pairs: play a round robin")
    shares = nash_mix(table)
    low = high = None
    if not any(meeting.result.too_few for meeting in tournament.meetings):
        mixes = _resampled(tournament)
        low = np.minimum(np.quantile(mixes, 0.025, axis=0), shares)
        high = np.maximum(np.quantile(mixes, 0.975, axis=0), shares)
    beats = np.zeros(table.shape, np.bool_)
    for m in tournament.meetings:
        lower, upper = m.result.win_rate_95
        beats[m.first, m.second] = lower > 0.5
        beats[m.second, m.first] = upper < 0.5
    return Nash(tournament.names, shares, low, high, shares @ table, tuple(_cycles(beats)), len(_cycles(table > 0.5)))


def _resampled(tournament: Tournament) -> Floats:
    """The mixes of bootstrap samples, float64[RESAMPLED, players]."""
    rng = rng_of(1, len(tournament.names), RESAMPLED)
    numbers = np.unique(np.concatenate([meeting.deals for meeting in tournament.meetings]))
    even = [1 / len(numbers)] * len(numbers)
    drawn = (dict(zip(numbers.tolist(), rng.multinomial(len(numbers), even), strict=True)) for _ in range(RESAMPLED))
    return np.array([nash_mix(np.nan_to_num(_table(tournament, weights), nan=0.5)) for weights in drawn])


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
    table[:most, :count] = rows
    table[:most, count] = ROUNDING * (1 + np.arange(most) / most)
    table[most:-1, :count] = np.eye(count)
    table[most:-1, count] = 1.0
    table[-1, :count] = -1.0
    # Which x a line and a column stand for; from `count` on none.
    of_line = count + np.arange(most + count)
    of_column = np.arange(count)
    for _ in range(MOST_PIVOTS):
        enters = int(np.argmin(table[-1, :-1]))
        column = table[:, enters].copy()
        if column[-1] > -TINY:
            break
        room = np.full(most + count, np.inf)
        leaves = int(np.argmin(np.divide(table[:-1, -1].clip(0), column[:-1], out=room, where=column[:-1] > TINY)))
        line = table[leaves] / column[leaves]
        table -= np.outer(column, line)
        table[leaves] = line
        table[:, enters] = -column / column[leaves]
        table[leaves, enters] = 1 / column[leaves]
        of_line[leaves], of_column[enters] = of_column[enters], of_line[leaves]
    x = np.zeros(most + 2 * count)
    x[of_line] = table[:-1, -1]
    return x[:count]


def _table(tournament: Tournament, weights: dict[int, int] | None) -> Floats:
    """Win rates of the row against the column; `weights` say how often each deal counts. NaN where two did not meet."""
    count = len(tournament.names)
    table = np.full((count, count), np.nan)
    np.fill_diagonal(table, 0.5)
    for m in tournament.meetings:
        times = None if weights is None else np.array([weights[number] for number in m.deals.tolist()])
        if times is None or times.any():
            table[m.first, m.second] = np.average(m.scores, weights=times)
            table[m.second, m.first] = 1 - table[m.first, m.second]
    return table


def _cycles(beats: Bools) -> list[tuple[int, int, int]]:
    """Every three players in a circle, each once, beginning with the lowest number."""
    circles = [
        (i, j, k)
        for i, j, k in itertools.permutations(range(len(beats)), 3)
        if i < min(j, k) and beats[i, j] and beats[j, k] and beats[k, i]
    ]
    return sorted(circles, key=sorted)
