"""`evolve resume`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evolve.cli.arguments import Address, Backend, DropMissing, Tensorboard
from evolve.cli.commands import app
from rulebots.cli.arguments import Jobs, OwnGame, OwnRules, bring, jobs_of, named_path, whole_number
from rulebots.cli.console import examples
from rulebots.registry.named_code import names_from_data


@app.command(
    epilog=examples(
        "evolve resume runs/strong", "evolve resume runs/strong --generations 200", "evolve resume runs/strong --jobs 8"
    )
)
def resume(
    folder: Annotated[
        Path, typer.Argument(parser=named_path, metavar="DIR", help="The folder of a run.", show_default=False)
    ],
    generations: Annotated[
        int | None,
        typer.Option(
            parser=whole_number(),
            metavar="N",
            help="Generations in all.",
            show_default="as many as in the original run",
        ),
    ] = None,
    game: OwnGame = None,
    rules: OwnRules = None,
    opponents: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE.py:NAME", help="An opponent of your own that the run has; repeatable."),
    ] = None,
    drop_missing: DropMissing = False,
    jobs: Jobs = None,
    backend: Backend = "threads",
    address: Address = None,
    tensorboard: Tensorboard = False,
    out: Annotated[
        Path | None,
        typer.Option(
            parser=named_path,
            metavar="FILE",
            help="A new file for the result.",
            show_default="as in the original run, or GAME-seedN.yaml in this folder",
        ),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print only the path of the result.")] = False,
) -> None:
    """Resume a run that was stopped, was killed or has ended, from its last generation.

    The result is that of an uninterrupted run, byte for byte.
    """
    from evolve.cli.resume import resume_run
    from evolve.workers.clusters import workers_of

    bring(game, rules, opponents or ())
    brings = {"game": "--game {}", "rules": "--rules {}", "player": "--opponents {}"}
    with workers_of(backend, jobs_of(jobs), address) as workers, names_from_data(**brings):
        resume_run(
            folder,
            workers,
            generations=generations,
            drop_missing=drop_missing,
            out=out,
            quiet=quiet,
            tensorboard=tensorboard,
        )
