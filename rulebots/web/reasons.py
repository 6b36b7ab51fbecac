"""Reasons for a move, in rows and on the board: what each rule adds, or the results of a search."""

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import Any

from rulebots.errors import UsageError
from rulebots.game.position import Position
from rulebots.game.text import PERSON
from rulebots.output.diagram import Diagram, Place, Shape
from rulebots.packages.levels import exact_ending, exact_values
from rulebots.packages.players import champion_of, make_player
from rulebots.players import Player
from rulebots.players.explaining import CLOSE, Explanation, Term, explain, total
from rulebots.players.findings import findings_of
from rulebots.players.sentences import (
    besides,
    deeds_of,
    doing_of,
    ending_of,
    gain_of,
    grounds_of,
    leading,
    line_after,
    main_reason,
    naming,
    outlook,
    plainly,
    said_of,
    strongest,
    surely,
    told_once,
    winning_answer,
    words_of,
)

#: The most moves, rules at first and on demand, and changes of mind that are shown.
MOVES = 8
FIRST = 2
RULES = 10
CHANGES = 3
#: A difference of scores that is none; and how many typical weights of a player a full bar stands for at least.
TIE = 0.005
FULL = 4
#: What rules say for a move is told while what they say against it is at most so many times as much.
WORTH = 4
#: Shares of a full bar, in percent, below which a reason is slight, and from which it is strong.
SLIGHT = 10
STRONG = 50


@dataclass(frozen=True)
class Bar:
    """A number as a bar: `size` of 100, to the left if its amount is negative.

    Its words say how much it is, for it means nothing to people as a number.
    """

    words: str
    amount: str
    size: float
    #: The rule, its early and late weight, the weight now, and its values for both moves, in words.
    details: str = ""


@dataclass(frozen=True)
class Reasons:
    """A move and the reasons for it: what it does (`sow pit 2`), other moves with their scores, and bars.

    `sentence` is the reason in one sentence. `bars` compare the move with its rival: what speaks most for it, the
    largest other term, what the other rules add up to, and the sum of all; `more` are more of them. `changes` are
    sentences: what would have led to the rival. `line` is what a search expects, or rules would play, in sentences, and
    `instead` the same after a move that is asked about, each with the numbers of the moves up to it, as in an address;
    "" once chance has been to move. `move` is drawn on the board, and `rival`, if one is known.
    `scale` says what the length of a bar means, or how much was searched. `others` are the moves that may be asked
    about: their numbers, and what they do.
    """

    deed: str
    sentence: str = ""
    columns: tuple[str, ...] = ()
    moves: tuple[tuple[str, ...], ...] = ()
    bars: tuple[Bar, ...] = ()
    more: tuple[Bar, ...] = ()
    remark: str = ""
    changes: tuple[str, ...] = ()
    line: Sequence[tuple[str, str]] = ()
    instead: Sequence[tuple[str, str]] = ()
    move: int | None = None
    rival: int | None = None
    scale: str = ""
    others: Sequence[tuple[int, str]] = ()
    verb: str = ""


def of_rules(
    player: Player, position: Position, names: Sequence[str], against: int | None = None, *, asked: bool = False
) -> Reasons:
    """The reasons of a rule player for its move in a position, to the seats of these names.

    They speak `against` another one that was played in its place, or that is `asked` about.
    """
    explained = explain(player, position, against=against)
    rival = explained.rival
    deeds = deeds_of(position, explained.moves[: max(MOVES, rival + 1)], names)
    told = leading(explained)
    turns = next((term.rule.ahead for term in told if term.rule.ahead > 1), 0)
    line, instead = (
        () if move is None else _expected(explained, position, move, turns, names)
        for move in (explained.chosen, explained.against)
    )
    reasons = Reasons(
        deeds[0],
        columns=("move", "score"),
        moves=tuple((deed, f"{score:z.3f}") for deed, score in zip(deeds[:MOVES], explained.scores, strict=False)),
        move=int(explained.chosen),
        line=line,
        instead=instead,
    )
    sentence = main_reason(
        explained, position, names, names[position.mover] if asked or explained.against is None else "it"
    )
    terms = explained.contrast
    if not terms:
        return replace(reasons, sentence=sentence, moves=reasons.moves if deeds[1:] else ())
    second = doing_of(position, explained.moves[rival], names)
    ordered = sorted(terms, key=lambda term: not told or term.rule is not told[0].rule)
    lead = total(terms)
    own = PERSON if names[position.mover] == PERSON else "it"
    named = partial(naming, position=position, names=names)
    best = "Next best" if rival == 1 else "Best different move"
    compared = best if explained.against is None else "Asked about" if asked else "Played"
    # What a player weighs against the rule's author is hard to believe: it is shown with the sums and weights.
    shown = [term for term in told if abs(term.amount) >= TIE and not (term.unusual or told[0].unusual)][:FIRST]
    amounts = (lead, lead - total(shown), lead - total(ordered[:RULES]), *(term.amount for term in (*told, *terms)))
    full = max(FULL * explained.scale, *map(abs, amounts))
    return replace(
        reasons,
        sentence=sentence,
        bars=_rule_bars(told, shown, own, second, full, named) if shown else (),
        more=_rule_bars(terms, ordered[:RULES], own, second, full, named),
        rival=int(explained.moves[rival]),
        # Where it is about as good, the sentence says so.
        remark=f"{compared}: {deeds[rival]}, by these rules {_worse(lead / explained.scale)}."
        # A win needs no comparison, nor does what loses at once.
        * (rival != explained.near or not explained.tie)
        * (
            not ending_of(position, explained.chosen, names)
            and not winning_answer(position, explained.moves[rival], names)
        ),
        scale=f"A full bar is {full:.3g}; below {CLOSE * explained.scale:.1g} is a near tie.",
        changes=() if explained.rules.decide is not None or lead < TIE else _changes(terms, lead),
    )


def _expected(
    explained: Explanation, position: Position, move: int, turns: int, names: Sequence[str]
) -> list[tuple[str, str]]:
    """What the rules would play after a move, which comes first; nothing where they cannot know.

    Where the reason looks so many turns ahead, it is the line of its number, with what each move brings in points.
    """
    line = line_after(explained, position, move, turns or FIRST, best=turns > 0)
    told = [*told_line(position, [made for _, _, made in line if line[1:]], names)]
    brought = [gain_of(before, made, position.mover) for _, before, made in line]
    if turns and told:
        notes = [f" ({gain:+})" * bool(gain) for gain in brought]
        notes[-1] += f", in all {sum(brought):+} for {names[position.mover]}"
        told = [(said + note, path) for (said, path), note in zip(told, notes, strict=True)]
    return told


def _worse(lead: float) -> str:
    """How a move compares with one that is better by so many typical weights."""
    steps = {TIE: "just as good", CLOSE: "almost as good", 1: "a little worse", FULL: "worse"}
    return next((steps[most] for most in steps if lead < most), "much worse")


def _rule_bars(
    terms: Sequence[Term], shown: Sequence[Term], own: str, second: str, full: float, named: Callable[[str], str]
) -> tuple[Bar, ...]:
    """What the `shown` of the rules add to the difference between a move and `second`, the others, and all `terms`.

    The move is that of the player of the name `own`. No amount is larger than `full`, a bar of full length. Words are
    `named`.
    """
    lead, others = total(terms), len(terms) - len(shown)
    left = lead - total(shown)

    def bar_of(words: str, amount: float, details: str = "") -> Bar:
        size = round(100 * abs(amount) / full, 1)
        much = "slightly " if size < SLIGHT else "strongly " if size >= STRONG else ""
        side = f"{much}{'for' if amount > 0 else 'against'} it" if abs(amount) >= TIE else "neither for nor against it"
        said = f"{side.capitalize()}: {words}" if details else f"{words}: {side}"
        return Bar(said, f"{amount:+.2f}", size, details)

    rules = (
        bar_of(
            named(words_of(term, own, second)),
            term.amount,
            f"{term.rule.key}: early {term.early:g}, late {term.late:g}, now {term.weight:.3g}; its value is "
            + ", and for the other move ".join(
                f"{value:.3g}{'' if share == 1 else f' x {share:g}'}"
                for value, share in zip(term.values, term.shares, strict=True)
            ),
        )
        for term in shown
    )
    rest = [bar_of(f"{others} other rule{'s' * (others > 1)}", left)] * (abs(left) >= TIE)
    return (*rules, *rest, *[bar_of("All rules together", lead)] * bool(terms[1:]))


def _changes(terms: Sequence[Term], lead: float) -> tuple[str, ...]:
    """The smallest changes of one weight that make the rival as good: the score is linear in each weight.

    They are those of the largest terms, which add up to the `lead`.
    """
    return tuple(
        f"If {term.rule.key} weighed {term.weight * (1 - lead / term.amount):.3g} here, not {term.weight:.3g}, "
        "the other move would be as good."
        for term in terms[:CHANGES]
    )


def of_search(
    result: Any,
    position: Position,
    names: Sequence[str],
    against: int | None = None,
    known: Mapping[int, float] = MappingProxyType({}),
    told: str = "",
) -> Reasons | None:
    """The reasons of a search, from its result in a position; None for a player without one.

    Its sentence begins with what the rules of the champion say for its move beside the one that it is to speak
    `against`, or the runner-up, and ends with what the search expects of both; that comes first where it has seen an
    end, or where the rules do not agree. What is `known` of moves from elsewhere stands in place of what it expects of
    them, and what is `told` in place of the comparison.
    """
    found = findings_of(result, position, against, known)
    if found is None:
        return None
    move, rival, agreed = int(result.move), found.rival, False
    ending = told.strip() if told else ending_in(position, move, names)
    # What is known for certain leaves nothing to expect.
    sure = bool(told or (ending and against in (None, move) and not all(found.proven[:FIRST])))
    numbers = found.sentence(position, names) * (not sure)
    facts: list[str] = []
    with contextlib.suppress(UsageError):  # no player made of rules, or one of another version of the game
        explained = explain(make_player(champion_of(position.game), position.game, position.seats), position)
        if rival is None:
            # All end alike, or the search has tried no other one enough: the rules' own next.
            rival = next((one for one in explained.moves if one != move), None)
        if rival is not None:
            agreed, ruled = _rules_say(explained, position, (move, rival), names)
            # Nobody's taste matters where the end is known.
            ruled *= agreed or not (ending or all(found.proven[:1]))
            after = outlook(explained, position, (move, rival), FIRST, names, names[position.mover])
            facts = [ruled, after, _refutation(position, (move, rival), names)]
    facts.insert(agreed, grounds_of(position, move, names, rival))
    # The rules' reason comes before numbers, but not before an end.
    said = (*facts, numbers) if agreed and (ending or not any(found.proven[:FIRST])) else (numbers, *facts)
    return Reasons(
        deeds_of(position, [move], names)[0],
        columns=(
            "move",
            *["tried"] * any(found.counts),
            "points" if found.points else "result" if all(found.proven) else "chance to win",
        ),
        moves=tuple(
            (deed, *(f"{count:,}" for count in found.counts[i : i + 1] if any(found.counts)), found.values[i] or "-")
            for i, deed in enumerate(deeds_of(position, found.moves[:MOVES], names))
        ),
        sentence=" ".join(filter(None, (ending, *said))),
        scale=_effort(result, found.counts),
        line=list(told_line(position, getattr(result, "line", ()), names)),
        instead=list(told_line(position, getattr(result, "instead", ()), names)),
        move=move,
        rival=rival,
    )


def ending_in(position: Position, move: int, names: Sequence[str]) -> str:
    """What a move leads to beside the others, with one that leads to more, in a sentence; "" where that is unknown."""
    values = exact_values(position)
    best = max(values, key=lambda one: values[one], default=move)
    subject, better = (doing_of(position, one, names) for one in (move, best))
    said = exact_ending(values, move, subject)
    return f"{said.removesuffix('.')}, such as {better}." if values and values[move] < values[best] else said


def _rules_say(
    explained: Explanation, position: Position, compared: Sequence[int], names: Sequence[str]
) -> tuple[bool, str]:
    """Whether the champion's rules have a reason to prefer a search's move to another, and what they say of the two."""
    terms = explained.between(*compared)
    if not terms:
        return False, "The champion's rules see no difference."
    lead = total(terms)
    # A search has a line of its own: what the rules see farther ahead than an answer could not be checked.
    told = told_once(term for term in terms if term.rule.ahead <= FIRST)
    reason, words = strongest(explained, told), ""
    agreed = lead >= 0
    # Against its own choice it tells no degree, nor what is outweighed many times.
    telling = reason and (agreed or (not reason.compared and WORTH * reason.amount >= reason.amount - lead))
    if reason and telling and not reason.unusual:
        said = said_of(
            reason, besides(reason, told, lead) if agreed else None,
            PERSON if names[position.mover] == PERSON else "it", doing_of(position, compared[1], names), asked=agreed,
        )  # fmt: skip
        words = naming(surely(said, position, compared[1], names), position, names)
    if agreed:
        return bool(words), f"By the champion's rules, {words}." if words else "The champion's rules agree."
    rather = plainly(*deeds_of(position, compared[1:], names))
    return False, f"The champion's rules would rather {rather}{f', but say for this: {words}' * bool(words)}."


def _refutation(position: Position, compared: Sequence[int], names: Sequence[str]) -> str:
    """How another seat wins in the end after the first of two moves that loses, where another one would not have lost.

    If it wins at once, that is told already.
    """
    ends = exact_values(position)
    for move in compared:
        if ends.get(move, 0) < 0 <= max(ends.values()):
            twin = position.after(move)
            values = exact_values(twin)
            if values and twin.mover != position.mover and not winning_answer(position, move, names):
                by = doing_of(twin, max(values, key=lambda one: values[one]), names)
                return f"After {doing_of(position, move, names)}, {names[twin.mover]} can win by {by}."
    return ""


def _effort(result: Any, counts: Sequence[int]) -> str:
    """The work of a search, in words: what it has kept of its work on earlier moves counts."""
    effort = f"{result.effort[0].capitalize()}." if hasattr(result, "effort") else ""
    return f"{result.visits.sum():,} simulations." if any(counts) and hasattr(result, "visits") else effort


def told_line(
    position: Position, line: Iterable[int], names: Sequence[str], *, open_cards: bool = False
) -> Iterator[tuple[str, str]]:
    """The moves of a line as `Reasons` has them, each in its position, as far as they lead on from one to the next."""
    twin, path = position.copy(), list[str]()
    for move in map(int, line):
        if move not in twin.legal_moves:
            return
        path.append(str(move) * (not twin.chance_to_move))
        yield twin.sentence(move, names, plain=position.game.hidden and not open_cards), ",".join(path) * all(path)
        twin.play(move)


def advice_on(diagram: Diagram, move: int, look: str = "hint") -> list[Shape]:
    """Rings around the places of a move, and an arrow from one to the other; their looks begin with `look`."""
    places = [diagram.places[name] for name in diagram.ways.get(move, diagram.spots.get(move, ()))]
    rings = [
        Shape.of("rect", f"{look}-ring", x=one.x, y=one.y, width=one.width, height=one.height, rx=corner)
        for one in places
        for corner in [min(one.width, one.height) / 2 if one.oval else 3.0]
    ]
    return rings + (_arrow(places[0], places[1], look) if move in diagram.ways and len(places) == 2 else [])


def _arrow(one: Place, other: Place, look: str) -> list[Shape]:
    """From the edge of one place to that of the other, and into one that is near; nothing from a place to itself."""
    start, end = complex(*one.middle), complex(*other.middle)
    length = abs(end - start)
    if length < 1:
        return []
    ahead = (end - start) / length
    edge, inside = (
        min(span / 2 / max(abs(part), 0.01) for span, part in ((place.width, ahead.real), (place.height, ahead.imag)))
        for place in (one, other)
    )
    tip = start + min(length, max(edge + 8, length - inside)) * ahead
    tail, neck = start + edge * ahead, tip - 5 * ahead
    corners = " ".join(f"{at.real:.2f},{at.imag:.2f}" for back in (0, 6 + 3j, 6 - 3j) for at in [tip - back * ahead])
    return [
        Shape.of("line", f"{look}-line", x1=tail.real, y1=tail.imag, x2=neck.real, y2=neck.imag),
        Shape.of("polygon", look, corners, x=tip.real, y=tip.imag),
    ]
