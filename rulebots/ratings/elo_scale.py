"""Elo differences and the win rates that they stand for (A. E. Elo, The Rating of Chessplayers, 1978)."""

from __future__ import annotations

import math

#: Elo points of one unit of log-odds.
ELO_A_LOGIT = 400.0 / math.log(10.0)


def elo(win_rate: float) -> float:
    """The Elo difference that a win rate stands for; infinite for 0 and 1."""
    if win_rate <= 0.0:
        return -math.inf
    return math.inf if win_rate >= 1.0 else 400.0 * math.log10(win_rate / (1.0 - win_rate))


def expected_score(difference: float) -> float:
    """The win rate that an Elo difference stands for: the inverse of `elo`."""
    return 1.0 / (1.0 + 10.0 ** (-difference / 400.0))
