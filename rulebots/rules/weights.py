"""Weights: an early and a late one for each rule."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rulebots.errors import UsageError

#: float64[2, len(rules)]: row 0 the early weights, row 1 the late ones, a column a rule.
Weights = npt.NDArray[np.float64]
EARLY, LATE = 0, 1
#: Larger weights could overflow a sum; only the ratios of weights matter.
MOST_WEIGHT = 1e6


def weight_pair(value: Any) -> tuple[float, float]:
    """[early, late] of a weight written as one number or as two. Raises UsageError otherwise."""
    pair = list(value) if isinstance(value, list | tuple) else [value, value]
    if len(pair) != 2:
        raise UsageError(f"expected one weight or [early, late], not {len(pair)} entries")
    for number in pair:
        if isinstance(number, bool) or not isinstance(number, int | float) or not abs(number) <= MOST_WEIGHT:
            raise UsageError(f"expected a number from {-MOST_WEIGHT:g} to {MOST_WEIGHT:g} as weight, not {number!r}")
    return float(pair[0]), float(pair[1])
