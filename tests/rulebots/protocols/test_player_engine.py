"""rulebots-player/1 by text alone: what a program is told, and what its answers mean."""

from __future__ import annotations

import copy
import io
import json
from collections.abc import Iterator

import jsonschema
import numpy as np
import pytest
from player_protocol import HELLO, random_positions, referee_of

from rulebots.errors import UsageError
from rulebots.game import CHANCE
from rulebots.game.position import Position
from rulebots.game.random_numbers import next_luck
from rulebots.packages import game_names, load_game
from rulebots.packages.players import make_player
from rulebots.play.stepper import SeatedPlayer
from rulebots.players import Needs, Player
from rulebots.players.player import _seen
from rulebots.protocols import Begin, Clock, Decide, End, ProtocolError, piskvork
from rulebots.protocols.rulebots_player import PlayerEngine, fields_of, schema, view_of
from rulebots.protocols.stdio import serve


@pytest.mark.parametrize("name", game_names())
def test_a_view_goes_over_the_wire_and_comes_back(name):
    game = load_game(name)
    for position in random_positions(game, 2, 20):
        view = position.view()
        fields = json.loads(json.dumps(fields_of(view)))
        assert view_of(game, fields) == view


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
        ([HELLO, '{"type":"choose","seat":0,"moves":[]}'], 'sent "choose": expected "game" before it'),
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


@pytest.mark.parametrize(
    ("place", "seats"), [("tower:game", 1), ("tower:game", 3), ("goofspiel:game", 3), ("goofspiel:game", 4)]
)
def test_a_seat_of_any_table_is_told_what_it_may_know(place: str, seats: int) -> None:
    """Each seat has a program; what they are asked is what a history player in that seat is given here."""
    game, valid = load_game(place), jsonschema.Draft202012Validator(schema())
    player = make_player("random", game)
    ends = [(PlayerEngine(game, player), referee_of(game)) for _ in range(seats)]
    for seat, (engine, referee) in enumerate(ends):
        engine.receive(HELLO)
        (line,) = referee.begin(seat, {"seats": seats}, Clock())
        valid.validate(json.loads(line))
        assert (json.loads(line)["seats"], json.loads(line)["seat"]) == (seats, seat)
        assert engine.receive(line) == [Begin(seat, {"seats": seats})]
    position = Position(game, {"seats": seats}, seed=5)
    while not position.over:
        engine, referee = ends[position.mover]
        (line,) = referee.ask(_seen(Needs.SHOWN, position), position.legal_moves, Clock())
        valid.validate(json.loads(line))
        (decide,) = engine.receive(line)
        given = _seen(Needs.HISTORY, position)
        assert (decide.seen.seat, decide.seen.view, decide.seen.history) == (given.seat, given.view, given.history)
        position.push(int(position.legal_moves[-1]))
    for engine, referee in ends:
        (line,) = referee.end(position.points)
        valid.validate(json.loads(line))
        assert engine.receive(line) == [End(position.points)]


TABLE = '{"type":"game","game":"standing","options":{"seats":3},"seats":3,"seat":2,"clock":{}}'
ASKED = '{"type":"choose","seat":2,"moves":[{"move":1}],"observation":{},"news":[{"seat":3,"move":1}]}'


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (
            [TABLE.replace('"seats":3,"seat"', '"seats":4,"seat"')],
            'as "seats" of "game": expected a whole number from 3 to 3',
        ),
        ([TABLE.replace('"seat":2', '"seat":3')], 'as "seat" of "game": expected a whole number from 0 to 2'),
        ([TABLE.replace('"seats":3}', '"seats":7}')], "option 'seats' of standing takes a whole number from 2 to 6"),
        ([TABLE, ASKED], 'sent \'3\' as "seat" of "news": expected a whole number from -1 to 2'),
        ([TABLE, '{"type":"end","points":[1,0]}'], 'sent "points" that are not 3 whole numbers'),
    ],
)
def test_a_wrong_seat_is_told(lines: list[str], message: str) -> None:
    game = load_game("standing:game")
    engine = PlayerEngine(game, make_player("random", game))
    with pytest.raises(ProtocolError) as caught:  # noqa: PT012 - one of the lines
        for line in [HELLO, *lines]:
            engine.receive(line)
    assert message in str(caught.value)


def test_the_protocols_of_one_game_refuse_another_one() -> None:
    game = load_game("standing:game")
    with pytest.raises(UsageError, match="the protocol 'piskvork' is about gomoku, not standing"):
        piskvork.PiskvorkEngine(game, make_player("random", game))
    with pytest.raises(UsageError, match="'piskvork:x' plays gomoku, not standing: choose another game or player"):
        make_player("piskvork:x", game)


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


@pytest.mark.parametrize("wrong", [5, True, 1.5, "x", [5], [None], [{}], {"a": 1}, 10**30, -1, None, []])
def test_no_message_ends_the_engine_with_a_bug(wrong: object) -> None:
    """Each part of each message, and each part of a part, in turn holds something else."""
    game = load_game("kalah")
    player = make_player("random", game)
    referee, position = referee_of(game), Position(game)
    (question,) = referee.ask(_seen(Needs.SHOWN, position), position.legal_moves, Clock())
    for line in (GAME, question, '{"type":"end","points":[3,1]}'):
        for changed in _changed(json.loads(line), wrong):
            engine, seated = PlayerEngine(game, player), SeatedPlayer(player, game)
            text = "\n".join([HELLO, GAME, json.dumps(changed), ""])
            sink = io.BytesIO()
            serve(engine, seated, io.BytesIO(text.encode()), sink)
            answers = [json.loads(answer) for answer in sink.getvalue().splitlines()]
            assert {answer["type"] for answer in answers} <= {"hello", "move", "error"}


def _changed(value: object, wrong: object) -> Iterator[object]:
    yield wrong
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        for changed in _changed(part, wrong):
            twin = copy.copy(value)
            twin[key] = changed
            yield twin


def test_whole_numbers_may_be_written_with_a_point() -> None:
    game = load_game("kalah")
    engine, referee, position = PlayerEngine(game, make_player("random", game)), referee_of(game), Position(game)
    engine.receive(HELLO)
    engine.receive(GAME.replace("{},", '{"pits":6.0},', 1).replace('"seat":0', '"seat":0.0'))
    (question,) = referee.ask(_seen(Needs.SHOWN, position), position.legal_moves, Clock())
    (asked,) = engine.receive(question.replace('{"move":5,', '{"move":5.0,'))
    assert isinstance(asked, Decide)
    assert asked.moves.tolist() == position.legal_moves.tolist()
    assert engine.receive('{"type":"end","points":[3.0,1]}') == [End((3, 1))]
