"""Why a rule player moves as it does: the score of every move, and what each rule adds to a difference.

The score of a move is a weighted sum of rules (see rulebots/rules/rule_set.py), so the difference between two moves
is a sum with one term per rule. Everything runs interpreted: a single position takes no time.
"""

import itertools
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rulebots.errors import UsageError, demand
from rulebots.game import Floats, Game, Ints, View
from rulebots.game.position import Position
from rulebots.game.text import PERSON, spoken
from rulebots.output.notebook import data_frame, html_table
from rulebots.players import Player, decides_by_rules
from rulebots.rules import EARLY, LATE, Rule, RuleSet
from rulebots.rules.scoring import chooser, scorer

#: Expectations of a search, of a chance to win and of points, that are closer than this are almost equal.
NEAR = 0.02
NEAR_POINTS = 0.1
#: What a move has proven to lead to, by its mover's share of the first place.
RESULTS = {0.0: "a loss", 0.5: "a draw", 1.0: "a win"}
#: Scores that are closer than this share of a typical weight are almost equal.
CLOSE = 0.1
#: Moves of one kind are near twins if every rule's term in their difference is below this share of a typical weight.
TWIN = 0.4
#: The best moves among which a different one is looked for.
NEXT_BEST = 8
#: How often a position is redealt to find out whether a deed depends on what is hidden.
REDEALT = 24


@dataclass(frozen=True)
class Term:
    """A rule's term in the difference of two moves: weight * (shares[0] * values[0] - shares[1] * values[1]).

    Of a move and several others it is the average, and so are `values[1]` and `shares[1]`, each by itself.

    `weight` is the rule's weight at this moment, between `early` and `late`. `shares` says how much the rule's group
    counts for each move (0: not at all), `values` are the rule's values for each.
    """

    rule: Rule
    early: float
    late: float
    weight: float
    shares: tuple[float, ...]
    values: tuple[float, ...]
    amount: float

    @property
    def unusual(self) -> bool:
        """Whether the player weighs the rule against its author's intention, so that its words sound wrong."""
        return self.weight * (self.rule.early + self.rule.late or 1) < 0

    @property
    def taste(self) -> bool:
        """Whether the rule's author did not say that it speaks for or against a move as the player thinks."""
        return self.weight * (self.rule.early + self.rule.late) <= 0

    @property
    def forms(self) -> Sequence[str]:
        """What the words of a rule with `[more|fewer|some]` choose from; without the last, they cannot compare."""
        choice = re.search(r"\[(.*?)\|(.*?)(?:\|(.*?))?\]", self.rule.says)
        return [form for form in choice.groups() if form is not None] if choice else ()

    @property
    def compared(self) -> bool:
        """Whether the rule's words compare two moves: `more than`."""
        fit = len(self.forms) > 2 and (all(self.values) or self.forms[2] == self.forms[0])
        return fit and self.shares[0] == self.shares[1] and self.values[0] != self.values[1]

    @property
    def of_other(self) -> bool:
        """Whether the rule's words tell what the other move does."""
        own, other = (abs(share * value) for share, value in zip(self.shares, self.values, strict=True))
        return other > own and not self.compared


@dataclass(frozen=True, eq=False, repr=False)
class Explanation:
    """How a rule player sees one position.

    `moves` are the legal moves, the chosen one first, then the others, best first; `scores` are theirs. `progress`,
    from 0 to 1, blends early and late weights. `values` and `shares` are float64[moves, rules]: the value of each rule
    for each move, and the share of its group. `names` are what people call each move; there are none for a view.
    `played` is the move that was made instead of the chosen one, if one was: it is the rival.
    """

    rules: RuleSet
    weights: Floats
    progress: float
    moves: tuple[int, ...]
    scores: tuple[float, ...]
    values: Floats
    shares: Floats
    names: tuple[str, ...] = ()
    played: int | None = None

    def __repr__(self) -> str:
        game = self.rules.game
        best = [f"{self.write(move)} {score:.3f}" for move, score in zip(self.moves, self.scores, strict=True)]
        return f"<Explanation at {game.name}: {', '.join(best)}>"

    def _repr_html_(self) -> str:
        rows = [(self.write(move), f"{score:.4f}") for move, score in zip(self.moves, self.scores, strict=True)]
        return html_table(("move", "score"), rows)

    def to_pandas(self) -> Any:
        """A line for each move, the chosen one first: its score, and what each rule adds to it, by the rule's key.

        Raises:
            UsageError: pandas is not installed.
        """
        keys = [rule.key for rule in self.rules.rules]
        amounts = self.values * self.shares * self.blended
        return data_frame(
            [
                {"move": self.write(move), "score": score, **dict(zip(keys, row.tolist(), strict=True))}
                for move, score, row in zip(self.moves, self.scores, amounts, strict=True)
            ]
        )

    def write(self, move: int) -> str:
        """What people call one of the moves."""
        return self.names[self.moves.index(move)] if self.names else self.rules.game.text.write(move)

    @property
    def blended(self) -> Floats:
        """The weights of this moment, float64[rules]."""
        return np.asarray((1.0 - self.progress) * self.weights[EARLY] + self.progress * self.weights[LATE])

    @property
    def scale(self) -> float:
        """A typical weight of the player: the median size of those that are not 0."""
        return float(np.median(np.abs(self.weights[self.weights != 0]))) if self.weights.any() else 1.0

    @property
    def tie(self) -> str:
        """How good the move at `near` is, if that makes little difference: `almost as good`; else ""."""
        if self.rival > self.near and self.scores[0] - self.scores[self.near] >= CLOSE * self.scale:
            return "similar"
        several = len(self.moves) > 1 and self.rules.decide is None
        lead = self.scores[0] - self.scores[self.near] if several else math.inf
        return "" if lead >= CLOSE * self.scale else "almost as good" if round(lead, 9) else "just as good"

    @property
    def rival(self) -> int:
        """The place of the played move, else of the best one that is no near twin of the chosen one.

        It is 1 if none of the next best is.
        """
        if self.played is not None:
            return self.moves.index(self.played)
        kind, (chosen, *others) = self.rules.game.kind, self.moves[: NEXT_BEST + 1]
        differing = (
            place
            for place, move in enumerate(others, start=1)
            if kind(move) != kind(chosen)
            or any(abs(term.amount) >= TWIN * self.scale for term in self.between(chosen, move))
        )
        return next(differing, 1)

    @property
    def near(self) -> int:
        """The place of the move that may be about as good: the played one, else the next best."""
        return 1 if self.played is None else self.rival

    @property
    def chosen(self) -> int:
        """The move that the player makes."""
        return self.moves[0]

    @property
    def reasons(self) -> tuple[Term, ...]:
        """The terms of the difference between the chosen move and the next best one; none if there is no other move."""
        return self.between(*self.moves[:2]) if len(self.moves) > 1 else ()

    @property
    def contrast(self) -> tuple[Term, ...]:
        """The terms of the difference between the chosen move and its rival; none if there is no other move."""
        return self.between(self.chosen, self.moves[self.rival]) if len(self.moves) > 1 else ()

    def between(self, first: int, second: int, *others: int) -> tuple[Term, ...]:
        """The terms of the difference between two moves, the largest first; they add up to the scores' difference.

        With further moves it is the difference between the first move and the average of all others.
        """
        row = self.moves.index(first)
        rows = [self.moves.index(other) for other in (second, *others)]
        products = self.values * self.shares
        weights = self.blended.tolist()
        terms = []
        for column, rule in enumerate(self.rules.rules):
            early, late = self.weights[:, column].tolist()
            shares, values = (
                (float(of[row, column]), float(of[rows, column].mean())) for of in (self.shares, self.values)
            )
            amount = weights[column] * float(products[row, column] - products[rows, column].mean())
            terms.append(Term(rule, early, late, weights[column], shares, values, amount))
        return tuple(sorted((term for term in terms if term.amount), key=lambda term: -abs(term.amount)))


def explain(
    player: Player, position: Position | View, moves: Sequence[int] | None = None, played: int | None = None
) -> Explanation:
    """How a rule player sees a position, or a view with its legal moves, in which a move may have been `played`.

    Raises:
        UsageError: the player is not made of rules, there is no legal move, or the position is of another game.
    """
    if not decides_by_rules(player):
        name = getattr(player, "name", player)
        raise UsageError(f"'{name}' is not made of rules, so no rules explain it: name a rule player")
    seen, legal = _seen(player.game, position, moves)
    rules = player.rules
    n = len(legal)
    blended = np.zeros(len(rules.rules))
    scores = np.zeros(max(n, player.game.move_count))
    scorer(rules)(rules.seeing(seen), legal, n, player.weights, blended, scores)
    choose = chooser(rules)
    chosen = int(choose(rules.seeing(seen), legal, n, player.weights, blended.copy(), scores.copy()))
    order = sorted(range(n), key=lambda i: (legal[i] != chosen, -scores[i], legal[i]))
    ordered = legal[order].tolist()
    view = rules.seeing(seen)
    if rules.facts is not None:
        rules.facts(view)
    progress = float(rules.progress(view)) if rules.progress is not None else 0.0
    values, shares = _judged(rules, view, ordered)
    return Explanation(
        rules=rules,
        weights=player.weights.copy(),
        progress=progress,
        moves=tuple(ordered),
        scores=tuple(scores[order].tolist()),
        values=values,
        shares=shares,
        names=tuple(position.write(move) for move in ordered) if isinstance(position, Position) else (),
        played=None if played == ordered[0] else played,
    )


def deeds_to_mover(position: Position, moves: Sequence[int], names: Sequence[str] = ()) -> tuple[str, ...]:
    """What each legal move does (see `Position.deed`), without what is hidden from the mover; "" if nothing is left.

    Told is what is the same in `REDEALT` positions that look alike to the mover: all, or what stands before a comma, as
    in `play card 2, the red 1`.
    """
    game = position.game
    if game.text.sentence is None or (game.hidden and game.redeal is None):
        return ("",) * len(moves)
    twins = [position.redealt(number) for number in range(1, REDEALT + 1)] if game.hidden else []
    told = [{one.deed(move, names) for one in (position, *twins)} for move in moves]
    heads = [{deed.partition(",")[0] for deed in deeds} for deeds in told]
    same = [deeds if len(deeds) == 1 else beginning for deeds, beginning in zip(told, heads, strict=True)]
    return tuple("" if len(one) > 1 else one.pop() for one in same)


def deeds_of(position: Position, moves: Sequence[int], names: Sequence[str]) -> list[str]:
    """What moves do, for their player, who may have to guess its own cards: `sow pit 2`."""
    deeds = deeds_to_mover(position, moves, names)
    return [deed or f"play {position.write(move)}" for move, deed in zip(moves, deeds, strict=True)]


def expectation(value: float, *, points: bool, proven: bool = False) -> str:
    """What a search expects of a move: points, a chance to win or, if that is `proven`, the result.

    It is "" for a move that it has not tried.
    """
    return (proven and RESULTS.get(value)) or (
        "" if math.isnan(value) else f"{value:+.2f}" if points else f"{100 * value:.0f} %"
    )


def sentence_of_search(
    deeds: Sequence[str], expected: Sequence[float], *, points: bool, proven: Sequence[bool] = ()
) -> str:
    """What a search expects of its move and of the next one that does not look better: that was tried too little."""
    told = [
        expectation(one, points=points, proven=sure) + " points" * points
        for one, sure in itertools.zip_longest(expected, proven, fillvalue=False)
    ]
    compared = [row for row in zip(deeds, expected, told, strict=False) if row[1] <= expected[0]]
    chance = "a chance to win of " * any(said.endswith("%") for *_, said in compared[:1])
    if len(deeds) == len(compared) > 1 and len({said for *_, said in compared}) == 1:
        return f"The moves are equal: the search sees {chance}{told[0]} after each of them."
    after = [f"{said} after “{deed}”" for deed, _, said in compared[:2]]
    near = after[1:] and compared[0][1] - compared[1][1] < (NEAR_POINTS if points else NEAR)
    tie = f": {'almost ' * (compared[0][2] != compared[1][2])}equal" if near else ""
    return f"The search sees {chance}{' and '.join(after)}{tie}." if after else ""


def sentence_of(explained: Explanation, name: str, deed: str, second: str, near: str) -> str:
    """Why the player of that name makes its move, `deed`, rather than its rival, `second`, in a sentence.

    Another says so if the next best move, `near`, is about as good.
    """
    if len(explained.moves) == 1:
        return "It is the only legal move."
    apart = explained.between(*explained.moves)
    if not apart:
        return "This player's rules do not tell these moves apart."
    reasons = leading(explained)
    # What the rival has as well, and few others, is a reason, too, such as a second way to win.
    differing = {term.rule.key for term in explained.contrast}
    shared = told_once(
        replace(term, shares=term.shares[:1] * 2, values=term.values[:1] * 2, amount=term.amount / 2)
        for term in apart
        if term.rule.key not in differing and term.weight * term.shares[0] > 0 and term.values[0] > 0
    )
    own = strongest(explained, reasons)
    reason = strongest(explained, [*reasons, *shared])
    if reason is None:
        return f"No rule prefers it to {quoted(second)}."
    said = words_of(reason, name, second, whole=True)
    if spoken(reason.rule.says, [PERSON], 0) == deed:
        said = words_of(reason, name, second) + _beside(explained, name, second)
    elif reason in shared and own is not None:
        also = words_of(own, PERSON if name == PERSON else "it", second)
        said += f", and {also[:1].lower()}{also[1:]}"
    return f"{said[:1].upper()}{said[1:]}.{f' {quoted(near)} is {explained.tie}.' if explained.tie else ''}"


def ending_of(position: Position, move: int, names: Sequence[str]) -> str:
    """What a legal move leads to at once, in a sentence: that it wins, or that another seat wins all the same.

    It is "" for neither, and where something is hidden.
    """
    if position.game.hidden:
        return ""
    mover, twin = position.mover, position.copy()
    names = [f"{name[:1].upper()}{name[1:]}" if name != PERSON else name for name in names]
    twin.play(move)
    if _won(twin, mover):
        return spoken("{0} win(s) the game with it.", [names[mover]], 0)
    if twin.over or twin.chance_to_move or twin.mover == mover:
        return ""
    for reply in twin.legal_moves.tolist():
        last = twin.copy()
        last.play(reply)
        if _won(last, twin.mover):
            return f"{spoken('{0}', [names[twin.mover]], 0)} can still win at once: {quoted(twin.deed(reply, names))}."
    return ""


def _won(position: Position, seat: int) -> bool:
    """Whether the game is over, and a seat has more points than each other one."""
    others = [points for one, points in enumerate(position.points) if one != seat]
    return position.over and bool(others) and position.points[seat] > max(others)


def with_ending(sentence: str, explained: Explanation, position: Position, names: Sequence[str]) -> str:
    """The reason for the chosen move with what it leads to at once, unless another one was played."""
    ending = ending_of(position, explained.chosen, names) if explained.played is None else ""
    # How a win compares with another move does not matter any more: nobody answers it.
    return ending if ending and " than " in sentence and "still" not in ending else f"{sentence} {ending}".rstrip()


def slip(deed: str, sentence: str) -> str:
    """That a careless player moved at random, and why `deed` was its own choice: in a sentence that begins with it."""
    why = f"{sentence[:1].lower()}{sentence[1:]}"
    return f"A slip: at this level it sometimes moves at random. Its own choice was to {plainly(deed)}: {why}"


def leading(explained: Explanation) -> list[Term]:
    """What sets the chosen move apart from its rival, told once: first the main reason for it, then the largest.

    Rules of one group that are true of all its moves alike, such as two about the price of any hint, count as one: the
    largest on the side that weighs more, with their sum.
    """
    apart, alike = list[Term](), dict[str, list[Term]]()
    for term in explained.contrast:
        column = explained.rules.rules.index(term.rule)
        same = not np.ptp(explained.values[explained.shares[:, column] != 0, column])
        (alike.setdefault(term.rule.group, []) if same else apart).append(term)
    for terms in alike.values():
        total = sum(term.amount for term in terms)
        apart += [replace(term, amount=total) for term in terms if term.amount * total > 0][:1]
    told = told_once(apart)
    best = strongest(explained, told)
    return sorted(told, key=lambda term: term is not best)


def enough(terms: Sequence[Term], least: int) -> int:
    """How many of the leading terms to show: until together they speak for the move, at most twice the `least`."""
    sums = list(itertools.accumulate(term.amount for term in terms[: 2 * least]))
    return next((count for count, total in enumerate(sums, start=1) if count >= least and total > 0), len(sums))


def told_once(terms: Iterable[Term]) -> list[Term]:
    """Terms, the largest first, with one for all rules that say the same: the largest of them, with their sum."""
    same = dict[str, list[Term]]()
    for term in terms:
        same.setdefault(words_of(term, "", ""), []).append(term)
    return sorted(
        (replace(alike[0], amount=sum(term.amount for term in alike)) for alike in same.values()),
        key=lambda term: -abs(term.amount),
    )


def plainly(deed: str) -> str:
    """A deed without what comes of it: `play the red 1`."""
    return re.split(", which|: ", deed)[0]


def quoted(deed: str) -> str:
    """A deed in a sentence: `“play the red 1”`."""
    return f"“{plainly(deed)}”"


def words_of(term: Term, name: str, second: str, *, whole: bool = False) -> str:
    """What a rule says of the move of the player of that name beside another, `second`.

    As a `whole` sentence it says of both how they compare. A rule without words is quoted.
    """
    says = term.rule.says or term.rule.words
    second = quoted(second)
    of_other, compared = term.of_other, term.compared
    above = term.values[0] > term.values[1] if compared else term.values[of_other] > 0
    if term.forms:
        word = term.forms[-1 if above and not compared and term.forms[2:] else not above]
        says = " ".join(re.sub(r"\[.*?\]", word, says).split())
    says = re.sub(r"\bmy\b", "your" if name == PERSON else "its", says) if term.rule.says else says
    likes = "{0} avoid(s) " + second if of_other else "{0} like(s) this"
    taste = f", which this player {'likes' if (term.amount > 0) != of_other else 'avoids'}" * (
        bool(term.rule.says) and (term.unusual or (whole and (of_other or term.taste)))
    )
    if not term.rule.says:
        said = f"{spoken(likes, [name], 0)}: {says}" if whole else f"{second}: {says}" if of_other else says
    elif of_other:
        said = f"{second} {'instead ' * whole}would {spoken(says, [PERSON], 0)}"
    else:
        said = spoken(f"{{0}} {says}", [name], 0)
    if not whole or of_other or term.shares[0] != term.shares[1]:
        return said + taste
    would = f"{second} would" if term.rule.says else second
    if compared or term.values[1] not in (0, term.values[0]):
        return f"{said}{'' if compared else ', more so'} than {'with ' * bool(term.rule.says)}{second}{taste}"
    if term.values[1]:
        return f"{said}, as {would}{taste}"
    return f"{said}{taste}; {would} not" if term.rule.says else f"{said}; not so {second}"


def strongest(explained: Explanation, terms: Sequence[Term]) -> Term | None:
    """The term that tells most for the first move, if any does: the largest, but for what it says.

    It counts half if it tells what the other move does, or if it is a mere taste of the player's, a sixteenth if that
    is against its author's intention, and a quarter if it is true of all moves of the kind.
    """

    def telling(term: Term) -> float:
        column = explained.rules.rules.index(term.rule)
        judged = explained.values[explained.shares[:, column] == term.shares[0], column]
        bare = bool(term.shares[0]) and not np.ptp(judged)
        return term.amount / 2.0 ** (term.of_other + term.taste + 3 * term.unusual + 2 * bare)

    return max((term for term in terms if term.amount > 0), key=telling, default=None)


def _beside(explained: Explanation, name: str, second: str) -> str:
    """What speaks most for the rival, or else the first thing that it lacks of what the player likes."""
    if fors := [term for term in explained.contrast if term.of_other and not term.taste and term.amount < 0]:
        return f", which counts for more than that {words_of(fors[0], name, second)}"
    lacking = (
        Term(rule, 0, 0, float(weight), (0, 1), (0, 1), float(-weight))
        for column, (rule, weight) in enumerate(zip(explained.rules.rules, explained.blended, strict=True))
        if explained.shares[explained.rival, column] > 0 and not explained.values[[0, explained.rival], column].any()
    )
    first = next((term for term in lacking if term.weight > 0 and not term.taste), None)
    return f"; {words_of(first, name, second)}".replace(" would ", " would not ", 1) if first else ""


def _seen(game: Game, position: Position | View, moves: Sequence[int] | None) -> tuple[View, Ints]:
    """A view, and the legal moves, int64[n]."""
    if isinstance(position, Position) and position.game is game:
        view = position.view()
        legal = np.zeros(0, np.int64) if position.chance_to_move else position.legal_moves
    elif getattr(getattr(position, "dtype", None), "names", None) == game.view.names:
        view = position
        legal = np.array(() if moves is None else moves, np.int64)
    else:
        raise UsageError(f"expected a position or a view of {game.title}")
    demand(len(legal), "there is no legal move to explain: the game is over, or a view has no moves")
    return view, legal


def _judged(rules: RuleSet, view: View, moves: list[int]) -> tuple[Floats, Floats]:
    """What each rule says of each move, and how much it counts: two arrays, float64[moves, rules]."""
    values, shares = np.zeros((2, len(moves), len(rules.rules)))
    for row, move in enumerate(moves):
        mix = rules.mixes[rules.game.kind(move)].mix
        item = rules.game.item(view, move)
        if rules.consider is not None:
            rules.consider(view, item)
        for column, rule in enumerate(rules.rules):
            if rule.group in mix:
                shares[row, column] = mix[rule.group]
                values[row, column] = rule(view, item)
    return values, shares
