"""The files of the page, which browsers cache forever, and compressed pages."""

from __future__ import annotations

import re

from page_client import Site

from rulebots.web.pages import ASSETS, FOREVER


def test_files_have_names_that_change_with_them_and_are_kept_for_good(site: Site) -> None:
    addresses = re.findall(r'(?:href|src)="(/static/[^"]+)"', site.get("/").text)
    assert len(addresses) >= 4
    for address in addresses:
        assert re.fullmatch(r"/static/[\w.]+\.[0-9a-f]{12}\.\w+", address)
        answer = site.get(address)
        assert (answer.status, answer.headers["cache-control"]) == (200, FOREVER)
    plain = site.get("/static/page.css")
    assert plain.headers["cache-control"] == "no-cache"
    assert plain.text == site.get(ASSETS.address("page.css")).text
    other = site.get("/static/page.0123456789ab.css")
    assert (other.status, other.headers["cache-control"]) == (404, "no-cache")
    assert site.get("/").headers["cache-control"] == "no-store"


def test_pages_are_compressed_for_who_asks_for_it(site: Site) -> None:
    plain, packed = site.get("/new/gomoku"), site.get("/new/gomoku", Accept_Encoding="gzip")
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.text == plain.text
    assert packed.size < plain.size / 2
