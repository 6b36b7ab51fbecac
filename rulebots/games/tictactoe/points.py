"""The size of the largest board, and what its points hold."""

from __future__ import annotations

from rulebots.grid import cells_of, width_of

SMALLEST, LARGEST = 3, 10
WIDTH = width_of(LARGEST)
CELLS = cells_of(LARGEST, LARGEST)
