"""`evolve evaluate`."""

from __future__ import annotations

from typing import Annotated

import typer

from evolve.cli.commands import app
from rulebots.cli.arguments import Jobs, OpeningPlies, OptionTexts, OwnGame, jobs_of, number, options_of, whole_number
from rulebots.cli.console import examples, say_json


@app.command(
    epilog=examples(
        "evolve evaluate mine.py:mine",
        "evolve evaluate candidate.py:rules --seconds 120 --memory 2000 --games 10000 --against shelly",
    )
)
def evaluate(
    file: Annotated[str, typer.Argument(metavar="FILE.py:NAME", help="The rule set to judge.")],
    against: Annotated[
        str | None,
        typer.Option(metavar="PLAYER", help="Whom it meets.", show_default="the champion, else the hand-tuned"),
    ] = None,
    seconds: Annotated[
        float,
        typer.Option(
            parser=number(1, 1_000_000), metavar="S", help="Seconds for everything; then its process is ended."
        ),
    ] = 300.0,
    memory: Annotated[
        int, typer.Option(parser=whole_number(200, 1_000_000), metavar="MB", help="Megabytes that it may allocate.")
    ] = 4000,
    games: Annotated[
        int, typer.Option(parser=whole_number(1, 10**9), metavar="N", help="Games of training that breed its weights.")
    ] = 20_000,
    deals: Annotated[
        int, typer.Option(parser=whole_number(40, 100_000), metavar="N", help="Held-out deals, from both seats.")
    ] = 1000,
    seed: Annotated[
        int, typer.Option(parser=whole_number(0, 2**32 - 2), metavar="N", help="The seed of the breeding.")
    ] = 1,
    game: OwnGame = None,
    option: OptionTexts = None,
    opening_plies: OpeningPlies = None,
    jobs: Jobs = None,
) -> None:
    """Judge a candidate rule set with limits, and print one JSON object: the hook for tools that evolve programs.

    Its weights are bred against one player, and `score` is the lower end of the 95 % interval of its Elo on held-out
    deals, whose seed nobody is told. `behaviour` tells candidates apart, `ablation` says what each rule is worth, and
    `error` what went wrong. It runs in a process of its own without a network.
    """
    from evolve.analysis.candidates import Limits
    from evolve.analysis.candidates import evaluate as judged

    limits = Limits(
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
