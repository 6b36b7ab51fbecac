"""Moves in sentences: written positions of each game, and what holds for every game and for the examples."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from game_copies import with_text

from rulebots.checking.text import check_text
from rulebots.game import CHANCE, UNKNOWN
from rulebots.game.position import Position
from rulebots.games.hanabi.cards import COPIES
from rulebots.games.hearts.cards import RANK_TEXTS
from rulebots.packages import game_names, load_game

EXAMPLES = [f"rulebots.packages.examples.{name}.game:game" for name in ("new_board", "new_cards", "new_dice")]
NAMES = ("you", "b", "c", "d")
#: All clubs, all diamonds, all spades and all hearts; cards are passed to the left, or not at all.
SORTED = " ".join(f"{rank}{suit}" for suit in "CDSH" for rank in (*range(2, 11), *"JQKA"))
TO_THE_LEFT, UNPASSED = f"{SORTED} left hold across right / ", f"{SORTED} hold left across right / "
CLIMBED = "0,0,3,0,0,5,0,0,0,0,0/0,0,0,0,0,0,0,0,0,0,0"


@pytest.mark.parametrize(
    ("name", "position", "move", "said"),
    [
        ("tictactoe", "3/1X1/3 O b2", "0,2", "b plays c1"),
        ("gomoku", None, "h8", "You play h8"),
        ("circles", None, "1,0", "You take the stone on 1,0"),
        ("circles", None, "0,0,2,2", "You take 3 stones, 0,0 to 2,2"),
        ("kalah", None, "2", "You sow pit 2 and move again"),
        ("kalah", "4,4,4,4,4,4,0/4,4,4,4,4,4,0 1", "1", "b sows pit 1"),
        ("cant-stop", f"{CLIMBED}/- X 1-1-2-6", "2+8", "You advance in 2 and 8"),
        ("cant-stop", f"{CLIMBED}/- X 1-6-2-5", "7+7", "You advance twice in 7"),
        ("cant-stop", f"{CLIMBED}/0,0,4,0,0,6,0,0,0,0,0 X decide", "stop", "You stop and keep 4 and 7"),
        (
            "cant-stop",
            f"{CLIMBED}/3,0,4,0,0,13,0,0,0,0,0 X decide",
            "stop",
            "You stop and keep 2, 4 and 7, and win columns 2 and 7",
        ),
        ("cant-stop", f"{CLIMBED}/0,0,4,0,0,6,0,0,0,0,0 X decide", "roll", "You roll again"),
        ("cant-stop", f"{CLIMBED}/- X dice", "1-1-2-2", "You roll 1, 1, 2 and 2"),
        (
            "cant-stop",
            f"{CLIMBED}/1,0,4,0,0,6,0,0,0,0,0 X dice",
            "4-4-4-5",
            "The dice show 4, 4, 4 and 5: you bust and lose what was climbed in 2, 4 and 7",
        ),
        (
            "cant-stop",
            "3,5,0,0,0,12,0,0,0,0,0/0,0,0,0,0,0,0,0,0,0,3/0,0,0,2,0,0,0,0,0,0,0 X 1-1-1-6",
            "7",
            "You advance in 7, keep 5 and 7 and win, 3 columns to 1",
        ),
        ("hearts", TO_THE_LEFT, "5C", "You pass the 5 of clubs to b"),
        ("hearts", UNPASSED, "2C", "You lead the 2 of clubs"),
        ("hearts", f"{UNPASSED} 2C 2D 2S", "2H", "d plays the 2 of hearts: you take the trick, -1 point"),
        (
            "hearts",
            f"{UNPASSED} 2C 2D 2S 2H 3C 3D QS",
            "3H",
            "d plays the 3 of hearts: you take the trick with the queen of spades, -14 points",
        ),
        (
            "hearts",
            f"{UNPASSED} {' '.join(f'{rank}{suit}' for rank in RANK_TEXTS for suit in 'CDSH').removesuffix(' AH')}",
            "AH",
            "d plays the ace of hearts: you take the trick and shoot the moon: -26 points for everybody else",
        ),
    ],
)
def test_a_move_is_told_in_a_sentence(name: str, position: str | None, move: str, said: str) -> None:
    game = load_game(name)
    here = Position(game) if position is None else Position.from_text(game, position)
    before = here.state.tobytes()
    assert here.sentence(here.read(move), NAMES[: here.seats]) == said
    assert here.state.tobytes() == before


@pytest.mark.parametrize(
    ("bombs", "lives", "cost"),
    [
        (0, 2, "a life is lost"),
        (0, 1, "the third life is lost: 0 points instead of 5"),
        (1, 1, "the third life is lost"),
    ],
)
def test_the_third_life_of_hanabi_costs_the_points(bombs: int, lives: int, cost: str) -> None:
    here = Position(load_game("hanabi"), {"bombs": bombs}, seed=3)
    here.state.fireworks[:] = [5, 0, 0, 0, 0]
    here.state.lives = lives
    said = {here.sentence(here.read(f"p{place}"), NAMES[: here.seats]) for place in range(1, 6)}
    assert any(one.endswith(f", which does not fit: {cost}") for one in said)


@pytest.mark.parametrize(
    ("gone", "lost", "said"),
    [(1, 0, ": 4 points can no longer be made"), (0, 0, ""), (1, 3, ": 1 point can no longer be made"), (1, 1, "")],
)
def test_the_last_card_of_a_kind_costs_the_points_that_need_it(gone: int, lost: int, said: str) -> None:
    """Unless others of its suit are lost already."""
    here = Position(load_game("hanabi"), seed=3)
    here.state.tokens = 7
    card = int(here.state.hands[0, 0])
    first = card - card % 5
    here.state.hands[0, 0] = first + 1
    here.state.discards[first + 1] = gone
    if lost:
        here.state.discards[first + lost - 1] = COPIES[lost - 1]
    told = here.sentence(here.read("d1"), NAMES[: here.seats])
    assert told.endswith(f" 2{said}")
    ending = "a life is lost" + said.replace(":", " and")
    assert here.sentence(here.read("p1"), NAMES[: here.seats]).endswith(f" 2, which does not fit: {ending}")


def test_cards_of_lost_cities_are_named() -> None:
    here = Position(load_game("lost-cities"), seed=3)
    for move, said in {
        "ij": "You play an investment in jungles",
        "n": "You draw from the deck",
        "d7d": "b discards the 7 of deserts",
    }.items():
        assert here.sentence(here.read(move), NAMES) == said
        here.push(move)
    here = Position(load_game("lost-cities"), seed=3)
    for move in ("d3d", "n", "3m"):
        here.push(move)
    assert here.sentence(here.read("d"), NAMES) == "b takes the 3 of deserts from its pile"


def test_who_is_not_told_of_a_move_hears_that_one_was_made() -> None:
    game = load_game("hearts")
    here = Position.from_text(game, TO_THE_LEFT)
    move = here.read("5C")
    assert here.sentence(move, NAMES, UNKNOWN) == "You pass a card that you do not see"
    assert here.sentence(move, NAMES, here.read("6C")) == "You play pass:6C", "as much as is known of it"
    plain = with_text(game, sentence=None)
    assert Position.from_text(plain, TO_THE_LEFT).sentence(move, NAMES) == "You play pass:5C"


@pytest.mark.slow
@pytest.mark.parametrize("name", [*game_names(), *EXAMPLES])
def test_every_move_of_a_random_game_is_told(name: str) -> None:
    game = load_game(name)
    rng = np.random.default_rng(1)
    here = Position(game, seed=1)
    while not here.over:
        move = int(rng.choice(here.legal_moves))
        mover = here.mover
        told = here.sentence(move, NAMES)
        assert not re.search(r"[{}]|\\(e?s\\)", told), told
        if game.text.sentence is None:
            assert told.endswith(f" {here.write(move)}")
        else:
            assert told.partition(" ")[2] != f"play {here.write(move)}"
        assert told.startswith(
            ("You ",) if mover == 0 else ("The ", "Chance ", "You ", *NAMES) if mover == CHANCE else NAMES[mover]
        )
        for heard in {*game.heard(here.state, move)} - {move}:
            assert here.sentence(move, NAMES, heard).strip()
        here.push(move)


@pytest.mark.parametrize(
    ("sentence", "fault"),
    [
        (lambda state, move: "", "gives '' for the move 12: expected what it does"),
        (lambda state, move: None, "gives None for the move 12: expected what it does"),
        (
            lambda state, move: "ask(s) {7}",
            "leaves braces in 'ask(s) {7}': expected names of seats only, '{0}' to '{1}'",
        ),
        (lambda state, move: "ask(s) {b}", "leaves braces in 'ask(s) {b}'"),
    ],
)
def test_a_wrong_sentence_is_found(sentence: Any, fault: str) -> None:
    assert fault in str(check_text(with_text(load_game("tictactoe"), sentence=sentence))[0])


@pytest.mark.parametrize(
    ("grounds", "fault"),
    [
        (lambda state, move: None, "gives None for the move 12"),
        (lambda state, move: "{7} hold(s) it.", "leaves braces in '{7} hold(s) it.'"),
        (lambda state, move: state.nothing, "nothing"),
    ],
)
def test_wrong_grounds_are_found(grounds: Any, fault: str) -> None:
    assert fault in str(check_text(with_text(load_game("tictactoe"), grounds=grounds))[0])
    assert not check_text(with_text(load_game("tictactoe"), grounds=lambda state, move: "")), "no facts are none"
