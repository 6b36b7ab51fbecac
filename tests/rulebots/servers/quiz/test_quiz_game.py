"""The quiz's words by text alone: our table and our client beside an independent one, line for line."""

from __future__ import annotations

import random

import naive_quiz
import pytest

from rulebots.game.position import Position
from rulebots.games.lost_cities.cards import card_text
from rulebots.players.names import make_player
from rulebots.protocols import Begin, Decide, End, ProtocolError
from rulebots.protocols.seated_player import SeatedPlayer
from rulebots.servers.quiz.engine import QuizEngine
from rulebots.servers.quiz.game import QuizGame
from rulebots.servers.quiz.lines import OPTIONS, draw_answer, play_answer


def beside(game, seed: int) -> tuple[QuizGame, naive_quiz.Game]:
    """The same deal at both tables."""
    position = Position(game, OPTIONS, seed=seed)
    state = position.state
    hands = [[named(card) for card in state.hand[seat, : state.hand_size[seat]]] for seat in (0, 1)]
    return QuizGame(position), naive_quiz.Game(hands, [named(card) for card in state.deck[: state.deck_left]])


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

    hear(table.begin())
    while not table.over:
        assert told == oracle.told
        answer = choose(told[table.waiting])
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
def test_answers_to_the_first_question(text, move):
    assert play_answer(text) == move


@pytest.mark.parametrize(
    ("text", "move"),
    [("n", 120), (" N\r", 120), ("d", 121), ("V", 125), ("c", None), ("", None), ("nn", None), ("\xa0n", None)],
)
def test_answers_to_the_second_question(text, move):
    assert draw_answer(text) == move


@pytest.mark.slow
@pytest.mark.parametrize("name", ["shelly", "sheppard"])
@pytest.mark.parametrize("seat", [0, 1])
def test_a_client_knows_from_the_lines_what_it_may_know(lost_cities, name, seat):
    """Our player at the other end of the wire sees, move by move, the view that it would see at our table."""
    player = make_player(name, lost_cities)
    opponent = make_player("risk_meant", lost_cities)
    luck = 99
    table = QuizGame(Position(lost_cities, OPTIONS, seed=seat + 3, luck=None))
    table.position.luck = [luck, luck]
    engine, seated = QuizEngine(lost_cities, luck), SeatedPlayer(player, lost_cities)
    seen, told, ends = 0, table.begin(), []
    while True:
        asked = None
        for where, line in told:
            if where == seat:
                for event in engine.receive(line):
                    if isinstance(event, Begin):
                        assert event.seat == seat
                        seated.begin(event.seat, event.options)
                    elif isinstance(event, Decide):
                        asked = event
                    elif isinstance(event, End):
                        ends.append(event)
        if table.over:
            break
        if table.waiting != seat:
            told = table.play(opponent.decide(table.position))
            continue
        assert asked is not None
        assert isinstance(asked.seen, Position)
        assert asked.seen.view() == table.position.view()
        assert asked.seen.history(seat) == table.position.history(seat)
        seen += 1
        made, told = table.answer(engine.answer(asked, seated.decide(asked.seen, asked.moves))[0])
        assert made
    assert seen > 20
    assert [end.points for end in ends] == [table.position.points]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["hello"], "sent a line that the quiz does not have: 'hello'"),
        (["You play the 3X."], "sent '3X': expected a card such as InvD or 10V"),
        ([" Hand:  2D"], "showed the hand '2D', which does not follow"),
        ([" Hand:  2D 2D 3D 4D 5D 6D 7D 8D", "Score:  0 (You) vs. 0 (Opponent).  Your play?"], "more cards 2D than"),
        ([" Deck:  ### (3)"], "showed another deck than the 44 cards"),
        (["Score:  0 (You) vs. 0 (Opponent).  Why?"], "asked 'Why?': expected 'Your play?' or 'Draw from?'"),
        (["You pick up the 3D."], "told that 3D was picked up, which is on no pile"),
        (["Error:  Invalid play."], "when it had not asked"),
        (["Your opponent plays the 2D.", "Your opponent plays the 3D."], "told of a move that the law does not know"),
        (["Your opponent plays the 2D."] * 2, "told of more cards 2D than the pack has"),
        (["You draw a card from the deck."], "told of a move that the law does not know"),
        (["Score:  " + "9" * 5000 + " (You) vs. 0 (Opponent).  Your play?"], "sent a score of more digits"),
    ],
)
def test_a_server_that_says_what_cannot_be_is_told_apart(lost_cities, lines, message):
    engine = QuizEngine(lost_cities, 1)
    with pytest.raises(ProtocolError) as caught:  # noqa: PT012 - one of the lines
        for line in [*lines, " Hand:  2O 3O 4O 5O 6O 7O 8O 9O", "Score:  0 (You) vs. 0 (Opponent).  Your play?"]:
            engine.receive(line)
    assert message in str(caught.value)


def test_a_connection_that_ends_before_the_game_is_a_breach(lost_cities):
    engine = QuizEngine(lost_cities, 1)
    with pytest.raises(ProtocolError, match="before the game was over"):
        engine.closed()
    engine.receive("Game over.")
    engine.closed()


def test_a_move_that_a_server_refuses_is_followed_by_one_that_it_takes(lost_cities):
    table = QuizGame(Position(lost_cities, OPTIONS, seed=1))
    engine = QuizEngine(lost_cities, 1)
    (asked,) = [event for _, line in table.begin() for event in engine.receive(line) if isinstance(event, Decide)]
    engine.answer(asked, int(asked.moves[0]))
    tried = set()
    for _ in range(len(asked.moves) - 1):
        (say,) = engine.receive("Error:  You can't play that card.")
        tried.add(say.line)
    assert len(tried) == len(asked.moves) - 1
    with pytest.raises(ProtocolError, match="refused every legal move"):
        engine.receive("Error:  You can't play that card.")
