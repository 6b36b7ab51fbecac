"""The standard rules: continuous facts of points, gaps, reach, time and gifts.

Players are bred from these by default. Points are counted in twenties (the cost of an expedition),
so that a rule's value is around 1 where it matters. "Hidden" cards are those that nobody has shown:
in the deck, or in the opponent's hand and not known to be there. A card that "skips" others closes
them off, because an expedition only rises. Unlike Shelly's, these rules judge a play by the group
`play` alone and a discard by `keep` alone.
"""

from __future__ import annotations

from rulebots.game import Kind
from rulebots.games.lost_cities.game import game
from rulebots.games.lost_cities.standard import draw, keep, play
from rulebots.games.lost_cities.standard.facts import FIELDS, find_facts, gone, look_at
from rulebots.rules import RuleSet

standard = RuleSet(
    "standard",
    game,
    (*play.RULES, *keep.RULES, *draw.RULES),
    fields=FIELDS,
    progress=gone,
    facts=find_facts,
    consider=look_at,
    kinds=(Kind("play", {"play": 1.0}), Kind("discard", {"keep": -1.0}), Kind("draw", {"draw": 1.0})),
    meaning="continuous facts of points, gaps, reach, time and gifts; plays, discards and draws judged apart",
)
