"""What the page says of a game."""

from __future__ import annotations

import re

from page_client import Site, settled

from rulebots.records import PERSON
from rulebots.registry import load_game
from rulebots.web.looking import Looker
from rulebots.web.snapshot import snapshot_of


def test_what_a_move_scores_is_said(site: Site) -> None:
    address = site.begin("kalah", player2="random", position="4,0,5,5,5,4,1/5,4,4,4,4,3,0 1")
    settled(site, address)
    site.post(f"{address}/type", {"text": "2"})
    settled(site, address)
    said = snapshot_of(Looker(site.sessions.get(address.rsplit("/")[-1]))).said
    assert said.startswith("You play 2: +1 for you. random plays "), said


def test_a_hint_is_said_with_what_it_means(site: Site) -> None:
    address = site.begin("hanabi", option_seats=3, player2="sociable", player3="sociable", seed=1)
    settled(site, address)
    site.post(f"{address}/type", {"text": "h1r"})
    settled(site, address)
    said = snapshot_of(Looker(site.sessions.get(address.rsplit("/")[-1]))).said
    assert said.endswith("plays h15 (meant: keep card 1, the last of its kind)."), said


def test_the_page_says_what_the_last_moves_were(site: Site) -> None:
    address = site.begin("tictactoe", player2="random", seed=2)
    settled(site, address)
    site.post(f"{address}/type", {"text": "1,1"})
    settled(site, address)
    snapshot = snapshot_of(Looker(site.sessions.get(address.rsplit("/")[-1])))
    assert re.fullmatch(r"random plays \d,\d\.", snapshot.said)
    assert [line.who for line in snapshot.moves] == [PERSON, "random"]


def test_points_of_all_together_are_said_once(site: Site) -> None:
    load_game("tower:game")
    address = site.begin("tower", **{"option-seats": 3}, player2="anyhow", player3="random", seed=3)
    settled(site, address)
    site.post(f"{address}/move", {"move": 2})
    settled(site, address)
    session = site.sessions.get(address.rsplit("/")[-1])
    snapshot = snapshot_of(Looker(session))
    assert snapshot.points == (("all", session.position.points[0]),)
    assert snapshot.points[0][1] > 0
    assert re.match(r"You play 2: \+\d for all\. anyhow plays ", snapshot.said), snapshot.said
    assert "for you" not in snapshot.said
