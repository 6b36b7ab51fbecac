"""Collapse alarms: signs that a population "improves" by refusing to play, or cannot improve any more.

A window is the mean of the last few generations; what is watched is how it compares with the best
window that the run has seen, so that one unlucky generation rings nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

#: Generations in a window.
WINDOW = 5
#: A held-out win rate against a null player that is this much below its best has fallen.
FALL = 0.1
#: Points below this share of their best have shrunk.
SHRUNK = 0.5
#: So have activities that are below this share of their best on average: one of them is a matter of style.
FADED = 0.4
#: More than this share of stalled games, and more than this above the least, means that stalls rise.
STALLS = 0.05
#: Weights that differ by less than this share of their size have lost their spread.
SPREAD = 0.005


@dataclass(frozen=True)
class Vitals:
    """What one generation's best player and its population show.

    `nulls` are the best player's win rates against the null players, `points` its mean points a game,
    `activity` what it did a game by name (the statistics that the game
    defines), `stalled` the share of its games that stalled; `spread` is how much the weights of the
    population differ, as a share of their size.
    """

    nulls: Mapping[str, float]
    points: float
    activity: Mapping[str, float]
    stalled: float
    spread: float


@dataclass
class Alarms:
    """Watches a run's vitals: `recent` is the current window of each series, `best` the best window so far."""

    recent: dict[str, list[float]] = field(default_factory=dict)
    best: dict[str, float] = field(default_factory=dict)

    def see(self, vitals: Vitals) -> list[str]:
        """Take in a generation; what has gone wrong by now, a sentence with its figures for each."""
        found: list[str] = []
        for name, rate in vitals.nulls.items():
            now, best = self._window(f"null {name}", rate)
            if now < best - FALL:
                found.append(f"the best player wins {now:.0%} against {name}, down from {best:.0%}")
        now, best = self._window("points", vitals.points)
        if best > 0 and now < SHRUNK * best:
            found.append(f"the best player makes {now:.1f} points a game, down from {best:.1f}")
        done = {name: self._window(f"activity {name}", amount) for name, amount in vitals.activity.items()}
        shares = {name: now / best for name, (now, best) in done.items() if best > 0}
        if shares and sum(shares.values()) / len(shares) < FADED:
            name = min(shares, key=lambda one: shares[one])
            now, best = done[name]
            found.append(f"the best player does little: {name} {now:.1f} a game, down from {best:.1f}")
        now, best = (abs(value) for value in self._window("stalled", -vitals.stalled))
        if now > best + STALLS:
            found.append(f"{now:.0%} of the best player's games stall, up from {best:.0%}")
        now, _ = self._window("spread", vitals.spread)
        if len(self.recent["spread"]) == WINDOW and now < SPREAD:
            found.append(f"the population's weights differ by {now:.1%} of their size only: nothing new is tried")
        return found

    def state(self) -> dict[str, Any]:
        """Plain data."""
        return {"recent": dict(self.recent), "best": dict(self.best)}

    def restore(self, state: dict[str, Any]) -> None:
        """Take up what `state` gave."""
        self.recent, self.best = dict(state["recent"]), dict(state["best"])

    def _window(self, series: str, value: float) -> tuple[float, float]:
        """The current window's mean, and the best full window's so far, this one included."""
        recent = self.recent[series] = [*self.recent.get(series, []), value][-WINDOW:]
        now = sum(recent) / len(recent)
        if len(recent) == WINDOW:
            self.best[series] = max(self.best.get(series, now), now)
        return now, self.best.get(series, now)
