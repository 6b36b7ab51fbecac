"""Positions of Hanabi written as text, for tests of conventions and rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from written_positions import Case, value_of

from rulebots.game.position import Position
from rulebots.games.hanabi.cards import LETTERS
from rulebots.games.hanabi.conventions import fill, note_table
from rulebots.games.hanabi.game import game
from rulebots.rules import RuleSet

#: Two hands with a card of each colour and rank; nothing is touched.
PLAIN = ("R1 Y2 G3 W4 B4", "R2 Y3 G4 W1 B5")


def case(rule: str, what: str, about: str, value: float, hands: Sequence[str] = PLAIN, **where: Any) -> Case:
    return Case(rule, what, {"hands": hands, **where}, about, value)


def card(text: str) -> int:
    """`R1` .. `B5` as a number."""
    return 5 * LETTERS.index(text[0]) + int(text[1]) - 1


def cards(text: str) -> int:
    """`R1 Y1` as a set."""
    return sum(1 << card(word) for word in text.split())


def position(
    hands: Sequence[str] = PLAIN,
    *,
    moves: str = "",
    fireworks: str = "",
    gone: str = "",
    draws: str = "",
    tokens: int = 8,
    lives: int = 3,
    left: int | None = None,
    turns: int = 0,
) -> Position:
    """The position after these moves of seats with these hands, the mover's first, who see these cards on the table.

    `fireworks` are the last cards of the fireworks, `draws` the next cards of the deck, `left` its cards after the
    moves.
    """
    first = [card(word) for hand in hands for word in hand.split()] + [card(word) for word in draws.split()]
    rest = [5 * colour + rank for colour in range(5) for rank in (0, 0, 0, 1, 1, 2, 2, 3, 3, 4)]
    for number in first:
        rest.remove(number)
    here = Position(game, {"seats": len(hands)}, [*first, *rest])
    state = here.state
    for number in map(card, fireworks.split()):
        state.fireworks[number // 5] = number % 5 + 1
    for number in map(card, gone.split()):
        state.discards[number] += 1
    state.tokens, state.lives, state.ply = tokens, lives, 1
    fill(state)
    note_table(state)
    for word in moves.split():
        here = after(here, word)
    if left is not None:
        here.state.deck_left = left
    if turns:
        here.state.turns_left = turns
    return here


def after(here: Position, word: str) -> Position:
    """The position after a move."""
    here = Position.of(game, here.state)
    here.push(here.read(word))
    return here


def assert_value(rules: RuleSet, of: Case) -> None:
    here = position(**of.position)
    move = here.read(of.about)
    assert move in here.legal_moves
    assert value_of(rules, of.rule, here.view(), game.item(here.view(), move)) == pytest.approx(of.value)
