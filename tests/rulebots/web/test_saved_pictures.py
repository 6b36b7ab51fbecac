"""Pictures to keep: they stand alone, hold what may be seen, and show a game move by move."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest
from page_client import Site, settled

from rulebots.output.diagram import Diagram
from rulebots.packages import game_names
from rulebots.records import PERSON
from rulebots.web.pictures import REST, STEP, colours, picture_of

SVG = "{http://www.w3.org/2000/svg}"


def words_of(text: str) -> list[str]:
    """The words that a picture shows."""
    return ["".join(element.itertext()) for element in ET.fromstring(text).iter(f"{SVG}text")]  # noqa: S314 - our own picture


@pytest.mark.parametrize("name", game_names())
def test_a_position_is_a_picture_that_needs_nothing_else(site: Site, name: str) -> None:
    address = site.begin(name, player2="random", seed=3)
    settled(site, address)
    answer = site.get(f"{address}/position.svg?ply=0")
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert answer.headers["content-disposition"].endswith('-0.svg"')
    assert "var(" not in answer.text
    assert "color-mix" not in answer.text
    assert "http" not in answer.text.replace("http://www.w3.org/2000/svg", "")
    picture = ET.fromstring(answer.text)  # noqa: S314 - our own picture
    looks = {element.get("class") for element in picture.iter() if (element.get("class") or "").startswith("look-")}
    style = "".join(picture.find(f"{SVG}style").itertext())  # type: ignore[union-attr]  # the picture has one
    assert looks
    assert [look for look in looks if f".{look} " not in style] == []


def test_a_game_is_a_picture_with_a_frame_for_each_position(site: Site) -> None:
    address = site.begin("tictactoe", player2=PERSON)
    for text in ("a1", "c3", "b1"):
        site.post(f"{address}/type", {"text": text})
    picture = ET.fromstring(site.get(f"{address}/game.svg").text)  # noqa: S314 - our own picture
    frames = [group for group in picture.iter(f"{SVG}g") if (group.get("class") or "").startswith("frame")]
    assert [frame.get("style") for frame in frames] == [f"animation-delay: {round(STEP * ply, 2)}s" for ply in range(4)]
    sizes = [len(list(frame)) for frame in frames]
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[-1]
    assert f"seen {4 * STEP + REST:g}s" in "".join(picture.itertext())


def test_pictures_show_no_card_that_is_hidden(site: Site) -> None:
    address = site.begin("lost-cities", player2=PERSON, seed=3)
    assert site.get(f"{address}/position.svg").status == 422, "the screen is covered"
    first = site.post(f"{address}/links").location
    watched = words_of(site.get(f"{address}/position.svg").text)
    assert site.get(f"{first}/game.svg").status == 422
    session = site.sessions.get(address.rpartition("/")[2])
    own = words_of(site.get(f"{first}/position.svg").text)
    session.position.state.hand[1], session.position.state.hand[1, 0] = session.position.state.hand[0], 0
    assert words_of(site.get(f"{first}/position.svg").text) == own
    assert words_of(site.get(f"{address}/position.svg").text) == watched != own
    (invitation,) = [link.key for link in session.links.values() if not link.taken]
    assert site.get(f"{address}~{invitation}/position.svg").status == 422
    assert site.get(f"{first}/position.svg?ply=9").status == 422


def test_a_game_that_is_not_drawn_has_no_picture(site: Site) -> None:
    from rulebots.packages import load_game

    load_game("tower:game")
    answer = site.get(f"{site.begin('tower', seed=3)}/position.svg")
    assert answer.status == 422
    assert "not drawn" in answer.text


def test_colours_are_mixed_as_the_page_mixes_them() -> None:
    looks, paper = colours()
    assert re.fullmatch("#[0-9a-f]{6}", paper)
    # 40 % of suit 0, #efce5e, and 60 % of the ink, #1f2429.
    assert "polygon).look-suit-0 { fill: #72683e; }" in looks


def test_what_all_frames_begin_with_is_drawn_once() -> None:
    diagrams = []
    for number in range(3):
        diagram = Diagram(10, 10 + number, "")
        diagram.rectangle(0, 0, 10, 10, "board")
        diagram.text(5, 5, str(number), 3)
        diagrams.append(diagram)
    picture = picture_of(diagrams, "all")
    assert len(picture.still) == 1
    assert [len(frame) for frame in picture.frames] == [1, 1, 1]
    assert picture.height == 12
