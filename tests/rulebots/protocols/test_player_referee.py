"""What a program is told in rulebots-player/1, and what its answers mean."""

from __future__ import annotations

import json

import pytest
from player_protocol import asked, random_positions, referee_of

from rulebots.game.position import Position
from rulebots.packages import game_names, load_game
from rulebots.protocols import Answer, Clock, ProtocolError
from rulebots.protocols.rulebots_player import PlayerReferee


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in game_names() if load_game(name).hidden])
def test_a_program_is_told_nothing_that_its_seat_may_not_know(name):
    """What is hidden is dealt again: the question stays the same, byte for byte."""
    game, changed = load_game(name), 0
    for seed in range(1, 4):
        for number, position in enumerate(random_positions(game, seed)):
            other = position.redealt(seed + number)
            changed += bool(other.state != position.state)
            truth, guess = (asked(game, referee_of(game), p) for p in (position, other))
            assert truth == guess
    assert changed


def test_news_are_the_moves_since_the_last_question():
    game = load_game("kalah")
    referee, position = referee_of(game), Position(game)
    referee.begin(0, {}, Clock())
    assert asked(game, referee, position)["news"] == []
    position.push(1)
    position.push(5)
    assert asked(game, referee, position)["news"] == [{"seat": 0, "move": 1}, {"seat": 1, "move": 5}]
    referee.begin(1, {}, Clock())
    assert len(asked(game, referee, position)["news"]) == 2
    nobody_knows = Position.from_text(game, position.to_text())
    assert asked(game, referee, nobody_knows)["news"] is None


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("hallo", "sent 'hallo': expected a JSON object on one line"),
        ("[1]", 'expected a JSON object with a "type"'),
        ('{"move":3}', 'expected a JSON object with a "type"'),
        ("[" * 100_000, "expected a JSON object"),
        ('{"type":"move","x":' + '{"a":' * 500 + "1" + "}" * 501, 'sent "move" without "move"'),
        ('{"type":"move","move":' + "9" * 5000 + "}", "expected a JSON object"),
        ('{"type":"move","move":NaN}', 'sent "move" without "move"'),
        ('{"type":"move","move":99,"move":12}', "(the key 'move' is there twice)"),
        ('{"type":"move","move":0,"x":{"a":1,"a":1}}', "(the key 'a' is there twice)"),
        ('{"type":"move"}', 'sent "move" without "move"'),
        ('{"type":"move","move":true}', "sent 'True' as \"move\""),
        ('{"type":"move","move":1.5}', "sent '1.5' as \"move\""),
        ('{"type":"move","move":"z9"}', "expected one of the moves that were offered, such as 0"),
        ('{"type":"move","move":0,"message":3}', 'sent \'3\' as "message" of "move": expected a text'),
        ('{"type":"move","move":0,"evaluation":1e999}', "expected a number from -1e+18 to 1e+18"),
        ('{"type":"bestmove","move":0}', 'expected {"type":"move","move":...}'),
        ('{"type":"error","message":"no\\nmemory"}', "gave up: no memory"),
    ],
)
def test_an_answer_that_is_none_says_what_was_expected(line, message):
    game = load_game("kalah")
    referee = referee_of(game)
    asked(game, referee, Position(game))
    with pytest.raises(ProtocolError) as caught:
        referee.receive(line)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


def test_an_answer_without_a_question_is_refused():
    referee = referee_of(load_game("kalah"))
    with pytest.raises(ProtocolError, match="it was not asked"):
        referee.receive('{"type":"move","move":0}')


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"type":"move","move":0}', 'sent "move" first: expected "hello"'),
        ('{"type":"hello"}', 'sent "hello" without "protocol"'),
        (
            '{"type":"hello","protocol":"rulebots-player/9"}',
            'sent \'rulebots-player/9\' as "protocol" of "hello": expected "rulebots-player/1"',
        ),
    ],
)
def test_the_first_message_is_a_greeting_with_the_protocol(line, message):
    with pytest.raises(ProtocolError, match=message):
        PlayerReferee(load_game("kalah")).receive(line)


def test_an_answer_may_be_text_and_has_remarks():
    game = load_game("lost-cities")
    referee = referee_of(game)
    offered = asked(game, referee, Position(game))["moves"]
    line = json.dumps({"type": "move", "move": offered[3]["text"], "message": "a\nb", "evaluation": 2})
    answer = referee.receive(line)
    assert answer is not None
    assert answer.move == offered[3]["move"]
    assert answer.effort == ("evaluation 2", "a b")


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "null"])
def test_an_evaluation_that_is_not_a_number_does_not_lose_the_game(number: str) -> None:
    game = load_game("kalah")
    referee = referee_of(game)
    asked(game, referee, Position(game))
    assert referee.receive(f'{{"type":"move","move":5,"evaluation":{number}}}') == Answer(5)


def test_a_whole_number_may_be_written_with_a_point() -> None:
    game = load_game("kalah")
    referee = referee_of(game)
    asked(game, referee, Position(game))
    answer = referee.receive('{"type":"move","move":5.0}')
    assert answer is not None
    assert answer.move == 5
    assert isinstance(answer.move, int)
    asked(game, referee, Position(game))
    with pytest.raises(ProtocolError, match="expected a whole number or a text"):
        referee.receive('{"type":"move","move":5.5}')
