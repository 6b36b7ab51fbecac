"""The rules of Hanabi."""

from __future__ import annotations

from rulebots.game import View
from rulebots.games.hanabi.game import game
from rulebots.rules import RuleSet, rule


@rule("play", early=-1.0)
def plays(view: View, place: int) -> int:
    """It plays a card."""
    return 1


@rule("play", early=5.0)
def known(view: View, place: int) -> int:
    """All know that the card can be played."""
    for colour in range(5):
        if view.colours[0, place] == 1 << colour and view.ranks[0, place] == 1 << view.fireworks[colour]:
            return 1
    return 0


@rule("discard", early=-0.1)
def newness(view: View, place: int) -> float:
    """How new the card is."""
    return place / 5


@rule("hint", early=1.0)
def spare(view: View, move: int) -> float:
    """Tokens that there are."""
    return view.tokens / 8


standard = RuleSet("standard", game, (plays, known, newness, spare), meaning="play what is known")
RULE_SETS = (standard,)
