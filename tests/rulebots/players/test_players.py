"""What every player of every game must do, and what weights a rule player takes."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest
from contenders import contender, contender_names
from hidden_cards import REDEALT
from recorded import recorded

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.game.compiled import law_of
from rulebots.game.random_numbers import next_luck
from rulebots.kernel import compiling
from rulebots.play.deals import draw_deals
from rulebots.play.match import mirrored, play_games
from rulebots.players import Player, RandomPlayer
from rulebots.registry import load_game, parts_of

GAMES = 30
EVERY = 7 if compiling() else 50

#: Interpreted games are the compiled ones: see test_matches.py.
plays_compiled = pytest.mark.skipif(not compiling(), reason="interpreted, whole games of every player take minutes")
every_player = pytest.mark.parametrize(("name", "who"), contender_names(), ids=lambda text: text)
every_player_of_a_game_that_hides_something = pytest.mark.parametrize(
    ("name", "who"), [(name, who) for name, who in contender_names() if load_game(name).hidden], ids=lambda text: text
)


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
@every_player
def test_chooses_a_legal_move(name: str, who: str) -> None:
    game = load_game(name)
    asked = positions(game)
    assert all(move in legal for move, (_, legal) in zip(answers(contender(game, who), asked), asked, strict=True))


@pytest.mark.slow
@every_player
def test_the_same_view_gives_the_same_move_to_old_and_new_players(name: str, who: str) -> None:
    game = load_game(name)
    asked, player = positions(game), contender(game, who)
    first = answers(player, asked)
    assert answers(player, asked) == first
    assert answers(contender(game, who), asked) == first


@pytest.mark.slow
@every_player
def test_what_earlier_decisions_left_in_the_view_does_not_matter(name: str, who: str) -> None:
    game = load_game(name)
    asked, player = positions(game), contender(game, who)
    assert answers(player, asked, fresh=True) == answers(player, asked)


@pytest.mark.slow
@every_player_of_a_game_that_hides_something
def test_hidden_cards_do_not_change_the_move(name: str, who: str) -> None:
    game = load_game(name)
    asked, rng = positions(game), np.random.default_rng(2)
    anew = [(REDEALT[name](state, rng), legal) for state, legal in asked]
    player = contender(game, who)
    assert answers(player, anew) == answers(player, asked)


@plays_compiled
@every_player
def test_games_end_or_stall_at_the_cap(name: str, who: str) -> None:
    game = load_game(name)
    deals = draw_deals(game, GAMES, 3)
    games = play_games([contender(game, who), contender(game, "random")], deals, mirrored(GAMES))
    assert games.plies.min() > 0
    assert games.plies.max() <= game.ply_cap
    assert not games.stalled[games.plies < game.ply_cap].any()


@plays_compiled
@every_player
def test_against_itself_over_mirrored_deals_nobody_is_ahead(name: str, who: str) -> None:
    game = load_game(name)
    deals = draw_deals(game, GAMES, 4)
    games = play_games([contender(game, who), contender(game, who)], deals, mirrored(GAMES))
    margin = games.points[:, 0] - games.points[:, 1]
    assert (margin[0::2] - margin[1::2]).tolist() == [0] * GAMES
    assert margin.any() == (who != "discard"), "only those who discard all have no points"


@pytest.mark.slow
def test_discard_ends_with_no_points(lost_cities: Game) -> None:
    discard = parts_of(lost_cities).players["discard"]()
    games = play_games([discard, discard], draw_deals(lost_cities, 3, 5), mirrored(3))
    assert not games.points.any()
    assert games.plies.tolist() == [88] * 6


def test_needs_that_are_none_are_refused() -> None:
    class Odd(RandomPlayer):
        needs = "position"  # type: ignore[assignment]

    with pytest.raises(UsageError, match=r"'odd': `needs` has to be one of Needs.OBSERVATION, .*, not 'position'"):
        Odd(load_game("tictactoe"), "odd")
