"""A run and its folder: `evolve run`, `resume`, `watch` and `plot`."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from evolve.cli.commands import app
from evolve.cli.options import Execution, RunDir, run_dir, time_option
from evolve.settings import Settings, load_run_file, run_file_text
from rulebots.cli.console import say
from rulebots.cli.lookup import bring
from rulebots.cli.options import (
    CustomGame,
    Jobs,
    SettingFlags,
    Setup,
    argument,
    at_most_one,
    file_read,
    file_written,
    option,
    out_option,
    setting_option,
    switch,
    threads_of,
)
from rulebots.errors import demand
from rulebots.files import refuse_unwritable, write_new
from rulebots.packages import game_names, load_game
from rulebots.packages.named_code import is_program, names_from_data, refuse_in_data

#: The settings that have a flag of their own, with their defaults in words.
_DEFAULTS = {
    "game": f"that of --rules FILE.py:NAME or of --from, else {Settings.game}",
    "rules": "the game's first",
    "generations": f"{Settings.generations}, or that of the game or strategy",
    "population": f"{Settings.population}, or that of the game or strategy",
    "deals": f"{Settings.deals}, or that of the game (1 at Lost Cities) or strategy; more at larger tables",
    "seed": f"{Settings.seed}",
    "strategy": f"the game's own; {Settings.strategy} where it has none, spsa in plain Python and for teams",
    "opponents": "none, or those of the game",
    "opponent_deals": f"{Settings.opponent_deals}, or that of the game; fewer at larger tables and with opponents",
    "partners": "",
    "lessons": f"2000 with memetic, as at Lost Cities, else {Settings.lessons}",
    "rollouts": f"{Settings.rollouts}, or that of the game or strategy",
    "start": "the rules' own weights",
    "schedule": Settings.schedule,
    "hall_of_fame": f"{Settings.hall_of_fame}; none for teams",
}


@dataclass(frozen=True)
class RunFiles:
    """The game, and what `evolve run` reads and writes."""

    named: Annotated[str | None, argument("[GAME]", "The game whose players are bred; the same as --game.")] = None
    config: Annotated[Path | None, file_read("A run file with settings; flags override it.")] = None
    save_config: Annotated[Path | None, file_written("Write all settings of this run to a new run file too.")] = None
    run_dir: Annotated[
        Path | None, option("A new folder for the run.", "DIR", default="runs/ and game, date and seed")
    ] = None
    out: Annotated[Path | None, out_option("A new one.", default="GAME-seedN.yaml in this folder")] = None
    time: Annotated[
        float | None,
        time_option(
            "It includes the run-off, but not compiling. Sizes that nobody chose fit it.",
            "none; 10m for a game without `breeding` that would take hours",
        ),
    ] = None


@app.with_examples(
    "evolve run kalah --generations 200 --seed 7 --out strong.yaml",
    "evolve run --rules shelly --opponents shelly,risk",
    "evolve run --from strong.yaml --generations 100",
    "evolve run --strategy sheppard --rules sheppard --generations 100",
    "evolve run --option suits=6 --jobs 2",
    "evolve run --strategy ga:mutation=0.3 --run-dir runs/strong",
    "evolve run --config run.yaml --seed 2",
    group="Breed",
)
def run(
    chosen: Annotated[Mapping[str, Any], SettingFlags(Settings, _DEFAULTS)],
    setup: Setup,
    files: RunFiles,
    execution: Execution,
) -> None:
    """Breed players of a game, and write the best to a new file.

    Ctrl-C ends a run early: the run-off follows, and what was bred is saved. `evolve resume` continues a run that was
    stopped or killed.
    """
    if files.named is not None:
        at_most_one({"GAME": files.named, "--game": chosen.get("game")}, "the game")
        chosen = {**chosen, "game": files.named}
    bring(None, execution.imports)
    filed = _filed(chosen, files.config)
    demand(
        filed or setup.options or chosen or any(one is not None for one in vars(files).values()),
        f"which game? {', '.join(game_names())}, or one of your own; for example: evolve run lost-cities",
    )
    settings = _settings(chosen, setup, filed)
    from evolve.cli.session import breed
    from evolve.run import Run
    from evolve.sizing import free_sizes
    from evolve.storage.folder import new_folder
    from evolve.storage.result import destination
    from evolve.workers.processes import backend_for, workers_of

    if files.save_config:
        refuse_unwritable(files.save_config)
    backend = execution.backend or backend_for(settings.game, setup.threads)
    with workers_of(backend, setup.threads, execution.address) as workers:
        breeding = Run(settings, workers=workers, drop_missing=execution.drop_missing)
        path = destination(settings, files.out)
        if files.save_config:
            write_new(files.save_config, run_file_text(settings))
        free = free_sizes([*filed, *chosen], breeding.game, files.time)
        with new_folder(settings.file_name, settings.seed, files.run_dir, files.out) as folder:
            folder.begin(breeding, files.time, free)
            breed(breeding, folder, path, execution, free, files.time)


def _filed(flags: Mapping[str, Any], config: Path | None) -> Mapping[str, Any]:
    """The settings of a run file, whose players may be programs only where the flags name them too."""
    if config is None:
        return {}
    filed = load_run_file(config)
    for name in {"opponents", "partners"} - flags.keys():
        with names_from_data(player=f"--{name} {{}}"):
            for player in filter(is_program, filed.get(name, ())):
                refuse_in_data(player, "player")
    return filed


def _settings(flags: Mapping[str, Any], setup: Setup, filed: Mapping[str, Any]) -> Settings:
    """The settings of a run: those of the flags, then of the run file, then the defaults."""
    from rulebots.players.specs import specs_of

    chosen = {**filed, **flags}
    for name in flags.keys() & {"opponents", "partners"}:
        chosen[name] = tuple(specs_of(flags[name]))
    if setup.opening_plies is not None:
        chosen["opening_plies"] = setup.opening_plies
    return Settings.of(
        chosen.pop("strategy", None), **{**chosen, "options": {**filed.get("options", {}), **setup.options}}
    )


@app.with_examples(
    "evolve resume runs/strong",
    "evolve resume runs/strong --generations 200",
    "evolve resume runs/strong --jobs 8",
    group="Breed",
)
def resume(
    execution: Execution,
    folder: RunDir = None,
    generations: Annotated[
        int | None, setting_option(Settings, "generations", "In all.", default="as many as in the original run")
    ] = None,
    game: CustomGame = None,
    jobs: Jobs = None,
    out: Annotated[
        Path | None, out_option("A new one.", default="as in the original run, or GAME-seedN.yaml in this folder")
    ] = None,
) -> None:
    """Resume a run from its last generation.

    It may have been stopped or killed, or have ended.

    The result is that of an uninterrupted run, byte for byte.
    """
    from evolve.cli.session import resume_run
    from evolve.cli.tuning import resume_tuning
    from evolve.cli.tuning_options import TuneFlags
    from evolve.storage.folder import load_run, settings_of
    from evolve.workers.processes import backend_for, workers_of

    path = run_dir(Path(game) if folder is None and game in game_names() else folder)
    tuning = TuneFlags(
        jobs=jobs,
        backend=execution.backend,
        address=execution.address,
        out=out,
        quiet=execution.quiet,
        as_json=execution.as_json,
    )
    if resume_tuning(path, tuning, execution.imports or []):
        return
    bring(game, execution.imports)
    brings = {"game": "--game {}", "rules": "--import {}", "player": "--import {}"}
    threads = threads_of(jobs)
    with names_from_data(**brings):
        saved = settings_of(path, load_run(path).content).game
        demand(game is None or load_game(game) is load_game(saved), f"--game: the run in {path} is of {saved}")
        backend = execution.backend or backend_for(saved, threads)
    with workers_of(backend, threads, execution.address) as workers, names_from_data(**brings):
        resume_run(path, workers, execution, generations=generations, out=out)


@app.with_examples("evolve watch runs/strong", "evolve watch runs/strong --once", name="watch", group="Breed")
def watch_run(
    folder: RunDir = None, once: Annotated[bool, switch("--once", "Show the log as it is, and exit.")] = False
) -> None:
    """Follow a run from its log, until it ends or Ctrl-C.

    The run itself is not affected.
    """
    from evolve.cli.progress import watch

    watch(run_dir(folder), once=once)


@app.with_examples("evolve plot runs/strong", group="Breed")
def plot(folder: RunDir = None) -> None:
    """Draw a run: strength, speed, spread and weights over time.

    The pictures go to DIR/pictures; a run can be drawn while it is running.
    """
    from evolve.pictures import course_of, plot_run
    from rulebots.output.figures import need_matplotlib

    run = run_dir(folder)
    need_matplotlib()
    if warning := course_of(run).warning:
        say(f"warning: {warning}")
    for path in plot_run(run):
        say(f"wrote {path}")
