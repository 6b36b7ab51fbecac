"""Pages from templates, and the parts of the page that installed packages bring.

Every text in a template is escaped, and every form repeats the browser's secret.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

import jinja2
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import BaseRoute

from rulebots.web.assets import ASSETS
from rulebots.web.security import FIELD
from rulebots.web.served_folder import FilePlayer

#: Entry points of this group name functions `(folder, pages) -> PagePart`.
GROUP = "rulebots.web"
TEMPLATES = Path(__file__).parent / "templates"


@dataclass(frozen=True)
class PagePart:
    """A part of the page: its address and name in the navigation, what it answers, and the folder of its templates.

    `beside_weights` is an address of it that is shown beside the weights of a player, and gets `player` and `game` as
    the page for tuning does; "" for none. `worth_of` gives what is known of the rules of such a player: the win rate
    that it loses without each, by number.
    """

    link: tuple[str, str]
    routes: Sequence[BaseRoute]
    templates: Path
    beside_weights: str = ""
    worth_of: Callable[[FilePlayer], Mapping[int, float]] | None = None


class Pages:
    """The templates; `links` are the parts of the page in its navigation, as (address, name).

    Messages do not tell where the served folder is: names of files begin there.
    """

    def __init__(self, folder: Path, *links: tuple[str, str]) -> None:
        self._folder = folder
        #: What the rules of a player are worth (see `PagePart`), where a part of the page knows.
        self.worth_of: Callable[[FilePlayer], Mapping[int, float]] | None = None
        self._loader = jinja2.FileSystemLoader([TEMPLATES])
        self._links = list(links)
        self._environment = jinja2.Environment(
            loader=self._loader, autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined
        )
        self._environment.filters["local"] = lambda message: str(message).replace(f"{folder}/", "")
        self._environment.globals |= {"links": self._links, "beside_weights": "", "secret_field": FIELD}
        self._environment.globals["asset"] = ASSETS.address

    def add_installed(self) -> list[BaseRoute]:
        """Add the parts that installed packages bring for the served folder; gives what they answer.

        Their templates are looked for after those of this package.
        """
        routes = list[BaseRoute]()
        for point in sorted(metadata.entry_points(group=GROUP), key=lambda point: point.name):
            make: Callable[[Path, Pages], PagePart] = point.load()
            part = make(self._folder, self)
            self._links.append(part.link)
            self._loader.searchpath.append(str(part.templates))
            if part.beside_weights:
                self._environment.globals["beside_weights"] = part.beside_weights
            self.worth_of = part.worth_of or self.worth_of
            routes += part.routes
        return routes

    def page(
        self, request: Request, template: str, code: int = 200, *, fragment: str = "", **facts: Any
    ) -> HTMLResponse:
        """The answer that a template makes of the facts; that of `fragment`, if given, where a script asks."""
        name = fragment if fragment and wants_fragment(request) else template
        secret = request.scope.get("secret", "")
        return HTMLResponse(self.text(name, secret=secret, path=request.url.path, **facts), code)

    def text(self, template: str, **facts: Any) -> str:
        """What a template makes of the facts."""
        return self._environment.get_template(template).render(**facts)


def wants_fragment(request: Request) -> bool:
    """Whether the page's script asks for a fragment of a page, and not the browser for a whole one."""
    return request.headers.get("hx-request") == "true"


def is_same(request: Request, version: object) -> bool:
    """Whether the page's script asks for what has changed since a version, and nothing has."""
    return wants_fragment(request) and request.query_params.get("version") == str(version)
