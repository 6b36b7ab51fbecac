"""The built-in players of Kalah: the hand-tuned one, and those of Ruby Quiz 58."""

from __future__ import annotations

from collections.abc import Callable

from rulebots.games.kalah import ruby_quiz
from rulebots.games.kalah.game import game
from rulebots.games.kalah.rules import standard
from rulebots.kernel import Kernel
from rulebots.players import KernelPlayer, Player, RulePlayer

_RUBY_QUIZ: dict[str, Kernel[..., int]] = {
    "apessimistic": ruby_quiz.choose_apessimistic,
    "deep-score": ruby_quiz.choose_deep_score,
    "score": ruby_quiz.choose_score,
    "remove-high": ruby_quiz.choose_high,
    "leftmost": ruby_quiz.choose_leftmost,
}


def _made(name: str) -> Callable[[], Player]:
    return lambda: KernelPlayer(game, _RUBY_QUIZ[name], name)


PLAYERS: dict[str, Callable[[], Player]] = {
    "standard": lambda: RulePlayer(standard, standard.hand_tuned(), "standard"),
    **{name: _made(name) for name in _RUBY_QUIZ},
}
REFERENCES = (*PLAYERS, "random")
#: It does not look at the board.
BASELINES = ("leftmost",)
MCTS = {"guide": "champion"}
