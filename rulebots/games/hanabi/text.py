"""Hanabi for people: the table in text, and moves as `p1`, `d1`, `h1r`, `h23`.

Seats are named from the viewer's seat: you, then 1, 2 and so on in the order of play.
"""

import re
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from rulebots.errors import UsageError
from rulebots.game import State
from rulebots.game.seats import seat_after
from rulebots.game.text import in_words
from rulebots.games.hanabi.cards import (
    COLOUR_HINTS,
    COLOUR_NAMES,
    COLOURS,
    COPIES,
    DISCARD,
    EVERY,
    HINT,
    HINT_RANK,
    LETTERS,
    LIVES,
    PLAY,
    PLAYS,
    POINTS,
    RANK_HINTS,
    RANKS,
    SUIT,
    TOKENS,
    card_text,
    cards_with,
    colour_of,
    parts_of_hint,
    rank_of,
    size_of,
    useless,
)
from rulebots.games.hanabi.conventions import NOTHING, SAVE_IT, chop_of

_LAID = re.compile(r"(p|play|d|discard)([1-5])")
_HINTED = re.compile(rf"(?:h|hint)([1-4]?)([1-5]|[{LETTERS.lower()}]|{'|'.join(COLOUR_NAMES)})")
_RANK_NAMES = ("one", "two", "three", "four", "five")
#: What the table calls the seats, from the viewer on.
PLACES = ("You", "Player 1", "Player 2", "Player 3", "Player 4")
#: The width of a card's column.
_WIDTH = 12


def show(state: State, seat: int | None) -> str:
    """The table as that seat sees it: the hands of the others, and what is known of each card of every hand.

    Under a card stands what hints have told of it: `R?` is red, `?3` a 3. Below that stand the colours and the ranks
    that it may still have by all hints. With seat None all hands are shown, by seat.
    """
    names = [f"Seat {other}" if seat is None else PLACES[(other - seat) % state.seats] for other in range(state.seats)]
    lines = [
        f"Fireworks  {fireworks_text(state)}   {sum(state.fireworks)} of {POINTS}",
        f"Discards   {discards_text(state)}",
        f"Tokens     {state.tokens} of {TOKENS}   Lives {state.lives} of {LIVES}   Deck {deck_text(state)}",
        "",
        " " * 10 + "".join(f"{i + 1:<{_WIDTH}}" for i in range(state.hand_size)).rstrip(),
    ]
    for k in range(state.seats):
        whose = seat_after(seat or 0, k, state.seats)
        places = range(state.held[whose])
        rows = [[hinted_text(state, whose, i) for i in places], [possible_text(state, whose, i) for i in places]]
        if whose != seat:
            rows.insert(0, [card_text(int(state.hands[whose, i])) for i in places])
        lines += [
            f"{'' if i else names[whose]:<10}{''.join(f'{cell:<{_WIDTH}}' for cell in row)}".rstrip()
            for i, row in enumerate(rows)
        ]
    return "\n".join([*lines, "", *last_moves(state, names), turn_text(state, names)])


def hinted_text(state: State, seat: int, place: int) -> str:
    """What hints have named of a card: `R3`, `R?`, `?3`, or `??`."""
    named = int(state.touched[seat, place])
    colour = LETTERS[int(state.colours[seat, place]).bit_length() - 1] if named & 1 else "?"
    return colour + (str(int(state.ranks[seat, place]).bit_length()) if named & 2 else "?")


def told_text(state: State, seat: int, place: int) -> str:
    """What hints have told of a card, in words: `hinted red, colour red, number 2 or 3`."""
    names = dict(zip(LETTERS, COLOUR_NAMES, strict=True))
    hints = [names.get(part, part) for part in hinted_text(state, seat, place) if part != "?"]
    colours, ranks = (
        " or ".join(names.get(one, one) for one in part) if len(part) < COLOURS else "unknown"
        for part in possible_text(state, seat, place).split()
    )
    return f"{'hinted ' * bool(hints)}{' '.join(hints) or 'not hinted'}, colour {colours}, number {ranks}"


def possible_text(state: State, seat: int, place: int) -> str:
    """The colours and the ranks that hints have left possible for a card: `RYG 1234`."""
    colours = int(state.colours[seat, place])
    ranks = int(state.ranks[seat, place])
    letters = "".join(LETTERS[i] for i in range(COLOURS) if colours >> i & 1)
    return f"{letters} {''.join(str(i + 1) for i in range(RANKS) if ranks >> i & 1)}"


def fireworks_text(state: State) -> str:
    """How high each firework is: `R1 Y0 G2 W0 B5`."""
    return " ".join(f"{letter}{height}" for letter, height in zip(LETTERS, state.fireworks, strict=True))


def discards_text(state: State) -> str:
    """The discarded cards by colour and rank: `R114 B3`, or `none`."""
    ranks = [
        "".join(str(rank + 1) * int(state.discards[RANKS * colour + rank]) for rank in range(RANKS))
        for colour in range(COLOURS)
    ]
    return " ".join(LETTERS[colour] + ranks[colour] for colour in range(COLOURS) if ranks[colour]) or "none"


def deck_text(state: State) -> str:
    """How many cards are left, or how many turns once there are none."""
    return f"{state.deck_left}" if state.deck_left else f"0, turns left: {state.turns_left}"


def last_moves(state: State, names: Sequence[str]) -> Iterator[str]:
    """What the seats did last, the earliest first, in words; `names` by seat."""
    for k in range(state.seats):
        seat = seat_after(int(state.mover), k, state.seats)
        if state.last_kind[seat] >= 0:
            yield f"{names[seat]} {_last_move(state, seat, names)}"


def _last_move(state: State, seat: int, names: Sequence[str]) -> str:
    kind = int(state.last_kind[seat])
    card = int(state.last_card[seat])
    if kind == DISCARD:
        return f"discarded {card_text(card)}"
    if kind == PLAY:
        return f"played {card_text(card)}{'' if state.last_success[seat] else ', which does not fit: a life is lost'}"
    target = names[state.last_target[seat]]
    meant = meaning_text(state, seat)
    to, touched = target[0].lower() + target[1:], touched_text(state, seat)
    return f"{hint_text(state, seat)} to {to}: {touched}{f'; meant: {meant}' * bool(meant)}"


def hint_text(state: State, seat: int) -> str:
    """What a seat has hinted: `hinted 3s`."""
    value = state.last_value[seat]
    return f"hinted {f'{value + 1}s' if state.last_kind[seat] == HINT_RANK else COLOUR_NAMES[value]}"


def touched_text(state: State, seat: int) -> str:
    """The places that a seat's hint touched, of cards still held; those touched for the first time with a star."""
    touched = state.last_touched[seat]
    new = state.last_new[seat]
    places = [f"{i + 1}{'*' * (new >> i & 1)}" for i in range(state.hand_size) if touched >> i & 1]
    return f"card {' '.join(places)}" if places else "cards that are gone"


def meaning_text(state: State, seat: int) -> str:
    """What a seat's hint means by convention, of cards still held: `play card 3`; "" for no more than it names."""
    if state.last_kind[seat] < HINT:
        return ""
    target = int(state.last_target[seat])
    focus = int(state.focus[seat])
    if state.said[seat] != NOTHING:
        what = "keep card {}, the last of its kind" if state.said[seat] == SAVE_IT else "play card {}"
        return what.format(focus + 1) if focus >= 0 else ""
    named = [i for i in range(state.held[target]) if state.last_touched[seat] >> i & 1]
    parts = (
        (words, [str(i + 1) for i in named if not int(state.meant[target, i]) & ~int(cards)])
        for words, cards in (("play", state.wanted), ("no use for", state.useless))
    )
    return "; ".join(f"{words} card{'s' * (len(places) > 1)} {', '.join(places)}" for words, places in parts if places)


def task(state: State) -> str:
    """What the mover may do; a hint costs a token."""
    lay = "play" if state.tokens == TOKENS else "play or discard"
    return f"choose your card to {lay}{', or a hand to give a hint about' * bool(state.tokens)}"


def sentence(state: State, move: int, play: Callable[[State, int], None]) -> str:
    """The card that a move lays, or what a hint tells and means. `play` makes the move."""
    if move < COLOUR_HINTS:
        place = move % PLAYS
        card = int(state.hands[state.mover, place])
        what = f"card {place + 1}, {_named(card)}"
        lost = harm(state, move)
        if move < PLAYS:
            return f"discard(s) {what}{f': {lost}' * bool(lost)}"
        return f"play(s) {what}{f', which does not fit: {lost}' * bool(lost)}"
    seat = int(state.mover)
    after = state.copy()
    play(after, move)
    k, value, by_rank = parts_of_hint(move)
    target = seat_after(seat, k, state.seats)
    places = [str(i + 1) for i in range(state.held[target]) if after.last_touched[seat] >> i & 1]
    one = len(places) == 1
    named = f"{'a ' * one}{_RANK_NAMES[value]}{'s' * (not one)}" if by_rank else COLOUR_NAMES[value]
    cards = f"card {places[0]} is" if one else f"cards {in_words(places)} are"
    meant = meaning_text(after, seat)
    return f"tell(s) {{{target}}} that {cards} {named}{f', which means: {meant}' * bool(meant)}"


def harm(state: State, move: int) -> str:
    """What a card costs that does not fit, or that is discarded and was the last of a kind that was still needed.

    With the third life that is all points, or none of them with `bombs`.
    """
    card, plays = int(state.hands[state.mover, move % PLAYS]), move >= PLAYS
    if move >= COLOUR_HINTS or (plays and state.fireworks[colour_of(card)] == rank_of(card)):
        return ""
    played = int(sum(state.fireworks))
    if plays and state.lives == 1:
        return f"the third life is lost{f': 0 points instead of {played}' * bool(played and not state.bombs)}"
    above = (SUIT << RANKS * colour_of(card)) >> card << card
    last = state.discards[card] + 1 == COPIES[rank_of(card)]
    gone = int(size_of(above & (EVERY ^ useless(state)))) if last else 0
    costs = ["a life is lost"] * plays + [f"{gone} point{'s' * (gone > 1)} can no longer be made"] * bool(gone)
    return " and ".join(costs)


def grounds(state: State, move: int) -> str:
    """The cards that a hint points at; of one that is laid, what the last hints mean, or what it should be."""
    place, mover = move % PLAYS, state.mover
    if move >= COLOUR_HINTS:
        k, value, by_rank = parts_of_hint(move)
        target = seat_after(int(mover), k, state.seats)
        hand = state.hands[target, : state.held[target]].tolist()
        cards = cards_with(value, by_rank)
        told, beside, chop, goes = list[str](), list[str](), int(chop_of(state, target)), ""
        for i, card in enumerate(hand):
            more = int(state.fireworks[colour_of(card)]) - rank_of(card)
            last = state.discards[card] + 1 == COPIES[rank_of(card)]
            use = "of no use" if more > 0 else "fits" if not more else "the last one" * bool(last)
            # Of two that are alike one is left to fit.
            use *= card not in hand[i + 1 :]
            if i == chop and k == 1 and (last or not more) and more <= 0:
                goes = f" Otherwise {{{target}}} might discard card {i + 1}, {_named(card)}{f' ({use})' * bool(use)}."
            known, before = int(state.useless if more > 0 else state.wanted), int(state.meant[target, i])
            if cards >> card & 1:
                told.append(f"{_named(card)}{f' ({use})' * bool(use)} as card {i + 1}")
            elif use and before & ~known and not before & ~known & ~cards:
                beside.append(f"card {i + 1}, {_named(card)}, {'is ' * (more > 0)}{use}")
        also = f" It also shows that {in_words(beside)}." * bool(beside)
        full = " With all tokens there, nothing may be discarded." * bool(
            "fits" not in f"{told}{beside}" and state.tokens == TOKENS
        )
        return f"{{{target}}} hold(s) {in_words(told)}.{goes}{also}{full}"
    if move < PLAYS and not state.touched[mover, place]:
        return f"No hint has touched card {place + 1}; tokens left: {state.tokens}."
    hints = [
        f"{{{seat}}} {hint_text(state, seat)}, which means: {meaning_text(state, seat)}."
        for seat in range(state.seats)
        if state.last_target[seat] == mover
        and meaning_text(state, seat).startswith("play" if move >= PLAYS else "keep")
    ]
    for hint in hints:
        if f"{place + 1}" in re.split("means: |;", hint)[1]:
            return hint
    in_view = [*np.delete(state.hands, mover, 0).ravel()]
    beyond = {card: rank_of(card) - int(state.fireworks[colour_of(card)]) for card in range(len(state.discards))}
    unseen = {
        card: COPIES[rank_of(card)] - state.discards[card] - in_view.count(card) - (more < 0)
        for card, more in beyond.items()
        if state.meant[mover, place] >> card & 1 and (move < PLAYS or more >= 0)
    }
    which = in_words([_named(card) for card, left in unseen.items() if left > 0]).replace(" and ", " or ")
    fit, out = sum(left for card, left in unseen.items() if not beyond[card]), sum(unseen.values())
    told = [
        f"No hint has touched card {place + 1}." * (not state.touched[mover, place]),
        f"As the hints are meant, with the cards in view, card {place + 1} should be {which}."
        * (0 < which.count("the") < RANKS),
        f"{fit or 'None'} of the {out} unseen cards that it may be fit{'s' * bool(fit == 1)}."
        * bool(move >= PLAYS and fit < out),
        *(f"Besides, {hint}" for hint in hints if move >= PLAYS),
    ]
    return " ".join(filter(None, told))


def _named(card: int) -> str:
    return f"the {COLOUR_NAMES[colour_of(card)]} {rank_of(card) + 1}"


def turn_text(state: State, names: Sequence[str]) -> str:
    """The side to move, or how the game has ended."""
    played = int(sum(state.fireworks))
    if state.lives == 0:
        return f"The third life is lost, with {played} of {POINTS} cards played"
    if state.turns_left == 0 or played == POINTS:
        return f"The show is over: {played} points"
    return f"{names[int(state.mover)]} to move"


def write(move: int) -> str:
    """`d1` discards the oldest card, `p5` plays the fifth; `h1r` tells the next seat of red, `h24` the second of 4s."""
    if move < COLOUR_HINTS:
        return f"{'p' if move >= PLAYS else 'd'}{move % PLAYS + 1}"
    k, value, by_rank = parts_of_hint(move)
    return f"h{k}{value + 1 if by_rank else LETTERS[value].lower()}"


def read(text: str, state: State) -> int:
    """The move that a text means, legal or not; case and blanks do not matter, nor whether words are written out.

    With two seats the receiver may be left out: `hr`, `h3`.

    Raises:
        UsageError: the text is not a move.
    """
    word = "".join(text.split()).lower()
    laid = _LAID.fullmatch(word)
    hinted = _HINTED.fullmatch(word)
    if laid is not None:
        return (PLAYS if laid[1][0] == "p" else 0) + int(laid[2]) - 1
    if hinted is None or (state.seats > 2 and not hinted[1]):
        others = "1" if state.seats == 2 else f"1 to {state.seats - 1}"
        raise UsageError(
            f"expected a card to play ('p1', the oldest), to discard ('d1'), or a hint ('h1r': red to player 1, 'h13': "
            f"the 3s; players {others}; colours {' '.join(LETTERS.lower())}), not {text.strip()!r}"
        )
    k = int(hinted[1] or 1) - 1
    value = hinted[2]
    if value.isdigit():
        return RANK_HINTS + RANKS * k + int(value) - 1
    return COLOUR_HINTS + COLOURS * k + LETTERS.lower().index(value[0])


def refusal(state: State, move: int) -> str:
    """Why a move is not legal."""
    seat = int(state.mover)
    if move < COLOUR_HINTS:
        if move % PLAYS >= state.held[seat]:
            return f"you hold {state.held[seat]} cards, 1 the oldest"
        return "all tokens are there: with 8 nothing may be discarded"
    k, value, by_rank = parts_of_hint(move)
    if k >= state.seats:
        return (
            f"there are {state.seats - 1} players beside you" if state.seats > 2 else "there is one player beside you"
        )
    if state.tokens == 0:
        return "there is no token left to hint with: play or discard"
    return f"player {k} holds no {f'{value + 1}s' if by_rank else f'{COLOUR_NAMES[value]} card'}"
