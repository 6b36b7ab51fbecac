"""Daniel Sheppard's 7 rules (Ruby Quiz 51): strengths of playing, discarding and drawing a card.

His player plays a card if the best play is at least as strong as the best discard. It takes the strongest top card of
a pile unless the deck promises more. Chance decides between equals.
"""

from collections.abc import Callable
from typing import Any

from rulebots.game import Kind, View
from rulebots.game.bits import count_of
from rulebots.game.random_numbers import next_luck
from rulebots.games.lost_cities.cards import (
    ALL_NUMBERS,
    DRAW,
    FROM_DECK,
    INVESTMENTS,
    KINDS,
    MOVE_COUNT,
    suit_of,
    sum_of,
    value_of,
)
from rulebots.games.lost_cities.game import game
from rulebots.kernel import Kernel, kernel
from rulebots.rules import RuleSet, rule, rules_of
from rulebots.rules.scoring import group_sum, scorer

#: He assumes that the opponent holds eight of the cards that he cannot see.
OPPONENT_HAND = 8
#: Above this many turns left he does not count on reaching his high cards.
MANY_TURNS = 8


@kernel
def can_follow(top: int, value: int) -> bool:
    """His idea of playable: the expedition has not begun, or its top is not higher."""
    return top <= value


@kernel
def unseen_numbers(view: View, suit: int) -> int:
    """The numbers of a suit that I do not see: not on the table, in my hand, or taken by the opponent."""
    return ALL_NUMBERS & ~(view.shown[suit] | view.held[suit] | view.known[suit])


@kernel
def unseen_investments(view: View, suit: int) -> int:
    """How many investments of a suit I do not see, as he counts them.

    His slip: one that the opponent took from a pile is not struck off when it is laid, so that it counts twice.
    """
    twice = view.known_laid >> 2 * suit & 3
    seen = view.shown_invested[suit] + view.held_invested[suit] + view.known_invested[suit] + twice
    return max(INVESTMENTS - seen, 0)


@kernel
def unseen_count(view: View) -> int:
    """R: the number of cards that I do not see. A card that the opponent took from a pile has been seen."""
    count = 0
    for suit in range(view.suits):
        count += count_of(unseen_numbers(view, suit)) + unseen_investments(view, suit)
    return count


@rule("play", early=1.0, says="[play(s) a lower card|play(s) a higher card|play(s) rather than discard(s)]")
def play_lowest_first(view: View, card: int) -> float:
    """12 less its value, 12 for an investment: the lower, the stronger."""
    return 12.0 - value_of(card)


@rule("play", early=1.0, says="play(s) my lowest playable card, to keep higher ones playable")
def maximum_score_end_game(view: View, card: int) -> float:
    """With m > 8 turns left, 100 for my m-th highest playable card, or for the lowest if there are fewer."""
    turns = (unseen_count(view) - OPPONENT_HAND) // 2
    if turns <= MANY_TURNS or not can_follow(view.my_top[suit_of(card)], value_of(card)):
        return 0.0
    above = below = copies = 0
    for i in range(view.hand_size):
        other = view.hand[i]
        if other == card:
            copies += 1
        elif can_follow(view.my_top[suit_of(other)], value_of(other)):
            higher = value_of(other) > value_of(card) or (value_of(other) == value_of(card) and copies > 0)
            above += higher
            below += not higher
    return 100.0 if above < turns <= above + copies or (below == 0 and above + copies < turns) else 0.0


@rule("draw", says="take(s) a card that my expedition has passed")
def ignore_unusable(view: View, card: int) -> float:
    """-100 for a card that I cannot play."""
    return 0.0 if can_follow(view.my_top[suit_of(card)], value_of(card)) else -100.0


@rule("discard", says="throw(s) away a card that my expedition has passed")
def discard_unusable(view: View, card: int) -> float:
    """1 for a card that I cannot play."""
    return 0.0 if can_follow(view.my_top[suit_of(card)], value_of(card)) else 1.0


@rule("discard", says="give(s) the opponent a card to play")
def deprive_opponent(view: View, card: int) -> float:
    """-100 for a card that the opponent could play."""
    return -100.0 if can_follow(view.opp_top[suit_of(card)], value_of(card)) else 0.0


@rule("play", says="invest(s) in a suit that could still earn more than it costs")
def avoid_late_investment(view: View, card: int) -> float:
    """-100 for an investment whose cost is less than what its suit could still bring (as he wrote it)."""
    if value_of(card) > 0:
        return 0.0
    suit = suit_of(card)
    limit = 20 * (view.my_length[suit] + 1)
    return -100.0 if limit < sum_of(view.held[suit]) + sum_of(unseen_numbers(view, suit)) else 0.0


@rule("play", says="invest(s) in a suit that is likely to earn more than it costs")
def expected_investment_value(view: View, card: int) -> float:
    """-100 for an investment whose cost is less than what I can expect of its suit (as he wrote it).

    Numbers that I do not see count by the share of them that I can expect to draw.
    """
    if value_of(card) > 0:
        return 0.0
    suit = suit_of(card)
    unseen = unseen_count(view)
    limit = 20 * (view.my_length[suit] + 1)
    expected = sum_of(view.held[suit]) * 2 * unseen + (unseen - OPPONENT_HAND) * sum_of(unseen_numbers(view, suit))
    return -100.0 if limit * 2 * unseen < expected else 0.0


def decide(rules: RuleSet) -> Kernel[..., int]:
    """His way of picking a move: chance among equals, and the deck weighed against the piles."""
    score = scorer(rules)
    draw_sum: Callable[..., float] = group_sum(rules, "draw")

    @kernel
    def choose(view: Any, moves: Any, n: int, weights: Any, blended: Any, scores: Any) -> int:
        score(view, moves, n, weights, blended, scores)
        first = 1 if view.phase == DRAW else 0
        if first == n:
            return FROM_DECK
        best = scores[first]
        for i in range(first, n):
            best = max(best, scores[i])
        if view.phase == DRAW:
            unseen = unseen_count(view)
            deck_sum = 0.0
            for suit in range(view.suits):
                numbers = unseen_numbers(view, suit)
                deck_sum += unseen_investments(view, suit) * draw_sum(view, 10 * suit, blended)
                for rank in range(1, 10):
                    if numbers >> (rank + 1) & 1:
                        deck_sum += draw_sum(view, 10 * suit + rank, blended)
            if deck_sum * (unseen - OPPONENT_HAND) >= best * unseen * 2:
                return FROM_DECK
        # A play beats a discard of equal strength; chance decides between moves of one kind.
        end = MOVE_COUNT
        for i in range(first, n):
            if scores[i] == best and moves[i] < KINDS:
                end = KINDS
        count = 0
        for i in range(first, n):
            count += scores[i] == best and moves[i] < end
        skip = next_luck(view.luck) % count
        for i in range(first, n):
            if scores[i] == best and moves[i] < end:
                if skip == 0:
                    return moves[i]
                skip -= 1
        return moves[first]

    return choose


sheppard = RuleSet(
    "sheppard",
    game,
    tuple(rules_of(globals())),
    kinds=(Kind("play", {"play": 1.0}), Kind("discard", {"discard": 1.0}), Kind("draw", {"draw": 1.0})),
    decide=decide,
    meaning="Daniel Sheppard's 7 rules, one multiplier each",
)
