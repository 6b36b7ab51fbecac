"""Positions of Lost Cities written as text, for tests of rules."""

from __future__ import annotations

from typing import Any

import written_positions
from written_positions import Case, facts_of

from rulebots.game.position import Position
from rulebots.games.lost_cities.cards import LETTERS, NO_CARD, suit_of, value_of
from rulebots.packages import load_game
from rulebots.rules import RuleSet

game = load_game("lost-cities")
#: How a case names the unknown card on top of the deck.
DECK = "the deck"


def case(rule: str, what: str, about: str, value: float, **position: Any) -> Case:
    """What a rule must say of a card, or of the deck, in a position that `position_of` takes."""
    return Case(rule, what, position, about, value)


def card(text: str) -> int:
    """`InvD`, `2D` .. `10V` as a number, or the unknown card of the deck."""
    if text == DECK:
        return NO_CARD
    value, suit = text[:-1], LETTERS.index(text[-1])
    return 10 * suit + (0 if value == "Inv" else int(value) - 1)


def position_of(
    hand: str,
    *,
    mine: str = "",
    his: str = "",
    piles: str = "",
    taken: str = "",
    laid_again: str = "",
    deck: int = 30,
    streak: int = 0,
    laid: str = "",
    suits: int = 5,
) -> Position:
    """A position; nobody has any cards but the mover.

    Cards are in the order of their laying. `taken` are those that the opponent took from a pile and
    holds, `laid_again` investments that it took so and has laid since. `streak` are my discards in a row, `laid` the
    move with which this turn began (then I am to draw).
    """
    state = game.new_state()
    state.suits = suits
    state.top[:] = -1
    state.just_discarded = state.just_laid = state.just_covered = -1
    state.deck_left = deck
    state.streak[0] = streak
    cards = sorted(card(text) for text in hand.split())
    state.hand[0, : len(cards)] = cards
    state.hand_size[0] = len(cards)
    for seat, side in enumerate((mine, his)):
        for number in map(card, side.split()):
            suit, value = suit_of(number), value_of(number)
            assert value > state.top[seat, suit] or value == state.top[seat, suit] == 0, f"{side} is no expedition"
            state.top[seat, suit] = value
            _put(state, state.laid[seat], state.invested[seat], number)
            _put(state, state.shown, state.shown_invested, number)
    for number in map(card, piles.split()):
        suit = suit_of(number)
        state.pile[suit, state.pile_size[suit]] = number
        state.pile_size[suit] += 1
        state.piled[suit] |= 1 << value_of(number) & ~1
        _put(state, state.shown, state.shown_invested, number)
    for number in map(card, taken.split()):
        _put(state, state.known[1], state.known_invested[1], number)
    for number in map(card, laid_again.split()):
        state.known_laid[1] += 1 << 2 * suit_of(number)
    position = Position.of(game, state)
    if laid:
        position.push(position.read(laid))
    return position


def seen(hand: str, **where: Any) -> Any:
    """What the mover sees in a position that `position_of` takes."""
    return position_of(hand, **where).view()


def facts(rules: RuleSet, about: str, **position: Any) -> Any:
    """What a rule set sees of a card in a position that `position_of` takes."""
    return facts_of(rules, seen(**position), card(about))


def value_of_case(rules: RuleSet, case: Case) -> float:
    """What a rule says of the card of a case."""
    return written_positions.value_of(rules, case.rule, seen(**case.position), card(case.about))


def _put(state: Any, numbers: Any, investments: Any, number: int) -> None:
    value = value_of(number)
    numbers[suit_of(number)] |= 1 << value & ~1
    investments[suit_of(number)] += value == 0
