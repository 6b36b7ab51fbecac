"""The players of Ruby Quiz 51 but Shelly over the oracle's table, from the reference text and RiskPlayer's Ruby.

Each says which moves it may make: a set of texts, of more than one where chance decides among equals.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from naive_lost_cities import Card, NaiveGame, card_word, pack_of, pile_word

Side = list[list[int]]


def dumb(game: NaiveGame) -> set[str]:
    """Plays the first card of the hand that can be played, else discards the first; draws from the deck."""
    if game.drawing:
        return {"n"}
    words = game.legal()
    plays = [w for w in words if w[0] != "d"]
    return {plays[0] if plays else words[0]}


def discard(game: NaiveGame) -> set[str]:
    """Discards the first card of the hand, draws from the deck."""
    return {"n" if game.drawing else "d" + card_word(game.hands[game.mover][0])}


def risk(game: NaiveGame) -> set[str]:
    """The quiz-master's RiskPlayer, method by method, as Ruby reads it."""
    # Inside brackets a line break ends an expression; `(a; b)` is b.
    return risk_player(game, lambda at_large, mine_and_theirs: -mine_and_theirs)


def risk_meant(game: NaiveGame) -> set[str]:
    """The same with the points at large that its author meant to count."""
    return risk_player(game, lambda at_large, mine_and_theirs: at_large - mine_and_theirs)


def risk_player(game: NaiveGame, bracket: Callable[[int, int], int]) -> set[str]:
    """RiskPlayer, given what the brackets of analyze_risks hold."""
    me, them = game.expeditions[game.mover], game.expeditions[1 - game.mover]
    hand = game.hands[game.mover]

    def playable(card: Card, who: Side = me) -> bool:
        pile = who[card.suit]
        return not pile or pile[-1] == 0 or (card.value != 0 and pile[-1] < card.value)

    if game.drawing:
        for land, cards in enumerate(game.piles):
            if me[land] and land != game.forbidden and any(playable(Card(land, v)) for v in cards):
                return {pile_word(land)}
        return {"n"}

    def discard_card() -> set[str]:
        chosen = min(hand, key=lambda c: (playable(c), playable(c, them), c.value))
        return {"d" + card_word(chosen)}

    plays = [card for card in hand if playable(card)]
    if not plays:
        return discard_card()
    risks: dict[Card, int] = {}
    for card in plays:
        land = card.suit
        me_total = sum(me[land]) + sum(v for suit, v in plays if suit == land)
        risks[card] = 20 - me_total
        high = card.value or 2
        risks[card] += bracket(sum(range(high, 11)), me_total + sum(them[land])) // 2
        if not me[land]:
            risks[card] -= (len([pile for pile in me if pile]) + 1) * 5
    best = max(risks, key=lambda card: risks[card])
    if risks[best] < 0:
        return discard_card()
    return {card_word(min((c for c in plays if c.suit == best.suit), key=lambda c: c.value))}


class SheppardSees:
    """What Sheppard's rules ask for, from the mover's side."""

    def __init__(self, game: NaiveGame) -> None:
        me, opp = game.mover, 1 - game.mover
        self.hand = game.hands[me]
        self.mine, self.his = game.expeditions[me], game.expeditions[opp]
        self.unseen = pack_of(len(game.suits))
        on_table = [Card(s, v) for side in (self.mine, self.his, game.piles) for s in game.suits for v in side[s]]
        for card in self.hand + on_table + game.taken[opp]:
            self.unseen.remove(card)
        for card in game.laid_again[opp]:  # his slip: they stay in what he knows of the opponent's hand
            if card in self.unseen:
                self.unseen.remove(card)

    def playable(self, card: Card, side: Side) -> bool:
        return not side[card.suit] or side[card.suit][-1] <= card.value

    def sum_of(self, cards: list[Card], suit: int) -> int:
        return sum(v for s, v in cards if s == suit)

    def maximum_score_end_game(self, card: Card) -> int:
        m = (len(self.unseen) - 8) // 2
        cards = sorted((c for c in self.hand if self.playable(c, self.mine)), key=lambda c: c.value)
        if m <= 8 or not cards:
            return 0
        return 100 * (card == (cards[0] if len(cards) < m else cards[-m]))

    def late_investment(self, card: Card) -> int:
        limit = 20 * (len(self.mine[card.suit]) + 1)
        bad = limit < self.sum_of(self.hand, card.suit) + self.sum_of(self.unseen, card.suit)
        return -100 * (card.value == 0 and bad)

    def expected_investment(self, card: Card) -> int:
        r = len(self.unseen)
        limit = 20 * (len(self.mine[card.suit]) + 1)
        worth = self.sum_of(self.hand, card.suit) * 2 * r + (r - 8) * self.sum_of(self.unseen, card.suit)
        return -100 * (card.value == 0 and limit * 2 * r < worth)


SHEPPARD: dict[str, Callable[[SheppardSees, Card], int]] = {
    "play.play_lowest_first": lambda f, c: 12 - c.value,
    "play.maximum_score_end_game": lambda f, c: f.maximum_score_end_game(c),
    "draw.ignore_unusable": lambda f, c: -100 * (not f.playable(c, f.mine)),
    "discard.discard_unusable": lambda f, c: 1 * (not f.playable(c, f.mine)),
    "discard.deprive_opponent": lambda f, c: -100 * f.playable(c, f.his),
    "play.avoid_late_investment": lambda f, c: f.late_investment(c),
    "play.expected_investment_value": lambda f, c: f.expected_investment(c),
}


def sheppard(game: NaiveGame, weights: Mapping[str, Fraction]) -> set[str]:
    """The moves among which Sheppard's player draws lots."""
    sees = SheppardSees(game)

    def rate(group: str, card: Card) -> Fraction:
        rules = [name for name in SHEPPARD if name.startswith(f"{group}.")]
        return sum((weights[name] * SHEPPARD[name](sees, card) for name in rules), Fraction(0))

    def best(group: str, cards: list[Card]) -> tuple[Fraction, list[Card]]:
        top = max(rate(group, card) for card in cards)
        return top, [card for card in cards if rate(group, card) == top]

    if game.drawing:
        tops = [Card(s, pile[-1]) for s, pile in enumerate(game.piles) if pile and s != game.forbidden]
        if not tops:
            return {"n"}
        strength, cards = best("draw", tops)
        r = len(sees.unseen)
        deck_sum = sum((rate("draw", card) for card in sees.unseen), Fraction(0))
        if deck_sum * (r - 8) >= strength * r * 2:
            return {"n"}
        return {pile_word(card.suit) for card in cards}
    least, discards = best("discard", sees.hand)
    plays = [card for card in sees.hand if sees.playable(card, sees.mine)]
    if plays:
        strength, cards = best("play", plays)
        if strength >= least:
            return {card_word(card) for card in cards}
    return {"d" + card_word(card) for card in discards}
