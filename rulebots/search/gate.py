"""When a search plays another move than its guide's: the less is known of a move, the more it has to show."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
#: Standard errors that a gain has to be, however well it is known.
GATE = 1.5
#: How many more standard errors it has to be for each unit of its error. Measured on Lost Cities
#: (docs/background/measurements.md); returns are from 0 to 1 in every game.
DOUBT = 15.0


def convincing(gains: Floats, errors: Floats, gate: float) -> npt.NDArray[np.bool_]:
    """Which gains, float64[candidates], are more than `gate` standard errors, bool[candidates].

    With a normal prior of mean -m and variance v, a gain with the error e has a posterior mean above 0 only if it is
    more than m / v * e errors: the less is known, the more has to be shown. Without that, few rollouts of several moves
    nearly always find one that looks better.
    """
    return np.asarray((gains > 0) & (gains > errors * (gate + DOUBT * errors)))
