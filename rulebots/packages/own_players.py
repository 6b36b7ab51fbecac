"""Players that a person names by their code: a class, a function that makes a player, or a player itself.

A class or function gets the `game` and the `name`, if it takes them; its other parameters are the settings that its
name may have: `h4.py:H4:depth=3,greedy=yes`.
"""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Mapping
from dataclasses import MISSING, field, make_dataclass
from dataclasses import fields as fields_of
from typing import Any

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.game.checks import check_kernel
from rulebots.kernel.user_code import place_of
from rulebots.packages import load_game
from rulebots.packages.named_code import is_program, load, name_program
from rulebots.packages.rule_sets import load_rules
from rulebots.players.compiled import CompiledPlayer
from rulebots.players.player import Player, PlayerFault, failure_in_words, name_of
from rulebots.players.specs import settings_of
from rulebots.rules import RuleSet

#: What a class or function may take besides settings.
_GIVEN = ("game", "name")
_KINDS = (bool, int, float, str)


def bring_code(kind: str, name: str) -> None:
    """Import what a person names; `kind` is `game`, `rules`, `player`, or `code` for either. Raises CodeError."""
    bring: Mapping[str, Callable[[str], object]] = {"game": load_game, "rules": load_rules, "player": bring_player}
    bring.get(kind, _bring_any)(name)


def _bring_any(text: str) -> None:
    """Import a rule set or a player of your own, whichever has the name. Raises CodeError."""
    if is_program(text):
        name_program(text)
    elif isinstance(load(text, "code", lambda thing: isinstance(thing, RuleSet) or makes_players(thing)), RuleSet):
        load_rules(text)


def bring_player(text: str) -> None:
    """Import a player of your own, so that the names of a data file find it. Raises CodeError.

    A program, `program:./mybot`, is not started before it plays.
    """
    if is_program(str(text)):
        name_program(text)
    else:
        load(text, "player", makes_players)


def makes_players(thing: Any) -> bool:
    """Whether a thing is a player, a class of players, or a function that could make one."""
    if isinstance(thing, type):
        return issubclass(thing, Player) and not inspect.isabstract(thing)
    return isinstance(thing, Player) or (inspect.isfunction(thing) and not thing.__name__.startswith("_"))


def player_from(thing: Any, game: Game, name: str, head: str, settings: str = "") -> Player:
    """The player that a thing is, or makes: `name` is what a person wrote, `head` that without the settings.

    Raises:
        UsageError: wrong settings, or a player of another game. PlayerFault: it cannot be made.
    """
    if isinstance(thing, Player):
        if settings:
            raise UsageError(f"'{name}': '{head}' is a player already and takes no settings")
        player: object = thing
    else:
        player = _made(thing, game, name, head, settings)
    if not isinstance(player, Player):
        raise PlayerFault(f"player '{name}' cannot be made: expected a Player from {head}, not {type(player).__name__}")
    if getattr(player, "game", game) is not game:
        raise UsageError(f"'{name}' plays {player.game.name}, not {game.name}: choose another game or player")
    check_choice(player)
    if name_of(player) != name:  # a name means the same everywhere
        player = copy.copy(player)
        player.name = name
    return player


def check_choice(player: Player) -> None:
    """Raise UsageError for a compiled player whose `choose` is not a kernel with the parameters of `Style.choose`."""
    if isinstance(player, CompiledPlayer) and hasattr(player, "style"):
        check_kernel(name_of(player), "choose", player.style.choose, 6)


def _made(maker: Callable[..., object], game: Game, name: str, head: str, settings: str) -> object:
    parameters = inspect.signature(maker).parameters.values()
    named = [p for p in parameters if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    where = _place(maker)
    if inspect.isfunction(maker) and "moves" in inspect.signature(maker).parameters:
        what = "it makes no player, it chooses a move: write a class with it, `class Mine(Player)`, as its `choose`"
        raise UsageError(f"{where}: expected a class or a function that makes the player '{name}', not {head}: {what}")
    given: dict[str, object] = {p.name: {"game": game, "name": name}[p.name] for p in named if p.name in _GIVEN}
    record = _settings_record([p for p in named if p.name not in _GIVEN], where)
    try:
        chosen = settings_of(name, record, head=head)
    except UsageError as error:
        raise UsageError(f"{error} ({where})" if where else str(error)) from None
    given |= {f.name: getattr(chosen, f.name) for f in fields_of(record)}
    try:
        return maker(**given)
    except UsageError:
        raise
    except (Exception, SystemExit) as error:
        raise PlayerFault(f"player '{name}' cannot be made: it {failure_in_words(error)}") from error


def _place(maker: Callable[..., object]) -> str:
    """Where a function stands; of a class its `__init__`, or else its first method."""
    if not isinstance(maker, type):
        return place_of(maker)
    own = {name: value for name, value in vars(maker).items() if inspect.isfunction(value)}
    return place_of(own.get("__init__", next(iter(own.values()), None)))


def _settings_record(parameters: list[inspect.Parameter], where: str) -> type[Any]:
    """The settings that a maker takes, as a dataclass: each of the type that it says, or that its default has.

    A parameter of another type is not a setting, and keeps its default. Raises UsageError where it has none.
    """
    entries: list[tuple[str, Any, Any]] = []
    for p in parameters:
        kind = p.annotation
        if isinstance(kind, str):
            kind = next((known for known in _KINDS if kind.removesuffix(" | None") == known.__name__), kind)
        if kind is p.empty:
            kind = type(p.default) if p.default not in (p.empty, None) else str
        if kind not in (*_KINDS, *(known | None for known in _KINDS)):
            if p.default is not p.empty:
                continue
            what = f"expected a setting of type bool, int, float or str as '{p.name}', or a default for it"
            raise UsageError(f"{where}: {what}, not {getattr(kind, '__name__', kind)}")
        default = MISSING if p.default is p.empty else p.default
        entries.append((p.name, kind, field(default=default, kw_only=True)))
    return make_dataclass("Settings", entries, frozen=True)
