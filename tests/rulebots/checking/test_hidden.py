"""What games hide is checked: `undeal`, and text, picture or points that tell of hidden cards."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import goofspiel
import numpy as np
import pytest
from fists import fists, redeal_but_the_fist
from game_copies import stranger, with_parts, with_text
from love_letter import love_letter, redeal_but_the_hand, setup_without_wiping
from ordered_hands import ordered_hands

from rulebots.checking import check_law
from rulebots.checking.hidden import check_secrecy, check_told, check_undeal, leaks
from rulebots.checking.views import check_observation
from rulebots.game import Game
from rulebots.game.random_numbers import next_luck
from rulebots.kernel import kernel
from rulebots.output.diagram import Diagram
from rulebots.packages import game_names, is_shipped, load_game

HIDDEN_GAMES = [game for game in map(load_game, game_names()) if game.undeal is not None]


@pytest.fixture
def tricks(tmp_path: Any, forget: object) -> Game:
    """The game that `rulebots new --hidden` writes."""
    return load_game(str(stranger("tricks", "tricks", tmp_path) / "tricks"))


@pytest.mark.slow
@pytest.mark.parametrize("game", HIDDEN_GAMES, ids=lambda game: game.name)
def test_the_games_that_ship_are_taken_back(game: Game) -> None:
    assert check_undeal(game) == []


@pytest.mark.slow
def test_the_game_of_the_template_is_taken_back(tricks: Game) -> None:
    assert check_undeal(tricks) == []
    assert check_observation(tricks) == []


def losing_a_card(right: Any) -> Any:
    """An `undeal` that puts the first card that was played into the box."""

    @kernel
    def lossy(state: Any, seats: Any, moves: Any, options: Any, deal: Any, luck: int) -> int:
        luck = right(state, seats, moves, options, deal, luck)
        for i in range(8):
            if moves.shape[0] > 0 and deal[i] == moves[0]:
                deal[i], deal[11] = deal[11], deal[i]
        return luck

    return lossy


@kernel
def twice_the_same(state: Any, seats: Any, moves: Any, options: Any, deal: Any, luck: int) -> int:
    """One card, all over."""
    for i in range(deal.shape[0]):
        deal[i] = 3
    return luck


@kernel
def nothing(state: Any, seats: Any, moves: Any, options: Any, deal: Any, luck: int) -> int:
    """Forgets to write."""
    return luck


@kernel
def of_the_past_only(state: Any, seats: Any, moves: Any, options: Any, deal: Any, luck: int) -> int:
    """The moves can be made, but other cards stay in the hands."""
    owner = np.zeros(12, np.int64)
    for ply in range(moves.shape[0]):
        owner[moves[ply]] = seats[ply] + 1
    first, second, rest = 0, 1, 0
    for card in range(12):
        if owner[card] == 1:
            deal[first] = card
            first += 2
        elif owner[card] == 2:
            deal[second] = card
            second += 2
    free = [*range(first, 8, 2), *range(second, 8, 2), 8, 9, 10, 11]
    for card in range(12):
        if owner[card] == 0:
            deal[free[rest]] = card
            rest += 1
    return luck


WRONG = {
    "moves that cannot be made": (losing_a_card, "cannot be made: who makes it has to hold by then what it needs"),
    "other numbers": (twice_the_same, "expected the numbers of a deal in some order"),
    "nothing written": (nothing, r"writes nothing into deal\[0\]: it has to write all"),
    "another hand": (of_the_past_only, r"lead elsewhere: seat \d would see another view.hand"),
}


@pytest.mark.parametrize("mistake", WRONG)
def test_a_mistake_is_one_line_with_its_place(mistake: str, tricks: Game) -> None:
    body, words = WRONG[mistake]
    wrong = body(tricks.undeal) if body is losing_a_card else body
    (problem,) = check_undeal(replace(tricks, undeal=wrong))
    assert "\n" not in str(problem)
    assert str(problem).startswith(__file__) or "test_hidden.py:" in str(problem)
    assert re.search(words, str(problem)), problem
    assert not problem.note


def test_deals_of_other_numbers_are_refused(tricks: Game) -> None:
    drawn = replace(tricks, draw_deals=lambda rng, count, _: rng.integers(0, 12, (count, 12)))
    (problem,) = check_undeal(drawn)
    assert "deals other numbers each time: `undeal` is for deals that are orders of the same numbers" in str(problem)


@kernel
def shuffled_in_place(state: Any, luck: int) -> int:
    """Moves what is hidden one place on: it depends on where that was."""
    theirs, last = 2 - state.mover, -1
    for card in range(12):
        if state.place[card] == 0 or state.place[card] == theirs:
            if last >= 0:
                state.place[last], state.place[card] = state.place[card], state.place[last]
            last = card
    return luck


@pytest.mark.slow
def test_a_redeal_that_tells_of_what_was_hidden_is_noted(tricks: Game) -> None:
    found = check_observation(replace(tricks, redeal=shuffled_in_place))
    notes = [problem for problem in found if "that the mover cannot tell apart" in str(problem)]
    assert len(notes) == 1
    assert notes[0].note


def show(state: Any, seat: int | None) -> str:
    """Everything, for every seat."""
    return str(state)


def draw(position: Any, seat: int | None) -> Diagram:
    """The same, for those who do not see the picture."""
    return Diagram(10, 10, str(position.state))


@kernel
def points(state, seat):
    """A card of the other seat's hand."""
    return state.hand[1 - seat, 0]


def fails(position: Any, seat: int | None) -> Diagram:
    raise KeyError("nowhere")


@pytest.fixture
def hidden() -> Game:
    return load_game("lost-cities")


def sentence(state: Any, move: int) -> str:
    """What the other seat holds."""
    return f"move(s) against {state.hand[1 - state.mover, 0]}"


@pytest.mark.slow
def test_a_seat_that_is_shown_the_other_hand(hidden: Game) -> None:
    assert leaks(hidden) == frozenset()
    leaky = with_parts(with_text(replace(hidden, points=points), show=show, sentence=sentence), draw=draw)
    assert leaks(leaky) == {"show", "draw", "points", "sentence"}
    assert [str(found).partition(":")[0].endswith("test_hidden.py") for found in check_secrecy(leaky)] == [True] * 3
    assert "`draw` tells a seat what is hidden from it" in str(check_secrecy(leaky)[0])


def looked_on(position: Any) -> Diagram:
    """A card of the second seat's hand, which that seat knows and the first one does not."""
    return Diagram(10, 10, f"card {position.state.hand[1, 0]}")


@pytest.mark.slow
def test_who_looks_on_is_shown_a_hand(hidden: Game) -> None:
    leaky = with_parts(hidden, look_on=looked_on)
    assert leaks(leaky) == {"look_on"}
    [found] = check_secrecy(leaky)
    assert "`looked_on` tells who looks on what is hidden from a seat" in str(found)


def show_to_mover(state: Any, seat: int | None) -> str:
    """Whatever the seat, the hand of who is to move."""
    return f"card {state.hand[state.mover, 0]}"


def movers_hand(position: Any) -> Diagram:
    """A card of whoever is to move."""
    return Diagram(10, 10, f"card {position.state.hand[position.mover, 0]}")


@pytest.mark.slow
def test_who_waits_is_shown_the_hand_of_who_is_to_move(hidden: Game) -> None:
    leaky = with_parts(with_text(hidden, show=show_to_mover), draw=lambda at, _: movers_hand(at), look_on=movers_hand)
    assert leaks(leaky) == {"show", "draw", "look_on"}


@pytest.mark.slow
@pytest.mark.parametrize("name", [game.name for game in map(load_game, game_names()) if game.hidden])
def test_shipped_games_tell_nothing_hidden_so_that_the_page_need_not_look(name: str) -> None:
    game = load_game(name)
    assert is_shipped(game)
    assert not is_shipped(with_text(game, show=show))
    assert leaks(game) == frozenset()


def test_nothing_is_told_where_nothing_is_hidden_or_nothing_is_drawn(hidden: Game) -> None:
    assert leaks(with_text(load_game("kalah"), show=show)) == frozenset()
    assert leaks(with_parts(hidden, draw=fails)) == frozenset()
    assert leaks(with_text(replace(hidden, redeal=None), show=show)) == frozenset()


def told_of(game: Game) -> list[tuple[str, bool]]:
    return [(re.sub(r".*?: (?=`|note)", "", str(found)), found.note) for found in check_observation(game)]


@pytest.mark.slow
def test_a_redeal_that_keeps_the_other_hand_is_a_mistake() -> None:
    assert told_of(love_letter) == []
    ((line, note),) = told_of(replace(love_letter, redeal=redeal_but_the_hand))
    assert re.fullmatch(
        r"`redeal_but_the_hand` never deals state.hand\[\d\] again, which seat \d cannot see and in which "
        "deals differ: a search would know it",
        line,
    )
    assert not note


def test_a_redeal_that_keeps_a_secret_move_is_a_mistake() -> None:
    assert told_of(fists) == []
    ((line, note),) = told_of(replace(fists, redeal=redeal_but_the_fist))
    assert line.startswith("`redeal_but_the_fist` never deals state.fist again, which seat 1 cannot see"), line
    assert line.endswith("a search would know it")
    assert not note


def tell_all(state: Any, move: int, seat: int) -> int:
    return move


@pytest.mark.parametrize("game", [fists, goofspiel.game], ids=lambda game: game.name)
def test_a_seat_that_is_told_a_secret_move_is_a_mistake_of_told_alone(game: Game) -> None:
    assert check_told(game) == []
    (finding,) = check_law(replace(game, told=tell_all), 5)
    assert re.search(r"`tell_all` tells seat 1 (\d) of the move \1 and (\d) of the move \2, which look", str(finding))
    assert "test_hidden.py:" in str(finding)
    assert not finding.note


def test_a_public_move_may_be_told(tricks: Game) -> None:
    assert check_told(replace(tricks, told=tell_all)) == []


@pytest.mark.slow
def test_the_order_of_a_hand_that_is_shown_as_a_set_is_no_mistake() -> None:
    assert told_of(ordered_hands) == []


@pytest.mark.slow
def test_cards_that_stay_in_a_state_after_they_were_dealt_are_noted() -> None:
    ((line, note),) = told_of(replace(love_letter, setup=setup_without_wiping))
    assert re.search(r"state.deck\[\d\] again, .*: wipe what the law no longer reads", line)
    assert note


@kernel
def of_the_box_only(state: Any, luck: int) -> int:
    """Keeps the hand, and deals the deck of Lost Cities again."""
    for i in range(state.deck_left - 1, 0, -1):
        luck = next_luck(luck)
        j = luck % (i + 1)
        state.deck[i], state.deck[j] = state.deck[j], state.deck[i]
    return luck


@pytest.mark.slow
def test_it_is_found_where_no_two_deals_look_alike(hidden: Game) -> None:
    assert not any("never deals" in line for line, _ in told_of(hidden))
    lines = [line for line, note in told_of(replace(hidden, redeal=of_the_box_only)) if not note]
    assert any("never deals state.hand[" in line for line in lines), lines
