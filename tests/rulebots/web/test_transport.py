"""What travels: files that are kept for good, compressed pages, and only what has changed of a game."""

from __future__ import annotations

import random
import re

import pytest
from page_client import Site, settled

from rulebots.web.transport import ASSETS, FOR_GOOD, changed


def test_files_have_names_that_change_with_them_and_are_kept_for_good(site: Site) -> None:
    addresses = re.findall(r'(?:href|src)="(/static/[^"]+)"', site.get("/").text)
    assert len(addresses) >= 4
    for address in addresses:
        assert re.fullmatch(r"/static/[\w.]+\.[0-9a-f]{12}\.\w+", address)
        answer = site.get(address)
        assert (answer.status, answer.headers["cache-control"]) == (200, FOR_GOOD)
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


@pytest.mark.parametrize("number", range(20))
def test_changes_make_the_new_lines_of_the_old_ones(number: int) -> None:
    rng = random.Random(number)  # noqa: S311 - no secret
    old = [rng.choice("abcdefgh") for _ in range(rng.randrange(1, 40))]
    new = [rng.choice("abcdefgh") if rng.random() < 0.3 else line for line in old][rng.randrange(3) :] or [""]
    pieces = [piece if isinstance(piece, str) else "\n".join(old[slice(*piece)]) for piece in changed(old, new)]
    assert "\n".join(pieces) == "\n".join(new)


def test_after_a_move_only_what_has_changed_is_sent(site: Site) -> None:
    address = site.begin("gomoku", player2="you")
    page = settled(site, address)
    sizes = []
    for number in range(6):
        place = page.places[7 * number]
        page = site.scripted(f"{address}/place", place=place, chosen="")
        sizes.append(page.size)
        assert page.text == site.get(f"{address}/look?version=-1&last={number}", HX_Request="true").text
        assert len(page.text) > 20_000
    assert max(sizes) < 8_000
    assert max(sizes[1:]) < 2_500, sizes


def test_who_does_not_hold_the_part_before_gets_all_of_it(site: Site) -> None:
    address = site.begin("tictactoe", player2="you")
    for held in ("", "0" * 32, "x"):
        answer = site.get(f"{address}/look?version=-1", HX_Request="true", rulebots_holds=held)
        assert answer.text.startswith("<section")
        assert answer.headers["rulebots-part"]
