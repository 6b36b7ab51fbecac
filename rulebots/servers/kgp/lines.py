"""Lines and boards of the protocol."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.protocols import sent

#: The game that is played.
GAME = "kalah"
#: The version that is spoken here.
VERSION = (1, 0, 1)
#: Bytes of the longest line that the protocol allows.
LONGEST_LINE = 16_384
_LINE = re.compile(r"(?:([0-9]{1,18})?(?:@([0-9]{1,18}))? +)?([A-Za-z][\w:-]*)((?: .*)?)")
_ARGUMENT = re.compile(r'\s*(<[0-9,\s]*>|"(?:\\.|[^"\\])*"|[^\s"<>]+)')
_BOARD = re.compile(r"<\s*[0-9]{1,4}(?:\s*,\s*[0-9]{1,4})*\s*>")


@dataclass(frozen=True)
class KgpCommand:
    """A line: its number, the number that it answers (0 for none), its name, and its arguments as they stand there."""

    number: int
    ref: int
    name: str
    arguments: tuple[str, ...]

    @classmethod
    def read(cls, line: str) -> KgpCommand:
        """The command of a line. Raises ProtocolError."""
        found = _LINE.fullmatch(line.strip())
        if found is None:
            raise sent(line, "[id][@ref] name arguments")
        arguments, at, rest = [], 0, found[4]
        while rest[at:].strip():
            argument = _ARGUMENT.match(rest, at)
            if argument is None:
                raise sent(line, "words, numbers, quoted strings and boards as arguments")
            arguments.append(argument[1])
            at = argument.end()
        return cls(int(found[1] or 0), int(found[2] or 0), found[3], tuple(arguments))

    def text(self, index: int) -> str:
        """An argument without quotation marks; empty where there is none."""
        if index >= len(self.arguments):
            return ""
        argument = self.arguments[index]
        return re.sub(r"\\(.)", r"\1", argument[1:-1]) if argument.startswith('"') else argument


def quoted(text: str) -> str:
    """A string as an argument."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{" ".join(escaped.split())}"'


def board_of(position: str, south: int) -> str:
    """The board of a position of the package's Kalah in its text form, with that seat as South."""
    sides = [side.split(",") for side in position.split(maxsplit=1)[0].split("/")]
    mine, theirs = sides[south], sides[1 - south]
    return f"<{','.join([str(len(mine) - 1), mine[-1], theirs[-1], *mine[:-1], *theirs[:-1]])}>"


def position_of(game: Game, board: str) -> Position:
    """The position of a board in the package's Kalah, South to move as seat 0, with the protocol's rule of capture.

    Raises:
        UsageError: not a board, or one that the package's Kalah lacks.
    """
    if not _BOARD.fullmatch(board):
        raise UsageError("expected a board <n,S,N,s1..sn,n1..nn>")
    size, *rest = (int(number) for number in board[1:-1].split(","))
    south, north, *pits = rest if len(rest) > 1 else (0, 0)
    if len(rest) < 2 or len(pits) != 2 * size:
        raise UsageError(f"expected 2 * {size} pits on the board, not {len(pits)}")
    stones, left = divmod(south + north + sum(pits), max(2 * size, 1))
    if left:
        raise UsageError(
            f"expected the same number of stones in each of {2 * size} pits at first, not {stones} and a rest"
        )
    sides = (",".join(map(str, (*side, store))) for side, store in ((pits[:size], south), (pits[size:], north)))
    options = {"pits": size, "stones": stones, "empty_capture": 0}
    return Position.from_text(game, f"{'/'.join(sides)} 0", options, compiled=True)
