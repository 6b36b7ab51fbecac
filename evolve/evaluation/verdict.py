"""Is the champion better than another player? A sequential test, on deals of no other use."""

from __future__ import annotations

from dataclasses import dataclass

from evolve.deals import VERDICT
from evolve.evaluation.arena import Arena
from evolve.workers.base import concatenated
from rulebots.play.match import mirrored
from rulebots.play.open_ended import sprt_result
from rulebots.play.results import Games, match_result
from rulebots.players import Player
from rulebots.ratings import Sprt

#: H0: not stronger; H1: stronger by 10 Elo; each error has a probability of at most 1/20.
TEST = Sprt(elo0=0.0, elo1=10.0, alpha=0.05, beta=0.05)
#: Deals between two evaluations of the test.
STEP = 500
_WORDS = {"H1": "better", "H0": "not better", "undecided": "undecided"}
#: What a verdict says where the champion is that player.
SAME = "the same"


@dataclass(frozen=True)
class Verdict:
    """What the test `says` of the champion: "better", "not better" or "undecided", after how many games.

    `former` is the other player's name, and `who` says in words which player that is. Of the deals, from both seats
    each, `distinct_deals` were not played alike; too few of them decide nothing.
    """

    former: str
    says: str
    games: int
    win_rate: float
    distinct_deals: int
    who: str = "the shipped player"

    @property
    def sentence(self) -> str:
        """The verdict in words."""
        if self.says == SAME:
            return f"the champion is {self.who} '{self.former}'"
        deals = self.games // 2
        alike = f"; distinct deals: {self.distinct_deals:,} of {deals:,}" if self.distinct_deals < deals else ""
        against = f"{self.who} '{self.former}' ({self.win_rate:.1%} of {self.games:,} games{alike})"
        if self.says == "better":
            return f"the champion is better than {against}"
        if self.says == "not better":
            return f"the champion is NOT better than {against}"
        return f"undecided whether the champion is better than {against}"


def verdict(
    arena: Arena, champion: Player, former: Player, most_deals: int, *number: int, test: Sprt = TEST
) -> Verdict:
    """Let them play until the test decides, or until `most_deals` are played, each from both seats.

    Tests of different `number` are on different deals.
    """
    played: list[Games] = []
    deals, found = 0, "undecided"
    while deals < most_deals and found == "undecided":
        count = min(STEP, most_deals - deals)
        drawn = arena.deals(count, VERDICT, *number, len(played))
        played.append(arena.play([champion, former], drawn, mirrored(count)))
        result = match_result(concatenated(played))
        deals, found = result.deals, sprt_result(test, result).accepted
    return Verdict(former.name, _WORDS[found], result.games, result.win_rate, result.distinct_deals)
