"""The names of the built-in players of Kalah."""

from __future__ import annotations

from collections.abc import Callable

from rulebots.games.kalah import ruby_quiz as seed
from rulebots.games.kalah.game import game
from rulebots.games.kalah.rules import standard
from rulebots.kernel import Kernel
from rulebots.players import KernelPlayer, Player, RulePlayer

_SEED: dict[str, Kernel[..., int]] = {
    "apessimistic": seed.choose_apessimistic,
    "deep-score": seed.choose_deep_score,
    "score": seed.choose_score,
    "remove-high": seed.choose_high,
    "leftmost": seed.choose_leftmost,
}


def _made(name: str) -> Callable[[], Player]:
    return lambda: KernelPlayer(game, _SEED[name], name)


PLAYERS: dict[str, Callable[[], Player]] = {
    "standard": lambda: RulePlayer(standard, standard.hand_tuned(), "standard"),
    **{name: _made(name) for name in _SEED},
}
REFERENCES = (*PLAYERS, "random")
#: It looks at nothing.
BASELINES = ("leftmost",)
