"""The built-in players of Kalah: the hand-tuned one, and those of Ruby Quiz 58."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from rulebots.games.kalah import ruby_quiz
from rulebots.games.kalah.game import game
from rulebots.games.kalah.rules import standard
from rulebots.players import KernelPlayer, Player, RulePlayer

_RUBY_QUIZ = {
    "apessimistic": ruby_quiz.choose_apessimistic,
    "deep-score": ruby_quiz.choose_deep_score,
    "score": ruby_quiz.choose_score,
    "remove-high": ruby_quiz.choose_high,
    "leftmost": ruby_quiz.choose_leftmost,
}


PLAYERS: dict[str, Callable[[], Player]] = {
    "standard": lambda: RulePlayer(standard, standard.hand_tuned(), "standard"),
    **{name: partial(KernelPlayer, game, choose, name) for name, choose in _RUBY_QUIZ.items()},
}
