"""`evolve evaluate`."""

from __future__ import annotations

from typing import Annotated

import typer

from evolve.cli.commands import app
from rulebots.cli.console import say_json
from rulebots.cli.options import (
    CustomGame,
    Jobs,
    OpeningPlies,
    OptionTexts,
    against_option,
    deals_option,
    games_option,
    jobs_of,
    options_of,
    seconds_option,
    seed_option,
    whole,
)


@app.with_examples(
    "evolve evaluate mine.py:mine",
    "evolve evaluate candidate.py:rules --seconds 120 --memory 2000 --games 10000 --against shelly",
    group="Measure",
)
def evaluate(
    file: Annotated[str, typer.Argument(metavar="FILE.py:NAME", help="The rule set to judge.")],
    against: Annotated[str | None, against_option(default="the champion, else the hand-tuned")] = None,
    seconds: Annotated[float, seconds_option("Then the candidate's process is ended.", 1)] = 300.0,
    memory: Annotated[int, whole("Megabytes that it may allocate.", 200, 1_000_000, metavar="MB")] = 4000,
    games: Annotated[int, games_option("They breed its weights.", 1, 10**9)] = 20_000,
    deals: Annotated[int, deals_option("Held out from the breeding.", 40, 100_000)] = 1000,
    seed: Annotated[int, seed_option("That of the breeding.", 2**32 - 2)] = 1,
    game: CustomGame = None,
    option: OptionTexts = None,
    opening_plies: OpeningPlies = None,
    jobs: Jobs = None,
) -> None:
    """Judge a candidate rule set with limits, as one JSON object.

    It is the hook for tools that evolve programs.

    Its weights are bred against one player, and `score` is the lower end of the 95 % interval of its Elo on held-out
    deals, whose seed is secret. `behaviour` tells candidates apart, `ablation` says what each rule is worth, and
    `error` what went wrong. It runs in a process of its own without a network.
    """
    from evolve.analysis.candidates import CandidateLimits
    from evolve.analysis.candidates import evaluate as judged

    limits = CandidateLimits(
        seconds=float(seconds),
        memory=memory,
        games=games,
        deals=deals,
        seed=seed,
        opponent=against or "",
        game=game or "",
        options=options_of(option),
        opening_plies=opening_plies,
        jobs=jobs_of(jobs),
    )
    say_json(judged(file, limits))
