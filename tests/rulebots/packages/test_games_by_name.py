"""Games, rule sets and players of installed packages: found by entry point, and one that is broken hides no other."""

from __future__ import annotations

from importlib import metadata

import pytest

from rulebots.cli import commands
from rulebots.cli.app import load_commands, run_app
from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.packages import games as registry, load_game
from rulebots.packages.players import make_player, player_names
from rulebots.packages.rule_sets import load_rules, rule_sets_of

load_commands(commands)
KEEP = """
from rulebots import load_game, load_rules, rule

game = load_game("tictactoe")


@rule({group!r}, early=0.1)
def always(view, point):
    \"\"\"It is always there.\"\"\"
    return 1.0


mine = load_rules(game=game).extended("mine", [always])
"""
H4 = """
from rulebots import Player


class H4(Player):
    def choose(self, view, moves):
        return moves[0]
"""


@pytest.fixture
def game():
    """Tic-tac-toe, whose rule sets are looked up again."""
    rule_sets_of.cache_clear()
    yield load_game("tictactoe")
    rule_sets_of.cache_clear()


@pytest.fixture
def installed(tmp_path, monkeypatch, forget, game):
    """Modules as if installed; the fixture takes entry points, (group, name, value)."""
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "own_keep.py").write_text(KEEP.format(group=load_rules(game=game).groups[0]))
    (tmp_path / "own_h4.py").write_text(H4)
    (tmp_path / "own_broken.py").write_text("\nimport nowhere\n")
    rule_sets_of.cache_clear()
    caches = (registry.packages, registry._offers, registry._entry_points)

    def install(*points):
        found = [metadata.EntryPoint(name, value, group) for group, name, value in points]
        monkeypatch.setattr(metadata, "entry_points", lambda group: [p for p in found if p.group == group])
        for cache in caches:
            cache.cache_clear()

    yield install
    monkeypatch.undo()
    for cache in caches:
        cache.cache_clear()


def test_rules_and_players_of_a_package(installed, game: Game):
    installed(
        (registry.RULES, "tictactoe/mine", "own_keep:mine"),
        (registry.RULES, "kalah/other", "own_broken:x"),
        (registry.PLAYERS, "tictactoe/h4", "own_h4:H4"),
    )
    assert list(rule_sets_of(game))[-1] == "mine"
    assert load_rules("mine", game).game is game
    assert make_player("h4", game).name == "h4"
    assert "h4" in player_names(game)
    assert "h4" not in player_names(load_game("gomoku"))


def test_a_broken_one_hides_no_other_and_is_named(installed, game, capsys):
    installed(
        (registry.GAMES, "gone", "not_there"),
        (registry.GAMES, "broken", "own_broken"),
        (registry.GAMES, "kalah", "own_h4"),
        (registry.GAMES, "double", "own_h4"),
        (registry.GAMES, "double", "own_keep"),
        (registry.RULES, "misnamed", "own_keep:mine"),
        (registry.RULES, "tictactoe/bad", "own_broken:x"),
        (registry.RULES, "tictactoe/nix", "own_keep:nix"),
        (registry.PLAYERS, "tictactoe/odd", "own_keep:always"),
        (registry.PLAYERS, "tictactoe/gone", "not_there:x"),
    )
    assert run_app(commands.app, "rulebots", ["games"]) == 0
    out = capsys.readouterr().out
    assert "\nkalah " in out
    assert "gone cannot be used: the game 'gone' needs a module not_there: there is none" in out
    assert "broken cannot be used: " in out
    assert "own_broken.py:2: cannot import: No module named 'nowhere'" in out
    assert "double cannot be used: several installed packages offer a game 'double': own_h4, own_keep" in out
    assert "'kalah' of rulebots.games, own_h4: that game comes with rulebots; choose another name" in out
    assert "entry point 'misnamed' of rulebots.rules: expected its name as GAME/NAME" in out
    assert run_app(commands.app, "rulebots", ["players", "tictactoe"]) == 0
    out = capsys.readouterr().out
    assert "tictactoe/odd cannot be used: entry point 'tictactoe/odd' of rulebots.players: expected a player" in out
    assert "tictactoe/gone cannot be used: entry point 'tictactoe/gone' of rulebots.players: there is no module" in out
    assert run_app(commands.app, "rulebots", ["rules", "tictactoe"]) == 0
    out = capsys.readouterr().out
    assert "own_broken.py:2: cannot import" in out
    assert "tictactoe/nix cannot be used: entry point 'tictactoe/nix' of rulebots.rules: own_keep has no 'nix'" in out
    with pytest.raises(UsageError, match=r"own_broken\.py:2: cannot import"):
        load_rules("bad", game)
    with pytest.raises(UsageError, match="expected a player, or what makes one"):
        make_player("odd", game)


@pytest.mark.parametrize("name", ["a" * 5000, "./" + "a" * 5000, "a/" * 4000, "a\0b", "a" * 5000 + ".yaml#b"])
def test_a_name_that_no_file_can_have_is_an_error_of_usage(name: str, game: Game) -> None:
    with pytest.raises(UsageError):
        load_game(name)
    with pytest.raises(UsageError):
        make_player(name, game)
