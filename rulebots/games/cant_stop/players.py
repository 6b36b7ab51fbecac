"""The built-in players of Can't Stop: the hand-tuned one, two published ones, a cautious and a bold one."""

from collections.abc import Callable

from rulebots.games.cant_stop.facts import DISTANCES
from rulebots.games.cant_stop.moves import MOST_SIDES, length_of
from rulebots.games.cant_stop.rule_of_28 import GLENN_ALOI, generalized
from rulebots.games.cant_stop.rules import standard
from rulebots.players import Player, RulePlayer

#: The advance after which a bust is least likely; it stops once no runner can be placed or one is on top.
CAUTIOUS: dict[str, dict[str, float]] = {"advance": {"bust": -1}, "stop": {"runner_left": -1, "on_top": 2}}
#: The advance that climbs the largest share of columns, as long as those of six-sided dice; it never stops before a
#: runner has reached a top.
BOLD: dict[str, dict[str, float]] = {
    "advance": {name: 1 / length_of(MOST_SIDES, 3, MOST_SIDES - 1 + i) for i, (name, _) in enumerate(DISTANCES)},
    "stop": {"runner_left": -1, "risk": -1, "on_top": 4},
}
PLAYERS: dict[str, Callable[[], Player]] = {
    "standard": lambda: RulePlayer(standard, standard.hand_tuned(), "standard"),
    "glenn_aloi": lambda: RulePlayer(generalized, GLENN_ALOI, "glenn_aloi"),
    "rule_of_28": lambda: RulePlayer(generalized, generalized.hand_tuned(), "rule_of_28"),
    "bold": lambda: RulePlayer(standard, BOLD, "bold"),
    "cautious": lambda: RulePlayer(standard, CAUTIOUS, "cautious"),
}
