"""The quiz's client by text alone: what it knows from the lines, and servers that say what cannot be."""

from __future__ import annotations

import pytest

from rulebots.game.position import Position
from rulebots.packages.players import make_player
from rulebots.play.stepper import SeatedPlayer
from rulebots.protocols import Begin, Decide, End, ProtocolError
from rulebots.servers.quiz import OPTIONS, QuizEngine, QuizTable


@pytest.mark.slow
@pytest.mark.parametrize("name", ["shelly", "sheppard"])
@pytest.mark.parametrize("seat", [0, 1])
def test_a_client_knows_from_the_lines_what_it_may_know(lost_cities, name, seat):
    """Our player at the other end of the wire sees, move by move, the view that it would see at our table."""
    player = make_player(name, lost_cities)
    opponent = make_player("risk_meant", lost_cities)
    luck = 99
    table = QuizTable(Position(lost_cities, OPTIONS, seed=seat + 3, luck=None))
    table.position.luck = [luck, luck]
    engine, seated = QuizEngine(lost_cities, luck), SeatedPlayer(player, lost_cities)
    seen, told, ends = 0, table.question(), []
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
        if table.position.mover != seat:
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
        ([" Hand:  2D"], "sent ' Hand:  2D', which contradicts what it told before"),
        ([" Hand:  2D 2D 3D 4D 5D 6D 7D 8D"], "sent ' Hand:  2D 2D 3D 4D 5D 6D 7D 8D', which contradicts"),
        (["Score:  0 (You) vs. 0 (Opponent).  Why?"], "expected the question 'Your play?' or 'Draw from?'"),
        (["You pick up the 3D."], "sent 'You pick up the 3D.', which contradicts"),
        (["Error:  Invalid play."], "when it had not asked"),
        (["Your opponent plays the 2D.", "Your opponent plays the 3D."], "plays the 3D.', which contradicts"),
        (["Your opponent plays the 2D."] * 2, "plays the 2D.', which contradicts"),
        (["You draw a card from the deck."], "from the deck.', which contradicts"),
        (["Score:  " + "9" * 5000 + " (You) vs. 0 (Opponent).  Your play?"], "sent a line that the quiz does not have"),
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
    engine.receive("Final Score:  3 (You) vs. 1 (Opponent).")
    engine.closed()


def test_a_move_that_a_server_refuses_is_followed_by_one_that_it_takes(lost_cities):
    table = QuizTable(Position(lost_cities, OPTIONS, seed=1))
    engine = QuizEngine(lost_cities, 1)
    (asked,) = [event for _, line in table.question() for event in engine.receive(line) if isinstance(event, Decide)]
    engine.answer(asked, int(asked.moves[0]))
    tried = set()
    for _ in range(len(asked.moves) - 1):
        (say,) = engine.receive("Error:  You can't play that card.")
        tried.add(say.line)
    assert len(tried) == len(asked.moves) - 1
    with pytest.raises(ProtocolError, match="refused every legal move"):
        engine.receive("Error:  You can't play that card.")
