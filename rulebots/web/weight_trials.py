"""Trials of changed weights: the changed player and the one in the file play the same deals."""

from __future__ import annotations

import time
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from rulebots.game.position import Position
from rulebots.game.random_numbers import rng_of
from rulebots.play.background import BackgroundWork
from rulebots.play.deals import Deals, DealStream, opening_plies_of
from rulebots.play.match import REPEATING, play_deals
from rulebots.play.results import Games, MatchResult, joined, match_result
from rulebots.play.stepper import Stepper
from rulebots.players import CompiledPlayer, RulePlayer
from rulebots.players.compiled import is_compiled
from rulebots.players.explaining import explain
from rulebots.players.sentences import deeds_of, words_of
from rulebots.ratings import Sprt, paired_interval
from rulebots.web.pages import NUMBERED

#: Deals of a block, each played from both seats, at first, then 1 / SHARE of those played; the result is shown after
#: each block. The most of a trial, all of whose games are in memory.
BLOCK = 50
SHARE = 4
MOST_DEALS = 10_000
#: Seconds of games after which an undecided trial waits for somebody to say Play on.
SECONDS = 8.0
#: Better and worse by 3 of 100 games or more: `verdict_on_gains` halves gains, so the Elo is that of half of it.
TEST = Sprt(elo0=0.0, elo1=10.0, beta=0.05)
#: The risk of a session that any verdict of its trials, "better" or "worse", is false.
RISK = 0.05
#: The opponent that is the player as it stands in its file.
UNCHANGED = "unchanged"
UNDECIDED = "undecided"
#: Positions in which the changed player moves differently: games searched, positions kept, and seconds.
GAMES = 200
MOST_DIFFERENCES = 8
SEARCHING = 3.0


@dataclass(frozen=True)
class Difference:
    """A position of the game of a `seed` in which the changed player moves differently.

    `deeds` are both moves in words: what it did before, and what it does now. `reason` is what the rule says of the new
    move whose term in the difference of the two grew most.
    """

    seed: int
    position: Position
    before: int
    after: int
    deeds: Sequence[str]
    reason: str


@dataclass(frozen=True)
class TrialResult:
    """The results of old and new weights against one opponent, and the change with its 95 % interval.

    The change is one of the win rate, or where points count of the lead in points a game; in a game played together,
    that is of the points. Both played the same deals, so the interval is that of differences deal by deal. `says` is
    what tests of better and of worse say together, which stay valid though somebody looks after each block. They look
    for changes of 3 % of a `unit`: a game, or where points count three standard deviations of a deal's change.
    """

    old: MatchResult
    new: MatchResult
    change: float
    change_95: tuple[float, float]
    says: str
    unit: float

    @classmethod
    def of(cls, test: Sprt, old: MatchResult, new: MatchResult) -> TrialResult:
        """The result of two matches."""
        gains = new.margins - old.margins if new.in_points else new.scores - old.scores
        unit = new.in_points * 3 * float(gains.std()) or 1.0
        effective = min(old.effective_deals, new.effective_deals)
        better, worse = (test.verdict_on_gains(sign * gains / unit, effective) for sign in (1, -1))
        alike = "no difference" if better == worse == "H0" else UNDECIDED
        says = "better" if better == "H1" else "worse" if worse == "H1" else alike
        low, high = paired_interval(gains / unit, effective)
        return cls(old, new, float(gains.mean()), (unit * low, unit * high), says, unit)

    @property
    def too_few(self) -> bool:
        """Whether nearly all games were copies of a few."""
        return self.old.too_few or self.new.too_few


@dataclass
class WeightTrial(BackgroundWork):
    """A trial of a change: the changed player and the one in the file meet the same opponents on the same deals.

    The deals are those of a `seed` of its own: who tries many weights on the same ones finds those that suit these
    deals. `results` are those so far of the old and the new weights against each opponent. `differences` are positions
    in which the two move differently.
    """

    old: RulePlayer
    new: RulePlayer
    opponents: Sequence[CompiledPlayer]
    seed: int
    #: Which attempt of its session it is, from 1 on: the luckiest of many looks better than it is.
    number: int = 1
    results: dict[str, TrialResult] = field(default_factory=dict)
    differences: list[Difference] = field(default_factory=list)
    #: Positions in which both were asked.
    compared: int = 0

    def __post_init__(self) -> None:
        self._deals = DealStream(self.old.game, self.seed)
        self._games = dict[tuple[str, bool], Games]()
        self.deals = 0

    @property
    def unchanged(self) -> bool:
        """Whether both have the same weights, so that there is nothing to play for."""
        return np.array_equal(self.old.weights, self.new.weights)

    def stands_for(self, other: WeightTrial) -> bool:
        """Whether another trial asks what this one answers, or is answering: same weights, same opponents."""
        asked, of_other = ([*map(play_of, (one.old, one.new, *one.opponents))] for one in (self, other))
        return asked == of_other and not self.fault and bool(self.results or not self.stopped)

    @property
    def outweighing(self) -> list[str]:
        """The rules, in words, that the change makes weigh more than all others together."""
        old, new = (np.abs(player.weights).max(axis=0) for player in (self.old, self.new))
        weighed = zip(self.new.rules.rules, old, new, strict=True)
        return [rule.words for rule, was, now in weighed if now > max(was, new.sum() - now)]

    @property
    def open(self) -> bool:
        """Whether more games may decide what is undecided so far."""
        repeating = self.deals >= REPEATING
        return (
            not self.fault
            and self.deals < MOST_DEALS
            and any(one.says == UNDECIDED and not (one.too_few and repeating) for one in self.results.values())
        )

    @property
    def test(self) -> Sprt:
        """The test of one of its verdicts. The risks of a session's verdicts, however many, add up to RISK."""
        return replace(TEST, alpha=RISK / (self.number * (self.number + 1)) / (2 * len(self.opponents)))

    def work(self) -> None:
        """Play both against each opponent, block by block; then look for positions in which they move differently."""
        end = float("inf")
        if self.unchanged:
            return
        while not self.stopped and (self.open or not self.deals) and time.monotonic() < end:
            count = max(BLOCK, self.deals // SHARE)
            drawn = self._deals.take(count)
            for opponent in self.opponents:
                decided = opponent.name in self.results and self.results[opponent.name].says != UNDECIDED
                if self.stopped or decided:
                    continue
                self.results[opponent.name] = TrialResult.of(
                    self.test,
                    *(
                        match_result(self._played(player, opponent, drawn), self.old.game)
                        for player in (self.old, self.new)
                    ),
                )
                self.version += 1
            if end == float("inf"):  # the first block may have waited for the compiler
                end = time.monotonic() + SECONDS
            self.deals += count
        if not self.differences:
            self._compare()

    def _played(self, player: RulePlayer, opponent: CompiledPlayer, drawn: Deals) -> Games:
        """All games so far of a match, with those on further deals."""
        key = opponent.name, player is self.new
        games = play_deals(player, opponent, drawn)
        self._games[key] = joined([self._games[key], games]) if key in self._games else games
        return self._games[key]

    def _compare(self) -> None:
        """Find the first position of each game in which the new player moves differently.

        The old player plays against the opponents, after the random moves that games of a match begin with.
        """
        end = float("inf")
        self.compared = 0
        game = self.old.game
        opening = opening_plies_of(game, game.option_values())
        for seed in range(1, GAMES + 1):
            opponent = self.opponents[seed % len(self.opponents)]
            position = Position(game, seed=seed)
            rng = rng_of(seed)
            for mover in Stepper(position, int(rng.integers(1, 2**32))).decisions():
                if self.stopped or len(self.differences) == MOST_DIFFERENCES or time.monotonic() > end:
                    return
                if position.plies < opening:
                    position.play(int(rng.choice(position.legal_moves)), chosen=False)
                    continue
                if mover != seed % position.seats:
                    position.play(opponent.decide(position))
                    continue
                self.compared += 1
                before = self.old.decide(position)
                after = self.new.decide(position)
                if self.compared == 1:  # what is compiled for the first position takes none of the time
                    end = time.monotonic() + SEARCHING
                if before != after:
                    self.differences.append(self._difference(seed, position.copy(), before, after))
                    self.version += 1
                    break
                position.play(before)

    def _difference(self, seed: int, position: Position, before: int, after: int) -> Difference:
        [doing] = deeds_of(position, [before], NUMBERED, doing=True)
        was, now = (
            {term.rule.key: term for term in explain(player, position).between(after, before)}
            for player in (self.old, self.new)
        )
        amounts = {
            key: sum(sign * terms[key].amount for sign, terms in ((1, now), (-1, was)) if key in terms)
            for key in {**was, **now}
        }
        key = max(amounts, key=amounts.__getitem__)
        return Difference(
            seed, position, before, after, deeds_of(position, [before, after], NUMBERED),
            words_of(now.get(key) or was[key], "it", doing, whole=True, asked=True),
        )  # fmt: skip


def play_of(player: CompiledPlayer) -> Hashable:
    """What decides the moves of a player: two names of one player have the same."""
    return (player.style, player.weights.tobytes()) if is_compiled(player) else player.name
