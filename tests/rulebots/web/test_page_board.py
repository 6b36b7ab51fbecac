"""What the page shows of a position: nothing hidden, and something whatever the game's drawing does."""

from __future__ import annotations

import re

import pytest
from game_copies import with_parts, with_text
from page_client import Site, settled

from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.games.lost_cities.cards import KINDS, card_text
from rulebots.output.diagram import Diagram
from rulebots.packages import load_game
from rulebots.records import PERSON
from rulebots.web.board import board_of, choose
from rulebots.web.view import Visitor, view_of


def test_nothing_hidden_is_sent(site: Site) -> None:
    """The page of a seat is the same whatever the cards are that it cannot see."""
    address = site.begin("lost-cities", player2="random", seed=8)
    session = site.sessions.get(address.rsplit("/")[-1])
    for _ in range(6):
        page = settled(site, address)
        place = page.places[0]
        moved = site.post(f"{address}/place", {"place": place})
        if "?chosen=" in moved.location:
            target = re.findall(r'value="([^"]*)" class="place[^"]* target', site.get(moved.location).text)[0]
            site.post(f"{address}/place", {"place": target, "chosen": place})
    settled(site, address)
    assert session.persons_turn
    shown = board_of(session.position, session.viewpoint, playing=True)
    for luck in (1, 2, 3):
        other = session.position.redealt(luck)
        assert other.state.tobytes() != session.position.state.tobytes()
        again = board_of(other, session.viewpoint, playing=True)
        assert again.diagram is not None
        assert shown.diagram is not None
        assert (again.diagram.shapes, again.diagram.places) == (shown.diagram.shapes, shown.diagram.places)
        assert again.buttons == shown.buttons
    assert site.get(f"{address}/record").status == 422
    assert site.get(f"{address}/why?ply={len(session.ongoing.moves)}").status == 422
    assert site.get(f"{address}/hint").status == 200


@pytest.mark.parametrize("game", ["lost-cities", "hearts", "hanabi"])
def test_hands_open_when_the_game_is_over_and_close_where_it_goes_on(site: Site, game: str) -> None:
    """At every move, seen from the same side as before."""
    seats = 4 if game == "hearts" else 2
    players = {f"player{seat}": "random" for seat in range(1, seats + 1) if seat != 2}
    address = site.begin(game, player2=PERSON, seed=8, **players)
    session = site.sessions.get(address.rsplit("/")[-1])
    settled(site, address)
    assert session.persons == [1]
    session.move(int(session.position.legal_moves[0]))
    path = f"{address}/position.svg?ply=1"
    closed = site.get(path).text
    while not session.ongoing.ended:
        settled(site, address)
        if session.persons_turn:
            session.move(int(session.position.legal_moves[0]))
    state = session.ongoing.positions[1]
    assert site.get(path).text != closed
    board = view_of(Visitor(session), 1).board
    opened, own, all_hands = board.diagram, board_of(state, 1, playing=False), board_of(state, None, playing=False)
    assert opened is not None
    assert own.diagram is not None
    assert all_hands.diagram is not None
    assert (opened.width, opened.height, opened.words) == (own.diagram.width, own.diagram.height, own.diagram.words)
    assert opened.shapes != own.diagram.shapes
    assert opened.shapes != all_hands.diagram.shapes, "that is the first seat's side"
    for position in session.ongoing.positions[:8]:
        for move in [] if position.chance_to_move else position.legal_moves.tolist():
            marked = board_of(position, 1, playing=False, opened=True, advice=move).advice
            assert marked, f"{position.write(move)} of seat {position.mover} is marked in its open hand"
    del session.ongoing.positions[-1], session.ongoing.moves[-1]
    session.ongoing.position = session.ongoing.positions[-1]
    assert not session.ongoing.ended
    assert view_of(Visitor(session), 1).board.diagram.shapes == own.diagram.shapes  # type: ignore[union-attr]  # it has one


def test_a_drawing_that_cannot_be_opened_is_that_of_all_seats() -> None:
    def draw(position: Position, seat: int | None) -> Diagram:
        return Diagram(10, 10, f"seen by {seat}")

    position = Position(with_parts(load_game("lost-cities"), draw=draw), seed=1)
    words = [board_of(position, 1, playing=False, opened=opened).diagram.words for opened in (False, True)]  # type: ignore[union-attr]  # it has one
    assert words == ["seen by 1", "seen by None"]


def test_a_picture_a_text_and_points_that_tell_a_hidden_hand_are_not_sent(site: Site) -> None:
    from rulebots.game.position import Position

    def show(state: object, seat: int | None) -> str:
        return f"treasure {state}"

    def draw(position: Position, seat: int | None) -> Diagram:
        return Diagram(10, 10, show(position.state, seat))

    position = Position(with_parts(with_text(load_game("lost-cities"), show=show), draw=draw), seed=1)
    board = board_of(position, position.mover, playing=True)
    assert board.diagram is None
    assert "`draw` of lost-cities leaks hidden information" in board.remark
    assert "`show` of lost-cities leaks hidden information" in board.text
    assert len(board.moves) == len(position.legal_moves)
    assert "treasure" in board_of(position, None, playing=False).diagram.words  # type: ignore[union-attr]


def test_a_game_that_draws_nothing_or_fails_to_has_its_text_and_buttons() -> None:
    from rulebots.game.position import Position

    game = load_game("kalah")
    plain: Game = with_parts(game, draw=None)
    board = board_of(Position(plain), 0, playing=True)
    assert board.diagram is None
    assert [name for _, name in board.moves] == list("012345")
    assert "4" in board.text

    def wrong(position: object, seat: int | None) -> object:
        raise KeyError("pit")

    def nowhere(position: object, seat: int | None) -> object:
        return Diagram(10, 10, "no board").way(3, "pit")

    here = r"test_page_board\.py:\d+: "
    for draw, said in (
        (wrong, f"{here}`wrong` raised KeyError"),
        (nowhere, f"{here}`nowhere` makes a mistake: move 3: no place 'pit'"),
        (lambda position, seat: "a picture", ""),
    ):
        board = board_of(Position(with_parts(game, draw=draw)), 0, playing=True)
        assert board.diagram is None
        assert "`draw` of kalah" in board.remark
        assert re.search(said, board.remark)
        assert len(board.moves) == 6


def ring_of(text: str, count: int) -> list[str]:
    """The rings of a hint, of which there are so many."""
    rings = re.findall(r'<rect class="look-hint-ring"[^>]*>', text)
    assert len(rings) == count, text
    return rings


def test_the_browser_gets_what_it_needs_to_move_pieces(site: Site) -> None:
    address = site.begin("kalah", player2="you")
    assert "data-step" not in settled(site, address).text, "nothing has happened yet"
    page = site.act(f"{address}/place", place="lower pit 3", last=0)
    assert page.text.startswith("<section"), "a fragment"
    seeds = re.findall(r'<g class="piece" data-key="seed"(?: data-step="(\d+)")? data-start="([^"]*)">', page.text)
    assert len(seeds) == 48
    assert {start for _, start in seeds} == {"lower pit 3"}


def test_the_opponents_turn_stays_marked_while_one_moves(site: Site) -> None:
    address = site.begin("lost-cities", player2="random", seed=8, side="second")
    settled(site, address)
    session = site.sessions.get(address.rsplit("/")[-1])
    assert session.position.plies == 2, "the opponent has laid a card and drawn one"
    for _ in range(2):
        diagram = view_of(Visitor(session)).board.diagram
        assert diagram is not None
        [card] = [piece.key for piece in diagram.pieces if piece.marked]
        assert card == card_text(session.ongoing.moves[0] % KINDS)
        session.move(int(session.position.legal_moves[0]))


def test_a_hint_stands_on_the_board(site: Site) -> None:
    address = site.begin("kalah", player2="random", seed=1)
    settled(site, address)
    fragment = site.get(f"{address}/hint?player=hand_tuned", hx_request="true")
    assert 'id="advice-0" hx-swap-oob="outerHTML"' in fragment.text
    ring_of(fragment.text, 1)
    assert "look-note" not in fragment.text, "scores of rules mean nothing to people"
    plain = site.get(f"{address}/hint?player=hand_tuned").text
    ring_of(plain, 1)
    assert 'aria-label="Board: ' in plain, "without scripts the board stands beside the reasons"
    assert "hx-swap-oob" not in plain


def test_a_hint_of_the_second_person_stands_on_the_board_that_both_see(site: Site) -> None:
    address = site.begin("kalah", player2=PERSON)
    site.post(f"{address}/move", {"move": 3})
    corner = r'x="([\d.]+)" y="([\d.]+)"'
    places = re.findall(f'<foreignObject {corner}[^>]*><button [^>]*class="[^"]*" aria', site.get(address).text)
    (ring,) = re.findall(f'look-hint-ring" {corner}', site.get(f"{address}/hint", HX_Request="true").text)
    assert len(places) == 6
    assert ring in places


def test_an_arrow_leads_from_the_card_to_where_it_is_laid(site: Site) -> None:
    address = site.begin("lost-cities", player2="random", seed=8)
    settled(site, address)
    text = site.get(f"{address}/hint", hx_request="true").text
    ring_of(text, 2)
    assert text.count('class="look-hint-line"') == text.count('class="look-hint"') == 1


def test_the_columns_of_a_hint_are_ringed_where_moves_are_buttons() -> None:
    from rulebots.game.position import Position

    position = Position.from_text(load_game("cant-stop"), f"{'/'.join(['0,0,0,0,0,0,0,0,0,0,0'] * 2)}/- X 1-3-3-4")
    move = position.read("4+7")
    board = board_of(position, 0, playing=True, advice=move)
    assert {int(number) for number, _ in board.moves} == set(position.legal_moves.tolist())
    columns = [board.diagram.places[name] for name in ("column 4", "column 7")]  # type: ignore[union-attr]  # it has a diagram
    rings = [dict(shape.numbers) for shape in board.advice if shape.look == "hint-ring"]
    assert [ring["x"] for ring in rings] == [place.x for place in columns]


def test_a_column_that_one_move_alone_is_about_makes_it() -> None:
    """Buttons below the board were all that could be clicked at Can't Stop."""
    from rulebots.game.position import Position

    position = Position.from_text(load_game("cant-stop"), f"{'/'.join(['0,0,0,0,0,0,0,0,0,0,0'] * 2)}/- X 1-3-3-4")
    board = board_of(position, 0, playing=True)
    assert [place.name for place, is_open, _ in board.buttons if is_open] == [f"column {n}" for n in (4, 5, 6, 7)]
    assert choose(position, 0, "", "column 7") == choose(position, 0, "", "column 4") == (position.read("4+7"), "")
    assert {int(number) for number, _ in board.moves} == set(position.legal_moves.tolist())


def test_what_chance_may_bring_is_told_with_the_names_of_the_seats() -> None:
    climbed = "0,0,3,0,0,5,0,0,0,0,0/0,0,0,0,0,0,0,0,0,0,0"
    position = Position.from_text(load_game("cant-stop"), f"{climbed}/1,0,4,0,0,6,0,0,0,0,0 X dice")
    said = [words for _, words in board_of(position, None, playing=True, names=("Ann", "Ben")).moves]
    assert any(words.endswith(": Ann busts and loses what was climbed in 2, 4 and 7") for words in said)
    assert not any("seat" in words for words in said)


def test_the_end_of_a_game_is_an_event(site: Site) -> None:
    address = site.begin("tictactoe", player2="random", seed=2)
    while (page := settled(site, address)).places:
        site.act(f"{address}/place", place=page.places[0])
    over = page.text.partition('aria-label="The game is over"')[2].partition("</div>")[0]
    assert "Play again" in over
    assert ">Review</a>" in over
    assert re.fullmatch(r"(You|Random) won\.|A draw\.", page.status_line), "0 and 1 are no points"
    assert page.text.count("Play again") == 1
    assert "The game is over" not in site.get(f"{address}?ply=1").text
    if "draw" not in page.status_line:
        assert page.text.count('<line class="look-won"') == 1


def test_the_board_names_the_players_of_its_seats(site: Site) -> None:
    """A diagram does not know who plays: it says "left" and "player 2"."""
    page = settled(site, site.begin("kalah", player2="level:casual", seed=2))
    assert re.findall(r'<tspan class="look-seat-(\d)">●</tspan> ([^<]*)</text>', page.text) == [
        ("0", "you"),
        ("1", "Casual"),
    ]


def test_each_of_two_equal_cards_can_be_chosen() -> None:
    for seed in range(1, 50):
        position = Position(load_game("lost-cities"), seed=seed)
        board = board_of(position, 0, playing=True)
        copies = [(place.name, is_open) for place, is_open, _ in board.buttons if "copy" in place.name]
        if copies:
            break
    [(copy, is_open), *_] = copies
    assert is_open
    first = copy.partition(" ")[0]
    assert choose(position, 0, "", copy) == (None, copy)
    marks = {place.name: mark for place, _, mark in board_of(position, 0, playing=True, chosen=copy).buttons}
    assert marks[copy] == "chosen"
    assert not marks[first]
    target = next(name for name, mark in marks.items() if mark == "target")
    assert choose(position, 0, copy, target) == choose(position, 0, first, target)


def test_a_line_may_be_chosen_from_either_end() -> None:
    position = Position(load_game("circles"), seed=1)
    assert choose(position, 0, "", "5,2") == (None, "5,2")
    assert choose(position, 0, "5,2", "5,0") == choose(position, 0, "5,0", "5,2")
    marks = {place.name: mark for place, _, mark in board_of(position, 0, playing=True, chosen="5,5").buttons}
    assert marks["5,4"] == marks["5,3"] == marks["4,4"] == "target"


def test_what_is_known_of_a_card_is_said_in_words() -> None:
    position = Position(load_game("hanabi"), seed=3)
    position.push("h12")
    shown = board_of(position, 1, playing=True)
    assert shown.diagram is not None
    labels = {name: place.label for name, place in shown.diagram.places.items()}
    ones = [label for label in labels.values() if label.endswith("hinted 2, colour unknown, number 2")]
    assert ones
    others = [label for name, label in labels.items() if name.startswith("{1} ") and label not in ones]
    assert all(label.endswith("not hinted, colour unknown, number 1 or 3 or 4 or 5") for label in others)


def test_an_open_hand_hides_no_points() -> None:
    position = Position(load_game("lost-cities"), seed=3)
    for text in ("3d", "n"):
        position.push(text)
    opened = board_of(position, 1, playing=False, opened=True).diagram
    assert opened is not None
    cards = [dict(shape.numbers) for shape in opened.shapes if shape.kind == "rect"]
    hand = max(card["y"] + card["height"] for card in cards if card["width"] == 18)
    points = [dict(shape.numbers)["y"] for shape in opened.shapes if re.fullmatch(r"[+-]\d+", shape.words)]
    assert points
    assert min(points) > hand + 5


def test_a_played_card_of_hanabi_leads_to_its_own_firework_where_it_is_seen() -> None:
    """A hidden one leads to all of them: its own would tell its colour."""
    position = Position(load_game("hanabi"), seed=7)
    play = position.read("p1")
    hidden = board_of(position, position.mover, playing=True).diagram
    opened = board_of(position, None, playing=True).diagram
    assert hidden is not None
    assert opened is not None
    assert hidden.ways[play][1] == "fireworks"
    assert opened.ways[play][1] in {f"{colour} firework" for colour in ("red", "yellow", "green", "white", "blue")}
    assert opened.places[opened.ways[play][1]].width < hidden.places["fireworks"].width
