"""The protocol of Piskvork and the Gomocup tournaments: gomoku engines ("brains") and the managers that run them.

https://plastovicka.github.io/protocl2en.htm. One command a line; points are `x,y` from 0, `0,0` at the upper left.
"""

from __future__ import annotations

import re
import string

from rulebots.errors import UsageError

#: The names of columns, as the package's gomoku writes them.
LETTERS = string.ascii_lowercase
#: The game that is played.
GAME = "gomoku"
#: In `INFO time_left`: no limit.
UNLIMITED = 2_147_483_647
#: In a BOARD: the stones of the engine that is told, and those of its opponent.
OWN = 1
OTHER = 2
#: `INFO rule`, a bit mask: the rules that the package's gomoku has.
FREESTYLE = 0
EXACTLY_FIVE = 1
#: The bits of the rules that it lacks.
LACKING = {2: "a continuous game", 4: "renju", 8: "caro"}
#: `x,y` in a line.
POINT = re.compile(r"([0-9]{1,3})\s*,\s*([0-9]{1,3})")


def name_of_point(x: int, y: int, size: int) -> str:
    """The point as the package's gomoku writes it. Raises UsageError for one off the board."""
    if not (0 <= x < size and 0 <= y < size):
        raise UsageError(f"expected a point from 0,0 to {size - 1},{size - 1}, not {x},{y}")
    return f"{LETTERS[x]}{size - y}"


def point_of_name(name: str, size: int) -> str:
    """`x,y` of a point that it writes as `h8`."""
    return f"{LETTERS.index(name[0])},{size - int(name[1:])}"
