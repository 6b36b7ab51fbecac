"""Adam Shelly's 42 rules with the weights that he tuned by hand (Ruby Quiz 51), and his way to draw a card.

Where a name says one thing and his code another (`total_20` asks for more than 21, `group_20` for more than 25), the
rule does what the code does. An expedition that has not begun counts as topped by 0, unless a rule says otherwise.

`shelly_mended` is his later player, which saved its file gene.yaml: his slip in drawing is mended.
"""

from dataclasses import replace

import numpy as np

from rulebots.game import View
from rulebots.game.bits import below, count_of
from rulebots.games.lost_cities.cards import (
    ALL_NUMBERS,
    DRAW,
    KINDS,
    LETTERS,
    NO_CARD,
    playable,
    suit_of,
    sum_of,
    value_of,
)
from rulebots.games.lost_cities.game import PER_SUIT, game
from rulebots.kernel import kernel
from rulebots.rules import RuleSet, rule, rules_of

#: Among equal values in the hand the letter of the suit decides: D J M O V.
LETTER_ORDER = np.array([sorted(LETTERS).index(letter) for letter in LETTERS])
#: After more discards in a row than this he wants no card from the piles: someone has to end the game.
LONG_STREAK = 5

#: The facts of his rules, in addition to the view.
FIELDS = [
    ("must_play", np.int32),  # cards in hand that go on started expeditions
    ("tight", np.int32),  # the deck runs low for these cards
    ("super_tight", np.int32),  # it is only just large enough for them
    ("wanted", np.int32),  # bit s says whether the pile of suit s is wanted
    ("lowest_card", np.int32),
    ("highest_card", np.int32),
    ("multiple", *PER_SUIT),  # 2 ** (investments in hand and laid)
]


@kernel
def must_play_card(view: View, card: int) -> bool:
    """Whether a card goes on one of the mover's started expeditions."""
    top = view.my_top[suit_of(card)]
    return (top >= 0) & playable(top, value_of(card))


@kernel
def find_facts(view: View) -> None:
    """Work out all facts as things stand."""
    view.must_play = 0
    lowest = 100 * KINDS
    highest = -1
    for i in range(view.hand_size):
        card = view.hand[i]
        view.must_play += must_play_card(view, card)
        rank = (10 * value_of(card) + LETTER_ORDER[suit_of(card)]) * KINDS + card
        lowest = min(lowest, rank)
        highest = max(highest, rank)
    view.lowest_card = lowest % KINDS
    view.highest_card = highest % KINDS
    find_time(view)
    view.wanted = 0
    some = 0
    for suit in range(view.suits):
        view.multiple[suit] = 1 << (view.held_invested[suit] + view.my_invested[suit])
        there = suit != view.just_discarded
        some |= ((view.pile_size[suit] > 0) & there) << suit
        wants = wants_card(view, view.pile_top[suit], view.my_top[suit], sum_of(view.held[suit]))
        view.wanted |= (wants & there) << suit
    settle_wanted(view, some, view.my_streak)


@kernel
def recall_facts(view: View) -> None:
    """Work out must_play, tight, super_tight and wanted as before this turn's card was laid: he draws by those.

    This is his slip: the play may just have made a wanted card useless.
    """
    laid_suit = suit_of(view.just_laid)
    laid_value = value_of(view.just_laid)
    covered = value_of(view.just_covered) if view.just_covered != NO_CARD else -1
    discarded = view.just_discarded == laid_suit
    former_top = view.my_top[laid_suit] if discarded else covered
    former_pile_top = view.just_covered if discarded else view.pile_top[laid_suit]
    view.must_play = (former_top >= 0) & playable(former_top, laid_value)
    for i in range(view.hand_size):
        card = view.hand[i]
        suit = suit_of(card)
        top = former_top if suit == laid_suit else view.my_top[suit]
        view.must_play += (top >= 0) & playable(top, value_of(card))
    find_time(view)
    view.wanted = 0
    some = 0
    for suit in range(view.suits):
        same = suit == laid_suit
        top = former_top if same else view.my_top[suit]
        card = former_pile_top if same else view.pile_top[suit]
        some |= (card != NO_CARD) << suit
        view.wanted |= wants_card(view, card, top, sum_of(view.held[suit]) + same * laid_value) << suit
    settle_wanted(view, some, view.former_streak)
    view.wanted &= ~(discarded << laid_suit)


@kernel
def see(view: View) -> None:
    """The facts as he finds them: he looks once a turn, before he lays a card."""
    if view.phase == DRAW:
        recall_facts(view)
    else:
        find_facts(view)


@kernel
def find_time(view: View) -> None:
    """Work out tight and super_tight, from must_play."""
    view.tight = view.deck_left // 2 - 1 <= view.must_play
    view.super_tight = view.deck_left <= view.must_play


@kernel
def wants_card(view: View, card: int, top: int, held_sum: int) -> bool:
    """Whether a pile's card goes on an expedition with that top, or would begin a good one."""
    value = value_of(card)
    goes_on = (top >= 0) & (value >= top)
    would_begin = (top < 0) & (value + held_sum > 15) & (view.tight == 0)
    return (card != NO_CARD) & (goes_on | would_begin)


@kernel
def settle_wanted(view: View, some: int, streak: int) -> None:
    """Any pile will do when time is up (`some`: the piles with cards); none after many discards in a row."""
    if view.super_tight and view.wanted == 0:
        view.wanted = some
    if streak > LONG_STREAK:
        view.wanted = 0


@kernel
def step(view: View) -> float:
    """Early until the deck runs tight, then late, without a blend."""
    return 1.0 if view.tight else 0.0


@kernel
def top_or_0(top: int) -> int:
    """The value on top of an expedition; 0 if it has not begun."""
    return max(top, 0)


@kernel
def unseen_below(view: View, card: int) -> int:
    """How many lower numbers of the suit are neither on an expedition nor on the pile."""
    unseen = ALL_NUMBERS & ~view.shown[suit_of(card)]
    return count_of(below(unseen, value_of(card)))


# --- play: positive weights mean play it, negative ones hold it


@rule("play", early=0.6, late=0.8, says="play(s) a card that leaves no gap")
def in_sequence(view: View, card: int) -> bool:
    """It directly follows the last card of its expedition; on one not begun, it is an investment."""
    return value_of(card) == view.my_top[suit_of(card)] + 1


@rule("play", early=0.1, late=0.0, says="play(s) the lowest card in hand, to save the higher ones")
def low_card(view: View, card: int) -> bool:
    """It is the lowest card of the hand."""
    return card == view.lowest_card


@rule("play", early=0.2, late=0.0, says="play(s) a low card, below 5")
def low_cards(view: View, card: int) -> bool:
    """It is lower than 5."""
    return value_of(card) < 5


@rule("play", early=-0.3, late=0.1, says="play(s) the highest card in hand")
def high_card(view: View, card: int) -> bool:
    """It is the highest card of the hand."""
    return card == view.highest_card


@rule("play", early=-0.2, late=0.2, says="play(s) a high card, above 5")
def high_cards(view: View, card: int) -> bool:
    """It is higher than 5."""
    return value_of(card) > 5


@rule("play", early=0.1, late=-0.2, says="play(s) an investment, which multiplies gains and losses")
def investments(view: View, card: int) -> bool:
    """It is an investment."""
    return value_of(card) == 0


@rule("play", early=0.5, late=0.7, says="build(s) on a suit that my investments multiply")
def on_investments(view: View, card: int) -> bool:
    """There are investments on its expedition."""
    return view.my_invested[suit_of(card)] > 0


@rule("play", early=-0.2, late=0.0, says="play(s) a number before the investment of its suit in hand")
def holding_investments(view: View, card: int) -> bool:
    """It is a number, and an investment of its suit is in hand."""
    return (value_of(card) > 0) & (view.held_invested[suit_of(card)] > 0)


@rule("play", early=0.5, late=0.3, says="play(s) an investment in a suit with many points in hand behind it")
def investment_with_hope(view: View, card: int) -> bool:
    """It is an investment, and the numbers of its suit in hand add up to more than 5 + 5 times the multiple.

    The multiple doubles with each investment of the suit in hand or laid: 1, 2, 4, 8.
    """
    suit = suit_of(card)
    return (value_of(card) == 0) & (sum_of(view.held[suit]) > 5 + 5 * view.multiple[suit])


hopeful = investment_with_hope.kernel


@rule("play", early=-0.6, late=-1.0, says="add(s) no multiplier to a suit with many points in hand")
def investment_without_hope(view: View, card: int) -> bool:
    """It is not an investment with hope, which is true of every number, too."""
    return not hopeful(view, card)


@rule("play", early=0.5, late=-0.4, says="build(s) on a suit with more than 10 points in hand")
def group_10(view: View, card: int) -> bool:
    """The numbers of its suit in hand add up to more than 10."""
    return sum_of(view.held[suit_of(card)]) > 10


@rule("play", early=0.6, late=-0.3, says="build(s) on a suit with more than 15 points in hand")
def group_15(view: View, card: int) -> bool:
    """The numbers of its suit in hand add up to more than 15."""
    return sum_of(view.held[suit_of(card)]) > 15


@rule("play", early=0.7, late=-0.2, says="build(s) on a suit with more than 25 points in hand")
def group_20(view: View, card: int) -> bool:
    """The numbers of its suit in hand add up to more than 25."""
    return sum_of(view.held[suit_of(card)]) > 25


group_25 = rule(
    "play", early=0.9, late=-0.1, name="group_25", says="build(s) on a suit with more than 25 points in hand"
)(group_20.kernel)


@rule(
    "play",
    early=0.35,
    late=1.0,
    says="build(s) on a suit that adds up to more than its cost of 20, laid and in hand",
)
def total_20(view: View, card: int) -> bool:
    """Hand and expedition of its suit together add up to more than 21 (not 20: as in his code)."""
    suit = suit_of(card)
    return sum_of(view.held[suit]) + view.my_total[suit] > 21


@rule(
    "play",
    early=0.6,
    late=1.0,
    says="build(s) on a suit that adds up to well over its cost of 20, laid and in hand",
)
def total_25(view: View, card: int) -> bool:
    """Hand and expedition of its suit together add up to more than 25."""
    suit = suit_of(card)
    return sum_of(view.held[suit]) + view.my_total[suit] > 25


@rule("play", early=0.7, late=0.9, says="go(es) on with a suit already begun, at no new cost")
def suit_started(view: View, card: int) -> bool:
    """I have begun its expedition."""
    suit = suit_of(card)
    return view.my_total[suit] + view.my_invested[suit] > 0


@rule("play", early=0.4, late=0.5, says="play(s) a card that skips one number at most")
def close_to_previous(view: View, card: int) -> bool:
    """It skips at most one number of its expedition."""
    return value_of(card) - top_or_0(view.my_top[suit_of(card)]) < 3


@rule("play", early=0.4, late=0.8, says="build(s) on a suit with two investments or more, laid or in hand")
def multiplier_2(view: View, card: int) -> bool:
    """At least two investments of its suit are in my hand or on my expedition."""
    return view.multiple[suit_of(card)] > 2


@rule("play", early=0.5, late=0.9, says="build(s) on a suit with all three investments, laid or in hand")
def multiplier_3(view: View, card: int) -> bool:
    """All three investments of its suit are in my hand or on my expedition."""
    return view.multiple[suit_of(card)] > 4


@rule("play", early=-0.5, late=-1.0, says="begin(s) another expedition, which costs 20")
def on_unplayed(view: View, card: int) -> bool:
    """I have not begun its expedition."""
    return view.my_top[suit_of(card)] < 0


@rule("play", early=-0.1, late=0.0, says="play(s) in a suit that the opponent is collecting, too")
def he_has_played(view: View, card: int) -> bool:
    """The opponent has begun the expedition of its suit."""
    return view.opp_top[suit_of(card)] >= 0


@rule("play", early=-0.2, late=0.0, says="play(s) in a suit in which the opponent has laid more than 10 points")
def he_has_played_10(view: View, card: int) -> bool:
    """The opponent's numbers of its suit add up to more than 10."""
    return view.opp_total[suit_of(card)] > 10


@rule("play", early=-0.3, late=0.0, says="play(s) in a suit in which the opponent has laid more than 20 points")
def he_has_played_20(view: View, card: int) -> bool:
    """The opponent's numbers of its suit add up to more than 20."""
    return view.opp_total[suit_of(card)] > 20


@rule("play", early=0.5, late=0.9, says="build(s) on an expedition that has yet to earn its cost of 20")
def hand_negative(view: View, card: int) -> bool:
    """I have begun its expedition, and it has not yet earned its cost of 20."""
    suit = suit_of(card)
    return (view.my_top[suit] >= 0) & (view.my_total[suit] < 20)


@rule("play", early=-0.3, late=1.0, says="play(s) a card that fits my expedition")
def must_plays(view: View, card: int) -> bool:
    """It goes on an expedition that I have begun."""
    return must_play_card(view, card)


@rule("play", early=-0.5, late=-0.4, says="play(s) a card ahead of a lower one of its suit in hand")
def lower_in_hand(view: View, card: int) -> bool:
    """I hold a lower card of its suit."""
    suit = suit_of(card)
    value = value_of(card)
    return (below(view.held[suit], value) != 0) | ((value > 0) & (view.held_invested[suit] > 0))


@rule("play", early=-0.1, late=-0.01, says="play(s) the highest card of its suit in hand")
def highest_in_hand(view: View, card: int) -> bool:
    """I hold no higher card of its suit."""
    return view.held[suit_of(card)] < 2 << value_of(card)


@rule("play", early=0.3, late=0.5, says="play(s) the 2 of a suit that my investments multiply")
def two_follows_invest(view: View, card: int) -> bool:
    """It is a 2, and there are investments on its expedition."""
    return (value_of(card) == 2) & (view.my_invested[suit_of(card)] > 0)


@rule("play", late=2.0, says="play(s) a card that fits my expedition while there are turns left for it")
def finish_game(view: View, card: int) -> bool:
    """It goes on an expedition that I have begun, and the deck is only just large enough for such cards."""
    return (view.super_tight != 0) & must_play_card(view, card)


@rule("play", early=-0.2, late=-0.05, says="play(s) a card before lower ones that may still come")
def possible_below(view: View, card: int) -> bool:
    """A lower number of its suit is still to come or in a hand."""
    return unseen_below(view, card) > 0


@rule("play", early=-0.4, late=-0.1, says="play(s) a card before four or more lower ones that may still come")
def possible_many_below(view: View, card: int) -> bool:
    """More than three lower numbers of its suit are still to come or in a hand."""
    return unseen_below(view, card) > 3


# --- keep: positive weights mean keep it, negative ones discard it


@rule("keep", early=-0.5, late=0.1, says="get(s) rid of a card that my expedition has passed")
def useless_to_me(view: View, card: int) -> bool:
    """It is lower than the top of my expedition."""
    return value_of(card) < top_or_0(view.my_top[suit_of(card)])


@rule("keep", early=-0.2, late=0.1, says="part(s) with a card that the opponent's expedition has passed")
def useless_to_him(view: View, card: int) -> bool:
    """It is lower than the top of the opponent's expedition."""
    return value_of(card) < top_or_0(view.opp_top[suit_of(card)])


@rule("keep", early=0.4, late=0.5, says="part(s) with a card that the opponent could still play")
def useful_to_him(view: View, card: int) -> bool:
    """It is not lower than the top of the opponent's expedition, begun or not."""
    return value_of(card) >= top_or_0(view.opp_top[suit_of(card)])


@rule("keep", early=0.3, says="part(s) with a card that could still be of use")
def useful_to_me(view: View, card: int) -> bool:
    """It is not lower than the top of my expedition; if I have not begun one, it is a 10."""
    top = view.my_top[suit_of(card)]
    return value_of(card) >= (top if top >= 0 else 10)


keep_he_has_played = rule(
    "keep", early=0.1, late=0.3, says="part(s) with a card of a suit that the opponent is collecting"
)(he_has_played.kernel)


@rule("keep", early=-0.2, late=-0.1, says="part(s) with a lone card, the only one of its suit in hand")
def singleton(view: View, card: int) -> bool:
    """It is my only card of its suit."""
    suit = suit_of(card)
    return count_of(view.held[suit]) + view.held_invested[suit] == 1


no_partners = rule(
    "keep", early=-0.3, name="no_partners", says="part(s) with a card that none of my expeditions needs"
)(on_unplayed.kernel)


@rule("keep", early=0.3, late=0.5, says="part(s) with a card whose pile shows a useful one, which a discard covers")
def want_from_discard(view: View, card: int) -> bool:
    """I want the card on top of the pile of its suit."""
    return view.wanted >> suit_of(card) & 1 != 0


@rule("keep", early=-0.2, late=0.0, says="get(s) rid of a card that both expeditions have passed")
def below_lowest_playable(view: View, card: int) -> bool:
    """It is lower than the tops of both expeditions."""
    suit = suit_of(card)
    return value_of(card) < min(top_or_0(view.my_top[suit]), top_or_0(view.opp_top[suit]))


@rule("keep", early=0.5, late=1.0, says="discard(s) yet again, after more than five in a row")
def dont_discard_forever(view: View, card: int) -> bool:
    """I have discarded more than five times in a row."""
    return view.my_streak > LONG_STREAK


# --- draw


@rule("draw", early=1.0, says="take(s) a card that was of use when the turn began")
def wanted(view: View, card: int) -> bool:
    """The top card of a pile went on my expedition, or would have begun a good one, when the turn began.

    His slip is kept: the turn's own play may just have made the card useless.
    """
    return (card != NO_CARD) & (view.wanted >> suit_of(card) & 1 != 0)


shelly = RuleSet(
    "shelly",
    game,
    tuple(rules_of(globals())),
    fields=FIELDS,
    progress=step,
    facts=see,
    meaning="Adam Shelly's 42 hand-tuned rules, and his choice of a card to draw",
)
once_wanted = wanted.kernel


@rule("draw", early=1.0, name="wanted", says="take(s) a useful card from a pile")
def still_wanted(view: View, card: int) -> bool:
    """It is wanted as in `shelly`, and higher than the top of my expedition, or than 0 if it has not begun."""
    # An investment on an expedition that has not begun is worth 0, so it is not drawn.
    return (value_of(card) > top_or_0(view.my_top[suit_of(card)])) & (once_wanted(view, card) != 0)


shelly_mended = replace(
    shelly,
    name="shelly_mended",
    rules=tuple(still_wanted if one is wanted else one for one in shelly.rules),
    meaning="Adam Shelly's rules; his draw takes no card that his own play has just made useless",
)
