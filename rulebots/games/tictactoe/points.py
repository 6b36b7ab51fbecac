"""The size of the largest board, and what its points hold."""

from __future__ import annotations

from rulebots.games.grid import cells_of

SMALLEST, LARGEST = 3, 10
WIDTH = LARGEST + 1
CELLS = cells_of(LARGEST)
#: Stones in a view.
MINE, THEIRS = 1, 2
