"""Tuning, from the flags to the result; and the test of a new version against an old one."""

import contextlib
import functools
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import typer
from rich.table import Table
from typer.exceptions import TyperException

from evolve.cli.tuning_options import GateFlags, Program, TuneFlags
from evolve.storage import log as run_log
from evolve.storage.folder import RunFolder, new_folder, rename_damaged_checkpoint
from evolve.tuning.matches import (
    MATCH_SECONDS,
    MOVE_SECONDS,
    ClopMatch,
    CommandMatch,
    FunctionMatch,
    Match,
    PlayerMatch,
    end_programs,
    function_of,
)
from evolve.tuning.parameter_files import ParameterFile, own_file, read_numbers, read_template
from evolve.tuning.parameters import Parameter, chosen_parameters, written
from evolve.tuning.run import Tuned, TuningTask, paced, play_or_fail, try_out
from evolve.tuning.storage import TuningFolder, check_trusted, load_tuning, task_from
from evolve.tuning.trials import Trials
from evolve.tuning.verdict import amount, judged
from evolve.workers import Workers
from evolve.workers.processes import backend_for, workers_of
from rulebots.cli.app import Interrupted
from rulebots.cli.console import live_line, say, say_json, show, warn
from rulebots.cli.interrupts import Interrupts
from rulebots.cli.lookup import options_of
from rulebots.cli.options import at_most_one, threads_of
from rulebots.cli.tables import cells_of, table_of
from rulebots.errors import UsageError, check_known, demand, listed
from rulebots.files import free_name, is_standard, refuse_unwritable, replace as replace_file, write_new
from rulebots.packages import load_game, path_of_game
from rulebots.packages.named_code import code_name
from rulebots.ratings import Sprt

#: What the kinds of player are called, by the protocol.
PROTOCOLS = {"rulebots": "program", "piskvork": "piskvork"}
VERDICTS = {
    "better": "better than the start",
    "undecided": "not shown to be better than the start",
    "worse": "worse than the start: keep what you have",
}


def parameters_of(program: Program) -> tuple[ParameterFile, list[Parameter]]:
    """The parameters, and the file that they are written to. Raises UsageError."""
    texts = program.param or []
    at_most_one({"--params": program.params, "--param-file": program.param_file}, "what file has the parameters")
    if program.params is not None:
        file, numbers = read_numbers(program.params)
        return file, chosen_parameters(texts, numbers)
    parameters = chosen_parameters(texts)
    if program.param_file is not None:
        return read_template(program.param_file, [one.name for one in parameters]), parameters
    return own_file(parameters), parameters


def match_of(program: Program, file: ParameterFile, parameters: Sequence[Parameter]) -> Match:
    """What plays. Raises UsageError."""
    names = [one.name for one in parameters]
    seconds = program.time_limit or MATCH_SECONDS
    at_most_one({"--match": program.match, "--clop": program.clop, "--game": program.game}, "what plays")
    demand(program.game or not (program.environment or program.option), "--environment and --option go with --game")
    if program.clop is not None:
        return ClopMatch(program.clop, seconds)
    if program.match is not None and (named := code_name(program.match)) is not None:
        function_of(program.match)
        demand(program.time_limit is None, "--time-limit ends programs: a Python function has to end by itself")
        return FunctionMatch(named.absolute, file.kept(names))
    if program.match is not None:
        contest = CommandMatch(program.match, file, program.command or "", seconds)
        contest.check(names)
        return contest
    if program.command is None or program.game is None:
        raise UsageError("expected a program and its --game, --match with a command that plays, or --clop")
    check_known("protocol", program.protocol, PROTOCOLS)
    game = load_game(program.game)
    options = options_of(program.option)
    game.option_values(options)
    how = (file, program.environment, program.time_limit or MOVE_SECONDS, PROTOCOLS[program.protocol])
    player = PlayerMatch(program.command, path_of_game(game.name), options, *how)
    player.check(names)
    return player


def begin(program: Program, flags: TuneFlags) -> None:
    """A new run. Raises UsageError for wrong flags, a program that goes wrong, or a parameter that changes nothing."""
    file, parameters = parameters_of(program)
    contest = match_of(program, file, parameters)
    source = program.params or program.param_file
    out = flags.out or free_name(Path("tuned.json" if source is None else f"{source.stem}-tuned{source.suffix}"))
    refuse_unwritable(out)
    at_most_one({"--games": flags.games, "--time": flags.time}, "how long it is")
    ends = (flags.games or TuningTask.games, flags.seed, flags.fresh, flags.keep_dead)
    task = TuningTask(contest, tuple(parameters), *ends, file, _place_of(out), flags.time)
    with _workers(task, flags) as workers, new_folder("tuning", flags.seed, flags.run_dir, None) as folder:
        place = TuningFolder(folder, task)
        place.begin()
        try:
            _run(place, workers, {}, flags)
        except UsageError:
            # Where the trials refuse it, nothing was played that counts, and the same command may be given again.
            if place.tuning is None:
                folder.discard()
            raise


def resume_tuning(path: Path, flags: TuneFlags, named: list[str]) -> bool:
    """Resume the tuning run of a folder, if it is one. Raises UsageError as `evolve resume` does."""
    saved = load_tuning(path)
    if saved is None:
        return False
    with RunFolder(path, "", saved.run) as folder:
        task = task_from(saved.content["tuning"])
        check_trusted(folder.run, task, named, path)
        if flags.out:
            task = replace(task, out=_place_of(flags.out))
        if saved.warning:
            rename_damaged_checkpoint(path)
            warn(saved.warning)
        end = run_log.finished(run_log.read(path))
        if end and flags.out is None:
            say(end["file"] if flags.quiet else f"the run in {path} was finished: its result is {end['file']}")
            return True
        with _workers(task, flags) as workers:
            _run(TuningFolder(folder, task), workers, saved.content, flags)
    return True


def _workers(task: TuningTask, flags: TuneFlags) -> contextlib.AbstractContextManager[Workers]:
    """What plays the pairs: threads wait for programs; a Python function wants processes."""
    threads = threads_of(flags.jobs)
    match = task.match
    usual = "loky" if isinstance(match, FunctionMatch) and threads > 1 else "threads"
    backend = flags.backend or (backend_for(match.game, threads) if isinstance(match, PlayerMatch) else usual)
    return workers_of(backend, threads, flags.address)


def _run(place: TuningFolder, workers: Workers, saved: Mapping[str, Any], flags: TuneFlags) -> None:
    """Trials, search, fresh games, result. Ctrl-C ends it, and nothing that was played is lost."""
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
        place.folder.log(
            "end",
            generation=place.step,
            file=str(out),
            interrupted="",
            verdicts=[_verdict(tuned)],
            table=cells_of(_table(tuned)),
            another=f"as arguments: {tuned.arguments}",
        )
    out = out.relative_to(Path.cwd()) if out.is_relative_to(Path.cwd()) else out
    if flags.as_json:
        say_json(_as_data(tuned, out, path))
    elif flags.quiet:
        say(str(out))
    else:
        show(_table(tuned), f"after {tuned.games:,} games")
        say(_verdict(tuned))
        if tuned.unshown:
            say(f"not shown to matter: {listed(list(tuned.unshown))}")
        if tuned.lost:
            say(f"WARNING: {tuned.lost:,} pairs of games had no result")
        say(f"wrote {out}; as arguments: {tuned.arguments}")


def _place_of(out: Path) -> str:
    return str(out if is_standard(out) else out.resolve())


def _play(place: TuningFolder, workers: Workers, saved: Mapping[str, Any], *, quiet: bool) -> None:
    path = place.folder.path
    tell = (lambda _: None) if quiet else say
    if saved.get("trials"):
        trials = Trials(**saved["trials"])
    else:
        tell(f"the run lives in {path}; trying the program first")
        if place.task.seconds is not None:
            place.task = paced(place.task, workers)
            place.begin()
        with live_line(quiet=quiet) as line:
            trials = try_out(place.task, workers, lambda pairs: line(pairs, f"{pairs:,} pairs of games tried"))
        for note in trials.notes:
            tell(note)
    tuning = place.start(workers, trials, saved.get("state"))
    tuning.complain = warn
    if saved:
        run_log.cut_back(path, place.folder.run, place.step)
        place.folder.log("resume", generation=place.step)
    seconds = (tuning.task.games + tuning.task.fresh_games) / trials.games_a_pair * trials.seconds
    tell(f"forecast: {tuning.forecast}; with {tuning.task.fresh_games:,} fresh games {run_log.duration(seconds)}")
    place.keep()
    with live_line(quiet=quiet) as line:
        for progress in tuning.search_on():
            place.keep(progress)
            going = (
                f"{run_log.lead(progress._asdict())} against the start; {progress.games_a_second:,.1f} games a second"
            )
            line(progress.games, f"{progress.games:,} of {tuning.task.games:,} games: {going}")
    with live_line(quiet=quiet) as line:
        for pairs in tuning.judge_on():
            place.keep()
            games = pairs * trials.games_a_pair
            line(games, f"{games:,} of {tuning.task.fresh_games:,} fresh games: the result against the start")


def _table(tuned: Tuned) -> Table:
    rows = (
        {
            "parameter": one.name,
            "start": written(one.start),
            "tuned": _digits(tuned.values[one.name], *ends),
            "95 %": " to ".join(dict.fromkeys(_digits(end, *ends) for end in ends)),
            "shown to matter": "no" if one.name in tuned.unshown else "yes",
        }
        for one in tuned.parameters
        for ends in [tuned.intervals[one.name]]
    )
    return table_of(rows, "parameter", "shown to matter")


def _digits(value: Any, low: Any, high: Any) -> str:
    """A value as text, a real number with as many digits as its interval is worth."""
    return written(
        round(value, 1 - int(np.floor(np.log10(high - low)))) if isinstance(value, float) and high > low else value
    )


def _verdict(tuned: Tuned) -> str:
    return f"{VERDICTS[tuned.verdict.word]}: {tuned.verdict} fresh games"


def _as_data(tuned: Tuned, out: Path, run: Path) -> dict[str, Any]:
    return {
        "file": str(out),
        "run": str(run),
        "games": tuned.games,
        "lost_pairs": tuned.lost,
        "values": dict(tuned.values),
        "intervals_95": {name: list(ends) for name, ends in tuned.intervals.items()},
        "not_shown_to_matter": list(tuned.unshown),
        "forecast": str(tuned.forecast),
        "verdict": {**vars(tuned.verdict), "word": tuned.verdict.word},
    }


def gate_versions(flags: GateFlags) -> None:
    """Play two versions until a sequential test has a verdict. Raises Exit with its exit code, or UsageError."""
    demand(flags.match or flags.game, "expected --match with a command that plays, or --game")
    program = Program(
        None if flags.match else flags.head,
        flags.match,
        game=flags.game,
        option=flags.option,
        protocol=flags.protocol,
        time_limit=flags.time_limit,
    )
    match = match_of(program, ParameterFile("", "", ()), [])
    test = Sprt(*flags.sprt)
    workers = Workers(threads_of(flags.jobs))
    points = list[float]()
    games = 0
    accepted = "undecided"
    interruption = ""
    with Interrupts() as interrupts, live_line(quiet=flags.as_json) as line:
        try:
            with interrupts.allowed():
                while accepted == "undecided" and games < flags.games:
                    block = max(8, 2 * workers.jobs, len(points) // 8)
                    tasks = [(flags.head, flags.base, flags.seed + len(points) + i) for i in range(block)]
                    for played in workers.each(functools.partial(play_or_fail, match), tasks):
                        points.append(played.points)
                        games += played.games
                    counts, scores = amount(np.array(points), games // len(points))
                    accepted = test.verdict(counts, scores)
                    line(games, f"{games:,} games; log likelihood ratio {test.llr(counts, scores):.2f}")
        except KeyboardInterrupt:
            interruption = f"interrupted after {games:,} games"
        finally:
            end_programs()
    verdict = judged(np.array(points), games // max(1, len(points)))
    if flags.as_json:
        figures = {"accepted": accepted, "games": games, "elo": verdict.gain, "elo_95": [verdict.low, verdict.high]}
        say_json(figures | ({"interrupted": True} if interruption else {}))
    else:
        words = {
            "H1": f"passed: the head is stronger (H1, {test.elo1:+g} Elo or more)",
            "H0": f"failed: the head is not stronger (H0, {test.elo0:+g} Elo or less)",
            "undecided": "failed: undecided",
        }
        say(f"{words[accepted]}: {verdict} games")
    if interruption:
        raise Interrupted(interruption)
    raise typer.Exit(0 if accepted == "H1" else 1)
