"""The players of the seed over the oracle's cards and lists, from the reference text and RiskPlayer's Ruby.

Each says which moves it may make: a set of texts, of more than one where chance decides among equals.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from naive_lost_cities import Card, NaiveGame, card_word, may_follow, pack_of

Weights = Mapping[str, tuple[Fraction, Fraction]]


class ShellySees:
    """Shelly's facts at the moment before a card is laid, all from the mover's side."""

    def __init__(self, game: NaiveGame) -> None:
        me, opp = game.mover, 1 - game.mover
        self.hand = game.hand(me)
        self.mine, self.his = game.expeditions[me], game.expeditions[opp]
        self.streak = game.streaks[me]
        self.held = {s: [v for letter, v in self.hand if letter == s] for s in game.suits}
        self.multiple = {s: 2 ** (self.held[s] + self.mine[s]).count(0) for s in game.suits}
        self.unseen = {
            s: [v for v in range(2, 11) if v not in self.mine[s] + self.his[s] + game.piles[s]] for s in game.suits
        }
        self.must_play = [c for c in self.hand if self.mine[c[0]] and c[1] >= self.mine[c[0]][-1]]
        self.tight = len(game.deck) // 2 - 1 <= len(self.must_play)
        self.super_tight = len(game.deck) <= len(self.must_play)
        self.wanted = self._wanted(game.piles)

    def _wanted(self, piles: dict[str, list[int]]) -> list[str]:
        if self.streak > 5:
            return []
        found = []
        for suit, pile in piles.items():
            if pile and self.mine[suit]:
                if pile[-1] >= self.mine[suit][-1]:
                    found.append(suit)
            elif pile and pile[-1] + sum(self.held[suit]) > 15 and not self.tight:
                found.append(suit)
        if self.super_tight and not found:
            return [suit for suit, pile in piles.items() if pile]
        return found

    def top(self, suit: str, otherwise: int = 0) -> int:
        return self.mine[suit][-1] if self.mine[suit] else otherwise

    def opp_top(self, suit: str) -> int:
        return self.his[suit][-1] if self.his[suit] else 0

    def total(self, suit: str) -> int:
        return sum(self.held[suit]) + sum(self.mine[suit])

    def hope(self, card: Card) -> bool:
        return card[1] == 0 and sum(self.held[card[0]]) > 5 + 5 * self.multiple[card[0]]

    def below(self, card: Card) -> int:
        return len([v for v in self.unseen[card[0]] if v < card[1]])


def by_value_then_letter(card: Card) -> tuple[int, str]:
    return card[1], card[0]


#: The table of the reference, a line each.
SHELLY: dict[str, Callable[[ShellySees, Card], bool]] = {
    "play.in_sequence": lambda f, c: c[1] == f.top(c[0], -1) + 1,
    "play.low_card": lambda f, c: c == min(f.hand, key=by_value_then_letter),
    "play.low_cards": lambda f, c: c[1] < 5,
    "play.high_card": lambda f, c: c == max(f.hand, key=by_value_then_letter),
    "play.high_cards": lambda f, c: c[1] > 5,
    "play.investments": lambda f, c: c[1] == 0,
    "play.on_investments": lambda f, c: 0 in f.mine[c[0]],
    "play.holding_investments": lambda f, c: 0 in f.held[c[0]] and c[1] > 0,
    "play.investment_with_hope": lambda f, c: f.hope(c),
    "play.investment_without_hope": lambda f, c: not f.hope(c),
    "play.group_10": lambda f, c: sum(f.held[c[0]]) > 10,
    "play.group_15": lambda f, c: sum(f.held[c[0]]) > 15,
    "play.group_20": lambda f, c: sum(f.held[c[0]]) > 25,
    "play.group_25": lambda f, c: sum(f.held[c[0]]) > 25,
    "play.two_follows_invest": lambda f, c: c[1] == 2 and 0 in f.mine[c[0]],
    "play.finish_game": lambda f, c: f.super_tight and c in f.must_play,
    "play.total_20": lambda f, c: f.total(c[0]) > 21,
    "play.total_25": lambda f, c: f.total(c[0]) > 25,
    "play.suit_started": lambda f, c: sum(f.mine[c[0]]) + f.mine[c[0]].count(0) > 0,
    "play.close_to_previous": lambda f, c: c[1] - f.top(c[0]) < 3,
    "play.multiplier_2": lambda f, c: f.multiple[c[0]] > 2,
    "play.multiplier_3": lambda f, c: f.multiple[c[0]] > 4,
    "play.on_unplayed": lambda f, c: not f.mine[c[0]],
    "play.he_has_played": lambda f, c: bool(f.his[c[0]]),
    "play.he_has_played_10": lambda f, c: sum(f.his[c[0]]) > 10,
    "play.he_has_played_20": lambda f, c: sum(f.his[c[0]]) > 20,
    "play.hand_negative": lambda f, c: bool(f.mine[c[0]]) and sum(f.mine[c[0]]) < 20,
    "play.must_plays": lambda f, c: c in f.must_play,
    "play.lower_in_hand": lambda f, c: c[1] > min(f.held[c[0]]),
    "play.highest_in_hand": lambda f, c: c[1] == max(f.held[c[0]]),
    "play.possible_below": lambda f, c: f.below(c) > 0,
    "play.possible_many_below": lambda f, c: f.below(c) > 3,
    "keep.useless_to_me": lambda f, c: c[1] < f.top(c[0]),
    "keep.useless_to_him": lambda f, c: c[1] < f.opp_top(c[0]),
    "keep.useful_to_him": lambda f, c: c[1] >= f.opp_top(c[0]),
    "keep.useful_to_me": lambda f, c: c[1] >= f.top(c[0], 10),
    "keep.he_has_played": lambda f, c: bool(f.his[c[0]]),
    "keep.singleton": lambda f, c: len(f.held[c[0]]) == 1,
    "keep.no_partners": lambda f, c: not f.mine[c[0]],
    "keep.want_from_discard": lambda f, c: c[0] in f.wanted,
    "keep.below_lowest_playable": lambda f, c: c[1] < min(f.top(c[0]), f.opp_top(c[0])),
    "keep.dont_discard_forever": lambda f, c: f.streak > 5,
}


class NaiveShelly:
    """Looks around before it lays a card, and draws by what it saw then. One for each seat."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self.wanted: list[str] = []

    def options(self, game: NaiveGame) -> set[str]:
        """The best moves, where sums that differ by less than rounding count as equal."""
        if game.drawing:
            return {next((s.lower() for s in self.wanted if s != game.forbidden), "n")}
        sees = ShellySees(game)
        self.wanted = sees.wanted
        rated = self.rated(sees, game)
        best = max(score for score, _, _ in rated)
        equals = [(word, facts) for score, word, facts in rated if best - score < Fraction(1, 10**9)]
        # The same facts give the same sum to the last bit: then the first one stands.
        return {word for i, (word, facts) in enumerate(equals) if facts not in [f for _, f in equals[:i]]}

    def rated(self, sees: ShellySees, game: NaiveGame) -> list[tuple[Fraction, str, Any]]:
        """(score, move, what it rests on) of every legal move: plays in hand order, then discards."""
        plays, discards = [], []
        for card in dict.fromkeys(sees.hand):
            facts = tuple(bool(holds(sees, card)) for holds in SHELLY.values())
            p = d = Fraction(0)
            for name, fact in zip(SHELLY, facts, strict=True):
                weight = self.weights[name][sees.tight] * fact
                p, d = (p + weight, d) if name.startswith("play.") else (p, d + weight)
            if may_follow(sees.mine[card[0]], card[1]):
                plays.append((p - d / 2, card_word(card), ("play", facts)))
            discards.append((p / 2 - d, "d" + card_word(card), ("discard", facts)))
        return plays + discards


def dumb(game: NaiveGame) -> set[str]:
    """Plays the first card of the hand that can be played, else discards the first; draws from the deck."""
    if game.drawing:
        return {"n"}
    words = game.legal()
    plays = [w for w in words if w[0] != "d"]
    return {plays[0] if plays else words[0]}


def discard(game: NaiveGame) -> set[str]:
    """Discards the first card of the hand, draws from the deck."""
    return {"n" if game.drawing else "d" + card_word(game.hand(game.mover)[0])}


def risk(game: NaiveGame) -> set[str]:
    """The quiz-master's RiskPlayer, method by method."""
    me, them = game.expeditions[game.mover], game.expeditions[1 - game.mover]
    hand = game.hand(game.mover)

    def playable(card: Card, who: dict[str, list[int]] = me) -> bool:
        pile = who[card[0]]
        return not pile or pile[-1] == 0 or (card[1] != 0 and pile[-1] < card[1])

    if game.drawing:
        for land, cards in game.piles.items():
            if me[land] and land != game.forbidden and any(playable((land, v)) for v in cards):
                return {land.lower()}
        return {"n"}

    def discard_card() -> set[str]:
        chosen = min(hand, key=lambda c: (playable(c), playable(c, them), c[1]))
        return {"d" + card_word(chosen)}

    plays = [card for card in hand if playable(card)]
    if not plays:
        return discard_card()
    risks: dict[Card, int] = {}
    for card in plays:
        land = card[0]
        me_total = sum(me[land]) + sum(v for letter, v in plays if letter == land)
        risks[card] = 20 - me_total
        high = card[1] or 2
        risks[card] += (sum(range(high, 11)) - (me_total + sum(them[land]))) // 2
        if not me[land]:
            risks[card] -= (len([pile for pile in me.values() if pile]) + 1) * 5
    best = max(risks, key=lambda card: risks[card])
    if risks[best] < 0:
        return discard_card()
    return {card_word(min((c for c in plays if c[0] == best[0]), key=lambda c: c[1]))}


class SheppardSees:
    """What Sheppard's rules ask for, from the mover's side."""

    def __init__(self, game: NaiveGame) -> None:
        me, opp = game.mover, 1 - game.mover
        self.hand = game.hand(me)
        self.mine, self.his = game.expeditions[me], game.expeditions[opp]
        self.unseen = pack_of(len(game.suits))
        on_table = [(s, v) for side in (self.mine, self.his, game.piles) for s in game.suits for v in side[s]]
        for card in self.hand + on_table + game.taken[opp]:
            self.unseen.remove(card)

    def playable(self, card: Card, side: dict[str, list[int]]) -> bool:
        return not side[card[0]] or side[card[0]][-1] <= card[1]

    def sum_of(self, cards: list[Card], suit: str) -> int:
        return sum(v for letter, v in cards if letter == suit)

    def maximum_score_end_game(self, card: Card) -> int:
        m = (len(self.unseen) - 8) // 2
        cards = sorted((c for c in self.hand if self.playable(c, self.mine)), key=lambda c: c[1])
        if m <= 8 or not cards:
            return 0
        return 100 * (card == (cards[0] if len(cards) < m else cards[-m]))

    def late_investment(self, card: Card) -> int:
        limit = 20 * (len(self.mine[card[0]]) + 1)
        bad = limit < self.sum_of(self.hand, card[0]) + self.sum_of(self.unseen, card[0])
        return -100 * (card[1] == 0 and bad)

    def expected_investment(self, card: Card) -> int:
        r = len(self.unseen)
        limit = 20 * (len(self.mine[card[0]]) + 1)
        worth = self.sum_of(self.hand, card[0]) * 2 * r + (r - 8) * self.sum_of(self.unseen, card[0])
        return -100 * (card[1] == 0 and limit * 2 * r < worth)


SHEPPARD: dict[str, Callable[[SheppardSees, Card], int]] = {
    "play.play_lowest_first": lambda f, c: 12 - c[1],
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
        tops = [(s, pile[-1]) for s, pile in game.piles.items() if pile and s != game.forbidden]
        if not tops:
            return {"n"}
        strength, cards = best("draw", tops)
        r = len(sees.unseen)
        deck_sum = sum((rate("draw", card) for card in sees.unseen), Fraction(0))
        if deck_sum * (r - 8) >= strength * r * 2:
            return {"n"}
        return {card[0].lower() for card in cards}
    least, discards = best("discard", sees.hand)
    plays = [card for card in sees.hand if sees.playable(card, sees.mine)]
    if plays:
        strength, cards = best("play", plays)
        if strength >= least:
            return {card_word(card) for card in cards}
    return {"d" + card_word(card) for card in discards}
