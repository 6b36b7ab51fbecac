"""Levels of strength: every game has them, and a careless player moves at random as often as it says."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path

import pytest
from game_copies import stranger

from rulebots import load_game, make_player
from rulebots.errors import UsageError
from rulebots.game.position import Position
from rulebots.packages import game_names, package_of
from rulebots.packages.levels import (
    LEVELS,
    CarelessPlayer,
    adviser,
    default_opponent,
    exact_ending,
    exact_values,
    level_players,
    worked_out,
)
from rulebots.players import RulePlayer
from rulebots.tournaments.ladder import load_ladder


@pytest.mark.parametrize("name", game_names())
def test_every_game_has_five_levels(name: str) -> None:
    levels = level_players(load_game(name))
    assert tuple(levels) == LEVELS
    assert len(set(levels.values())) == len(LEVELS)
    assert default_opponent(load_game(name)) == "level:casual"


@pytest.mark.slow  # a guided search looks at many scores of its guide first
@pytest.mark.parametrize("name", game_names())
def test_every_level_can_be_made(name: str) -> None:
    game = load_game(name)
    for level in level_players(game):
        assert make_player(f"level:{level}", game).name == f"level:{level}"
        assert make_player(level, game).name == level


@pytest.mark.parametrize("name", game_names())
def test_measured_levels_rise(name: str) -> None:
    """The ladder that ships with each game: from each level to the next its players are stronger for certain."""
    game = load_game(name)
    ladder = load_ladder(package_of(game).folder / "levels.yaml")
    key = "points" if ladder.together else "elo"
    scores = [ladder.ratings[f"level:{level}"][key] for level in LEVELS]
    assert scores == sorted(set(scores))
    intervals = [ladder.ratings[f"level:{level}"][f"{key}_95"] for level in LEVELS]
    assert all(lower[1] < higher[0] for lower, higher in itertools.pairwise(intervals)), "each level is one"
    assert ladder.plies > 0


@pytest.mark.slow
def test_a_careless_player_moves_at_random_as_often_as_it_says() -> None:
    game = load_game("tictactoe")
    careful = make_player("standard", game)
    shares = {share: make_player(f"careless:player=standard,share={share}", game) for share in (0.0, 0.5, 1.0)}
    other = dict.fromkeys(shares, 0)
    for seed in range(1, 201):
        position = Position(game, seed=seed)
        position.play(position.read("0,1"))
        for share, player in shares.items():
            assert player.decide(position) == player.decide(position), "the view decides, and nothing else"
            other[share] += player.decide(position) != careful.decide(position)
    assert other[0.0] == 0
    assert 60 <= other[0.5] <= 120, "half of the moves are any of eight"
    assert 150 <= other[1.0] < 200


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("level:experd", "did you mean 'expert'"),
        ("level:", "level"),
        ("experd", "did you mean 'expert'"),
        ("casual:x", "no level 'casual:x'"),
        ("careless:share=0.5", "expected a value for 'player'"),
        ("careless:player=standard,share=2", "share"),
        ("careless:player=mcts:power=1", "expected a player made of rules, not 'mcts:power=1'"),
    ],
)
def test_a_level_that_is_none_is_told_in_a_line(spec: str, said: str) -> None:
    with pytest.raises(UsageError) as found:
        make_player(spec, load_game("tictactoe"))
    assert said in str(found.value)
    assert "\n" not in str(found.value)


def test_a_strangers_game_gets_its_levels_from_what_it_has(tmp_path: Path, forget: Callable[[], None]) -> None:
    game = load_game(str(stranger("plain", "nim", tmp_path) / "nim"))
    levels = level_players(game)
    hand = package_of(game).references[0]
    assert list(levels.values())[:2] == [f"careless:player={hand},share={share:g}" for share in (0.6, 0.3)]
    assert levels["strong"] == hand
    assert levels["expert"] == f"mcts:power=1,guide={hand}"
    players = [make_player(f"level:{level}", game) for level in levels]
    assert isinstance(players[0], CarelessPlayer)
    assert isinstance(players[3], RulePlayer)


@pytest.mark.parametrize(
    ("name", "options", "known"),
    [
        ("circles", {}, True), ("circles", {"size": 5}, True), ("circles", {"size": 8}, False),
        ("tictactoe", {}, True), ("tictactoe", {"size": 4}, False),
        ("kalah", {}, False), ("hearts", {}, False), ("cant-stop", {}, False),
    ],
)  # fmt: skip
def test_small_boards_are_worked_out(name: str, options: dict[str, int], known: bool) -> None:
    """No board that is too large is explored in vain, which takes seconds."""
    player = worked_out(Position(load_game(name), options))
    assert (player is not None) == known
    if player is not None:
        assert set(player.result.values) <= {-1, 0, 1}  # type: ignore[attr-defined]  # it has decided


@pytest.mark.parametrize(
    ("name", "text", "who", "ending"),
    [
        ("tictactoe", "3/3/3 X", "champion", "Worked out to the end: every move draws."),
        ("tictactoe", "X2/1O1/2X O", "champion", "Worked out to the end: it draws, as 3 other moves do."),
        ("tictactoe", "XX1/OO1/3 X", "champion", "Worked out to the end: it wins, and no other move does."),
        ("circles", "o/oo/ooo/oooo/ooooo/oooooo 0", "perfect", "Worked out to the end: it wins, as 8 other moves do."),
        ("kalah", "", "champion", ""),
        ("hearts", "", "champion", ""),
    ],
)
def test_a_hint_knows_what_is_worked_out(name: str, text: str, who: str, ending: str) -> None:
    """The champion gives it, unless its move leads to less than the best."""
    game = load_game(name)
    player, said = adviser(Position.from_text(game, text, {}) if text else Position(game, seed=1))
    assert (player.name, said) == (who, ending)


def test_what_each_move_leads_to_is_known_where_it_is_worked_out() -> None:
    position = Position.from_text(load_game("tictactoe"), "X2/1O1/2X O", {})
    values = {position.write(move): value for move, value in exact_values(position).items()}
    assert values == {**dict.fromkeys(("b1", "a2", "c2", "b3"), 0), "a1": -1, "c3": -1}
    assert exact_values(Position(load_game("kalah"))) == {}


def test_what_a_move_leads_to_is_told_beside_the_others() -> None:
    assert exact_ending({}, 1) == ""
    assert exact_ending({1: -1.0, 2: 1.0, 3: 0.0}, 1) == "Worked out to the end: it loses; 1 other move wins."
    assert exact_ending({1: -1.0, 2: 0.0, 3: 0.0}, 1, "the slip") == (
        "Worked out to the end: the slip loses; 2 other moves draw."
    )
    assert exact_ending({1: 1.0, 2: 1.0, 3: 0.0}, 1) == "Worked out to the end: it wins, as 1 other move does."
    assert exact_ending({1: -1.0, 2: -1.0}, 1) == "Worked out to the end: every move loses."
