"""Opponents by strength, `beginner` to `expert` (or `level:expert`), and players that are careless now and then.

A game names its own levels: `LEVELS` in its `players.py`, the weakest first. Without them they follow from what it has:
its hand-tuned player, with moves at random for the lower levels, its champion, and a search.
"""

import contextlib
import copy
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rulebots.errors import UsageError, demand, unknown
from rulebots.game import Game, Moves, View
from rulebots.game.position import Position
from rulebots.game.random_numbers import apart, below, next_luck
from rulebots.packages import package_of
from rulebots.packages.players import CHAMPION, LEVELS, champion_of, make_player
from rulebots.players.compiled import CompiledPlayer, decides_by_rules
from rulebots.players.explaining import choice
from rulebots.players.player import Player
from rulebots.players.specs import check_numbers, number, quoted, settings_of

#: The kind of a level's whole name.
LEVEL = "level"
#: The level of a person's opponent by default.
DEFAULT_LEVEL = "casual"
#: The search that stands above the champion, which answers at once on most boards, and the one where cards are hidden.
SEARCH = "mcts:power=1"
#: What people call a search, by the kind of its name.
SEARCHES = {"mcts": "the tree search", "minimax": "the minimax search", "rollout": "the search by rollouts"}
#: How players decide whose rules nobody wrote.
WITHOUT_HAND = {CHAMPION: "its rules were bred", "perfect": "it knows the best move", "random": "it moves at random"}
#: What a move leads to, by its exact value.
ENDS = {-1.0: "loses", 0.0: "draws", 1.0: "wins"}
#: How often levels below the hand-tuned player move at random, by how many of them there are; and simulations of the
#: levels of a game without rules.
SHARES = {2: (0.5, 0.2), 3: (0.6, 0.3, 0.1), 4: (0.7, 0.4, 0.2, 0.1)}
SIMULATIONS = (10, 40, 150)


@dataclass(frozen=True)
class CarelessSettings:
    """The settings of `careless:player=NAME,share=S`.

    Raises:
        UsageError: a number is out of its range.
    """

    player: str
    share: float = number(0.3, 0.0, 1.0, "share of moves made at random")

    def __post_init__(self) -> None:
        check_numbers(self, "careless")


class CarelessPlayer(Player):
    """Plays as another player does, but a share of its moves is any legal one: epsilon-greedy.

    Raises:
        UsageError: the other player is not one of rules, or another that is given the view.
    """

    def __init__(self, player: Player, share: float, name: str = "careless") -> None:
        demand(isinstance(player, CompiledPlayer), f"'{name}': expected a player made of rules, not '{player.name}'")
        super().__init__(player.game, name)
        self.player = player
        self.share = share

    def identity(self) -> object:
        """What decides how it plays: the other player and the share."""
        return type(self), self.player.identity(), self.share

    def choose(self, view: View, moves: Moves) -> int:
        """Any legal move now and then, else the other player's."""
        first = next_luck(apart(int(view.luck)))
        if below(first, 1_000_000) < self.share * 1_000_000:
            return int(moves[below(next_luck(first), len(moves))])
        return self.player.choose(view, moves)


def level_players(game: Game) -> Mapping[str, str]:
    """The players of a game's levels: level -> name, the weakest first; fewer than five where it has not so many."""
    return dict(zip(LEVELS, package_of(game).levels or _usual(game), strict=False))


def default_opponent(game: Game) -> str:
    """The name of the level that a person meets who names no opponent."""
    levels = level_players(game)
    return f"{LEVEL}:{DEFAULT_LEVEL if DEFAULT_LEVEL in levels else next(iter(levels))}"


def worked_out(position: Position) -> Player | None:
    """The player `perfect` after it has decided in a position, which it knows to the end at once; None elsewhere.

    It knows it where the game tabulates its positions or has that player as a level, at the usual options, and where
    nothing is up to chance. It knows all that can follow it as well.
    """
    game, package = position.game, package_of(position.game)
    usual = "perfect" in package.levels and position.options == game.option_values()
    with contextlib.suppress(UsageError):  # a board that is too large
        if (usual or package.tablebase) and not game.chance:
            player = make_player("perfect", game, position.seats)
            player.decide(position)
            return player
    return None


def exact_values(position: Position) -> Mapping[int, float]:
    """What each legal move leads to, -1, 0 or 1 for its mover, where that is worked out; else nothing."""
    perfect: Any = worked_out(position)
    if perfect is None or position.game.in_points(position.seats):
        return {}
    return dict(zip(perfect.result.moves.tolist(), perfect.result.values.tolist(), strict=True))


def adviser(position: Position) -> tuple[Player, str]:
    """Who gives a hint in a position, and what its move leads to, in a sentence, "" where nobody has worked that out.

    It is the champion, or `perfect` where the champion's move leads to less.
    """
    game = position.game
    player = make_player(champion_of(game), game, position.seats)
    values = exact_values(position)
    if not values or not decides_by_rules(player):
        return player, ""
    move = choice(player.rules, player.weights, position.view(), position.legal_moves)
    best = max(values, key=lambda one: (values[one], one == move))
    return player if best == move else make_player("perfect", game, position.seats), exact_ending(values, best)


def exact_ending(values: Mapping[int, float], move: int, subject: str = "it") -> str:
    """What a move, the `subject`, leads to beside the others, in a sentence; "" where nothing is worked out."""
    if not values:
        return ""
    value, best = values[move], max(values.values())
    others = sum(one == best for one in values.values()) - (value == best)
    moves, ends = f"{others} other move{'s' * (others > 1)}", ENDS[best]
    if others + 1 == len(values) and value == best:
        return f"Worked out to the end: every move {ends}."
    alike = f"as {moves} do{'es' * (others == 1)}" if others else "and no other move does"
    than = f"{ENDS[value]}; {moves} {ends[:-1] if others > 1 else ends}" if value < best else f"{ends}, {alike}"
    return f"Worked out to the end: {subject} {than}."


def in_speech(name: str) -> str:
    """What people call a player: `the tree search` for `mcts:power=3`, `Casual` for `level:casual`, else its name."""
    kind, _, level = name.partition(":")
    return level.capitalize() if kind == LEVEL else SEARCHES.get(kind, name)


def in_words(name: str) -> str:
    """How a level's player decides: `its rules were bred, but 30 of 100 moves are made at random`."""
    kind, _, rest = name.partition(":")
    if kind == "careless":
        settings = settings_of(name, CarelessSettings)
        return f"{in_words(settings.player)}, but {100 * settings.share:.0f} of 100 moves are made at random"
    if kind in SEARCHES:
        effort = rest.partition("iterations=")[2]
        return f"looks ahead: {SEARCHES[kind]}{f' of {effort} positions' if effort else ''}"
    return WITHOUT_HAND.get(name, f"its rules were written by hand ({name})")


def player_of(spec: str, game: Game, seats: int | None = None) -> Player:
    """The player of `LEVEL`, `level:LEVEL` or `careless:player=NAME,share=S`.

    Raises:
        UsageError: no such level, wrong settings, or a player that cannot be careless.
    """
    if spec.partition(":")[0] == "careless":
        settings = settings_of(spec, CarelessSettings)
        return CarelessPlayer(make_player(settings.player, game, seats), settings.share, spec)
    levels = level_players(game)
    level = spec.removeprefix(f"{LEVEL}:")
    if level not in levels:
        raise UsageError(f"'{spec}': {unknown('level', level, levels, game.name)}")
    player = copy.copy(make_player(levels[level], game, seats))
    player.name = spec
    return player


def _usual(game: Game) -> list[str]:
    """Levels of a game that names none."""
    hand = package_of(game).references[0]
    best = champion_of(game)
    by_rules = decides_by_rules(make_player(best, game))
    guided = by_rules and "guide" not in package_of(game).mcts
    search = f"{SEARCH},guide={quoted(best)}" if guided else SEARCH
    if game.hidden:
        search = "rollout:simulations=100" if game.redeal and by_rules else ""
    top = list(dict.fromkeys(filter(None, (hand, best, search))))
    if hand == "random":
        return [hand, *(f"mcts:iterations={count}" for count in SIMULATIONS if not game.hidden), *top[1:]]
    shares = SHARES[len(LEVELS) - len(top)]
    return [*(f"careless:player={quoted(hand)},share={share:g}" for share in shares), *top]
