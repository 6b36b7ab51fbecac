"""What the moves so far mean by convention: part of the state, because it depends on the history of the game.

It is computed from common knowledge only, never from the cards of a hand or the deck. What is known of a card by
convention is a set of cards, `meant`, a subset of what hints have left possible:

- A seat's *chop* is the card that it would discard: see `chop_of`.
- A rank hint to the next seat that touches its chop, where that could be the last of its kind, is a *warning*: it is.
- Any other hint says that its *focus* can be played, at once or after cards known to everyone: see `focus_of`.
- A seat that could have warned the next one, and did not, has said that the chop is not the last of its kind. It says
  nothing of a chop that a hint has touched: a touched card is expected to be played, not discarded.
- A newly touched card is not useless, and a card is never one whose copies are all played, discarded or known.

Where these contradict what is known for certain, the latter holds.
"""

import numpy as np

from rulebots.game import State, View
from rulebots.game.seats import seat_after
from rulebots.games.hanabi.cards import (
    COPIES_ONES,
    COPIES_TWOS,
    DISCARD,
    EVERY,
    FIVES,
    HINT,
    HINT_RANK,
    KINDS,
    MOST_CARDS,
    MOST_SEATS,
    NO_CARD,
    ONES,
    RANKS,
    cards_with,
    copies_of,
    hinted,
    last_copies,
    size_of,
    useless,
    wanted,
)
from rulebots.kernel import kernel

#: What a hint says of its focus.
NOTHING, PLAY_IT, SAVE_IT = range(3)
#: Fields of the view besides those of the law: of each place in the order of play, the mover first.
VIEW_FIELDS = [
    ("meant", np.int32, (MOST_SEATS, MOST_CARDS)),  # what a card is by convention; 0: nobody knows anything of it
    # What the table made of the cards after the last move:
    ("wanted", np.int32),  # those that can be played
    ("useless", np.int32),
    ("last", np.int32),  # those that are not useless, and the last of their kind
    ("gone_ones", np.int32),  # how many of a card are played or discarded, in binary: its ones
    ("gone_twos", np.int32),  # and its twos
]
#: Those of the state: of each seat and place of its hand, oldest card first.
STATE_FIELDS = [
    *VIEW_FIELDS,
    ("said", np.int8, (MOST_SEATS,)),  # by that seat's last move, if it hinted: NOTHING, PLAY_IT or SAVE_IT
    ("focus", np.int8, (MOST_SEATS,)),  # the place of the card it was about in the receiver's hand; NO_CARD for none
]


@kernel
def remove(state: State, seat: int, place: int) -> None:
    """A card has left its hand: the newer ones move up, and nothing is known of the last place."""
    for i in range(place, MOST_CARDS - 1):
        state.meant[seat, i] = state.meant[seat, i + 1]
    state.meant[seat, MOST_CARDS - 1] = 0
    for other in range(state.seats):
        if state.last_target[other] == seat and state.focus[other] >= place:
            state.focus[other] = state.focus[other] - 1 if state.focus[other] > place else NO_CARD


@kernel
def chop_of(table: State | View, row: int) -> int:
    """The place of the card that a hand would discard: NO_CARD where all know of something better to do.

    It is the card that is most likely useless by what all know of it, the oldest of them; no card that is known to be
    the last of its kind.
    """
    best = NO_CARD
    most = -1
    of = 1
    for i in range(table.held[row]):
        meant = int(table.meant[row, i])
        if meant & ~table.wanted == 0 or meant & ~table.useless == 0:
            return NO_CARD
        if meant & ~table.last:
            share = size_of(meant & table.useless)
            size = size_of(meant)
            if share * of > most * size:
                best = i
                most = share
                of = size
    return best


@kernel
def focus_of(
    table: State | View, row: int, chop: int, by_rank: bool, cards: int, named: int, new: int, ready: int
) -> tuple[int, int]:
    """The place of the card that a hint is about, or NO_CARD, and what it says of it: NOTHING, PLAY_IT or SAVE_IT.

    `cards` is the set of the cards of its colour or rank, `named` the set of the places that it touches, and `new`
    those that no hint has touched before; `ready` are the cards that a focus can be. `chop` is the place that it could
    warn of: NO_CARD unless it is for the next seat.
    """
    if by_rank and chop >= 0 and named >> chop & 1 and table.meant[row, chop] & cards & table.last:
        return chop, SAVE_IT
    newest = newest_new = NO_CARD
    for i in range(table.held[row]):
        before = int(table.meant[row, i])
        after = before & (cards if named >> i & 1 else ~cards)
        if after & ready and before & ~table.wanted:
            if after & ~table.wanted == 0:
                return NO_CARD, NOTHING  # it tells of a card for certain
            if named >> i & 1:
                newest = i
                newest_new = i if new >> i & 1 else newest_new
    newest = newest_new if newest_new >= 0 else newest
    return newest, PLAY_IT if newest >= 0 else NOTHING


@kernel
def meant_after(
    table: State | View, row: int, place: int, cards: int, named: int, new: int, focus: int, possible: int
) -> int:
    """What a card is by convention after a hint that says its focus is one of `possible`: see `focus_of`."""
    left = cards if named >> place & 1 else EVERY & ~cards
    result = int(table.meant[row, place]) & left
    if result == 0:
        result = hinted(table, row, place) & left
    if new >> place & 1:
        result = result & ~table.useless or result
    if place == focus:
        result = result & possible or result
    return result


@kernel
def ready_cards(table: State | View) -> int:
    """The cards that can be played now, or after cards that all know their holders can play."""
    ready = int(table.wanted)
    known = 0
    for row in range(table.seats):
        for i in range(table.held[row]):
            meant = int(table.meant[row, i])
            if meant & (meant - 1) == 0:
                known |= meant
    for _ in range(RANKS - 1):
        ready |= (ready & known & ~FIVES) << 1
    return ready


@kernel
def follow(state: State, seat: int) -> None:
    """Read the move that `seat` has just made."""
    if state.ply == 1:
        state.wanted = ONES
        state.last = FIVES
    fill(state)
    kind = state.last_kind[seat]
    following = seat_after(seat, 1, state.seats)
    hints = kind >= HINT
    state.said[seat] = NOTHING
    state.focus[seat] = NO_CARD
    if hints:
        follow_hint(state, seat, following)
    tokens = state.tokens + hints - (kind == DISCARD)  # before the move
    if not (hints and state.last_target[seat] == following) and state.deck_left > 0 and tokens > 0:
        chop = chop_of(state, following)
        if chop >= 0 and not state.touched[following, chop]:
            state.meant[following, chop] &= ~state.last
    note_table(state)
    rule_out(state)


@kernel
def follow_hint(state: State, seat: int, following: int) -> None:
    """Read the hint that `seat` has just given; `following` is the next seat."""
    target = int(state.last_target[seat])
    by_rank = state.last_kind[seat] == HINT_RANK
    cards = cards_with(int(state.last_value[seat]), by_rank)
    named = int(state.last_touched[seat])
    new = int(state.last_new[seat])
    ready = ready_cards(state)
    chop = chop_of(state, target) if target == following else NO_CARD
    focus, signal = focus_of(state, target, chop, by_rank, cards, named, new, ready)
    state.said[seat] = signal
    state.focus[seat] = focus
    possible = int(state.last) if signal == SAVE_IT else ready
    for i in range(state.held[target]):
        state.meant[target, i] = meant_after(state, target, i, cards, named, new, focus, possible)


@kernel
def risk_of(state: State, seat: int, place: int) -> float:
    """How likely a card cannot be played, by what hints and the cards on the table tell everyone."""
    cards = hinted(state, seat, place)
    # Copies not on the table: those of the pack less those gone, in binary.
    ones = state.gone_ones ^ COPIES_ONES
    twos = state.gone_twos ^ COPIES_TWOS ^ ~COPIES_ONES & state.gone_ones
    return 1.0 - copies_of(cards & wanted(state), ones, twos) / copies_of(cards, ones, twos)


@kernel
def fill(state: State) -> None:
    """All that hints have left possible is possible for cards of which nothing is known by convention."""
    for row in range(state.seats):
        for i in range(state.held[row]):
            if state.meant[row, i] == 0:
                state.meant[row, i] = hinted(state, row, i)


@kernel
def note_table(state: State) -> None:
    """Work out the sets of cards that the table makes."""
    state.wanted = wanted(state)
    state.useless = useless(state)
    state.last = last_copies(state) & ~state.useless
    ones = twos = 0
    for card in range(KINDS):
        count = int(state.discards[card]) + int(state.fireworks[card // 5] > card % 5)
        ones |= (count & 1) << card
        twos |= (count >> 1) << card
    state.gone_ones = ones
    state.gone_twos = twos


@kernel
def rule_out(state: State) -> None:
    """Rule out cards whose copies are all played, discarded, or known to be elsewhere."""
    ones = int(state.gone_ones)
    twos = int(state.gone_twos)
    for row in range(state.seats):
        for i in range(state.held[row]):
            meant = int(state.meant[row, i])
            known = meant & -int(meant & (meant - 1) == 0)
            twos |= ones & known
            ones ^= known
    full = ~(ones ^ COPIES_ONES) & ~(twos ^ COPIES_TWOS)
    for row in range(state.seats):
        for i in range(state.held[row]):
            meant = int(state.meant[row, i])
            if meant & (meant - 1):
                meant &= ~full
            if meant == 0:
                gone = ~(state.gone_ones ^ COPIES_ONES) & ~(state.gone_twos ^ COPIES_TWOS)
                meant = hinted(state, row, i) & ~gone
            state.meant[row, i] = meant


@kernel
def observe_signals(state: State, view: View) -> None:
    """Write into a view what is signalled."""
    begins = state.ply == 0
    view.wanted = ONES if begins else state.wanted
    view.useless = state.useless
    view.last = FIVES if begins else state.last
    view.gone_ones = state.gone_ones
    view.gone_twos = state.gone_twos
    for k in range(state.seats):
        seat = seat_after(state.mover, k, state.seats)
        for i in range(state.held[seat]):
            view.meant[k, i] = state.meant[seat, i] or hinted(state, seat, i)
