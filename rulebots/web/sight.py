"""What the page says of a table: everything as the one who looks may know it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rulebots.errors import UsageError
from rulebots.game.position import Position
from rulebots.records import PERSON
from rulebots.web.board import Board, board_of, secret
from rulebots.web.reasons import notes_of
from rulebots.web.table import Table

#: Seconds between two looks: while a player thinks, and between two players.
SOON, SLOWLY = "400ms", "1s"


@dataclass(frozen=True)
class Line:
    """A move in the list of moves; `ply` counts from 1, `searched` is whether a search's findings are known."""

    ply: int
    who: str
    move: str
    reasons: bool
    searched: bool


@dataclass(frozen=True)
class Sight:
    """A table as a page shows it after `ply` moves; `now` is whether that is its latest position."""

    table: Table
    version: int
    ply: int
    now: bool
    board: Board
    status: str
    said: str
    points: tuple[tuple[str, int], ...]
    moves: tuple[Line, ...]
    chosen: str
    poll: str
    can_undo: bool
    position_text: str
    message: str = ""

    @property
    def last(self) -> int:
        """The number of moves so far."""
        return len(self.table.ongoing.moves)


def sight_of(table: Table, ply: int | None = None, chosen: str = "", message: str = "", *, notes: str = "") -> Sight:
    """What a page shows of a table now, or as it was after `ply` moves, with those `NOTES` of a search on the board.

    Raises:
        UsageError: no such ply.
    """
    with table.lock:
        last = len(table.ongoing.moves)
        at = last if ply is None else ply
        if not 0 <= at <= last:
            raise UsageError(f"ply: expected 0 to {last}, not {at}")
        now, position = at == last, table.ongoing.positions[at]
        playing = now and table.persons_turn
        return Sight(
            table=table,
            version=table.version,
            ply=at,
            now=now,
            board=board_of(
                position, table.viewer, playing=playing, chosen=chosen if playing else "",
                notes=_notes(table, at, notes),
            ),
            status=status_of(table) if now else f"After {at} of {last} moves.",
            said=said_of(table, at),
            points=() if secret(position, table.viewer, "points") else tuple(
                zip(table.names, position.points, strict=True)
            ),
            moves=_moves(table),
            chosen=chosen if playing else "",
            poll=("" if not (now and table.waiting) else SOON if table.persons else SLOWLY),
            can_undo=bool(table.persons) and any(p.mover in table.persons for p in table.ongoing.positions[:last]),
            position_text=_text(position),
            message=message or table.unsaved,
        )  # fmt: skip


def status_of(table: Table) -> str:
    """Whose move it is, or how the game ended, in words."""
    if table.ongoing.ended:
        return outcome_of(table)
    if table.fault:
        return f"{table.fault}"
    if table.preparation is not None:
        compiling = table.preparation.compiling
        return f"The players are getting ready …{f' ({compiling})' if compiling else ''}"
    name = table.names[max(table.position.mover, 0)]
    if table.persons_turn:
        return "Your move." if name == PERSON else f"{name} to move."
    compiling = table.thought.compiling if table.thought is not None else ""
    if compiling:
        return f"{name} is thinking … ({compiling})"
    return f"{name} is thinking …" if table.persons else f"{name} to move."


def outcome_of(table: Table) -> str:
    """How a game ended, in words."""
    points, names = table.position.points, table.names
    score = f"{names[0]} {points[0]}, {names[1]} {points[1]}"
    if table.position.stalled:
        return f"The game has reached its limit of {table.game.ply_cap} moves: nobody wins. {score}."
    if points[0] == points[1]:
        return f"A draw. {score}."
    winner = names[int(points[1] > points[0])]
    return f"{'You win' if winner == PERSON else f'{winner} wins'}. {score}."


def said_of(table: Table, at: int) -> str:
    """The moves since the viewer's own last one, in words, as far as the viewer was told of them, and their points.

    The own one is among them where it brought points.
    """
    seen = _told(table)[:at]
    last_own = max((i for i, (seat, _) in enumerate(seen) if seat in table.persons), default=len(seen) - 2)
    after_own = last_own + (last_own < 0 or not _scored(table, last_own))
    first = max(after_own, 0, len(seen) - 6)
    return " ".join(
        f"{_who(table, seat)} {move}{_scored(table, ply)}." for ply, (seat, move) in enumerate(seen[first:], first)
    )


def _scored(table: Table, ply: int) -> str:
    """What the move after `ply` moves brought: `: +2 for random`; "" where the points stay as they were."""
    before, after = table.ongoing.positions[ply], table.ongoing.positions[ply + 1]
    if secret(after, table.viewer, "points"):
        return ""
    changes = zip(table.names, before.points, after.points, strict=True)
    said = [f"{new - old:+d} for {name}" for name, old, new in changes if new != old]
    return f": {', '.join(said)}" if said else ""


def result_before(table: Table, ply: int) -> object | None:
    """What the search that made move `ply`, counted from 1, found out; None where none did."""
    return table.results.get(ply - 1)


def _notes(table: Table, at: int, kind: str) -> Mapping[int, str]:
    """What the search that moved next found out: on the board on which it thought."""
    return notes_of(result_before(table, at + 1), kind) if table.ongoing.ended or not table.game.hidden else {}


def _told(table: Table) -> list[tuple[int, str]]:
    """Each move so far, as its seat and what the viewer was told of it."""
    positions, moves = table.ongoing.positions, table.ongoing.moves
    past = table.position.past
    known = list(moves) if past is None or not table.game.hidden or table.viewer is None else [
        ply.move for ply in table.position.history(table.viewer)
    ]  # fmt: skip
    found = []
    for i, move in enumerate(known):
        words = "a move that you do not see"
        if 0 <= move < table.game.move_count and not (past is None and table.game.hidden):
            words = table.game.write(move)
        found.append((positions[i].mover, words))
    return found


def _who(table: Table, seat: int) -> str:
    if seat not in (0, 1):
        return "Chance brings"
    name = table.names[seat]
    return "You play" if name == PERSON else f"{name} plays"


def _moves(table: Table) -> tuple[Line, ...]:
    lines = []
    explained = table.ongoing.ended or not table.game.hidden or table.viewer is None
    for i, (seat, move) in enumerate(_told(table)):
        who = "chance" if seat not in (0, 1) else table.names[seat]
        reasons = seat in (0, 1) and seat not in table.persons and explained
        lines.append(Line(i + 1, who, move, reasons, reasons and bool(notes_of(result_before(table, i + 1), "visits"))))
    return tuple(lines)


def _text(position: Position) -> str:
    """The position on one line, where the game has such a form and hides nothing."""
    if position.game.write_position is None or position.game.hidden:
        return ""
    try:
        return position.to_text()
    except Exception:  # noqa: BLE001 - a game of anybody's: then there is no link
        return ""
