"""Looks for mistakes in games, rule sets and players: random games interpreted with bounds, and what they show.

`check_game` checks all of a game. `law` has its random games, `views` what the mover may know, `hidden` what a game
hides, `text` what people read and type, `players` rule sets and players; `testing` makes tests of all these.
"""

from __future__ import annotations

from rulebots.checking.findings import GAMES, Finding, Findings, all_of
from rulebots.checking.hidden import check_secrecy, check_undeal
from rulebots.checking.law import check_deals, check_functions, check_games
from rulebots.checking.players import check_compiled, check_player, check_rules
from rulebots.checking.text import check_text
from rulebots.checking.views import check_observation, check_position_fields
from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.kernel.user_code import place_of
from rulebots.packages import parts_of
from rulebots.packages.players import make_player
from rulebots.players import RandomPlayer, decides_by_rules

__all__ = ["Finding", "Findings", "check_game", "check_law", "check_player", "check_rules"]


def check_game(game: Game, games: int = GAMES) -> Findings:
    """Everything that is wrong with a game, its rule sets and its players.

    Where the law is wrong, the rest is not looked at: it would be wrong too.
    """
    found = check_law(game, games)
    if found.mistakes:
        return found
    sets = [check_rules(rules, games) for rules in parts_of(game).rule_sets.values()]
    return all_of(found, *sets, _check_players(game), _check_search(game), _check_parts(game))


def check_law(game: Game, games: int = GAMES) -> Findings:
    """What is wrong with the game alone."""
    found = all_of(check_functions(game), check_deals(game), check_games(game, games))
    if found.mistakes:
        return found
    shown = (check_position_fields(game), check_observation(game), check_undeal(game))
    found = all_of(found, *shown, check_text(game), check_secrecy(game))
    return found if found.mistakes else all_of(found, check_compiled(RandomPlayer(game).style))


def _check_search(game: Game) -> Findings:
    """What is wrong with the game's settings of tree searches."""
    found = Findings()
    if parts_of(game).mcts and not game.hidden:
        with found.collecting():
            make_player("mcts:iterations=1", game)
    return found


def _check_parts(game: Game) -> Findings:
    """What is wrong with the other parts of the game's folder."""
    found, parts = Findings(), parts_of(game)
    for part in ("breeding", "draw", "look_on", "forced_wins", "solver"):
        with found.collecting():
            getattr(parts, part)
    for line in parts.misplaced:
        with found.collecting():
            raise UsageError(line)
    return found


def _check_players(game: Game) -> Findings:
    """What is wrong with the players that a game brings along; those made of its rules are not asked again."""
    found = Findings()
    for name, maker in parts_of(game).players.items():
        with found.collecting():
            try:
                player = make_player(name, game)
            except UsageError as error:
                raise UsageError(f"{place_of(maker)}: PLAYERS['{name}']: {error}") from None
            if not decides_by_rules(player):
                found.add(*check_player(player))
    return found
