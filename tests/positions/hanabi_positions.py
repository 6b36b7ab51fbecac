"""Positions of Hanabi written as text, for tests of its conventions and rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pytest
import written_positions
from written_positions import Case

from rulebots.game.position import Position
from rulebots.games.hanabi.cards import COPIES, KINDS, LETTERS, PACK, card_text
from rulebots.games.hanabi.conventions import fill, note_table, rule_out
from rulebots.registry import load_game
from rulebots.rules import RuleSet

GAME = load_game("hanabi")
#: Of the first move that is written: late enough that nobody takes it for the first of the game.
PLY = 10


def card(text: str) -> int:
    """`R1` .. `B5` as a number."""
    return 5 * LETTERS.index(text[0]) + int(text[1]) - 1


def cards_of(cards: int) -> set[str]:
    """A set of cards by their names."""
    return {card_text(number) for number in range(KINDS) if cards >> number & 1}


def set_of(numbers: Iterable[int]) -> int:
    """A set of cards as an int."""
    result = 0
    for number in numbers:
        result |= 1 << number
    return result


def table(
    mine: str,
    others: Sequence[str],
    *,
    said: str = "",
    fireworks: str = "",
    discards: str = "",
    draws: str = "",
    tokens: int = 8,
    lives: int = 3,
    deck: int | None = None,
    turns: int | None = None,
) -> Position:
    """The mover's hand and those of the next seats, oldest card first, after the moves that are `said`, the mover last.

    "R2 G1" are fireworks up to these cards. Tokens, lives and the `deck`'s size are those before the moves, `draws` the
    cards that come next from it. With `turns` the deck has run out.
    """
    hands = [[card(text) for text in hand.split()] for hand in (mine, *others)]
    words = said.split()
    held = [number for hand in hands for number in hand]
    first = -len(words) % len(hands)
    laid = [card(text) for text in discards.split()]
    begun = [(card(text) // 5, card(text) % 5 + 1) for text in fireworks.split()]
    next_ones = [card(text) for text in draws.split()]
    left = [c for c in range(KINDS) for _ in range(COPIES[c % 5])]
    played = [5 * colour + rank for colour, height in begun for rank in range(height)]
    for gone in (*held, *laid, *played, *next_ones):
        left.remove(gone)
    pack = [*held, *next_ones, *left, *laid, *played]
    assert len(pack) == PACK
    position = Position(GAME, {"seats": len(hands)}, deal=pack)
    state = position.state
    state.mover, state.ply = first, PLY
    state.tokens, state.lives = tokens, lives
    state.deck_left -= len(laid) + len(played)
    state.deck[: state.deck_left] = [*left[::-1], *next_ones[::-1]]
    if deck is not None:
        state.deck[:deck] = state.deck[state.deck_left - deck : state.deck_left]
        state.deck_left = deck
    if turns is not None:
        state.deck_left, state.turns_left = 0, turns
    for number in laid:
        state.discards[number] += 1
    for colour, height in begun:
        state.fireworks[colour] = height
    fill(state)
    note_table(state)
    rule_out(state)
    position = Position.of(GAME, state)
    for word in words:
        move = position.read(word)
        assert move in position.legal_moves, word
        position.push(move)
    return position


def case(rule: str, what: str, about: str, value: float, **position: Any) -> Case:
    """What a rule must say of a move in a position that `table` takes."""
    return Case(rule, what, position, about, value)


def assert_value(rules: RuleSet, of: Case) -> None:
    """A rule says of the move of a case what is written."""
    position = table(**of.position)
    move = position.read(of.about)
    assert move in position.legal_moves, of.about
    item = int(GAME.item(position.view(), move))
    assert written_positions.value_of(rules, of.rule, position.view(), item) == pytest.approx(of.value)
