"""Why a player moves as it does, in rows for the page: rules and what they add, or what a search found."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from rulebots.game import Game
from rulebots.players.explaining import Explanation, Term

#: The most moves, rules and changes of mind that are shown.
MOVES, RULES, CHANGES = 8, 10, 3


@dataclass(frozen=True)
class Bar:
    """A number as a bar: `size` of 100, to the right if it is `up`."""

    words: str
    meaning: str
    amount: str
    size: float
    up: bool
    #: Early and late weight, the weight now, and the rule's values for both moves, in words.
    details: str = ""


@dataclass(frozen=True)
class Reasons:
    """A move and what speaks for it: other moves with their scores, and a bar for each rule or move.

    `changes` are sentences: what would have led to the runner-up. `line` is what a search expects to follow.
    """

    title: str
    columns: tuple[str, ...]
    moves: tuple[tuple[str, ...], ...]
    bars: tuple[Bar, ...] = ()
    remark: str = ""
    changes: tuple[str, ...] = ()
    line: str = ""
    #: Moves and what they are worth in a few letters, the best first: for the board.
    advice: tuple[tuple[int, str], ...] = ()


def of_rules(explained: Explanation, name: str) -> Reasons:
    """The reasons of a rule player."""
    game = explained.rules.game
    best = game.text.write(explained.chosen)
    scored = list(zip(map(int, explained.moves), explained.scores, strict=True))[:MOVES]
    moves = tuple(
        (game.text.write(move), f"{score:.3f}", *explained.remarks[i : i + 1]) for i, (move, score) in enumerate(scored)
    )
    columns = ("move", "score", *([""] if explained.remarks else []))
    advice = tuple((move, f"{score:.2f}") for move, score in scored)
    said = f" ({explained.remarks[0]})" if explained.remarks and explained.remarks[0] else ""
    reasons = Reasons(f"{name} plays {best}{said}", columns, moves, advice=advice)
    if len(explained.moves) == 1:
        return replace(reasons, remark="It is the only legal move.")
    other, terms = game.text.write(explained.moves[1]), explained.reasons
    if not terms:
        return replace(reasons, remark=f"No rule tells {best} from {other}.")
    largest = max(abs(term.amount) for term in terms)
    bars = tuple(_bar(term, largest, (best, other)) for term in terms[:RULES])
    late = explained.progress
    when = "" if explained.rules.flat else f" Early weights count {1 - late:.0%}, late ones {late:.0%}."
    remark = f"Why {best} and not {other}: together the rules add {sum(term.amount for term in terms):+.3f}.{when}"
    changes = () if explained.rules.decide is not None else tuple(_changes(terms, best, other))
    return replace(reasons, bars=bars, remark=remark, changes=changes)


def _bar(term: Term, largest: float, names: tuple[str, str]) -> Bar:
    """A rule's part in the difference between two moves of these names."""
    weights = f"early {term.early:g}, late {term.late:g}, now {term.weight:.3g}"
    judged = [
        f"{value:.3g}{'' if share == 1 else f' x {share:g}'} for {name}"
        for value, share, name in zip(term.values, term.shares, names, strict=True)
    ]
    details = f"{weights}; it says {', '.join(judged)}"
    size = round(100 * abs(term.amount) / largest, 1)
    return Bar(term.rule.key, term.rule.meaning, f"{term.amount:+.3f}", size, term.amount > 0, details)


def _changes(terms: tuple[Term, ...], best: str, other: str) -> list[str]:
    """The smallest changes of one weight that make the runner-up as good; the score is linear in each weight."""
    total, found = sum(term.amount for term in terms), []
    for term in terms:
        gradient = term.amount / term.weight if term.weight else 0.0
        if gradient:
            wanted = term.weight - total / gradient
            found.append((abs(wanted - term.weight) / max(abs(term.weight), 1e-9), term, wanted))
    found.sort(key=lambda change: change[0])
    return [
        f"If {term.rule.key} weighed {wanted:.3g} here, not {term.weight:.3g}, {other} would be as good as {best}."
        for _, term, wanted in found[:CHANGES]
    ]


def of_search(result: Any, game: Game, name: str) -> Reasons | None:
    """The reasons of a search, from what it found; None for a player that says nothing."""
    move, effort = getattr(result, "move", None), getattr(result, "effort", ())
    if move is None:
        return None
    line = " ".join(game.text.write(int(step)) for step in getattr(result, "line", ()))
    moves = [int(m) for m in getattr(result, "moves", ())][:MOVES]
    columns: tuple[str, ...] = ("move", "visits", "prior", "value")
    rows, bars = list[tuple[str, ...]](), list[Bar]()
    if hasattr(result, "rollouts"):
        columns, most = (
            ("move", "rollouts", "points" if result.points else "chance to win"),
            max(*result.rollouts.tolist(), 1),
        )
        shown = "{:.2f}" if result.points else "{:.1%}"
        for m, rollouts, wins in zip(moves, result.rollouts.tolist(), result.wins.tolist(), strict=False):
            rows.append((game.text.write(m), f"{rollouts:,}", "-" if math.isnan(wins) else shown.format(wins)))
            bars.append(Bar(game.text.write(m), "", f"{rollouts:,}", round(100 * rollouts / most, 1), up=True))
    elif moves:
        visits, values = result.visits.tolist(), result.values.tolist()
        proven, priors = result.proven.tolist(), result.priors.tolist()
        most = max(*visits, 1)
        for i, m in enumerate(moves):
            value = "-" if math.isnan(values[i]) else f"{values[i]:+.2f}{' (proven)' if proven[i] else ''}"
            rows.append((game.text.write(m), f"{visits[i]:,}", f"{priors[i]:.1%}", value))
            bars.append(Bar(game.text.write(m), "", f"{visits[i]:,}", round(100 * visits[i] / most, 1), up=True))
    elif hasattr(result, "value"):
        columns, rows = ("move", "points"), [(game.text.write(int(move)), f"{result.value:+.2f}")]
    title = f"{name} plays {game.text.write(int(move))}"
    remark = f"{', '.join(effort)}." if effort else ""
    worth = {m: row[-1].partition(" ")[0] for m, row in zip(moves or [int(move)], rows, strict=False)}
    advice = sorted(worth.items(), key=lambda one: one[0] != move)
    return Reasons(title, columns, tuple(rows), tuple(bars), remark, (), line, tuple(advice))


#: What a tree search can put on the board: of each move that has visits, as a short text.
NOTES: Mapping[str, Callable[[Any, int], str]] = {
    "visits": lambda result, i: _brief(int(result.visits[i])),
    "values": lambda result, i: f"{result.values[i]:+.2f}".replace("0.", "."),
    "priors": lambda result, i: f"{100 * result.priors[i]:.2g}%",
}


def notes_of(result: Any, kind: str) -> Mapping[int, str]:
    """What a search puts on the board: one of `NOTES` for each move that has visits; nothing for any other word."""
    if not hasattr(result, "priors") or kind not in NOTES:
        return {}
    return {int(move): NOTES[kind](result, i) for i, move in enumerate(result.moves) if result.visits[i]}


def _brief(count: int) -> str:
    """A count in at most four letters."""
    if count < 1000:
        return str(count)
    return f"{count / 1000:.2g}k" if count < 100_000 else f"{count // 1000}k"
