"""Hooks, names and answers of players, and how compiled ones choose: exact, on a game that takes no time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numbers_game import (
    choose_high,
    choose_low,
    game,
    high,
    low,
    moderation,
    namer,
    namers,
    number,
    takers,
    taking,
    view_at,
)

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.packages import load_game
from rulebots.players import (
    KernelPlayer,
    Needs,
    Player,
    PlayerFault,
    RandomPlayer,
    RulePlayer,
    Shown,
    Style,
    decides_by_rules,
    name_of,
    named_apart,
    style_of,
)
from rulebots.players.compiled import checked_style, is_compiled
from rulebots.players.player import moves_in_words
from rulebots.players.specs import specs_of


class First(Player):
    """Makes the first move."""

    def __init__(self, law: Game = game, name: str = "first") -> None:
        super().__init__(law, name)
        self.games: list[Any] = []

    def choose(self, seen: Any, moves: Any) -> int:
        return int(moves[0])


class Beginning(First):
    """Notes the games that begin."""

    def begin_game(self, seat: int, options: Mapping[str, int]) -> None:
        if seat == 3:
            raise ValueError("not there")
        self.games.append((seat, options))


class Ending(First):
    """Notes the games that end."""

    def end_game(self, points: tuple[int, ...]) -> None:
        if points == (0, 0):
            raise ValueError("no points")
        self.games.append(points)


class Searching(First):
    """Looks at positions."""

    needs = Needs.POSITION


@pytest.mark.parametrize(
    ("player", "hooks", "follows"),
    [
        (First(), False, False),
        (Beginning(), True, True),
        (Ending(), True, True),
        (Searching(load_game("tictactoe")), False, True),
    ],
    ids=lambda value: type(value).__name__,
)
def test_who_has_hooks_or_needs_more_than_a_view_follows_games(player: Player, hooks: bool, follows: bool) -> None:
    assert (player.has_hooks, player.follows_games) == (hooks, follows)
    assert (player.for_one_game() is player) != hooks


def test_a_game_begins_for_a_seat_with_its_options() -> None:
    player = Beginning()
    assert player.beginning_a_game() is not player
    assert player.games == []
    player.beginning_a_game(0, {"seats": 3})
    player.beginning_a_game(1)
    assert player.games == [(0, {"seats": 3}), (1, {})]
    assert First().beginning_a_game(3).has_hooks is False


def test_a_player_that_cannot_begin_faults_when_it_has_to_move() -> None:
    unready = Beginning(name="late").beginning_a_game(3, {})
    assert (unready.has_hooks, unready.name) == (False, "late")
    with pytest.raises(PlayerFault, match=r"player 'late', ply 1: .*its `begin_game` raised ValueError: not there"):
        unready.decide(Position(game))


def test_the_end_of_a_game_is_told_and_a_failure_in_that_is_a_fault() -> None:
    player = Ending(name="last")
    assert player.ending_a_game(1, (3, 4)) is None
    assert player.games == [(3, 4)]
    fault = player.ending_a_game(1, (0, 0))
    assert fault is not None
    assert fault.seat == 1
    assert str(fault).startswith("player 'last', after the game: its `end_game` raised ValueError: no points")


def test_a_player_is_its_class_and_all_that_it_holds_but_its_name() -> None:
    assert First(name="one").identity() == First(name="other").identity()
    assert First().identity() != First(taking).identity()
    assert First().identity() != Beginning().identity()
    assert repr(First()) == "<First 'first' of numbers>"
    nameless = First.__new__(First)
    assert (name_of(nameless), repr(nameless)) == ("First", "<First 'First'>")
    assert First().check_seats(4) is None  # type: ignore[func-returns-value]


def test_a_search_of_a_game_that_hides_something_is_refused() -> None:
    with pytest.raises(UsageError, match="'deep' searches positions, but Numbers hides cards"):
        Searching(game, "deep")


class Showing(First):
    """Keeps what it is shown."""

    needs = Needs.SHOWN

    def choose(self, seen: Any, moves: Any) -> int:
        self.games.append(seen)
        return int(moves[0])


def shown(position: Position) -> Shown:
    player = Showing(position.game)
    player.decide(position)
    (seen,) = player.games
    return seen


def test_what_is_shown_is_what_a_person_in_that_seat_sees() -> None:
    board = Position(load_game("tictactoe"))
    board.play(int(board.legal_moves[0]))
    seen = shown(board)
    assert (seen.seat, seen.plies, seen.text, seen.position) == (1, 1, board.text(1), board.to_text())
    assert seen.history == board.history(1)
    hidden = shown(Position(game))
    assert (hidden.seat, hidden.plies, hidden.history, hidden.position) == (0, 0, (), "")
    assert shown(Position(replace(game, hidden=False))).position == "", "it has no form on one line"
    known_by_its_state = Position.of(board.game, board.state, plies=1)
    known_by_its_state.past = None
    assert shown(known_by_its_state).history is None


def test_names_that_occurred_before_are_numbered() -> None:
    assert named_apart(["a", "b", "a", "a", "a (2)"]) == ["a", "b", "a (2)", "a (3)", "a (2) (2)"]
    assert named_apart([]) == []


def test_a_line_has_the_first_eight_moves() -> None:
    assert moves_in_words(game.text.write, [0, 2]) == "0 (0), 2 (2)"
    eight = ", ".join(f"{move} ({move})" for move in range(8))
    assert moves_in_words(game.text.write, range(8)) == eight
    assert moves_in_words(game.text.write, range(9)) == f"{eight} and 1 more"


@pytest.mark.parametrize(
    ("texts", "names"),
    [(None, []), ([], []), (["none"], []), (["a,b", " c"], ["a", "b", "c"]), (["none,a"], ["none", "a"])],
)
def test_lists_of_players_are_one_list(texts: list[str] | None, names: list[str]) -> None:
    assert specs_of(texts) == names


MOVES = np.arange(3)
MOVES.setflags(write=False)


@pytest.mark.parametrize(
    ("player", "move"), [(low(), 0), (high(), 2), (namer(1), 2), (namer(-1), 0), (namer(0), 0), (namer(0, 1), 1)]
)
def test_a_compiled_player_chooses_by_its_kernel_and_its_weights(player: Player, move: int) -> None:
    assert player.choose(view_at(0, game), MOVES) == move
    assert player.choose(view_at(1, game), MOVES[:1]) == 0


@pytest.mark.parametrize("luck", [0, 1, 2, 5])
def test_a_random_player_takes_the_move_that_its_luck_says(luck: int) -> None:
    view = view_at(0, game)
    view.luck = luck
    assert RandomPlayer(game).choose(view, MOVES) == luck % 3
    assert RandomPlayer(game).name == "random"


def test_styles_are_of_a_rule_set_or_of_a_kernel() -> None:
    of_rules, of_kernel = style_of(takers), low().style
    assert (of_rules.columns, of_rules.record, of_rules.parts) == (3, takers.record, takers.kernels)
    assert (of_kernel.columns, of_kernel.record, of_kernel.parts) == (0, game.view, [choose_low])
    assert style_of(takers) is of_rules
    assert KernelPlayer(game, choose_low, "another").style is of_kernel
    assert of_kernel.identity() == Style(game, choose_low).identity() != high().style.identity()
    views, blended, scores = of_rules.workspace()
    assert (len(views), blended.shape, scores.shape) == (2, (3,), (taking.move_count,))
    assert views.dtype.names == takers.record.names


@pytest.mark.parametrize("player", [namer(1), high()], ids=["rules", "kernel"])
def test_a_checked_style_plays_the_same_moves_up_to_its_cap(player: Any) -> None:
    checked = checked_style(player.style, 2)
    assert (checked.game.ply_cap, checked.game.name, checked.columns) == (2, "numbers", player.style.columns)
    assert (checked.rules is None) == (player.style.rules is None)
    assert type(checked.choose) is not type(player.style.choose)
    work = checked.workspace()
    moves = np.arange(3)
    assert checked.choose(work.views[0], moves, 3, player.weights, work.blended, work.scores) == 2


class OfItsOwn(RulePlayer):
    """Chooses by itself."""

    def choose(self, view: Any, moves: Any) -> int:
        return int(moves[0])


class Remembering(RulePlayer):
    """Follows games."""

    def end_game(self, points: tuple[int, ...]) -> None:
        """Nothing."""


def test_who_is_compiled_and_who_decides_by_rules() -> None:
    weights = namers.hand_tuned()
    own, remembering = OfItsOwn(namers, weights), Remembering(namers, weights)
    players = [namer(1), low(), own, remembering, First(), RulePlayer.__new__(RulePlayer)]
    assert [is_compiled(player) for player in players] == [True, True, False, False, False, False]
    assert [decides_by_rules(player) for player in players[:5]] == [True, False, False, True, False]


def test_a_rule_players_weights_are_those_of_its_rules() -> None:
    player = RulePlayer(takers, np.array([[1e6, -1e6, 0], [0, 0.5, 2]]), "mine")
    assert player.rows()[1]["early"] == -1e6
    assert player.weights is not takers.hand_tuned()
    assert RulePlayer(takers, takers.hand_tuned()).name == "player"
    page = player._repr_html_()
    assert "<caption>mine, Numbers</caption>" in page
    assert "<tr><td>gain</td><td>base</td><td>-1e+06</td><td>0.5</td></tr>" in page
    for wrong in (np.full((2, 3), 1.000001e6), np.full((2, 3), -1.000001e6), np.zeros((3, 2)), {"gain": {"size": "a"}}):
        with pytest.raises(UsageError, match="expected"):
            RulePlayer(takers, wrong, "mine")
    assert [row["rule"] for row in namer(0).rows()] == [number.name, moderation.name]


def test_a_rule_player_is_a_table_of_its_rules() -> None:
    pytest.importorskip("pandas")
    table = namer(2.5, -1).to_pandas()
    assert table["late"].tolist() == [2.5, -1.0]
    assert table["rule"].tolist() == ["number", "moderation"]


def test_kernels_of_a_checked_law_are_those_of_the_law() -> None:
    other = replace(game, name="other")
    assert KernelPlayer(other, choose_high, "high").style.game is other
