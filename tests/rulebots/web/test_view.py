"""What the page says of a game."""

from __future__ import annotations

import re

import pytest
from game_copies import with_text
from page_client import Site, settled

from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.games.hearts.cards import card_name, ranks_in
from rulebots.games.lost_cities.text import called
from rulebots.packages import load_game
from rulebots.records import PERSON
from rulebots.web.view import Visitor, folded, sentences_of, view_of, viewer_of


def test_what_a_move_scores_is_said(site: Site) -> None:
    address = site.begin("kalah", player2="random", position="4,0,5,5,5,4,1/5,4,4,4,4,3,0 1")
    settled(site, address)
    site.post(f"{address}/type", {"text": "2"})
    settled(site, address)
    said = view_of(Visitor(site.sessions.get(address.rsplit("/")[-1]))).said
    assert said.startswith("You sow pit 2 (+1). Random sows pit "), said


def test_a_hint_is_said_with_what_it_means(site: Site) -> None:
    address = site.begin("hanabi", option_seats=3, player2="sociable", player3="sociable", seed=1)
    settled(site, address)
    site.post(f"{address}/type", {"text": "h1r"})
    settled(site, address)
    said = view_of(Visitor(site.sessions.get(address.rsplit("/")[-1]))).said
    assert said.endswith(
        "Sociable (2) tells you that cards 1 and 2 are fives, which means: keep card 1, the last of its kind."
    ), said


def test_a_bust_is_told_however_long_the_opponents_turn_is(site: Site) -> None:
    address = site.begin("cant-stop", player2="random", seed=2)
    session = site.sessions.get(address.rsplit("/")[-1])
    said = ""
    while "you bust" not in said:
        page = settled(site, address)
        if session.persons_turn:
            said = view_of(Visitor(session)).said
            site.post(f"{address}/move", {"move": page.moves[-1]})
    assert re.fullmatch(
        r"The dice show [^.]*: you bust and lose [^.]*\.( Random [^.]*\.)+( The dice .*: random busts.*)?"
        r"( You roll [^.]*\.)?",
        said,
    ), said


def test_a_long_turn_is_summed_up(site: Site) -> None:
    """How often it rolled and how it ended, instead of each roll and each choice."""
    address = site.begin("cant-stop", player2="random", seed=2)
    session = site.sessions.get(address.rsplit("/")[-1])
    said = ""
    while not re.search("rolls again, [3-9] times", said):
        page = settled(site, address)
        if session.persons_turn:
            said = view_of(Visitor(session)).said
            site.post(f"{address}/move", {"move": page.moves[0]})
    assert re.search(
        r"Random rolls again, (twice|\d times)\. .*(Random stops and keeps|Random busts) [^.]*\. "
        r"You roll [^.]*\.$",
        said,
    ), said
    assert said.count("roll") == 3, "where a turn begins, and how often it went on"
    assert said.count("The dice show") == said.count("busts"), "of all other rolls, those are told that matter now"
    assert "After" not in said


def test_choices_beside_a_board_say_what_they_do(site: Site) -> None:
    address = site.begin("cant-stop", player2="random", seed=2)
    settled(site, address)
    view = view_of(Visitor(site.sessions.get(address.rsplit("/")[-1])))
    labels = [label for _, label in view.board.moves]
    assert re.fullmatch(r"advance in \d+ and \d+", labels[0]), labels
    site.act(f"{address}/type", text=labels[0].removeprefix("advance in "))
    assert view_of(Visitor(view.session)).moves[-1].sentence == f"You {labels[0]}"


def test_what_a_move_did_is_said_in_words(site: Site) -> None:
    address = site.begin("lost-cities", player2="random", seed=3)
    settled(site, address)
    site.post(f"{address}/type", {"text": "d3d"})
    site.post(f"{address}/type", {"text": "n"})
    settled(site, address)
    session = site.sessions.get(address.rsplit("/")[-1])
    card = r"(plays|discards) (the \d+ of|an investment in) (deserts|oceans|mountains|jungles|volcanoes)"
    draw = r"(draws from the deck|takes [\w ]+ from its pile)"
    found = view_of(Visitor(session)).said
    assert re.fullmatch(rf"Random {card}( \([^.]*\))?\. Random {draw}\.", found), found


def test_a_drawn_card_is_told_to_its_player_and_at_the_end_to_all(site: Site) -> None:
    address = site.begin("lost-cities", player2=PERSON, seed=3)
    session = site.sessions.get(address.rsplit("/")[-1])
    session.link()
    for text in ("d3d", "n"):
        session.move(session.position.read(text))
    drawn = called(session.ongoing.positions[0].state.deck[session.ongoing.positions[0].state.deck_left - 1])
    told = {seat: sentences_of(viewer_of(Visitor(session, seat)))[1] for seat in (0, 1, None)}
    assert told == {
        0: f"You draw from the deck: {drawn}", 1: "Player 1 draws from the deck", None: "Player 1 draws from the deck",
    }  # fmt: skip
    while not session.ongoing.ended:
        session.move(int(session.position.legal_moves[0]))
    told = {seat: sentences_of(viewer_of(Visitor(session, seat)))[1] for seat in (1, None)}
    assert told == dict.fromkeys((1, None), f"Player 1 draws from the deck: {drawn}")


def as_told_by(game: Game, position: Position) -> Position:
    """The same position, of a game with other sentences."""
    copy = position.copy()
    copy.game = game
    return copy


@pytest.mark.slow
def test_the_sentence_of_a_move_that_is_not_told_or_that_fails_is_not_said(site: Site) -> None:
    for seed in range(1, 6):
        address = site.begin("hearts", player2="random", player3="random", player4="random", seed=seed)
        settled(site, address)
        session = site.sessions.get(address.rsplit("/")[-1])
        if session.position.state.passing:
            break
    while session.persons_turn and session.position.state.passing:
        session.move(int(session.position.legal_moves[0]))
    settled(site, address)
    secret, failing = (
        with_text(session.game, sentence=said)
        for said in (lambda state, move: f"say(s) secret {move}", lambda *_: 1 // 0)
    )
    positions = session.ongoing.positions
    positions[:] = (as_told_by(secret, position) for position in positions)
    passed = [ply for ply, position in enumerate(session.ongoing.positions[:-1]) if position.state.passing]
    giver = (session.viewpoint - session.position.state.direction) % 4  # whose cards it has got
    others = [ply for ply in passed if session.ongoing.positions[ply].mover not in (session.viewpoint, giver)]
    assert others, "cards are passed in this deal"
    for ply in others:
        assert f"secret {session.ongoing.moves[ply]}." not in view_of(Visitor(session), ply + 1).said
    unseen = view_of(Visitor(session), others[-1] + 1).said
    assert "that you do not see" not in unseen, "many moves of which nothing is known"
    assert "secret" in view_of(Visitor(session)).said, "cards that are played are told"
    positions[:] = (as_told_by(failing, position) for position in positions)
    assert "plays" in view_of(Visitor(session)).said


def test_the_page_says_what_the_last_moves_were(site: Site) -> None:
    address = site.begin("tictactoe", player2="random", seed=2)
    settled(site, address)
    site.post(f"{address}/type", {"text": "b2"})
    settled(site, address)
    snapshot = view_of(Visitor(site.sessions.get(address.rsplit("/")[-1])))
    assert re.fullmatch(r"Random plays [abc][123]\.", snapshot.said)
    assert [(line.seat, line.sentence) for line in snapshot.moves] == [
        (0, "You play b2"),
        (1, snapshot.said[:-1]),
    ]


def test_a_name_is_said_with_blanks_and_a_file_keeps_its_own(site: Site) -> None:
    address = site.begin("tictactoe", player2="hand_tuned", seed=2)
    settled(site, address)
    site.post(f"{address}/type", {"text": "b2"})
    settled(site, address)
    session = site.sessions.get(address.rsplit("/")[-1])
    assert view_of(Visitor(session)).said.startswith("Hand tuned plays ")
    assert session.seats[1] == "hand_tuned"


def test_points_that_only_say_who_has_won_are_not_shown(site: Site) -> None:
    address = site.begin("tictactoe", player2="random", seed=2, position="XX1/OO1/3 X b2")
    settled(site, address)
    site.post(f"{address}/type", {"text": "c3"})
    page = settled(site, address)
    assert page.status_line == "You won."
    assert not re.search(r"<strong>[01]</strong>", page.text)
    assert "(+1)" not in page.text


def test_a_table_that_says_the_points_says_them_alone(site: Site) -> None:
    hearts = site.get(site.begin("hearts", player1="random", player2=PERSON, seed=1)).text
    assert "0 points" in hearts
    assert '<dl class="points">' not in hearts
    assert '<dl class="points">' in site.get(site.begin("kalah")).text


def test_buttons_look_alike_however_many_there_are(site: Site) -> None:
    looks = dict[int, set[str]]()
    climbed = "0,0,3,0,0,5,0,0,0,0,0/0,0,0,0,0,0,0,0,0,0,0/0,0,4,0,0,6,0,0,0,0,0"
    for dice in ("decide", "1-2-3-5"):
        page = settled(site, site.begin("cant-stop", position=f"{climbed} X {dice}"))
        looks[len(page.moves)] = set(re.findall(r'<button name="move" value="\d+"([^>]*)', page.text))
    assert looks == {2: {' class="main"'}, 5: {' class="main"'}}


def test_points_of_all_together_are_said_once(site: Site) -> None:
    load_game("tower:game")
    address = site.begin("tower", **{"option-seats": 3}, player2="anyhow", player3="random", seed=3)
    settled(site, address)
    site.post(f"{address}/move", {"move": 2})
    settled(site, address)
    session = site.sessions.get(address.rsplit("/")[-1])
    snapshot = view_of(Visitor(session))
    assert snapshot.points == (("all", session.position.points[0]),)
    assert snapshot.points[0][1] > 0
    assert re.match(r"You play 2 \(\+\d\)\. Anyhow plays ", snapshot.said), snapshot.said
    assert "for you" not in snapshot.said


def test_seats_of_one_level_are_called_as_people_are(site: Site) -> None:
    seated = {f"player{number}": "level:casual" for number in (1, 3, 4)}
    address = site.begin("hearts", **seated, player2=PERSON, seed=3)
    page = settled(site, address)
    assert "Dan, in order of play, casual" in page.text
    seats = re.findall(r'<tspan class="look-seat-(\d)">●</tspan> ([^<]*)</text>', page.text)
    assert sorted(seats) == [("0", "Ada"), ("1", PERSON), ("2", "Cleo"), ("3", "Dan")]


def test_to_who_looks_on_seats_have_the_numbers_of_the_board(site: Site) -> None:
    address = site.begin("hearts", **{f"player{number}": "level:casual" for number in (1, 2, 3, 4)}, seed=3)
    settled(site, address)
    snapshot = view_of(Visitor(site.sessions.get(address[6:])), 0)
    assert snapshot.board.diagram is not None
    words = [shape.words for shape in snapshot.board.diagram.shapes]
    assert any("Player 1" in said for said in words)
    assert any("Player 4" in said for said in words)
    assert not any("Player 5" in said for said in words)


def test_it_is_said_what_is_wanted(site: Site) -> None:
    """By the game, or else by where its moves are; and once a place is chosen, by the moves that begin there."""
    cards = site.begin("lost-cities", player2="random", seed=3)
    page = settled(site, cards)
    assert page.status_line == "Your move: play a card on its expedition, or discard it."
    chosen = site.act(f"{cards}/place", place=page.places[0])
    assert re.fullmatch(r"Your move: play or discard (the|an) [^.]*\.", chosen.status_line)
    second = next(place for place in page.places if place.endswith("(copy 2)"))
    chosen = site.act(f"{cards}/place", place=second)
    assert chosen.status_line.startswith("Your move: play or discard an investment in ")
    hanabi = site.begin("hanabi", player2="random", seed=1)
    settled(site, hanabi)
    assert "choose your card to play, or a hand" in site.get(hanabi).status_line, "with all tokens none is discarded"
    chosen = site.act(f"{hanabi}/place", place="{0} 2")
    assert chosen.status_line == "Your move: choose the fireworks to play card 2."
    chosen = site.act(f"{hanabi}/place", place="{1}")
    assert chosen.status_line.startswith("Your move: choose a colour or number to tell Random; it also says")
    circles = site.begin("circles", player2="random", option_size=3, seed=3)
    page = settled(site, circles)
    chosen = site.act(f"{circles}/place", place="0,0")
    assert chosen.status_line.startswith("Your move: choose the other end of a line, or the same stone again")
    hearts = settled(site, site.begin("hearts", player2="random", player3="random", player4="random", seed=6))
    assert re.fullmatch(r"Your move: choose 3 cards to pass \w.* \(1 of 3\)\.", hearts.status_line)
    load_game("tower:game")
    seats = {"option-seats": 3, "player2": "random", "player3": "random"}
    own = settled(site, site.begin("tower", **seats, seed=3))
    assert own.status_line == "Your move: choose a move."


def test_the_move_that_is_shown_is_marked_and_no_step_leads_out_of_the_game(site: Site) -> None:
    address = site.begin("tictactoe", player2="random", seed=2)
    settled(site, address)
    site.post(f"{address}/type", {"text": "b2"})
    settled(site, address)
    ends = re.compile(r'id="step-(\w+)" aria-disabled="true"')
    current = re.compile(r'aria-current="step"><a href="[^"]*\?ply=(\d+)')
    for ply, marked, disabled in ((0, [], ["first", "back"]), (1, ["1"], []), (2, ["2"], ["on", "last"])):
        page = site.get(f"{address}?ply={ply}").text
        assert current.findall(page) == marked
        assert ends.findall(page) == disabled


def test_sentences_alike_are_told_once() -> None:
    told = folded(
        ["Casual rolls again", "Casual rolls again", "You stop", "You stop", "You stop", "Casual rolls again"]
    )
    assert told == ["Casual rolls again, twice", "You stop, 3 times", "Casual rolls again"]


def test_once_the_game_is_over_every_move_is_told_as_it_was(site: Site) -> None:
    address = site.begin("hearts", player2="random", player3="random", player4="random", seed=6)
    session = site.sessions.get(address.rpartition("/")[2])
    settled(site, address)
    unseen = "Random passes a card that you do not see"
    for _ in range(4):
        session.move(int(session.position.legal_moves[0]))
        page = settled(site, address)
    assert unseen in page.text
    while not session.ongoing.ended:
        if session.persons_turn:
            session.move(int(session.position.legal_moves[0]))
        page = settled(site, address)
    assert unseen not in page.text
    assert "Random passes the " in page.text


@pytest.mark.parametrize("mine", [1, 4])
@pytest.mark.parametrize("seed", [1, 2, 3, 4, 5, 6])
def test_who_receives_cards_is_told_which_once_all_have_passed(site: Site, mine: int, seed: int) -> None:
    """In the list and above the board; not before, since they are chosen unseen, and nobody else's."""
    seats = {f"player{number}": PERSON if number == mine else "random" for number in range(1, 5)}
    address = site.begin("hearts", **seats, seed=seed)
    session = site.sessions.get(address.rpartition("/")[2])
    settled(site, address)
    came = re.compile(r"Random[^.]* passes the ([\w ]+) to you")
    while session.position.state.passing:
        if session.persons_turn:
            assert not came.search(settled(site, address).text)
            session.move(int(session.position.legal_moves[0]))
        session.advance(10)
    settled(site, address)
    view = view_of(Visitor(session))
    hand = session.position.view(mine - 1)["received"]
    received = {card_name(13 * suit + rank) for suit, ranks in enumerate(hand) for rank in ranks_in(int(ranks))}
    told = [found[1] for line in view.moves if (found := came.match(line.sentence))]
    assert {*told} == received
    assert sorted(came.findall(view.said)) == sorted(told)
    passes = 9 if session.position.state.direction else 0
    assert sum("a card that you do not see" in line.sentence for line in view.moves) == passes - len(told)


def test_a_move_may_be_typed_in_the_words_of_the_page(site: Site) -> None:
    address = site.begin("gomoku", player2="random", seed=2)
    session = site.sessions.get(address.rsplit("/")[-1])
    assert site.post(f"{address}/type", {"text": "Play h8"}).status == 303
    assert session.ongoing.moves[0] == session.ongoing.positions[0].read("h8")
