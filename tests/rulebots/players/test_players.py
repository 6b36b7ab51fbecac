"""What every player of every game must do, and what weights a rule player takes."""

from __future__ import annotations

import functools
import pickle
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from contenders import contender, contenders_of
from hidden_cards import REDEALT
from recorded import recorded

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.game.compiled import law_of
from rulebots.game.position import Position
from rulebots.game.random_numbers import next_luck
from rulebots.kernel import compiling
from rulebots.kernel.fingerprint import fingerprint
from rulebots.packages import game_names, load_game, package_of
from rulebots.packages.players import make_player, player_names
from rulebots.packages.rule_sets import rule_sets_of
from rulebots.play.deals import draw_deals, mirrored
from rulebots.play.match import play_games
from rulebots.players import Player, RandomPlayer
from rulebots.search.minimax.player import MinimaxPlayer
from rulebots.search.minimax.search import Limits

GAMES = 30
EVERY = 7 if compiling() else 50

#: Interpreted games are the compiled ones: see test_loop.py.
plays_compiled = pytest.mark.compiled
GAMES_FOUND = [load_game(name) for name in game_names()]
every_game = pytest.mark.parametrize("game", GAMES_FOUND, ids=lambda game: game.name)
every_game_that_hides_something = pytest.mark.parametrize(
    "game", [game for game in GAMES_FOUND if game.hidden], ids=lambda game: game.name
)


def those_that_fail(game: Game, keeps: Callable[[str], bool]) -> list[str]:
    """The players of a game, by name, that do not keep a promise."""
    return [who for who in contenders_of(game) if not keeps(who)]


@functools.cache
def positions(game: Game) -> list[tuple[Any, list[int]]]:
    """States of random games with their legal moves."""
    deals, found = draw_deals(game, 6, 1), []
    for number in range(6):
        record = recorded(deals, number)
        found += [(record.states[ply], record.legal[ply]) for ply in record.decisions[::EVERY]]
    return found


def answers(player: Player, asked: list[tuple[Any, list[int]]], *, fresh: bool = False) -> list[int]:
    """The player's moves, asked in one view after the other, or each in a new one."""
    game, view = player.game, player.game.new_view()
    chosen = []
    for i, (state, legal) in enumerate(asked):
        view = game.new_view() if fresh else view
        law_of(game).observe(state, view)
        view.luck = next_luck(1000 + i)
        chosen.append(player.choose(view, np.array(legal, np.int64)))
    return chosen


@pytest.mark.slow
@every_game
def test_chooses_a_legal_move(game: Game) -> None:
    asked = positions(game)

    def legal(who: str) -> bool:
        chosen = answers(contender(game, who), asked)
        return all(move in moves for move, (_, moves) in zip(chosen, asked, strict=True))

    assert those_that_fail(game, legal) == []


@pytest.mark.slow
@every_game
def test_the_same_view_gives_the_same_move_to_old_and_new_players(game: Game) -> None:
    asked = positions(game)

    def alike(who: str) -> bool:
        player = contender(game, who)
        first = answers(player, asked)
        return answers(player, asked) == first == answers(contender(game, who), asked)

    assert those_that_fail(game, alike) == []


@pytest.mark.slow
@every_game
def test_what_earlier_decisions_left_in_the_view_does_not_matter(game: Game) -> None:
    asked = positions(game)

    def independent(who: str) -> bool:
        player = contender(game, who)
        return answers(player, asked, fresh=True) == answers(player, asked)

    assert those_that_fail(game, independent) == []


@pytest.mark.slow
@every_game_that_hides_something
def test_hidden_cards_do_not_change_the_move(game: Game) -> None:
    asked, rng = positions(game), np.random.default_rng(2)
    dealt_again = [(REDEALT[game.name](state, rng), legal) for state, legal in asked]

    def blind(who: str) -> bool:
        player = contender(game, who)
        return answers(player, dealt_again) == answers(player, asked)

    assert those_that_fail(game, blind) == []


@plays_compiled
@every_game
def test_games_end_or_stall_at_the_cap(game: Game) -> None:
    deals = draw_deals(game, GAMES, 3)

    def ends(who: str) -> bool:
        games = play_games([contender(game, who), contender(game, "random")], deals, deals.mirrored())
        in_range = games.plies.min() > 0 and games.plies.max() <= game.ply_cap
        return bool(in_range) and not games.stalled[games.plies < game.ply_cap].any()

    assert those_that_fail(game, ends) == []


@plays_compiled
@every_game
def test_against_itself_over_mirrored_deals_nobody_is_ahead(game: Game) -> None:
    deals = draw_deals(game, GAMES, 4)

    def fair(who: str) -> bool:
        games = play_games([contender(game, who), contender(game, who)], deals, deals.mirrored())
        margin = (games.points[:, 0] - games.points[:, 1]).reshape(GAMES, -1)
        if game.aim == "together":
            return not margin.any()
        # Only those who discard all have no points.
        return (margin == margin[:, :1]).all() and margin.any() == (who != "discard")

    assert those_that_fail(game, fair) == []


@pytest.mark.slow
def test_discard_ends_with_no_points(lost_cities: Game) -> None:
    discard = package_of(lost_cities).players["discard"]()
    games = play_games([discard, discard], draw_deals(lost_cities, 3, 5), mirrored(3))
    assert not games.points.any()
    assert games.plies.tolist() == [88] * 6


def test_needs_that_are_none_are_refused() -> None:
    class Odd(RandomPlayer):
        needs = "position"  # type: ignore[assignment]

    with pytest.raises(UsageError, match=r"'odd': `needs` has to be one of Needs.OBSERVATION, .*, not 'position'"):
        Odd(load_game("tictactoe"), "odd")


def pickled(thing: Any) -> Any:
    return pickle.loads(pickle.dumps(thing))  # noqa: S301 - our own


@pytest.mark.parametrize("name", game_names())
def test_what_is_pickled_comes_back_by_its_name(name: str) -> None:
    game = load_game(name)
    assert pickled(game) is game
    for rules in rule_sets_of(game).values():
        assert pickled(rules) is rules
    position = Position(game, seed=3)
    assert pickled(position).state.tobytes() == position.state.tobytes()
    searches = (
        ["rollout:simulations=2"] if game.hidden else ["mcts:iterations=2,guide=none", "minimax:depth=1", "perfect"]
    )
    for player in [make_player(who, game) for who in (*player_names(game), *searches)]:
        again = pickled(player)
        assert (again.name, again.game) == (player.name, game)
        assert fingerprint(again) == fingerprint(player)


@pytest.mark.parametrize("search", ["mcts:iterations=2", "minimax:depth=1", "perfect"])
def test_what_a_search_has_worked_out_is_not_pickled(search: str) -> None:
    game = load_game("tictactoe")
    player, position = make_player(search, game), Position.from_text(game, "XO1/1X1/2O X")
    move = player.decide(position)
    assert pickled(player).decide(position) == move


class Hasty(MinimaxPlayer):
    """A search of a user's, with arguments of its own."""

    def __init__(self, game: Game, depth: int = 2) -> None:
        super().__init__(game, Limits(depth=depth), name="hasty")
        self.seen = depth


def test_a_search_of_a_users_is_pickled_whatever_its_arguments_are() -> None:
    player = Hasty(load_game("tictactoe"), depth=1)
    position = Position.from_text(player.game, "XO1/1X1/2O X")
    move = player.decide(position)
    again = pickled(player)
    assert (type(again), again.name, again.seen) == (Hasty, "hasty", 1)
    assert again.result is None
    assert again.decide(position) == move
    assert (type(player.for_one_game()), player.for_one_game().seen) == (Hasty, 1)


def test_a_game_of_a_script_is_pickled_whole() -> None:
    game = replace(load_game("tictactoe"), title="Mine")
    again = pickled(game)
    assert (again.title, again.state, again.play) == ("Mine", game.state, game.play)
