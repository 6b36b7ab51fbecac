"""The rules of Hearts, in four groups: which cards to pass, to lead, to follow suit with, and to throw away.

"In thirteens" means divided by the points of the queen of spades. "How likely it stays highest" takes the others to
duck (see facts.py). "The moon" is roughly how likely I can take all points: 0 once another has one. "The threat of a
moon" is roughly how likely another, who has all points so far, takes the rest: 0 where nobody has, or several.
"""

from __future__ import annotations

from rulebots.games.hearts import following, leading, passing, throwing
from rulebots.games.hearts.facts import FIELDS, find_facts, gone, look_at
from rulebots.games.hearts.game import game
from rulebots.rules import RuleSet

standard = RuleSet(
    "standard",
    game,
    (*passing.RULES, *leading.RULES, *following.RULES, *throwing.RULES),
    fields=FIELDS,
    progress=gone,
    facts=find_facts,
    consider=look_at,
    meaning="who can beat what, where the queen of spades is, and who may shoot the moon",
)
RULE_SETS = (standard,)
