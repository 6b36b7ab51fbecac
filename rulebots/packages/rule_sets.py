"""Rule sets by name."""

from __future__ import annotations

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.packages.game_parts import game_of_rules, parts_of
from rulebots.rules import RuleSet


def load_rules(name: str | None = None, game: Game | None = None) -> RuleSet:
    """A rule set of a game by its name, by default the one that it breeds; or a user's, of any game.

    A user's is named by `module:name` or `path.py:name`, without a game. From then on its game knows it by its name, in
    this process, so that population files find it.

    Raises:
        UsageError: the game has no rule set of that name (with the nearest one), or it is for another game.
        CodeError: no such file, module or name, code that fails when it is imported, or a rule set's name twice.
    """
    if game is not None:
        if not isinstance(game, Game):
            raise UsageError(f"expected a game, such as load_game('kalah'), not {game!r}")
        return parts_of(game).rule_set(name)
    if name is None:
        raise UsageError("expected the name of a rule set, or a game")
    return parts_of(game_of_rules(name)).rule_set(name)
