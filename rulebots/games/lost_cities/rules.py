"""The standard rules of Lost Cities: points, gaps, reach, time and gifts as continuous facts.

Players are bred from these by default. "In twenties" means divided by 20, the cost of an expedition, "in fives"
divided by 5, and so on, so that a rule's value is around 1 where it matters. The "multiplier" of an expedition
is 1 + the investments on it. "Hidden" cards are those that nobody has shown: they are in the deck, or in the
opponent's hand and not known to be there. They count "as far as I can expect to draw them": times the chance that
a hidden card comes to me. A card "closes off" lower ones, because an expedition only rises.

Unlike Shelly's rules, these judge a play by the group `play` alone and a discard by `keep` alone.
"""

from rulebots.game import Kind, View
from rulebots.game.bits import above, below, count_of
from rulebots.games.lost_cities import draw_rules
from rulebots.games.lost_cities.cards import BONUS_CARDS, COST, sum_of, value_of
from rulebots.games.lost_cities.facts import FIELDS, find_facts, gone, look_at, my_gain, opponents_gain
from rulebots.games.lost_cities.game import game
from rulebots.games.lost_cities.shelly import shelly, shelly_mended
from rulebots.games.lost_cities.sheppard import sheppard
from rulebots.kernel import kernel
from rulebots.rules import RuleSet, rule, rules_of

#: Discards in a row after which somebody has to end the game.
LONG_STREAK = 5
#: With fewer cards in the deck than this the end is near.
SOON = 12

# --- play: a card that goes on an expedition I have begun


go_on = rule("play", early=1.0, name="go_on", says="build(s) on an expedition")(draw_rules.takes.kernel)


points = rule("play", early=0.3, late=0.8, name="points", says="earn(s) <20 points>")(draw_rules.takes_points.kernel)


@rule("play", early=-1.5, late=-1.2, says="skip(s) <20 points> in hand")
def skips_held(view: View, card: int) -> float:
    """On an expedition I have begun: points of lower cards in my hand that it closes off, in twenties.

    They are multiplied by the expedition's multiplier.
    """
    return view.goes_on * view.skipped_held * view.times


@rule("play", early=-2.0, late=-1.0, says="skip(s) [more|fewer|] points that may still come")
def skips_hidden(view: View, card: int) -> float:
    """On an expedition I have begun: points of lower hidden cards that it closes off, in twenties.

    They count as far as I can expect to draw them, times the expedition's multiplier.
    """
    return view.goes_on * view.skipped_hidden * view.times


@rule("play", early=-0.5, late=-0.2, says="skip(s) [more|fewer|] lower cards")
def skips_many(view: View, card: int) -> float:
    """On an expedition I have begun: how many lower cards, held or hidden, it closes off, in fives."""
    return view.goes_on * view.skipped_count / 5


@rule("play", early=-0.5, late=-0.3, says="skip(s) [more|fewer|] points that are worth waiting for")
def skips_at_leisure(view: View, card: int) -> float:
    """On an expedition I have begun: the value of skips_hidden times the turns to spare, in tens.

    Turns to spare are those beyond the cards that I hold for begun expeditions: the hidden cards could still come.
    """
    return view.goes_on * view.skipped_hidden * view.times * max(0, view.turns - view.must_play) / 10


@rule("play", late=-1.0, says="skip(s) <20 points> that there is time to play")
def skips_in_time(view: View, card: int) -> float:
    """On an expedition I have begun: the value of skips_held if there are turns for all cards of such expeditions."""
    return view.goes_on * view.skipped_held * view.times * (view.must_play <= view.turns)


@rule("play", early=0.3, says="build(s) on an expedition without a gap")
def skips_nothing(view: View, card: int) -> bool:
    """On an expedition I have begun: it closes off no lower card, held or hidden."""
    return (view.goes_on != 0) & (view.skipped_count == 0)


@rule("play", early=0.3, late=0.8, says="keep(s) [more|fewer|] higher cards to follow")
def cards_behind(view: View, card: int) -> float:
    """On an expedition I have begun: higher numbers of its suit in my hand per turn left, at most 1."""
    return view.goes_on * min(view.waiting / max(view.turns, 1), 1.0)


@rule("play", early=0.3, late=1.0, says="build(s) on an expedition while turns are running out")
def pressed(view: View, card: int) -> float:
    """It goes on an expedition I have begun: cards in my hand for such expeditions per turn left, at most 2."""
    return view.goes_on * view.pressure


@rule("play", late=1.0, says="play(s) a card that is worth one of the last turns")
def worth_a_turn(view: View, card: int) -> bool:
    """On an expedition I have begun: there are turns for it and for all cards that earn more on such expeditions."""
    return (view.goes_on != 0) & (view.dearer < view.turns)


@rule("play", early=0.3, says="work(s) off the cost of an expedition")
def in_the_red(view: View, card: int) -> bool:
    """Its expedition has begun and has not yet earned its cost."""
    return (view.goes_on != 0) & (view.my_total[view.suit] < COST)


@rule("play", early=0.2, says="come(s) [nearer to|less near to|nearer to] the bonus for eight cards")
def bonus_near(view: View, card: int) -> float:
    """How near its expedition is to the bonus for eight cards, counting higher numbers in hand: 1 for eight.

    It is 0 for four cards or fewer. Other investments in hand are not counted.
    """
    length = view.my_length[view.suit] + 1 + view.waiting
    return max(0.0, length - 4) / (BONUS_CARDS - 4)


@rule("play", early=0.2, late=0.1, says="build(s) on a [more|less|] promising expedition")
def still_rising(view: View, card: int) -> float:
    """On an expedition I have begun: what it could come to before its cost, times its multiplier, in hundreds.

    That is what is laid, this card, and higher ones, held or hoped for.
    """
    return view.goes_on * (view.sure + 1.0 + view.hoped) * view.times / 5


opp_waits = rule("play", name="opp_waits", says="keep(s) <20 points> from the opponent")(draw_rules.denies.kernel)


# --- play: a card that begins an expedition


@rule("play", late=-1.0, says="take(s) on the 20 points that an expedition costs")
def begin(view: View, card: int) -> bool:
    """It begins an expedition."""
    return view.fresh != 0


@rule("play", early=1.0, late=1.5, says="begin(s) an expedition that my hand alone [pays|does not pay] for")
def begin_sure(view: View, card: int) -> float:
    """A new expedition: points of this card and higher ones in my hand, less its cost, in twenties."""
    return view.fresh * view.sure


@rule("play", early=0.5, says="begin(s) an expedition that [should|may not] earn its cost")
def begin_short(view: View, card: int) -> float:
    """A new expedition: how far hand and hidden cards fall short of its cost, in twenties, as a negative number."""
    return view.fresh * min(0.0, view.sure + view.hoped)


@rule("play", early=-0.5, late=0.0, says="give(s) up [more|fewer|] investments in hand")
def closes_investments(view: View, card: int) -> float:
    """A number: the investments of its suit in my hand that it closes off."""
    return (view.value > 0) * (view.my_top[view.suit] <= 0) * view.held_invested[view.suit]


closed = closes_investments.kernel


@rule("play", early=-0.3, late=0.0, says="give(s) up [more|fewer|] investments in hand")
def closes_multiplied(view: View, card: int) -> float:
    """A number: investments in my hand that it closes off, times what the expedition could come to, at least 0."""
    return closed(view, card) * max(0.0, view.reach[view.suit])


@rule("play", early=1.0, late=0.5, says="begin(s) an expedition with [more|fewer|] points still to come")
def begin_hope(view: View, card: int) -> float:
    """A new expedition: points of higher hidden cards, as far as I can expect to draw them, in twenties."""
    return view.fresh * view.hoped


@rule(
    "play",
    early=0.3,
    late=0.2,
    says="begin(s) with an investment that is likely to [pay|fail] with the cards still to come",
)
def begin_multiplied(view: View, card: int) -> float:
    """A new expedition begun with an investment: what it could come to, times investments of its suit in my hand.

    What it could come to is counted as in begin_sure and begin_hope; this investment is one of those in my hand.
    """
    investments = view.held_invested[view.suit] * (view.value == 0)
    return view.fresh * investments * (view.sure + view.hoped)


@rule("play", early=-0.3, late=-2.0, says="begin(s) an expedition late in the game")
def begin_late(view: View, card: int) -> float:
    """A new expedition: the share of the deck drawn so far."""
    return view.fresh * gone(view)


@rule("play", late=-1.0, says="begin(s) an expedition while others still need turns")
def begin_pressed(view: View, card: int) -> float:
    """A new expedition: cards in my hand for expeditions I have begun, per turn left, at most 2."""
    return view.fresh * view.pressure


@rule("play", late=-1.0, says="begin(s) an expedition that needs more turns than are left")
def begin_too_much(view: View, card: int) -> float:
    """A new expedition: how many more cards it and the others need than turns are left, in fives.

    Other investments for the new expedition are not counted.
    """
    return view.fresh * max(0, view.must_play + view.waiting + 1 - view.turns) / 5


@rule("play", early=-0.2, late=-0.5, says="take(s) on the 20 points of yet another expedition")
def begin_many(view: View, card: int) -> float:
    """A new expedition: how many I have begun already, in fives."""
    return view.fresh * view.begun / 5


@rule("play", early=-1.5, late=-1.2, says="begin(s) an expedition that skips <20 points> in hand")
def begin_over_held(view: View, card: int) -> float:
    """A new expedition: points of lower cards in my hand that it closes off, in twenties."""
    return view.fresh * view.skipped_held


@rule("play", early=-1.0, late=-0.5, says="begin(s) an expedition that skips [more|fewer|] points still to come")
def begin_over_hidden(view: View, card: int) -> float:
    """A new expedition: points of lower hidden cards that it closes off, as far as I would draw them, in twenties."""
    return view.fresh * view.skipped_hidden


@rule("play", early=0.2, says="begin(s) an expedition with [more|fewer|] cards to follow in hand")
def begin_count(view: View, card: int) -> float:
    """A new expedition: higher numbers of its suit in my hand, in fives."""
    return view.fresh * view.waiting / 5


@rule("play", early=-0.1, late=0.0, says="begin(s) a suit in which the opponent has laid <20 points>")
def begin_contested(view: View, card: int) -> float:
    """A new expedition: the sum of the numbers that the opponent has laid in that suit, in twenties."""
    return view.fresh * view.opp_total[view.suit] / COST


# --- play: investments


@rule("play", late=-1.0, says="play(s) an investment, which multiplies gains and losses")
def invest(view: View, card: int) -> bool:
    """It is an investment."""
    return view.value == 0


@rule("play", early=0.8, late=1.0, says="invest(s) in an expedition that my hand alone [pays|does not pay] for")
def invest_sure(view: View, card: int) -> float:
    """An investment: what my hand alone brings its expedition to, less its cost, in twenties."""
    return (view.value == 0) * view.sure


@rule("play", early=0.6, late=0.5, says="invest(s) in an expedition with [more|fewer|] points still to come")
def invest_hope(view: View, card: int) -> float:
    """An investment: points of hidden cards for its expedition, as far as I can expect to draw them, in twenties."""
    return (view.value == 0) * view.hoped


@rule("play", early=-0.2, late=-1.0, says="invest(s) late in the game")
def invest_late(view: View, card: int) -> float:
    """An investment: the share of the deck drawn so far."""
    return (view.value == 0) * gone(view)


@rule("play", early=0.2, says="invest(s) in a suit with [more|fewer|other] investments")
def invest_again(view: View, card: int) -> float:
    """An investment: others of its suit that I have made or hold, in twos."""
    return (view.value == 0) * (view.my_invested[view.suit] + view.held_invested[view.suit] - 1) / 2


# --- keep: what I would give up or give away by discarding it


@rule("keep", says="spend(s) a turn on a discard")
def anything(view: View, card: int) -> bool:
    """True of every card: how much I dislike discarding at all."""
    return True


mine = rule("keep", early=0.6, late=0.5, name="mine", says="throw(s) away a card that fits my expedition")(go_on.kernel)


mine_points = rule("keep", early=1.0, late=1.5, name="mine_points", says="throw(s) away <20 points>")(points.kernel)


mine_far = rule("keep", early=-0.3, name="mine_far", says="throw(s) away a card that would skip [more|fewer|] others")(
    skips_many.kernel
)


mine_pressed = rule(
    "keep", late=-0.3, name="mine_pressed", says="throw(s) away a card that fits while turns are running out"
)(pressed.kernel)


@rule("keep", late=-1.0, says="throw(s) away a card that there is no time to play")
def mine_too_late(view: View, card: int) -> bool:
    """It goes on an expedition I have begun, but cards that earn more on such expeditions take all the turns left."""
    return (view.goes_on != 0) & (view.dearer >= view.turns)


@rule("keep", early=0.3, says="throw(s) away <20 points> that only one side can use")
def mine_alone(view: View, card: int) -> float:
    """On an expedition I have begun: its points times the multiplier, in twenties, unless the opponent can use it.

    It can if the card goes on an expedition that it has begun.
    """
    return (view.goes_on_opp == 0) * my_gain(view)


@rule("keep", early=0.5, says="throw(s) away a card of a [more|less|] promising suit")
def hope(view: View, card: int) -> float:
    """A suit I have not begun: what hand and hidden cards could bring it to, less its cost, in twenties."""
    return view.fresh * view.reach[view.suit]


@rule("keep", early=0.4, says="throw(s) away a card of a suit with <20 points> in hand")
def company(view: View, card: int) -> float:
    """A suit I have not begun: the points of that suit in my hand, in twenties."""
    return view.fresh * sum_of(view.held[view.suit]) / COST


@rule("keep", early=0.2, late=0.1, says="throw(s) away a [higher|lower|numbered] card of a suit not begun yet")
def height(view: View, card: int) -> float:
    """A suit I have not begun: its number, in tens."""
    return view.fresh * view.value / 10


no_time = rule(
    "keep", early=-0.2, late=-1.0, name="no_time", says="throw(s) away a card of a suit that it is late to begin"
)(begin_late.kernel)


@rule("keep", early=0.2, late=-0.2, says="give(s) up the chance to multiply a suit")
def investment(view: View, card: int) -> bool:
    """An investment that I could still play."""
    return (view.value == 0) & (view.my_top[view.suit] <= 0)


@rule("keep", early=0.5, late=0.3, says="throw(s) away a [more|less|] promising investment")
def investment_hope(view: View, card: int) -> float:
    """An investment that I could still play: what its expedition could come to, less its cost, in twenties."""
    return (view.value == 0) * (view.my_top[view.suit] <= 0) * view.reach[view.suit]


@rule("keep", early=0.5, late=0.4, says="give(s) the opponent a card to play")
def opp(view: View, card: int) -> bool:
    """It goes on an expedition that the opponent has begun."""
    return view.goes_on_opp != 0


opp_points = rule("keep", early=1.0, late=1.2, name="opp_points", says="give(s) the opponent <20 points>")(
    opp_waits.kernel
)


@rule("keep", late=-1.0, says="give(s) the opponent a card that may come too late")
def opp_too_late(view: View, card: int) -> float:
    """Points it would bring the opponent on an expedition it has begun, with fewer than 12 cards in the deck.

    They are multiplied as in opp_points, and count the more the fewer cards are left: it may be too late to play it.
    """
    return opponents_gain(view) * max(0.0, 1.0 - view.deck_left / SOON)


@rule("keep", early=0.4, late=0.2, says="give(s) the opponent a card that fits [better|less well|]")
def opp_next(view: View, card: int) -> float:
    """On an expedition the opponent has begun: 1 / (1 + the numbers that it would close off there).

    Only numbers that are hidden or known to be in the opponent's hand count.
    """
    lower = below(above(view.hidden[view.suit] | view.known[view.suit], view.opp_top[view.suit]), view.value)
    return view.goes_on_opp / (1.0 + count_of(lower))


@rule("keep", early=0.2, late=0.0, says="give(s) the opponent a card of a [more|less|] promising suit")
def opp_hope(view: View, card: int) -> float:
    """A suit that neither of us has begun: what the opponent could reach there, less the cost, in twenties."""
    return (view.opp_top[view.suit] < 0) * view.fresh * view.opp_reach[view.suit]


@rule("keep", says="give(s) the opponent a [more|less|] promising start in my suit")
def opp_hope_in_mine(view: View, card: int) -> float:
    """A suit that only I have begun: what the opponent could reach there, less the cost, in twenties."""
    return (view.opp_top[view.suit] < 0) * (view.fresh == 0) * view.opp_reach[view.suit]


@rule("keep", early=0.2, late=0.0, says="give(s) the opponent a [higher|lower|high] card of a promising suit")
def opp_high_hope(view: View, card: int) -> float:
    """A suit the opponent has not begun: what it could reach there, at least 0, times the card's number in tens."""
    return (view.opp_top[view.suit] < 0) * max(view.opp_reach[view.suit], 0.0) * view.value / 10


@rule("keep", says="give(s) an opponent busy elsewhere a [higher|lower|high] card")
def opp_busy_height(view: View, card: int) -> float:
    """A suit the opponent has not begun: the card's number in tens, times the share of suits that it has begun."""
    return (view.opp_top[view.suit] < 0) * view.value / 10 * view.opp_begun / view.suits


@rule("keep", says="throw(s) away a card that fits while the opponent is busy")
def mine_while_busy(view: View, card: int) -> float:
    """It goes on an expedition I have begun: the share of suits that the opponent has begun."""
    return view.goes_on * view.opp_begun / view.suits


@rule("keep", early=0.2, late=0.0, says="give(s) the opponent a [higher|lower|high] card of a new suit")
def opp_height(view: View, card: int) -> float:
    """A suit the opponent has not begun: the card's number, in tens."""
    return (view.opp_top[view.suit] < 0) * view.value / 10


@rule("keep", early=0.2, late=0.1, says="give(s) the opponent a [more|less|] promising investment")
def opp_investment(view: View, card: int) -> float:
    """An investment that the opponent could still play: what it could reach there, at least 0."""
    return (view.value == 0) * (view.opp_top[view.suit] <= 0) * max(view.opp_reach[view.suit], 0.0)


@rule("keep", early=0.1, says="discard(s) a card of a suit of which the opponent holds [more|fewer|some] cards")
def opp_cards(view: View, card: int) -> float:
    """Numbers of its suit that the opponent is known to hold, in threes; investments are not counted."""
    return count_of(view.known[view.suit]) / 3


@rule("keep", early=-0.6, says="throw(s) away a card that both expeditions have passed")
def dead(view: View, card: int) -> bool:
    """Both of us have begun its suit, and it goes on neither expedition."""
    suit = view.suit
    both = (view.my_top[suit] >= 0) & (view.opp_top[suit] >= 0)
    return both & (view.goes_on == 0) & (view.goes_on_opp == 0)


@kernel
def covered(view: View, top: int) -> float:
    """The number on the pile of the card's suit, in tens, if it goes on an expedition with that top; else 0."""
    number = value_of(view.pile_top[view.suit])
    return ((view.pile_size[view.suit] > 0) & (top >= 0) & (number > top)) * number / 10


@rule("keep", early=-0.5, says="cover(s) a [higher|lower|] card that the opponent could use")
def covers_opp(view: View, card: int) -> float:
    """It would cover a number that goes on the opponent's expedition: that number, in tens."""
    return covered(view, view.opp_top[view.suit])


@rule("keep", early=0.5, says="cover(s) a [higher|lower|] card that fits my expedition")
def covers_mine(view: View, card: int) -> float:
    """It would cover a number that goes on my expedition: that number, in tens."""
    return covered(view, view.my_top[view.suit])


@rule("keep", late=0.5, says="discard(s) yet again, after more than five in a row")
def discarded_long(view: View, card: int) -> bool:
    """I have discarded more than five times in a row."""
    return view.my_streak > LONG_STREAK


standard = RuleSet(
    "standard",
    game,
    (*rules_of(globals()), *draw_rules.DRAW_RULES),
    fields=FIELDS,
    progress=gone,
    facts=find_facts,
    consider=look_at,
    kinds=(Kind("play", {"play": 1.0}), Kind("discard", {"keep": -1.0}), Kind("draw", {"draw": 1.0})),
    meaning="continuous facts of points, gaps, reach, time and gifts; plays, discards and draws judged apart",
)
RULE_SETS = (standard, shelly, shelly_mended, sheppard)
