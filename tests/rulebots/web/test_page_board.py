"""What the page shows of a position: nothing hidden, and something whatever the game's drawing does."""

from __future__ import annotations

import re
from dataclasses import replace

from game_copies import with_parts
from page_client import Site, settled

from rulebots.game import Game
from rulebots.output.diagram import Diagram
from rulebots.registry import load_game
from rulebots.web.board import board_of


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
    shown = board_of(session.position, session.viewer, playing=True)
    for luck in (1, 2, 3):
        other = session.position.redealt(luck)
        assert other.state.tobytes() != session.position.state.tobytes()
        again = board_of(other, session.viewer, playing=True)
        assert again.diagram is not None
        assert shown.diagram is not None
        assert (again.diagram.shapes, again.diagram.places) == (shown.diagram.shapes, shown.diagram.places)
        assert again.buttons == shown.buttons
    assert site.get(f"{address}/record").status == 422
    assert site.get(f"{address}/why?ply={len(session.ongoing.moves)}").status == 422
    assert site.get(f"{address}/hint").status == 200


def test_a_picture_a_text_and_points_that_tell_a_hidden_hand_are_not_sent(site: Site) -> None:
    from rulebots.game.position import Position

    def show(state: object, seat: int | None) -> str:
        return f"treasure {state}"

    def draw(position: Position, seat: int | None) -> Diagram:
        return Diagram(10, 10, show(position.state, seat))

    position = Position(with_parts(replace(load_game("lost-cities"), show=show), draw=draw), seed=1)
    board = board_of(position, position.mover, playing=True)
    assert board.diagram is None
    assert "`draw` of lost-cities tells a seat what is hidden from it" in board.remark
    assert "`show` of lost-cities tells a seat what is hidden from it" in board.text
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

    for draw in (wrong, lambda position, seat: "a picture"):
        board = board_of(Position(with_parts(game, draw=draw)), 0, playing=True)
        assert board.diagram is None
        assert "`draw` of kalah" in board.remark
        assert len(board.moves) == 6
