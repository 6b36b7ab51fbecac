"""A player's clock: so many seconds a move, so many for all moves of a game."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from rulebots.kernel.time_limit import check_seconds

#: Seconds that a message may travel, beyond what the player may think: nobody loses by what the system does.
LAG = 0.1


@dataclass
class Clock:
    """The clock of one seat in one game. None is any time.

    Raises:
        UsageError: a limit that is none.
    """

    move_seconds: float | None = None
    game_seconds: float | None = None
    #: Seconds that all decisions of the game have taken.
    used: float = 0.0
    _since: float = field(default=0.0, repr=False)

    def __post_init__(self) -> None:
        check_seconds(self.move_seconds)
        check_seconds(self.game_seconds)

    @property
    def left(self) -> float | None:
        """Seconds that are left of the game's, not below 0."""
        return None if self.game_seconds is None else max(0.0, self.game_seconds - self.used)

    @property
    def allowed(self) -> float | None:
        """Seconds that the next decision may take; None for any time."""
        return min((limit for limit in (self.move_seconds, self.left) if limit is not None), default=None)

    def start(self) -> float | None:
        """A decision begins: the moment, as `time.monotonic` counts, after which its answer is too late.

        Where nothing is left of the game's time, that is now.
        """
        self._since, allowed = time.monotonic(), self.allowed
        return None if allowed is None else self._since + allowed + (LAG if allowed > 0 else 0)

    def stop(self) -> float:
        """The decision has been made: the seconds that it took, which are used up."""
        took = time.monotonic() - self._since
        self.used += took
        return took
