"""Weights: an early and a late one per rule."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rulebots.errors import UsageError

#: float64[2, rules]: the early weights in row 0, the late ones in row 1.
Weights = npt.NDArray[np.float64]
EARLY, LATE = 0, 1
#: The largest weight. Larger ones could overflow a sum, and only the ratios of weights matter.
MOST_WEIGHT = 1e6


def weight_pair(value: Any) -> tuple[float, float]:
    """(early, late) from a weight written as one number or as two. Raises UsageError for anything else."""
    pair = list(value) if isinstance(value, list | tuple) else [value, value]
    if len(pair) != 2:
        raise UsageError(f"expected one weight or [early, late], not {len(pair)} entries")
    for number in pair:
        if isinstance(number, bool) or not isinstance(number, int | float) or not abs(number) <= MOST_WEIGHT:
            raise UsageError(f"expected a number from {-MOST_WEIGHT:g} to {MOST_WEIGHT:g} as weight, not {number!r}")
    return float(pair[0]), float(pair[1])
