"""The facts of the standard rules of Hearts: what others may hold, what a trick may bring, and threats of a moon.

A set of ranks of one suit is an int whose bit r says whether rank r is in it: bit 0 is the two, bit 12 the ace. "Out"
are the cards in the other hands. Probabilities assume that a card that is out is equally likely in each hand that may
have its suit, and that the others duck: they go over a card only with higher cards of its suit and no lower one.
"""

import math

import numpy as np

from rulebots.game import View
from rulebots.game.bits import above, below, count_of
from rulebots.games.hearts.cards import ALL, ALL_POINTS, HEARTS, QUEEN, RANKS, SEATS, SPADES, SUITS
from rulebots.kernel import kernel

OTHERS = SEATS - 1
#: float64[14]: roughly how likely I take all points, by the tricks that I lose, those in hearts counted twice. A player
#: that was bred took them about as often when its deals began. Powers of arrays depend on the processor.
HOPE = np.array([1 / (1 + math.exp(0.6 * (lost - 3))) for lost in range(RANKS + 1)])
#: A seat with all points so far may be shooting the moon from this many points on; and the number of cards with points
#: that makes it an even bet.
SUSPECT = 2
DOUBTED = 3


def _stays(holders: int, after: int, higher: int, lower: int) -> float:
    """The probability that none of `after` players is forced over a card, if `holders` share the rest of its suit.

    By inclusion and exclusion over the forced ones, which have none of the lower cards and at least one higher card.
    """
    total = 0.0
    for s in range(after + 1):
        none_lower = ((holders - s) / holders) ** lower
        some_higher = math.fsum((-1) ** j * math.comb(s, j) * ((holders - j) / holders) ** higher for j in range(s + 1))
        total += (-1) ** s * math.comb(after, s) * none_lower * some_higher
    return min(1.0, max(0.0, total))


#: float64[holders, after, higher, lower]: `_stays` for all numbers; 1 where no later player has the suit.
STAYS = np.ones((OTHERS + 1, OTHERS + 1, RANKS + 1, RANKS + 1))
#: float64[holders, cards]: the probability that a possible holder of a suit has none of the cards that are out.
LACKS = np.ones((OTHERS + 1, RANKS + 1))
for _holders in range(1, OTHERS + 1):
    LACKS[_holders] = [(1 - 1 / _holders) ** cards for cards in range(RANKS + 1)]
    for _after in range(1, _holders + 1):
        for _higher in range(RANKS + 1):
            for _lower in range(RANKS + 1 - _higher):
                STAYS[_holders, _after, _higher, _lower] = _stays(_holders, _after, _higher, _lower)

FIELDS = [
    # Of the position:
    ("leads", np.int32),  # whether I lead
    ("follows", np.int32),  # whether I follow suit
    ("out", np.int32, (SUITS,)),  # the set of ranks that the others hold
    ("length", np.int32, (SUITS,)),  # how many cards I have
    ("holders", np.int32, (SUITS,)),  # others without a shown void in the suit
    ("after", np.int32),  # others still to play to this trick
    ("able", np.int32),  # of these, those that may have the suit led
    ("queen_out", np.int32),  # whether another holds the queen of spades
    ("queen_mine", np.int32),  # whether I do
    ("queen_after", np.float64),  # the probability that a later player of the trick holds it
    ("guards", np.int32),  # my spades below the queen
    ("heart_held", np.float64),  # how likely one of the others has a heart
    ("way_out", np.float64),  # how likely my best way out of the lead loses its trick
    ("moon", np.float64),  # roughly how likely I can take all points
    ("shooter", np.int32),  # who, in order of play, has all points that were taken; 0: nobody but me
    ("threat", np.float64),  # roughly how likely they take the rest, too
    ("fewest", np.int32),  # the fewest points that another has
    # Of one card:
    ("suit", np.int32),
    ("height", np.float64),  # its rank: 0 for the two, 1 for the ace
    ("lower_mine", np.int32),  # my cards of its suit that are lower
    ("higher_out", np.int32),
    ("lower_out", np.int32),
    ("heart", np.int32),  # whether it is a heart
    ("guard", np.int32),  # a spade below the queen
    ("queen", np.int32),  # the queen of spades
    ("over_queen", np.int32),  # the king or ace of spades
    ("own", np.float64),  # its own points, in thirteens
    ("takes", np.int32),  # whether it is the highest in the trick when it is played
    ("stays", np.float64),  # how likely it takes the trick then; where it is not played to its suit, if it is led later
    ("points", np.float64),  # points in the trick, with its own, in thirteens
    ("rain", np.float64),  # points that those after me may throw on the trick, in thirteens
]


@kernel
def lost_tricks(mine: int, out: int) -> int:
    """Tricks that I lose in a suit if I lead it from the top and the others keep their highest cards.

    None of them has it longer than half of what is out.
    """
    lost = higher = 0
    rounds = (count_of(out) + 1) // 2
    for down in range(RANKS):
        rank = RANKS - 1 - down
        if mine >> rank & 1:
            lost += (higher > lost) & (rounds > 0)
            rounds -= 1
        else:
            higher += out >> rank & 1
    return lost


@kernel
def find_facts(view: View) -> None:
    """Work out the facts of the whole position; see FIELDS."""
    led = view.led
    view.follows = view.able = view.shooter = 0
    view.queen_after = view.way_out = view.moon = view.threat = 0.0
    view.after = OTHERS - view.count
    for suit in range(SUITS):
        view.out[suit] = ALL & ~(view.hand[suit] | view.played[suit])
        view.length[suit] = count_of(view.hand[suit])
        view.holders[suit] = OTHERS - view.void[1, suit] - view.void[2, suit] - view.void[3, suit]
    view.leads = (not view.passing) & (led < 0)
    if view.passing:
        for suit in range(SUITS):
            view.out[suit] &= ~view.passed[suit]
    elif led >= 0:
        view.follows = view.length[led] > 0
        for place in range(1, OTHERS + 1):
            view.able += (place <= view.after) & (view.void[place, led] == 0)
    view.queen_out = view.out[SPADES] >> QUEEN & 1
    view.queen_mine = view.hand[SPADES] >> QUEEN & 1
    view.guards = count_of(below(view.hand[SPADES], QUEEN))
    view.heart_held = 1.0 - LACKS[OTHERS, count_of(view.out[HEARTS])]
    if view.queen_out:
        view.queen_after = queen_after(view)
    for suit in range(SUITS):
        if view.hand[suit]:
            lowest = view.hand[suit] & -view.hand[suit]
            rank = count_of(lowest - 1)
            higher = count_of(above(view.out[suit], rank))
            lower = count_of(below(view.out[suit], rank))
            view.way_out = max(view.way_out, 1.0 - STAYS[view.holders[suit], view.holders[suit], higher, lower])
    others = 0
    view.fewest = ALL_POINTS
    for place in range(1, OTHERS + 1):
        others += view.taken[place]
        view.fewest = min(view.fewest, view.taken[place])
        if view.taken[place] >= SUSPECT:
            view.shooter = place
    if others == 0:
        lost = 0
        for suit in range(SUITS):
            lost += lost_tricks(view.hand[suit], view.out[suit]) * (1 + (suit == HEARTS))
        view.moon = HOPE[min(lost, RANKS)]
        view.shooter = 0
    elif view.shooter and view.taken[0] == 0 and view.taken[view.shooter] == others:
        cards = others - (RANKS - 1) * (others >= RANKS)  # the queen of spades is one card
        view.threat = cards / (cards + DOUBTED)
    else:
        view.shooter = 0


@kernel
def queen_after(view: View) -> float:
    """The probability that a later player of the trick holds the queen of spades, which is out."""
    if view.passed[SPADES] >> QUEEN & 1:  # I know where it is: it went to the seat `direction` places on
        return 1.0 if view.direction <= view.after else 0.0
    later = 0
    for place in range(1, OTHERS + 1):
        later += (place <= view.after) & (view.void[place, SPADES] == 0)
    return later / max(view.holders[SPADES], 1)


@kernel
def look_at(view: View, card: int) -> None:
    """Work out the facts of one card; see FIELDS."""
    suit = card // RANKS
    rank = card % RANKS
    out = view.out[suit]
    holders = view.holders[suit]
    view.suit = suit
    view.height = rank / (RANKS - 1)
    view.heart = suit == HEARTS
    view.guard = (suit == SPADES) & (rank < QUEEN)
    view.queen = (suit == SPADES) & (rank == QUEEN)
    view.over_queen = (suit == SPADES) & (rank > QUEEN)
    view.own = view.heart / RANKS + view.queen
    view.lower_mine = count_of(below(view.hand[suit], rank))
    view.higher_out = count_of(above(out, rank))
    view.lower_out = count_of(below(out, rank))
    view.points = view.trick_points / RANKS + view.own
    if view.follows:
        view.takes = rank > view.top
        view.stays = STAYS[holders, view.able, view.higher_out, view.lower_out] if view.takes else 0.0
    else:
        view.takes = view.leads
        view.stays = STAYS[holders, holders, view.higher_out, view.lower_out]
    view.rain = 0.0
    if (view.leads | view.follows) & (view.tricks > 0) & (view.after > 0):  # no points fall on the first trick
        able = holders if view.leads else view.able
        lacking = view.after - able + able * LACKS[holders, view.higher_out + view.lower_out]
        queen = view.queen_after / view.after if suit != SPADES else 0.0
        view.rain = lacking * (queen + view.heart_held / RANKS)


@kernel
def gone(view: View) -> float:
    """How much of the deal has been played: 0 in the first trick, 1 in the last."""
    return view.tricks / (RANKS - 1)
