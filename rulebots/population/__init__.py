"""Population files: YAML that a person can read, correct by hand and load back into a match.

`load_population` and `check_population` read a file, `population_text` and `write_new` make one,
`BredPlayer` plays what is in it, `schema` describes it to editors. Nothing here imports numba.
"""

from rulebots.population.bred_player import BredPlayer, split_spec
from rulebots.population.json_schema import schema
from rulebots.population.loading import check_population, load_population
from rulebots.population.model import Entry, Population, find_player, rounded
from rulebots.population.own_layout import FORMAT
from rulebots.population.problems import PopulationError, Problem
from rulebots.population.text import population_text
from rulebots.population.write_new import OutputError, refuse_unwritable, write_new, write_over

__all__ = [
    "FORMAT",
    "BredPlayer",
    "Entry",
    "OutputError",
    "Population",
    "PopulationError",
    "Problem",
    "check_population",
    "find_player",
    "load_population",
    "population_text",
    "refuse_unwritable",
    "rounded",
    "schema",
    "split_spec",
    "write_new",
    "write_over",
]
