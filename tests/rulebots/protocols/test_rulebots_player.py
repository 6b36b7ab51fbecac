"""rulebots-player/1 by text alone: what a program is told, and what its answers mean."""

from __future__ import annotations

import json

import jsonschema
import numpy as np
import pytest

from rulebots.errors import UsageError
from rulebots.game import CHANCE, Game
from rulebots.game.position import Position
from rulebots.game.random_numbers import next_luck
from rulebots.players import Needs, Player
from rulebots.players.names import make_player
from rulebots.players.player import _seen
from rulebots.protocols import Begin, Clock, Decide, End, ProtocolError
from rulebots.protocols.protocol import LineTooLong
from rulebots.protocols.rulebots_player.engine import PlayerEngine, view_of
from rulebots.protocols.rulebots_player.messages import schema
from rulebots.protocols.rulebots_player.referee import PlayerReferee, fields_of
from rulebots.protocols.seated_player import SeatedPlayer
from rulebots.protocols.stdio import serve
from rulebots.registry import game_names, load_game

HELLO = '{"type":"hello","protocol":"rulebots-player/1"}'


def referee_of(game: Game) -> PlayerReferee:
    referee = PlayerReferee(game)
    assert referee.receive(HELLO) is None
    assert referee.ready
    return referee


def asked(game: Game, referee: PlayerReferee, position: Position) -> dict:
    (line,) = referee.ask(_seen(Needs.SHOWN, position), position.legal_moves, Clock(1.0))
    return json.loads(line)


def random_positions(game: Game, seed: int, plies: int = 60):
    """Positions of a game of random moves, where a player decides."""
    position, luck = Position(game, seed=seed), seed
    while not position.over and position.plies < plies:
        luck = next_luck(luck)
        if position.mover == CHANCE:
            position.push(position.drawn(luck))
            continue
        yield position
        position.push(int(position.legal_moves[luck % len(position.legal_moves)]))


@pytest.mark.parametrize("name", game_names())
def test_every_message_keeps_the_schema(name):
    game, valid = load_game(name), jsonschema.Draft202012Validator(schema())
    referee = referee_of(game)
    lines = [*referee.greet(), *referee.begin(0, {"a": 1}, Clock(1.0, 60.0))]
    for position in random_positions(game, 1, 20):
        lines += referee.ask(_seen(Needs.SHOWN, position), position.legal_moves, Clock())
    lines += [*referee.end((3, -1)), *referee.refuse("no"), *referee.leave()]
    for line in lines:
        assert "\n" not in line
        valid.validate(json.loads(line))


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


@pytest.mark.parametrize("name", game_names())
def test_a_view_goes_over_the_wire_and_comes_back(name):
    game = load_game(name)
    for position in random_positions(game, 2, 20):
        view = position.view()
        fields = json.loads(json.dumps(fields_of(view)))
        assert view_of(game, fields) == view


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
        ('{"type":"move","move":' + "9" * 5000 + "}", "expected a JSON object"),
        ('{"type":"move","move":NaN}', "expected a JSON object"),
        ('{"type":"move"}', 'sent nothing as "move" of "move": expected the number of a move, or its text'),
        ('{"type":"move","move":true}', "sent 'True' as \"move\""),
        ('{"type":"move","move":1.5}', "sent '1.5' as \"move\""),
        ('{"type":"move","move":"z9"}', "expected one of the moves that were offered, such as 0"),
        ('{"type":"move","move":0,"message":3}', 'sent \'3\' as "message" of "move": expected a text'),
        ('{"type":"move","move":0,"evaluation":1e999}', "too large"),
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
        ('{"type":"hello"}', 'sent nothing as "protocol" of "hello"'),
        ('{"type":"hello","protocol":"rulebots-player/9"}', "speaks 'rulebots-player/9'"),
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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "name"),
    [
        ("lost-cities", "sheppard"),
        ("kalah", "champion"),
        ("kalah", "minimax:depth=1"),
        ("cant-stop", "random"),
        ("tictactoe", "perfect"),
    ],
)
def test_our_engine_chooses_what_the_player_chooses(game, name):
    """A view, a position as text, and moves alone are all that players need; searches get the same position."""
    played = load_game(game)
    player = make_player(name, played)
    engine, referee, seated = PlayerEngine(played, player), referee_of(played), SeatedPlayer(player, played)
    engine.receive(HELLO)
    options = {option: value.default for option, value in played.options.items()}
    for event in engine.receive(referee.begin(0, options, Clock())[0]):
        assert isinstance(event, Begin)
        seated.begin(event.seat, event.options)
    position = Position(played, seed=5)
    position.luck = [17, 17]
    luck = 1
    while not position.over and position.plies < 16:
        luck = next_luck(luck)
        if position.mover == CHANCE:
            position.push(position.drawn(luck))
            continue
        if position.mover == 1:
            position.push(int(position.legal_moves[0]))
            continue
        expected = player.beginning_a_game(0, options).decide(position.copy())
        (decide,) = engine.receive(referee.ask(_seen(Needs.SHOWN, position), position.legal_moves, Clock())[0])
        assert isinstance(decide, Decide)
        move = seated.decide(decide.seen, decide.moves, decide.seconds)
        answer = referee.receive(engine.answer(decide, move, seated.result)[0])
        assert answer is not None
        assert answer.move == expected
        position.push(expected)
    assert engine.receive(referee.end((1, 2))[0]) == [End((1, 2))]


GAME = '{"type":"game","game":"kalah","options":{},"seats":2,"seat":0,"clock":{}}'


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["x"], "expected a JSON object"),
        ([GAME], 'expected "hello" first'),
        ([HELLO, '{"type":"choose"}'], 'sent "choose": expected "game" before it'),
        ([HELLO, GAME.replace("kalah", "chess")], "begins a game of 'chess': expected 'kalah'"),
        ([HELLO, GAME.replace('"seats":2', '"seats":3')], "expected a whole number from 2 to 2"),
        ([HELLO, GAME.replace("{},", '{"pits":99},', 1)], "sent \"options\" that this game lacks: option 'pits'"),
        ([HELLO, GAME, '{"type":"choose","seat":0,"moves":[]}'], 'sent "moves" of "choose" that are not moves'),
        ([HELLO, GAME, '{"type":"choose","seat":1,"moves":[]}'], "expected a whole number from 0 to 0"),
        (
            [HELLO, GAME, '{"type":"choose","seat":0,"moves":[{"move":1}],"observation":{"luck":1}}'],
            "sent an observation without",
        ),
        ([HELLO, '{"type":"resign"}'], 'expected a "type" of hello, game, choose, end, error or quit'),
    ],
)
def test_the_engine_says_what_was_wrong_and_goes_on(lines, message):
    game = load_game("kalah")
    engine = PlayerEngine(game, make_player("random", game))
    with pytest.raises(ProtocolError) as caught:  # noqa: PT012 - one of the lines
        for line in lines:
            engine.receive(line)
    assert message in str(caught.value)
    assert json.loads(engine.complain(caught.value)[0]) == {"type": "error", "message": str(caught.value)}
    engine.receive(HELLO)


def test_an_observation_that_does_not_fit_is_refused():
    game = load_game("kalah")
    fields = fields_of(Position(game).view())
    name = next(name for name, value in fields.items() if isinstance(value, list))
    for value in (3, [1], [[1]], "x", [2**40] * len(fields[name]), [10**400] * len(fields[name])):
        with pytest.raises(ProtocolError, match=f"whose '{name}' does not fit: expected"):
            view_of(game, {**fields, name: value})
    assert np.array_equal(view_of(game, fields)[name], fields[name])


def test_a_position_that_is_none_is_refused():
    game = load_game("kalah")
    engine = PlayerEngine(game, make_player("minimax:depth=1", game))
    engine.receive(HELLO)
    engine.receive(GAME)
    moves = '"moves":[{"move":0,"text":"1"}]'
    with pytest.raises(ProtocolError, match="told a position that is not one: position 'x', character 1"):
        engine.receive(f'{{"type":"choose","seat":0,{moves},"position":"x"}}')
    with pytest.raises(ProtocolError, match="whose legal moves are not those of the message"):
        engine.receive(f'{{"type":"choose","seat":0,{moves}}}')


def test_a_player_that_searches_hidden_games_is_refused():
    game = load_game("lost-cities")

    class Guessing(Player):
        needs = Needs.REDEALT

        def choose(self, seen, moves):
            return int(moves[0])

    with pytest.raises(UsageError, match="what a seat observes: choose another player"):
        PlayerEngine(game, Guessing(game, "guessing"))


def test_an_engine_goes_on_after_what_is_no_text_and_reads_a_last_line_without_an_end(tmp_path):
    game = load_game("kalah")
    player = make_player("random", game)
    (tmp_path / "in").write_bytes(b"\xff\n{\n" + HELLO.encode())
    with (tmp_path / "in").open("rb") as source, (tmp_path / "out").open("wb") as sink:
        serve(PlayerEngine(game, player), SeatedPlayer(player, game), source, sink)
    said = [json.loads(line) for line in (tmp_path / "out").read_text("utf-8").splitlines()]
    assert [message["type"] for message in said] == ["error", "error", "hello"]
    assert "expected text in UTF-8" in said[0]["message"]
    (tmp_path / "in").write_bytes(b"x" * 1_000_001)
    with (
        (tmp_path / "in").open("rb") as source,
        (tmp_path / "out").open("wb") as sink,
        pytest.raises(LineTooLong, match="of more than 1,000,000 bytes"),
    ):
        serve(PlayerEngine(game, player), SeatedPlayer(player, game), source, sink)
