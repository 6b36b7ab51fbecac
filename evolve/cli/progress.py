"""What a run prints: its progress, a table at its end, and what its log says while it is followed."""

from __future__ import annotations

import contextlib
import dataclasses
import math
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from typer.exceptions import TyperException

from evolve.storage import log as run_log
from evolve.storage.folder import process_of
from rulebots.cli.console import in_terminal, live_line, say, show
from rulebots.cli.tables import (
    cells_of,
    elo_interval,
    margin_interval,
    matches_table,
    percent,
    rate_interval,
    signed,
)
from rulebots.errors import FileError, demand, listed

if TYPE_CHECKING:
    from evolve.evaluation.final import Measured
    from evolve.monitoring import Progress
    from evolve.run import Outcome, Run

#: Seconds between two lines of progress where there is no terminal.
PAUSE = 2.0
#: Seconds between two readings of the log of a run that is followed.
READING_PAUSE = 1.0
#: Seconds without news after which it is asked whether a process runs the run.
QUIET = 10.0
#: Generations of a run that are shown at once.
MOST_LINES = 20
#: Idle rules that are named, and the fewest games that tell which they are.
MOST_IDLE = 6
FEWEST_IDLE = 40

Report = Callable[["Progress"], None]


@contextlib.contextmanager
def reporting(run: Run, *, seconds: float | None, quiet: bool) -> Iterator[Report]:
    """A function to call after each generation: it shows a status in a terminal, else prints a line now and then.

    `seconds` is what the run may take from now on, None without a time limit.
    """
    began = time.monotonic()
    times = list[float]()
    latest = -PAUSE
    limit = f" of {run_log.duration(seconds)}" if seconds else ""
    with live_line(quiet=quiet) as status:

        def report(progress: Progress) -> None:
            nonlocal latest
            now = time.monotonic()
            generation, generations = progress.generation, run.settings.generations
            times.append(now)
            bred = run_log.seconds_left(run_log.pace(times), generation, generations)
            left = began + seconds - now if seconds else bred
            going_on = f"; {'at most' if seconds else 'about'} {run_log.duration(left)} left{limit}, run-off included"
            line = (
                f"generation {generation}{f' of {generations}' * (not seconds)}: {run_log.lead(vars(progress))} "
                f"against {run.hand_tuned.name}; {progress.games_a_second:,.0f} games a second"
                f"{''.join(f'; WARNING: {warning}' for warning in progress.warnings)}{going_on * (left > 0)}"
            )
            if in_terminal():
                status(progress.games, line)
            elif not quiet and (now - latest >= PAUSE or generation == generations):
                latest = now
                say(line)

        yield report


def show_outcome(outcome: Outcome, champion: str, resume: str, again: str) -> None:
    """The verdicts on the champion and on the run, then its matches on deals that decided nothing.

    `champion` is its file, with the flags that it needs, `resume` the command one that breeds on, if any does,
    and `again` says how another run begins, for where this one did not gain.
    """
    from evolve.evaluation.final import OPEN, RISING

    measured = outcome.measured
    for sentence in outcome.verdicts:
        say(sentence)
    if outcome.trend:
        more = (outcome.trend.startswith((RISING, OPEN)) or bool(outcome.kept)) and bool(resume)
        say(f"{outcome.trend}{f': {resume} --generations {2 * outcome.generations}' * more}")
        if not outcome.trend.startswith(RISING):
            say(f"{'or ' * more}{again}")
    for warning in outcome.warnings:
        say(f"WARNING: {warning}")
    if outcome.polish and outcome.polish.games:
        say(outcome.polish.sentence)
    if measured is None:
        return
    if measured.specialist and not outcome.kept:
        say(f"WARNING: {measured.specialist}")
    against, match = next(iter(measured.held_out.items()))
    show(matches_table(measured.table), "the champion on fresh deals, each played from every side")
    if outcome.kept:
        return
    field = measured.standing
    if field and len(field.players) > 1:
        rate = f"{percent(field.mean)} ({rate_interval(field.mean_95 or (0.0, 1.0))})"
        points = f"{field.mean:+.2f} points a game ({margin_interval(field.mean_95)})"
        say(f"over the field of {', '.join(field.players)}: {points if field.in_points else rate}")
    if not match.in_points:
        say(f"Elo against {against}: {signed(match.elo)}, 95 %: {elo_interval(match)}")
    say(flattery(measured))
    if measured.idle and measured.idle_games >= FEWEST_IDLE:
        say(
            f"{len(measured.idle)} of {len(outcome.rules.rules)} rules changed no move "
            f"in {measured.idle_games:,} games: {listed(measured.idle, MOST_IDLE)}; "
            f"to see which can go: evolve ablate {champion}"
        )


def facts_of_end(outcome: Outcome) -> dict[str, Any]:
    """What the log keeps of the result: the verdicts in words, and the table of the matches on fresh deals."""
    if outcome.measured is None:
        return {}
    return {
        "verdicts": outcome.verdicts,
        "trend": outcome.trend,
        "table": cells_of(matches_table(outcome.measured.table)),
        "champion": outcome.finalists[0].tolist(),
        "kept": outcome.kept,
    }


def flattery(measured: Measured) -> str:
    """How much training flattered the best player."""
    in_points = measured.standing is not None and measured.standing.in_points
    met = "deals with more points than" if in_points else "win rate against"
    if measured.alone:
        met = f"score (even: {percent(measured.even)}) alone among copies of"
    fresh = percent(measured.fresh) + (f" ({rate_interval(measured.fresh_95)})" if measured.fresh_95 else "")
    if measured.training is None or measured.gap is None:
        return f"{met} the last generation's players: {fresh} on held-out deals"
    chance = measured.gap < 0.01 or (measured.fresh_95 and measured.training <= measured.fresh_95[1])
    lucky = "" if chance else ": the best of many in few games is often lucky"
    return (
        f"{met} the same opponents: {percent(measured.training)} in training, {fresh} on held-out deals, "
        f"a gap of {100 * measured.gap:.1f} percentage points{lucky}"
    )


def as_data(outcome: Outcome, file: Path, run: Path) -> dict[str, Any]:
    """What a run bred and what fresh deals say of it, as plain data; None where nothing was measured."""
    measured = outcome.measured
    return {
        "file": str(file),
        "run": str(run),
        "game": outcome.rules.game.name,
        "generations": outcome.generations,
        "games": outcome.games,
        "seed": outcome.settings.seed,
        "rules": outcome.rules.name,
        "trend": outcome.trend or None,
        "kept": outcome.kept or None,
        "warnings": list(outcome.warnings),
        "polish": outcome.polish
        and {"games": outcome.polish.games, "changes": [dataclasses.asdict(one) for one in outcome.polish.changes]},
        "measured": measured
        and {
            "held_out": {name: result.summary() for name, result in measured.held_out.items()},
            "field": measured.standing and dataclasses.asdict(measured.standing),
            "specialist": measured.specialist or None,
            "idle_rules": list(measured.idle),
            "training": measured.training,
            "fresh": measured.fresh,
            "fresh_95": measured.fresh_95,
            "even": measured.even,
            "gap": measured.gap,
            "verdict": dataclasses.asdict(measured.verdict),
            "start_verdict": measured.on_start and dataclasses.asdict(measured.on_start),
        },
    }


def watch(folder: Path, *, once: bool, wait: Callable[[float], None] = time.sleep) -> None:
    """Print a line for each generation of a run, until it is over or, with `once`, for those of now.

    It only reads the log, so it may be started and stopped at any time.

    Raises:
        FileError: a folder without a log. TyperException: the run is not over, and nothing runs it.
    """
    demand(
        (folder / run_log.NAME).exists(),
        f"{folder}: expected the folder of a run, with a log; there is none",
        FileError,
    )
    latest = damaged = 0
    while True:
        log = run_log.read(folder)
        if log.damaged > damaged:
            damaged = log.damaged
            say(f"warning: {log.warning(folder)}")
        last = log.events[-1] if log.events else {}
        ended = last.get("event") == "end"
        new = [line for line in run_log.generations(log) if line["generation"] > latest]
        # Of a run that is over the last generation has to do.
        shown = new[-1 if ended and not latest else -MOST_LINES :]
        if not ended and len(new) > len(shown):
            say(f"not shown, as older: {len(new) - len(shown):,} lines")
        for line in shown:
            latest = line["generation"]
            trained = f", {percent(line['training'])} in training"
            done = (
                f"{latest} % of its games: {run_log.lead(line)} against the start"
                if log.events[0].get("settings", {}).get("strategy") == "tune"
                else f"generation {latest}: {run_log.lead(line)}{trained * ('margin' not in line)}, "
                f"weights differ by {percent(line['metrics']['spread'])} of their size"
            )
            warnings = "".join(f"; WARNING: {warning}" for warning in line["warnings"])
            say(f"{done}; {line['games_a_second']:,.0f} games a second{warnings}")
        for sentence in filter(None, (*last.get("verdicts", ()), last.get("trend"))):
            say(sentence)
        if ended or (once and latest):
            return
        if time.time() - last.get("time", math.inf) > QUIET and process_of(folder) is None:
            raise TyperException(f"nothing runs it on this machine: `evolve resume {folder}` goes on")
        if once:
            say("its first generation is not over yet")
            return
        wait(READING_PAUSE)
