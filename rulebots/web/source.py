"""A player of a population file, as an address of the page names it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rulebots.errors import UsageError
from rulebots.players.names import shipped_files
from rulebots.players.population import Entry, Population, Problem, check_population, find_player, load_population
from rulebots.players.population.problems import PopulationError
from rulebots.registry.named_code import names_from_data
from rulebots.web.opponents import Opponents
from rulebots.web.play import game_of


@dataclass(frozen=True)
class Source:
    """A player of a file: `spec` is FILE or FILE#PLAYER; `game` is the one that ships the file, "" for one's own."""

    spec: str
    game: str
    file: Path
    population: Population
    name: str
    entry: Entry


class ProblemsError(UsageError):
    """A file that cannot be read, with everything that is wrong with it, as `evolve check` says it."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__(str(problems[0]))
        self.problems = problems


def source_of(opponents: Opponents, spec: str, game: str = "") -> Source:
    """The player of that name: of a file in the served folder, or with a game's name of one that it ships.

    Raises:
        UsageError: there is none. ProblemsError: there are mistakes in the file, each with its line and column.
    """
    if not spec:
        raise UsageError("expected a player to tune")
    with names_from_data(rules="--rules {}", game="--game {}"):
        path, _, wanted = spec.partition("#")
        shipped = shipped_files(game_of(game)) if game else {}
        file = shipped.get(path) or opponents.file(path)
        try:
            population = load_population(file, wanted=wanted or None)
        except PopulationError as error:
            raise ProblemsError(check_population(file) or [error.problem]) from None
    name, entry = find_player(population, wanted or None)
    return Source(spec, game if path in shipped else "", file, population, name, entry)
