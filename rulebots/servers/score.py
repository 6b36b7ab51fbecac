"""The games that one side of a conversation has played, in a line."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field


@dataclass
class Score:
    """The games of a server or a client so far, as one side has played them."""

    won: int = 0
    lost: int = 0
    drawn: int = 0
    stalled: int = 0
    faults: int = 0
    #: Games that went on when we ended, or that a bug of ours has ended; they count for nobody.
    cut_off: int = 0
    points: Counter[str] = field(default_factory=Counter)

    def count(self, mine: int, other: int, *, stalled: bool = False, fault: bool = False) -> None:
        """Another game; a fault has decided it already in the points."""
        self.stalled += stalled
        self.faults += fault
        self.won += mine > other and not stalled
        self.lost += mine < other and not stalled
        self.drawn += mine == other and not stalled
        self.points["mine"] += mine
        self.points["other"] += other

    @property
    def games(self) -> int:
        """How many there were."""
        return self.won + self.lost + self.drawn + self.stalled

    def line(self, name: str) -> str:
        """The score in a line: `champion: 12 won, 7 lost, 1 drawn of 20 games; 31.2 to 20.4 points a game`."""
        if not self.games:
            return f"no game was played{self._rest}"
        mine, other = (self.points[side] / self.games for side in ("mine", "other"))
        more = [f"{count:,} {what}" for count, what in ((self.stalled, "stalled"), (self.faults, "by fault")) if count]
        line = f"{name}: {self.won:,} won, {self.lost:,} lost, {self.drawn:,} drawn{''.join(f', {m}' for m in more)}"
        points = f"{mine:.1f} to {other:.1f} points a game"
        return f"{line} of {self.games:,} game{'s' * (self.games > 1)}; {points}{self._rest}"

    @property
    def _rest(self) -> str:
        return f"; {self.cut_off:,} {'was' if self.cut_off == 1 else 'were'} cut off" if self.cut_off else ""
