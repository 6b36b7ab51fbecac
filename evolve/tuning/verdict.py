"""What fresh games say of a tuned program against the one it began as."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from rulebots.game import Floats
from rulebots.ratings.intervals import elo, win_rate_interval

Word = Literal["better", "undecided", "worse"]


@dataclass(frozen=True)
class Verdict:
    """The gain in Elo with its 95 % interval, from `games` fresh games.

    "better" has at most 2.5 % of risk where nothing was gained: the whole interval lies above 0.
    """

    gain: float
    low: float
    high: float
    games: int

    def __str__(self) -> str:
        """The gain in one line, such as "+25 Elo (+8 to +44) in 400"."""
        return f"{self.gain:+.0f} Elo ({self.low:+.0f} to {self.high:+.0f}) in {self.games:,}"

    @property
    def word(self) -> Word:
        """Better, worse, or undecided where the interval contains 0."""
        return "better" if self.low > 0 else "worse" if self.high < 0 else "undecided"


def judged(pair_points: Floats, games: int = 2) -> Verdict:
    """The verdict of the result's mean points in each fresh pair, float64[pairs] in 0..1; NaN: the pair was lost.

    A pair has `games` games.
    """
    played = pair_points[np.isfinite(pair_points)]
    low, high = win_rate_interval(played, games=games) if len(played) else (0.0, 1.0)
    rate = float(played.mean()) if len(played) else 0.5
    return Verdict(elo(rate), elo(low), elo(high), games * len(played))


def amount(pair_points: Floats, games: int) -> tuple[Floats, Floats]:
    """How many pairs have each score, and the scores, float64[n] both: what a sequential test counts.

    Means of more than two games, float64[pairs >= 2], are as many games won and lost as differ as much, at most
    `games` a pair: the test knows only a few scores, and takes others for hardly possible.
    """
    if games <= 2:
        scores, counts = np.unique(np.array([0.0, 1.0, *pair_points], np.float64), return_counts=True)
        return counts - np.isin(scores, (0, 1)) * 1.0, scores
    # As if one game more had been won and lost: all may have been won.
    rate = (games * pair_points.sum() + 1) / (games * len(pair_points) + 2)
    each = min(games, rate * (1 - rate) / max(pair_points.var(ddof=1), 1e-9))
    return len(pair_points) * each * np.array([1 - rate, rate]), np.array([0.0, 1.0])
