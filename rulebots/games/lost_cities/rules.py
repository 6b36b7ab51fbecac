"""The rule sets of Lost Cities; players are bred from the first by default."""

from __future__ import annotations

from rulebots.games.lost_cities.ruby_files import READERS
from rulebots.games.lost_cities.shelly import shelly
from rulebots.games.lost_cities.shelly_mended import shelly_mended
from rulebots.games.lost_cities.sheppard import sheppard
from rulebots.games.lost_cities.standard import standard

__all__ = ["BREEDING", "READERS", "RULE_SETS"]

RULE_SETS = (standard, shelly, shelly_mended, sheppard)
#: Lessons are cheap, because there are few moves at a time; and a win against Shelly says more about a player than
#: a win against a mutant of itself.
BREEDING = {"strategy": "memetic", "opponent_share": 0.95}
