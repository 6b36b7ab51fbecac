"""Is the champion better than the former one? A sequential test, on deals of no other use."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evolve.deals import VERDICT
from evolve.evaluation.arena import Arena
from rulebots.play.match import mirrored
from rulebots.play.results import deal_scores
from rulebots.players import Player
from rulebots.ratings import Sprt, pentanomial

#: H0: not stronger; H1: stronger by 10 Elo; each error has a probability of at most 1/20.
TEST = Sprt(elo0=0.0, elo1=10.0, alpha=0.05, beta=0.05)
#: Deals between two evaluations of the test.
STEP = 500
_WORDS = {"H1": "better", "H0": "not better", "undecided": "undecided"}


@dataclass(frozen=True)
class Verdict:
    """What the test `says` of the champion: "better", "not better" or "undecided", after how many games."""

    former: str
    says: str
    games: int
    win_rate: float

    @property
    def sentence(self) -> str:
        """The verdict in words."""
        against = f"the shipped player '{self.former}' ({self.win_rate:.1%} of {self.games:,} games)"
        if self.says == "better":
            return f"the champion is better than {against}"
        if self.says == "not better":
            return f"the champion is NOT better than {against}"
        return f"undecided whether the champion is better than {against}"


def verdict(arena: Arena, champion: Player, former: Player, most_deals: int) -> Verdict:
    """Let them play until the test decides, or until `most_deals` are played, each from both seats."""
    scores = np.zeros(0)
    found, part = "undecided", 0
    while len(scores) < most_deals and found == "undecided":
        count = min(STEP, most_deals - len(scores))
        games = arena.play([champion, former], arena.deals(count, VERDICT, part), mirrored(count))
        scores = np.concatenate([scores, deal_scores(games, stalled=0.0)])
        found, part = TEST.verdict(pentanomial(scores)), part + 1
    return Verdict(former.name, _WORDS[found], 2 * len(scores), float(scores.mean()))
