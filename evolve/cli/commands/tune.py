"""`evolve tune`: the numbers of a program, by its games."""

from __future__ import annotations

import contextlib
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer.exceptions import TyperException

from evolve.cli.commands import app
from evolve.cli.options import Address, Backend, Quiet
from evolve.cli.progress import duration
from rulebots.cli import options as opt
from rulebots.cli.app import Interrupted
from rulebots.cli.console import live_line, say, say_json, show, warn
from rulebots.cli.interrupts import Interrupts
from rulebots.cli.tables import percent, rate_interval
from rulebots.errors import UsageError, listed
from rulebots.files import free_name, is_standard, refuse_unwritable, write_new
from rulebots.files import replace as replace_file

if TYPE_CHECKING:
    from evolve.tuning.matches import Match
    from evolve.tuning.parameter_files import ParameterFile
    from evolve.tuning.parameters import Parameter
    from evolve.tuning.run import Progress, Tuned, TuningTask
    from evolve.tuning.storage import TuningFolder
    from evolve.workers import Workers

MatchCommand = Annotated[
    str | None,
    opt.option(
        "A command that plays a match between {first} and {second} and prints its result, or FILE.py:NAME, a function.",
        "CMD",
        "--match",
    ),
]
TimeLimit = Annotated[
    float | None,
    opt.decimal(
        "The most seconds of a match, or of a move of a player.", 0.01, 1e6, default="600 for a match, 10 for a move"
    ),
]
Protocol = Annotated[str, opt.shared("--protocol", "That of the program: rulebots or piskvork.")]


@dataclass(frozen=True)
class Program:
    """What plays, and how parameters reach it."""

    command: Annotated[
        str | None,
        opt.argument(
            "[COMMAND]", "The program that is tuned, with {name} for its parameters, {params} for their file."
        ),
    ] = None
    match: MatchCommand = None
    clop: Annotated[
        str | None, opt.option("Instead: a connection script of CLOP, SCRIPT PROCESSOR SEED NAME VALUE ...", "CMD")
    ] = None
    param: Annotated[
        list[str] | None,
        opt.option(
            "A parameter, NAME=START:LOW..HIGH with :int or :log, or words with bars between; repeatable.",
            "TEXT",
            "--param",
        ),
    ] = None
    params: Annotated[
        Path | None, opt.file_read("A JSON, YAML or INI file whose numbers are tuned: those of --param, or all.")
    ] = None
    param_file: Annotated[Path | None, opt.file_read("A file of any format with {name} for parameters.")] = None
    environment: Annotated[
        bool, opt.switch("--environment", "Parameters reach the program as variables RULEBOTS_PARAM_NAME too.")
    ] = False
    game: Annotated[str | None, opt.shared("--game", "That of the program.", default=False)] = None
    option: opt.OptionTexts = None
    protocol: Protocol = "rulebots"
    time_limit: TimeLimit = None

    def parameters(self) -> tuple[ParameterFile, list[Parameter]]:
        """The parameters, and the file that they are written to. Raises UsageError."""
        from evolve.tuning.parameter_files import own_file, read_numbers, read_template
        from evolve.tuning.parameters import chosen_parameters

        texts = self.param or []
        opt.at_most_one({"--params": self.params, "--param-file": self.param_file}, "what file has the parameters")
        if self.params is not None:
            file, numbers = read_numbers(self.params)
            return file, chosen_parameters(texts, numbers)
        parameters = chosen_parameters(texts)
        if self.param_file is not None:
            return read_template(self.param_file, [one.name for one in parameters]), parameters
        return own_file(parameters), parameters

    def contest(self, file: ParameterFile, parameters: list[Parameter]) -> Match:
        """What plays. Raises UsageError."""
        from evolve.tuning.matches import (
            MATCH_SECONDS,
            MOVE_SECONDS,
            ClopMatch,
            CommandMatch,
            FunctionMatch,
            PlayerMatch,
            function_of,
        )
        from rulebots.cli.lookup import options_of
        from rulebots.packages import load_game, path_of_game
        from rulebots.packages.named_code import code_name

        names = [one.name for one in parameters]
        seconds = self.time_limit or MATCH_SECONDS
        opt.at_most_one({"--match": self.match, "--clop": self.clop, "--game": self.game}, "what plays")
        if self.clop is not None:
            return ClopMatch(self.clop, seconds)
        if self.match is not None and (named := code_name(self.match)) is not None:
            function_of(self.match)
            return FunctionMatch(named.absolute)
        if self.match is not None:
            contest = CommandMatch(self.match, file, self.command or "", seconds)
            contest.check(names)
            return contest
        if self.command is None or self.game is None:
            raise UsageError("expected a program and its --game, --match with a command that plays, or --clop")
        kind = {"rulebots": "program", "piskvork": "piskvork"}.get(self.protocol)
        if kind is None:
            raise UsageError(f"--protocol: expected rulebots or piskvork, not '{self.protocol}'")
        game = load_game(self.game)
        options = options_of(self.option)
        game.option_values(options)
        place = path_of_game(game.name)
        limit = self.time_limit or MOVE_SECONDS
        player = PlayerMatch(self.command, place, options, file, self.environment, limit, kind)
        player.check(names)
        return player


@dataclass(frozen=True)
class TuneFlags:
    """How long, with what, and where the result goes."""

    games: Annotated[int, opt.shared("--games", "Of the search.", 2, 10**9)] = 20_000
    fresh: Annotated[
        int | None, opt.whole("Games at the end, the result against the start.", 2, value="N", default="a fifth")
    ] = None
    seed: Annotated[int, opt.shared("--seed", "Where the program repeats itself.")] = 1
    keep_dead: Annotated[bool, opt.switch("--keep-dead", "Go on where a parameter changes nothing.")] = False
    jobs: opt.Jobs = None
    backend: Backend = None
    address: Address = None
    run_dir: Annotated[
        Path | None, opt.option("A new folder for the run.", "DIR", default="runs/ and game, date and seed")
    ] = None
    out: Annotated[Path | None, opt.out_option("A new one.", default="FILE-tuned, or tuned.json")] = None
    quiet: Quiet = False
    as_json: opt.AsJson = False


@app.with_examples(
    "evolve tune 'python3 bot.py --again {again} --depth {depth}' --game kalah --param again=1.0:-5..5 "
    "--param depth=3:1..8:int",
    "evolve tune --match './play.sh {first} {second} {seed}' --param king=40 --param tempo=12:0..50:int",
    "evolve tune --match arena.py:play --params weights.json --jobs 8",
    "evolve tune --clop './script.py arguments' --param speed=0.5:0..2",
    group="Breed",
)
def tune(program: Program, flags: TuneFlags) -> None:
    """Tune the numbers of a program by its games.

    First it is tried: does the same seed give the same games, and does each parameter change any? Then all parameters
    are varied together, in pairs of mirrored games. At the end fresh games say whether the result beats the start.

    Ctrl-C ends it early: `evolve resume` goes on from the last pair of games.
    """
    from evolve.storage.folder import made_folder
    from evolve.tuning.run import TuningTask
    from evolve.tuning.storage import TuningFolder

    file, parameters = program.parameters()
    contest = program.contest(file, parameters)
    source = program.params or program.param_file
    usual = Path("tuned.json" if source is None else f"{source.stem}-tuned{source.suffix}")
    out = flags.out or free_name(usual)
    refuse_unwritable(out)
    ends = (flags.games, flags.seed, flags.fresh, flags.keep_dead)
    task = TuningTask(contest, tuple(parameters), *ends, file, _place_of(out))
    with _workers(task, flags) as workers, made_folder("tuning", flags.seed, flags.run_dir, None) as folder:
        place = TuningFolder(folder, task)
        place.begin()
        _run(place, workers, {}, flags)


def resume_tuning(path: Path, flags: TuneFlags, named: list[str]) -> bool:
    """Resume the tuning run of a folder, if it is one. Raises UsageError as `evolve resume` does."""
    from evolve.storage import log as run_log
    from evolve.storage.folder import RunFolder, rename_damaged_checkpoint
    from evolve.tuning.storage import TuningFolder, check_trusted, load_tuning, task_from

    found = load_tuning(path)
    if found is None:
        return False
    with RunFolder(path, "", found[0]) as folder:
        _, content, warning = load_tuning(path) or found
        task = task_from(content["tuning"])
        check_trusted(folder.run, task, named, path)
        if flags.out is not None:
            task = replace(task, out=_place_of(flags.out))
        if warning:
            rename_damaged_checkpoint(path)
            warn(warning)
        end = run_log.finished(run_log.read(path))
        if end is not None and flags.out is None:
            say(end["file"] if flags.quiet else f"the run in {path} was finished: its result is {end['file']}")
            return True
        with _workers(task, flags) as workers:
            place = TuningFolder(folder, task)
            _run(place, workers, content, flags)
    return True


def _workers(task: TuningTask, flags: TuneFlags) -> contextlib.AbstractContextManager[Workers]:
    """What plays the pairs: threads wait for programs; a Python function wants processes."""
    from evolve.tuning.matches import FunctionMatch, PlayerMatch
    from evolve.workers.processes import backend_for, workers_of

    threads = opt.threads_of(flags.jobs)
    match = task.match
    usual = "loky" if isinstance(match, FunctionMatch) and threads > 1 else "threads"
    if isinstance(match, PlayerMatch):
        usual = backend_for(match.game, threads)
    return workers_of(flags.backend or usual, threads, flags.address)


def _run(place: TuningFolder, workers: Workers, saved: Mapping[str, Any], flags: TuneFlags) -> None:
    """Trials, search, fresh games, result. Ctrl-C ends it, and nothing that was played is lost."""
    from evolve.tuning.matches import end_programs

    path = place.folder.path
    resume = shlex.join(["evolve", "resume", str(path)])
    with Interrupts() as interrupts:
        try:
            with interrupts.allowed():
                _play(place, workers, saved, quiet=flags.quiet)
        except KeyboardInterrupt:
            end_programs()
            place.flush()
            where = f"after {place.tuning.games:,} of {place.task.games:,} games" if place.tuning else "in the trials"
            raise Interrupted(f"interrupted {where}; continue with: {resume}") from None
        except UsageError as error:
            place.flush()
            if place.tuning is None:
                raise
            raise TyperException(f"{error}; nothing that was played is lost: continue with: {resume}") from None
        assert place.tuning is not None
        tuned = place.tuning.tuned()
        assert place.task.file is not None
        text = place.task.file.filled(tuned.values)
        out = Path(place.task.out)
        replace_file(path / f"result{place.task.file.suffix}", text)
        if is_standard(out) or not out.exists() or out.read_text("utf-8") != text:  # else a killed run has written it
            write_new(out, text)
        place.folder.log("end", generation=place.step, file=str(out), interrupted="")
    out = out.relative_to(Path.cwd()) if out.is_relative_to(Path.cwd()) else out
    if flags.as_json:
        say_json(_as_data(tuned, out, path))
    elif flags.quiet:
        say(str(out))
    else:
        _report(tuned)
        say(f"wrote {out}; as arguments: {tuned.arguments}")


def _place_of(out: Path) -> str:
    return str(out if is_standard(out) else out.resolve())


def _play(place: TuningFolder, workers: Workers, saved: Mapping[str, Any], *, quiet: bool) -> None:
    from evolve.storage import log as run_log
    from evolve.tuning.run import try_out
    from evolve.tuning.trials import Trials

    path = place.folder.path
    tell = (lambda _: None) if quiet else say
    if saved.get("trials"):
        trials = Trials(**saved["trials"])
    else:
        tell(f"the run lives in {path}; trying the program first")
        trials = try_out(place.task, workers)
        for note in trials.notes:
            tell(note)
    tuning = place.start(workers, trials, saved.get("state"))
    tuning.complain = warn
    if saved:
        run_log.cut_back(path, place.folder.run, place.step)
        place.folder.log("resume", generation=place.step)
    seconds = tuning.task.games / trials.games_a_pair * trials.seconds
    tell(f"forecast: {tuning.forecast}: {duration(seconds)}")
    place.keep()
    with live_line(quiet=quiet) as line:
        for progress in tuning.search_on():
            place.keep(progress)
            line(progress.games, _standing(progress, tuning.task.games))
    for _ in tuning.judge_on():
        place.keep()


def _standing(progress: Progress, games: int) -> str:
    return (
        f"{progress.games:,} of {games:,} games: {percent(progress.best)} against the start "
        f"({rate_interval(progress.best_95)}); {progress.games_a_second:,.1f} games a second"
    )


def _report(tuned: Tuned) -> None:
    from rich.table import Table

    from evolve.tuning.parameters import written

    table = Table("parameter", "start", "tuned", "95 %", "shown to matter")
    for one in tuned.parameters:
        low, high = map(written, tuned.intervals[one.name])
        value = written(tuned.values[one.name])
        table.add_row(
            one.name, written(one.start), value, f"{low} to {high}", "no" if one.name in tuned.unshown else "yes"
        )
    show(table, f"after {tuned.games:,} games")
    say(verdict_line(tuned))
    if tuned.unshown:
        say(f"not shown to matter: {listed(list(tuned.unshown))}")
    if tuned.lost:
        say(f"WARNING: {tuned.lost:,} pairs of games had no result")


def verdict_line(tuned: Tuned) -> str:
    """The verdict on fresh games, in words."""
    verdict = tuned.verdict
    what = {
        "better": "better than the start",
        "undecided": "not shown to be better than the start",
        "worse": "worse than the start: keep what you have",
    }[verdict.word]
    return (
        f"{what}: {verdict.gain:+.0f} Elo ({verdict.low:+.0f} to {verdict.high:+.0f}) in {verdict.games:,} fresh games"
    )


def _as_data(tuned: Tuned, out: Path, run: Path) -> dict[str, Any]:
    verdict = tuned.verdict
    return {
        "file": str(out),
        "run": str(run),
        "games": tuned.games,
        "lost_pairs": tuned.lost,
        "values": dict(tuned.values),
        "intervals_95": {name: list(ends) for name, ends in tuned.intervals.items()},
        "not_shown_to_matter": list(tuned.unshown),
        "forecast": str(tuned.forecast),
        "verdict": {**vars(verdict), "word": verdict.word},
    }
