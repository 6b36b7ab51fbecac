"""Collapse warnings: signs that a population "improves" by refusing to play, or cannot improve any more.

A window is the mean of the last few generations. It is compared with the best window of the run so far,
so that one unlucky generation raises no warning.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from evolve.monitoring.metrics import Metrics

#: Generations in a window.
WINDOW = 5
#: Warn where the win rate against a baseline player is this much below its best.
FALL = 0.1
#: Warn where the points are below this share of their best.
SHRUNK = 0.5
#: Warn where activities are below this share of their best on average: a single one is a matter of style.
FADED = 0.4
#: Warn where the share of stalled games is more than this, and more than this above its least.
STALLS = 0.05
#: Warn where weights differ by less than this share of their size.
SPREAD = 0.005


@dataclass
class CollapseWatch:
    """Watches a run's metrics: `recent` is the current window of each series, `best` the best window so far."""

    recent: dict[str, list[float]] = field(default_factory=dict)
    best: dict[str, float] = field(default_factory=dict)

    def see(self, metrics: Metrics) -> list[str]:
        """Take in a generation, and give its warnings: a sentence with figures for each thing that went wrong."""
        found: list[str] = []
        for name, rate in metrics.baselines.items():
            now, best = self._window(f"baseline {name}", rate)
            if now < best - FALL:
                found.append(f"the best player wins {now:.0%} against {name}, down from {best:.0%}")
        now, best = self._window("points", metrics.points)
        if best > 0 and now < SHRUNK * best:
            found.append(f"the best player makes {now:.1f} points a game, down from {best:.1f}")
        done = {name: self._window(f"activity {name}", amount) for name, amount in metrics.activity.items()}
        shares = {name: now / best for name, (now, best) in done.items() if best > 0}
        if shares and sum(shares.values()) / len(shares) < FADED:
            name = min(shares, key=lambda one: shares[one])
            now, best = done[name]
            found.append(f"the best player does little: {name} {now:.1f} a game, down from {best:.1f}")
        now, best = (abs(value) for value in self._window("stalled", -metrics.stalled))
        if now > best + STALLS:
            found.append(f"{now:.0%} of the best player's games stall, up from {best:.0%}")
        now, _ = self._window("spread", metrics.spread)
        if len(self.recent["spread"]) == WINDOW and now < SPREAD:
            found.append(f"the population's weights differ by only {now:.1%} of their size: nothing new is tried")
        return found

    def state(self) -> dict[str, Any]:
        """The windows as plain data."""
        return {"recent": dict(self.recent), "best": dict(self.best)}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from what `state` gave."""
        self.recent = dict(state["recent"])
        self.best = dict(state["best"])

    def _window(self, series: str, value: float) -> tuple[float, float]:
        """The mean of the current window, and that of the best full window so far, this one included."""
        recent = self.recent[series] = [*self.recent.get(series, []), value][-WINDOW:]
        now = sum(recent) / len(recent)
        if len(recent) == WINDOW:
            self.best[series] = max(self.best.get(series, now), now)
        return now, self.best.get(series, now)
