"""The quiz's client without its socket: what a server's lines mean to our player."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulebots.game import Game
from rulebots.games.lost_cities.game import FROM_DECK
from rulebots.games.lost_cities.text import write
from rulebots.protocols.protocol import Begin, Bye, Decide, End, Engine, Event, ProtocolError, Say
from rulebots.servers.quiz import words
from rulebots.servers.quiz.knowledge import Knowledge

_HAND, _DECK, _ERROR = " Hand:  ", " Deck:  ", "Error:  "
#: Lines of a board that say nothing new.
_KNOWN = (*(f"{land}:" for land in words.LANDS), "  Opponent:", "  Discards:", "       You:")
_RESULTS = ("Congratulations, you win.", "The game is a draw.", "I'm sorry, you lose.")


class QuizEngine(Engine):
    """One game as a client; `luck`, in 1..2**32-1, is the random state that our player's chance comes from."""

    longest_line = 1024

    def __init__(self, game: Game, luck: int) -> None:
        self._game, self._luck = game, luck
        self._known: Knowledge | None = None
        self._asked: Decide | None = None
        self._refused = set[int]()
        self._last = -1
        self._over = False

    def receive(self, line: str) -> Sequence[Event]:
        """What a line of the server's asks for, if anything."""
        begun: list[Event] = []
        notice = words.read_notice(line)
        if self._known is None:  # who begins is asked before it is told anything
            seat = 1 if notice is not None and not notice.mine else 0
            self._known = Knowledge(self._game, seat, self._luck)
            begun.append(Begin(seat, words.OPTIONS))
        if notice is not None:
            self._known.tell(notice)
            return begun
        return [*begun, *self._understood(line, self._known)]

    def _understood(self, line: str, known: Knowledge) -> Sequence[Event]:
        if line.startswith(_ERROR):
            return self._again(line)
        if line.startswith(_HAND):
            known.see_hand([words.read_card(word) for word in line.removeprefix(_HAND).split()])
        elif line.startswith(_DECK):
            if f"({known.deck})" not in line:
                raise ProtocolError(f"showed another deck than the {known.deck} cards that are left")
        elif (score := words.read_score(line)) is not None:
            return self._scored(score, known)
        elif line == words.GAME_OVER:
            self._over = True
        elif not line.startswith(_KNOWN) and line not in _RESULTS:
            raise ProtocolError(f"sent a line that the quiz does not have: '{line[:60]}'")
        return []

    def _scored(self, score: words.Score, known: Knowledge) -> Sequence[Event]:
        if score.final:
            self._over = True
            mine, other = score.mine, score.other
            return [End((mine, other) if known.seat == 0 else (other, mine))]
        if score.prompt not in {words.PLAY, words.DRAW}:
            raise ProtocolError(f"asked '{score.prompt[:40]}': expected '{words.PLAY}' or '{words.DRAW}'")
        position = known.position
        if position.mover != known.seat or position.over:
            raise ProtocolError(f"asked '{score.prompt}' where it is not our turn")
        self._refused.clear()
        self._asked = Decide(position, position.legal_moves)
        return [self._asked]

    def _again(self, line: str) -> Sequence[Event]:
        """The server refused a move that our law allows: another one, for it waits without end."""
        if self._asked is None:
            raise ProtocolError(f"sent '{line[:40]}' where it had not asked")
        self._refused.add(self._last)
        others = self._asked.moves.tolist()
        if others[0] != FROM_DECK:  # a discard is always allowed, and so is the deck
            others.reverse()
        for move in others:
            if move not in self._refused:
                self._last = move
                return [Say(write(move))]
        raise ProtocolError("refused every legal move")

    def answer(self, asked: Decide, move: int, about: Any = None) -> list[str]:
        """The move as the quiz writes it: `3d`, `d10v`, `n`."""
        self._last = move
        return [write(move)]

    def closed(self) -> Sequence[Event]:
        """The server ends the connection after each game."""
        if not self._over:
            raise ProtocolError("cut the connection before the game was over")
        return [Bye()]
