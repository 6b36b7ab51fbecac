"""Adam Shelly's later player: his rules with his slip in drawing mended. It saved his file gene.yaml."""

from __future__ import annotations

from dataclasses import replace

from rulebots.game import View
from rulebots.games.lost_cities.cards import suit_of, value_of
from rulebots.games.lost_cities.shelly import shelly, top_or_0
from rulebots.rules import rule

WANTED = "draw.wanted"
_once_wanted = shelly.rules[shelly.columns[WANTED]].kernel


@rule("draw", early=1.0, late=1.0)
def wanted(view: View, card: int) -> bool:
    """It is wanted as in `shelly`, and higher than the top of my expedition, or than 0 if it has not begun."""
    # An investment on an expedition that has not begun is worth 0, so it is not drawn.
    return (value_of(card) > top_or_0(view.my_top[suit_of(card)])) & (_once_wanted(view, card) != 0)


shelly_mended = replace(
    shelly,
    name="shelly_mended",
    rules=tuple(wanted if one.key == WANTED else one for one in shelly.rules),
    meaning="Adam Shelly's rules; his draw takes no card that his own play has just made useless",
)
