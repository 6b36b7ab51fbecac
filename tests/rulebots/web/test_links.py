"""Links: each person at a browser of its own sees what its seat may know, and who watches what everybody may."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from page_client import Answer, Client, Site, serving, settled

from rulebots.packages import load_game, package_of
from rulebots.records import PERSON

INVITATION = r'href="(/game/[\w-]{12}~[\w-]{22})(?:\?token=\w+)?"'


def browser_at(site: Site) -> Client:
    """Another browser."""
    found = Client(site.port)
    found.get("/")
    return found


def linked(site: Site, game: str, **fields: object) -> tuple[str, str, list[str]]:
    """A game with links: its address, that of the first person, and the invitations."""
    address = site.begin(game, **{"player2": PERSON, "seed": 3, **fields})
    first = site.post(f"{address}/links").location
    return address, first, re.findall(INVITATION, site.get(first).text.partition("Links of this game")[2])


def taken(browser: Client, invitation: str) -> str:
    """The link of the seat that was taken."""
    assert "Take this seat" in browser.get(invitation).text
    answer = browser.post(f"{invitation}/take")
    assert answer.status == 303, answer.text
    return answer.location


def hand(site: Site, address: str, seat: int) -> set[str]:
    """The labels of the cards that this seat holds, as its page says them."""
    from rulebots.web.board import board_of

    session = site.sessions.get(address.rpartition("/")[2])
    diagram = board_of(session.position, seat, playing=False).diagram
    assert diagram is not None
    return {place.label for place in diagram.places.values() if place.label.startswith("your card")}


def shown(page: Answer) -> set[str]:
    return set(re.findall(r'aria-label="(your card [^"]*)"', page.text))


def test_two_persons_play_from_two_browsers_and_a_third_one_watches(site: Site) -> None:
    address, first, (invitation,) = linked(site, "tictactoe")
    other, third = browser_at(site), browser_at(site)
    second = taken(other, invitation)
    assert site.get(first).status_line.startswith("Your move: ")
    assert other.get(second).status_line == "Player 1 to move."
    assert "it is not your turn" in other.post(f"{second}/type", {"text": "a1"}).text
    assert "it is not your turn" in other.post(f"{second}/move", {"move": 0}).text
    assert not other.get(second).places
    for number in range(5):
        who, link = ((site, first), (other, second))[number % 2]
        assert who.post(f"{link}/place", {"place": f"{'ab'[number % 2]}{number // 2 + 1}"}).status == 303
    assert site.get(first).status_line.startswith("You won.")
    assert other.get(second).status_line.startswith("You lost: Player 1 won.")
    assert third.get(address).status_line == "Player 1 won."


def test_who_watches_changes_nothing(site: Site) -> None:
    address, first, _ = linked(site, "tictactoe")
    watcher = browser_at(site)
    page = watcher.get(address)
    assert not page.places
    assert "Type a move" not in page.text
    assert "Undo" not in page.text
    assert "Play again" not in page.text
    for act, fields in (
        ("place", {"place": "a1"}),
        ("move", {"move": 0}),
        ("type", {"text": "a1"}),
        ("undo", {}),
        ("uncover", {}),
    ):
        assert "you watch this game" in watcher.post(f"{address}/{act}", fields).text
    for act in ("again", "links", "take"):
        assert watcher.post(f"{address}/{act}").status == 422, act
    assert watcher.get(f"{address}/hint").status == 422
    assert site.sessions.get(address.rpartition("/")[2]).ongoing.moves == []
    assert first.rpartition("~")[2] not in page.text
    assert site.get(first).status_line.startswith("Your move: ")


def test_links_are_not_guessed_and_an_invitation_works_once(site: Site) -> None:
    address, first, (invitation,) = linked(site, "lost-cities")
    keys = {first.rpartition("~")[2], invitation.rpartition("~")[2]}
    assert {len(key) for key in keys} == {22}
    for key in ("", "x", "x" * 22, first.rpartition("~")[2][:-1], "é"):
        answer = site.get(f"{address}~{key}" if key.isascii() else f"{address}~%C3%A9")
        assert answer.status == 404, key
        assert "leads to no seat" in answer.text
    assert site.get(f"{first}x").status == 404
    # The maker of the links knows the invitation, and sees nothing by it.
    for path in ("/look", "?ply=0", "/hint", "/why?ply=1", "/record"):
        page = site.get(f"{invitation}{path}", HX_Request="true")
        assert not shown(page), path
    other = browser_at(site)
    second = taken(other, invitation)
    assert second != invitation
    assert site.get(invitation).status == 404
    assert site.post(f"{invitation}/take").status == 404
    assert site.post(f"{first}/take").status == 422
    for page in (site.get(first), site.get(address)):
        assert second.rpartition("~")[2] not in page.text


def test_a_persons_link_shows_no_card_of_the_other_hand_and_watching_none(site: Site) -> None:
    address, first, (invitation,) = linked(site, "lost-cities")
    other, watcher = browser_at(site), browser_at(site)
    second = taken(other, invitation)
    turns = (site, first), (other, second)
    for number in range(4):
        for text in ("d", "n"):
            session = site.sessions.get(address.rpartition("/")[2])
            legal = [session.game.text.write(int(move)) for move in session.position.legal_moves]
            move = next((one for one in legal if one.endswith(text)), legal[0])
            browser, link = turns[number % 2]
            hands = [hand(site, address, seat) for seat in (0, 1)]
            for seat, (who, own) in enumerate(turns):
                for ply in ("", "?ply=0"):
                    page = who.get(f"{own}{ply}")
                    if not ply:
                        assert shown(page) == hands[seat]
                    assert not shown(page) & hands[1 - seat] - hands[seat]
                assert who.get(f"{own}/record").status == 422
            for path in ("", "?ply=0", "/look?version=-1"):
                page = watcher.get(f"{address}{path}")
                assert "Player 1's hand, " in html.unescape(page.text)
                assert "your card" not in page.text
            assert watcher.get(f"{address}/record").status == 422
            assert browser.post(f"{link}/type", {"text": move}).status == 303, move
    # A card that is laid is told to all; one that is drawn from the deck is not told to others.
    log = watcher.get(address).text
    assert log.count("a move that you do not see") == 0
    assert re.findall(r"\?ply=1\"(?: tabindex=\"-1\")?>(.+?)</a>", log) == [
        session.ongoing.positions[0].sentence(session.ongoing.moves[0], ("Player 1", "Player 2"))
    ]


OF_HEARTS = {"option-passing": 0, "player3": "random", "player4": "random"}


@pytest.mark.parametrize(("name", "seen"), [
    ("lost-cities", "Player 2's yellow expedition"), ("hearts", "trick 1 of 13"), ("hanabi", "Player 1: card 1"),
])  # fmt: skip
def test_who_looks_on_sees_the_table_and_no_card_that_is_hidden_from_a_seat(site: Site, name: str, seen: str) -> None:
    players = {"player1": "random", "player2": PERSON}
    address, own, _ = linked(site, name, **players, **(OF_HEARTS if name == "hearts" else {}))
    watcher, movers, luck = browser_at(site), set(), 11
    for _ in range(8):
        settled(site, own)
        session = site.sessions.get(address.rpartition("/")[2])
        position = session.position
        page = watcher.get(address).text
        assert seen in html.unescape(page) or position.plies
        assert "look-back" in page
        kept = position.state.copy()
        for seat in range(position.seats):
            movers.add(seat)
            position.state.mover = seat
            luck = session.game.redeal(position.state, luck)
            position.state.mover = kept.mover
            assert watcher.get(address).text == page
        changed = position.state.tobytes() != kept.tobytes()
        for field in position.state.dtype.names:
            position.state[field] = kept[field]
        assert changed
        assert site.post(f"{own}/type", {"text": session.game.text.write(int(position.legal_moves[0]))}).status == 303


def test_without_a_drawing_for_who_looks_on_there_is_no_board_and_no_alarm(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    address, _, _ = linked(site, "lost-cities")
    monkeypatch.setitem(vars(package_of(load_game("lost-cities"))), "look_on", None)
    page = browser_at(site).get(address).text
    assert '<p class="faint">The board would show a hand.' in page
    assert 'class="message"' not in page.partition('id="session"')[2]


def test_bids_of_others_are_not_seen_while_they_are_secret(site: Site) -> None:
    load_game("goofspiel:game")
    address, first, (invitation,) = linked(site, "goofspiel", player2="matching", player3=PERSON)
    other = browser_at(site)
    third = taken(other, invitation)
    settled(site, first)
    site.post(f"{first}/move", {"move": 4})
    settled(other, third)
    told = [
        re.findall(r"\?ply=1\"(?: tabindex=\"-1\")?>(.+?)</a>", page.text)
        for page in (site.get(first), other.get(third), browser_at(site).get(address))
    ]
    assert told == [["You play 4"], *[["Player 1 makes a move that you do not see"]] * 2], told


def test_links_come_again_after_a_restart(tmp_path: Path) -> None:
    with serving(tmp_path) as site:
        address, first, (invitation,) = linked(site, "lost-cities")
        second = taken(browser_at(site), invitation)
        before = shown(site.get(second))
    with serving(tmp_path) as site:
        assert shown(site.get(second)) == before != set()
        assert site.get(first).status_line.startswith("Your move: ")
        assert site.get(invitation).status == 404
        assert "look-back" in site.get(address).text
        assert site.post(f"{address}/uncover").status == 200
        assert "look-back" in site.get(address).text


def test_one_persons_game_is_watched_and_taken_back_by_that_person_only(site: Site) -> None:
    address = site.begin("kalah", player2="random", seed=3)
    assert "Let others watch" in site.get(address).text
    own = site.post(f"{address}/links").location
    settled(site, own)
    site.post(f"{own}/type", {"text": "2"})
    settled(site, own)
    watcher = browser_at(site)
    assert "Player 1 sows pit 2" in " ".join(watcher.get(f"{address}?ply=1").text.split())
    assert "you watch this game" in watcher.post(f"{address}/undo").text
    assert site.post(f"{own}/undo").status == 303
    assert site.sessions.get(address.rpartition("/")[2]).ongoing.moves == []


def test_moves_of_others_are_not_taken_back(site: Site) -> None:
    _, first, (invitation,) = linked(site, "tictactoe")
    second = taken(browser_at(site), invitation)
    site.post(f"{first}/type", {"text": "b2"})
    assert "Undo" not in site.get(first).text
    for link in (first, second):
        assert "moves are not taken back" in site.post(f"{link}/undo").text


def test_the_next_game_is_begun_once_for_all(site: Site) -> None:
    address, first, (invitation,) = linked(site, "tictactoe")
    other = browser_at(site)
    second = taken(other, invitation)
    following = site.post(f"{first}/again").location
    assert other.post(f"{second}/again").location.partition("~")[0] == following.partition("~")[0]
    for link in (first, second, address):
        assert "To the next game" in site.get(link).text
    assert site.get(following).status_line.startswith("Your move: ")
    assert (
        other.get(following.replace(first.rpartition("~")[2], second.rpartition("~")[2])).status_line
        == "Player 1 to move."
    )
    assert not site.get(following.partition("~")[0]).places


def test_a_game_without_persons_needs_no_links(site: Site) -> None:
    address = site.begin("tictactoe", player1="random", player2="random", seed=3)
    assert "Make the links" not in site.get(address).text
    assert "no person plays" in site.post(f"{address}/links").text


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[Site]:
    with serving(tmp_path, token="a" * 32) as found:
        found.get(f"/?token={'a' * 32}")
        yield found


def test_links_bring_the_token_of_a_server_that_asks_for_one(guarded: Site) -> None:
    address = guarded.begin("tictactoe", player2=PERSON)
    first = guarded.post(f"{address}/links").location
    text = guarded.get(first).text.partition("Links of this game")[2]
    (whole,) = re.findall(r'href="(/game/[\w-]{12}~[\w-]{22}\?token=\w+)"', text)
    assert f"http://127.0.0.1:{guarded.port}{whole}" in text
    other = Client(guarded.port)
    assert other.get(whole.partition("?")[0]).status == 401
    inside = other.get(whole)
    assert (inside.status, inside.location) == (303, whole.partition("?")[0])
    assert "Take this seat" in other.get(inside.location).text
