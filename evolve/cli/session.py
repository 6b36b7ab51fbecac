"""A run, begun or resumed: progress, Ctrl-C, the run's folder, the file at its end."""

import contextlib
import shlex
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from typer.exceptions import TyperException

from evolve.cli.options import Execution, custom_flags, to_try
from evolve.cli.progress import Report, as_data, facts_of_end, reporting, show_outcome
from evolve.precompile import compiled_apart
from evolve.run import Outcome, Run
from evolve.settings import Settings
from evolve.signals import uninterrupted
from evolve.sizing import coarse, fitted, games_a_second, seconds_of, still_fitting
from evolve.storage import log as run_log
from evolve.storage.folder import CHAMPION, RunFolder, load_run, rename_damaged_checkpoint, settings_of, target_text
from evolve.storage.log import duration, event_files
from evolve.storage.result import destination, origin, save, text_of
from evolve.workers import Workers
from rulebots.cli.app import Interrupted
from rulebots.cli.console import in_terminal, live_line, say, say_json, warn
from rulebots.cli.interrupts import Interrupts
from rulebots.cli.tables import counted
from rulebots.errors import UsageError, demand
from rulebots.files import OutputError, is_standard
from rulebots.kernel.precompile import seconds_to_compile
from rulebots.packages import package_of
from rulebots.packages.named_code import code_name, is_program
from rulebots.packages.players import shipped_files
from rulebots.players import decides_by_rules


def breed(
    run: Run,
    folder: RunFolder,
    path: Path,
    execution: Execution,
    free: Sequence[str] = (),
    seconds: float | None = None,
) -> None:
    """Breed, run off, measure, save. Ctrl-C ends the current step; what was bred is saved all the same.

    `free` are the sizes of the run that fit the `seconds` that it may take; where those are None, they may shrink if
    it would take hours.

    Raises:
        TyperException: Interrupted, or the workers failed; the message says after which generation, and what to do.
        OutputError: a file cannot be written.
    """
    quiet = execution.quiet
    resume = resume_command(run, folder)
    interruption = ""
    with Interrupts() as interrupts, _resumable(lambda: run, folder, resume):
        try:
            with interrupts.allowed(), contextlib.ExitStack() as stack:
                limit = seconds if "generations" in free else None
                stack.enter_context(_compiled(run, folder, quiet=quiet, open_ended=bool(limit)))
                run = _fitted(run, folder, free, seconds, quiet=quiet)
                events = stack.enter_context(event_files(folder.path)) if execution.tensorboard else lambda _: None
                _all_generations(run, folder, interrupts, events, limit, quiet=quiet)
        except KeyboardInterrupt:
            generation = run.breeder.generation
            interruption = f"interrupted after generation {generation}"
            if generation == 0:
                raise Interrupted(
                    f"interrupted in the first generation, which is lost; begin it again with: {resume}"
                ) from None
            if not quiet:
                say(f"{interruption}; Ctrl-C again leaves out the run-off")
        finalists = run.candidates()
        run_off = False
        polished = None
        measured = None
        try:
            with interrupts.allowed(), live_line(quiet=quiet) as line:
                show = line if quiet or in_terminal() else lambda _, step: say(step)
                show(0, "choosing the best on more deals, and measuring it on fresh ones")
                finalists = run.run_off()
                run_off = True
                polished = run.polish(finalists)
                measured = run.measure(polished.weights)
        except KeyboardInterrupt:
            interruption = interruption or f"interrupted {'after' if run_off else 'in'} the run-off"
        outcome = run.outcome(finalists, run_off=run_off, polished=polished, measured=measured)
        another, again = _another(run, outcome, run_log.begun_for(run_log.read(folder.path)))
        target = _saved(outcome, path, folder, resume)
        folder.log(
            "end",
            generation=outcome.generations,
            file=str(target.resolve()),
            interrupted=interruption,
            again=another.start,
            another=again,
            **facts_of_end(outcome),
        )
        if execution.as_json:
            say_json(as_data(outcome, target, folder.path))
        elif quiet:
            say(str(target))
        else:
            flags = custom_flags(run.rules, run.settings.options)
            show_outcome(outcome, shlex.join([str(target), *flags]), "" if interruption else resume, again)
            # One that it met on fresh deals: the file may hold the first of them, which does not meet itself.
            met = outcome.measured and outcome.measured.held_out
            opponent = next((name for name in package_of(run.game).references if not met or name in met), "random")
            say(f"wrote {target}; {to_try(target, opponent, flags, run.game)}")
    if interruption:
        raise Interrupted(f"{interruption}; what was bred so far is in {target}; continue with: {resume}")


def _another(run: Run, outcome: Outcome, generations: int) -> tuple[Settings, str]:
    """Those of another run like this one, with another seed, and in words how it begins.

    It is from the shipped champion, unless this one's is better. `generations` are those that this one was begun for.
    """
    verdict, former = outcome.measured and outcome.measured.verdict, run.former
    ahead = verdict and verdict.says != "better" and decides_by_rules(former) and former.rules is run.rules
    start = run.settings.start or (former.name if ahead and former.name in shipped_files(run.game) else "")
    another = replace(outcome.settings, seed=run.settings.seed + 1, start=start, generations=generations)
    begin = "again" if start == run.settings.start else "from the shipped champion"
    command = origin(replace(outcome, settings=another, generations=generations))
    return another, f"begin {begin} with seed {another.seed}: {command}"


def resume_run(
    path: Path, workers: Workers, execution: Execution, *, generations: int | None = None, out: Path | None = None
) -> None:
    """Resume the run of a folder, up to as many generations as it was begun for, or up to `generations` in all.

    Raises:
        UsageError: no checkpoint can be used, another process runs it, it has more generations already, its rules or
            opponents are not there, or its file is not near (see `_is_near`). OutputError: a file cannot be written.
    """
    identity = load_run(path).run  # before the lock, which would leave a file in a folder that is not of a run
    with RunFolder(path, "", identity) as folder:
        checkpoint = load_run(path)
        content = checkpoint.content
        settings = settings_of(path, content)
        generation = content["run"]["breeder"]["generation"]
        if generations is not None:
            demand(
                generations >= generation,
                f"--generations counts all of a run, and {path} has {generation} already: to breed {generations} more, "
                f"give {generation + generations}",
            )
            settings = replace(settings, generations=generations)
        saved = path / content["target"] if content["target"] else None
        confirmed = out and saved and not is_standard(out) and out.resolve() == saved.resolve()
        out = None if confirmed else out
        end = run_log.finished(run_log.read(path))
        if out is None and end is not None and end["generation"] == generation == settings.generations:
            file = Path(end["file"])
            file = file if file.exists() else path / CHAMPION
            said = (
                f"the run in {path} was finished after {counted(generation, 'generation')}: its result is {file}; "
                f"add --generations {2 * generation} to breed as many more, or --out FILE to write the result again"
            )
            say(str(file) if execution.quiet else said)
            if execution.as_json:
                say_json({"file": end["file"], "run": str(path), "generations": generation, "finished": True})
            return
        demand(
            out is not None or confirmed or _is_near(saved, path),
            f"{path}: the run writes its result to '{saved}', neither in this folder nor beside it: "
            "confirm that by --out with this name, or give another one",
        )
        run = Run(settings, workers=workers, state=content["run"], drop_missing=execution.drop_missing)
        folder.target = target_text(out, path) if out else content["target"]
        target = destination(settings, out or saved, resumed=out is None)
        if checkpoint.warning:
            rename_damaged_checkpoint(path)
            warn(checkpoint.warning)
        log = run_log.cut_back(path, identity, generation)
        if log.damaged:
            warn(log.warning(path))
        if log.about is None:
            folder.log_begin(run)
        folder.log("resume", generation=generation, generations=settings.generations)
        folder.describe(settings)
        folder.save(run)
        breed(run, folder, target, execution)


def _is_near(target: Path | None, folder: Path) -> bool:
    """Whether a checkpoint may decide that this file is written: none, or YAML here or below, or beside the run.

    Somebody else may have made the folder.
    """
    if target is None:
        return True
    path = target.resolve()
    return path.suffix in {".yaml", ".yml"} and any(map(path.is_relative_to, (Path.cwd(), folder.resolve().parent)))


def resume_command(run: Run, folder: RunFolder) -> str:
    """The command that continues a run, with the flags for the user's code that it needs."""
    words = ["evolve", "resume", str(folder.path), *custom_flags(run.rules)]
    for player in (*run.settings.opponents, *run.settings.partners):
        named = code_name(player)
        if is_program(player):
            words += ["--import", player]
        elif named:
            words += ["--import", named.text]
    target = folder.path / folder.target if folder.target else None
    if not _is_near(target, folder.path):
        words += ["--out", str(target)]
    return shlex.join(words)


def _saved(outcome: Outcome, path: Path, folder: RunFolder, resume: str) -> Path:
    """Write the result into the run's folder and to its own file; where one disk is full, the other one has it.

    Raises:
        OutputError: one of them cannot be written; the message says where the result is.
    """
    try:
        folder.publish(text_of(outcome))
    except OutputError as error:
        raise OutputError(f"{error}; the result is in {save(outcome, path)}") from None
    try:
        return save(outcome, path)
    except OutputError as error:
        raise OutputError(
            f"{error}; the result is in {folder.path / CHAMPION}, and nothing is lost: {resume} --out FILE"
        ) from None


@contextlib.contextmanager
def _resumable(current: Callable[[], Run], folder: RunFolder, resume: str) -> Iterator[None]:
    """Where workers fail, say how to continue: all generations up to then are in the folder; without any, it goes."""
    try:
        yield
    except (OutputError, Interrupted):
        raise
    except Exception as error:
        run = current()
        generation = run.breeder.generation
        if not generation:
            folder.discard()
        if not (generation and isinstance(error, UsageError | OSError)):
            raise
        raise TyperException(
            f"{error}; stopped after generation {generation} of {run.settings.generations}, "
            f"and nothing of that is lost: continue with: {resume}"
        ) from None


@contextlib.contextmanager
def _compiled(run: Run, folder: RunFolder, *, quiet: bool, open_ended: bool) -> Iterator[None]:
    """Say what is bred, and compile it in another process; what only the end of the run needs, beside the block.

    Of a run that is `open_ended` nobody knows the generations.
    """
    if not quiet:
        s = run.settings
        lessons = f" and {s.lessons:,} lessons" if run.learner else ""
        generations = "" if open_ended else f", {counted(s.generations, 'generation')}"
        done = run.breeder.generation
        begun = f"generation {done}" if done else s.start or "the rules' own weights"
        say(
            f"breeding {s.population} players of {run.game.title} from {len(run.rules.rules)} rules "
            f"('{run.rules.name}'), {run.arena.games_a_generation:,} games a generation{lessons}{generations}; "
            f"they begin with {begun}"
        )
        for line in (f"the run lives in {folder.path}", *run.notes):
            say(line)
    seconds = seconds_to_compile(run.compilations)
    if not seconds and not seconds_to_compile(run.compilations_of_the_end):
        yield
        return
    if seconds and not quiet:
        say(f"compiling these rules first: about {max(1, round(seconds))} s, only the first time")
    folder.log("compile", seconds=round(seconds, 1))
    with contextlib.ExitStack() as beside:
        with live_line(quiet=quiet) as show:
            show(0, "compiling")
            beside.enter_context(compiled_apart(folder.path))
        folder.log("compiled")
        yield


def _fitted(run: Run, folder: RunFolder, free: Sequence[str], wanted: float | None, *, quiet: bool) -> Run:
    """The run, or one of a size that fits the seconds wanted, or takes minutes instead of hours."""
    if not free:
        return run
    run.compile()
    measured = games_a_second(run)
    speed = coarse(measured) if wanted is None else measured
    settings = fitted(run, speed, free, wanted)
    if settings == run.settings:
        return run
    if not quiet:
        before, now = (duration(seconds_of(run, one, speed)) for one in (run.settings, settings))
        sizes = ", ".join(
            f"as many {name} as fit"
            if wanted and name == "generations"
            else f"--{name.replace('_', '-')} {getattr(settings, name)}"
            for name in free
            if name in settings.chosen()
        )
        say(
            f"at about {speed:,.0f} games a second this run would take {before}: {sizes} instead, for {now}"
            f"{'; --time 1h chooses otherwise' * (not wanted)}"
        )
    smaller = Run(settings, rules=run.rules, workers=run.arena.workers)
    folder.begin(smaller, wanted, free)
    return smaller


def _all_generations(
    run: Run, folder: RunFolder, interrupts: Interrupts, events: Report, seconds: float | None, *, quiet: bool
) -> None:
    """Breed; where the run may take some seconds, as many generations as they turn out to fit."""
    began = time.monotonic()
    with reporting(run, seconds=seconds, quiet=quiet) as report:
        for progress in run.generations():
            with uninterrupted():
                if seconds is not None:
                    generations = still_fitting(progress.generation, time.monotonic() - began, seconds)
                    run.settings = replace(run.settings, generations=generations)
                    folder.describe(run.settings)
                folder.keep(run, progress, estimated=seconds is not None)
                events(progress)
            report(progress)
            interrupts.check()
