"""Games as tasks of plain data, for workers that share no memory with the run.

A task holds names of players, or a reference to their rule set and their weights; the identity of the deals, a few
numbers; and a slice of the schedule. The worker finds games and rules by import, compiles them or loads them
from its own cache, draws the deals, and sends the results back. With everything that is named goes its fingerprint,
and the versions of what computes numbers: a worker on which something else has that name says so.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from evolve.deals import DealSource, Schedule
from evolve.workers.base import Job, R
from rulebots.errors import UsageError, version_of
from rulebots.game import Game
from rulebots.kernel.fingerprint import fingerprint
from rulebots.packages import load_game, path_of_game
from rulebots.packages.named_code import code_name, is_program, origin_of
from rulebots.packages.players import make_player
from rulebots.packages.rule_sets import load_rules, rule_sets_of
from rulebots.players import Player, RulePlayer, decides_by_rules
from rulebots.players.compiled import is_compiled
from rulebots.rules import RuleSet


@dataclass(frozen=True)
class Reference:
    """A game, a rule set or a player by its name, and its fingerprint: that of all it consists of.

    `game` is where the game is found: by its name, or the place of the user's. `module` has a rule set that neither the
    game nor a file of the user's has by that name; else it is "".
    """

    kind: str
    game: str
    name: str
    meaning: str
    module: str = ""

    def find(self) -> Any:
        """What it refers to. Raises UsageError where that is missing here, or something else has its name."""
        which = f"the law of {self.game}" if self.kind == "law" else f"the {self.kind} '{self.name}' of {self.game}"
        try:
            thing = self._here()
        except (ImportError, AttributeError, UsageError) as error:
            raise UsageError(f"a worker lacks {which}: {error}") from None
        if self not in _COMPARED and fingerprint(thing) != self.meaning:
            raise UsageError(f"a worker has another version of {which}: install the same")
        _COMPARED.add(self)
        return thing

    def _here(self) -> Any:
        if self.module:
            return getattr(importlib.import_module(self.module), self.name)
        game = load_game(self.game)
        if self.kind == "rules":
            return load_rules(self.name, game)
        return game if self.kind == "law" else make_player(self.name, game)


#: What was found to be the same here as in the run.
_COMPARED = set[Reference]()
#: A player, as a task holds it: a reference to it, or to its rule set with weights, float64[2, rules], and a name.
PlayerData = Reference | tuple[Reference, npt.NDArray[np.float64], str]


@dataclass(frozen=True)
class Task:
    """Games to play; `versions` are those of the packages that compute numbers, where the run is."""

    versions: Mapping[str, str]
    game: Reference
    players: tuple[PlayerData, ...]
    deals: DealSource
    schedule: Schedule


def tasks_of(game: Game, players: Sequence[Player], deals: DealSource, schedule: Schedule, count: int) -> list[Task]:
    """A schedule in about `count` pieces, each with the players that take part in it.

    Raises:
        UsageError: a player or a rule set that another process could not find.
    """
    played = _reference_to_game(game)
    tasks = list[Task]()
    data = [_data_of(played.game, player) for player in players]
    for piece in np.array_split(schedule, min(count, len(schedule))):
        taking_part, renumbered = np.unique(piece[:, 1:], return_inverse=True)
        own = np.column_stack([piece[:, 0], renumbered.reshape(piece[:, 1:].shape)])
        tasks.append(Task(_versions(), played, tuple(data[i] for i in taking_part), deals, own))
    return tasks


def do(job: Job[R], task: Task) -> R:
    """What a job makes of a task. Raises UsageError where this worker lacks the game, a player or the rules."""
    for package, here in _versions().items():
        if here != (wanted := task.versions[package]):
            raise UsageError(f"a worker has {package} {here}, and the run has {package} {wanted}: install the same")
    game: Game = task.game.find()
    players = [
        data.find() if isinstance(data, Reference) else RulePlayer(data[0].find(), data[1], data[2])
        for data in task.players
    ]
    return job(players, task.deals.draw(game), task.schedule)


@functools.cache
def _versions() -> dict[str, str]:
    return {name: version_of(name) for name in ("rulebots", "numpy", "numba")}


@functools.cache
def _reference_to_game(game: Game) -> Reference:
    """How another process finds a game. Raises UsageError for one that is not installed."""
    place = path_of_game(game.name)
    installed = None
    with contextlib.suppress(UsageError):
        installed = load_game(place)
    if game is not installed:
        raise UsageError(f"workers in other processes cannot find the game '{game.name}': install it as a package")
    return Reference("law", place, game.name, fingerprint(game))


def _data_of(place: str, player: Player) -> PlayerData:
    if is_compiled(player) and decides_by_rules(player):
        return reference_to(player.rules), player.weights, player.name
    return _reference_to_player(place, player)


@functools.cache
def reference_to(rules: RuleSet) -> Reference:
    """How another process finds a rule set. Raises UsageError for one that no process can import."""
    refer = functools.partial(Reference, "rules", path_of_game(rules.game.name), meaning=fingerprint(rules))
    if rules in rule_sets_of(rules.game).values():
        return refer(rules.name)
    if (named := origin_of(rules)) is not None:
        return refer(named.absolute)
    for module in sorted({rule.kernel.function.__module__ for rule in rules.rules} - {"__main__"}):
        for name, value in vars(sys.modules.get(module, sys)).items():
            if value is rules:
                return refer(name, module=module)
    raise UsageError(
        f"workers in other processes cannot import the rule set '{rules.name}': make it a name of a module beside its "
        "rules, installed there too, or use --backend threads"
    )


@functools.lru_cache(maxsize=256)
def _reference_to_player(place: str, player: Player) -> Reference:
    """How another process finds a player. Raises UsageError where nothing has its name, or something else."""
    named = None if is_program(player.name) else code_name(player.name)
    file = None if named is None or not named.is_file else named  # its name then means the same in every folder
    spec = player.name if file is None else file.absolute + f":{file.rest}" * bool(file.rest)
    reference = Reference("player", place, spec, fingerprint(player))
    try:
        reference.find()
    except UsageError:
        raise UsageError(
            f"workers in other processes cannot make the player '{player.name}': give it a name of its game"
        ) from None
    return reference
