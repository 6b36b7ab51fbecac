"""Pictures to keep: a position, and a game move by move, as SVG files that need nothing else; in the light colours."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from rulebots.output.diagram import Diagram, Shape
from rulebots.web.assets import ASSETS

#: Seconds that each position of a game is seen, and that the last one is seen longer.
STEP = 0.8
REST = 2.4
#: Pixels of a picture's longer side.
SIZE = 720


@dataclass(frozen=True)
class Picture:
    """Shapes that stay, and frames that follow one another, over and over."""

    width: float
    height: float
    words: str
    still: tuple[Shape, ...]
    frames: tuple[tuple[Shape, ...], ...] = ()

    @property
    def pixels(self) -> tuple[int, int]:
        """Its width and height."""
        scale = SIZE / max(self.width, self.height)
        return round(scale * self.width), round(scale * self.height)

    @property
    def total(self) -> float:
        """Seconds until it begins again."""
        return STEP * len(self.frames) + REST


def picture_of(diagrams: Sequence[Diagram], words: str) -> Picture:
    """A picture of one diagram, or of several one after the other: what they begin with alike is drawn once."""
    same = 0
    while all(len(diagram.shapes) > same for diagram in diagrams) and (
        len({diagram.shapes[same] for diagram in diagrams}) == 1
    ):
        same += 1
    width = max(diagram.width for diagram in diagrams)
    height = max(diagram.height for diagram in diagrams)
    frames = tuple(tuple(diagram.shapes[same:]) for diagram in diagrams) if len(diagrams) > 1 else ()
    return Picture(width, height, words, tuple(diagrams[0].shapes[:same]), frames)


@functools.cache
def colours() -> tuple[str, str]:
    """What shapes look like, by the page's own sheet with every colour worked out; and the colour behind them."""
    sheet = ASSETS.text("page.css")
    named = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", sheet.partition("@media")[0]))
    looks = [line for line in sheet.splitlines() if ".look-" in line or '"look-' in line]
    worked_out = re.sub(r"var\(--([\w-]+)\)", lambda match: named[match[1]], "\n".join(looks))
    return re.sub(r"color-mix\(in srgb, (#\w{6}) (\d+)%, (#\w{6})\)", _mixed, worked_out), named["paper"]


def _mixed(match: re.Match[str]) -> str:
    """Two colours mixed, as `color-mix(in srgb, FIRST SHARE%, SECOND)` is."""
    share = int(match[2]) / 100
    first, second = (bytes.fromhex(match[number][1:]) for number in (1, 3))
    return "#" + bytes(round(a * share + b * (1 - share)) for a, b in zip(first, second, strict=True)).hex()
