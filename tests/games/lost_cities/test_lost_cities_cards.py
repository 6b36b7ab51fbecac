"""Cards as numbers, and sets of numbers as bits."""

from __future__ import annotations

from rulebots.games.lost_cities import cards


def test_each_card_is_a_suit_and_a_number_or_an_investment() -> None:
    texts = [cards.card_text(card) for card in range(cards.KINDS)]
    assert len(set(texts)) == cards.KINDS == 60
    assert texts[:3] == ["InvD", "2D", "3D"]
    assert texts[9:11] == ["10D", "InvO"]
    for card, text in enumerate(texts):
        assert cards.LETTERS[cards.suit_of(card)] == text[-1]
        assert cards.value_of(card) == (0 if text.startswith("Inv") else int(text[:-1]))
    assert (cards.suit_of(cards.NO_CARD), cards.value_of(cards.NO_CARD)) == (0, 0)


def test_a_set_of_numbers_has_a_bit_for_each() -> None:
    assert cards.number_bit(0) == 0, "an investment is no number"
    assert [cards.number_bit(card) for card in range(1, 10)] == [1 << value for value in range(2, 11)]
    assert cards.sum_of(1 << 2 | 1 << 5 | 1 << 10) == 17
    assert cards.sum_of(cards.ALL_NUMBERS) == sum(range(2, 11))
