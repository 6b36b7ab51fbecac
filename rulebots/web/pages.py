"""Pages from templates: every text in them is escaped, and every form repeats the browser's secret."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jinja2
from starlette.requests import Request
from starlette.responses import HTMLResponse

from rulebots.web.forms import FIELD

_HERE = Path(__file__).parent
STATIC = _HERE / "static"


class Pages:
    """The templates; `links` are the parts of the page in its navigation, as (address, name)."""

    def __init__(self, *links: tuple[str, str]) -> None:
        self._loader = jinja2.FileSystemLoader([_HERE / "templates"])
        self._links = list(links)
        self._environment = jinja2.Environment(
            loader=self._loader,
            autoescape=True,
            trim_blocks=True,
            lstrip_blocks=True,
            undefined=jinja2.StrictUndefined,
        )
        self._environment.globals["links"] = self._links
        self._environment.globals["beside_weights"] = ""

    def add(self, link: tuple[str, str], templates: Path, beside_weights: str = "") -> None:
        """A further part: its link, a folder of templates, which take no name of ours, and `Part.beside_weights`."""
        self._links.append(link)
        self._loader.searchpath.append(str(templates))
        if beside_weights:
            self._environment.globals["beside_weights"] = beside_weights

    def page(self, request: Request, template: str, code: int = 200, **facts: Any) -> HTMLResponse:
        """The answer that a template makes of the facts."""
        secret = request.scope.get("secret", "")
        text = self._environment.get_template(template).render(
            secret=secret, secret_field=FIELD, path=request.url.path, **facts
        )
        return HTMLResponse(text, code)


def wants_part(request: Request) -> bool:
    """Whether a script of ours asks for a part of the page, and not the browser for all of it."""
    return request.headers.get("hx-request") == "true"
