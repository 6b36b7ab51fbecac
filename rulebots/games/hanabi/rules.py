"""The rule sets of Hanabi; players are bred from the first by default.

"By convention" means as `conventions` has it; "takes for playable" that a seat knows it by convention.
"""

from __future__ import annotations

from rulebots.games.hanabi import discard_rules, hint_rules, play_rules
from rulebots.games.hanabi.facts import FIELDS, gone, look, weigh
from rulebots.games.hanabi.game import game
from rulebots.rules import RuleSet

standard = RuleSet(
    "standard",
    game,
    (*play_rules.RULES, *discard_rules.RULES, *hint_rules.RULES),
    fields=FIELDS,
    progress=gone,
    facts=look,
    consider=weigh,
    meaning="hints simulated as their receiver reads them, by conventions that all follow",
)
RULE_SETS = (standard,)
#: In a trial at five seats, lessons (`memetic`) made the team worse than it began.
BREEDING = {"strategy": "cma-es:sigma=0.3", "population": 40, "opponent_deals": 250}
