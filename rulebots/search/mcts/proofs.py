"""Proven outcomes by position: what one branch of a tree proves holds wherever else the position turns up.

`table` is int64[rows]: a row holds a key of 61 bits and the outcome in the two lowest bits, as in
`Tree.proven`. A position's row is overwritten by the latest that falls into it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rulebots.kernel import kernel
from rulebots.search.mcts.tree import UNPROVEN
from rulebots.search.transposition import key_of

ROWS = 1 << 18
_OUTCOME = 3


def new_proofs(rows: int) -> npt.NDArray[np.int64]:
    """An empty table of so many rows, a power of two; with none nothing is remembered."""
    return np.zeros(rows, np.int64)


@kernel
def known_outcome(table: Any, words: Any, row: int) -> int:
    """What is proven of the position words[row], UNPROVEN for nothing."""
    if table.shape[0] == 0:
        return UNPROVEN
    key = key_of(words, row)
    entry = table[(key >> 2) & (table.shape[0] - 1)]
    return int(entry & _OUTCOME) if (entry | _OUTCOME) == (key | _OUTCOME) else UNPROVEN


@kernel
def remember(table: Any, words: Any, row: int, outcome: int) -> None:
    """Keep what is proven of the position words[row]."""
    if table.shape[0] > 0:
        key = key_of(words, row)
        table[(key >> 2) & (table.shape[0] - 1)] = (key & ~_OUTCOME) | int(outcome)
