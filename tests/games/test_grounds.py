"""The facts that stand behind a reason: what a move's player can check for itself, on written positions and by law."""

from __future__ import annotations

import random
import re
from typing import Any

import hanabi_positions
import numpy as np
import pytest
from lost_cities_positions import position_of

from rulebots.game.position import Position
from rulebots.packages import game_names, load_game
from rulebots.players.sentences import grounds_of, naming, surely

NAMES = ("you", "Ben", "Cleo", "Dan")
#: All clubs, all diamonds, all spades and all hearts; cards are passed to the left, or not at all.
SORTED = " ".join(f"{rank}{suit}" for suit in "CDSH" for rank in (*range(2, 11), *"JQKA"))
TO_THE_LEFT, UNPASSED = f"{SORTED} left hold across right / ", f"{SORTED} hold left across right / "
#: The same, but for the queen of spades and the two of diamonds, whose hands are exchanged.
QUEEN_OUT = UNPASSED.replace("2D", "?").replace("QS", "2D").replace("?", "QS")
#: The mover has climbed three columns, another none.
DICE = "0,0,3,0,0,5,0,0,0,0,0/0,0,0,0,0,0,0,0,0,0,0/- X"


@pytest.mark.parametrize(
    ("name", "position", "move", "said"),
    [
        ("circles", "o/../ooo/o.oo/...../...... 0", "0,0", "It leaves a group of 6."),
        ("circles", "o/../ooo/o.oo/...../o.oo.. 0", "2,0,2,2", "It leaves groups of 2, 2, 1, 1 and 1."),
        ("circles", "./../.../o.../...../..o... 0", "3,0", "It leaves a group of 1."),
        ("circles", "./../.../o.../...../...... 0", "3,0", ""),
        # Of 1,296 rolls 834 have a seven, 727 a six, and 171 a two.
        (
            "cant-stop",
            f"{DICE} 1-6-2-4",
            "7",
            "Of all rolls, 64 % allow 7; 23 % allow 3, 45 % allow 5, 56 % allow 6, 56 % allow 8 and 36 % allow 10.",
        ),
        ("cant-stop", f"{DICE} 1-1-3-3", "2+6", "Of all rolls, 13 % allow 2 and 56 % allow 6; 36 % allow 4."),
        ("cant-stop", f"{DICE} 3-4-3-4", "7+7", "Of all rolls, 64 % allow 7; 56 % allow 6 and 56 % allow 8."),
        (
            "hearts",
            f"{TO_THE_LEFT} 2C 3C",
            "KC",
            "You hold the ace, queen, jack, 10, 9, 8, 7, 6, 5 and 4 of clubs besides.",
        ),
        ("hearts", UNPASSED, "2C", "Others still hold no cards of clubs. Nobody can beat it."),
        (
            "hearts",
            f"{QUEEN_OUT} 2C",
            "QS",
            "Others still hold 12 cards of spades, 2 higher than the queen; Ben plays the last one in hand.",
        ),
        ("hearts", f"{QUEEN_OUT} 2C", "5D", "Others still hold 1 card of diamonds, none higher than the 5."),
        (
            "hearts",
            f"{QUEEN_OUT} 2C 3D",
            "AS",
            "Others still hold 1 card of spades, the queen among them, none higher than the ace.",
        ),
        ("hearts", f"{QUEEN_OUT} 2C 3D 3S", "4H", "Others still hold no cards of hearts."),
    ],
)
def test_the_facts_behind_a_move_are_told(name: str, position: str, move: str, said: str) -> None:
    here = Position.from_text(load_game(name), position)
    assert grounds_of(here, here.read(move), NAMES[: here.seats]) == said


def test_what_a_card_of_hearts_is_certain_of_comes_true() -> None:
    """Whether it takes the trick, if that is certain; what it risks then is no risk where the trick holds points."""
    risky, told = "Playing it would risk taking points.", set[str]()
    for seed in range(1, 5):
        here, claims = Position(load_game("hearts"), seed=seed), dict[int, str]()
        luck = random.Random(seed)  # noqa: S311 - no secret
        while not here.over:
            move = luck.choice(here.legal_moves.tolist())
            facts, sure = grounds_of(here, move, NAMES), surely(risky, here, move, NAMES)
            assert (sure == risky) is not bool(re.search(r"holds \d.*for certain", facts))
            queen = surely("It would risk taking the queen.", here, move, NAMES)
            assert ("take the" in queen) is bool(re.search("for certain|Nobody can beat", facts))
            claims[here.mover] = facts
            before = here.state.won.tolist()
            here.push(move)
            for seat, claim in claims.items() if before != here.state.won.tolist() else ():
                took = here.state.won[seat] > before[seat]
                told |= {claim[-20:]}
                assert took or not re.search("for certain|Nobody can beat", claim)
                assert not (took and "cannot take it" in claim)
            claims = claims if before == here.state.won.tolist() else {}
    assert len(told) > 5


@pytest.mark.parametrize(
    ("where", "move", "said"),
    [
        ({"hand": "4D 6D 9D 2V", "mine": "3D"}, "4d", "You hold 6 and 9 of deserts to follow."),
        ({"hand": "InvD 6D 2V"}, "id", "You hold 6 of deserts to follow."),
        ({"hand": "4D 6D 2V", "deck": 11}, "6d", "Cards left in the deck: 11."),
        ({"hand": "4D 6D 2V", "deck": 12}, "6d", ""),
        (
            {"hand": "3D 6D 2V", "his": "4D 5D 7D"},
            "3d",
            "You hold 6 of deserts to follow. Only the 8, 9 and 10 may still come.",
        ),
        ({"hand": "3D 6D 2V", "mine": "2D", "his": "4D 5D 7D"}, "3d", "You hold 6 of deserts to follow."),
        ({"hand": "9D 2V", "his": "10D"}, "9d", "No other of deserts may still come."),
        ({"hand": "4D 6D 2V"}, "d4d", "In deserts nobody has begun."),
        (
            {"hand": "4D 6D 2V", "mine": "5D", "his": "InvD"},
            "d4d",
            "In deserts you stand at 5 and Ben stands at an investment: only Ben can use the card.",
        ),
        (
            {"hand": "4D 9D 2V", "mine": "5D", "his": "8D"},
            "d4d",
            "In deserts you stand at 5 and Ben stands at 8: neither can use the card.",
        ),
        (
            {"hand": "4D 9D 2V", "mine": "5D", "his": "8D"},
            "d9d",
            "In deserts you stand at 5 and Ben stands at 8: both can use the card.",
        ),
        (
            {"hand": "4D 6D 2V", "his": "8D", "deck": 4},
            "d4d",
            "In deserts Ben stands at 8 and cannot use the card. Cards left in the deck: 4.",
        ),
        (
            {"hand": "4D", "mine": "2V", "piles": "3V 7D", "laid": "d4d"},
            "v",
            "In volcanoes you stand at 2 and can use the card.",
        ),
        (
            {"hand": "4D", "mine": "2V", "piles": "3V 7D", "laid": "d4d"},
            "n",
            "You find the 3 of volcanoes on the piles that continues an expedition.",
        ),
        (
            {"hand": "4D", "mine": "4V", "piles": "3V 7D", "laid": "d4d"},
            "n",
            "You find nothing on the piles that continues an expedition.",
        ),
        (
            {"hand": "4D", "mine": "3D", "laid": "d4d"},
            "n",
            "You find nothing on the piles that continues an expedition.",
        ),
    ],
)
def test_a_card_of_lost_cities_is_seen_beside_its_suit(where: dict[str, Any], move: str, said: str) -> None:
    here = position_of(**where)
    assert grounds_of(here, here.read(move), NAMES[:2]) == said


@pytest.mark.parametrize(
    ("moves", "move", "said"),
    [
        ("", "h1w", "Ben holds the white 1 (fits) as card 4."),
        ("", "h15", "Ben holds the blue 5 (the last one) as card 5. With all tokens there, nothing may be discarded."),
        ("", "d1", "No hint has touched card 1; tokens left: 8."),
        (
            "h1w",
            "p1",
            (
                "No hint has touched card 1. 11 of the 36 unseen cards that it may be fit. "
                "Besides, you hinted white, which means: play card 4."
            ),
        ),
        ("h1w", "p4", "You hinted white, which means: play card 4."),
        ("h15", "d5", ""),  # five kinds are no help
    ],
)
def test_hints_of_hanabi_are_told_with_the_cards(moves: str, move: str, said: str) -> None:
    here = hanabi_positions.position(moves=moves)
    assert grounds_of(here, here.read(move), NAMES[:2]) == said


def test_a_hint_of_hanabi_tells_by_what_it_leaves_out_too() -> None:
    hands = ("R3 Y2 G3 W4 B4", "Y1 B2 G4 W3 B2")
    here = hanabi_positions.position(hands, fireworks="R1 Y1 G1 W1 B1", moves="h12 h12", left=30)
    said = grounds_of(here, here.read("h1b"), NAMES[:2])
    assert said == "Ben holds the blue 2 as card 2 and the blue 2 (fits) as card 5."
    kept = hanabi_positions.position((hands[0], "R5 B2 G4 W3 B2"), moves="h15", left=30)
    said = "You hinted 5s, which means: keep card 1, the last of its kind."
    assert grounds_of(kept, kept.read("d1"), NAMES[:2]) == said, "who is told to keep a card may not want to"
    assert "keep" not in grounds_of(kept, kept.read("d2"), NAMES[:2])
    assert "keep" not in grounds_of(kept, kept.read("p1"), NAMES[:2])
    here = hanabi_positions.position(hands, fireworks="R1 Y1 G1 W1", moves="h11 h12", left=30)
    said = grounds_of(here, here.read("h1b"), NAMES[:2])
    assert said.endswith("and the blue 2 as card 5. It also shows that card 1, the yellow 1, is of no use.")


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ("Ben shows a teammate a card to play", "Ben shows you a card to play"),
        ("Ben saves a good card of the next player's from a discard", "Ben saves a good card of yours from a discard"),
        ("Ben leaves the next player about to discard a good card", "Ben leaves you about to discard a good card"),
    ],
)
def test_the_only_teammate_has_a_name(said: str, plain: str) -> None:
    here = Position(load_game("hanabi"), {"seats": 2}, seed=1)
    here.push(int(here.legal_moves[0]))
    assert naming(said, here, NAMES[:2]) == plain
    assert naming(said, Position(load_game("hanabi"), {"seats": 3}, seed=1), NAMES[:3]) == said


@pytest.mark.parametrize("name", [name for name in game_names() if load_game(name).text.grounds])
def test_a_player_knows_the_facts_behind_its_moves(name: str) -> None:
    """They are the same in every position that looks the same to it."""
    game = load_game(name)
    rng = np.random.default_rng(5)
    here = Position(game, seed=5)
    heard = set[str]()
    while not here.over:
        if not here.chance_to_move:
            twin = here.redealt(int(rng.integers(1, 1000)))
            for move in here.legal_moves.tolist():
                told = grounds_of(here, move, NAMES[: here.seats])
                assert grounds_of(twin, move, NAMES[: here.seats]) == told
                assert not re.search(r"[{}]|\(e?s\)", told), told
                heard.add(told)
        here.push(int(rng.choice(here.legal_moves)))
    assert len(heard) > 3
