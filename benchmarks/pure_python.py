"""Shelly against Shelly at Lost Cities in plain Python: the yardstick of the compiled match loop.

The law, the 42 rules and his way to draw as one would write them without NumPy and Numba: cards are
named tuples, a table is lists, and a rule is a small function that looks for itself, as in Shelly's own
program and in rules that users write here. With `Noted` in place of `Facts`, what several rules ask is
worked out once a turn. He remembers at the draw which piles he wanted before he laid his card (his slip).

The weights are in whole hundredths, here and for the compiled player, so that sums are exact in
whatever order they are added, ties are ties, and both play the same games to the last move. The
script checks that before it measures.
"""

from __future__ import annotations

import argparse
import time
from bisect import bisect_left, insort
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from rulebots.play.deals import Deals
    from rulebots.players import RulePlayer

SUITS = range(5)  # Deserts, Oceans, Mountains, Jungles, Volcanoes
LETTERS = "DOMJV"
HAND_SIZE = 8
PLY_CAP = 600
LONG_STREAK = 5


class Card(NamedTuple):
    """A card; an investment has the value 0. Cards sort as a hand does."""

    suit: int
    value: int


# --- the law


def piles() -> list[list[int]]:
    """An empty pile of values for each suit."""
    return [[] for _ in SUITS]


@dataclass
class Seat:
    """What one player has: a sorted hand, expeditions, and how often it has discarded in a row."""

    hand: list[Card]
    expeditions: list[list[int]] = field(default_factory=piles)
    streak: int = 0


class Table:
    """One game of two seats; `pack` is dealt from its front, the deck is drawn from its back."""

    def __init__(self, pack: Sequence[Card]) -> None:
        self.seats = [Seat(sorted(pack[:HAND_SIZE])), Seat(sorted(pack[HAND_SIZE : 2 * HAND_SIZE]))]
        self.deck = list(reversed(pack[2 * HAND_SIZE :]))
        self.piles = piles()

    def play(self, seat: Seat, card: Card) -> None:
        """Lay a card on the seat's own expedition."""
        seat.hand.remove(card)
        seat.expeditions[card.suit].append(card.value)
        seat.streak = 0

    def discard(self, seat: Seat, card: Card) -> None:
        """Lay a card on the pile of its suit."""
        seat.hand.remove(card)
        self.piles[card.suit].append(card.value)
        seat.streak += 1

    def draw(self, seat: Seat, suit: int | None) -> None:
        """Take the top of a pile, or of the deck (None)."""
        insort(seat.hand, self.deck.pop() if suit is None else Card(suit, self.piles[suit].pop()))


def may_follow(expedition: list[int], value: int) -> bool:
    """Numbers rise; investments come before them."""
    return not expedition or value > expedition[-1] or value == expedition[-1] == 0


def points(expeditions: list[list[int]]) -> int:
    """What a seat's expeditions are worth."""
    result = 0
    for cards in expeditions:
        if cards:
            result += (sum(cards) - 20) * (1 + cards.count(0)) + (20 if len(cards) >= 8 else 0)
    return result


# --- what Shelly sees


class Facts:
    """What the rules ask about before a card is laid, worked out each time that one asks."""

    def __init__(self, table: Table, me: Seat, opp: Seat) -> None:
        self.me, self.opp, self.table = me, opp, table

    def held(self, suit: int) -> Sequence[int]:
        """The values in hand, in order."""
        return [card.value for card in self.me.hand if card.suit == suit]

    def held_sum(self, suit: int) -> int:
        """What is in hand."""
        return sum(self.held(suit))

    def started(self, suit: int) -> bool:
        """Whether my expedition has begun."""
        return bool(self.me.expeditions[suit])

    def top(self, suit: int) -> int:
        """The last value of my expedition, 0 where there is none."""
        cards = self.me.expeditions[suit]
        return cards[-1] if cards else 0

    def played_sum(self, suit: int) -> int:
        """What is on my expedition."""
        return sum(self.me.expeditions[suit])

    def invested(self, suit: int) -> int:
        """The investments on my expedition."""
        return self.me.expeditions[suit].count(0)

    def multiple(self, suit: int) -> int:
        """2 to the power of my investments, played and in hand."""
        return 1 << (self.invested(suit) + self.held(suit).count(0))

    def opp_started(self, suit: int) -> bool:
        """Whether the opponent's expedition has begun."""
        return bool(self.opp.expeditions[suit])

    def opp_top(self, suit: int) -> int:
        """The last value of the opponent's expedition, 0 where there is none."""
        cards = self.opp.expeditions[suit]
        return cards[-1] if cards else 0

    def opp_sum(self, suit: int) -> int:
        """What is on the opponent's expedition."""
        return sum(self.opp.expeditions[suit])

    def unseen(self, suit: int) -> Sequence[int]:
        """The numbers that have not been shown, in order."""
        shown = {*self.me.expeditions[suit], *self.opp.expeditions[suit], *self.table.piles[suit]}
        return [value for value in range(2, 11) if value not in shown]

    def must_play(self, card: Card) -> bool:
        """Whether a card goes on an expedition that has begun."""
        return self.started(card.suit) and card.value >= self.top(card.suit)

    @property
    def tight(self) -> bool:
        """Whether the deck hardly lasts for what goes on my expeditions."""
        return len(self.table.deck) // 2 - 1 <= sum(map(self.must_play, self.me.hand))

    @property
    def super_tight(self) -> bool:
        """Whether it does not, if the opponent draws from it as well."""
        return len(self.table.deck) <= sum(map(self.must_play, self.me.hand))

    @property
    def streak(self) -> int:
        """How often I have discarded in a row."""
        return self.me.streak

    @property
    def lowest(self) -> Card:
        """The lowest card of the hand."""
        return min(self.me.hand, key=by_value_then_letter)

    @property
    def highest(self) -> Card:
        """The highest card of the hand."""
        return max(self.me.hand, key=by_value_then_letter)

    @property
    def wanted(self) -> list[int]:
        """The suits of the piles whose top card he would like, in order."""
        if self.streak > LONG_STREAK:
            return []
        tops = self.table.piles
        wanted = [suit for suit in SUITS if tops[suit] and self.wants(suit, tops[suit][-1])]
        if self.super_tight and not wanted:
            return [suit for suit in SUITS if tops[suit]]
        return wanted

    def wants(self, suit: int, value: int) -> bool:
        """Whether a card goes on an expedition, or would begin a good one."""
        if self.started(suit):
            return value >= self.top(suit)
        return value + self.held_sum(suit) > 15 and not self.tight


class Noted(Facts):
    """The same, worked out once a turn: what rules ask again and again is looked up in lists by suit."""

    def __init__(self, table: Table, me: Seat, opp: Seat) -> None:
        super().__init__(table, me, opp)
        held, invested = piles(), [cards.count(0) for cards in me.expeditions]
        for suit, value in me.hand:
            held[suit].append(value)
        begun, tops = [bool(cards) for cards in me.expeditions], [cards[-1] if cards else 0 for cards in me.expeditions]
        vars(self).update(
            held=held.__getitem__,
            held_sum=[sum(values) for values in held].__getitem__,
            started=begun.__getitem__,
            top=tops.__getitem__,
            played_sum=[sum(cards) for cards in me.expeditions].__getitem__,
            invested=invested.__getitem__,
            multiple=[1 << (invested[s] + held[s].count(0)) for s in SUITS].__getitem__,
            opp_started=[bool(cards) for cards in opp.expeditions].__getitem__,
            opp_top=[cards[-1] if cards else 0 for cards in opp.expeditions].__getitem__,
            opp_sum=[sum(cards) for cards in opp.expeditions].__getitem__,
            unseen=[super(Noted, self).unseen(suit) for suit in SUITS].__getitem__,
            must_play={card for card in me.hand if begun[card.suit] and card.value >= tops[card.suit]}.__contains__,
        )

    tight = cached_property(Facts.tight.fget)
    super_tight = cached_property(Facts.super_tight.fget)
    lowest = cached_property(Facts.lowest.fget)
    highest = cached_property(Facts.highest.fget)
    wanted = cached_property(Facts.wanted.fget)


def by_value_then_letter(card: Card) -> tuple[int, str]:
    """The order of the lowest and the highest card of a hand."""
    return card.value, LETTERS[card.suit]


# --- his rules

Rule = Callable[[Facts, Card], bool]


@dataclass
class Weighed:
    """A rule with its early and late weight, in hundredths."""

    holds: Rule
    early: int
    late: int


PLAY: list[Weighed] = []
KEEP: list[Weighed] = []


def rule(group: list[Weighed], early: int, late: int) -> Callable[[Rule], Rule]:
    """Put a rule into its group."""

    def weighed(holds: Rule) -> Rule:
        group.append(Weighed(holds, early, late))
        return holds

    return weighed


@rule(PLAY, 60, 80)
def in_sequence(facts: Facts, card: Card) -> bool:
    """The card directly follows the last one; an investment follows nothing."""
    return card.value == (facts.top(card.suit) + 1 if facts.started(card.suit) else 0)


@rule(PLAY, 10, 0)
def low_card(facts: Facts, card: Card) -> bool:
    """The lowest card of the hand."""
    return card == facts.lowest


@rule(PLAY, 20, 0)
def low_cards(_: Facts, card: Card) -> bool:
    """Lower than 5."""
    return card.value < 5


@rule(PLAY, -30, 10)
def high_card(facts: Facts, card: Card) -> bool:
    """The highest card of the hand."""
    return card == facts.highest


@rule(PLAY, -20, 20)
def high_cards(_: Facts, card: Card) -> bool:
    """Higher than 5."""
    return card.value > 5


@rule(PLAY, 10, -20)
def investments(_: Facts, card: Card) -> bool:
    """An investment."""
    return card.value == 0


@rule(PLAY, 50, 70)
def on_investments(facts: Facts, card: Card) -> bool:
    """There are investments on its expedition."""
    return facts.invested(card.suit) > 0


@rule(PLAY, -20, 0)
def holding_investments(facts: Facts, card: Card) -> bool:
    """A number, and an investment of its suit is in hand."""
    return card.value > 0 and 0 in facts.held(card.suit)


@rule(PLAY, 50, 30)
def investment_with_hope(facts: Facts, card: Card) -> bool:
    """An investment, and the numbers in hand are worth it."""
    return card.value == 0 and facts.held_sum(card.suit) > 5 + 5 * facts.multiple(card.suit)


@rule(PLAY, -60, -100)
def investment_without_hope(facts: Facts, card: Card) -> bool:
    """Not an investment with hope."""
    return card.value > 0 or facts.held_sum(card.suit) <= 5 + 5 * facts.multiple(card.suit)


@rule(PLAY, 50, -40)
def group_10(facts: Facts, card: Card) -> bool:
    """More than 10 in hand."""
    return facts.held_sum(card.suit) > 10


@rule(PLAY, 60, -30)
def group_15(facts: Facts, card: Card) -> bool:
    """More than 15 in hand."""
    return facts.held_sum(card.suit) > 15


@rule(PLAY, 70, -20)
def group_20(facts: Facts, card: Card) -> bool:
    """More than 25 in hand, whatever its name says."""
    return facts.held_sum(card.suit) > 25


@rule(PLAY, 90, -10)
def group_25(facts: Facts, card: Card) -> bool:
    """More than 25 in hand."""
    return facts.held_sum(card.suit) > 25


@rule(PLAY, 35, 100)
def total_20(facts: Facts, card: Card) -> bool:
    """More than 21 in hand and on the expedition."""
    return facts.held_sum(card.suit) + facts.played_sum(card.suit) > 21


@rule(PLAY, 60, 100)
def total_25(facts: Facts, card: Card) -> bool:
    """More than 25 in hand and on the expedition."""
    return facts.held_sum(card.suit) + facts.played_sum(card.suit) > 25


@rule(PLAY, 70, 90)
def suit_started(facts: Facts, card: Card) -> bool:
    """My expedition has begun."""
    return facts.started(card.suit)


@rule(PLAY, 40, 50)
def close_to_previous(facts: Facts, card: Card) -> bool:
    """It skips at most one number."""
    return card.value - facts.top(card.suit) < 3


@rule(PLAY, 40, 80)
def multiplier_2(facts: Facts, card: Card) -> bool:
    """At least two investments in hand or on the expedition."""
    return facts.multiple(card.suit) > 2


@rule(PLAY, 50, 90)
def multiplier_3(facts: Facts, card: Card) -> bool:
    """All three investments in hand or on the expedition."""
    return facts.multiple(card.suit) > 4


@rule(PLAY, -50, -100)
def on_unplayed(facts: Facts, card: Card) -> bool:
    """My expedition has not begun."""
    return not facts.started(card.suit)


@rule(PLAY, -10, 0)
def he_has_played(facts: Facts, card: Card) -> bool:
    """The opponent's expedition has begun."""
    return facts.opp_started(card.suit)


@rule(PLAY, -20, 0)
def he_has_played_10(facts: Facts, card: Card) -> bool:
    """The opponent's expedition is worth more than 10."""
    return facts.opp_sum(card.suit) > 10


@rule(PLAY, -30, 0)
def he_has_played_20(facts: Facts, card: Card) -> bool:
    """The opponent's expedition is worth more than 20."""
    return facts.opp_sum(card.suit) > 20


@rule(PLAY, 50, 90)
def hand_negative(facts: Facts, card: Card) -> bool:
    """My expedition has begun and has not yet earned its cost."""
    return facts.started(card.suit) and facts.played_sum(card.suit) < 20


@rule(PLAY, -30, 100)
def must_plays(facts: Facts, card: Card) -> bool:
    """It goes on an expedition that I have begun."""
    return facts.must_play(card)


@rule(PLAY, -50, -40)
def lower_in_hand(facts: Facts, card: Card) -> bool:
    """I hold a lower card of its suit."""
    return card.value > facts.held(card.suit)[0]


@rule(PLAY, -10, -1)
def highest_in_hand(facts: Facts, card: Card) -> bool:
    """I hold no higher card of its suit."""
    return card.value == facts.held(card.suit)[-1]


@rule(PLAY, 30, 50)
def two_follows_invest(facts: Facts, card: Card) -> bool:
    """A 2 on investments."""
    return card.value == 2 and facts.invested(card.suit) > 0


@rule(PLAY, 0, 200)
def finish_game(facts: Facts, card: Card) -> bool:
    """It goes on an expedition, and the deck only just lasts."""
    return facts.super_tight and facts.must_play(card)


@rule(PLAY, -20, -5)
def possible_below(facts: Facts, card: Card) -> bool:
    """A lower number has not been shown."""
    return bisect_left(facts.unseen(card.suit), card.value) > 0


@rule(PLAY, -40, -10)
def possible_many_below(facts: Facts, card: Card) -> bool:
    """More than three lower numbers have not been shown."""
    return bisect_left(facts.unseen(card.suit), card.value) > 3


@rule(KEEP, -50, 10)
def useless_to_me(facts: Facts, card: Card) -> bool:
    """Lower than the top of my expedition."""
    return card.value < facts.top(card.suit)


@rule(KEEP, -20, 10)
def useless_to_him(facts: Facts, card: Card) -> bool:
    """Lower than the top of the opponent's expedition."""
    return card.value < facts.opp_top(card.suit)


@rule(KEEP, 40, 50)
def useful_to_him(facts: Facts, card: Card) -> bool:
    """Not lower than the top of the opponent's expedition."""
    return card.value >= facts.opp_top(card.suit)


@rule(KEEP, 30, 30)
def useful_to_me(facts: Facts, card: Card) -> bool:
    """Not lower than the top of my expedition, or a 10 where there is none."""
    return card.value >= (facts.top(card.suit) if facts.started(card.suit) else 10)


rule(KEEP, 10, 30)(he_has_played)


@rule(KEEP, -20, -10)
def singleton(facts: Facts, card: Card) -> bool:
    """My only card of its suit."""
    return len(facts.held(card.suit)) == 1


@rule(KEEP, -30, -30)
def no_partners(facts: Facts, card: Card) -> bool:
    """My expedition has not begun."""
    return not facts.started(card.suit)


@rule(KEEP, 30, 50)
def want_from_discard(facts: Facts, card: Card) -> bool:
    """I want the top of its pile."""
    return card.suit in facts.wanted


@rule(KEEP, -20, 0)
def below_lowest_playable(facts: Facts, card: Card) -> bool:
    """Lower than the tops of both expeditions."""
    return card.value < facts.top(card.suit) and card.value < facts.opp_top(card.suit)


@rule(KEEP, 50, 100)
def dont_discard_forever(facts: Facts, _: Card) -> bool:
    """I have discarded more than five times in a row."""
    return facts.streak > LONG_STREAK


# His groups with the weights of either time of the game: (rule, weight) pairs.
PLAY_EARLY, KEEP_EARLY = ([(r.holds, r.early) for r in group] for group in (PLAY, KEEP))
PLAY_LATE, KEEP_LATE = ([(r.holds, r.late) for r in group] for group in (PLAY, KEEP))


# --- his decisions


def lay(facts: Facts, me: Seat) -> tuple[Card, bool]:
    """The best card, and whether to play it: a play before a discard, the earlier card, among equals."""
    of_play, of_keep = (PLAY_LATE, KEEP_LATE) if facts.tight else (PLAY_EARLY, KEEP_EARLY)
    best_play, played = float("-inf"), None
    best_discard, discarded = float("-inf"), me.hand[0]
    former = None
    for card in me.hand:
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
        if score > best_play and may_follow(me.expeditions[card.suit], card.value):
            best_play, played = score, card
        score = play / 2 - keep
        if score > best_discard:
            best_discard, discarded = score, card
    if played is not None and best_play >= best_discard:
        return played, True
    return discarded, False


def play_game(pack: Sequence[Card], facts_of: type[Facts] = Facts) -> tuple[int, int, int]:
    """Shelly against Shelly: the points of both seats, and the number of decisions."""
    table = Table(pack)
    plies = 0
    me, opp = table.seats
    while table.deck and plies < PLY_CAP:
        facts = facts_of(table, me, opp)
        wanted = facts.wanted
        card, playing = lay(facts, me)
        if playing:
            table.play(me, card)
            forbidden = None
        else:
            table.discard(me, card)
            forbidden = card.suit
        table.draw(me, next((suit for suit in wanted if suit != forbidden), None))
        plies += 2
        me, opp = opp, me
    first, second = table.seats
    return points(first.expeditions), points(second.expeditions), plies


# --- beside the compiled player


def packs_of(deals: Deals) -> list[list[Card]]:
    """The same deals as cards: an int card is 10 * suit + rank, rank 0 an investment, rank r the number r + 1."""
    return [[Card(c // 10, c % 10 + (c % 10 > 0)) for c in cards] for cards in deals.cards.tolist()]


def compiled_twin() -> RulePlayer:
    """The compiled Shelly with these weights: his own, times a hundred."""
    from rulebots.game import load_game
    from rulebots.players import RulePlayer

    rules = load_game("lost-cities").rule_set("shelly")
    return RulePlayer(rules, (rules.hand_tuned() * 100).round(), "shelly, in hundredths")


def differences(count: int) -> list[str]:
    """A line for each of `count` games that the compiled player plays differently; none, if all is well."""
    import numpy as np

    from rulebots.play.deals import draw_deals
    from rulebots.play.match import play_games

    player = compiled_twin()
    deals = draw_deals(player.game, count, 51)
    schedule = np.array([(deal, 0, 0) for deal in range(count)], np.int64)
    games = play_games([player], deals, schedule)
    found = []
    for deal, pack in enumerate(packs_of(deals)):
        there = (*games.points[deal].tolist(), int(games.plies[deal]))
        for facts in (Facts, Noted):
            here = play_game(pack, facts)
            if here != there:
                found.append(f"deal {deal}: points and plies {here} in plain Python, {there} compiled")
    return found


def main() -> None:
    """Check, then measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a tiny run, to see that it works")
    quick = parser.parse_args().quick
    from machine import Figures

    from rulebots.play.deals import draw_deals

    checked, timed, rounds = (4, 4, 1) if quick else (100, 100, 5)
    found = differences(checked)
    if found:
        raise SystemExit("\n".join(found))
    packs = packs_of(draw_deals(compiled_twin().game, timed, 52))
    figures = Figures(f"plain Python, Shelly against Shelly, best of {rounds} rounds of {timed} games")
    figures.add("games equal to the compiled ones, in points and plies", f"{checked} of {checked}", "all", met=True)
    for facts, how in ((Facts, "each rule looks for itself"), (Noted, "facts noted once a turn")):
        seconds = []
        for _ in range(rounds):
            began = time.perf_counter()
            for pack in packs:
                play_game(pack, facts)
            seconds.append(time.perf_counter() - began)
        figures.add(f"games a second, {how}", f"{timed / min(seconds):,.0f}")
    figures.show()


if __name__ == "__main__":
    main()
