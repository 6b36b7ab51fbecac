"""Reasons for a move, in rows and on the board: what each rule adds, or the results of a search."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rulebots.game.position import Position
from rulebots.output.diagram import Diagram, Place, Shape
from rulebots.players.explaining import Explanation, Term, deeds_to_mover

#: The most moves, rules and changes of mind that are shown.
MOVES = 8
RULES = 10
CHANGES = 3
#: Moves of a hint whose values are drawn on the board.
MOST_ADVICE = 6


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
    """A move and the reasons for it: other moves with their scores, and a bar for each rule or move.

    `sentence` is the reason in one sentence. `changes` are sentences: what would have led to the runner-up. `line` is a
    search's expected continuation. `advice` is moves and their values in a few letters, the best first: for the board.
    """

    title: str
    sentence: str = ""
    columns: tuple[str, ...] = ()
    moves: tuple[tuple[str, ...], ...] = ()
    bars: tuple[Bar, ...] = ()
    remark: str = ""
    changes: tuple[str, ...] = ()
    line: str = ""
    advice: tuple[tuple[int, str], ...] = ()


def of_rules(explained: Explanation, name: str) -> Reasons:
    """The reasons of a rule player."""
    deeds = explained.deeds
    terms = explained.reasons
    write = explained.write
    best = write(explained.chosen)
    scored = list(zip(explained.moves, explained.scores, strict=True))[:MOVES]
    reasons = Reasons(
        title=f"{name} {deeds[0] if deeds and deeds[0] else f'plays {best}'}",
        columns=("move", "score", *([""] if deeds else [])),
        moves=tuple((write(move), f"{score:.3f}", *deeds[i : i + 1]) for i, (move, score) in enumerate(scored)),
        advice=tuple((int(move), f"{score:.2f}") for move, score in scored),
    )
    if len(explained.moves) == 1:
        return replace(reasons, sentence="It is the only legal move.")
    other = write(explained.moves[1])
    if not terms:
        return replace(reasons, sentence=f"No rule tells {best} from {other}.")
    largest = max(abs(term.amount) for term in terms)
    total = sum(term.amount for term in terms)
    return replace(
        reasons,
        sentence=_sentence(max(terms, key=lambda term: term.amount), name, best, other),
        bars=tuple(_rule_bar(term, largest, best, other) for term in terms[:RULES]),
        remark=f"Why {best} and not {other}: together the rules add {total:+.3f}.",
        changes=() if explained.rules.decide is not None else tuple(_changes(terms, best, other)),
    )


def _sentence(term: Term, name: str, best: str, other: str) -> str:
    """What speaks most for a move, by the meaning of its rule; that is quoted, since its "I" is the player."""
    scores, others = (value * share for value, share in zip(term.values, term.shares, strict=True))
    said = re.sub(r", in \w+$", "", term.rule.meaning.partition(". ")[0].rstrip(".")) or term.rule.key
    if {scores, others} == {0, 1}:
        return f"{name} prefers {best}: “{said}.” {other} does not." if scores else f"{name} avoids {other}: “{said}.”"
    return f"{name} prefers {best}, which has {'more' if scores > others else 'less'} of this than {other}: “{said}.”"


def _rule_bar(term: Term, largest: float, *moves: str) -> Bar:
    """A rule's part in the difference between two moves of these names."""
    values = ", ".join(
        f"{value:.3g}{'' if share == 1 else f' x {share:g}'} for {move}"
        for value, share, move in zip(term.values, term.shares, moves, strict=True)
    )
    return Bar(
        term.rule.key,
        term.rule.meaning,
        f"{term.amount:+.3f}",
        round(100 * abs(term.amount) / largest, 1),
        term.amount > 0,
        f"early {term.early:g}, late {term.late:g}, now {term.weight:.3g}; it says {values}",
    )


def _changes(terms: tuple[Term, ...], best: str, other: str) -> list[str]:
    """The smallest changes of one weight that make the runner-up as good; the score is linear in each weight."""
    total = sum(term.amount for term in terms)
    changes = list[tuple[float, Term, float]]()
    for term in terms:
        if term.weight and term.amount:
            change = total * term.weight / term.amount
            changes.append((abs(change) / max(abs(term.weight), 1e-9), term, term.weight - change))
    changes.sort(key=lambda change: change[0])
    return [
        f"If {term.rule.key} weighed {weight:.3g} here, not {term.weight:.3g}, {other} would be as good as {best}."
        for _, term, weight in changes[:CHANGES]
    ]


def played_by(name: str, position: Position, move: int) -> str:
    """A move in words, for its player, who may have to guess its own cards."""
    return f"{name} {deeds_to_mover(position, [move])[0] or f'plays {position.write(move)}'}"


def of_search(result: Any, position: Position, name: str) -> Reasons | None:
    """The reasons of a search, from its result in a position; None for a player without one."""
    move = getattr(result, "move", None)
    if move is None:
        return None
    write = position.write
    effort = getattr(result, "effort", ())
    moves = [int(one) for one in getattr(result, "moves", ())][:MOVES]
    counts = list[int]()
    cells: list[tuple[str, ...]]
    if hasattr(result, "rollouts"):
        columns: tuple[str, ...] = ("move", "rollouts", "points" if result.points else "chance to win")
        counts = result.rollouts.tolist()
        style = "{:.2f}" if result.points else "{:.1%}"
        cells = [("-" if math.isnan(wins) else style.format(wins),) for wins in result.wins.tolist()]
    elif moves:
        columns = ("move", "visits", "prior", "value")
        counts = result.visits.tolist()
        cells = [
            (f"{prior:.1%}", "-" if math.isnan(value) else f"{value:+.2f}{' (proven)' if proven else ''}")
            for prior, value, proven in zip(result.priors, result.values, result.proven, strict=True)
        ]
    else:
        columns = ("move", "points")
        moves = [int(move)] if hasattr(result, "value") else []
        cells = [(f"{result.value:+.2f}",)] if moves else []
    names = [write(one) for one in moves]
    most = max([*counts, 1])
    rows = [(one, *(f"{count:,}" for count in counts[i : i + 1]), *cells[i]) for i, one in enumerate(names)]
    advice = [(one, row[-1].partition(" ")[0]) for one, row in zip(moves, rows, strict=True)]
    advice.sort(key=lambda one: one[0] != move)
    return Reasons(
        title=played_by(name, position, move),
        columns=columns,
        moves=tuple(rows),
        bars=tuple(
            Bar(one, "", f"{count:,}", round(100 * count / most, 1), up=True)
            for one, count in zip(names, counts, strict=False)
        ),
        sentence=f"{columns[-1].capitalize()} {', '.join(f'after {write(one)} {value}' for one, value in advice[:2])}."
        if advice
        else "",
        remark=f"{', '.join(effort)}." if effort else "",
        line=" ".join(_line(position, getattr(result, "line", ()))),
        advice=tuple(advice),
    )


def _line(position: Position, line: Iterable[int]) -> Iterator[str]:
    """The moves of a line in words, each in its position, as far as they lead on from one to the next."""
    twin = position.copy()
    for move in map(int, line):
        yield twin.write(move)
        if move in twin.legal_moves:
            twin.play(move)


def advice_on(diagram: Diagram, advice: Sequence[tuple[int, str]]) -> Sequence[Shape]:
    """Rings around the places of the best move, an arrow from one to the other, and values in round places.

    Cards and columns keep their faces free. If several moves begin at one place, the best one's value stands there.
    """
    shapes = list[Shape]()
    labelled = set[str]()
    for rank, (move, words) in enumerate(advice[:MOST_ADVICE]):
        places = [diagram.places[name] for name in diagram.ways.get(move, diagram.spots.get(move, ()))]
        if rank == 0:
            shapes += map(_ring, places)
            if move in diagram.ways and len(places) == 2:
                shapes += _arrow(*places)
        for place in places[:1]:
            if words and place.oval and place.name not in labelled:
                labelled.add(place.name)
                shapes += _label(place, words, best=rank == 0)
    return shapes


def _ring(place: Place) -> Shape:
    corner = min(place.width, place.height) / 2 if place.oval else 3.0
    return Shape.of("rect", "hint-ring", x=place.x, y=place.y, width=place.width, height=place.height, rx=corner)


def _arrow(one: Place, other: Place) -> list[Shape]:
    """From the edge of one place into the other; nothing from a place to itself."""
    (x1, y1), (x2, y2) = one.middle, other.middle
    length = math.hypot(x2 - x1, y2 - y1)
    if length < 1:
        return []
    right = (x2 - x1) / length
    down = (y2 - y1) / length
    edge = min(span / 2 / abs(part) for span, part in ((one.width, right), (one.height, down)) if abs(part) > 0.01)
    wings = [(x2 - 6 * right + 3 * k * down, y2 - 6 * down - 3 * k * right) for k in (-1, 1)]
    corners = " ".join(f"{x:.2f},{y:.2f}" for x, y in [(x2, y2), *wings])
    return [
        Shape.of("line", "hint-line", x1=x1 + edge * right, y1=y1 + edge * down, x2=x2 - 5 * right, y2=y2 - 5 * down),
        Shape.of("polygon", "hint", corners, x=x2, y=y2),
    ]


def _label(place: Place, words: str, *, best: bool) -> list[Shape]:
    """A label at the lower edge of a place."""
    letters = 0.6 * len(words) + 0.6
    size = min(max(place.height / 3, 5.0), place.width / letters, 9.0)
    width = size * letters
    x, y = place.middle[0], place.y + place.height - 0.6 * size
    box = "hint-label" if best else "note-label"
    return [
        Shape.of("rect", box, x=x - width / 2, y=y - 0.6 * size, width=width, height=1.2 * size, rx=0.6 * size),
        Shape.of("text", "hint-text" if best else "note", words, x=x, y=y, font_size=size),
    ]
