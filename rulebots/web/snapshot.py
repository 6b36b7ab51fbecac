"""What the page shows of a session, as far as the person who looks may know it."""

from __future__ import annotations

from dataclasses import dataclass

from rulebots.errors import UsageError
from rulebots.game import CHANCE, UNKNOWN
from rulebots.game.position import Position
from rulebots.records import PERSON
from rulebots.web.board import PageBoard, board_of, secret
from rulebots.web.looking import Looker
from rulebots.web.reasons import notes_of
from rulebots.web.sessions import Session

#: Seats of a game in which two persons have seen each other's moves.
PAIR = 2
#: Seconds between two looks: while a player thinks; and between two players, or while a person at another browser does.
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

    looker: Looker
    version: int
    ply: int
    now: bool
    board: PageBoard
    status: str
    said: str
    points: tuple[tuple[str, int, str], ...]
    moves: tuple[MoveLine, ...]
    chosen: str
    poll: str
    can_undo: bool
    position_text: str
    message: str = ""

    @property
    def last(self) -> int:
        """The number of moves so far."""
        return len(self.looker.session.ongoing.moves)


def snapshot_of(
    looker: Looker,
    ply: int | None = None,
    chosen: str = "",
    message: str = "",
    *,
    notes: str = "",
) -> Snapshot:
    """What a page shows somebody of a session now, or as it was after `ply` moves, with those `NOTES` on the board.

    Raises:
        UsageError: no such ply.
    """
    session = looker.session
    with session.lock:
        last = len(session.ongoing.moves)
        at = last if ply is None else ply
        if not 0 <= at <= last:
            raise UsageError(f"ply: expected 0 to {last}, not {at}")
        now, position = at == last, session.ongoing.positions[at]
        playing = now and looker.persons_turn
        return Snapshot(
            looker=looker,
            version=session.version,
            ply=at,
            now=now,
            board=board_of(
                position, looker.sees, playing=playing, chosen=chosen if playing else "",
                # What the search that moved next found out, on the board on which it thought.
                notes={} if session.hides else notes_of(session.found(at), notes),
            ),
            status=status_of(session, looker) if now else f"After {at} of {last} moves.",
            said="" if looker.covered else said_of(looker, at),
            points=() if _keeps_points(looker, position) else tuple(
                zip(_scorers(looker), position.points, _places(looker), strict=False)
            ),
            moves=_moves(looker),
            chosen=chosen if playing else "",
            poll=_poll(looker) if now else "",
            can_undo=looker.takes_back
            and any(earlier.mover in session.persons for earlier in session.ongoing.positions[:last]),
            position_text="" if session.hides else _text(position),
            message=message or session.unsaved,
        )  # fmt: skip


def _poll(looker: Looker) -> str:
    """How soon the page asks again; "" for not before somebody does something."""
    session = looker.session
    if session.waiting:
        return SOON if session.persons else SLOWLY
    return SLOWLY if looker.linked and not looker.persons_turn and not session.followed_by else ""


def status_of(session: Session, looker: Looker | None = None) -> str:
    """Whose move it is, or how the game ended, in words for who looks: by default all at the game's own address."""
    looker = looker or Looker(session)
    if session.ongoing.ended:
        return f"{session.ongoing.outcome(looker.names)}."
    if session.fault:
        return session.fault
    if session.preparation is not None:
        compiling = session.preparation.compiling
        return f"The players are getting ready …{f' ({compiling})' if compiling else ''}"
    name = looker.names[max(session.position.mover, 0)]
    if looker.covered:
        assert session.viewer is not None
        return f"Pass the screen to {session.names[session.viewer]}."
    if session.persons_turn:
        return "Your move." if name == PERSON else f"{name} to move."
    compiling = session.decision.compiling if session.decision is not None else ""
    if compiling:
        return f"{name} is thinking … ({compiling})"
    return f"{name} is thinking …" if session.persons else f"{name} to move."


def said_of(looker: Looker, at: int) -> str:
    """The moves since the viewer's last one, in words, as far as the viewer was told of them, with points and remarks.

    The viewer's last move is among them where it brought points.
    """
    seen, session = _told(looker)[:at], looker.session
    if looker.linked:
        own = [] if looker.seat is None else [looker.seat]
    else:
        own = session.persons if session.viewer is None or len(session.names) == PAIR else [session.viewer]
    last_own = max((i for i, (seat, _) in enumerate(seen) if seat in own), default=len(seen) - 2)
    after_own = last_own + (last_own < 0 or not _scored(looker, last_own))
    first = max(after_own, 0, len(seen) - 6)
    return " ".join(
        f"{_who(looker, seat)} {move}{_remark(looker, ply, move)}{_scored(looker, ply)}."
        for ply, (seat, move) in enumerate(seen[first:], first)
    )


def _scored(looker: Looker, ply: int) -> str:
    """What the move after `ply` moves brought: `: +2 for random`; "" where the points stay as they were."""
    before, after = looker.session.ongoing.positions[ply : ply + 2]
    if _keeps_points(looker, after):
        return ""
    changes = zip(_scorers(looker), before.points, after.points, strict=False)
    said = [f"{new - old:+d} for {name}" for name, old, new in changes if new != old]
    return f": {', '.join(said)}" if said else ""


def _keeps_points(looker: Looker, position: Position) -> bool:
    """Whether points would tell what is hidden from who looks."""
    return secret(position, looker.sees, "points")


def _remark(looker: Looker, ply: int, told: str) -> str:
    """What the game says of a move besides; nothing where the viewer was not told of the move as it is."""
    ongoing, game = looker.session.ongoing, looker.session.game
    position, move = ongoing.positions[ply], ongoing.moves[ply]
    if position.mover == CHANCE or told != game.text.write(move):
        return ""
    try:
        said = position.remark(move)
    except Exception:  # noqa: BLE001 - a user's game: the move is told without it
        return ""
    return f" ({said})" if said else ""


def _scorers(looker: Looker) -> list[str]:
    """Whose points are told: each seat's, or those that all at the table share, which are said once."""
    shared = len(looker.names) > 1 and looker.session.game.together(len(looker.names))
    return ["all"] if shared else looker.names


def _places(looker: Looker) -> list[str]:
    """Where each seat of three and more sits, seen from who looks: boards have no room for names.

    To nobody in particular seats have their numbers, which count from 0 as on boards.
    """
    seats, me = len(_scorers(looker)), looker.viewer
    if seats <= PAIR:
        return [""] * seats
    if me is None:
        return [f"seat {seat}" for seat in range(seats)]
    after = ("", "plays after you", "second after you", "third after you", "fourth after you", "fifth after you")
    return [after[(seat - me) % seats] for seat in range(seats)]


def _told(looker: Looker) -> list[tuple[int, str]]:
    """Each move so far, as its seat and what the viewer was told of it; who watches is told what everybody was."""
    session = looker.session
    positions, known, past = session.ongoing.positions, list(session.ongoing.moves), session.position.past
    if past is not None:
        past = past[len(past) - len(known) :]  # a game that began in a position may know what was played before it
    if past is not None and looker.blind:
        known = [heard[0] if len(set(heard)) == 1 else UNKNOWN for _, heard in past]
    elif past is not None and session.game.hidden and looker.viewer is not None:
        known = [heard[looker.viewer] for _, heard in past]
    found = []
    for i, move in enumerate(known):
        words = "a move that you do not see"
        if 0 <= move < session.game.move_count and not (past is None and session.game.hidden):
            words = session.game.text.write(move)
        found.append((positions[i].mover, words))
    return found


def _who(looker: Looker, seat: int) -> str:
    if seat == CHANCE:
        return "Chance brings"
    name = looker.names[seat]
    return "You play" if name == PERSON else f"{name} plays"


def _moves(looker: Looker) -> tuple[MoveLine, ...]:
    lines, session, names = list[MoveLine](), looker.session, looker.names
    for i, (seat, move) in enumerate(_told(looker)):
        who = "chance" if seat == CHANCE else names[seat]
        found = None if seat == CHANCE or session.hides else session.found(i)
        reasons = found is not None or (seat != CHANCE and seat not in session.persons and not session.hides)
        searched = bool(notes_of(found, "visits"))
        lines.append(MoveLine(i + 1, who, move, reasons, searched))
    return tuple(lines)


def _text(position: Position) -> str:
    """The position on one line."""
    try:
        return position.to_text()
    except Exception:  # noqa: BLE001 - a user's game: without a text there is no link
        return ""
