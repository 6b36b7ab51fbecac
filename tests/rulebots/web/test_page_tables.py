"""Tables of one to four on the page: several persons and players, each person's own view, review, undo and records."""

from __future__ import annotations

import re

import pytest
from page_client import Answer, Site, settled

from rulebots.packages import load_game
from rulebots.records import PERSON, load_record, parse_record
from rulebots.web.view import Visitor, viewer_of


@pytest.fixture(autouse=True)
def games() -> None:
    for place in ("standing:game", "tower:game", "goofspiel:game"):
        load_game(place)


def session_of(site: Site, address: str):
    return site.sessions.get(address.rpartition("/")[2])


def points_of(page: Answer) -> list[tuple[str, str]]:
    pattern = r'<dt><span class="dot seat-\d"></span>(.*?)(?: <span class="faint">[^<]*</span>)?</dt><dd>(.*?)</dd>'
    return re.findall(pattern, page.text)


def test_the_number_of_players_is_chosen_first_and_each_seat_has_a_field(site: Site) -> None:
    form = site.get("/new/standing").text
    assert [f'name="player{number}"' in form for number in range(1, 8)] == [True] * 6 + [False]
    assert re.findall(r'name="option-seats" value="(\d)"', form) == ["2", "3", "4", "5", "6"]
    assert form.index('name="option-seats"') < form.index('name="level"') < form.index("Begin</button>")
    assert form.index("Begin</button>") < form.index('name="player1"'), "seats by name are for those who look for them"
    assert 'name="option-seats" value="4" checked' in site.get("/new/standing?option-seats=4").text
    assert 'name="player3"' not in site.get("/new/kalah").text
    assert 'name="option-seats"' not in site.get("/new/kalah").text
    assert "2 to 6 players" in site.get("/").text
    address = site.begin("standing", **{"option-seats": 3}, level="random")
    assert session_of(site, address).seats == (PERSON, "random", "random"), "one choice for all the others"


def test_persons_and_players_sit_at_a_table_of_four(site: Site) -> None:
    seated = {"player2": "anyhow", "player3": PERSON, "player4": "random"}
    address = site.begin("standing", **{"option-seats": 4}, **seated, seed=3)
    session = session_of(site, address)
    assert viewer_of(Visitor(session)).names == ("Player 1", "Anyhow", "Player 3", "Random")
    page = settled(site, address)
    assert page.status_line.startswith("Player 1 to move")
    assert points_of(page) == [("Player 1", "2"), ("Anyhow", "2"), ("Player 3", "2"), ("Random", "2")]
    site.post(f"{address}/move", {"move": page.moves[0]})
    page = settled(site, address)
    assert page.status_line.startswith("Player 3 to move")
    assert page.moves
    assert site.post(f"{address}/undo").status == 303
    assert len(session.ongoing.moves) == 0, "the latest decision of a person, and what followed it"
    assert settled(site, address).status_line.startswith("Player 1 to move")


def test_a_player_of_a_seat_that_nobody_takes_is_not_dropped(site: Site) -> None:
    refused = site.post("/new/standing", {"option-seats": 2, "player2": "anyhow", "player3": "random"})
    assert refused.status == 422
    assert "seat 3 is for &#39;random&#39;, but 2 play: choose more players" in refused.text


def test_a_seat_that_is_out_is_passed_over_to_the_end_and_the_game_is_a_record(site: Site) -> None:
    address = site.begin("standing", **{"option-seats": 3}, player2=PERSON, player3=PERSON, seed=3)
    for _ in range(5):
        assert site.post(f"{address}/type", {"text": settled(site, address).moves[0]}).status == 303
    page = site.get(address)
    assert page.status_line == "Player 3 won."
    assert points_of(site.get(f"{address}?ply=0")) == [(f"Player {number}", "2") for number in (1, 2, 3)]
    text = site.get(f"{address}/record").text
    assert "player 3: you\n" in text
    assert "game 1: players 1 2 3\n" in text
    assert parse_record(text).games[0].seats == ("you",) * 3
    loaded = site.post("/load", {"record": text}).location
    assert site.get(loaded).status_line == page.status_line
    again = site.post(f"{loaded}/again").location
    assert viewer_of(Visitor(session_of(site, again))).names == ("Player 1", "Player 2", "Player 3")


def test_two_of_three_persons_see_their_own_bids_only(site: Site) -> None:
    """The screen is covered between any two persons; who has bid is told, and not what."""
    address = site.begin("goofspiel", player2="matching", player3=PERSON, seed=3)
    session = session_of(site, address)
    assert settled(site, address).status_line == "Pass the screen to Player 1."
    site.post(f"{address}/uncover")
    assert site.get(address).status_line.startswith("Player 1 to move")
    site.post(f"{address}/move", {"move": 4})
    covered = settled(site, address)
    assert covered.status_line == "Pass the screen to Player 3."
    assert "<ol>" not in covered.text
    site.post(f"{address}/uncover")
    page = site.get(address)
    assert page.status_line.startswith("Player 3 to move")
    assert page.text.count("a move that you do not see") >= 2
    assert session.viewpoint == 2
    assert site.get(f"{address}/record").status == 422
    site.post(f"{address}/move", {"move": 5})
    # All bids are told now: who bid last sees them before the screen is passed.
    assert settled(site, address).status_line == "Then it is Player 1's turn."
    site.post(f"{address}/uncover")
    assert settled(site, address).status_line == "Pass the screen to Player 1."


def test_one_person_keeps_its_view_while_players_bid(site: Site) -> None:
    address = site.begin("goofspiel", player2="matching", player3="contrary", seed=3)
    settled(site, address)
    site.post(f"{address}/move", {"move": 4})
    page = settled(site, address)
    assert page.status_line.startswith("Your move: ")
    assert page.text.count("a move that you do not see") >= 2
    assert session_of(site, address).viewpoint == 0


def test_one_plays_alone_and_some_play_together(site: Site) -> None:
    alone = site.begin("tower", seed=3)
    for move in (2, 2, 1):
        site.post(f"{alone}/move", {"move": move})
    assert settled(site, alone).status_line == "The game is over. You 5."
    together = site.begin("tower", **{"option-seats": 3}, player2="anyhow", player3="random", side="random", seed=3)
    for _ in range(3):
        assert settled(site, together).status_line.startswith("Your move: ")
        site.post(f"{together}/move", {"move": 2})
    assert re.fullmatch(r"The game is over. Together: \d+ points\.", settled(site, together).status_line)


def test_players_of_a_table_are_watched_and_records_of_tables_listed(site: Site) -> None:
    address = site.begin(
        "standing", **{"option-seats": 3}, player1="anyhow", player2="random", player3="anyhow", seed=3
    )
    session = session_of(site, address)
    while not session.ongoing.ended:
        site.get(f"{address}/look")
    assert viewer_of(Visitor(session)).names == ("Anyhow", "Random", "Anyhow (2)")
    (file,) = (site.folder / "games").iterdir()
    assert load_record(file).games[0].players == (1, 2, 3)
    (site.folder / "three.txt").write_text(
        "format: rulebots-record/1\ngame: standing:game\nplayer 1: a\nplayer 2: b\noptions: seats=3\ngames: 1\n\n"
        "game 1: players 1 2 2\nply 1: 1 1 1 1 1\nresult: 0 0 1\n"
    )
    listed = site.get("/load?file=three.txt").text
    assert "<td>a, b, b</td><td>0 : 0 : 1</td>" in listed
    opened = site.post("/load", {"file": "three.txt", "number": 1}).location
    assert viewer_of(Visitor(session_of(site, opened.partition("?")[0]))).names == ("A", "B", "B (2)")


def test_a_player_for_a_seat_that_does_not_exist_is_one_line(site: Site) -> None:
    answer = site.post("/new/standing", {"option-seats": 3, "player2": "random", "player3": "nobody"})
    assert answer.status == 422
    assert "nobody&#39; is not a player that this page may start" in answer.text
    answer = site.post("/new/standing", {"option-seats": 9})
    assert answer.status == 422
    assert "from 2 to 6" in answer.text


def test_dice_roll_for_everybody_at_a_table_of_three(site: Site) -> None:
    small = {"option-seats": 3, "option-sides": 3, "option-needed": 1}
    address = site.begin("cant-stop", **small, player2="random", player3=PERSON, seed=3)
    for _ in range(200):
        page = settled(site, address)
        if session_of(site, address).ongoing.ended:
            break
        assert re.match("Player [13] to move", page.status_line)
        (move, *_) = session_of(site, address).position.legal_moves
        assert site.post(f"{address}/move", {"move": move}).status == 303
    assert re.match(r"(Player [13]|Random) won\b", page.status_line)
    assert re.search(r">The dice show \d, \d, \d and \d(: [\w ]+ busts[\w ,]*)?</a>", page.text)
