"""A league: champions of a run and their exploiters, and the mix of them that none of them beats.

Each time it grows, the newcomers meet everyone in it; the Nash mix of the table of win rates is what a run meets from
then on: policy-space response oracles (Lanctot et al., "A Unified Game-Theoretic Approach to Multiagent Reinforcement
Learning", NeurIPS 2017).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from evolve.deals import LEAGUE
from evolve.evaluation.arena import Arena
from evolve.evaluation.fitness import Floats, both_seats
from evolve.evaluation.mix import Mix
from rulebots.players import RulePlayer
from rulebots.rules import RuleSet, Weights
from rulebots.tournaments.nash import nash_mix

#: Mirrored deals on which each newcomer meets each member.
LEAGUE_DEALS = 200
#: So many members have a place in the table; after that the ones with the smallest shares leave, the oldest first.
MOST_MEMBERS = 40


@dataclass(frozen=True)
class League:
    """Its members' weights by name, float64[2, rules] each, and what they made of each other.

    `playing` are the names that have a place in the `table`, float64[playing, playing]: the win rate of the row's
    player against the column's. `mixes` are the shares of the members, by the generation from which they hold; a member
    of one of them is kept, because lessons of an earlier generation may be taken again. `games` is how many games it
    took, with those that bred the exploiters.
    """

    members: Mapping[str, Weights] = field(default_factory=dict)
    playing: tuple[str, ...] = ()
    table: Floats = field(default_factory=lambda: np.zeros((0, 0)))
    mixes: Mapping[int, Mapping[str, float]] = field(default_factory=dict)
    games: int = 0

    def shares_at(self, generation: int) -> Mapping[str, float]:
        """The shares of the mix that holds in a generation; empty before the first."""
        return self.mixes[max(begun)] if (begun := [g for g in self.mixes if g <= generation]) else {}

    def mix_at(self, generation: int, rules: RuleSet) -> Mix | None:
        """The mix that a generation meets; None before the first."""
        shares = self.shares_at(generation)
        players = [RulePlayer(rules, self.members[name], name) for name in shares]
        return Mix(players, list(shares.values())) if shares else None

    def joined(self, newcomers: Mapping[str, Weights], arena: Arena, rules: RuleSet, generation: int) -> League:
        """The league with newcomers, all of whom meet each other and the members; its mix holds from a generation on.

        The table's games are on deals of that generation and of no other use.
        """
        names, members = [*self.playing, *newcomers], {**self.members, **newcomers}
        table, games = _measured(
            [RulePlayer(rules, members[name], name) for name in names], self.table, arena, generation
        )
        shares = nash_mix(table)
        leaving = np.argsort(shares[: len(self.playing)], kind="stable")[: max(0, len(names) - MOST_MEMBERS)]
        stay = np.delete(np.arange(len(names)), leaving)
        mix = {name: float(share) for name, share in zip(names, shares, strict=True) if share > 0}
        mixes, playing = {**self.mixes, generation: mix}, tuple(names[i] for i in stay)
        kept = {*playing, *(name for shares in mixes.values() for name in shares)}
        return League(
            members={name: weights for name, weights in members.items() if name in kept},
            playing=playing,
            table=table[np.ix_(stay, stay)],
            mixes=mixes,
            games=self.games + games,
        )

    @property
    def exploited(self) -> float | None:
        """What the newest exploiter wins against the champion that it was bred against; None before the first."""
        return float(self.table[-1, -2]) if self.playing else None

    def state(self) -> dict[str, Any]:
        """The league as plain data."""
        return {
            "members": {name: weights.tolist() for name, weights in self.members.items()},
            "playing": list(self.playing),
            "table": self.table.tolist(),
            "mixes": {str(generation): dict(shares) for generation, shares in self.mixes.items()},
            "games": self.games,
        }

    @classmethod
    def restored(cls, state: Mapping[str, Any]) -> League:
        """The league that gave this state."""
        playing = tuple(state["playing"])
        return cls(
            members={name: np.array(weights, np.float64) for name, weights in state["members"].items()},
            playing=playing,
            table=np.array(state["table"], np.float64).reshape(len(playing), len(playing)),
            mixes={int(generation): shares for generation, shares in state["mixes"].items()},
            games=state["games"],
        )


def _measured(players: list[RulePlayer], known: Floats, arena: Arena, generation: int) -> tuple[Floats, int]:
    """The table of players of whom the first ones are known, and how many games the rest of it took."""
    count, old = len(players), len(known)
    pairs = [(first, second) for second in range(old, count) for first in range(second)]
    schedule = both_seats(pairs, LEAGUE_DEALS)
    games = arena.play(players, arena.deals(LEAGUE_DEALS, LEAGUE, generation), schedule)
    margin = np.where(games.stalled, 0, games.points[:, 0] - games.points[:, 1])
    scores = ((np.sign(margin) + 1) / 2).reshape(LEAGUE_DEALS, 2, len(pairs))  # a stalled game is half a win for both
    rates = (scores[:, 0] + 1 - scores[:, 1]).mean(axis=0) / 2
    table = np.full((count, count), 0.5)
    table[:old, :old] = known
    for (first, second), rate in zip(pairs, rates.tolist(), strict=True):
        table[first, second], table[second, first] = rate, 1 - rate
    return table, len(schedule)
