"""What the page shows of a session, as far as the person who looks may know it."""

from __future__ import annotations

from dataclasses import dataclass

from rulebots.errors import UsageError
from rulebots.game import CHANCE
from rulebots.game.position import Position
from rulebots.records import PERSON
from rulebots.web.board import MOST_TURNS, PageBoard, Past, board_of, secret
from rulebots.web.reasons import notes_of
from rulebots.web.sessions import Session

#: Seats of a game in which two persons have seen each other's moves.
PAIR = 2
#: Seconds between two looks: while a player thinks, and between two players.
SOON, SLOWLY = "400ms", "1s"


@dataclass(frozen=True)
class MoveLine:
    """A move in the list of moves; `ply` counts from 1, `searched` is whether a search's findings are known."""

    ply: int
    who: str
    move: str
    reasons: bool
    searched: bool


@dataclass(frozen=True)
class Snapshot:
    """A session as a page shows it after `ply` moves; `now` is whether that is its latest position."""

    session: Session
    version: int
    ply: int
    now: bool
    board: PageBoard
    status: str
    said: str
    points: tuple[tuple[str, int], ...]
    moves: tuple[MoveLine, ...]
    chosen: str
    poll: str
    can_undo: bool
    position_text: str
    message: str = ""

    @property
    def last(self) -> int:
        """The number of moves so far."""
        return len(self.session.ongoing.moves)


def snapshot_of(
    session: Session,
    ply: int | None = None,
    chosen: str = "",
    message: str = "",
    *,
    notes: str = "",
    seen: int | None = None,
) -> Snapshot:
    """What a page shows of a session now, or as it was after `ply` moves, with those `NOTES` of a search on the board.

    `seen` is after how many moves the browser has shown it: what has happened since is seen to happen.

    Raises:
        UsageError: no such ply.
    """
    with session.lock:
        last = len(session.ongoing.moves)
        at = last if ply is None else ply
        if not 0 <= at <= last:
            raise UsageError(f"ply: expected 0 to {last}, not {at}")
        now, position = at == last, session.ongoing.positions[at]
        playing = now and session.persons_turn
        return Snapshot(
            session=session,
            version=session.version,
            ply=at,
            now=now,
            board=board_of(
                position, session.viewer, playing=playing, chosen=chosen if playing else "",
                # What the search that moved next found out, on the board on which it thought.
                notes={} if session.hides else notes_of(session.results.get(at), notes),
                past=_past(session, at, seen),
            ),
            status=status_of(session) if now else f"After {at} of {last} moves.",
            said="" if session.covered else said_of(session, at),
            points=() if secret(position, session.viewer, "points") else tuple(
                zip(_scorers(session), position.points, strict=False)
            ),
            moves=_moves(session),
            chosen=chosen if playing else "",
            poll=("" if not (now and session.waiting) else SOON if session.persons else SLOWLY),
            can_undo=any(earlier.mover in session.persons for earlier in session.ongoing.positions[:last]),
            position_text=_text(position),
            message=message or session.unsaved,
        )  # fmt: skip


def status_of(session: Session) -> str:
    """Whose move it is, or how the game ended, in words."""
    if session.ongoing.ended:
        return f"{session.ongoing.outcome(session.names)}."
    if session.fault:
        return session.fault
    if session.preparation is not None:
        compiling = session.preparation.compiling
        return f"The players are getting ready …{f' ({compiling})' if compiling else ''}"
    name = session.names[max(session.position.mover, 0)]
    if session.covered:
        assert session.viewer is not None
        return f"Pass the screen to {session.names[session.viewer]}."
    if session.persons_turn:
        return "Your move." if name == PERSON else f"{name} to move."
    compiling = session.decision.compiling if session.decision is not None else ""
    if compiling:
        return f"{name} is thinking … ({compiling})"
    return f"{name} is thinking …" if session.persons else f"{name} to move."


def said_of(session: Session, at: int) -> str:
    """The moves since the viewer's last one, in words, as far as the viewer was told of them, with points and remarks.

    The viewer's last move is among them where it brought points.
    """
    seen = _told(session)[:at]
    own = session.persons if session.viewer is None or len(session.names) == PAIR else [session.viewer]
    last_own = max((i for i, (seat, _) in enumerate(seen) if seat in own), default=len(seen) - 2)
    after_own = last_own + (last_own < 0 or not _scored(session, last_own))
    first = max(after_own, 0, len(seen) - 6)
    return " ".join(
        f"{_who(session, seat)} {move}{_scored(session, ply)}{_remark(session, ply, move)}."
        for ply, (seat, move) in enumerate(seen[first:], first)
    )


def _past(session: Session, at: int, seen: int | None) -> Past:
    """What is seen to happen on the way to a position, and what is marked: the latest turn of the others.

    To those who only look on the others are whoever moved last.
    """
    positions, me = session.ongoing.positions[: at + 1], session.viewer
    movers = [position.mover for position in positions[:at]]
    end = max((ply + 1 for ply, mover in enumerate(movers) if mover not in (CHANCE, me)), default=0)
    first, others = end, {CHANCE, movers[end - 1]} if me is None and end else set(range(session.position.seats)) - {me}
    while first and movers[first - 1] in others | {CHANCE}:
        first -= 1
    shown = at if seen is None or seen > at else seen
    begin = max(min(first if first < end else at, shown), at - MOST_TURNS)
    return Past(tuple(positions[begin:at]), max(shown - begin, 0), max(first - begin, 0), max(end - begin, 0))


def _scored(session: Session, ply: int) -> str:
    """What the move after `ply` moves brought: `: +2 for random`; "" where the points stay as they were."""
    before, after = session.ongoing.positions[ply], session.ongoing.positions[ply + 1]
    if secret(after, session.viewer, "points"):
        return ""
    changes = zip(_scorers(session), before.points, after.points, strict=False)
    said = [f"{new - old:+d} for {name}" for name, old, new in changes if new != old]
    return f": {', '.join(said)}" if said else ""


def _remark(session: Session, ply: int, told: str) -> str:
    """What the game says of a move besides; nothing where the viewer was not told of the move as it is."""
    move = session.ongoing.moves[ply]
    said = session.ongoing.positions[ply].remark(move) if told == session.game.write(move) else ""
    return f" ({said})" if said else ""


def _scorers(session: Session) -> list[str]:
    """Whose points are told: each seat's, or those that all at the table share, which are said once."""
    shared = len(session.names) > 1 and session.game.together(len(session.names))
    return ["all"] if shared else session.names


def _told(session: Session) -> list[tuple[int, str]]:
    """Each move so far, as its seat and what the viewer was told of it."""
    positions, known, past = session.ongoing.positions, list(session.ongoing.moves), session.position.past
    if past is not None and session.game.hidden and session.viewer is not None:
        known = [ply.move for ply in session.position.history(session.viewer)]
    found = []
    for i, move in enumerate(known):
        words = "a move that you do not see"
        if 0 <= move < session.game.move_count and not (past is None and session.game.hidden):
            words = session.game.write(move)
        found.append((positions[i].mover, words))
    return found


def _who(session: Session, seat: int) -> str:
    if seat == CHANCE:
        return "Chance brings"
    name = session.names[seat]
    return "You play" if name == PERSON else f"{name} plays"


def _moves(session: Session) -> tuple[MoveLine, ...]:
    lines = []
    for i, (seat, move) in enumerate(_told(session)):
        who = "chance" if seat == CHANCE else session.names[seat]
        reasons = seat != CHANCE and seat not in session.persons and not session.hides
        searched = reasons and bool(notes_of(session.results.get(i), "visits"))
        lines.append(MoveLine(i + 1, who, move, reasons, searched))
    return tuple(lines)


def _text(position: Position) -> str:
    """The position on one line, where the game has such a form and hides nothing."""
    if position.game.write_position is None or position.game.hidden:
        return ""
    try:
        return position.to_text()
    except Exception:  # noqa: BLE001 - a user's game: without a text there is no link
        return ""
