"""What comes over a wire, for fuzz.py: the two sides of rulebots-player/1, and those of the Lost Cities quiz."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from rulebots.game import load_game
from rulebots.players import Player, Shown
from rulebots.players.names import make_player
from rulebots.position import Position
from rulebots.protocols import Clock, Decide, End
from rulebots.protocols.answering import Seats
from rulebots.protocols.lines import Lines
from rulebots.protocols.protocol import Begin, Engine
from rulebots.protocols.quiz.engine import QuizEngine
from rulebots.protocols.quiz.table import Table
from rulebots.protocols.quiz.words import OPTIONS
from rulebots.protocols.rulebots_player.engine import PlayerEngine
from rulebots.protocols.rulebots_player.referee import PlayerReferee

Reader = Callable[[bytes, bool], None]
#: Who says what is damaged.
WIRES = ("program", "referee", "client", "server")
#: What a message may hold.
JSON = ('"type":"', '"move":', "1e400", "-1", "[]", "[[", "{}", '"seat":', '"news":[{}]', '"observation":{}', "\\ud800")


def conversations() -> dict[str, tuple[str, tuple[str, ...], Reader]]:
    """By who speaks: a whole conversation, words to put into it, and what reads the damaged one."""
    kalah, cities = load_game("kalah"), load_game("lost-cities")
    random, dumb = make_player("random", kalah), make_player("dumb", cities)
    table, told, said = Table(Position(cities, OPTIONS, compiled=True)), list[str](), list[str]()
    now = table.begin()
    for _ in range(40):
        told += [line for seat, line in now if seat == 0]
        move = dumb.decide(table.position)
        said.append(cities.write(move))
        now = table.play(move)
    referee, position = PlayerReferee(kalah), Position(kalah, compiled=True)
    hello = referee.greet()[0]
    asked = [hello, *referee.begin(0, {}, Clock())]
    for _ in range(6):
        asked += referee.ask(_shown(position), position.legal_moves, Clock(1.0))
        position.push(int(position.legal_moves[0]))
    asked += [*referee.end((1, 2)), *referee.leave()]
    moves = (f'{{"type":"move","move":{move},"message":"a","evaluation":0.5}}' for move in (0, 1, 2) * 2)
    answers = [hello, *moves]

    def program(data: bytes, _: bool) -> None:
        """The answers of a program."""
        waiting = PlayerReferee(kalah)
        seen = _shown(Position(kalah, compiled=True))
        for line in _lines(data, waiting.longest_line):
            if waiting.ready:
                waiting.ask(seen, np.arange(6), Clock())
            answer = waiting.receive(line)
            if answer is not None and len("".join(answer.effort).splitlines()) > 1:
                raise AssertionError("a remark of several lines")

    def client(data: bytes, _: bool) -> None:
        """The answers of a client of the quiz."""
        served = Table(Position(cities, OPTIONS, compiled=True))
        for line in _lines(data, QuizEngine.longest_line):
            if not served.over:
                served.answer(line)

    sound = {"program": answers, "referee": asked, "client": said, "server": told}
    words = {who: tuple(dict.fromkeys(" ".join(text).replace('"', " ").split()))[:60] for who, text in sound.items()}
    words["program"] += JSON
    words["referee"] += JSON
    words["server"] += tuple(f"\n{line}\n" for line in told[:80])
    read: dict[str, Reader] = {
        "program": program,
        "referee": lambda data, _: _conversed(PlayerEngine(kalah, random), random, data),
        "client": client,
        "server": lambda data, _: _conversed(QuizEngine(cities, 1), dumb, data),
    }
    return {who: ("\n".join(sound[who]) + "\n", words[who], read[who]) for who in WIRES}


def _shown(position: Position) -> Shown:
    """What a program is asked with."""
    return Shown(0, position.view(0), position.history(0), position.plies, position.text(0), position.to_text())


def _lines(data: bytes, longest: int) -> Iterator[str]:
    cut = Lines(longest)
    cut.feed(data)
    return iter(cut.next, None)


def _conversed(engine: Engine, player: Player, data: bytes) -> None:
    """Everything that an engine is told, and its player asked."""
    seats = Seats(player, player.game)
    for line in _lines(data, engine.longest_line):
        for event in engine.receive(line):
            if isinstance(event, Begin):
                seats.begin(event)
            elif isinstance(event, End):
                seats.end(event)
            elif isinstance(event, Decide):
                engine.answer(event, *seats.decide(event))
