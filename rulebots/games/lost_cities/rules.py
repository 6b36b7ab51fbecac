"""The rule sets of Lost Cities; players are bred from the first by default."""

from __future__ import annotations

from rulebots.games.lost_cities.shelly import shelly
from rulebots.games.lost_cities.sheppard import sheppard

RULE_SETS = (shelly, sheppard)
