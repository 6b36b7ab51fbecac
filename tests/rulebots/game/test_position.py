"""A position: what is legal, what a seat may know, how it goes on; interpreted and compiled alike."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from typing import Any

import numpy as np
import pytest
from contenders import contender
from hidden_cards import REDEALT

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.game.random_numbers import next_luck
from rulebots.kernel import compiling, kernel
from rulebots.packages import game_names, load_game
from rulebots.play.deals import draw_deals
from rulebots.play.match import play_deals
from rulebots.players import Needs, Player, RandomPlayer

every_game = pytest.mark.parametrize("game", list(map(load_game, game_names())), ids=lambda game: game.name)


def played(game: Game, *, compiled: bool, seed: int = 3) -> Position:
    """The first game of a seed between two random players, to its end."""
    position, player = Position(game, seed=seed, compiled=compiled), RandomPlayer(game)
    stream = int(draw_deals(game, 1, seed).outcomes[0])
    while not (position.over or position.stalled):
        if position.chance_to_move:
            stream = next_luck(stream)
            position.push(position.drawn(stream))
        else:
            position.push(player.decide(position))
    return position


@pytest.mark.slow
@every_game
def test_a_game_played_by_positions_is_the_game_of_a_match(game: Game) -> None:
    deals = draw_deals(game, 1, 3, opening_plies=0)
    games = play_deals(RandomPlayer(game, "one"), RandomPlayer(game, "other"), deals)
    position = played(game, compiled=False)
    assert position.points == tuple(games.points[0].tolist())
    assert position.plies == games.plies[0]
    assert position.stalled == games.stalled[0]


@pytest.mark.compiled
@every_game
def test_compiled_and_interpreted_positions_are_the_same(game: Game) -> None:
    one, other = played(game, compiled=True), played(game, compiled=False)
    assert one.state.tobytes() == other.state.tobytes()
    assert (one.points, one.over, str(one)) == (other.points, other.over, str(other))


@every_game
def test_a_copy_goes_its_own_way(game: Game) -> None:
    position = Position(game, seed=5)
    before, twin = position.state.tobytes(), position.copy()
    assert (twin.luck, twin.plies, twin.mover) == (position.luck, 0, position.mover)
    twin.push(int(twin.legal_moves[0]))
    assert position.state.tobytes() == before
    assert twin.plies == 1
    assert position.plies == 0
    assert (position.luck == twin.luck) == position.chance_to_move, "only a player's decision takes a random state"


@every_game
def test_moves_are_written_and_read(game: Game) -> None:
    position = Position(game, seed=2)
    moves = position.legal_moves.tolist()
    assert [position.read(position.write(move)) for move in moves] == moves
    assert moves == sorted(set(moves), key=moves.index)


@pytest.mark.slow
@every_game
def test_a_position_that_is_over_has_no_legal_moves(game: Game) -> None:
    games = (played(game, compiled=compiling(), seed=seed) for seed in range(3, 30))
    position = next(position for position in games if not position.stalled)
    assert position.over
    assert position.legal_moves.tolist() == []
    with pytest.raises(UsageError, match="the game is over"):
        position.push(0)


@pytest.mark.parametrize(("name", "options", "move", "says"), [
    ("gomoku", {"size": 9}, 10, "j0 is not on this board"),
    ("tictactoe", {}, 9, "i0 is not on this board"),
    ("kalah", {"pits": 3}, 5, "the last pit is 2, not 5"),
])  # fmt: skip
def test_a_move_off_the_board_is_refused_as_that(name: str, options: dict[str, int], move: int, says: str) -> None:
    with pytest.raises(UsageError, match=f"^{says}$"):
        Position(load_game(name), options).push(move)


def test_a_move_is_made_by_its_text_too() -> None:
    by_text, by_number = Position(load_game("gomoku")), Position(load_game("gomoku"))
    for text in ("d3", "H8"):
        by_text.push(text)
        by_number.push(by_number.read(text))
    assert by_text.state.tobytes() == by_number.state.tobytes()
    with pytest.raises(UsageError, match="there is a stone on d3 already"):
        by_text.push("d3")
    with pytest.raises(UsageError, match="expected a point from a1 to"):
        by_text.push("nowhere")


@pytest.mark.parametrize("compiled", [False, True])
def test_what_others_do_to_a_state_is_seen(compiled: bool) -> None:
    position = Position(load_game("tictactoe"), compiled=compiled)
    assert not position.over
    position.state.winner = 1
    assert position.over
    assert not position.legal_moves.size
    position.state.winner = 0
    position.state.mover = 1
    assert (position.over, position.mover) == (False, 1)
    position.legal_moves[:] = 7
    assert len(set(position.legal_moves.tolist())) == 9


@pytest.mark.parametrize("other", [lambda one: pickle.loads(pickle.dumps(one)), copy.deepcopy])  # noqa: S301 - our own
def test_a_position_that_came_from_elsewhere_goes_on(other: Any) -> None:
    position = Position(load_game("kalah"))
    position.push("1")
    twin = other(position)
    for one in (position, twin):
        one.push("2")
    assert (twin.mover, twin.past, twin.luck) == (position.mover, position.past, position.luck)
    assert twin.state.tobytes() == position.state.tobytes()


def test_random_states_are_the_same_whenever_they_are_asked_for() -> None:
    late, early = (Position(load_game("tictactoe"), seed=5) for _ in range(2))
    assert early.luck is not None
    for move in late.legal_moves[:3].tolist():
        early.push(move)
        late.push(move)
    assert late.luck == early.luck
    assert late.past == early.past


def test_an_illegal_move_is_refused_with_the_reason() -> None:
    position = Position(load_game("gomoku"), {"size": 9})
    position.push(position.read("e5"))
    with pytest.raises(UsageError, match="there is a stone on e5 already"):
        position.push(position.read("e5"))
    with pytest.raises(UsageError, match="'-1' is not a legal move here"):
        position.push(-1)
    for answer in (5.5, [0], np.array([0, 1]), None):
        with pytest.raises(UsageError, match="is not a legal move here"):
            position.push(answer)  # type: ignore[arg-type]


def test_a_deal_that_is_none_of_the_game_is_refused(lost_cities: Game) -> None:
    with pytest.raises(UsageError, match=r"deal: expected whole numbers, not \['a'\]"):
        Position(lost_cities, deal=["a"])  # type: ignore[list-item]
    drawn = draw_deals(lost_cities, 1, 3).cards[0]
    assert drawn[0] > 0
    Position(lost_cities, deal=drawn[::-1])
    for numbers, wrong in (
        (range(60), "the number 50 at most 0 times, as Lost Cities deals it, not 1"),
        ([0, *drawn[1:]], "the number 0 at most 3 times, as Lost Cities deals it, not 4"),
    ):
        with pytest.raises(UsageError, match=f"deal: expected {wrong}"):
            Position(lost_cities, deal=list(numbers), compiled=True)
    without_pack = dataclasses.replace(
        lost_cities, draw_deals=lambda rng, count, options: rng.integers(0, 50, (count, 60))
    )
    for card in (999, -1_000_000):
        with pytest.raises(UsageError, match="deal: Lost Cities cannot be dealt like that"):
            Position(without_pack, deal=[card] * 60, compiled=True)


@pytest.mark.parametrize("seat", [-1, 2, 7])
def test_a_seat_that_does_not_exist_is_refused(lost_cities: Game, seat: int) -> None:
    position = Position(lost_cities)
    for ask in (position.view, position.text):
        with pytest.raises(UsageError, match=f"seat: expected 0.* not {seat}"):
            ask(seat)


def test_a_deal_of_another_length_is_refused(lost_cities: Game) -> None:
    with pytest.raises(UsageError, match="deal: expected 60 whole numbers, not 3"):
        Position(lost_cities, deal=[1, 2, 3])
    with pytest.raises(UsageError, match="no option 'sise' of tictactoe; did you mean 'size'"):
        Position(load_game("tictactoe"), {"sise": 4})


def test_a_seat_that_does_not_move_sees_its_own_cards(lost_cities: Game) -> None:
    position = Position(lost_cities, seed=4)
    for seat in (0, 1):
        held = sorted(card for card in position.view(seat).hand.tolist() if card >= 0)
        assert held == sorted(position.state.hand[seat, : position.state.hand_size[seat]].tolist())
    assert position.mover == 0
    assert position.view().tobytes() == position.view(0).tobytes()


def test_a_seat_is_lent_its_own_random_state(lost_cities: Game) -> None:
    position = Position(lost_cities, luck=[5, 6])
    turned = position.copy()
    turned.state.mover = 1
    assert position.view().luck == position.random_state == next_luck(5)
    assert position.view(1).luck == turned.random_state == next_luck(6)


def test_a_move_that_nobody_chose_leaves_the_random_states() -> None:
    position = Position(load_game("tictactoe"), seed=2)
    luck = list(position.luck or ())
    position.push(position.read("1,1"), chosen=False)
    assert position.luck == luck
    position.push(position.read("0,0"))
    assert position.luck == [luck[0], next_luck(luck[1])]


def test_a_position_of_a_record_plays_in_that_record() -> None:
    game = load_game("kalah")
    state = Position(game).state
    position = Position.of(game, state, plies=7)
    position.push(0)
    assert (state.mover, state.board[0], position.plies) == (1, 0, 8)
    assert repr(position) == "<Position of kalah after 8 plies, seat 1 to move>"


@pytest.mark.parametrize("seed", [-1, 2**32, 1.5])
def test_a_seed_out_of_range_is_refused(seed: int) -> None:
    with pytest.raises(UsageError, match=f"seed: expected a whole number from 0 to 4,294,967,295, not {seed}"):
        Position(load_game("kalah"), seed=seed)


def test_the_random_state_is_that_of_the_match(lost_cities: Game) -> None:
    seen: list[tuple[int, int]] = []

    class Spy(Player):
        def choose(self, view, moves):
            seen.append((int(view.luck), int(view.deck_left)))
            return moves[0]

    play_deals(Spy(lost_cities, "spy"), contender(lost_cities, "random"), draw_deals(lost_cities, 1, 6))
    position = Position(lost_cities, seed=6)
    assert (position.random_state, int(position.state.deck_left)) == seen[0]
    assert Position(lost_cities, deal=draw_deals(lost_cities, 1, 6).cards[0]).random_state == 1


class Redealt(Player):
    """Looks at the cards of a position that was dealt again."""

    needs = Needs.REDEALT

    def __init__(self, game: Game) -> None:
        super().__init__(game, "redealt")
        self.seen: list[bytes] = []

    def choose(self, position, moves):
        self.seen.append(position.state.tobytes())
        assert position.legal_moves.tolist() == moves.tolist()
        return int(moves[0])


def test_a_redealt_position_tells_nothing_of_what_is_hidden(lost_cities: Game) -> None:
    rng = np.random.default_rng(1)
    position = Position(lost_cities, seed=7)
    for _ in range(20):
        other = Position.of(lost_cities, REDEALT["lost-cities"](position.state, rng), [*position.luck], position.plies)
        player = Redealt(lost_cities)
        assert player.decide(position) == player.decide(other)
        assert player.seen[0] != position.state.tobytes()
        assert position.view().tobytes() == position.redealt(9).view().tobytes()
        assert position.redealt(9).luck == [position.luck[position.mover]] * 2
        position.push(int(position.legal_moves[-1]))


class Meddler(Player):
    """Plays on in the position that it is given."""

    needs = Needs.POSITION

    def choose(self, position, moves):
        position.push(int(moves[0]))
        return int(moves[0])


def test_what_a_player_does_with_its_position_changes_no_game() -> None:
    game = load_game("tictactoe")
    position = Position(game, seed=1)
    before, luck = position.state.tobytes(), list(position.luck or ())
    assert Meddler(game, "meddler").decide(position) == position.legal_moves[0]
    assert (position.state.tobytes(), position.luck, position.plies) == (before, luck, 0)


@pytest.mark.compiled
@every_game
def test_compiled_and_interpreted_positions_are_dealt_again_alike(game: Game) -> None:
    for plies in (0, 7):
        positions = [Position(game, seed=3, compiled=compiled) for compiled in (True, False)]
        for position in positions:
            for _ in range(plies):
                position.push(int(position.legal_moves[0]))
        if not positions[0].chance_to_move:
            first, second = (position.redealt(9).state for position in positions)
            for field in game.state.names or ():
                np.testing.assert_array_equal(first[field], second[field])


def test_a_game_that_cannot_be_dealt_again_says_so(lost_cities: Game) -> None:
    silent = dataclasses.replace(lost_cities, redeal=None)
    with pytest.raises(UsageError, match="lost-cities hides something but has no `redeal` to deal it again"):
        Position(silent, seed=1).redealt(5)


@pytest.mark.parametrize("compiled", [False, True])
def test_a_state_that_nobody_may_change_is_copied(compiled: bool) -> None:
    game = load_game("tictactoe")
    states = np.asarray(Position(game).state).reshape(1).copy()
    states.setflags(write=False)
    position = Position.of(game, states[0], compiled=compiled)
    position.push(int(position.legal_moves[0]))
    assert position.state.tobytes() != states[0].tobytes()


def test_the_standard_librarys_copy_is_a_copy() -> None:
    position = Position(load_game("kalah"))
    twin = copy.copy(position)
    twin.push(int(twin.legal_moves[0]))
    assert (position.plies, position.history(), twin.plies) == (0, (), 1)
    with pytest.raises(UsageError, match="'True' is not a legal move here"):
        position.push(True)


def test_a_law_that_fails_at_the_beginning_is_told_as_such() -> None:
    def setup(state: Any, deal: Any, options: Any) -> None:
        state.board[999] = 1

    broken = dataclasses.replace(load_game("kalah"), name="broken", setup=kernel(setup))
    with pytest.raises(UsageError, match="`setup` of broken: index 999 is out of bounds"):
        Position(broken)
