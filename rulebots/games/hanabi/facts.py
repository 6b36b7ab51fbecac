"""The facts of the rules: of the whole table, once a decision; and of one hint, simulated as its receiver reads it."""

from __future__ import annotations

import numpy as np

from rulebots.game import View
from rulebots.games.hanabi.cards import MOST_CARDS, MOST_SEATS, NO_CARD
from rulebots.games.hanabi.conventions import chop_of, focus_of, meant_after, ready_cards
from rulebots.games.hanabi.sets import COPIES_ONES, COPIES_TWOS, EVERY, FIVES, ONES, SUIT, hinted, size_of
from rulebots.kernel import kernel

_SEATS = (np.int32, (MOST_SEATS,))
_CARDS = (np.float64, (MOST_CARDS,))
#: The facts, in addition to the view. Rows are in the order of play, as in the view.
FIELDS = [
    ("ready", np.int32),  # cards that can be played now, or after cards that all know their holders can play
    ("signalled", np.int32),  # cards in other hands that their holders know to be playable
    ("others", np.int32),  # cards in other hands
    ("twice", np.int32),  # those that are in them twice
    ("all_seen", *_SEATS),  # by row: the cards of which that seat sees all copies
    ("sure", *_SEATS),  # by row: set of the places that it takes for playable
    ("rightly", *_SEATS),  # those of them that are so, or will be by its turn
    ("junk", *_SEATS),  # set of the places that it takes for useless
    ("chop", *_SEATS),  # by row: the place of its chop, or NO_CARD
    ("risk", np.float64, (MOST_SEATS,)),  # what the card is worth that it would discard; 0 if it has a play
    ("ready_then", *_SEATS),  # by row: cards that can be played at its turn, as far as plays are known
    # Of the mover's own cards, by place:
    ("chance", *_CARDS),  # that it can be played, by convention and by what the mover sees
    ("law_chance", *_CARDS),  # that it can be played, by hints alone
    ("waste", *_CARDS),  # the chance that it is useless
    ("loss", *_CARDS),  # the chance that it is the last of its kind
    ("copied", *_CARDS),  # the chance that another hand has the same card
    ("opens", *_CARDS),  # the chance that it can be played, and another hand has its successor
    ("is_five", *_CARDS),  # the chance that it is a playable 5
    ("height", *_CARDS),  # its expected rank if it can be played, 0 for a 1
    ("open", np.int32),  # set of the places that all know to be playable
    ("playables", np.int32),  # how many of its own cards the mover takes for playable
    # Of a hint:
    ("row", np.int32),
    ("by_rank", np.int32),
    ("then", np.int32, (MOST_CARDS,)),  # what its receiver then takes its cards for
    ("good", np.int32),  # cards that it then rightly takes for playable, and did not before
    ("good_ones", np.float64),  # their worth: low ranks first
    ("good_later", np.int32),  # those of `good` that can be played only after others
    ("bad", np.int32),  # cards that it then wrongly takes for playable
    ("again", np.int32),  # cards that it then rightly takes for playable, while another hand has the same signalled
    ("mended", np.int32),  # cards that it wrongly took for playable, and no more
    ("thrown", np.int32),  # cards that it then wrongly takes for useless
    ("freed", np.int32),  # cards that it then rightly takes for useless
    ("lied", np.int32),  # cards that are not any more what they are taken for
    ("true_again", np.int32),
    ("learned", np.float64),  # share of possibilities that it takes from useful cards
    ("new_junk", np.int32),  # useless cards that it touches for the first time
    ("new_copies", np.int32),  # cards touched for the first time that another hand has touched
    ("new_useful", np.int32),
    ("kept", np.int32),  # cards that it then knows to be the last of their kind, and did not before
    ("set_up", np.int32),  # cards one away from playable that it identifies
    ("known_now", np.int32),  # cards that it identifies
    ("risk_then", np.float64),  # the risk of the receiver after the hint
    ("plays_then", np.int32),  # it then has a card to play
    ("chops_new", np.int32),
]


@kernel
def weigh_loss(view: View, card: int) -> float:
    """What is lost with a card: 1 and more for the last of its kind, little for one that others can replace."""
    bit = 1 << card
    rank = card % 5
    if bit & view.useless:
        return 0.0
    if bit & view.last:
        return 2.0 - 0.2 * rank
    if bit & view.twice:
        return 0.0
    return 0.35 - 0.05 * rank


@kernel
def see_all(view: View) -> None:
    """By row, the cards of which that seat sees all copies as far as the mover sees the same hands."""
    for k in range(view.seats):
        ones, twos = int(view.gone_ones), int(view.gone_twos)
        for j in range(1, view.seats):
            if j != k:
                for i in range(view.held[j]):
                    bit = 1 << view.hands[j, i]
                    twos ^= ones & bit
                    ones ^= bit
        view.all_seen[k] = ~(ones ^ COPIES_ONES) & ~(twos ^ COPIES_TWOS) & EVERY


@kernel
def look_at_others(view: View) -> None:
    """What the others take their cards for, and what they will do if nothing is said."""
    others = twice = 0
    for k in range(1, view.seats):
        for i in range(view.held[k]):
            bit = 1 << view.hands[k, i]
            twice |= others & bit
            others |= bit
    view.others, view.twice = others, twice
    view.signalled = 0
    then = int(view.wanted)
    for k in range(1, view.seats):
        view.ready_then[k] = then
        sure = rightly = junk = 0
        best, first = 99, NO_CARD
        for i in range(view.held[k]):
            taken, card = int(view.meant[k, i]) & ~view.all_seen[k], int(view.hands[k, i])
            bit = 1 << card
            if taken and taken & ~view.wanted == 0:
                sure |= 1 << i
                rightly |= int(bit & then != 0) << i
                view.signalled |= bit
                if card % 5 < best:
                    best, first = card % 5, card
            elif taken & ~view.useless == 0:
                junk |= 1 << i
        view.sure[k], view.rightly[k], view.junk[k] = sure, rightly, junk
        view.chop[k] = chop_of(view, k)
        view.risk[k] = 0.0
        if sure == 0 and junk == 0 and view.chop[k] >= 0:
            view.risk[k] = weigh_loss(view, view.hands[k, view.chop[k]])
        if first >= 0 and then >> first & 1:
            then |= (1 << first & ~FIVES) << 1


@kernel
def look_at_mine(view: View) -> None:
    """What the mover takes its own cards for."""
    ones, twos = int(view.gone_ones), int(view.gone_twos)
    for j in range(1, view.seats):
        for i in range(view.held[j]):
            bit = 1 << view.hands[j, i]
            twos ^= ones & bit
            ones ^= bit
    # Copies that the mover does not see, in binary.
    left_ones = ones ^ COPIES_ONES
    left_twos = twos ^ COPIES_TWOS ^ (~COPIES_ONES & ones)
    before_others = (view.others & ~ONES) >> 1
    view.open = 0
    view.playables = 0
    for i in range(view.held[0]):
        meant, law = int(view.meant[0, i]), hinted(view, 0, i)
        all_of = size_of(meant & left_ones) + 2 * size_of(meant & left_twos)
        law_of = size_of(law & left_ones) + 2 * size_of(law & left_twos)
        law_fit = law & view.wanted
        law_chance = (size_of(law_fit & left_ones) + 2 * size_of(law_fit & left_twos)) / max(law_of, 1)
        if all_of == 0:
            meant, all_of = law, max(law_of, 1)
        fit = meant & view.wanted
        fits = size_of(fit & left_ones) + 2 * size_of(fit & left_twos)
        waste, last = meant & view.useless, meant & view.last
        opens, five = fit & before_others, fit & FIVES
        copied = meant & view.others
        view.chance[i] = fits / all_of
        view.law_chance[i] = law_chance
        view.waste[i] = (size_of(waste & left_ones) + 2 * size_of(waste & left_twos)) / all_of
        view.loss[i] = (size_of(last & left_ones) + 2 * size_of(last & left_twos)) / all_of
        view.opens[i] = (size_of(opens & left_ones) + 2 * size_of(opens & left_twos)) / all_of
        view.is_five[i] = (size_of(five & left_ones) + 2 * size_of(five & left_twos)) / all_of
        view.copied[i] = (size_of(copied & left_ones) + 2 * size_of(copied & left_twos)) / all_of
        height = 0
        for rank in range(1, 5):
            height += rank * size_of(fit & ONES << rank)
        view.height[i] = height / max(1, size_of(fit))
        known = int(view.meant[0, i]) & ~view.wanted == 0
        view.open |= int(known) << i
        view.playables += fits == all_of
    view.chop[0] = chop_of(view, 0)


@kernel
def look(view: View) -> None:
    """Work out the facts of the table; see FIELDS."""
    view.ready = ready_cards(view)
    see_all(view)
    look_at_others(view)
    look_at_mine(view)


@kernel
def weigh(view: View, item: int) -> None:
    """Work out the facts of a hint; see FIELDS. Places of the mover's cards have theirs already."""
    if item < 10:
        return
    by_rank = item >= 30
    row, value = 1 + (item - 10) % 20 // 5, item % 5
    cards = ONES << value if by_rank else SUIT << 5 * value
    named = new = 0
    for i in range(view.held[row]):
        is_named = int(cards >> view.hands[row, i] & 1)
        named |= is_named << i
        new |= (is_named & int(view.touched[row, i] == 0)) << i
    focus = focus_of(view, row, row == 1, by_rank, cards, named, new)
    then = int(view.ready_then[row])
    good = later = bad = again = mended = thrown = freed = lied = true_again = 0
    new_junk = new_copies = new_useful = kept = set_up = known_now = plays = junk = 0
    worth = learned = 0.0
    best_share, chop, chop_of_all = -1.0, NO_CARD, True
    seen = int(view.all_seen[row])
    for i in range(view.held[row]):
        before = int(view.meant[row, i])
        after = meant_after(view, row, i, cards, named, new, focus, view.ready)
        view.then[i] = after
        card = int(view.hands[row, i])
        bit = 1 << card
        taken, is_useless = after & ~seen, bit & view.useless != 0
        was_sure = view.sure[row] >> i & 1
        if taken and taken & ~view.wanted == 0:
            plays += 1
            if was_sure == 0:
                if bit & (then | view.wanted):
                    if bit & view.signalled:
                        again += 1
                    else:
                        good += 1
                        worth += 1.0 - 0.15 * (card % 5) + (0.2 if card % 5 == 4 else 0.0)
                        later += bit & view.wanted == 0
                else:
                    bad += 1
        else:
            if was_sure and view.rightly[row] >> i & 1 == 0:
                mended += 1
            if taken & ~view.useless == 0:
                junk += 1
                if view.junk[row] >> i & 1 == 0:
                    thrown += not is_useless
                    freed += is_useless
        if after & ~view.last:
            share = size_of(after & view.useless) / size_of(after)
            if share > best_share:
                best_share, chop = share, i
        kept += (after & ~view.last == 0) & (before & ~view.last != 0) & (bit & view.last != 0)
        lied += (before & bit != 0) & (after & bit == 0)
        true_again += (before & bit == 0) & (after & bit != 0)
        if after != before and not is_useless:
            learned += 1.0 - size_of(after) / size_of(before)
            if after & (after - 1) == 0 and after == bit:
                known_now += 1
                set_up += bit & view.wanted == 0 and bit & view.ready != 0
        if new >> i & 1:
            new_junk += is_useless
            new_copies += bit & view.twice != 0
            new_useful += (not is_useless) & (bit & view.twice == 0)
    view.row, view.by_rank = row, by_rank
    view.good, view.good_ones, view.good_later, view.bad, view.again = good, worth, later, bad, again
    view.mended, view.thrown, view.freed, view.lied, view.true_again = mended, thrown, freed, lied, true_again
    view.learned, view.kept, view.set_up, view.known_now = learned, kept, set_up, known_now
    view.new_junk, view.new_copies, view.new_useful = new_junk, new_copies, new_useful
    view.plays_then = plays > 0
    view.risk_then = 0.0
    if plays == 0 and junk == 0 and chop >= 0:
        view.risk_then = weigh_loss(view, view.hands[row, chop])


@kernel
def gone(view: View) -> float:
    """The share of the deck that has been drawn since the cards were dealt."""
    return 1.0 - view.deck_left / (50.0 - view.seats * view.hand_size)
