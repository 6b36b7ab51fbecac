"""What a run prints: its progress, a table at its end, and what its log says while it is followed."""

from __future__ import annotations

import contextlib
import dataclasses
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evolve.storage import log as run_log
from evolve.storage.log import Log
from rulebots.cli.console import in_terminal, say, show, terminal
from rulebots.cli.tables import elo_interval, matches_table, percent, rate_interval, signed, table_of
from rulebots.errors import UsageError

if TYPE_CHECKING:
    from rich.table import Table

    from evolve.evaluation.final import Measured
    from evolve.monitoring import Progress
    from evolve.run import Outcome

#: Seconds between two lines of progress where there is no terminal.
PAUSE = 2.0
#: Seconds between two readings of the log of a run that is followed.
READING_PAUSE = 1.0
#: Generations of it that are shown.
SHOWN = 15

Report = Callable[["Progress"], None]


@contextlib.contextmanager
def reporting(generations: int, hand_tuned: str, *, quiet: bool) -> Iterator[Report]:
    """A function to call after each generation: it moves a bar in a terminal, else it prints a line now and then."""
    if quiet:
        yield lambda _: None
    elif in_terminal():
        with _bar(generations, hand_tuned) as report:
            yield report
    else:
        yield _Lines(generations, hand_tuned)


def show_outcome(outcome: Outcome) -> None:
    """The champion against each reference player, on deals that decided nothing, and the verdict on it."""
    measured = outcome.measured
    for warning in outcome.warnings:
        say(f"WARNING: {warning}")
    if measured is None:
        return
    against, match = next(iter(measured.held_out.items()))
    sides = "from both seats" if match.table is None else "from all sides"
    show(matches_table(measured.held_out), f"the champion on {match.deals:,} fresh deals, each played {sides}")
    if measured.fame:
        fame = {f"generation {generation}": result for generation, result in measured.fame.items()}
        show(matches_table(fame), "the champion against the hall of fame, on the same deals")
        say(beaten({name: result.win_rate_95 for name, result in fame.items()}))
    say(f"Elo against {against}: {signed(match.elo)}, 95 %: {elo_interval(match)}")
    say(flattery(measured))
    if measured.on_start is not None:
        say(measured.on_start.sentence)
    say(measured.verdict.sentence)


def flattery(measured: Measured) -> str:
    """How much training flattered the best player."""
    even = f"(even: {percent(measured.even)})"
    if measured.training is None or measured.gap is None:
        return f"held-out score {percent(measured.fresh)}, alone among copies of the last generation's players {even}"
    scores = f"{percent(measured.training)}, held-out {percent(measured.fresh)}"
    gap = f"a gap of {100 * measured.gap:.1f} points"
    if measured.alone:
        return f"training score {scores}, alone among copies of the same opponents {even}: {gap}"
    return f"training win rate {scores} against the same opponents: {gap}"


def as_data(outcome: Outcome, file: Path, run: Path) -> dict[str, Any]:
    """What a run bred and what fresh deals say of it, as plain data; None where nothing was measured."""
    return {
        "file": str(file),
        "run": str(run),
        "game": outcome.rules.game.name,
        "generations": outcome.generations,
        "games": outcome.games,
        "seed": outcome.settings.seed,
        "rules": outcome.rules.name,
        "warnings": list(outcome.warnings),
        "measured": outcome.measured and _measured_data(outcome.measured),
    }


def _measured_data(measured: Measured) -> dict[str, Any]:
    verdict, start = (one and dataclasses.asdict(one) for one in (measured.verdict, measured.on_start))
    return {
        "held_out": {name: result.summary() for name, result in measured.held_out.items()},
        "hall_of_fame": {str(generation): result.summary() for generation, result in measured.fame.items()},
        "training": measured.training,
        "fresh": measured.fresh,
        "even": measured.even,
        "gap": measured.gap,
        "verdict": verdict,
        "start_verdict": start,
    }


def beaten(win_rates_95: Mapping[str, tuple[float, float]]) -> str:
    """Which players the champion beats, by the ends of the 95 % intervals of its win rates, 0 to 1."""
    losing = [name for name, (_, high) in win_rates_95.items() if high < 0.5]
    unclear = [name for name, (low, high) in win_rates_95.items() if low <= 0.5 <= high]
    count = len(win_rates_95) - len(losing) - len(unclear)
    beaten = "every member" if count == len(win_rates_95) else f"{count} of {len(win_rates_95)} members"
    undecided = f"; undecided against {', '.join(unclear)}" if unclear else ""
    lost = f"; it loses to {', '.join(losing)}" if losing else ""
    return f"it beats {beaten}{undecided}{lost}"


def duration(seconds: float) -> str:
    """`45 s`, `3 min 20 s`, `2 h 5 min`."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


@contextlib.contextmanager
def _bar(generations: int, hand_tuned: str) -> Iterator[Report]:
    from rich.console import Group
    from rich.live import Live
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar
    from rich.text import Text

    time_left = TimeRemainingColumn(compact=True)
    standing = Text("playing the first generation")
    bar = Bar(TextColumn("generation"), MofNCompleteColumn(), BarColumn(), time_left, TextColumn("left"))
    task = bar.add_task("", total=generations)
    with Live(Group(bar, standing), console=terminal()):

        def report(progress: Progress) -> None:
            bar.update(task, completed=progress.generation)
            standing.plain = _standing(progress, hand_tuned)

        yield report


class _Lines:
    """Plain lines: the first generation, then one every few seconds, and the last."""

    def __init__(self, generations: int, hand_tuned: str) -> None:
        self.generations = generations
        self.hand_tuned = hand_tuned
        self.first = 0.0
        self.latest = -PAUSE

    def __call__(self, progress: Progress) -> None:
        now = time.monotonic()
        done = progress.generation
        total = self.generations
        self.first = self.first or now
        if now - self.latest < PAUSE and done != total:
            return
        self.latest = now
        # Without the first generation, which may include the time of the compiler.
        left = f"; {duration((now - self.first) / (done - 1) * (total - done))} left" if 1 < done < total else ""
        say(f"generation {done} of {total}: {_standing(progress, self.hand_tuned)}{left}")


def _standing(progress: Progress, hand_tuned: str) -> str:
    warnings = "".join(f"; WARNING: {warning}" for warning in progress.warnings)
    return (
        f"best {percent(progress.best)}, mean {percent(progress.mean)} against {hand_tuned}; "
        f"{progress.games_a_second:,.0f} games a second{warnings}"
    )


def watch(folder: Path, *, once: bool, wait: Callable[[float], None] = time.sleep) -> None:
    """Show a run until it is over: a table in a terminal, else a line for each generation.

    It only reads the log, so it may be started and stopped at any time. Raises UsageError for a folder without a log.
    """
    if not (folder / run_log.NAME).exists():
        raise UsageError(f"{folder}: expected the folder of a run, with a log; there is none")
    if once or not in_terminal():
        _follow_lines(folder, once=once, wait=wait)
        return
    from rich.live import Live

    with Live(console=terminal(), refresh_per_second=4) as live:
        while True:
            log = run_log.read(folder)
            live.update(log_table(log, folder), refresh=True)
            if over(log):
                return
            wait(READING_PAUSE)


def over(log: Log) -> bool:
    """Whether a run has ended, and was not resumed since."""
    return bool(log.events) and log.events[-1]["event"] == "end"


def log_table(log: Log, folder: Path) -> Table:
    """The latest generations of a log."""
    beginning = next((event for event in log.events if event["event"] == "begin"), None)
    against = beginning["hand_tuned"] if beginning else "the hand-tuned player"
    total = beginning["settings"]["generations"] if beginning else "?"
    lines = [event for event in log.events if event["event"] == "generation"][-SHOWN:]
    table = table_of((_cells(line) for line in lines), "")
    state = "over" if over(log) else "running or stopped: the log does not say which"
    table.caption = f"of {total}; best and mean against {against} on fresh deals; {state}"
    if log.damaged:
        table.caption += f"; warning: {log.warning(folder)}"
    return table


def _follow_lines(folder: Path, *, once: bool, wait: Callable[[float], None]) -> None:
    latest = damaged = 0
    while True:
        log = run_log.read(folder)
        if log.damaged > damaged:
            damaged = log.damaged
            say(f"warning: {log.warning(folder)}")
        for line in log.events:
            if line["event"] == "generation" and line["generation"] > latest:
                latest = line["generation"]
                cells = _cells(line)
                say(
                    f"generation {latest}: best {cells['best']} ({cells['95 %']}), mean {cells['mean']}, "
                    f"training {cells['training']}, spread {cells['spread']}; {cells['games a second']} games a second"
                    + "".join(f"; WARNING: {warning}" for warning in line["warnings"])
                )
        if once or over(log):
            return
        wait(READING_PAUSE)


def _cells(line: Mapping[str, Any]) -> dict[str, str]:
    """A generation of a log, for a table."""
    return {
        "generation": str(line["generation"]),
        "best": percent(line["best"]),
        "95 %": rate_interval(tuple(line["best_95"])),
        "mean": percent(line["mean"]),
        "training": percent(line["training"]),
        "spread": percent(line["metrics"]["spread"]),
        "games a second": f"{line['games_a_second']:,.0f}",
        "": f"WARNING: {'; '.join(line['warnings'])}" if line["warnings"] else "",
    }
