"""Who looks at a game: all at its own address, or each person by a link, and at its own address those who watch."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from rulebots.errors import UsageError
from rulebots.web.board import ONLOOKER
from rulebots.web.links import new_link
from rulebots.web.served_folder import NotFound
from rulebots.web.sessions import Session, Sessions

#: What stands in an address between a game and a link's key.
SEPARATOR = "~"


@dataclass(frozen=True)
class Looker:
    """Who looks at a session, and so what may be seen and done: `seat` is that of a link with this `key`.

    Without a key it is everybody who knows the game's address. They play while there are no links, and watch then.
    """

    session: Session
    seat: int | None = None
    key: str = ""

    @property
    def address(self) -> str:
        """Where the game is for this one."""
        return f"/game/{self.session.id}{SEPARATOR if self.key else ''}{self.key}"

    @property
    def linked(self) -> bool:
        """Whether the game has links."""
        return bool(self.session.links)

    @property
    def watches(self) -> bool:
        """Whether this one may only look."""
        return self.linked and self.seat is None

    @property
    def invited(self) -> bool:
        """Whether the link's seat has not been taken."""
        return self.seat is not None and not self.session.links[self.seat].taken

    @property
    def viewer(self) -> int | None:
        """The seat whose knowledge is shown."""
        return self.seat if self.linked else self.session.viewer

    @property
    def blind(self) -> bool:
        """Whether only what everybody may see is shown: who watches has no seat whose cards may be seen."""
        return self.watches and self.session.hides

    @property
    def sees(self) -> int | None:
        """Whose board is drawn: that of a seat, of who has none, or, where nothing is hidden, the whole."""
        return ONLOOKER if self.blind else self.viewer

    @property
    def covered(self) -> bool:
        """Whether the screen is on its way from one person to another one."""
        return not self.linked and self.session.covered

    @property
    def persons_turn(self) -> bool:
        """Whether this one is to move."""
        return self.session.persons_turn and (not self.linked or self.session.position.mover == self.seat)

    @property
    def names(self) -> list[str]:
        """The names of the seats, all different: by a link, the own one is `you`, and other persons are numbered."""
        if not self.linked:
            return self.session.names
        return self.session.names_numbering([seat for seat in self.session.persons if seat != self.seat])

    @property
    def looks_back(self) -> bool:
        """Whether the course of the game may be told: not while it tells what is hidden, or helps one of several."""
        return not self.session.hides and (not self.linked or self.session.ongoing.ended)

    @property
    def takes_back(self) -> bool:
        """Whether this one may take back moves: not those of a person at another browser."""
        return not self.linked or (self.seat is not None and len(self.session.persons) == 1)

    def check_plays(self) -> None:
        """Raises UsageError for who only watches."""
        if self.watches:
            raise UsageError("you watch this game: only the links of its players play")

    def check_turn(self) -> None:
        """Raises UsageError where it is not this one's turn."""
        self.check_plays()
        self.session.check_turn()
        if not self.persons_turn:
            raise UsageError("it is not your turn")


def make_links(session: Session) -> Looker:
    """Make a link for each person. Who asks for it has the first person's seat; the others are invited.

    Raises:
        UsageError: there are links, or nobody to make one for.
    """
    with session.lock:
        persons = session.persons
        if session.links or not persons:
            raise UsageError("this game has its links" if session.links else "no person plays this game")
        session.links = {seat: new_link(taken=seat == persons[0]) for seat in persons}
        session.version += 1
        session.sessions.keep(session)
        return Looker(session, persons[0], session.links[persons[0]].key)


def take_seat(looker: Looker) -> Looker:
    """Take the seat of an invitation, whose link leads nowhere from now on. Raises UsageError for another link."""
    session, seat = looker.session, looker.seat
    with session.lock:
        if seat is None or not looker.invited:
            raise UsageError("this seat has been taken")
        session.links[seat] = new_link(taken=True)
        session.version += 1
        session.sessions.keep(session)
        return Looker(session, seat, session.links[seat].key)


def looker_of(sessions: Sessions, name: str) -> Looker:
    """Who looks at a game: `name` is its id, or that and the key of a link. Raises NotFound."""
    name, separator, key = name.partition(SEPARATOR)
    session = sessions.get(name)
    if not separator:
        return Looker(session)
    for seat, link in list(session.links.items()):
        if secrets.compare_digest(link.key.encode(), key.encode()):
            return Looker(session, seat, key)
    raise NotFound("this link leads to no seat: it was an invitation that somebody has taken, or is not whole")


def pass_on(old: Session, new: Session) -> None:
    """Give the links of a game to the next one of the same players: the first person's to the first, and so on."""
    with old.lock, new.lock:
        new.links = dict(zip(new.persons, old.links.values(), strict=True))
        old.followed_by = new.id
        old.version += 1
        new.sessions.keep(new)
