"""The quiz's words by text alone: a server's table beside an independent one, line for line."""

from __future__ import annotations

import random

import naive_quiz
import pytest

from rulebots.game.position import Position
from rulebots.games.lost_cities.cards import card_text
from rulebots.servers.quiz import OPTIONS, QuizTable


def beside(game, seed: int) -> tuple[QuizTable, naive_quiz.Game]:
    """The same deal at both tables."""
    position = Position(game, OPTIONS, seed=seed)
    state = position.state
    hands = [[named(card) for card in state.hand[seat, : state.hand_size[seat]]] for seat in (0, 1)]
    return QuizTable(position), naive_quiz.Game(hands, [named(card) for card in state.deck[: state.deck_left]])


def named(card: int) -> naive_quiz.Card:
    text = card_text(int(card))
    return text[:-1], next(land for land in naive_quiz.LANDS if land[0] == text[-1])


@pytest.mark.parametrize("seed", range(1, 7))
def test_every_line_is_that_of_an_independent_server(lost_cities, seed):
    """Two players that answer anything, mistakes included: the same lines in the same order, for both seats."""
    table, oracle = beside(lost_cities, seed)
    told: list[list[str]] = [[], []]
    luck, answers = random.Random(seed), 0  # noqa: S311 - what is played
    choose = naive_quiz.bold(luck)

    def hear(lines):
        for seat, line in lines:
            told[seat].append(line)

    hear(table.question())
    while not table.over:
        assert told == oracle.told
        answer = choose(told[table.position.mover])
        _, lines = table.answer(answer)
        hear(lines)
        oracle.answer(answer)
        answers += 1
    if not table.position.stalled:  # the quiz knows no limit of moves
        assert told == oracle.told
        assert told[0][-3] == "Game over."
    said = "\n".join(told[0] + told[1])
    if answers > 300:
        for error in (
            "Invalid play.",
            "No such card.",
            "You can't play that card.",
            "Invalid draw.",
            "No cards there.",
        ):
            assert f"Error:  {error}" in said


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("3d", 2), ("id", 0), ("D 10 V", 109), ("did", 60), ("  4 J ", 33), ("d3d", 62), ("10j", 39), ("dd", None),
        ("Inv d", None), ("invd", None), ("1d", None), ("3", None), ("", None), ("3x", None), ("3c", None),
        ("11d", None), ("x3d", None), ("3dd", None), ("\0 5\vd\0", 4),
        ("\u0130d", None), ("5\u2003d", None), ("\xa05d", None), ("\u0665d", None),
    ],
)  # fmt: skip
def test_answers_to_the_first_question(lost_cities, text, move):
    assert QuizTable(Position(lost_cities, OPTIONS))._read(text) == move


@pytest.mark.parametrize(
    ("text", "move"),
    [("n", 120), (" N\r", 120), ("d", 121), ("V", 125), ("c", None), ("", None), ("nn", None), ("\xa0n", None)],
)
def test_answers_to_the_second_question(lost_cities, text, move):
    table = QuizTable(Position(lost_cities, OPTIONS))
    table.play(int(table.position.legal_moves[0]))
    assert table._read(text) == move
