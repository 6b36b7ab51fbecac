"""What comes over a wire, for fuzz.py: rulebots-player/1, the Lost Cities quiz, Piskvork, servers of Kalah."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from rulebots import Game, Player, Position, load_game, make_player
from rulebots.play.stepper import SeatedPlayer
from rulebots.players import Shown
from rulebots.protocols import Begin, Clock, Decide, End, Engine, line_of
from rulebots.protocols.piskvork import PiskvorkEngine, PiskvorkReferee
from rulebots.protocols.rulebots_player import PlayerEngine, PlayerReferee
from rulebots.servers.kgp_engine import KgpEngine
from rulebots.servers.quiz import OPTIONS, QuizEngine, QuizTable

Reader = Callable[[bytes, bool], None]
#: Who says what is damaged.
SPEAKERS = ("program", "referee", "client", "server", "brain", "manager", "kgp server")
#: What a message may hold.
JSON = ('"type":"', '"move":', "1e400", "-1", "[]", "[[", "{}", '"seat":', '"news":[{}]', '"observation":{}', "\\ud800")


def conversations() -> dict[str, tuple[str, tuple[str, ...], Reader]]:
    """By who speaks: a whole conversation, words to put into it, and what reads the damaged one."""
    kalah, cities = load_game("kalah"), load_game("lost-cities")
    random, dumb = make_player("random", kalah), make_player("dumb", cities)
    table, told, said = QuizTable(Position(cities, OPTIONS, compiled=True)), list[str](), list[str]()
    now = table.question()
    for _ in range(40):
        told += [line for seat, line in now if seat == 0]
        move = dumb.decide(table.position)
        said.append(cities.text.write(move))
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
        served = QuizTable(Position(cities, OPTIONS, compiled=True))
        for line in _lines(data, QuizEngine.longest_line):
            if not served.over:
                served.answer(line)

    sound = {
        "program": answers,
        "referee": asked,
        "client": said,
        "server": told,
        "brain": ["OK", "MESSAGE depth 4", "4,4", "2,2", "UNKNOWN x", "3,3", "DEBUG", "0,8"],
        "manager": [
            *(
                "ABOUT",
                "START 9",
                "INFO timeout_turn 100",
                "INFO rule 1",
                "INFO time_left 900",
                "INFO max_memory 9",
                "BEGIN",
                "TURN 0,0",
            ),
            *(
                "TAKEBACK 0,0",
                "RESTART",
                "BOARD",
                "4,4,1",
                "3,3,2",
                "DONE",
                "SWAP2BOARD",
                "DONE",
                "RECTSTART 9,9",
                "TURN 8,8",
            ),
        ],
        "kgp server": [
            *(
                "2 kgp 1 0 1",
                "4@5 ok",
                "6 ping",
                "8 state <6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>",
                "10@8 stop",
                '12@9 error "x"',
            ),
            *(
                "14 state <3,1,0,2,2,2,2,2,1>",
                '16@7 error "No state"',
                "18 set time:mode absolute",
                "20 set time:clock 25",
                '22 set game:id "2"',
                '24 set game:opponent "x"',
                "26 state <3,1,0,2,2,2,2,2,1>",
            ),
        ],
    }
    words = {who: tuple(dict.fromkeys(" ".join(text).replace('"', " ").split()))[:60] for who, text in sound.items()}
    words["program"] += JSON
    words["referee"] += JSON
    words["server"] += tuple(f"\n{line}\n" for line in told[:80])
    read: dict[str, Reader] = {
        "program": program,
        "referee": lambda data, _: _conversed(PlayerEngine(kalah, random), random, data),
        "client": client,
        "server": lambda data, _: _conversed(QuizEngine(cities, 1), dumb, data),
        **boards(kalah, random),
    }
    return {who: ("\n".join(sound[who]) + "\n", words[who], read[who]) for who in SPEAKERS}


def boards(kalah: Game, random: Player) -> dict[str, Reader]:
    """What reads the lines of Piskvork's protocol and of the Kalah Game Protocol."""
    gomoku = load_game("gomoku")
    careful, board = make_player("careful", gomoku), Position(gomoku, {"size": 9}, compiled=True)

    def brain(data: bytes, _: bool) -> None:
        """The answers of an engine of Piskvork's protocol."""
        manager = PiskvorkReferee(gomoku)
        manager.begin(0, {"size": 9, "exactly": 0}, Clock(1.0))
        manager.ask(_shown(board), board.legal_moves, Clock(1.0))
        for line in _lines(data, manager.longest_line):
            manager.receive(line)

    return {
        "brain": brain,
        "manager": lambda data, _: _conversed(PiskvorkEngine(gomoku, careful), careful, data),
        "kgp server": lambda data, _: _conversed(KgpEngine(kalah, "random"), random, data),
    }


def _shown(position: Position) -> Shown:
    """What a program is asked with."""
    names = tuple(map(position.write, position.legal_moves.tolist()))
    return Shown(0, position.view(0), position.history(0), position.plies, position.text(0), position.to_text(), names)


def _lines(data: bytes, longest: int) -> Iterator[str]:
    return (line_of(line) for line in data.split(b"\n")[:-1] if len(line) <= longest)


def _conversed(engine: Engine, player: Player, data: bytes) -> None:
    """Everything that an engine is told, and its player asked."""
    seated = SeatedPlayer(player, player.game)
    for line in _lines(data, engine.longest_line):
        for event in engine.receive(line):
            if isinstance(event, Begin):
                seated.begin(event.seat, event.options)
            elif isinstance(event, End):
                seated.end(event.points)
            elif isinstance(event, Decide):
                engine.answer(event, seated.decide(event.seen, event.moves, event.seconds), seated.result)
