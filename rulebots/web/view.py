"""A visitor's view of a game: one record a request, made under the game's lock, that routes and templates use."""

import functools
import itertools
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rulebots.errors import demand, shown
from rulebots.game import CHANCE, UNKNOWN, Game
from rulebots.game.position import Position
from rulebots.players.sentences import deeds_of
from rulebots.records import PERSON
from rulebots.web.board import SPECTATOR, PageBoard, asked, board_of, is_secret
from rulebots.web.pages import named
from rulebots.web.served_folder import NotFound
from rulebots.web.sessions import Session, Sessions

#: Separates the id of a game from the key of a link in an address.
SEPARATOR = "~"
#: How often the page asks again: while a player thinks; between two players, or while another person thinks.
SOON = "400ms"
SLOWLY = "1s"
#: The latest moves that the page says in words, at most.
MOST_SAID = 6
#: Moves that are all named once their first place is chosen, at most.
MOST_CHOICES = 3
#: Sentences that are kept: the page asks for all of a game again and again.
MOST_SENTENCES = 4096


class Visitor(NamedTuple):
    """A visitor of a game: the person of that `seat`, by its link, or without a link anyone with the address.

    Anyone plays while the game has no links, and watches once it has some.
    """

    session: Session
    seat: int | None = None

    @property
    def invited(self) -> bool:
        """Whether the link is an invitation that has not been taken."""
        return self.seat is not None and not self.session.links[self.seat].taken


@dataclass(frozen=True)
class Viewer:
    """What a visitor may see and do in a game now."""

    session: Session
    game: Game
    #: Where the game is for this visitor, and the seat of its link, None without one.
    address: str
    seat: int | None
    #: Whether the game has links, and whether this visitor may only watch.
    linked: bool
    watches: bool
    #: The seats' names, all different; by a link the own one is `you`, and other persons are numbered.
    names: tuple[str, ...]
    #: The seat whose knowledge is shown, None for all; and the same for the board: spectators, and persons who pass the
    #: screen, see what is public.
    viewpoint: int | None
    drawn_for: int | None
    #: Whether something is hidden from a person now.
    hides: bool
    #: Whether the screen is being passed to another person, who must not see the same hand; and whether it is to be
    #: passed once the person has seen what its move revealed.
    covered: bool
    passing: bool
    my_turn: bool
    ended: bool
    #: Whether the moves may be reviewed: not while that reveals what is hidden, or helps one of several persons.
    reviews: bool
    #: Whether the visitor may take back moves: not those of a person at another browser.
    takes_back: bool

    @property
    def opened(self) -> bool:
        """Whether all hands are shown: once the game is over."""
        return self.game.hidden and self.ended

    def check_plays(self) -> None:
        """Raises UsageError for a spectator."""
        demand(not self.watches, "you watch this game: only the links of its players play")

    def check_turn(self) -> None:
        """Raises UsageError unless it is the visitor's turn."""
        self.check_plays()
        demand(self.my_turn, "the game is over" if self.ended else "it is not your turn")
        demand(not self.covered, "the screen is covered: show the board first")


@dataclass(frozen=True)
class MoveLine:
    """A move in the list of moves; `ply` counts from 1.

    `sentence` says who did what. `seat` is the mover's, CHANCE for an outcome.
    """

    ply: int
    seat: int
    sentence: str
    reasons: bool


@dataclass(frozen=True)
class GameView(Viewer):
    """A game as its page shows it to a visitor after `ply` of `last` moves; `now`: that is the latest position."""

    version: int
    ply: int
    last: int
    now: bool
    board: PageBoard
    #: The place of the board that is chosen as the first half of a move.
    chosen: str
    status: str
    #: The seconds of preparing the player to move, as `12 s`; "" if that is ready.
    waited: str
    #: The latest moves in sentences.
    said: str
    #: Name, points and, at tables of three and more, where the seat is, for each seat; and whether points say anything.
    points: tuple[tuple[str, int], ...]
    scores: bool
    moves: tuple[MoveLine, ...]
    #: The moves that are shown on from there, which are not of the game, by their numbers; "" for none.
    line: str
    #: How soon the page asks again, "" for never.
    poll: str
    can_undo: bool
    #: A move as it may be typed, "" while none can be made.
    example: str
    #: The position on one line, "" if it must stay hidden.
    text: str
    message: str
    #: The address of the next game of the same players, "" if there is none yet.
    next_address: str
    #: Links that the first person passes on, by the invited person's name.
    invitations: Mapping[str, str]
    #: Whether there is a review of the game.
    reviewed: bool


def address_of(session: Session, seat: int | None = None) -> str:
    """The address of a game: that of a seat's link, or the one for all."""
    return f"/game/{session.id}" + ("" if seat is None else f"{SEPARATOR}{session.links[seat].key}")


def visitor_at(sessions: Sessions, name: str) -> Visitor:
    """The visitor at an address; `name` is the id of a game, perhaps with `SEPARATOR` and the key of a link.

    Raises:
        NotFound: no such game or link.
    """
    name, separator, key = name.partition(SEPARATOR)
    session = sessions.get(name)
    if not separator:
        return Visitor(session)
    for seat, link in list(session.links.items()):
        if secrets.compare_digest(link.key.encode(), key.encode()):
            return Visitor(session, seat)
    raise NotFound("this link leads to no seat: it was an invitation that somebody has taken, or is not whole")


def viewer_of(visitor: Visitor) -> Viewer:
    """What a visitor may see and do now."""
    session, seat = visitor
    with session.lock:
        persons = session.persons
        linked = bool(session.links)
        watches = linked and seat is None
        viewpoint = seat if linked else session.viewpoint
        numbered = [person for person in persons if person != seat] if linked or len(persons) > 1 else []
        return Viewer(
            session=session,
            game=session.game,
            address=address_of(session, seat),
            seat=seat,
            linked=linked,
            watches=watches,
            names=session.names(numbered),
            viewpoint=viewpoint,
            drawn_for=SPECTATOR if (watches or session.covered) and session.hides else viewpoint,
            hides=session.hides,
            covered=session.covered,
            passing=session.passing,
            my_turn=session.persons_turn and not watches and viewpoint in (None, session.position.mover),
            ended=session.ongoing.ended,
            reviews=not session.hides and (not linked or session.ongoing.ended),
            takes_back=not linked or (seat is not None and len(persons) == 1),
        )


def view_of(visitor: Visitor, ply: int | None = None, chosen: str = "", message: str = "", line: str = "") -> GameView:
    """What a page shows now, or as it was after `ply` moves, or would be after a `line` of moves from there.

    Raises:
        UsageError: no such ply, or no such line.
    """
    session = visitor.session
    with session.lock:
        positions = session.ongoing.positions
        last = len(session.ongoing.moves)
        ply = last if ply is None else ply
        demand(ply <= last, f"ply: expected 0 to {last}, not {ply}")
        viewer = viewer_of(visitor)
        now = ply == last and not line
        playing = now and viewer.my_turn and not viewer.covered
        chosen = chosen if playing else ""
        sentences = sentences_of(viewer)
        position, said = positions[ply], _said(viewer, sentences[:ply])
        status = status_of(viewer) if now else f"After {ply} of {last} moves."
        if line:
            status = f"A line, not the game: after {ply} of {last} moves and {line.count(',') + 1} of the line."
            position, said = _along(viewer, position, line.split(","))
        board = board_of(
            position, viewer.drawn_for, playing=playing, opened=viewer.opened, chosen=chosen, names=viewer.names,
            **(session.reviewed.marks(position) if session.reviewed and viewer.reviews else {}),
        )  # fmt: skip
        if playing:
            status = f"{status.removesuffix('.')}: {_task(viewer, board, chosen)}."
        return GameView(
            **vars(viewer),
            version=session.version,
            ply=ply,
            last=last,
            now=now,
            board=board,
            chosen=chosen,
            status=status,
            waited=waited_for(session) if now else "",
            said=said,
            points=_points(viewer, position),
            scores=_scores(position),
            moves=tuple(_move_line(viewer, ply, sentence) for ply, sentence in enumerate(sentences)),
            line=line,
            poll=_poll(viewer) if now else "",
            can_undo=now and viewer.takes_back and not session.ongoing.undo_refusal(*session.persons),
            example=position.write(int(position.legal_moves[-1])) if playing else "",
            text="" if viewer.hides else asked(position, None, "to_text", position.to_text)[0] or "",
            message=message or session.unsaved,
            next_address=viewer.address.replace(session.id, session.followed_by) if session.followed_by else "",
            invitations=_invitations(viewer),
            reviewed=session.reviewed is not None and viewer.reviews,
        )


def _along(viewer: Viewer, position: Position, line: Sequence[str]) -> tuple[Position, str]:
    """The position after a line of moves, by their numbers, and a sentence about the last one.

    Raises:
        UsageError: something is hidden, or a move is not legal or up to chance.
    """
    demand(not viewer.hides, "line: something is hidden from you, so no line can be shown before the game is over")
    for number in line:
        moves = {str(move): move for move in position.legal_moves.tolist() if not position.chance_to_move}
        demand(
            number in moves, f"line: expected the number of a player's legal move at each step, not '{shown(number)}'"
        )
        said = _told(position, None, viewer.names, moves[number], moves[number])
        position = position.after(moves[number])
    return position, f"{said}."


def status_of(viewer: Viewer) -> str:
    """The side to move, or the result, in words."""
    session = viewer.session
    names = viewer.names
    if viewer.ended:
        outcome = session.ongoing.outcome(names)
        return f"{outcome[:1].upper()}{outcome[1:]}."
    if session.fault:
        return session.fault
    if viewer.covered and viewer.viewpoint is not None:
        return f"Pass the screen to {names[viewer.viewpoint]}."
    if viewer.passing:
        return f"Then it is {names[session.position.mover]}'s turn."
    if session.position.mover == CHANCE:
        return "Chance decides …"
    name = names[session.position.mover]
    if session.persons_turn:
        return "Your move." if name == PERSON else f"{name} to move."
    if waited_for(session):
        work = session.preparation or session.decision
        what = work.compiling.removesuffix(", only the first time").replace(": ", ", ") if work else ""
        return f"Preparing {name}, once{f': {what}' if what else ''}."
    return f"{name} is thinking …" if session.persons else f"{name} to move."


def waited_for(session: Session) -> str:
    """How long the player to move has been prepared or compiled, as `12 s`; "" where nothing has to be."""
    work = session.preparation or session.decision
    waits = session.waiting and (session.preparation or (work and work.compiling))
    return work.waiting if work and waits else ""


def _task(viewer: Viewer, board: PageBoard, chosen: str) -> str:
    """What is wanted of the person to move: by the game, or by what can be clicked."""
    position = viewer.session.position
    if chosen and board.diagram:
        ways = board.diagram.ways
        first = board.diagram.copies.get(chosen, chosen)
        if then := board.diagram.places[first].then:
            return named(then, viewer.names)
        moves = [move for move in position.legal_moves.tolist() if ways.get(move, ("",))[0] == first]
        if len(moves) <= MOST_CHOICES:
            said, _ = asked(position, viewer.viewpoint, "sentence", lambda: deeds_of(position, moves, viewer.names))
            verbs, rest = zip(*(deed.partition(" ")[::2] for deed in said or ["choose a marked place"]), strict=True)
            return " or ".join(said) if {*rest} - {rest[0]} else f"{' or '.join(verbs)} {rest[0]}"
        return f"choose one of {len(moves)} marked places"
    return asked(position, viewer.viewpoint, "task", lambda: position.task)[0] or "choose a move"


def _poll(viewer: Viewer) -> str:
    session = viewer.session
    if session.waiting:
        return SOON if session.persons else SLOWLY
    return SLOWLY if viewer.linked and not viewer.my_turn and not session.followed_by else ""


def _invitations(viewer: Viewer) -> Mapping[str, str]:
    """The links that are not taken yet, for the first person, who made them."""
    session = viewer.session
    if viewer.seat is None or viewer.seat != session.persons[0]:
        return {}
    return {viewer.names[seat]: address_of(session, seat) for seat, link in session.links.items() if not link.taken}


def _heard(viewer: Viewer, ply: int | None = None) -> list[int]:
    """Each move so far, as far as the visitor may know it, or knew it after `ply` moves; spectators know public moves.

    See `Position.known`.
    """
    ongoing = viewer.session.ongoing
    moves = list(ongoing.moves[:ply])
    position = ongoing.positions[len(moves)]
    if not viewer.hides:
        return moves
    past = position.past
    if past is None:
        return [UNKNOWN] * len(moves)
    first = len(past) - len(moves)  # a game that began in a position may know what was played before it
    if viewer.drawn_for == SPECTATOR:
        return [heard[0] if len(set(heard)) == 1 else UNKNOWN for _, heard in past[first:]]
    return [known.move for known in position.known(viewer.viewpoint or 0)[first:]]


def _said(viewer: Viewer, sentences: list[str]) -> str:
    """The moves since the visitor's last one, with points, after those that it has learned of since.

    The last one too if it brought points, ended the game, or what it revealed is looked at.
    """
    seen = viewer.linked or viewer.viewpoint is not None
    own = [viewer.viewpoint] if seen else viewer.session.persons
    movers = [position.mover for position in viewer.session.ongoing.positions[: len(sentences)]]
    start = 0 if viewer.covered else max(len(sentences) - 1, 0)
    first = max((ply + 1 for ply, seat in enumerate(movers) if seat in own), default=start)
    known = _heard(viewer, len(sentences))
    before = _heard(viewer, first - 1) if first else []
    learned = [sentences[ply] for ply, move in enumerate(before) if known[ply] != move]
    first -= bool(first and (viewer.passing or viewer.ended or scored(viewer, first - 1)))
    # A sentence that speaks of points has said who scored.
    told = [
        f"{sentence}{'' if ' point' in sentence else scored(viewer, ply)}"
        for ply, sentence in enumerate(sentences[first:], first)
    ]
    if len(told) > MOST_SAID and viewer.game.chance:
        # A long turn, such as one of many rolls: what befell a seat, what was done most often, and how it ended.
        often = {
            seat: max(told.count(one) for one, by in zip(told, movers[first:], strict=True) if by == seat)
            for seat in movers[first:]
        }
        told = [
            sentence
            for ply, sentence in enumerate(told, first)
            if (
                any(name in sentence for name in viewer.names) or ply >= len(sentences) - 1 - viewer.ended
                if movers[ply] == CHANCE
                else 1 < told.count(sentence) == often[movers[ply]]
            )
            or movers[ply] not in (CHANCE, next((seat for seat in movers[ply + 1 :] if seat != CHANCE), None))
        ]
        told = sorted(told, key=told.index)
    elif len(told) > MOST_SAID:
        told = [sentence for sentence, move in zip(told, known[first:], strict=True) if move != UNKNOWN]
    said = [f"{sentence}." for sentence in folded([*learned, *told])]
    # The first tells what has become of the visitor's own move, such as a bust.
    said[1:-MOST_SAID] = ["Some moves later:"] * bool(said[1:-MOST_SAID])
    return " ".join(said)


def folded(sentences: Sequence[str]) -> list[str]:
    """Sentences, those that follow their like told once: `Casual rolls again, twice`."""
    alike = [(one, len([*same])) for one, same in itertools.groupby(sentences)]
    return [f"{one}{'' if times == 1 else ', twice' if times == 2 else f', {times} times'}" for one, times in alike]


def sentences_of(viewer: Viewer) -> list[str]:
    """Who did what with each move so far, as far as the visitor may know it."""
    ongoing = viewer.session.ongoing
    played = zip(ongoing.positions, ongoing.moves, _heard(viewer), strict=False)
    seat = viewer.drawn_for if viewer.hides else None
    return [_told(position, seat, viewer.names, move, heard) for position, move, heard in played]


@functools.lru_cache(MOST_SENTENCES)
def _told(position: Position, seat: int | None, names: tuple[str, ...], move: int, heard: int) -> str:
    """The sentence about a move in a position, which must not change from then on, to who watches from a seat."""
    try:
        said = position.sentence(move, names, heard, plain=is_secret(position, seat, "sentence"))
    except Exception:  # noqa: BLE001 - a user's game: the move is told without its sentence
        said = position.sentence(move, names, heard, plain=True)
    own = position.game.text.own
    if own and not position.chance_to_move and seat in (None, position.mover):
        brought, _ = asked(position, None, "own", functools.partial(own, position.state, move))
        said += f": {brought}" * bool(brought)
    return f"{said[:1].upper()}{said[1:]}"


def scored(viewer: Viewer, ply: int) -> str:
    """The points that the move after `ply` moves scored: ` (+2)` for its player, or ` (+2 for Random)`; "" for none."""
    positions = viewer.session.ongoing.positions[ply : ply + 2]
    before, after = (_points(viewer, position) for position in positions)
    changes = [(new - old, name) for (name, new), (_, old) in zip(after, before, strict=False) if new != old]
    own = len(changes) == 1 and changes[0][1] in ("all", [*viewer.names, ""][positions[0].mover])
    told = ", ".join(f"{change:+d}{'' if own else f' for {name}'}" for change, name in changes)
    return f" ({told})" if told and _scores(positions[1]) else ""


def _scores(position: Position) -> bool:
    """Whether points say more than who has won: some do during the game, and at the end some are not 0 or 1."""
    points = position.points
    return position.game.scores(points) or (any(points) and not position.over)


def _points(viewer: Viewer, position: Position) -> tuple[tuple[str, int], ...]:
    """Name and points of each seat; one line for all if they share the points.

    Empty if the points would reveal what is hidden from the visitor.
    """
    names = viewer.names
    if is_secret(position, viewer.drawn_for, "points"):
        return ()
    if len(names) > 1 and viewer.game.together(len(names)):
        return (("all", position.points[0]),)
    return tuple(zip(names, position.points, strict=True))


def _move_line(viewer: Viewer, ply: int, sentence: str) -> MoveLine:
    session = viewer.session
    position = session.ongoing.positions[ply]
    searched = ply in session.results or (session.reviewed and session.reviewed.results.get(ply))
    return MoveLine(
        ply + 1, position.mover, sentence,
        position.mover != CHANCE
        and (searched or session.explains(position.mover))
        and len(position.legal_moves) > 1
        and not viewer.hides
    )  # fmt: skip
