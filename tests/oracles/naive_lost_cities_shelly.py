"""Shelly of Ruby Quiz 51 in plain Python, from the reference text: oracle of the compiled player, and its yardstick.

A rule is a small function of the facts and a card. With `Facts` each rule looks for itself, as in Shelly's own
program; with `Noted` the facts are noted once a turn. Both decide alike.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from naive_lost_cities import SUIT_LETTERS, Card, NaiveGame, card_word, may_follow, pile_word

LONG_STREAK = 5

Weight = int | Fraction
#: Early and late weight of each rule by its key, such as "play.low_card".
Weights = Mapping[str, tuple[Weight, Weight]]


def by_value_then_letter(card: Card) -> tuple[int, str]:
    """The order of the lowest and the highest card of a hand."""
    return card.value, SUIT_LETTERS[card.suit]


class Facts:
    """What the rules ask before a card is laid, from the mover's side, worked out each time that one asks."""

    def __init__(self, game: NaiveGame) -> None:
        me, opp = game.mover, 1 - game.mover
        self.hand, self.piles, self.deck = game.hands[me], game.piles, game.deck
        self.mine, self.his = game.expeditions[me], game.expeditions[opp]
        self.streak = game.streaks[me]

    def held(self, suit: int) -> Sequence[int]:
        """The values in hand, in order."""
        return [card.value for card in self.hand if card.suit == suit]

    def held_sum(self, suit: int) -> int:
        return sum(self.held(suit))

    def started(self, suit: int) -> bool:
        return bool(self.mine[suit])

    def top(self, suit: int) -> int:
        """The last value of my expedition, 0 where there is none."""
        cards = self.mine[suit]
        return cards[-1] if cards else 0

    def played_sum(self, suit: int) -> int:
        return sum(self.mine[suit])

    def invested(self, suit: int) -> int:
        return self.mine[suit].count(0)

    def multiple(self, suit: int) -> int:
        """2 to the power of my investments, played and in hand."""
        return 1 << (self.invested(suit) + self.held(suit).count(0))

    def opp_started(self, suit: int) -> bool:
        return bool(self.his[suit])

    def opp_top(self, suit: int) -> int:
        """The last value of the opponent's expedition, 0 where there is none."""
        cards = self.his[suit]
        return cards[-1] if cards else 0

    def opp_sum(self, suit: int) -> int:
        return sum(self.his[suit])

    def unseen(self, suit: int) -> Sequence[int]:
        """The numbers that have not been shown, in order."""
        shown = {*self.mine[suit], *self.his[suit], *self.piles[suit]}
        return [value for value in range(2, 11) if value not in shown]

    def must_play(self, card: Card) -> bool:
        """Whether a card goes on an expedition that has begun."""
        return self.started(card.suit) and card.value >= self.top(card.suit)

    def hope(self, card: Card) -> bool:
        """Whether it is an investment, and the numbers in hand are worth it."""
        return card.value == 0 and self.held_sum(card.suit) > 5 + 5 * self.multiple(card.suit)

    @property
    def tight(self) -> bool:
        """Whether the deck hardly lasts for what goes on my expeditions."""
        return len(self.deck) // 2 - 1 <= sum(map(self.must_play, self.hand))

    @property
    def super_tight(self) -> bool:
        """Whether it does not, if the opponent draws from it as well."""
        return len(self.deck) <= sum(map(self.must_play, self.hand))

    @property
    def lowest(self) -> Card:
        return min(self.hand, key=by_value_then_letter)

    @property
    def highest(self) -> Card:
        return max(self.hand, key=by_value_then_letter)

    @property
    def wanted(self) -> list[int]:
        """The suits of the piles whose top card he would like, in order."""
        if self.streak > LONG_STREAK:
            return []
        filled = [suit for suit, pile in enumerate(self.piles) if pile]
        wanted = [suit for suit in filled if self.wants(suit, self.piles[suit][-1])]
        return filled if self.super_tight and not wanted else wanted

    def wants(self, suit: int, value: int) -> bool:
        """Whether a card goes on an expedition, or would begin a good one."""
        if self.started(suit):
            return value >= self.top(suit)
        return value + self.held_sum(suit) > 15 and not self.tight


class Noted(Facts):
    """The same, noted once a turn: what rules ask again and again is looked up in lists by suit."""

    def __init__(self, game: NaiveGame) -> None:
        super().__init__(game)
        held: list[list[int]] = [[] for _ in self.piles]
        for suit, value in self.hand:
            held[suit].append(value)
        begun, tops = [bool(cards) for cards in self.mine], [cards[-1] if cards else 0 for cards in self.mine]
        invested = [cards.count(0) for cards in self.mine]
        vars(self).update(
            held=held.__getitem__,
            held_sum=[sum(values) for values in held].__getitem__,
            started=begun.__getitem__,
            top=tops.__getitem__,
            played_sum=[sum(cards) for cards in self.mine].__getitem__,
            invested=invested.__getitem__,
            multiple=[1 << (invested[s] + held[s].count(0)) for s in game.suits].__getitem__,
            opp_started=[bool(cards) for cards in self.his].__getitem__,
            opp_top=[cards[-1] if cards else 0 for cards in self.his].__getitem__,
            opp_sum=[sum(cards) for cards in self.his].__getitem__,
            unseen=[Facts.unseen(self, suit) for suit in game.suits].__getitem__,
            must_play={card for card in self.hand if begun[card.suit] and card.value >= tops[card.suit]}.__contains__,
        )

    tight = cached_property(Facts.tight.fget)
    super_tight = cached_property(Facts.super_tight.fget)
    lowest = cached_property(Facts.lowest.fget)
    highest = cached_property(Facts.highest.fget)
    wanted = cached_property(Facts.wanted.fget)


class Rule(NamedTuple):
    """A rule with Shelly's own early and late weight, in hundredths."""

    early: int
    late: int
    holds: Callable[[Facts, Card], bool]


#: The table of the reference, a line each.
RULES = {
    "play.in_sequence": Rule(60, 80, lambda f, c: c.value == (f.top(c.suit) + 1 if f.started(c.suit) else 0)),
    "play.low_card": Rule(10, 0, lambda f, c: c == f.lowest),
    "play.low_cards": Rule(20, 0, lambda f, c: c.value < 5),
    "play.high_card": Rule(-30, 10, lambda f, c: c == f.highest),
    "play.high_cards": Rule(-20, 20, lambda f, c: c.value > 5),
    "play.investments": Rule(10, -20, lambda f, c: c.value == 0),
    "play.on_investments": Rule(50, 70, lambda f, c: f.invested(c.suit) > 0),
    "play.holding_investments": Rule(-20, 0, lambda f, c: c.value > 0 and 0 in f.held(c.suit)),
    "play.investment_with_hope": Rule(50, 30, lambda f, c: f.hope(c)),
    "play.investment_without_hope": Rule(-60, -100, lambda f, c: not f.hope(c)),
    "play.group_10": Rule(50, -40, lambda f, c: f.held_sum(c.suit) > 10),
    "play.group_15": Rule(60, -30, lambda f, c: f.held_sum(c.suit) > 15),
    "play.group_20": Rule(70, -20, lambda f, c: f.held_sum(c.suit) > 25),  # 25, whatever its name says
    "play.group_25": Rule(90, -10, lambda f, c: f.held_sum(c.suit) > 25),
    "play.total_20": Rule(35, 100, lambda f, c: f.held_sum(c.suit) + f.played_sum(c.suit) > 21),
    "play.total_25": Rule(60, 100, lambda f, c: f.held_sum(c.suit) + f.played_sum(c.suit) > 25),
    "play.suit_started": Rule(70, 90, lambda f, c: f.started(c.suit)),
    "play.close_to_previous": Rule(40, 50, lambda f, c: c.value - f.top(c.suit) < 3),
    "play.multiplier_2": Rule(40, 80, lambda f, c: f.multiple(c.suit) > 2),
    "play.multiplier_3": Rule(50, 90, lambda f, c: f.multiple(c.suit) > 4),
    "play.on_unplayed": Rule(-50, -100, lambda f, c: not f.started(c.suit)),
    "play.he_has_played": Rule(-10, 0, lambda f, c: f.opp_started(c.suit)),
    "play.he_has_played_10": Rule(-20, 0, lambda f, c: f.opp_sum(c.suit) > 10),
    "play.he_has_played_20": Rule(-30, 0, lambda f, c: f.opp_sum(c.suit) > 20),
    "play.hand_negative": Rule(50, 90, lambda f, c: f.started(c.suit) and f.played_sum(c.suit) < 20),
    "play.must_plays": Rule(-30, 100, lambda f, c: f.must_play(c)),
    "play.lower_in_hand": Rule(-50, -40, lambda f, c: c.value > f.held(c.suit)[0]),
    "play.highest_in_hand": Rule(-10, -1, lambda f, c: c.value == f.held(c.suit)[-1]),
    "play.two_follows_invest": Rule(30, 50, lambda f, c: c.value == 2 and f.invested(c.suit) > 0),
    "play.finish_game": Rule(0, 200, lambda f, c: f.super_tight and f.must_play(c)),
    "play.possible_below": Rule(-20, -5, lambda f, c: bisect_left(f.unseen(c.suit), c.value) > 0),
    "play.possible_many_below": Rule(-40, -10, lambda f, c: bisect_left(f.unseen(c.suit), c.value) > 3),
    "keep.useless_to_me": Rule(-50, 10, lambda f, c: c.value < f.top(c.suit)),
    "keep.useless_to_him": Rule(-20, 10, lambda f, c: c.value < f.opp_top(c.suit)),
    "keep.useful_to_him": Rule(40, 50, lambda f, c: c.value >= f.opp_top(c.suit)),
    "keep.useful_to_me": Rule(30, 30, lambda f, c: c.value >= (f.top(c.suit) if f.started(c.suit) else 10)),
    "keep.he_has_played": Rule(10, 30, lambda f, c: f.opp_started(c.suit)),
    "keep.singleton": Rule(-20, -10, lambda f, c: len(f.held(c.suit)) == 1),
    "keep.no_partners": Rule(-30, -30, lambda f, c: not f.started(c.suit)),
    "keep.want_from_discard": Rule(30, 50, lambda f, c: c.suit in f.wanted),
    "keep.below_lowest_playable": Rule(-20, 0, lambda f, c: c.value < f.top(c.suit) and c.value < f.opp_top(c.suit)),
    "keep.dont_discard_forever": Rule(50, 100, lambda f, c: f.streak > LONG_STREAK),
}
HUNDREDTHS = {key: (rule.early, rule.late) for key, rule in RULES.items()}


class NaiveShelly:
    """Looks around before it lays a card, and draws by what it saw then: one for each seat.

    Sums of its own weights, in whole hundredths, are exact in any order; so ties are ties.
    """

    def __init__(self, weights: Weights = HUNDREDTHS, facts_of: type[Facts] = Facts) -> None:
        self.weights, self.facts_of = weights, facts_of
        # Its groups, with the weights of the early and of the late game.
        self.play_rules, self.keep_rules = (
            [[(RULES[key].holds, weights[key][late]) for key in RULES if key.startswith(group)] for late in (0, 1)]
            for group in ("play.", "keep.")
        )
        self.wanted: list[int] = []

    def turn(self, game: NaiveGame) -> None:
        """Lay the best card, then draw: a play before a discard, the earlier card, among equals."""
        facts = self.facts_of(game)
        self.wanted = facts.wanted
        card, playing = self.best(facts)
        (game.lay if playing else game.discard)(card)
        game.draw(self.draws(game))

    def draws(self, game: NaiveGame) -> int | None:
        """The first pile that it wanted and may draw from, else the deck."""
        return next((suit for suit in self.wanted if suit != game.forbidden), None)

    def best(self, facts: Facts) -> tuple[Card, bool]:
        """The best card, and whether to play it."""
        late = facts.tight
        of_play, of_keep = self.play_rules[late], self.keep_rules[late]
        best_play, played = float("-inf"), None
        best_discard, discarded = float("-inf"), facts.hand[0]
        former = None
        for card in facts.hand:
            if card == former:
                continue
            former = card
            play = keep = 0
            for holds, weight in of_play:
                if holds(facts, card):
                    play += weight
            for holds, weight in of_keep:
                if holds(facts, card):
                    keep += weight
            score = play - keep / 2
            if score > best_play and may_follow(facts.mine[card.suit], card.value):
                best_play, played = score, card
            score = play / 2 - keep
            if score > best_discard:
                best_discard, discarded = score, card
        if played is not None and best_play >= best_discard:
            return played, True
        return discarded, False

    def options(self, game: NaiveGame) -> set[str]:
        """The best moves, where sums that differ by less than rounding count as equal."""
        if game.drawing:
            suit = self.draws(game)
            return {"n" if suit is None else pile_word(suit)}
        facts = self.facts_of(game)
        self.wanted = facts.wanted
        rated = self.rated(facts)
        best = max(score for score, _, _ in rated)
        equals = [(word, held) for score, word, held in rated if best - score < Fraction(1, 10**9)]
        # The same rules that hold give the same sum to the last bit: then the first move stands.
        return {word for i, (word, held) in enumerate(equals) if held not in [h for _, h in equals[:i]]}

    def rated(self, facts: Facts) -> list[tuple[Weight, str, tuple[bool, ...]]]:
        """(score, move, which rules hold) of every legal move: plays in hand order, then discards."""
        plays, discards = [], []
        for card in dict.fromkeys(facts.hand):
            held = {key: bool(rule.holds(facts, card)) for key, rule in RULES.items()}
            weighed = {key: Fraction(self.weights[key][facts.tight]) * holds for key, holds in held.items()}
            p = sum(weight for key, weight in weighed.items() if key.startswith("play."))
            d = sum(weight for key, weight in weighed.items() if key.startswith("keep."))
            if may_follow(facts.mine[card.suit], card.value):
                plays.append((p - d / 2, card_word(card), (True, *held.values())))
            discards.append((p / 2 - d, "d" + card_word(card), (False, *held.values())))
        return plays + discards


def self_play(shelly: NaiveShelly, pack: Sequence[Card], most_plies: int = 600) -> tuple[int, int, int]:
    """A game against itself: the points of both seats, and the number of decisions."""
    game, plies = NaiveGame(pack), 0
    while game.deck and plies < most_plies:
        shelly.turn(game)  # what it wanted is forgotten once it has drawn: one player serves both seats
        plies += 2
    return game.points(0), game.points(1), plies
