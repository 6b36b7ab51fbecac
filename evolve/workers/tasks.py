"""Games as tasks of plain data, for workers that share no memory with the run.

A task holds names of players, or a reference to their rule set and their weights; the identity of the deals, a few
numbers; and a slice of the schedule. The worker finds games and rules by import, compiles them or loads them
from its own cache, draws the deals, and sends the results back. With everything that is named goes its fingerprint,
and the versions of what computes numbers: a worker on which something else has that name says so.
"""

from __future__ import annotations

import functools
import importlib
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import metadata

import numpy as np
import numpy.typing as npt

from evolve.deals import DealSource, Schedule
from evolve.workers.base import Job, R
from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.kernel.fingerprint import fingerprint
from rulebots.players import Player, RulePlayer
from rulebots.players.names import make_player
from rulebots.registry import load_game, parts_of, path_of_game
from rulebots.registry.named_code import code_name, is_program, origin_of
from rulebots.rules import RuleSet


@dataclass(frozen=True)
class RulesReference:
    """Where a rule set is found: by its name in the game, or its code (`module` is ""), else a name of a module.

    `meaning` is its fingerprint, by which a worker knows that its own rule set is the same.
    """

    game: str
    module: str
    name: str
    meaning: str

    def find(self) -> RuleSet:
        """The rule set. Raises UsageError where it is missing or another one."""
        which, rules = f"the rules '{self.name}' of {self.game}", None
        try:
            if self.module:
                rules = getattr(importlib.import_module(self.module), self.name)
            else:
                rules = parts_of(load_game(self.game)).rule_set(self.name)
        except (ImportError, AttributeError, UsageError) as error:
            raise UsageError(f"a worker lacks {which}: {error}") from None
        _compare(rules, self.meaning, which)
        assert isinstance(rules, RuleSet)
        return rules


@dataclass(frozen=True)
class PlayerReference:
    """A player by its name, and its fingerprint: that of all it consists of, players inside it included."""

    spec: str
    meaning: str

    def find(self, game: Game) -> Player:
        """The player. Raises UsageError where it is missing or another one."""
        player = make_player(self.spec, game)
        _compare(player, self.meaning, f"the player '{self.spec}' of {game.name}")
        return player


@dataclass(frozen=True)
class GameReference:
    """A game by its name, or the place of the user's; the fingerprint of its law, and versions by package."""

    name: str
    meaning: str
    versions: tuple[tuple[str, str], ...]

    def find(self) -> Game:
        """The game. Raises UsageError where it is missing or another one, or a package has another version."""
        for (package, wanted), (_, here) in zip(self.versions, _versions(), strict=True):
            if here != wanted:
                raise UsageError(f"a worker has {package} {here}, and the run has {package} {wanted}: install the same")
        game = load_game(self.name)
        _compare(game, self.meaning, f"the law of {game.name}")
        return game


@dataclass(frozen=True)
class Task:
    """Games to play; `players` are references, or (rules, weights, name) with weights float64[2, rules]."""

    game: GameReference
    players: tuple[PlayerReference | tuple[RulesReference, npt.NDArray[np.float64], str], ...]
    deals: DealSource
    schedule: Schedule


def tasks_of(game: Game, players: Sequence[Player], deals: DealSource, schedule: Schedule, count: int) -> list[Task]:
    """A schedule in about `count` pieces, each with the players that take part in it.

    Raises:
        UsageError: a player or a rule set that another process could not find.
    """
    place = path_of_game(game.name)
    if game is not _installed(place):
        raise UsageError(f"workers in other processes cannot find the game '{game.name}': install it as a package")
    data = [_data_of(game, player) for player in players]
    played, tasks = reference_to_game(game, place), []
    for piece in np.array_split(schedule, min(count, len(schedule))):
        taking_part, renumbered = np.unique(piece[:, 1:], return_inverse=True)
        own = np.column_stack([piece[:, 0], renumbered.reshape(-1, 2)])
        tasks.append(Task(played, tuple(data[i] for i in taking_part), deals, own))
    return tasks


def do(job: Job[R], task: Task) -> R:
    """What a job makes of a task. Raises UsageError where this worker lacks the game, a player or the rules."""
    game = task.game.find()
    return job(_players(task, game), task.deals.draw(game), task.schedule)


def _players(task: Task, game: Game) -> list[Player]:
    return [
        data.find(game) if isinstance(data, PlayerReference) else RulePlayer(_rules(data[0]), data[1], data[2])
        for data in task.players
    ]


@functools.cache
def reference_to(rules: RuleSet) -> RulesReference:
    """How another process finds a rule set. Raises UsageError for one that no process can import."""
    game, meaning = path_of_game(rules.game.name), fingerprint(rules)
    if rules in parts_of(rules.game).rule_sets.values():
        return RulesReference(game, "", rules.name, meaning)
    if (named := origin_of(rules)) is not None:
        return RulesReference(game, "", named.absolute, meaning)
    for module in sorted({rule.kernel.function.__module__ for rule in rules.rules} - {"__main__"}):
        for name, value in vars(sys.modules.get(module, sys)).items():
            if value is rules:
                return RulesReference(game, module, name, meaning)
    raise UsageError(
        f"workers in other processes cannot import the rule set '{rules.name}': make it a name of a module beside its "
        "rules, installed there too, or use --backend threads"
    )


@functools.cache
def reference_to_game(game: Game, place: str) -> GameReference:
    """How another process finds a game."""
    return GameReference(place, fingerprint(game), _versions())


@functools.cache
def _versions() -> tuple[tuple[str, str], ...]:
    return tuple((name, metadata.version(name)) for name in ("rulebots", "numpy", "numba"))


#: What was found to be the same here as in the run: in words, with its fingerprint.
_COMPARED = set[tuple[str, str]]()


def _compare(thing: object, meaning: str, which: str) -> None:
    """Raise UsageError where what was found here is not what the run has."""
    if (which, meaning) not in _COMPARED and fingerprint(thing) != meaning:
        raise UsageError(f"a worker has another version of {which}: install the same")
    _COMPARED.add((which, meaning))


def _installed(name: str) -> Game | None:
    try:
        return load_game(name)
    except UsageError:
        return None


@functools.cache
def _rules(reference: RulesReference) -> RuleSet:
    return reference.find()


def _data_of(game: Game, player: Player) -> PlayerReference | tuple[RulesReference, npt.NDArray[np.float64], str]:
    if isinstance(player, RulePlayer):
        return reference_to(player.rules), player.weights, player.name
    return _reference_to_player(game, player)


@functools.lru_cache(maxsize=256)
def _reference_to_player(game: Game, player: Player) -> PlayerReference:
    """How another process finds a player. Raises UsageError where nothing has its name, or something else."""
    reference = PlayerReference(_absolute(player.name), fingerprint(player))
    try:
        reference.find(game)
    except UsageError:
        raise UsageError(
            f"workers in other processes cannot make the player '{player.name}': give it a name of its game"
        ) from None
    return reference


def _absolute(spec: str) -> str:
    """A player's name that means the same in every folder."""
    named = None if is_program(spec) else code_name(spec)
    return spec if named is None or not named.is_file else named.absolute + f":{named.rest}" * bool(named.rest)
