"""The built-in players of Hanabi.

`simple` and `holmes` are in the manner of two public bots of these names, from their descriptions: they follow the
conventions of this table, not those of the originals. Their weights are priorities, each far above the next.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rulebots.games.hanabi.rules import standard
from rulebots.players import Player, RulePlayer

#: What hints alone leave of a card decides once a life is lost: conventions can be broken.
_GUARDED = {"law_chance": 20, "second_life": -100, "last_life": -1000}
#: Play what is known to be playable, else hint at such a card, else discard the oldest card that no hint has touched.
SIMPLE: Mapping[str, Mapping[str, float]] = {
    "play": {"certain": 100, "height": -5, **_GUARDED},
    "hint": {"hints": -10, "any_good": 50, "good": 1, "bad": -200, "distance": -0.1},
    "discard": {"on_chop": 5, "touched": -5, "age": -1},
}
#: Besides: warn the next seat before it discards the last card of its kind, discard useless cards first, and touch
#: neither useless cards nor those that are touched in another hand.
HOLMES: Mapping[str, Mapping[str, float]] = {
    "play": {"certain": 100, "opens": 5, "height": -5, **_GUARDED},
    "hint": {
        "hints": -15,
        "averts": 400,
        "any_good": 40,
        "good": 10,
        "bad": -300,
        "lied": -100,
        "again": -60,
        "mended": 100,
        "freed": 3,
        "touches_junk": -5,
        "touches_copies": -15,
        "distance": -0.1,
    },
    "discard": {"waste": 15, "surely_waste": 20, "loss": -40, "on_chop": 5, "touched": -5, "age": -1},
}


def _of(name: str, weights: Mapping[str, Mapping[str, float]]) -> Callable[[], Player]:
    return lambda: RulePlayer(standard, standard.weights(weights), name)


PLAYERS: dict[str, Callable[[], Player]] = {
    "standard": lambda: RulePlayer(standard, standard.hand_tuned(), "standard"),
    "simple": _of("simple", SIMPLE),
    "holmes": _of("holmes", HOLMES),
}
REFERENCES = (*PLAYERS, "random")
#: It scores nothing but by luck.
BASELINES = ("random",)
