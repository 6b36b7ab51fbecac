"""The built-in players of Hanabi: the hand-tuned one, and two in the manner of public bots.

`simple` and `holmes` follow what the README of Quuxplusone/Hanabi says of SimpleBot and HolmesBot, with the conventions
of this game: a few rules of the standard set, so far apart that they decide one after the other.
"""

from collections.abc import Callable

from rulebots.games.hanabi.rules import standard
from rulebots.players import Player, RulePlayer

#: Play what can be played for certain, else hint what can be played, else discard the oldest card.
SIMPLE = {
    "play": {"plays": -20, "certain": 40},
    "discard": {"age": -1},
    "hint": {"hints": -5, "any_good": 15, "bad": -40},
}
#: Likewise; it also warns of the last of a kind, infers more of its cards, and risks a life once the deck runs out.
HOLMES = {
    "play": {"plays": -20, "certain": 40, "nothing_to_lose": 25, "height": -1, "last_life": -40},
    "discard": {"age": -1, "waste": 4, "surely_last": -8, "loss": -4},
    "hint": {"hints": -5, "any_good": 12, "worth": 1, "bad": -40, "averts": 16},
}
PLAYERS: dict[str, Callable[[], Player]] = {
    "standard": lambda: RulePlayer(standard, standard.hand_tuned(), "standard"),
    "holmes": lambda: RulePlayer(standard, HOLMES, "holmes"),
    "simple": lambda: RulePlayer(standard, SIMPLE, "simple"),
}
