"""Everything about a game: its law, its deals, what it shows, its text, its rule sets and its players."""

from __future__ import annotations

from rulebots.checking.comparison import check_compiled
from rulebots.checking.law import check_deals, check_games, check_text_of_law
from rulebots.checking.observation import check_observation
from rulebots.checking.player import check_player
from rulebots.checking.position_fields import check_position_fields
from rulebots.checking.problem import GAMES, Problems, add, breaches, collecting, distinct
from rulebots.checking.rules import check_rules
from rulebots.checking.secrecy import check_secrecy
from rulebots.checking.text import check_text
from rulebots.checking.undeal import check_undeal
from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.kernel.user_code import place_of
from rulebots.players import RandomPlayer, RulePlayer
from rulebots.players.names import make_player
from rulebots.registry import parts_of


def check_game(game: Game, games: int = GAMES) -> Problems:
    """Everything that is wrong with a game, its rule sets and its players.

    Where the law is wrong, the rest is not looked at: it would be wrong too.
    """
    found = check_law(game, games)
    if breaches(found):
        return found
    return distinct(
        lambda: found,
        *(lambda rules=rules: check_rules(rules, games) for rules in parts_of(game).rule_sets.values()),
        lambda: check_players(game),
        lambda: check_search(game),
    )


def check_law(game: Game, games: int = GAMES) -> Problems:
    """What is wrong with the game alone."""
    found = distinct(lambda: check_text_of_law(game), lambda: check_deals(game), lambda: check_games(game, games))
    if breaches(found):
        return found
    found = distinct(
        lambda: found,
        lambda: check_position_fields(game),
        lambda: check_observation(game),
        lambda: check_undeal(game),
        lambda: check_text(game),
        lambda: check_secrecy(game),
    )
    return found if breaches(found) else [*found, *check_compiled(RandomPlayer(game).style)]


def check_search(game: Game) -> Problems:
    """What is wrong with the game's settings of tree searches."""
    found: Problems = []
    if parts_of(game).mcts and not game.hidden:
        with collecting(found):
            make_player("mcts:iterations=1", game)
    return found


def check_players(game: Game) -> Problems:
    """What is wrong with the players that a game brings along; those made of its rules are not asked again."""
    found: Problems = []
    for name in parts_of(game).players:
        with collecting(found):
            try:
                player = make_player(name, game)
            except UsageError as error:
                raise UsageError(f"{place_of(parts_of(game).players[name])}: PLAYERS['{name}']: {error}") from None
            if not isinstance(player, RulePlayer):
                for problem in check_player(player):
                    add(found, problem)
    return found
