"""Reasons in sentences for people: what moves do, what rules and searches say of them, and what comes of them."""

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np

from rulebots.game import Floats
from rulebots.game.position import Position
from rulebots.game.text import PERSON, spoken
from rulebots.players.explaining import Explanation, Term, choice, total

#: What a move has proven to lead to, by its mover's share of the first place.
RESULTS = {0.0: "a loss", 0.5: "a draw", 1.0: "a win"}
#: What most moves lack and the rival has as well counts by so much less as a reason.
SHARED = 2
#: A number in the words of a rule: its value, times the first part, of the second.
NUMBER = r"<(\d+)([^>]*)>"
#: From where on a share is rightly called high: the value of a rule such as "throw(s) off a [higher|lower|high] card".
HIGH = 0.5
#: How a sentence begins about a move that is not much better than the one that it speaks against.
CLOSE_CALLS = {"almost as good": "it is close", "just as good": "a toss-up"}
#: How little a player's own weights count beside a rule that looks ahead.
TIE_BREAK = 1e-6
#: How often a position is redealt to find out whether a deed depends on what is hidden.
REDEALT = 24


def deeds_to_mover(
    position: Position, moves: Sequence[int], names: Sequence[str] = (), *, doing: bool = False
) -> tuple[str, ...]:
    """What each legal move does (see `Position.deed`), without what is hidden from the mover; "" if nothing is left.

    Told is what is the same in `REDEALT` positions that look alike to the mover: all, or what stands before a comma, as
    in `play card 2, the red 1`.
    """
    game = position.game
    if game.text.sentence is None or (game.hidden and game.redeal is None):
        return ("",) * len(moves)
    twins = [position.redealt(number) for number in range(1, REDEALT + 1)] if game.hidden else []
    told = [{one.deed(move, names, doing=doing) for one in (position, *twins)} for move in moves]
    heads = [{deed.partition(",")[0] for deed in deeds} for deeds in told]
    same = [deeds if len(deeds) == 1 else beginning for deeds, beginning in zip(told, heads, strict=True)]
    return tuple("" if len(one) > 1 else one.pop() for one in same)


def deeds_of(position: Position, moves: Sequence[int], names: Sequence[str], *, doing: bool = False) -> list[str]:
    """What moves do, for their player, who may have to guess its own cards: `sow pit 2`, or `sowing pit 2`."""
    deeds = deeds_to_mover(position, moves, names, doing=doing)
    return [deed or f"play{'ing' * doing} {position.write(move)}" for move, deed in zip(moves, deeds, strict=True)]


def doing_of(position: Position, move: int, names: Sequence[str]) -> str:
    """What is done by a move, without what comes of it: `sowing pit 2`."""
    return plainly(*deeds_of(position, [move], names, doing=True))


def expectation(value: float, *, points: bool, proven: bool = False) -> str:
    """What a search expects of a move: points, a chance to win or, if that is `proven`, the result.

    It is "" for a move that it has not tried.
    """
    return (proven and RESULTS.get(value)) or (
        "" if math.isnan(value) else f"{value:+.1f}".removesuffix(".0") if points else f"{100 * value:.0f} %"
    )


def sentence_of(
    explained: Explanation,
    name: str,
    second: str,
    near: str,
    grounds: Callable[[str], tuple[str, bool]] = lambda _: ("", False),
    more: str = "",
) -> str:
    """Why the player of that name makes its move rather than its rival, `second`, in sentences.

    After its reason comes what it knows, its `grounds`, which call it `Ben` or `it`, and whether they may go on a
    single reason; then `more`, and whether the next best move, `near`, is about as good. Both moves are as in
    `sowing pit 2`.
    """
    facts = " ".join(filter(None, (_begun(grounds(name)[0]), more)))
    if len(explained.moves) == 1:
        return "It is the only legal move."
    apart = explained.between(*explained.moves)
    if not apart:
        told = "see no difference" if explained.rules.decide is None else "do not decide"
        return f"{facts} Its rules {told} between this and {plainly(second)}.".lstrip()
    reasons = leading(explained)
    # What the rival has as well, and few others, is a reason where it outweighs all else, such as a second way to win.
    differing = {term.rule.key for term in explained.contrast}
    shared = told_once(
        replace(term, shares=term.shares[:1] * 2, values=term.values[:1] * 2, amount=term.amount / SHARED)
        for term in apart
        if term.rule.key not in differing and term.weight * term.shares[0] > 0 and term.values[0] > 0
        # A number or a degree that is the same for both is none.
        if "<" not in term.rule.says and len({*term.forms}) == len(term.forms)
    )
    own = strongest(explained, reasons)
    reason = strongest(explained, [*reasons, *shared])
    if reason is None:
        return f"What speaks for it and for {plainly(second)} weighs the same. {facts}".rstrip()
    if reason.unusual:
        habit = words_of(replace(reason, weight=-reason.weight), name, second, whole=True)
        return f"A habit of this player, against the common rule: {habit}. {facts}".rstrip()
    also = besides(reason, reasons, total(explained.contrast))
    if reason in shared and own:
        reason, also = (own, None) if own.of_other and not own.unusual else (reason, own)
    close = CLOSE_CALLS.get(explained.tie, "") if near == second else ""
    tie = f" {_begun(plainly(near))} is {explained.tie}." if explained.tie and not close else ""
    said = said_of(reason, also, name, second, asked=explained.against is not None)
    if not reason.of_other:
        known, joins = grounds(name if name == PERSON else "it")
        facts = " ".join(filter(None, (_begun(known), more)))
        if joins and also is None and not close:
            said, facts = f"{said}: {known.removesuffix('.')}", more
    if close:
        named = re.sub(r"^\w+ing ", "", plainly(second)) in said
        said = f"{close}{'' if named else f' with {plainly(second)}'}: {said}"
    return f"{_begun(said)}.{f' {facts}' * bool(facts)}{tie}"


def besides(reason: Term, terms: Sequence[Term], lead: float) -> Term | None:
    """What must be told besides a reason: what outweighs it, or one without which the `lead` of its move were none.

    The `terms` are the largest first.
    """
    others = (term for term in terms if term is not reason and not term.taste)
    return next((term for term in others if term.amount < -reason.amount or term.amount > lead), None)


def said_of(reason: Term, also: Term | None, name: str, second: str, *, asked: bool = False) -> str:
    """What a reason says of a player's move beside another, `second`, `asked` about or not, and besides."""
    said = words_of(reason, name, second, whole=True, asked=asked)
    if also is None or spoken(_says(also, ""), [PERSON], 0, doing=True) == plainly(second):
        return said
    if also.unusual:
        return f"{said}; only this player's own weights tell the two apart"
    words = words_of(also, PERSON if name == PERSON else "it", "that" if plainly(second) in said else second)
    return f"{said}, {'though' if also.amount < 0 else 'and'} " + re.sub("; (by .*)", r" (\1)", words)


def _begun(said: str) -> str:
    """Words at the beginning of a sentence."""
    return f"{said[:1].upper()}{said[1:]}"


def main_reason(explained: Explanation, position: Position, names: Sequence[str], name: str) -> str:
    """Why the player of that name makes the chosen move rather than its rival, and what comes of it, in sentences."""
    moves = [explained.moves[min(place, len(explained.moves) - 1)] for place in (explained.rival, explained.near)]
    second, near = deeds_of(position, moves, names, doing=True)
    ending = ending_of(position, explained.chosen, names)
    turns = next((term.rule.ahead for term in leading(explained)), 1)
    own = _among_its_kind(explained, position, names, name)
    more = ending or outlook(explained, position, (explained.chosen, moves[0]), turns, names, name)

    def grounds(called: str) -> tuple[str, bool]:
        """What it knows, where it is called so, after what tells its move from others of its kind."""
        seats = [called if seat == position.mover else one for seat, one in enumerate(names)]
        known, joins = _known(position, explained.chosen, seats, moves[0])
        return (f"{own} {_begun(known)}".rstrip(), False) if own else (known, joins)

    said = sentence_of(explained, name, second, near, grounds, more)
    # How a win compares with another move does not matter any more: nobody answers it.
    if ending and "still" not in ending and (re.search(" than |; by ", said) or said.count(" the game") > 1):
        return ending
    return naming(surely(said, position, moves[0], names), position, names)


def _among_its_kind(explained: Explanation, position: Position, names: Sequence[str], name: str) -> str:
    """What speaks for the chosen move beside the next of its kind, in a sentence, where the reason is about its kind.

    That a hint would spend a token does not tell why this card is discarded. It is "" where nothing else tells it.
    """
    reason = next(iter(leading(explained)), None)
    kind = (explained.shares == explained.shares[0]).all(axis=1).tolist()
    if (
        reason is None
        or not any(kind[1:])
        or kind[explained.rival]
        or (not reason.of_other and _differs(explained, reason))
    ):
        return ""
    other = explained.moves[kind.index(True, 1)]
    own = strongest(explained, told_once(explained.between(explained.chosen, other)))
    doing = doing_of(position, other, names)
    return f"{_begun(words_of(own, name, doing, whole=True))}." if own and not own.unusual else ""


def grounds_of(position: Position, move: int, names: Sequence[str], other: int | None = None) -> str:
    """Facts that a move's player knows, as its game tells them, in sentences; "" where there are none.

    Nor does it tell what is the same for the `other` move of its kind.
    """
    return _begun(_known(position, move, names, other)[0])


def _known(position: Position, move: int, names: Sequence[str], other: int | None) -> tuple[str, bool]:
    """The same, and whether it is what a seat holds or did, which may go on a reason: `: Ben holds g7 in line`."""
    kind, grounds = position.game.kind, position.game.text.grounds
    told = [grounds(position.state, one) for one in (move, other) if grounds and one is not None]
    if not told or (other is not None and told[0] == told[1] and kind(move) == kind(other)):
        return "", False
    said, joins = spoken(told[0], names, position.mover), told[0].startswith("{") and ":" not in told[0]
    subject = names[int(told[0][1])] if joins else ""
    return re.sub(r"\. it\b", ". It", f"{subject}{said[len(subject) :]}" if joins else said), joins


def surely(said: str, position: Position, move: int, names: Sequence[str]) -> str:
    """Words about a risk that another move, `move`, would run, or about what it takes where its game is sure of it."""
    facts = grounds_of(position, move, names)
    risk = "would (?:risk|run a (?:higher )?risk of) taking" + "(?! points)" * (not re.search(r"holds \d", facts))
    return re.sub(risk, "would take", said) if re.search("for certain|Nobody can beat", facts) else said


def naming(said: str, position: Position, names: Sequence[str]) -> str:
    """Words that name the other player, where there is one: `Ann's best reply` for `the opponent's best reply`."""
    if len(names) != 2:
        return said
    other = names[1 - position.mover]
    if position.game.aim == "together":
        said = said.replace("the next player's", "yours" if other == PERSON else f"{other}'s")
        return re.sub("a teammate|the next player", other, said)
    if other != PERSON:
        return said.replace("the opponent", other)
    said = re.sub(r"the opponent's(?= \w)", "your", said).replace("the opponent's", "yours")
    said = re.sub(r"the opponent (\w+)s\b", rf"{PERSON} \1", said.replace("the opponent has", f"{PERSON} have"))
    return said.replace("the opponent", PERSON)


def line_after(
    explained: Explanation, position: Position, move: int, turns: int = 2, *, best: bool = False
) -> list[tuple[int, Position, int]]:
    """A move, and what the rules would play after it in so many turns: each turn, its position and the move.

    It ends where they would see what is hidden, or chance is to move. At its `best`, a turn is played by the rule that
    looks ahead over all that are left, if there is one.
    """
    twin, line, turn = position.after(move), [(0, position, move)], 0
    while not (position.game.hidden or twin.over or twin.chance_to_move):
        turn += twin.mover != line[-1][1].mover
        if turn >= turns:
            break
        weights = _looking(explained, turns - turn) if best else explained.weights
        line.append((turn, twin.copy(), choice(explained.rules, weights, twin.view(), twin.legal_moves)))
        twin.play(line[-1][2])
    return line


def _looking(explained: Explanation, turns: int) -> Floats:
    """Weights that play by the first rule for what so many turns bring, if there is one, and else the player's own."""
    rules = explained.rules.rules
    ahead = next((one for one in rules if one.ahead == turns and one.early + one.late >= 0), None)
    # Where it sees no difference, the others decide.
    return explained.weights * TIE_BREAK + np.array([one is ahead for one in rules])


def outlook(
    explained: Explanation, position: Position, moves: Sequence[int], turns: int, names: Sequence[str], name: str
) -> str:
    """What a turn of the better of two moves of `name` goes on to bring, or the answer to the other, in a sentence.

    An answer that wins is told first. Else so the rules expect it that look so many turns ahead: that of the two which
    makes more difference in points; "" for none.
    """
    other = doing_of(position, moves[1], names)
    if answer := winning_answer(position, moves[1], names):
        return f"After {other}, {answer}."
    lines = [line_after(explained, position, move, turns, best=True) if turns > 1 else [] for move in moves]
    own, its = (
        [sum(gain_of(before, move, position.mover) for at, before, move in line if at == turn) for turn in (0, 1)]
        for line in lines
    )
    leads = [one - other for one, other in zip(own, its, strict=True)]
    turn = int(leads[1] > leads[0])
    told = [(before, move) for at, before, move in lines[turn] if at == turn][1 - turn :]
    points = (1 - 2 * turn) * sum(gain_of(*one, position.mover) for one in told)
    if min(points, leads[turn]) < 1:
        return ""
    after = f"After {other}, {names[told[0][0].mover]}"
    deeds = ", then ".join(plainly(*deeds_of(before, [move], names)) for before, move in told)
    return f"{after if turn else f'Then {name}'} could {deeds}: {points} point{'s' * (points > 1)}."


def payoff(position: Position, line: Sequence[int], seat: int, names: Sequence[str], least: float) -> str:
    """The move that brings a seat most in points after the first of a line: `Ben could sow pit 3 and capture 5`.

    It is "" if none brings more than the `least`.
    """
    twin, most, told = position.copy(), least, ""
    for at, move in enumerate(line):
        gain = gain_of(twin, move, seat)
        if at and twin.mover == seat and gain > most:
            [deed] = deeds_of(twin, [move], names)
            most, told = gain, f"{names[seat]} could {'later ' * (at > 1)}{plainly(deed)}"
        twin.play(move)
    return told


def gain_of(position: Position, move: int, seat: int) -> int:
    """What a move brings a seat at once beyond what it brings another one, in points."""
    return _margin(position.after(move), seat) - _margin(position, seat)


def _margin(position: Position, seat: int) -> int:
    """A seat's points beyond the most of another one."""
    points = position.points
    return points[seat] - max((other for one, other in enumerate(points) if one != seat), default=0)


def ending_of(position: Position, move: int, names: Sequence[str]) -> str:
    """What a legal move leads to at once, in a sentence: that it wins, or that another seat wins all the same.

    It is "" for neither, and where something is hidden.
    """
    if not position.game.hidden and _won(position.after(move), position.mover):
        return _begun(spoken("{0} win(s) the game with it.", [names[position.mover]], 0))
    answer = winning_answer(position, move, names)
    return answer and f"{_begun(answer).replace(' can', ' can still', 1)}."


def winning_answer(position: Position, move: int, names: Sequence[str]) -> str:
    """How another seat wins at once after a move: `Ben can win at once by playing c2`; "" for none."""
    twin = position.after(move)
    if position.game.hidden or twin.over or twin.chance_to_move or twin.mover == position.mover:
        return ""
    for reply in twin.legal_moves.tolist():
        if _won(twin.after(reply), twin.mover):
            return f"{names[twin.mover]} can win at once by {doing_of(twin, reply, names)}"
    return ""


def _won(position: Position, seat: int) -> bool:
    """Whether the game is over, and a seat has more points than each other one."""
    return position.over and position.seats > 1 and _margin(position, seat) > 0


def slip(deed: str, sentence: str) -> str:
    """That a careless player moved at random, and why `deed` was its own choice, a `sentence`."""
    sentence = sentence.replace(" wins the game with it.", " would have won the game with it.")
    return f"A slip: at this level it sometimes moves at random. Its own choice was to {plainly(deed)}. {sentence}"


def leading(explained: Explanation) -> list[Term]:
    """What sets the chosen move apart from its rival, told once: first the main reason for it, then the largest.

    Rules of one group that are true of all its moves alike, such as two about the price of any hint, count as one: the
    largest on the side that weighs more, with their sum.
    """
    apart, alike = list[Term](), dict[str, list[Term]]()
    for term in explained.contrast:
        (apart if _differs(explained, term) else alike.setdefault(term.rule.group, [])).append(term)
    for terms in alike.values():
        lead = total(terms)
        apart += [replace(term, amount=lead) for term in terms if term.amount * lead > 0][:1]
    told = told_once(apart)
    best = strongest(explained, told)
    return sorted(told, key=lambda term: term is not best)


def _differs(explained: Explanation, term: Term) -> bool:
    """Whether a rule says different things of the moves that it judges."""
    column = explained.rules.rules.index(term.rule)
    return bool(np.ptp(explained.values[explained.shares[:, column] != 0, column]))


def told_once(terms: Iterable[Term]) -> list[Term]:
    """Terms, the largest first, with one for all rules that say the same: the largest of them, with their sum."""
    same = dict[str, list[Term]]()
    for term in terms:
        same.setdefault(words_of(term, "", ""), []).append(term)
    return sorted(
        (replace(alike[0], amount=total(alike)) for alike in same.values()),
        key=lambda term: -abs(term.amount),
    )


def plainly(deed: str) -> str:
    """A deed without what comes of it: `play the red 1`."""
    return re.split(", which|: ", deed)[0]


def _says(term: Term, name: str, of: int | None = None) -> str:
    """The words of a rule, fit for the values of a term, or for its number `of` 0 or 1, of a player."""
    says, forms, compared = term.rule.says, term.forms, term.compared
    if not says:
        return term.rule.words
    value = term.values[term.of_other if of is None else of]
    if number := re.search(NUMBER, says):
        count, noun = round(abs(value) * int(number[1])), number[2]
        counted = f"{count or 'no'}{noun.removesuffix('s') if count == 1 else noun}" if noun else f"{count or 'none'}"
        says, compared = says.replace(number[0], counted), False
    above = value > term.values[1] if compared else value > 0 or (number and not value)
    form = forms[-1 if above and not compared and forms[2:] else not above] if forms else ""
    says = re.sub(r"\[.*?\]", form, says)
    return re.sub(r"\bmy\b", "your" if name == PERSON else "its", " ".join(says.split()))


def words_of(term: Term, name: str, second: str, *, whole: bool = False, asked: bool = False) -> str:
    """What a rule says of the move of the player of that name beside another, `second`.

    As a `whole` sentence it says of both how they compare; that the rule is not true of the other one is told where
    that is `asked` about. A rule without words is quoted.
    """
    of_other, compared = term.of_other, term.compared
    # Against the common rule it has another purpose.
    says = re.sub(", to .*", "", _says(term, name)) if term.unusual else _says(term, name)
    second = plainly(second)
    likes = "{0} avoid(s) " + second if of_other else "{0} like(s) this"
    taste = f", which this player {'likes' if (term.amount > 0) != of_other else 'avoids'}" * (
        bool(term.rule.says) and term.unusual
    )
    if not term.rule.says:
        said = f"{spoken(likes, [name], 0)}: {says}" if whole else f"{second}: {says}" if of_other else says
    elif of_other:
        repeats = second == spoken(says, [PERSON], 0, doing=True)
        said = (
            spoken(f"{{0}} avoid(s) {second}", [name], 0) if repeats else f"{second} would {spoken(says, [PERSON], 0)}"
        )
    else:
        said = spoken(f"{{0}} {says}", [name], 0)
    said = re.sub("^You ", "you ", said)
    if compared and (number := re.search(NUMBER, term.rule.says)):
        # The other move's number, without what it counts.
        bare = replace(term.rule, says=f"{term.rule.says[: number.start()]}<{number[1]}>")
        brief = spoken(_says(replace(term, rule=bare), name, 1), [PERSON], 0)
        return f"{said}{taste}; by {second} {PERSON if name == PERSON else 'it'} would {brief}"
    if not whole or of_other or term.shares[0] != term.shares[1]:
        return said + taste
    by = f"{'by' if term.rule.says else 'with'} {second}"
    if compared or term.values[1] not in (0, term.values[0]):
        # A higher card than the 4 of clubs.
        than = re.sub(r"^\w+ing (?=(the|an?|card) )", "", second) if said.endswith(" card") else by
        return f"{said}{',' * (',' in said) if compared else ', more so'} than {than}{taste}"
    if term.values[1]:
        return f"{said}, as {f'{second} would' if term.rule.says else by}{taste}"
    lacks = f"{second} would not" if term.rule.says else f"not so {by}"
    return f"{said}{taste}{f'; {lacks}' * asked}"


def strongest(explained: Explanation, terms: Sequence[Term]) -> Term | None:
    """The term that tells most for the first move, if any does: the largest, but for what it says.

    It counts half if it is a mere taste of the player's, or if it calls high what is not; a quarter if it tells what
    the other move does, unless that is asked about, or if it is true of all moves of the kind; and sixteen times less
    if its words are no reason by themselves.
    """

    def telling(term: Term) -> float:
        vague = not term.compared and any(term.forms[2:]) and abs(term.values[term.of_other]) < HIGH
        weak = term.of_other and explained.against is None, term.shares[0] and not _differs(explained, term)
        return term.amount / 2.0 ** (term.taste + vague + 4 * term.unusual + 2 * sum(map(bool, weak)))

    return max((term for term in terms if term.amount > 0), key=telling, default=None)
