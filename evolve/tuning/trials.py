"""Trials before a long search: does the program play, repeat itself, and heed each of its parameters?

What the ends of each range score against the start gives the first steps and the forecast.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from evolve.tuning.matches import Match, Played
from evolve.tuning.parameters import Parameter, Values
from rulebots.errors import demand, listed

#: Seeds that are played twice.
SEEDS = 4
#: Pairs of each end against the start: no more than this part of the search's, within these limits; and for a parameter
#: that seems dead, as many as give a faint one a chance.
PART = 1 / 20
FEWEST = 1
MOST = 10
DEAD = 12

#: A pair to play: the sides, and the number of its seed.
Task = tuple[Values, Values, int]
#: What plays tasks, in order.
Play = Callable[[Sequence[Task]], Sequence[Played]]


@dataclass(frozen=True)
class Trials:
    """What the trials showed.

    `repeats`: the same seed gives the same result. `ends`, [d][2]: mean points of each end of each range against
    the start, over `rounds` pairs. `dead`: the parameters that changed nothing; None where results do not repeat, so
    that nobody can tell. `same`: results never depend on the seed.
    """

    repeats: bool
    same: bool
    games_a_pair: int
    seconds: float
    ends: list[list[float]]
    rounds: int
    dead: list[str] | None

    @property
    def notes(self) -> list[str]:
        """What a person should know, line by line."""
        speed = f"{self.games_a_pair / self.seconds:,.1f} games a second" if self.seconds else "more games than counted"
        unknown = "games do not repeat, so only the search can show whether each parameter changes anything"
        lines = (
            f"tried: {speed}; the same seed gave the same results, so both games of a pair share theirs"
            if self.repeats
            else f"tried: {speed}; the same seed gave other results: the games of a pair cannot share their luck",
            "WARNING: all seeds gave the same results: fresh games repeat the old ones if {seed} is ignored"
            if self.same
            else "",
            unknown if self.dead is None else f"WARNING: nothing changes with {listed(self.dead)}" if self.dead else "",
        )
        return list(filter(None, lines))


def tried(match: Match, parameters: Sequence[Parameter], play: Play, games: int) -> Trials:
    """Try a match out before a search of so many games.

    Raises:
        UsageError: a match has no result; the message says what came.
    """
    start = {one.name: one.start for one in parameters}
    first = play([(start, start, 0)])
    twice = play([(start, start, seed) for seed in range(SEEDS) for _ in range(2)])
    repeats = all(one.trace == other.trace for one, other in zip(twice[::2], twice[1::2], strict=True))
    rounds = int(np.clip(games / first[0].games * PART / (2 * len(parameters)), FEWEST, MOST))
    asked = [(place, end, seed) for place in range(len(parameters)) for end in (0, 1) for seed in range(rounds)]
    sides = [(one.value(0.0), one.value(1.0)) for one in parameters]

    def against_start(asked: Sequence[tuple[int, int, int]]) -> Sequence[Played]:
        return play([({**start, parameters[p].name: sides[p][e]}, start, seed) for p, e, seed in asked])

    began = time.perf_counter()  # by now every worker has started and compiled
    played = against_start(asked)
    seconds = (time.perf_counter() - began) / len(played)
    points = np.array([one.points for one in played]).reshape(len(parameters), 2, rounds)
    dead = None
    same = False
    if repeats:
        known = [one.trace for one in twice[::2]]

        def changed(asked: Sequence[tuple[int, int, int]], played: Sequence[Played]) -> set[int]:
            last = max((seed for _, _, seed in asked), default=0)
            known.extend(one.trace for one in play([(start, start, seed) for seed in range(len(known), last + 1)]))
            return {p for (p, _, seed), one in zip(asked, played, strict=True) if one.trace != known[seed]}

        alive = changed(asked, played)
        doubtful = [(p, end) for p in range(len(parameters)) if p not in alive for end in (0, 1)]
        more = [(p, end, seed) for p, end in doubtful for seed in range(rounds, DEAD)]
        alive |= changed(more, against_start(more))
        dead = [one.name for p, one in enumerate(parameters) if p not in alive]
        # A hopeless end loses with every seed: equals do not.
        same = (
            rounds > 1
            and len(set(known)) == 1
            and bool((np.ptp(points, axis=2) == 0).all())
            and bool((points != 0.5).any())
        )
    return Trials(repeats, same, first[0].games, seconds, points.mean(axis=2).tolist(), rounds, dead)


def refuse_dead(trials: Trials) -> None:
    """Raise UsageError where a parameter is dead."""
    demand(
        not trials.dead,
        f"nothing changes with {listed(trials.dead or [])}: {DEAD} pairs of games from both ends of each range went as "
        "those from the start; see whether the program reads it, leave it out, or go on with --keep-dead",
    )
