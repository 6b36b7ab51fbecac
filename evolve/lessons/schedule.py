"""When a run takes lessons, and from which games: those of the learner's player with each opponent and with itself."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import numpy as np

from evolve.deals import LESSONS, Schedule
from evolve.evaluation.arena import Arena
from evolve.lessons.learner import Learner, LessonRequest
from evolve.lessons.rollouts import Lessons, LessonSettings, lessons_of
from evolve.settings import Settings, no_lessons
from rulebots.players import Needs, Player, RulePlayer
from rulebots.rules import RuleSet

#: Rollouts of a candidate at once, whichever decision it belongs to: a few batches, and little memory.
ROLLOUTS_AT_ONCE = 1000


def why_none(settings: Settings, learner: Learner | None, rules: RuleSet) -> str | None:
    """Why a run with these settings takes no lessons; None where it takes them, or where the settings want none."""
    if settings.lessons == 0:
        return None
    if learner is None:
        return f"the strategy '{settings.strategy_name}' takes none"
    return no_lessons(rules)


def take_lessons(arena: Arena, request: LessonRequest, rules: RuleSet, opponents: Sequence[Player]) -> Lessons:
    """The lessons that a learner wants, from `lessons` games on deals of their own, as the arena's settings say."""
    settings = arena.settings
    opponents = [player for player in opponents if joins(player)]
    self_play = 1.0 - settings.partner_share if arena.together else request.self_play
    player, itself = (RulePlayer(rules, request.weights, name) for name in ("learner", "its equal"))
    rollouts = LessonSettings(request.score_margin, settings.rollouts, settings.margin, settings.margin_cap)
    return arena.workers.map(
        functools.partial(lessons_of, settings=rollouts),
        arena.game,
        [player, *opponents, itself],
        arena.deals(settings.lessons, LESSONS, request.generation),
        lesson_schedule(settings.lessons, len(opponents), self_play, arena.seats),
        at_once=max(1, ROLLOUTS_AT_ONCE // settings.rollouts),
    )


def joins(opponent: Player) -> bool:
    """Whether a player can take part in lessons, whose rollouts begin in the middle of a game."""
    return opponent.needs is not Needs.HISTORY and not opponent.has_hooks


def lesson_schedule(games: int, opponents: int, self_play: float, seats: int = 2) -> Schedule:
    """Player 0 meets each of the opponents in turn and, in a share of the games, the player after all others.

    Every game has a deal of its own. As many games in a row as there are seats are among copies of the same player,
    with player 0 in each seat.
    """
    game = np.arange(games)
    pair = game // seats
    share = self_play if opponents else 1.0
    before = np.floor(pair * share).astype(np.int64)
    against_last = np.floor((pair + 1) * share) > before
    whom = np.where(against_last, opponents, (pair - before) % max(opponents, 1)) + 1
    own = np.arange(seats) == (game % seats)[:, None]
    return np.column_stack([game, np.where(own, 0, whom[:, None])])
