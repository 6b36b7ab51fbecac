"""Further parts of the page, which installed packages bring: entry points of the group `rulebots.web`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from starlette.routing import BaseRoute

from rulebots.web.pages import Pages

GROUP = "rulebots.web"


@dataclass(frozen=True)
class Part:
    """A part of the page: its address and name in the navigation, what it answers, and the folder of its templates.

    `beside_weights` is an address of it that is shown beside the weights of a player, and gets `player` and `game` as
    the page for tuning does; "" for none.
    """

    link: tuple[str, str]
    routes: Sequence[BaseRoute]
    templates: Path
    beside_weights: str = ""


def page_parts(folder: Path, pages: Pages) -> list[Part]:
    """The parts for a served folder, each made by the function `(folder, pages) -> Part` of its entry point.

    They are added to the pages: their links to the navigation, their templates after those of this package.
    """
    found = []
    for point in sorted(metadata.entry_points(group=GROUP), key=lambda point: point.name):
        make: Callable[[Path, Pages], Part] = point.load()
        part = make(folder, pages)
        pages.add(part.link, part.templates, part.beside_weights)
        found.append(part)
    return found
