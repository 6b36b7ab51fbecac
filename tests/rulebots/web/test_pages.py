"""The page as one application."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path

import pytest
from page_client import Site
from starlette.routing import Route

from rulebots.web.served_folder import ServedFolder
from rulebots.web.server import Access, new_app


def paths(folder: Path) -> set[str]:
    app = new_app(ServedFolder(folder), Access(80))
    return {route.path for route in app.routes if isinstance(route, Route)}


def test_parts_of_installed_packages_are_found_and_can_be_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = paths(tmp_path)
    assert {"/", "/game/{id}", "/tune", "/ladder", "/runs", "/tune/worth"} <= whole
    monkeypatch.setattr(metadata, "entry_points", lambda **_: metadata.EntryPoints())
    alone = paths(tmp_path)
    assert {"/", "/game/{id}", "/tune", "/ladder"} <= alone
    assert not any(path.startswith(("/runs", "/tune/worth")) for path in alone)


@pytest.mark.parametrize(
    ("path", "part"),
    [
        ("/", '<a href="/" aria-current="page">'),
        ("/new/kalah", '<a href="/" aria-current="true">'),
        ("/tune", '<a href="/tune" aria-current="page">'),
        ("/runs/new", '<a href="/runs" aria-current="true">'),
    ],
)
def test_the_navigation_marks_the_part_that_a_page_belongs_to(site: Site, path: str, part: str) -> None:
    page = site.get(path).text
    assert part in page
    assert page.partition("</nav>")[0].count("aria-current") == 1
