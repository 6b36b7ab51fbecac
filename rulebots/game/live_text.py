"""The text of a live game: what its moves and positions are called, as its class says or as Python's `str` does."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from rulebots.errors import UsageError
from rulebots.game.live_game import words
from rulebots.game.live_objects import LiveObjects, said
from rulebots.game.text import GameText, write_number


def live_text(objects: LiveObjects) -> GameText:
    """The text of a live game."""
    text = _LiveText(objects)
    sentence = None if objects.source.sentence is None else text.sentence
    return GameText(show=text.show, write_in=text.write_in, read_in=text.read, sentence=sentence)


class _LiveText:
    """The functions of a `GameText`."""

    def __init__(self, objects: LiveObjects) -> None:
        self._objects = objects
        self._source = objects.source

    def write_in(self, state: Any, move: int) -> str:
        number = int(move)
        return self._texts(state).get(number, write_number(number))

    def sentence(self, state: Any, move: int) -> str:
        node = self._objects.at(state)
        moves = dict(zip(self._objects.numbers(node), self._objects.legal(node), strict=True))
        return said(self._source.sentence, node.g, moves[int(move)])

    def read(self, text: str, state: Any) -> int:
        texts = self._texts(state)
        for number, name in texts.items():
            if _plain(name) == _plain(text):
                return number
        shown = ", ".join([*texts.values()][:6])
        raise UsageError(f"expected a move, such as {shown}, not '{text.strip()}'" if shown else "the game is over")

    def _texts(self, state: Any) -> Mapping[int, str]:
        """What people call the moves of a position, by their numbers; none once the game is over."""
        if state.over:
            return {}
        node = self._objects.at(state)
        if node.texts is None:
            moves = zip(self._objects.numbers(node), self._objects.legal(node), strict=True)
            names = {number: self._objects.text_of(node, move) for number, move in moves}
            counts = Counter(map(_plain, names.values()))
            node.texts = {
                number: name if counts[_plain(name)] == 1 else f"{name} [{number}]" for number, name in names.items()
            }
        return node.texts

    def show(self, state: Any, seat: int | None) -> str:
        g = self._objects.at(state).g
        if self._source.show is not None:
            return said(self._source.show, g, seat)
        return words(g if seat is None or not self._source.hidden else self._source.sees(g, seat))


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()
