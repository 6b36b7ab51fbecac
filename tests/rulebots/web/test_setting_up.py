"""The page that sets up a position: its text, its board, legal moves that change it, and players that are asked."""

from __future__ import annotations

import html
import re
from urllib.parse import quote, urlencode

import pytest
from page_client import Answer, Site, settled

from rulebots.game.position import Position
from rulebots.packages import game_names, load_game
from rulebots.web.home import position_in

#: A move in the list of moves.
MOVES = r'<li(?: aria-current="step")?><a href="[^"]*"(?: tabindex="-1")?>(.*?)</a>'


def text_of(answer: Answer) -> str:
    return answer_field(answer.text)


def answer_field(page: str) -> str:
    found = re.search(r'<textarea id="position"[^>]*>([^<]*)</textarea>', page)
    assert found, page
    return html.unescape(found[1])


@pytest.mark.parametrize("name", game_names())
def test_a_position_is_shaped_by_moves_and_played(site: Site, name: str) -> None:
    assert f'href="/position/{name}"' in site.get(f"/new/{name}").text
    first = site.get(f"/position/{name}")
    assert first.status == 200
    begun = text_of(first)
    assert begun == Position(load_game(name), seed=1).to_text()
    asked = {"position": begun, **({"place": first.places[0]} if first.places else {"move": first.moves[0]})}
    second = site.get(f"/position/{name}?{urlencode(asked)}")
    if text_of(second) == begun:  # a move of two clicks
        chosen = second.field("chosen")
        (target, *_) = re.findall(r'value="([^"]*)" class="place[^"]*target"', second.text) or [chosen]
        asked = {"position": begun, "chosen": chosen, "place": target}
        second = site.get(f"/position/{name}?{urlencode(asked)}")
    assert second.status == 200, second.text
    shaped = text_of(second)
    assert shaped != begun
    [link] = re.findall(rf'href="(/new/{name}\?position=[^"]*)">Play from here', second.text)
    assert text_of(site.get(html.unescape(link))) == shaped
    address = site.begin(name, position=shaped)
    answer = site.get(f"{address}?ply=0")
    assert answer.status == 200
    game = answer.text
    if load_game(name).hidden:
        assert site.sessions.get(address.rpartition("/")[2]).ongoing.positions[0].to_text() == shaped
        return
    [back] = re.findall(rf'href="(/position/{name}\?[^"]*)">edit this position', game)
    assert text_of(site.get(html.unescape(back))) == shaped


def test_a_position_of_several_lines_is_read_as_one(site: Site) -> None:
    pack = Position(load_game("hanabi"), seed=1).to_text()
    lines = pack.replace(" ", "\r\n", 30)
    assert site.get(f"/position/hanabi?{urlencode({'position': lines})}").status == 200
    session = site.sessions.get(site.begin("hanabi", position=lines).rpartition("/")[2])
    assert session.ongoing.positions[0].to_text() == pack
    assert position_in({"position": "X  O\r\n.  . X\n"}) == "X  O .  . X", "blanks may be squares"


def test_the_champion_is_asked(site: Site) -> None:
    hint = site.get(f"/position/tictactoe/hint?{urlencode({'position': 'XX1/OO1/3 X'})}")
    assert hint.status == 200, hint.text
    assert "<h2>Hint: play c3</h2>" in hint.text
    assert 'href="/position/tictactoe?position=' in hint.text
    over = site.get(f"/position/tictactoe/hint?{urlencode({'position': 'XXX/OO1/3 O a3'})}")
    assert over.status == 422
    assert "nobody is to decide" in over.text


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("XX2/3/3 O", "character"),
        ("<script>alert(1)</script>", "&lt;script&gt;"),
        ("\u202e\x00\x1b[2J", "position"),
        ("9" * 9000, "expected at most 8000 characters, not 9000"),
        ("{{ 7 * 7 }}", "{{ 7 * 7 }}"),
    ],
)
def test_a_text_that_is_no_position_is_told_in_a_line_and_kept(site: Site, text: str, told: str) -> None:
    answer = site.get(f"/position/tictactoe?position={quote(text)}")
    assert answer.status == 422
    [line] = re.findall(r'<p class="message">(.*?)</p>', answer.text)
    assert told in html.unescape(line) or told in line
    assert "<script>alert" not in answer.text
    assert "Play from here" not in answer.text
    assert not answer.places


def test_a_move_that_is_not_legal_leaves_the_board(site: Site) -> None:
    answer = site.get(f"/position/tictactoe?{urlencode({'position': 'X2/3/3 O a3', 'move': 10**6})}")
    assert answer.status == 422
    assert answer.places
    assert text_of(answer) == "X2/3/3 O a3"
    assert site.get("/position/tictactoe?option-size=99").status == 422


def test_only_a_move_changes_the_field_that_somebody_types_in(site: Site) -> None:
    typed = site.get(f"/position/tictactoe?{urlencode({'position': '3/1X1/3 O b2'})}", HX_Request="true")
    assert 'id="position"' not in typed.text
    moved = site.get(
        f"/position/tictactoe?{urlencode({'position': '3/1X1/3 O b2', 'place': typed.places[0]})}", HX_Request="true"
    )
    assert 'hx-swap-oob="outerHTML"' in moved.text
    assert answer_field(moved.text) != "3/1X1/3 O b2"


def test_moves_before_the_position_are_not_those_of_the_game(site: Site) -> None:
    position = Position(load_game("hearts"), seed=1)
    for _ in range(8):
        position.push(int(position.legal_moves[0]))
    address = site.begin("hearts", position=position.to_text(), player2="random", player3="random", player4="random")
    page = settled(site, address)
    session = site.sessions.get(address.rpartition("/")[2])
    told = re.findall(MOVES, page.text)
    assert len(told) == len(session.ongoing.moves)
    moved = page.moves or [str(move) for move in session.position.legal_moves]
    assert site.post(f"{address}/move", {"move": moved[0]}).status == 303
    assert re.findall(MOVES, settled(site, address).text)[len(told)].startswith("You play ")


def test_while_cards_are_hidden_a_game_does_not_tell_its_position(site: Site) -> None:
    address = site.begin("lost-cities", player2="random", seed=3)
    page = site.get(address).text
    assert "edit this position" not in page
    assert "after 0 moves of this game" in page
    watched = site.begin("lost-cities", player1="random", player2="random", seed=3)
    assert "edit this position" in site.get(f"{watched}?ply=0").text, "nobody plays from whom cards are hidden"


def test_the_start_has_the_options_that_are_chosen_and_an_emptied_field_stays_empty(site: Site) -> None:
    asked = {"position": "3/1X1/3 O b2", "option-size": 4, "start": 1}
    assert text_of(site.get(f"/position/tictactoe?{urlencode(asked)}", HX_Request="true")) == "4/4/4/4 X -"
    emptied = site.get("/position/tictactoe?position=", HX_Request="true")
    assert emptied.status == 200
    assert 'id="position"' not in emptied.text


def test_what_has_moved_is_marked(site: Site) -> None:
    asked = {"position": "3/1X1/3 O b2", "place": "a1"}
    assert site.get(f"/position/tictactoe?{urlencode(asked)}").text.count('class="look-last"') == 1


@pytest.mark.parametrize("position", ["4,4,4,0,5,5,1/5,4,4,4,4,4,0 1", "4,4,4,4,4,4,0/4,4,4,4,4,4,0 0"])
def test_advice_is_drawn_where_the_board_has_the_move(site: Site, position: str) -> None:
    asked = urlencode({"position": position})
    corner = r'x="([\d.]+)" y="([\d.]+)"'
    board = site.get(f"/position/kalah?{asked}").text
    rings = re.findall(f'look-hint-ring" {corner}', site.get(f"/position/kalah/hint?{asked}", HX_Request="true").text)
    places = re.findall(f'<foreignObject {corner}[^>]*><button name="place" value="[^"]*" class="[^"]*" aria', board)
    assert len(places) >= 5
    assert len(rings) == 1
    assert rings[0] in places


@pytest.mark.parametrize(
    ("game", "status"),
    [("hearts", "Player 1 to move."), ("hanabi", "Player 1 to move."), ("kalah", "Player 1 to move.")],
)
def test_seats_have_the_numbers_of_the_board(site: Site, game: str, status: str) -> None:
    assert status in site.get(f"/position/{game}").text


def test_a_text_of_hundreds_of_moves_is_not_cut_off(site: Site) -> None:
    position = Position(load_game("lost-cities"), seed=1)
    for ply in range(599):
        legal = position.legal_moves.tolist()
        names = [position.write(move) for move in legal]
        # Discards and cards from piles by turns, so that the deck lasts.
        wanted = [i for i, name in enumerate(names) if (name != "n" if ply % 2 else name.startswith("d"))]
        position.push(legal[wanted[-1] if wanted else 0])
    text = position.to_text()
    assert len(text) > 2000
    assert text_of(site.get(f"/position/lost-cities?{urlencode({'position': text})}")) == text
    address = site.begin("lost-cities", position=text)
    assert site.sessions.get(address.rpartition("/")[2]).ongoing.positions[0].to_text() == text
    too_long = site.post("/new/lost-cities", {"position": text + " n" * 4000})
    assert too_long.status == 422
    assert "position: expected at most 8000 characters" in too_long.text
