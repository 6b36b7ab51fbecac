"""Why a rule player moves as it does: the score of every move, and what each rule adds to a difference.

The score of a move is a weighted sum of rules (see rulebots/rules/rule_set.py), so the difference between two moves
is a sum with one term per rule. Everything runs interpreted: a single position takes no time.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rulebots.errors import UsageError, demand
from rulebots.game import Floats, Game, Ints, View
from rulebots.game.position import Position
from rulebots.output.notebook import data_frame, html_table
from rulebots.players import Player, decides_by_rules
from rulebots.rules import EARLY, LATE, Rule, RuleSet
from rulebots.rules.scoring import chooser, scorer

#: Scores that are closer than this share of a typical weight are almost equal.
CLOSE = 0.1
#: Moves of one kind are near twins if every rule's term in their difference is below this share of a typical weight.
TWIN = 0.4
#: The best moves among which a different one is looked for.
NEXT_BEST = 8


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
        """Whether the player weighs the rule against its author's intention: its words are no reason by themselves."""
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
        """Whether the rule's words compare two moves: `more than`, or a number."""
        three = len(self.forms) > 2
        fit = (three or "<" in self.rule.says) and (all(self.values) or (three and self.forms[2] == self.forms[0]))
        return fit and self.shares[0] == self.shares[1] and self.values[0] != self.values[1]

    @property
    def of_other(self) -> bool:
        """Whether the rule's words tell what the other move does."""
        own, other = (abs(share * value) for share, value in zip(self.shares, self.values, strict=True))
        return other > own and not self.compared


def total(terms: Iterable[Term]) -> float:
    """What terms add up to."""
    return sum(term.amount for term in terms)


@dataclass(frozen=True, eq=False, repr=False)
class Explanation:
    """How a rule player sees one position.

    `moves` are the legal moves, the chosen one first, then the others, best first; `scores` are theirs. `progress`,
    from 0 to 1, blends early and late weights. `values` and `shares` are float64[moves, rules]: the value of each rule
    for each move, and the share of its group. `names` are what people call each move; there are none for a view.
    `against` is a move that was made instead of the chosen one, or that somebody asks about: it is the rival.
    """

    rules: RuleSet
    weights: Floats
    progress: float
    moves: tuple[int, ...]
    scores: tuple[float, ...]
    values: Floats
    shares: Floats
    names: tuple[str, ...] = ()
    against: int | None = None

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
        if len(self.moves) == 1:
            return ""
        lead = self.scores[0] - self.scores[self.near]
        # What is little beside the reasons for and against is a toss-up, too.
        terms = self.between(self.chosen, self.moves[self.near])
        close = CLOSE * max(self.scale, *(abs(term.amount) for term in terms), 0.0)
        if self.rival > self.near and lead >= close:
            return "much the same"
        if lead >= close or self.rules.decide is not None:
            return ""
        return "almost as good" if round(lead, 9) else "just as good"

    @property
    def rival(self) -> int:
        """The place of the move to speak `against`, else of the best one that is no near twin of the chosen one.

        It is 1 if none of the next best is.
        """
        if self.against is not None:
            return self.moves.index(self.against)
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
        """The place of the move that may be about as good: the one to speak `against`, else the next best."""
        return 1 if self.against is None else self.rival

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
    player: Player, position: Position | View, moves: Sequence[int] | None = None, against: int | None = None
) -> Explanation:
    """How a rule player sees a position, or a view with its legal moves; its reasons may be asked for `against` one.

    Raises:
        UsageError: the player is not made of rules, there is no legal move, or the position is of another game.
    """
    if not decides_by_rules(player):
        raise UsageError(
            f"'{getattr(player, 'name', player)}' is not made of rules, so no rules explain it: name a rule player"
        )
    seen, legal = _seen(player.game, position, moves)
    rules = player.rules
    n = len(legal)
    blended = np.zeros(len(rules.rules))
    scores = np.zeros(max(n, player.game.move_count))
    scorer(rules)(rules.seeing(seen), legal, n, player.weights, blended, scores)
    chosen = choice(rules, player.weights, seen, legal)
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
        against=None if against == ordered[0] else against,
    )


def choice(rules: RuleSet, weights: Floats, view: View, legal: Ints) -> int:
    """The move that rules of these weights choose, interpreted; `legal` are int64[n]."""
    blended, scores = np.zeros(len(rules.rules)), np.zeros(max(len(legal), rules.game.move_count))
    return int(chooser(rules)(rules.seeing(view), legal, len(legal), weights, blended, scores))


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
