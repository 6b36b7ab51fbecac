"""How pieces come from one diagram to the next: what moves, appears and goes, in what order and how long.

Diagrams that follow each other are compared two by two; a piece that is found again in the next one is one track. So
two moves in a row are seen one after the other, whatever lies between what a browser showed last and shows now.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from rulebots.output.diagram import Diagram, Piece, Place, Shape

#: Milliseconds: of all that is seen at once, of one thing that moves, and until the next step begins.
LONGEST, GLIDE, STEP = 600.0, 260.0, 60.0
#: Distances below are none.
NEAR = 0.01


@dataclass(frozen=True)
class Leg:
    """What happens to a piece from diagram `turn` to the next: by how much it was away before, and its step."""

    turn: int
    dx: float
    dy: float
    step: int
    new: bool = False
    gone: bool = False


@dataclass
class Track:
    """A piece through the diagrams: `last` is the number of the last one that has it, `shapes` how it looks there."""

    piece: Piece
    shapes: Sequence[Shape]
    last: int
    legs: list[Leg] = field(default_factory=list)

    def moved_in(self, first: int, end: int) -> bool:
        """Whether it came where it is between these diagrams, and has stayed since."""
        return bool(self.legs) and first <= self.legs[-1].turn < end


@dataclass(frozen=True)
class Frame:
    """Where a piece is at a time from 0 to 1, measured from where it is at last, and how much it is there, 0 or 1."""

    time: float
    dx: float
    dy: float
    there: int


@dataclass(frozen=True)
class Motion:
    """All tracks of some diagrams: those of the last one's pieces in their order, and what has gone on the way."""

    pieces: tuple[Track, ...]
    gone: tuple[Track, ...]
    turns: int

    def film(self, since: int) -> Film:
        """What is seen from diagram `since` on: at most `LONGEST` milliseconds."""
        tracks = [*self.pieces, *self.gone]
        steps = [
            sorted({leg.step for track in tracks for leg in track.legs if leg.turn == turn})
            for turn in range(self.turns)
        ]
        wanted = [GLIDE + STEP * (len(steps[turn]) - 1) if steps[turn] else 0.0 for turn in range(since, self.turns)]
        scale = min(1.0, LONGEST / max(sum(wanted), GLIDE))
        begins = dict(zip(range(since, self.turns), itertools.accumulate(wanted, initial=0.0), strict=False))
        whole = max(sum(wanted), GLIDE)

        def frames(track: Track) -> tuple[Frame, ...]:
            legs = [leg for leg in track.legs if leg.turn >= since]
            if not legs:
                return ()
            dx, dy, there = sum(leg.dx for leg in legs), sum(leg.dy for leg in legs), int(not legs[0].new)
            found = [Frame(0.0, dx, dy, there)]
            for leg in legs:
                begin = begins[leg.turn] + STEP * steps[leg.turn].index(leg.step)
                found.append(Frame(begin / whole, dx, dy, there))
                dx, dy, there = dx - leg.dx, dy - leg.dy, int(not leg.gone)
                found.append(Frame((begin + GLIDE) / whole, dx, dy, there))
            return (*found, Frame(1.0, dx, dy, there))

        seen_gone = ((track, frames(track)) for track in self.gone if track.legs[-1].turn >= since)
        return Film(tuple(map(frames, self.pieces)), tuple(seen_gone), round(scale * whole))


@dataclass(frozen=True)
class Film:
    """The frames of each piece of the last diagram, none where it stays, of what has gone, and how long it takes."""

    pieces: tuple[tuple[Frame, ...], ...]
    gone: tuple[tuple[Track, tuple[Frame, ...]], ...]
    milliseconds: int


def motion_of(diagrams: Sequence[Diagram]) -> Motion:
    """The tracks of diagrams that follow each other; the last one is what is shown."""
    first = diagrams[0]
    tracks = [_track(first, piece, 0) for piece in first.pieces]
    gone = list[Track]()
    for turn, (old, new) in enumerate(itertools.pairwise(diagrams)):
        found, before = _matched(old, new), tracks
        tracks = []
        for piece, i in zip(new.pieces, found, strict=True):
            track = _track(new, piece, turn + 1)
            leg = _leg(old, new, piece, None if i is None else old.pieces[i], turn)
            track.legs = list(before[i].legs) if i is not None else []
            if leg is not None:
                track.legs.append(leg)
            tracks.append(track)
        for i in sorted(set(range(len(before))) - {i for i in found if i is not None}):
            before[i].legs.append(Leg(turn, 0.0, 0.0, 0, gone=True))
            gone.append(before[i])
    return Motion(tuple(tracks), tuple(gone), len(diagrams) - 1)


def _track(diagram: Diagram, piece: Piece, number: int) -> Track:
    return Track(piece, diagram.shapes[piece.first : piece.end], number)


def _leg(old: Diagram, new: Diagram, piece: Piece, before: Piece | None, turn: int) -> Leg | None:
    """How a piece came where it is; None where it has not moved."""
    x, y = _middle(new, piece)
    if before is None:
        place = new.places.get(piece.start)
        dx, dy = (place.x + place.width / 2 - x, place.y + place.height / 2 - y) if place else (0.0, 0.0)
        return Leg(turn, dx, dy, piece.step, new=True)
    if _stays(old, before, new, piece):
        return None
    then_x, then_y = _middle(old, before)
    return Leg(turn, then_x - x, then_y - y, piece.step)


def _matched(old: Diagram, new: Diagram) -> list[int | None]:
    """For each piece of the new diagram the number of the old one's that it is."""
    left, found = defaultdict[str, list[int]](list), list[int | None]([None] * len(new.pieces))
    for i, piece in enumerate(old.pieces):
        left[piece.key].append(i)
    for j, piece in enumerate(new.pieces):
        free = left[piece.key]
        same = next((i for i in free if _stays(old, old.pieces[i], new, piece)), None)
        if same is not None:
            found[j] = same
            free.remove(same)
    for j in sorted(range(len(found)), key=lambda j: new.pieces[j].step):
        piece = new.pieces[j]
        if found[j] is None and (free := left[piece.key]):
            place = old.places.get(piece.start)
            taken = next((i for i in free if place and _within(place, *_middle(old, old.pieces[i]))), free[0])
            found[j] = taken
            free.remove(taken)
    return found


def _stays(old: Diagram, before: Piece, new: Diagram, piece: Piece) -> bool:
    """Whether a piece is where it was, on the diagram or, where that has grown, within a place of the same name."""
    (x, y), (then_x, then_y) = _middle(new, piece), _middle(old, before)
    if _near(x - then_x, y - then_y):
        return True
    around = [place for place in new.places.values() if place.name in old.places and _within(place, x, y)]
    for place in around:
        then = old.places[place.name]
        left, top = place.x - then.x, place.y - then.y
        right, bottom = left + place.width - then.width, top + place.height - then.height
        if any(_near(x - then_x - dx, y - then_y - dy) for dx in (left, right) for dy in (top, bottom)):
            return _within(then, then_x, then_y)
    return False


def _near(dx: float, dy: float) -> bool:
    return abs(dx) < NEAR and abs(dy) < NEAR


def _within(place: Place, x: float, y: float) -> bool:
    return place.x <= x <= place.x + place.width and place.y <= y <= place.y + place.height


def _middle(diagram: Diagram, piece: Piece) -> tuple[float, float]:
    """The middle of a piece's first shape."""
    numbers = dict(diagram.shapes[piece.first].numbers)
    x, y = (numbers.get(name, numbers.get(f"c{name}", numbers.get(f"{name}1", 0.0))) for name in "xy")
    return x + numbers.get("width", 0.0) / 2, y + numbers.get("height", 0.0) / 2
