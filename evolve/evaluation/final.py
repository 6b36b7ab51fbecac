"""The end of a run: the run-off for the champion, matches on fresh deals, and sequential verdicts."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from evolve.evaluation.arena import Arena
from evolve.schedules import HELD_OUT, IDLING, RUNOFF, VERDICT
from evolve.settings import HAND_TUNED
from rulebots.game import Floats
from rulebots.play.match import decided, next_block, sprt_result, unless_repeating
from rulebots.play.results import Contests, Games, Interval, MatchResult, contests_of, joined, match_result
from rulebots.players import Player, RulePlayer, decides_by_rules
from rulebots.ratings import FEWEST_DEALS, Sprt, elo, expected_score, margin_interval, win_rate_interval

#: H0: not stronger; H1: stronger by 10 Elo; each error has a probability of at most 1/20.
TEST = Sprt(elo0=0.0, elo1=10.0, alpha=0.05, beta=0.05)
#: What each step of the end may cost, as a share of the run's games.
SHARE = 0.1
#: The fewest deals of a match or a test, whatever they cost: with a few copies among them enough for an interval.
FEWEST = 30
#: The fewest of the run-off: in it everyone meets many.
FEWEST_OF_RUNOFF = 4
#: The most deals with which rules are found that do nothing.
IDLING_DEALS = 100
#: A champion that scores this much less than its figure against the hand-tuned player promises is clearly weaker.
CLEARLY = 0.05
#: A former champion is compared to tell whether a run still gained if it is older than this share of the generations.
PAST = 0.75
#: Fewer generations than these tell nothing of more.
SHORT = 10
#: Half the width of an interval that is too wide to call a run flat, or worse.
VAGUE = 0.075
#: How `trend` begins where more generations should help.
RISING = "still rising"
#: How it begins where these games do not tell.
OPEN = "undecided"
#: A champion that is not better, and whose interval begins at this per cent or above, is about even in words.
EVEN = 45.0
_WORDS = {"H1": "better", "H0": "not better", "undecided": "undecided"}
#: How a sentence says these names and verdicts.
_IN_WORDS = {
    "champion": "the shipped champion",
    HAND_TUNED: "the rules' own weights",
    "not better": "no better",
    "undecided": "not shown to be better",
}
#: Decimals beyond which a difference of mean scores is rounding.
ROUNDED = 12
#: What a verdict says where the champion is that player.
SAME = "the same"
#: Which player the first verdict is on.
BEGAN_FROM = "its start,"


@dataclass(frozen=True)
class Verdict:
    """What the test `says` of the champion after some games: "better", "not better", "worse" or "undecided".

    Where the 95 % interval excludes equal strength, it is better or worse even if the test has not decided, and not
    better where it excludes the lead of H1.

    `former` is the other player's name, and `who` introduces it. `distinct_deals` of the deals, each from every seat,
    were not played alike; too few of them decide nothing. `margin` is the champion's lead in points a game where points
    count (see `gains`), with `margin_95`, else None. `win_rate_95` is None there, too. Both intervals are None where
    there are too few deals; where every deal was even (`level`), the sentence leaves them out.
    """

    former: str
    says: str
    games: int
    win_rate: float
    distinct_deals: int
    who: str = "the shipped player"
    deals: int = 0
    margin: float | None = None
    win_rate_95: Interval | None = None
    margin_95: Interval | None = None
    level: bool = False

    @property
    def sentence(self) -> str:
        """The verdict in words."""
        rival = _IN_WORDS.get(self.former, f"{self.who} '{self.former}'")
        if self.who == BEGAN_FROM and self.former in _IN_WORDS:
            rival = f"{BEGAN_FROM} {rival}"
        if self.says == SAME:
            return f"the champion is {rival}"
        alike = f"; {self.distinct_deals:,} of {self.deals:,} deals different" * (self.distinct_deals < self.deals)
        even = self.says == "not better" and self.win_rate_95 and 100 * self.win_rate_95[0] >= EVEN
        than = "about even with" if even else f"{_IN_WORDS.get(self.says, self.says)} than"
        figure = f"{100 * self.win_rate:.1f} % of {self.games:,} games"
        if self.margin is not None:
            figure = f"in its place {self.margin:+.2f} points a game, in {self.games:,} games"
        ends = self.margin_95 or [100 * end for end in self.win_rate_95 or ()]
        form = "; 95 %: {:+.2f} to {:+.2f}" if self.margin_95 else "; 95 %: {:.1f} to {:.1f}"
        around = "; every deal even" if self.level else form.format(*ends) if ends else ""
        return f"the champion is {than} {rival} ({figure}{around}{alike})"


@dataclass(frozen=True)
class Standing:
    """The `mean` win rate against some `players`, each counting alike, or the lead in points a game if these count.

    `mean_95` are the ends of its 95 % interval, None where there are too few deals.
    """

    players: tuple[str, ...]
    mean: float
    mean_95: Interval | None
    in_points: bool = False


@dataclass(frozen=True)
class Measured:
    """What fresh deals say of a champion.

    `held_out` is a match against each reference player, the hand-tuned one first, the shipped champion, each player of
    the file that the run began from and former champions of the run, but none against itself; with each partner, one
    against a team of that partner.

    Players that are `judged` have a verdict from other games, or in their place, which is shown instead of the match.

    `standing` is the mean over the field: the hand-tuned player and all that are no reference players.
    `specialist` is a sentence, "" unless the champion is one. `idle` are the rules that changed none of its moves in
    `idle_games`, by `group.rule`.

    `training` is the score, 0 to 1, of the last generation's best player in its training games, `fresh` the champion's
    against the same opponents on fresh deals, with `fresh_95` where that is known, `even` that of equals. It is a win
    rate but at tables of more than two, where the player sat `alone` among copies of an opponent, without an interval;
    there `training` is None without opponents, and everywhere of an old player. `verdict` is on the former champion,
    `on_start` on the best player that the run began from.
    """

    held_out: dict[str, MatchResult]
    training: float | None
    fresh: float
    even: float
    alone: bool
    verdict: Verdict
    on_start: Verdict | None = None
    standing: Standing | None = None
    specialist: str = ""
    idle: tuple[str, ...] = ()
    idle_games: int = 0
    judged: Collection[str] = ()
    fresh_95: Interval | None = None

    @property
    def gap(self) -> float | None:
        """How much training flattered: its score minus the one on fresh deals."""
        return None if self.training is None else self.training - self.fresh

    @property
    def table(self) -> dict[str, MatchResult]:
        """The matches that are shown: of a player that was measured twice, the verdict alone is."""
        return {name: match for name, match in self.held_out.items() if name not in self.judged}

    @property
    def sentences(self) -> list[str]:
        """Whether the champion is better than what the run began with; then than the former champion."""
        told = {one.former: one.sentence for one in (self.verdict, self.on_start) if one}
        return [*reversed(told.values())]


@dataclass(frozen=True)
class Rivals:
    """Whom a champion meets at the end of a run.

    `references` are the reference players by name, the hand-tuned one first, `former` the shipped champion, or one of
    them. `faced` are the opponents that it met in training, `earlier` former champions of the run by name, `starters`
    the players that the run began from, best first.
    """

    references: Mapping[str, Player]
    former: Player
    faced: Sequence[Player]
    earlier: Mapping[str, Player] = field(default_factory=dict)
    starters: Mapping[str, RulePlayer] = field(default_factory=dict)


def affordable(arena: Arena, name: str, games: int, a_deal: int, fewest: int = FEWEST) -> int:
    """The deals of a step at the end of a run of so many games, which takes `a_deal` games on each.

    They are those of the setting `name`; unless the user chose that, `fewest` or more that cost at most SHARE.
    """
    most: int = getattr(arena.settings, name)
    return most if name in arena.settings.chosen() else min(most, max(fewest, int(SHARE * games / a_deal)))


def run_off(
    arena: Arena, candidates: Sequence[RulePlayer], references: Sequence[Player], games: int, *, among: bool = True
) -> list[int]:
    """The order of the candidates of a run of so many games, best first, by games that training never saw.

    They meet all reference players on the same deals, and `among` themselves; wins and margins decide.
    """
    settings, count = arena.settings, len(candidates)
    meet = arena.everyone if among else arena.against
    runoff_deals = affordable(arena, "runoff_deals", games, len(meet(count, len(references), 1)), FEWEST_OF_RUNOFF)
    schedule = meet(count, len(references), runoff_deals)
    tally = arena.measure(
        [*candidates, *references], count, arena.deals(runoff_deals, RUNOFF), schedule, settings.margin_cap
    )
    return [int(i) for i in np.argsort(-tally.strength(settings.margin), kind="stable")]


def measure(arena: Arena, champion: RulePlayer, rivals: Rivals, training: float | None, games: int) -> Measured:
    """Matches on deals that decided nothing, after a run of so many games."""
    apart: dict[str, Player] = dict(rivals.starters)
    if rivals.former not in rivals.references.values():
        apart[f"shipped {rivals.former.name}"] = rivals.former
    apart |= rivals.earlier
    others = {name: one for name, one in {**rivals.references, **apart}.items() if not same(champion, one)}
    tuned, hand_tuned = next(iter(others.items()))
    matches = 2 * len(others) + len(arena.partners)
    held_out_deals = affordable(arena, "held_out_deals", games, matches * len(arena.mirrored(1)))
    verdict_deals = affordable(arena, "verdict_deals", games, len(arena.mirrored(1)))
    deals = arena.deals(held_out_deals, HELD_OUT)
    few = max(1, held_out_deals // len(rivals.faced))
    alone = arena.seats > 2 and not arena.together
    mirrored = arena.mirrored(held_out_deals)
    games_of = {name: [arena.play([champion, other], deals, mirrored)] for name, other in others.items()}
    held_out = {name: match_result(steps[0], arena.game) for name, steps in games_of.items()}
    theirs = {name: arena.match(one, hand_tuned, deals) for name, one in others.items() if name != tuned}
    if alone or arena.partners:  # among copies, or with partners: of these deals no interval is known
        schedule = arena.against(1, len(rivals.faced), few)
        met = Standing((), float(arena.measure([champion, *rivals.faced], 1, deals, schedule).win_rate[0]), None)
    else:
        faced = (arena.play([champion, one], deals, arena.mirrored(few)) for one in rivals.faced)
        met = standing({f"{i}": replace(match_result(one, arena.game), in_points=False) for i, one in enumerate(faced)})
    idle, idle_games = idle_rules(arena, champion, games)
    # Tests go on from these games, and the table has all of theirs: one figure of a match, not two.
    alike = not arena.partners if arena.together else not arena.in_points
    go_on = verdict_deals >= held_out_deals and alike
    start = next(iter(rivals.starters.values()), None)
    judged = () if go_on else (rivals.former, start)
    steps_of = {id(other): games_of[name] for name, other in others.items() if go_on}
    on_former = verdict(arena, champion, rivals.former, verdict_deals, steps=steps_of.get(id(rivals.former)))
    on_start = None
    if start is not None:
        on_start = (
            replace(on_former, former=start.name)
            if same(start, rivals.former)
            else verdict(arena, champion, start, verdict_deals, steps=steps_of.get(id(start)))
        )
        on_start = replace(on_start, who=BEGAN_FROM)
    table = {name: match_result(joined(steps), arena.game) for name, steps in games_of.items()}
    return Measured(
        held_out=table | {f"with {one.name}": arena.with_partner(champion, one, deals) for one in arena.partners},
        training=training,
        fresh=met.mean,
        fresh_95=met.mean_95,
        even=arena.even,
        alone=alone,
        verdict=on_former,
        on_start=on_start,
        standing=standing({name: held_out[name] for name in others if name == tuned or name in apart}),
        specialist="" if arena.together else specialist(tuned, held_out, theirs, rivals.earlier),
        idle=idle,
        idle_games=idle_games,
        judged=[name for name, other in others.items() if other in judged],
    )


def standing(matches: Mapping[str, MatchResult]) -> Standing:
    """The mean over matches on the same deals, by the name of the opponent."""
    results = list(matches.values())
    in_points = results[0].in_points
    of_deals = np.mean([match.margins if in_points else match.scores for match in results], axis=0)
    effective = min(match.effective_deals for match in results)
    around = (
        margin_interval(of_deals, effective)
        if in_points
        else win_rate_interval(of_deals, effective, sum(match.games / match.deals for match in results))
    )
    known = effective >= FEWEST_DEALS and math.isfinite(around[0])
    return Standing(tuple(matches), float(of_deals.mean()), around if known else None, in_points)


def specialist(
    tuned: str, matches: Mapping[str, MatchResult], theirs: Mapping[str, MatchResult], earlier: Collection[str]
) -> str:
    """A sentence on a champion that is a specialist against the hand-tuned player `tuned`; "" where none is shown.

    `matches` are the champion's by opponent, `theirs` what some of these opponents do against the hand-tuned player. An
    interval has to show that it loses to one of the `earlier` generations or, where points do not count, that it is
    clearly weaker against an opponent than both figures against the hand-tuned player promise, on the scale of Elo.
    """
    against = matches[tuned]
    least, _ = _ends(against)
    sentences = {}
    for name, other in theirs.items():
        _, high = _ends(matches[name])
        lost = name in earlier and high < _even(other)
        promised = -math.inf if other.in_points else expected_score(elo(least) - elo(_ends(other)[1]))
        if high < least and (lost or high < promised - CLEARLY):
            sentences[high] = (
                f"a specialist: the champion scores {figure(against)} against {tuned}, but {figure(matches[name])} "
                f"against {'its own ' * (name in earlier)}{name}"
                + ("" if lost else f", where that promises {100 * promised:.1f} % or more")
            )
    return sentences[min(sentences)] if sentences else ""


def trend(matches: Mapping[int, MatchResult], generations: int, left: int = 0, bred_in: int | None = None) -> str:
    """Whether a run of so many generations still gained at its end, and what to do; "" where nothing tells.

    `matches` are the champion's against former champions of the run, by generation. `left` generations were not bred.
    The champion is of generation `bred_in`, None for the last: later ones were no better, however far it leads earlier
    ones.
    """
    bred_in = bred_in or generations
    latest = max((g for g, match in matches.items() if g < bred_in and _beaten(match)), default=0)
    since = min((g for g, match in matches.items() if g < bred_in and not _beaten(match)), default=bred_in)
    rises = since > max(latest, PAST * generations)
    if generations < SHORT or not matches or (rises and not latest):
        return ""
    worst = min(matches, key=lambda g: _ends(matches[g])[1])
    worse = _ends(matches[worst])[1] < _even(matches[worst])
    # The first that it is not shown to be stronger than tells more than those that it beats.
    others = sorted(g for g in matches if g >= since)
    later = next(iter(others), latest or max(matches))
    met = worst if worse else latest if rises else later
    facts = f"the champion scores {figure(matches[met])} against that of generation {met}"
    if worse:
        said = f"worse than generation {met} of its run: {facts}"
        if _wide(matches[met]):
            return f"{OPEN} whether it is {said}; {matches[met].games:,} games are too few to tell"
        return f"{said}; another seed or a larger --hall-of-fame may do better"
    if rises:
        return f"{RISING} against its former champions: {facts}; more generations should make it stronger"
    # An interval that reaches farther above even than below it, which is 0 in points, may be of a gain.
    leans = round(sum(_ends(matches[met])), ROUNDED) > 2 * _even(matches[met])
    level = others and all(matches[g].level for g in others)
    if not level and (since < latest or (since < bred_in and (left or leans or _wide(matches[met])))):
        facts += f" and {figure(matches[latest])} against that of generation {latest}" if since < latest else ""
        more = f"{f'the other {left}' if left else 'twice as many'} generations should tell"
        return f"{OPEN} whether it gained since generation {since}: {facts}; {more}"
    return (
        f"no gain shown since generation {since}: {facts}; "
        "more generations will hardly help; another seed, strategy or start may"
    )


def _even(match: MatchResult) -> float:
    return 0.0 if match.in_points else 0.5


def _ends(match: MatchResult) -> Interval:
    return match.margin_95 if match.in_points else match.win_rate_95


def _wide(match: MatchResult) -> bool:
    low, high = match.win_rate_95
    return high - low > 2 * VAGUE


def _beaten(match: MatchResult) -> bool:
    return _ends(match)[0] > _even(match)


def figure(match: MatchResult) -> str:
    """What the first player scores, with its 95 % interval, in points if they count."""
    low, high = _ends(match)
    ends = "every deal even" if match.level else None
    if match.in_points:
        return f"{match.margin:+.2f} points a game ({ends or f'{low:+.2f} to {high:+.2f}'})"
    return f"{100 * match.win_rate:.1f} % ({ends or f'{100 * low:.1f} to {100 * high:.1f}'})"


def idle_rules(arena: Arena, champion: RulePlayer, games: int) -> tuple[tuple[str, ...], int]:
    """The rules without which a champion makes the same moves in games against itself, and the number of the games.

    `games` are those of the run. A rule that weighs nothing is idle.
    """
    rules = champion.rules
    weights = [champion.weights * (np.arange(len(rules.rules)) != column) for column in range(-1, len(rules.rules))]
    players = [RulePlayer(rules, one, champion.name) for one in weights]
    a_deal = len(players) * len(arena.mirrored(1))
    count = min(IDLING_DEALS, max(FEWEST_OF_RUNOFF, int(SHARE * games / a_deal)))
    schedule = np.concatenate([arena.mirrored(count, number, len(players)) for number in range(len(players))])
    played = arena.play([*players, champion], arena.deals(count, IDLING), schedule)
    intact, *changed = played.courses.reshape(len(players), -1)
    idle = [rule.key for rule, courses in zip(rules.rules, changed, strict=True) if np.array_equal(courses, intact)]
    return tuple(idle), len(intact)


def best_of(arena: Arena, champion: RulePlayer, begun: Sequence[RulePlayer], games: int, first: int = 0) -> RulePlayer:
    """The winner of the run-off, or one of the players that the run began from where that beats it on fresh deals.

    The run-off's winner was the luckiest of many on those deals; so each meets it on others, until a test decides. The
    deals of different calls have different numbers, from the `first` on.
    """
    most_deals = affordable(arena, "verdict_deals", games, len(arena.mirrored(1)))
    for number, player in enumerate(begun, first):
        if not same(champion, player) and is_behind(_tested(arena, champion, player, most_deals, number)[0]):
            champion = player
    return champion


def is_behind(result: MatchResult) -> bool:
    """Whether the second player scored more than the first; nobody scores a stalled game."""
    lead = result.margin if result.in_points else result.win_rate - result.opponent_rate
    return round(lead, ROUNDED) < 0


def verdict(
    arena: Arena, champion: RulePlayer, former: Player, most_deals: int, steps: list[Games] | None = None
) -> Verdict:
    """Let them play until the test decides, they only repeat themselves, or `most_deals` are played from every seat.

    `steps` are games that they have played, which count as the first ones; further ones are appended. Nobody plays
    against itself.
    """
    if same(champion, former):
        return Verdict(former.name, SAME, 0, 0.5, 0)
    result, accepted = _tested(arena, champion, former, most_deals, steps=steps)
    says = _WORDS[accepted]
    zero = _even(result)
    stalls = zero * result.stalled / result.games  # which nobody scores
    low, high = _ends(result)
    around = None if result.silent or not math.isfinite(low) else (low, high)
    if around:
        says = (
            "better"
            if low > zero
            else "worse"
            if high + stalls < zero
            else "not better"
            if margin_interval(result.scores, result.effective_deals)[1] + stalls < expected_score(TEST.elo1)
            else says
        )
    played = (result.games, result.win_rate, result.distinct_deals)
    found = Verdict(former.name, says, *played, deals=result.deals, level=result.level)
    if result.in_points:
        return replace(found, margin=result.margin, margin_95=around)
    return replace(found, win_rate_95=around)


def _tested(
    arena: Arena, champion: Player, former: Player, most_deals: int, *number: int, steps: list[Games] | None = None
) -> tuple[MatchResult, str]:
    """The result when the test ended, and the hypothesis that it accepted.

    Each step is on further deals; tests of different `number` are on different ones.
    """
    steps = [] if steps is None else steps
    copies: list[Games] = []
    deals = 0
    ended = unless_repeating(decided(TEST))
    while True:
        if steps:
            result = match_result(joined(steps), arena.game)
            if arena.together:
                result = by_points(result, result.margins)
            elif arena.in_points:
                result = by_points(result, gains(contests_of(joined(steps), arena.game), joined(copies)))
            deals = result.deals
            if ended(result) or deals >= most_deals:
                return result, sprt_result(TEST, result).accepted
        count = min(next_block(deals), most_deals - deals)
        drawn = arena.deals(count, VERDICT, *number, len(steps))
        schedule = arena.teams(2, count) if arena.together else arena.mirrored(count)
        steps.append(arena.play([champion, former], drawn, schedule))
        if arena.in_points and not arena.together:
            copies.append(arena.play([champion, former], drawn, arena.teams(2, count)))


def gains(contests: Contests, copies: Games) -> Floats:
    """The points that a player gains by being the first one instead of the second, deal by deal, float64[deals].

    `contests` are those of a match, `copies` games on the same deals of copies of the first player, then of the second.
    The mean is over both companies, three other copies of either: at one table the margin to the others would count
    what they lose as much as what the player gains.
    """
    alone = [contests.alone(contests.points, player) for player in (0, 1)]
    among_copies = copies.points.mean(axis=1).reshape(-1, 2)
    return np.asarray((alone[0] - among_copies[:, 1] + among_copies[:, 0] - alone[1]) / 2)


def by_points(result: MatchResult, margins: Floats) -> MatchResult:
    """The result with these margins of deals, float64[deals], and as its scores, which a test compares, with 0 as 1/2.

    In the unit of the scores the standard deviation of a game is one half, as it is in games that are won or lost, so
    that a difference of Elo is as hard to show ("normalized Elo": M. Van den Bergh, fishtest's documentation, 2020).
    """
    of_a_game = float(margins.std()) * math.sqrt(result.games / result.deals)
    return replace(
        result,
        margin=float(margins.mean()),
        margin_95=margin_interval(margins, result.effective_deals),
        margins=margins,
        scores=0.5 + 0.5 * margins / (of_a_game or 1.0),
    )


def same(player: RulePlayer, other: Player) -> bool:
    """Whether two players weigh the same rules alike."""
    return decides_by_rules(other) and other.rules is player.rules and np.array_equal(other.weights, player.weights)
