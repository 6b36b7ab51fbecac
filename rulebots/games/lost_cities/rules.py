"""The rule sets of Lost Cities; players are bred from the first by default."""

from __future__ import annotations

from rulebots.games.lost_cities.shelly import shelly
from rulebots.games.lost_cities.shelly_mended import shelly_mended
from rulebots.games.lost_cities.sheppard import sheppard
from rulebots.games.lost_cities.standard import standard

RULE_SETS = (standard, shelly, shelly_mended, sheppard)
