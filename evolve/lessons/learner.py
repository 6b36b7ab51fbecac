"""The learner of a strategy that learns from lessons: it follows the policy gradient.

Once a generation it requests lessons of a player (`wanted`) and takes them (`learn`). It lives inside a breeder, whose
state holds the learner's. Lessons themselves are too large for a checkpoint: after a restore the learner requests those
of earlier generations again.

Were a decision's move drawn from the softmax of score / temperature, its expected return would be a smooth function of
the weights; steps along its gradient make better moves more likely. So a player imitates what rollouts of its own games
advise ("direct policy iteration": Lagoudakis and Parr, 2003; Lazaric, Ghavamzadeh and Munos, 2010).
"""

import functools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evolve.evaluation.arena import Arena
from evolve.lessons.rollouts import Lessons, LessonSettings, lessons_of
from evolve.schedules import LESSONS, lesson_schedule
from evolve.settings import Settings, no_lessons
from rulebots.files.ranges import number
from rulebots.game import Floats
from rulebots.game.random_numbers import rng_of
from rulebots.kernel import kernel, runnable
from rulebots.players import Needs, Player, RulePlayer
from rulebots.rules import RuleSet, Weights

#: A move less likely than this, for each time that the best one is drawn, changes nothing: it is not a candidate.
LEAST_CHANCE = 0.01
#: What the learner's random numbers are for; the strategies use 0 and 1.
STUDYING = 2
#: Decisions in a batch, which makes one step.
BATCH = 400
#: Adam's decay rates of the mean gradient and of its mean square, and what keeps it from a division by 0.
BETA1 = 0.9
BETA2 = 0.999
EPSILON = 1e-9
#: Rollouts of a candidate at once, whichever decision it belongs to: a few batches, and little memory.
ROLLOUTS_AT_ONCE = 1000


@dataclass(frozen=True)
class LessonRequest:
    """Lessons of a generation from the games of one player.

    `weights` are that player's, float64[2, rules]. Moves whose scores are at most `score_margin` below the best one's
    are candidates. `self_play` is the share of the games that it plays against itself, 0 to 1.
    """

    generation: int
    weights: Weights
    score_margin: float
    self_play: float


@dataclass(frozen=True)
class LearnerSettings:
    """The settings of a learner that follows policy gradients."""

    step_size: float = number(0.02, 0.0, 10.0, "how far lessons move a weight at each step, first generation")
    step_decay: float = number(0.954, 0.5, 1.0, "the factor by which it shrinks each generation")
    step_floor: float = number(0.002, 0.0, 10.0, "where it stops")
    temperature: float = number(0.2, 0.0001, 1000.0, "by how much a better score makes a move e times as likely")
    self_play: float = number(0.2, 0.0, 1.0, "the share of lessons that are from games against itself")
    epochs: int = number(6, 1, 1000, "passes over the remembered lessons in a generation")
    memory: int = number(20, 1, 1000, "generations whose lessons are remembered")


class Learner:
    """Moves the weights of one player after another along the policy gradient of the latest lessons.

    `first` are the genes of the player that takes the first lessons, `weights_of` makes weights of genes, and `seed`
    is that of the run.
    """

    def __init__(
        self, first: Sequence[float], weights_of: Callable[[list[float]], Weights], settings: LearnerSettings, seed: int
    ) -> None:
        self.settings = settings
        self.seed = seed
        self.weights_of = weights_of
        #: Genes of the players of the latest generations, the current one last; their lessons, as far as they are here.
        self.players = [list(first)]
        self.lessons: list[Lessons] = []
        self.adam = Adam(len(first))
        self.change: Floats = np.zeros(len(first))

    def wanted(self, generation: int) -> list[LessonRequest]:
        """The lessons to take before the breeder is told this generation; the last request is of this generation.

        There is one, and after a restore one for each earlier generation that is still remembered.
        """
        margin = self.settings.temperature * -math.log(LEAST_CHANCE)
        return [
            LessonRequest(
                generation - len(self.players) + 1 + i, self.weights_of(genes), margin, self.settings.self_play
            )
            for i, genes in enumerate(self.players)
            if i >= len(self.lessons)
        ]

    def learn(self, generation: int, lessons: Sequence[Lessons]) -> None:
        """Note what the remembered lessons, with those that were wanted, change in the current player.

        The breeder's `tell` comes after it.
        """
        s = self.settings
        genes = np.array(self.players[-1])
        self.lessons = [*self.lessons, *lessons]
        learnt = ascend(
            genes,
            self.lessons,
            self.adam,
            epochs=s.epochs,
            step_size=max(s.step_floor, s.step_size * s.step_decay**generation),
            temperature=s.temperature,
            rng=rng_of(self.seed, generation, STUDYING),
        )
        self.change = learnt - genes

    def inherit(self, genes: Sequence[float]) -> list[float]:
        """Add to these genes what was learnt; the result is the player that takes the next lessons."""
        heir: list[float] = (np.array(genes) + self.change).tolist()
        self.change = np.zeros(len(heir))
        self.players = [*self.players, heir][-self.settings.memory :]
        # As many lessons as players before the heir: the oldest are forgotten with their player.
        self.lessons = self.lessons[max(0, len(self.lessons) - len(self.players) + 1) :]
        return heir

    def state(self) -> dict[str, Any]:
        """The players, from whose games the lessons can be taken again, and the optimiser, as plain data."""
        return {"players": self.players, "adam": self.adam.state()}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from what `state` gave; `wanted` then asks for the lessons."""
        self.players = state["players"]
        self.lessons = []
        self.adam.restore(state["adam"])


class Adam:
    """Steps along gradients, float64[genes]: about 1 for each gene, however small its gradient is.

    Kingma and Ba, "Adam: a Method for Stochastic Optimization", 2015, algorithm 1.
    """

    def __init__(self, genes: int) -> None:
        self.steps = 0
        self.mean: Floats = np.zeros(genes)
        self.square: Floats = np.zeros(genes)

    def step(self, gradient: Floats) -> Floats:
        """The next step, for a step size of 1."""
        self.steps += 1
        self.mean = BETA1 * self.mean + (1.0 - BETA1) * gradient
        self.square = BETA2 * self.square + (1.0 - BETA2) * gradient**2
        return np.asarray(
            self.mean / (1.0 - BETA1**self.steps) / (np.sqrt(self.square / (1.0 - BETA2**self.steps)) + EPSILON)
        )

    def state(self) -> dict[str, Any]:
        """The moments as plain data."""
        return {"steps": self.steps, "mean": self.mean.tolist(), "square": self.square.tolist()}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from what `state` gave."""
        self.steps = state["steps"]
        self.mean = np.array(state["mean"])
        self.square = np.array(state["square"])


def ascend(
    genes: Floats,
    lessons: Sequence[Lessons],
    adam: Adam,
    *,
    epochs: int,
    step_size: float,
    temperature: float,
    rng: np.random.Generator,
) -> Floats:
    """The genes, float64[genes], after some passes over all lessons, their batches in random order.

    `step_size` is about how far one step moves each gene.
    """
    batches = [(part, start) for part in lessons for start in range(0, len(part), BATCH)]
    ends = {id(part): np.cumsum(part.counts) for part in lessons}
    gradient = np.zeros_like(genes)
    for _ in range(epochs):
        for i in rng.permutation(len(batches)):
            part, start = batches[i]
            decisions = slice(start, start + BATCH)
            counts = part.counts[decisions]
            last = ends[id(part)][decisions][-1]
            moves = slice(last - counts.sum(), last)
            gradient[:] = 0.0
            batch = (part.features[moves], part.returns[moves], counts, part.late[decisions])
            _compiled()(*batch, genes, temperature, gradient)
            genes = genes + step_size * adam.step(gradient / len(counts))
    return genes


@kernel
def add_gradients(
    features: Any, returns: Any, counts: Any, late: Any, genes: Any, temperature: float, gradient: Any
) -> None:
    """Add to `gradient`, float64[genes], that of each decision's expected return; see `Lessons` for the rest.

    With p = softmax(score / temperature), the expected return is sum(p * return), and its gradient
    sum(p * (return - expected return) * d score / d gene) / temperature. `genes` are early and late weights one
    after the other, or one a rule. Plain sums in this order: a library's rounding differs between machines.
    """
    rules = features.shape[1]
    flat = genes.shape[0] == rules
    chance = np.zeros(returns.shape[0])
    weights = np.zeros(rules)
    first = 0
    for i in range(counts.shape[0]):
        best = -np.inf
        t = late[i]
        for r in range(rules):
            weights[r] = genes[r] if flat else (1.0 - t) * genes[r] + t * genes[rules + r]
        for m in range(first, first + counts[i]):
            score = 0.0
            for r in range(rules):
                score += weights[r] * features[m, r]
            chance[m] = score / temperature
            best = max(best, chance[m])
        total = 0.0
        expected = 0.0
        for m in range(first, first + counts[i]):
            chance[m] = math.exp(chance[m] - best)
            total += chance[m]
            expected += chance[m] * returns[m]
        for m in range(first, first + counts[i]):
            by_score = chance[m] / total * (returns[m] - expected / total) / temperature
            if flat:
                for r in range(rules):
                    gradient[r] += by_score * features[m, r]
            else:
                early = (1.0 - t) * by_score
                later = t * by_score
                for r in range(rules):
                    gradient[r] += early * features[m, r]
                    gradient[rules + r] += later * features[m, r]
        first += counts[i]


@functools.cache
def _compiled() -> Callable[..., None]:
    numbers = np.zeros(0)
    return runnable(
        add_gradients, np.zeros((0, 0), np.float32), numbers, np.zeros(0, np.int64), numbers, numbers, 1.0, numbers
    )


def why_none(settings: Settings, learner: Learner | None, rules: RuleSet) -> str | None:
    """Why a run with these settings takes no lessons; None where it takes them, or where the settings want none."""
    if settings.lessons == 0:
        return None
    return no_lessons(rules) if learner else f"the strategy '{settings.strategy_name}' takes none"


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
