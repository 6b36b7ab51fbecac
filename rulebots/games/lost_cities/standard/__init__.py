"""The standard rules of Lost Cities: points, gaps, reach, time and gifts as continuous facts.

Players are bred from these by default. "In twenties" means divided by 20, the cost of an expedition, "in fives"
divided by 5, and so on, so that a rule's value is around 1 where it matters. The "multiplier" of an expedition
is 1 + the investments on it. "Hidden" cards are those that nobody has shown: they are in the deck, or in the
opponent's hand and not known to be there. They count "as far as I can expect to draw them": times the chance that
a hidden card comes to me. A card "closes off" lower ones, because an expedition only rises.

Unlike Shelly's rules, these judge a play by the group `play` alone and a discard by `keep` alone.
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
