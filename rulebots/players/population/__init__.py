"""Population files: YAML that a person can read, correct by hand and load back into a match.

`load_population` and `check_population` read a file, `population_text` writes one, `schema` describes it to
editors. Nothing here imports numba.
"""

from rulebots.players.population.comments import with_comments_of
from rulebots.players.population.foreign import Reader
from rulebots.players.population.json_schema import schema
from rulebots.players.population.loading import check_population, load_population
from rulebots.players.population.model import Entry, Population, find_player, rounded
from rulebots.players.population.own_layout import FORMAT
from rulebots.players.population.problems import PopulationError, Problem
from rulebots.players.population.text import population_text

__all__ = [
    "FORMAT",
    "Entry",
    "Population",
    "PopulationError",
    "Problem",
    "Reader",
    "check_population",
    "find_player",
    "load_population",
    "population_text",
    "rounded",
    "schema",
    "with_comments_of",
]
