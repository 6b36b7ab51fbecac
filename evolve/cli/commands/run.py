"""A run and its folder: `evolve run`, `resume`, `watch` and `plot`."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Annotated, Any

import typer

from evolve.cli.analysis import (
    generations_option,
    lessons_option,
    opponent_deals_option,
    population_option,
    rollouts_option,
    start_option,
    strategy_option,
)
from evolve.cli.commands import app
from evolve.settings import Settings
from rulebots.cli.completion import complete_player
from rulebots.cli.console import say
from rulebots.cli.options import (
    AsJson,
    CustomGame,
    Imports,
    Jobs,
    OpeningPlies,
    OptionTexts,
    bring,
    deals_option,
    file_read,
    file_written,
    game_option,
    jobs_of,
    named,
    named_path,
    opponents_option,
    options_of,
    out_option,
    path_to,
    rules_option,
    seed_option,
    switch,
    whole,
)
from rulebots.files import refuse_unwritable, write_new
from rulebots.packages.named_code import is_program, names_from_data, refuse_in_data

RunDir = Annotated[
    Path, typer.Argument(parser=named_path, metavar="DIR", help="The folder of a run.", show_default=False)
]
Backend = Annotated[str, named("NAME", "What plays the games: threads, or processes by loky, dask or ray.")]
Address = Annotated[str | None, named("HOST:PORT", "With dask or ray: a scheduler or cluster that is already running.")]
Quiet = Annotated[bool, switch("--quiet", "-q", "Print only the path of the result.")]
DropMissing = Annotated[bool, switch("--drop-missing", "Leave out rules that the rule set no longer has.")]
Tensorboard = Annotated[bool, switch("--tensorboard", "Write event files for TensorBoard into DIR as well.")]


def usual(setting: str) -> str:
    """What the help says of the default of a setting for which the game and the strategy may have their own."""
    return f"{getattr(Settings, setting)}, or that of the game or strategy"


@app.with_examples(
    "evolve run",
    "evolve run --generations 200 --seed 7 --out strong.yaml",
    "evolve run --rules shelly --opponents shelly,risk",
    "evolve run --from strong.yaml --generations 100",
    "evolve run --strategy sheppard --rules sheppard --generations 100",
    "evolve run --option suits=6 --jobs 2",
    "evolve run --strategy ga:mutation=0.3 --run-dir runs/strong",
    "evolve run --config run.yaml --seed 2",
    group="Breed",
)
def run(
    game: Annotated[
        str | None, game_option(default=f"that of --rules FILE.py:NAME or of --from, else {Settings.game}")
    ] = None,
    rules: Annotated[str | None, rules_option("Its weights are bred.", default="the game's first")] = None,
    generations: Annotated[int | None, generations_option(default=usual("generations"))] = None,
    population: Annotated[int | None, population_option(default=usual("population"))] = None,
    deals: Annotated[
        int | None, deals_option("By each pair of a generation.", None, None, default=usual("deals"))
    ] = None,
    seed: Annotated[int | None, seed_option("The file is the same byte for byte.", default=str(Settings.seed))] = None,
    strategy: Annotated[
        str | None, strategy_option(default=f"the game's own; {Settings.strategy} where it has none")
    ] = None,
    opponents: Annotated[
        list[str] | None,
        opponents_option(
            "`hand-tuned` is the game's own player.", default="hand-tuned, or those of the game or strategy"
        ),
    ] = None,
    opponent_deals: Annotated[int | None, opponent_deals_option(default=usual("opponent_deals"))] = None,
    partners: Annotated[
        list[str] | None,
        named(
            "PLAYER,...",
            "In a game for all together: players beside whom everyone plays too; repeatable.",
            autocompletion=complete_player,
        ),
    ] = None,
    lessons: Annotated[int | None, lessons_option("In each generation.", default=usual("lessons"))] = None,
    rollouts: Annotated[int | None, rollouts_option(default=usual("rollouts"))] = None,
    start: Annotated[str | None, start_option(default="the hand-tuned weights")] = None,
    option: OptionTexts = None,
    opening_plies: OpeningPlies = None,
    schedule: Annotated[
        str | None, named("NAME", "Who meets whom: round-robin, swiss or gauntlet.", default=Settings.schedule)
    ] = None,
    hall_of_fame: Annotated[
        int | None, whole("Former champions that are opponents as well.", default=str(Settings.hall_of_fame))
    ] = None,
    config: Annotated[Path | None, file_read("A run file with settings; flags override it.")] = None,
    save_config: Annotated[Path | None, file_written("Write all settings of this run to a new run file too.")] = None,
    drop_missing: DropMissing = False,
    jobs: Jobs = None,
    backend: Backend = "threads",
    address: Address = None,
    tensorboard: Tensorboard = False,
    run_dir: Annotated[
        Path | None, path_to("DIR", "A new folder for the run.", default="runs/ and game, date and seed")
    ] = None,
    out: Annotated[Path | None, out_option("A new one.", default="GAME-seedN.yaml in this folder", dash=True)] = None,
    quiet: Quiet = False,
    as_json: AsJson = False,
    imports: Imports = None,
) -> None:
    """Breed players of a game, and write the best to a new file.

    Ctrl-C ends a run early: the run-off follows, and what was bred is saved. `evolve resume` continues a run that was
    stopped or killed.
    """
    given = locals()  # first: each parameter that is called as a setting is that setting
    chosen: dict[str, Any] = {f.name: given[f.name] for f in fields(Settings) if given.get(f.name) is not None}
    from rulebots.players.specs import specs_of

    bring(None, imports)
    for what, names in {"opponents": opponents, "partners": partners}.items():
        if names is not None:
            chosen[what] = tuple(specs_of(names))
    options = options_of(option)
    if config is not None:
        from evolve.storage.run_file import load_run_file

        filed = load_run_file(config)
        for what in {"opponents", "partners"} - chosen.keys():
            with names_from_data(player=f"--{what} {{}}"):
                for name in filter(is_program, filed.get(what, ())):
                    refuse_in_data(name, "player")
        chosen, options = {**filed, **chosen}, {**filed.get("options", {}), **options}
    settings = Settings.of(chosen.pop("strategy", None), **{**chosen, "options": options})
    from evolve.cli.session import breed
    from evolve.run import Run
    from evolve.storage.folder import new_folder
    from evolve.storage.result import destination
    from evolve.storage.run_file import run_file_text
    from evolve.workers.processes import workers_of

    if save_config is not None:
        refuse_unwritable(save_config)

    with workers_of(backend, jobs_of(jobs), address) as workers:
        breeding = Run(settings, workers=workers, drop_missing=drop_missing)
        path = destination(settings, out)
        if save_config is not None:
            write_new(save_config, run_file_text(settings))
        with new_folder(settings, run_dir, out) as folder:
            folder.begin(breeding)
            breed(breeding, folder, path, quiet=quiet, tensorboard=tensorboard, as_json=as_json)


@app.with_examples(
    "evolve resume runs/strong",
    "evolve resume runs/strong --generations 200",
    "evolve resume runs/strong --jobs 8",
    group="Breed",
)
def resume(
    folder: RunDir,
    generations: Annotated[int | None, generations_option("In all.", default="as many as in the original run")] = None,
    game: CustomGame = None,
    imports: Imports = None,
    drop_missing: DropMissing = False,
    jobs: Jobs = None,
    backend: Backend = "threads",
    address: Address = None,
    tensorboard: Tensorboard = False,
    out: Annotated[
        Path | None,
        out_option("A new one.", default="as in the original run, or GAME-seedN.yaml in this folder", dash=True),
    ] = None,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Resume a run from its last generation.

    It may have been stopped or killed, or have ended.

    The result is that of an uninterrupted run, byte for byte.
    """
    from evolve.cli.session import resume_run
    from evolve.workers.processes import workers_of

    bring(game, imports)
    brings = {"game": "--game {}", "rules": "--import {}", "player": "--import {}"}
    with workers_of(backend, jobs_of(jobs), address) as workers, names_from_data(**brings):
        resume_run(
            folder,
            workers,
            generations=generations,
            drop_missing=drop_missing,
            out=out,
            quiet=quiet,
            tensorboard=tensorboard,
            as_json=as_json,
        )


@app.with_examples("evolve watch runs/strong", "evolve watch runs/strong --once", name="watch", group="Breed")
def watch_run(
    folder: RunDir, once: Annotated[bool, switch("--once", "Show the log as it is, and exit.")] = False
) -> None:
    """Follow a run from its log, until it ends or Ctrl-C.

    The run itself is not affected.
    """
    from evolve.cli.progress import watch

    watch(folder, once=once)


@app.with_examples("evolve plot runs/strong", group="Breed")
def plot(folder: RunDir) -> None:
    """Draw a run: strength, speed, spread and weights over time.

    The pictures go to DIR/pictures; a run can be drawn while it is running.
    """
    from evolve.pictures import course_of, plot_run
    from rulebots.output.figures import need_matplotlib

    need_matplotlib()
    if warning := course_of(folder).warning:
        say(f"warning: {warning}")
    for path in plot_run(folder):
        say(f"wrote {path}")
