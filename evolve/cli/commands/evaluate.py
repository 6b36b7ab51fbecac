"""`evolve evaluate`."""

from dataclasses import dataclass
from typing import Annotated

from evolve.cli.commands import app
from rulebots.cli.console import say_json
from rulebots.cli.options import CustomGame, Setup, argument, shared, whole


@dataclass(frozen=True)
class EvaluateFlags:
    """The candidate, and the limits of its evaluation."""

    file: Annotated[str, argument("FILE.py:NAME", "The rule set to judge.")]
    game: CustomGame = None
    against: Annotated[str | None, shared("--against", default="the champion, else the hand-tuned")] = None
    seconds: Annotated[float, shared("--seconds", "Then the candidate's process is ended.", 1)] = 300.0
    memory: Annotated[int, whole("Megabytes that it may allocate.", 200, 1_000_000, value="MB")] = 4000
    games: Annotated[int, shared("--games", "They breed its weights.", 1, 10**9)] = 20_000
    deals: Annotated[int, shared("--deals", "Held out from the breeding.", 40, 100_000)] = 1000
    seed: Annotated[int, shared("--seed", "That of the breeding.", high=2**32 - 2)] = 1


@app.with_examples(
    "evolve evaluate mine.py:mine",
    "evolve evaluate candidate.py:rules --seconds 120 --memory 2000 --games 10000 --against shelly",
    group="Measure",
)
def evaluate(flags: EvaluateFlags, setup: Setup) -> None:
    """Judge a candidate rule set with limits, as one JSON object.

    It is the hook for tools that evolve programs.

    Its weights are bred against one player, and `score` is the lower bound of the 95 % interval of its Elo on held-out
    deals, whose seed is secret. `behaviour` tells candidates apart, `ablation` says what each rule is worth, and
    `error` what went wrong. It runs in a process of its own without a network.

    Options of the game default to those that the player of the file in --against was bred with; see `options`.
    """
    from evolve.analysis.candidates import CandidateLimits, evaluate as judged

    limits = CandidateLimits(
        seconds=flags.seconds,
        memory=flags.memory,
        games=flags.games,
        deals=flags.deals,
        seed=flags.seed,
        opponent=flags.against or "",
        game=flags.game or "",
        **setup.arguments(),
    )
    say_json(judged(flags.file, limits))
