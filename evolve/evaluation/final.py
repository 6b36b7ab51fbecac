"""The end of a run: the run-off for the champion, matches on fresh deals, and sequential verdicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from evolve.evaluation.arena import Arena
from evolve.schedules import HELD_OUT, RUNOFF, VERDICT
from rulebots.play.match import sprt_result
from rulebots.play.results import Games, MatchResult, joined, match_result
from rulebots.players import Player, RulePlayer, decides_by_rules
from rulebots.ratings import Sprt

#: H0: not stronger; H1: stronger by 10 Elo; each error has a probability of at most 1/20.
TEST = Sprt(elo0=0.0, elo1=10.0, alpha=0.05, beta=0.05)
#: Deals between two evaluations of the test.
STEP = 500
_WORDS = {"H1": "better", "H0": "not better", "undecided": "undecided"}
#: Decimals beyond which a difference of mean scores is rounding.
ROUNDED = 12
#: What a verdict says where the champion is that player.
SAME = "the same"
#: Which player the second verdict is on.
BEGAN_FROM = "the player that the run began from,"


@dataclass(frozen=True)
class Verdict:
    """What the test `says` of the champion after some games: "better", "not better" or "undecided".

    `former` is the other player's name, and `who` introduces it. `distinct_deals` of the deals, each from every seat,
    were not played alike; too few of them decide nothing.
    """

    former: str
    says: str
    games: int
    win_rate: float
    distinct_deals: int
    who: str = "the shipped player"
    deals: int = 0

    @property
    def sentence(self) -> str:
        """The verdict in words."""
        if self.says == SAME:
            return f"the champion is {self.who} '{self.former}'"
        alike = ""
        if self.distinct_deals < self.deals:
            alike = f"; distinct deals: {self.distinct_deals:,} of {self.deals:,}"
        against = f"{self.who} '{self.former}' ({self.win_rate:.1%} of {self.games:,} games{alike})"
        if self.says == "undecided":
            return f"undecided whether the champion is better than {against}"
        return f"the champion is {'better' if self.says == 'better' else 'NOT better'} than {against}"


@dataclass(frozen=True)
class Measured:
    """What fresh deals say of a champion.

    `held_out` is a match against each reference player, the hand-tuned one first, and against each player of the file
    that the run began from; with each partner, one against a team of that partner. `fame` is one against each member of
    the hall of fame, by generation. `training` is the score, 0 to 1, of the last generation's best player in its
    training games, `fresh` the champion's against the same opponents on fresh deals, `even` that of equals. It is a win
    rate but at tables of more than two, where the player sat `alone` among copies of an opponent; there `training` is
    None without opponents. `verdict` is on the former champion, `on_start` on the first player of the file that the
    run began from, if there was one and it is not the former champion.
    """

    held_out: dict[str, MatchResult]
    training: float | None
    fresh: float
    even: float
    alone: bool
    verdict: Verdict
    fame: dict[int, MatchResult] = field(default_factory=dict)
    on_start: Verdict | None = None

    @property
    def gap(self) -> float | None:
        """How much training flattered: its score minus the one on fresh deals."""
        return None if self.training is None else self.training - self.fresh


def run_off(arena: Arena, candidates: Sequence[RulePlayer], references: Sequence[Player]) -> list[int]:
    """The order of the candidates, best first, by games that training never saw.

    They meet each other and all reference players on the same deals; wins and margins decide.
    """
    settings, count = arena.settings, len(candidates)
    schedule = arena.everyone(count, len(references), settings.runoff_deals)
    deals = arena.deals(settings.runoff_deals, RUNOFF)
    tally = arena.measure([*candidates, *references], count, deals, schedule, settings.margin_cap)
    return [int(i) for i in np.argsort(-tally.strength(settings.margin), kind="stable")]


def measure(
    arena: Arena,
    champion: RulePlayer,
    references: Mapping[str, Player],
    faced: Sequence[Player],
    former: Player,
    hall: Mapping[int, Player],
    training: float | None,
    starters: Mapping[str, RulePlayer],
) -> Measured:
    """Matches on deals that decided nothing; `faced` are the opponents that the champion met in training.

    `starters` are the players that the run began from, if those were a file's, best first.
    """
    settings = arena.settings
    deals = arena.deals(settings.held_out_deals, HELD_OUT)
    others = {**references, **{name: one for name, one in starters.items() if not same(one, champion)}}
    schedule = arena.against(1, len(faced), max(1, settings.held_out_deals // len(faced)))
    matches = {name: arena.match(champion, other, deals) for name, other in others.items()}
    beside = {f"with {one.name}": arena.with_partner(champion, one, deals) for one in arena.partners}
    return Measured(
        held_out=matches | beside,
        training=training,
        fresh=float(arena.measure([champion, *faced], 1, deals, schedule).win_rate[0]),
        even=arena.even,
        alone=arena.seats > 2 and not arena.together,
        verdict=verdict(arena, champion, former, settings.verdict_deals),
        fame={generation: arena.match(champion, member, deals) for generation, member in hall.items()},
        on_start=_on_start(arena, champion, former, next(iter(starters.values()), None)),
    )


def best_of(arena: Arena, champion: RulePlayer, begun: Sequence[RulePlayer]) -> RulePlayer:
    """The winner of the run-off, or one of the players that the run began from where that beats it on fresh deals.

    The run-off's winner was the luckiest of many on those deals; so each meets it on others, until a test decides.
    """
    for number, player in enumerate(begun):
        if not same(champion, player):
            result, _ = _tested(arena, champion, player, arena.settings.verdict_deals, number)
            champion = player if is_behind(result) else champion
    return champion


def is_behind(result: MatchResult) -> bool:
    """Whether the second player scored more than the first; nobody scores a stalled game."""
    return round(result.opponent_rate - result.win_rate, ROUNDED) > 0


def verdict(
    arena: Arena, champion: Player, former: Player, most_deals: int, *number: int, test: Sprt = TEST
) -> Verdict:
    """Let them play until the test decides, or until `most_deals` are played, each from every seat.

    Tests of different `number` are on different deals.
    """
    result, accepted = _tested(arena, champion, former, most_deals, *number, test=test)
    says = _WORDS[accepted]
    return Verdict(former.name, says, result.games, result.win_rate, result.distinct_deals, deals=result.deals)


def _tested(
    arena: Arena, champion: Player, former: Player, most_deals: int, *number: int, test: Sprt = TEST
) -> tuple[MatchResult, str]:
    """The result when the test decided, and the hypothesis that it accepted. Each step is on further deals."""
    steps: list[Games] = []
    deals, accepted = 0, "undecided"
    while deals < most_deals and accepted == "undecided":
        count = min(STEP, most_deals - deals)
        drawn = arena.deals(count, VERDICT, *number, len(steps))
        schedule = arena.teams(2, count) if arena.together else arena.mirrored(count)
        steps.append(arena.play([champion, former], drawn, schedule))
        result = match_result(joined(steps), arena.game)
        deals, accepted = result.deals, sprt_result(test, result).accepted
    return result, accepted


def _on_start(arena: Arena, champion: RulePlayer, former: Player, start: RulePlayer | None) -> Verdict | None:
    """The verdict on the player that the run began from; None where that is the former champion, or there is none."""
    if start is None or same(start, former):
        return None
    if same(start, champion):
        return Verdict(start.name, SAME, 0, 0.5, 0, BEGAN_FROM)
    return replace(verdict(arena, champion, start, arena.settings.verdict_deals), who=BEGAN_FROM)


def same(player: RulePlayer, other: Player) -> bool:
    """Whether two players weigh the same rules alike."""
    return decides_by_rules(other) and other.rules is player.rules and np.array_equal(other.weights, player.weights)
