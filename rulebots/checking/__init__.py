"""Looks for mistakes in games, rule sets and players: random games interpreted with bounds, and what they show.

`check_game` checks all of a game. `law` has its random games, `views` what the mover may know, `hidden` what a game
hides, `text` what people read and type, `players` rule sets and players; `testing` makes tests of all these.
"""

import linecache
import sys
from collections.abc import Callable
from functools import partial
from importlib.metadata import entry_points

from rulebots.checking.findings import GAMES, Finding, Findings, all_of, check, in_turn
from rulebots.checking.hidden import check_secrecy, check_told, check_undeal
from rulebots.checking.law import check_deals, check_functions, check_games
from rulebots.checking.live import check_objects
from rulebots.checking.players import check_compiled, check_player, check_rules
from rulebots.checking.text import check_text
from rulebots.checking.views import check_observation, check_position_fields
from rulebots.errors import UsageError, demand
from rulebots.game import Game
from rulebots.game.checks import check_kernel, check_parameters
from rulebots.kernel.user_code import place, place_of
from rulebots.packages import package_of, path_of_game
from rulebots.packages.game_package import GamePackage
from rulebots.packages.players import make_player
from rulebots.packages.rule_sets import rule_sets_of
from rulebots.players import RandomPlayer, decides_by_rules

#: The entry points that make the settings of a breeding run, of a game and its package: `settings_of(game=...)`.
BREEDERS = "rulebots.breeders"

__all__ = ["Finding", "Findings", "check_game", "check_law", "check_player", "check_rules"]


def check_game(game: Game, games: int = GAMES) -> Findings:
    """Everything that is wrong with a game, its rule sets and its players.

    Where the package or the law is wrong, the rest is not looked at: it would be wrong too.
    """
    findings = in_turn(partial(_check_package, game), partial(check_law, game, games))
    if findings.mistakes:
        return findings
    of_rules = [partial(check_rules, rules, games) for rules in rule_sets_of(game).values()]
    return all_of(findings, in_turn(*of_rules, partial(_check_players, game), go_on=True))


def check_law(game: Game, games: int = GAMES) -> Findings:
    """What is wrong with the game alone."""
    played = partial(in_turn, partial(check_deals, game), partial(check_games, game, games), go_on=True)
    if game.live:
        return in_turn(
            played, partial(check_objects, game), *([partial(check_text, game)] * (game.live.source.show is not None))
        )
    others = (check_position_fields, check_observation, check_undeal, check_text, check_secrecy)
    return in_turn(
        partial(check_functions, game),  # a `print`, for example, would hide its own line
        played,
        partial(check_told, game),
        lambda: in_turn(*(partial(part, game) for part in others), go_on=True),
        lambda: check_compiled(RandomPlayer(game).style),
    )


@check
def _check_package(findings: Findings, game: Game) -> None:
    """What is wrong with the other parts of the game's package."""
    package = package_of(game)
    for part, parameters in (("draw", 2), ("look_on", 1), ("solve", None), ("tablebase", 1), ("readers", None)):
        with findings.collecting():
            function = getattr(package, part)
            if function and parameters is not None:
                check_parameters(part, function, parameters)
    with findings.collecting():
        if package.forced_wins:
            check_kernel(package.module, "forced_wins.win", package.forced_wins.win, 4)
            demand(
                not (game.hidden or game.chance),
                f"{package.place}: `forced_wins` is for games without hidden information and chance",
            )
    for breeder in entry_points(group=BREEDERS) if package.breeding else ():
        with findings.collecting():
            _check_breeding(package, breeder.load())


def _check_breeding(package: GamePackage, settings_of: Callable[..., object]) -> None:
    """Raise UsageError where a breeder does not take the package's settings; it names the line of the setting."""
    try:
        settings_of(game=path_of_game(package.game.name))
    except UsageError as error:
        file = sys.modules[package.module].__file__ or ""
        wrong = [f'"{name}"' for name in package.breeding if f"'{name}'" in str(error)]
        lines = [at for at, line in enumerate(linecache.getlines(file), 1) if any(name in line for name in wrong)]
        raise UsageError(f"{place(file, lines[0]) if lines else package.place}: {error}") from None


@check
def _check_players(findings: Findings, game: Game) -> None:
    """What is wrong with the players of a game, but for those of its rules; and with its settings of tree searches."""
    package = package_of(game)
    own = package.players
    search = ["mcts:iterations=1"] if package.mcts and not game.hidden else []
    others = {*package.references, *package.baselines, *package.levels, *search} - own.keys()
    for name in (*own, *sorted(others)):
        with findings.collecting():
            try:
                player = make_player(name, game)
            except UsageError as error:
                where = f"{place_of(own[name])}: player '{name}'" if name in own else package.place
                raise UsageError(f"{where}: {error}") from None
            if name in own and not decides_by_rules(player):
                findings.add(*check_player(player))
