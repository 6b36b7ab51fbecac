"""Population files: YAML that a person can read, correct by hand and load back into a match.

`load_population` and `check_population` read a file, `population_text` writes one, `schema` describes it to
editors. Nothing here imports numba.
"""

from rulebots.packages.game_package import Reader
from rulebots.packages.population.population import (
    FORMAT,
    Entry,
    Population,
    find_player,
    population_text,
    rounded,
)
from rulebots.packages.population.population_file import PopulationError, check_population, load_population, schema

__all__ = [
    "FORMAT",
    "Entry",
    "Population",
    "PopulationError",
    "Reader",
    "check_population",
    "find_player",
    "load_population",
    "population_text",
    "rounded",
    "schema",
]
