"""A player from a population file."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from rulebots.errors import UsageError
from rulebots.files import is_file
from rulebots.players import RulePlayer
from rulebots.players.population.model import find_player
from rulebots.players.population.reading import load_population
from rulebots.rules import RuleSet


class BredPlayer(RulePlayer):
    """The first player of a population file, or with `path.yaml#player` the one of that name.

    `rule_sets` are known in addition to those of the installed games, for rules written in a script.

    Raises:
        PopulationError: the file is not a population.
        UsageError: the file lacks that player.
    """

    def __init__(self, spec: str | Path, rule_sets: Iterable[RuleSet] = (), name: str | None = None) -> None:
        path, wanted = split_spec(str(spec))
        population = load_population(path, rule_sets, wanted=wanted)
        try:
            found, entry = find_player(population, wanted)
        except UsageError as error:
            raise UsageError(f"{path}: {error}") from None
        super().__init__(population.rules, entry.weights, name or found)

    def identity(self) -> object:
        """What decides how the player plays: it is the rule player that the file describes, however it was read."""
        held = {name: value for name, value in vars(self).items() if name != "name"}
        return (RulePlayer if type(self) is BredPlayer else type(self)), held


def split_spec(spec: str) -> tuple[str, str | None]:
    """`path.yaml#player` as path and player. The player is None without a `#`, or if a file has the whole name.

    A folder's name may have a `#` as well: the longest path that is a file counts.
    """
    if "#" not in spec or is_file(spec):
        return spec, None
    for place in range(len(spec) - 1, 0, -1):
        if spec[place] == "#" and is_file(spec[:place]):
            return spec[:place], spec[place + 1 :]
    for suffix in (".yaml#", ".yml#"):
        if suffix in spec:
            path, player = spec.split(suffix, 1)
            return path + suffix[:-1], player
    path, player = spec.split("#", 1)
    return path, player
