"""The facts of the rules: of the whole table, once a decision; and of one hint, simulated as its receiver reads it."""

import numpy as np

from rulebots.game import View
from rulebots.games.hanabi.cards import (
    COLOUR_HINTS,
    COPIES_ONES,
    COPIES_TWOS,
    EVERY,
    FIVES,
    MOST_CARDS,
    MOST_SEATS,
    NO_CARD,
    ONES,
    PACK,
    RANKS,
    cards_with,
    copies_of,
    hinted,
    parts_of_hint,
    size_of,
)
from rulebots.games.hanabi.conventions import SAVE_IT, chop_of, focus_of, meant_after, ready_cards
from rulebots.kernel import kernel

#: Chances above this are certain.
CERTAIN = 0.999
#: Points that the last card of its kind costs in the mean, 1 for a 5 to 5 for a 1: the unit of a loss.
MEAN_LOSS = 3.0
_SEATS = (np.int32, (MOST_SEATS,))
_CARDS = (np.float64, (MOST_CARDS,))
#: The facts, in addition to the view. Rows are in the order of play, as in the view.
FIELDS = [
    ("ready", np.int32),  # cards that can be played now, or after cards that all know their holders can play
    ("signalled", np.int32),  # cards in other hands that their holders know to be playable
    ("others", np.int32),  # cards in other hands
    ("twice", np.int32),  # those held twice
    ("all_seen", *_SEATS),  # by row: the cards of which that seat sees all copies
    ("sure", *_SEATS),  # by row: set of the places that it believes playable
    ("rightly", *_SEATS),  # those of them that are so, or will be by its turn
    ("junk", *_SEATS),  # set of the places that it takes for useless
    ("chop", *_SEATS),  # by row: the place of its chop, or NO_CARD
    ("risk", np.float64, (MOST_SEATS,)),  # what the card is worth that it would discard; 0 if it has a play
    ("ready_then", *_SEATS),  # by row: cards that can be played at its turn, as far as plays are known
    # Of the mover's own cards, by place:
    ("chance", *_CARDS),  # that it can be played, by convention and by what the mover sees
    ("plain_chance", *_CARDS),  # likewise, but a touched card may be useless
    ("law_chance", *_CARDS),  # that it can be played, by hints alone
    ("waste", *_CARDS),  # the chance that it is useless
    ("last_chance", *_CARDS),  # the chance that it is the last of its kind
    ("loss", *_CARDS),  # the points that can no longer be made without it, an expectation, in threes
    ("copied", *_CARDS),  # the chance that another hand has the same card
    ("opens", *_CARDS),  # the chance that it can be played, and another hand has its successor
    ("is_five", *_CARDS),  # the chance that it is a playable 5
    ("height", *_CARDS),  # its expected rank if it can be played, 0 for a 1
    ("open", np.int32),  # set of the places that all know to be playable
    ("playables", np.int32),  # how many of its own cards the mover believes playable
    # Of a hint:
    ("row", np.int32),
    ("by_rank", np.int32),
    ("named", np.int32),  # set of the places that it touches
    ("new", np.int32),  # those that no hint has touched before
    ("good", np.int32),  # cards that it then rightly believes playable, and did not before
    ("good_ones", np.float64),  # their worth: low ranks first
    ("good_later", np.int32),  # those of `good` that can be played only after others
    ("bad", np.int32),  # cards that it then wrongly believes playable
    ("again", np.int32),  # cards that it then rightly believes playable, while another hand has the same signalled
    ("mended", np.int32),  # cards that it no longer wrongly believes playable
    ("freed", np.int32),  # cards that it then rightly takes for useless
    ("lied", np.int32),  # cards that are not any more what they are taken for
    ("true_again", np.int32),  # cards no longer taken for something that they are not
    ("learned", np.float64),  # share of possibilities that it takes from useful cards
    ("new_junk", np.int32),  # useless cards that it touches for the first time
    ("new_copies", np.int32),  # cards touched for the first time that the other hands have twice
    ("new_useful", np.int32),  # other cards touched for the first time
    ("kept", np.int32),  # cards that it then knows to be the last of their kind, and did not before
    ("set_up", np.int32),  # cards one away from playable that it identifies
    ("known_now", np.int32),  # cards that it identifies
    ("risk_then", np.float64),  # the risk of the receiver after the hint
]


@kernel
def taken_for(view: View, row: int, place: int, meant: int, touched: bool) -> int:
    """The cards that a seat takes one of its own for, when it can spare a life: a touched card is not useless."""
    seen = meant & ~view.all_seen[row]
    if touched and view.lives > 1:
        seen = seen & ~view.useless or seen
    return seen


@kernel
def points_lost(view: View, cards: int) -> int:
    """The points that can no longer be made without these cards, which are the last of their kind, added up.

    With a card all higher ones of its colour are lost, as far as they can still be played.
    """
    points = 0
    for _ in range(RANKS):
        points += size_of(cards & ~view.useless)
        cards = (cards & ~FIVES) << 1
    return points


@kernel
def weigh_loss(view: View, card: int) -> float:
    """What is lost with a card: more than 1 for the last of its kind, little for one that others can replace."""
    bit = 1 << card
    if bit & view.useless:
        return 0.0
    if bit & view.last:
        return 1.0 + points_lost(view, bit) / MEAN_LOSS
    if bit & view.twice:
        return 0.0
    return 0.35 - 0.05 * (card % RANKS)


@kernel
def see_all(view: View) -> None:
    """By row, the cards of which that seat sees all copies as far as the mover sees the same hands."""
    for k in range(view.seats):
        ones = int(view.gone_ones)
        twos = int(view.gone_twos)
        for j in range(1, view.seats):
            if j != k:
                for i in range(view.held[j]):
                    bit = 1 << int(view.hands[j, i])
                    twos ^= ones & bit
                    ones ^= bit
        view.all_seen[k] = ~(ones ^ COPIES_ONES) & ~(twos ^ COPIES_TWOS) & EVERY


@kernel
def look_at_others(view: View) -> None:
    """What the others believe of their cards, and what they will do without a hint."""
    others = twice = 0
    for k in range(1, view.seats):
        for i in range(view.held[k]):
            bit = 1 << int(view.hands[k, i])
            twice |= others & bit
            others |= bit
    view.others = others
    view.twice = twice
    view.signalled = 0
    then = int(view.wanted)
    for k in range(1, view.seats):
        view.ready_then[k] = then
        sure = rightly = junk = 0
        best = 99
        first = NO_CARD
        for i in range(view.held[k]):
            card = int(view.hands[k, i])
            belief = taken_for(view, k, i, int(view.meant[k, i]), view.touched[k, i] != 0)
            bit = 1 << card
            if belief and belief & ~view.wanted == 0:
                sure |= 1 << i
                rightly |= int(bit & then != 0) << i
                view.signalled |= bit
                if card % 5 < best:
                    best = card % 5
                    first = card
            elif belief & ~view.useless == 0:
                junk |= 1 << i
        view.sure[k] = sure
        view.rightly[k] = rightly
        view.junk[k] = junk
        view.chop[k] = chop_of(view, k)
        view.risk[k] = 0.0
        if sure == 0 and junk == 0 and view.chop[k] >= 0:
            view.risk[k] = weigh_loss(view, int(view.hands[k, view.chop[k]]))
        if first >= 0 and then >> first & 1:
            then |= (1 << first & ~FIVES) << 1


@kernel
def look_at_mine(view: View) -> None:
    """What the mover believes of its own cards."""
    seen_ones = int(view.gone_ones)
    seen_twos = int(view.gone_twos)
    for k in range(1, view.seats):
        for i in range(view.held[k]):
            bit = 1 << int(view.hands[k, i])
            seen_twos ^= seen_ones & bit
            seen_ones ^= bit
    # Copies that the mover does not see: those of the pack less those in view, in binary.
    ones = seen_ones ^ COPIES_ONES
    twos = seen_twos ^ COPIES_TWOS ^ ~COPIES_ONES & seen_ones
    view.open = view.playables = 0
    for i in range(view.held[0]):
        look_at_card(view, i, ones, twos)
        view.open |= int(int(view.meant[0, i]) & ~view.wanted == 0) << i
        view.playables += view.chance[i] > CERTAIN
    view.chop[0] = chop_of(view, 0)


@kernel
def look_at_card(view: View, place: int, ones: int, twos: int) -> None:
    """What the mover takes one of its cards for: the chances by the copies that it does not see."""
    meant = int(view.meant[0, place])
    law = hinted(view, 0, place)
    number = copies_of(meant, ones, twos)
    law_number = max(copies_of(law, ones, twos), 1)
    if number == 0:
        meant = law
        number = law_number
    view.law_chance[place] = copies_of(law & view.wanted, ones, twos) / law_number
    view.plain_chance[place] = copies_of(meant & view.wanted, ones, twos) / number
    view.waste[place] = copies_of(meant & view.useless, ones, twos) / number
    view.last_chance[place] = copies_of(meant & view.last, ones, twos) / number
    view.loss[place] = points_lost(view, meant & view.last & ones) / (MEAN_LOSS * number)
    if view.touched[0, place] and view.lives > 1 and view.waste[place] < 1.0:
        meant &= ~view.useless
        number = copies_of(meant, ones, twos)
    fit = meant & view.wanted
    view.chance[place] = copies_of(fit, ones, twos) / number
    view.opens[place] = copies_of(fit & (view.others & ~ONES) >> 1, ones, twos) / number
    view.is_five[place] = copies_of(fit & FIVES, ones, twos) / number
    view.copied[place] = copies_of(meant & view.others, ones, twos) / number
    height = 0
    for rank in range(1, RANKS):
        height += rank * size_of(fit & ONES << rank)
    view.height[place] = height / max(1, size_of(fit))


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
    if item < COLOUR_HINTS:
        return
    row, value, by_rank = parts_of_hint(item)
    cards = cards_with(value, by_rank)
    named = new = 0
    for i in range(view.held[row]):
        is_named = int(cards >> int(view.hands[row, i]) & 1)
        named |= is_named << i
        new |= (is_named & int(view.touched[row, i] == 0)) << i
    forget(view)
    view.row = row
    view.by_rank = by_rank
    view.named = named
    view.new = new
    warned = view.chop[1] if row == 1 else NO_CARD
    focus, signal = focus_of(view, row, warned, by_rank, cards, named, new, int(view.ready))
    possible = int(view.last) if signal == SAVE_IT else int(view.ready)
    plays = junk = 0
    best_share = -1.0
    chop = NO_CARD
    for i in range(view.held[row]):
        after = meant_after(view, row, i, cards, named, new, focus, possible)
        belief = taken_for(view, row, i, after, view.touched[row, i] != 0 or named >> i & 1 != 0)
        if belief and belief & ~view.wanted == 0:
            plays += 1
            weigh_play(view, i)
        else:
            view.mended += view.sure[row] & ~view.rightly[row] & 1 << i != 0
            if belief & ~view.useless == 0:
                junk += 1
                known = view.junk[row] >> i & 1
                view.freed += (known == 0) & (1 << int(view.hands[row, i]) & view.useless != 0)
        weigh_knowledge(view, i, after)
        if plays == 0 and after & ~view.last:
            share = size_of(after & view.useless) / size_of(after)
            if share > best_share:
                best_share = share
                chop = i
    if plays == 0 and junk == 0 and chop >= 0:
        view.risk_then = weigh_loss(view, int(view.hands[row, chop]))


@kernel
def forget(view: View) -> None:
    """Reset the facts of a hint."""
    view.good = view.good_later = view.bad = view.again = view.mended = view.freed = view.lied = 0
    view.true_again = view.new_junk = view.new_copies = view.new_useful = view.kept = view.set_up = view.known_now = 0
    view.good_ones = view.learned = view.risk_then = 0.0


@kernel
def weigh_play(view: View, place: int) -> None:
    """A card that the receiver of a hint then believes playable."""
    card = int(view.hands[view.row, place])
    bit = 1 << card
    if view.sure[view.row] >> place & 1:
        return
    if bit & (view.ready_then[view.row] | view.wanted) == 0:
        view.bad += 1
    elif bit & view.signalled:
        view.again += 1
    else:
        view.good += 1
        view.good_ones += 1.0 - 0.15 * (card % RANKS) + (0.2 if bit & FIVES else 0.0)
        view.good_later += bit & view.wanted == 0


@kernel
def weigh_knowledge(view: View, place: int, after: int) -> None:
    """What the receiver of a hint believes of a card, before and after."""
    before = int(view.meant[view.row, place])
    bit = 1 << int(view.hands[view.row, place])
    is_useless = bit & view.useless != 0
    twice = bit & view.twice != 0
    view.kept += (after & ~view.last == 0) & (before & ~view.last != 0) & (bit & view.last != 0)
    view.lied += (before & bit != 0) & (after & bit == 0)
    view.true_again += (before & bit == 0) & (after & bit != 0)
    if after != before and not is_useless:
        view.learned += 1.0 - size_of(after) / size_of(before)
        if after == bit:
            view.known_now += 1
            view.set_up += (bit & view.wanted == 0) & (bit & view.ready != 0)
    if view.new >> place & 1:
        view.new_junk += is_useless
        view.new_copies += twice
        view.new_useful += not (is_useless or twice)


@kernel
def gone(view: View) -> float:
    """The share of the deck that has been drawn since the cards were dealt."""
    return 1.0 - view.deck_left / (PACK - view.seats * view.hand_size)
