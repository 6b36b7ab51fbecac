"""Reasons for a move, in rows and on the board: what each rule adds, or the results of a search."""

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rulebots.game.position import Position
from rulebots.output.diagram import Diagram, Place, Shape
from rulebots.players import Player
from rulebots.players.explaining import Explanation, Term, deeds_to_mover, explain

#: The most moves, rules and changes of mind that are shown.
MOVES = 8
RULES = 10
CHANGES = 3
#: Moves of a hint whose values are drawn on the board.
MOST_ADVICE = 6


@dataclass(frozen=True)
class Bar:
    """A number as a bar: `size` of 100, to the left if its amount is negative."""

    words: str
    amount: str
    size: float
    #: The rule, its early and late weight, the weight now, and its values for both moves, in words.
    details: str = ""


@dataclass(frozen=True)
class Reasons:
    """A move and the reasons for it: other moves with their scores, and a bar for each rule or move.

    `sentence` is the reason in one sentence, with the `main_bars`. `changes` are sentences: what would have led to the
    runner-up. `line` is what a search expects, in sentences. `advice` is moves and their values in a few letters, the
    best first: for the board.
    """

    title: str
    sentence: str = ""
    columns: tuple[str, ...] = ()
    moves: tuple[tuple[str, ...], ...] = ()
    main_bars: tuple[Bar, ...] = ()
    bars: tuple[Bar, ...] = ()
    remark: str = ""
    changes: tuple[str, ...] = ()
    line: Sequence[str] = ()
    advice: tuple[tuple[int, str], ...] = ()


def of_rules(player: Player, position: Position, names: Sequence[str]) -> Reasons:
    """The reasons of a rule player for its move in a position, to the seats of these names."""
    explained = explain(player, position)
    deeds = deeds_of(position, explained.moves[:MOVES], names)
    name = names[position.mover]
    scored = list(zip(explained.moves, explained.scores, deeds, strict=False))
    reasons = Reasons(
        title=f"{name} would {deeds[0]}",
        columns=("move", "score", ""),
        moves=tuple((explained.write(move), f"{score:.3f}", deed) for move, score, deed in scored),
        advice=tuple((int(move), f"{score:.2f}") for move, score, _ in scored),
    )
    if len(explained.moves) == 1:
        return replace(reasons, sentence="It is the only legal move.")
    terms = explained.reasons
    others = "the other moves" if deeds[2:] else f"“{deeds[1]}”"
    apart = explained.between(*explained.moves)
    if not apart:
        return replace(reasons, sentence="No rule prefers it to the others.")
    # What rules of its own kind say of a move tells more than what those of another kind say against the others.
    own = [term for term in apart if term.shares[0]] or apart
    return replace(
        reasons,
        sentence=_sentence(explained, max(own, key=lambda term: term.amount), name, others),
        main_bars=_rule_bars(own[:2], others),
        bars=_rule_bars(terms[:RULES], f"“{deeds[1]}”"),
        remark=f"The next best move is to {deeds[1]}. "
        f"Together the rules add {sum(term.amount for term in terms):+.2f} for this one.",
        changes=() if explained.rules.decide is not None else _changes(terms),
    )


def deeds_of(position: Position, moves: Sequence[int], names: Sequence[str]) -> list[str]:
    """What moves do, for their player, who may have to guess its own cards: `sow pit 2`."""
    deeds = deeds_to_mover(position, moves, names)
    return [deed or f"play {position.write(move)}" for move, deed in zip(moves, deeds, strict=True)]


def _sentence(explained: Explanation, term: Term, name: str, others: str) -> str:
    """What a rule says for a move against the others, by its meaning; that is quoted, since its "I" is the player."""
    said = re.sub(r", in \w+$", "", term.rule.meaning.partition(". ")[0].rstrip(".")) or term.rule.key
    if not term.shares[0]:
        return f"The case against {others}: “{said}.”"
    what = f"What {name} {'likes about it' if term.liked else 'avoids, unlike other moves'}: “{said}.”"
    if not term.shares[1]:
        return what
    first, *rest = explained.values[:, explained.rules.rules.index(term.rule)].tolist()
    if {first, *rest} != {0, 1} or first != term.liked:
        return f"{what} Other moves have {'less' if term.liked else 'more'} of that on average."
    return f"{what} That is true of {int(sum(rest)) or 'none'} of the {len(rest)} other moves."


def _rule_bars(terms: Sequence[Term], others: str) -> tuple[Bar, ...]:
    """What rules add to the difference between a move and `others`, the largest first."""
    return tuple(
        Bar(
            # What follows the colon begins small, but for "I".
            (f"Against {others}: " if not term.shares[0] else "Likes: " if term.liked else "Avoids: ")
            + re.sub(r"^(?!I\b).", lambda first: first[0].lower(), term.rule.meaning or term.rule.key),
            f"{term.amount:+.2f}",
            round(100 * abs(term.amount / terms[0].amount), 1),
            f"{term.rule.key}: early {term.early:g}, late {term.late:g}, now {term.weight:.3g}; its value is "
            + ", and for the next best move ".join(
                f"{value:.3g}{'' if share == 1 else f' x {share:g}'}"
                for value, share in zip(term.values, term.shares, strict=True)
            ),
        )
        for term in terms
    )


def _changes(terms: Sequence[Term]) -> tuple[str, ...]:
    """The smallest changes of one weight that make the runner-up as good: the score is linear in each weight.

    They are those of the largest terms.
    """
    total = sum(term.amount for term in terms)
    return tuple(
        f"If {term.rule.key} weighed {term.weight * (1 - total / term.amount):.3g} here, not {term.weight:.3g}, "
        "the next best move would be as good."
        for term in terms[:CHANGES]
    )


def of_search(result: Any, position: Position, names: Sequence[str]) -> Reasons | None:
    """The reasons of a search, from its result in a position; None for a player without one."""
    move = getattr(result, "move", None)
    if move is None:
        return None
    effort = getattr(result, "effort", ())
    moves = [int(one) for one in getattr(result, "moves", ())][:MOVES]
    counts = list[int]()
    points = getattr(result, "points", position.game.in_points(position.seats))
    what = "points" if points else "chance to win"
    if hasattr(result, "rollouts"):
        columns: tuple[str, ...] = ("move", "rollouts", what)
        counts = result.rollouts.tolist()
        expected = result.wins
    elif moves:
        columns = ("move", "visits", what)
        counts = result.visits.tolist()
        expected = result.values if points else (result.values + 1) / 2
    else:
        points = True
        columns = ("move", "points")
        moves = [int(move)] if hasattr(result, "value") else []
        expected = [result.value] if moves else []
    values = ["-" if math.isnan(one) else f"{one:+.2f}" if points else f"{100 * one:.1f} %" for one in expected]
    deeds = deeds_of(position, moves, names)
    bars = [
        Bar(deed, f"{count:,}", round(100 * count / max(*counts, 1), 1))
        for deed, count in zip(deeds, counts, strict=False)
    ]
    rows = list(zip(moves, values, deeds, strict=False))
    rows.sort(key=lambda row: row[0] != move)
    after = [f"{value} if it chooses to {deed}" for _, value, deed in rows[:2]]
    return Reasons(
        title=f"{names[position.mover]} would {deeds_of(position, [int(move)], names)[0]}",
        columns=(*columns, ""),
        moves=tuple(
            (position.write(one), *(f"{count:,}" for count in counts[i : i + 1]), values[i], deeds[i])
            for i, one in enumerate(moves)
        ),
        main_bars=tuple(bars[:2]),
        bars=tuple(bars),
        sentence=f"{columns[-1].capitalize()}: {', '.join(after)}." if after else "",
        remark=f"{', '.join(effort)}." if effort else "",
        line=list(_line(position, getattr(result, "line", ()), names)),
        advice=tuple(row[:2] for row in rows),
    )


def _line(position: Position, line: Iterable[int], names: Sequence[str]) -> Iterator[str]:
    """The moves of a line in sentences, each in its position, as far as they lead on from one to the next."""
    twin = position.copy()
    for move in map(int, line):
        if move not in twin.legal_moves:
            return
        yield twin.sentence(move, names, plain=position.game.hidden)
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
            for place in places:
                corner = min(place.width, place.height) / 2 if place.oval else 3.0
                shapes.append(
                    Shape.of(
                        "rect", "hint-ring", x=place.x, y=place.y, width=place.width, height=place.height, rx=corner
                    )
                )
            if move in diagram.ways and len(places) == 2:
                shapes += _arrow(*places)
        for place in places[:1]:
            if words and place.oval and place.name not in labelled:
                labelled.add(place.name)
                shapes += _label(place, words, best=rank == 0)
    return shapes


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
