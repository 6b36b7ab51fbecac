"""Follow a run from its log, which another process may be writing."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evolve.storage import log as run_log
from evolve.storage.log import Log
from rulebots.cli.console import in_terminal, say, terminal
from rulebots.cli.tables import new_table, percent, rate_interval
from rulebots.errors import UsageError

if TYPE_CHECKING:
    from rich.table import Table

#: Seconds between two readings of the log.
PAUSE = 1.0
#: Generations that are shown.
SHOWN = 15


def watch(folder: Path, *, once: bool, wait: Callable[[float], None] = time.sleep) -> None:
    """Show a run until it is over: a table in a terminal, else a line for each generation.

    It only reads the log, so it may be started and stopped at any time. Raises UsageError for a folder without a log.
    """
    if not (folder / run_log.NAME).exists():
        raise UsageError(f"{folder}: expected the folder of a run, with a log; there is none")
    if once or not in_terminal():
        _lines(folder, once=once, wait=wait)
        return
    from rich.live import Live

    with Live(console=terminal(), refresh_per_second=4) as live:
        while True:
            log = run_log.read(folder)
            live.update(table(log, folder), refresh=True)
            if over(log):
                return
            wait(PAUSE)


def over(log: Log) -> bool:
    """Whether a run has ended, and was not resumed since."""
    return bool(log.events) and log.events[-1]["event"] == "end"


def table(log: Log, folder: Path) -> Table:
    """The latest generations of a log."""
    about = next((event for event in log.events if event["event"] == "begin"), None)
    against = about["hand_tuned"] if about else "the hand-tuned player"
    total = about["settings"]["generations"] if about else "?"
    names = ("best", "95 %", "mean", "training", "spread", "games a second")
    shown = new_table({"generation": True, **dict.fromkeys(names, True), "": False})
    for line in [event for event in log.events if event["event"] == "generation"][-SHOWN:]:
        shown.add_row(*_cells(line), f"WARNING: {'; '.join(line['warnings'])}" if line["warnings"] else "")
    state = "over" if over(log) else "running or stopped: the log does not say which"
    shown.caption = f"of {total}; best and mean against {against} on fresh deals; {state}"
    if log.damaged:
        shown.caption += f"; warning: {log.warning(folder)}"
    return shown


def _lines(folder: Path, *, once: bool, wait: Callable[[float], None]) -> None:
    latest = damaged = 0
    while True:
        log = run_log.read(folder)
        if log.damaged > damaged:
            damaged = log.damaged
            say(f"warning: {log.warning(folder)}")
        for line in log.events:
            if line["event"] == "generation" and line["generation"] > latest:
                latest = line["generation"]
                _, best, interval, mean, training, spread, speed = _cells(line)
                say(
                    f"generation {latest}: best {best} ({interval}), mean {mean}, training {training}, "
                    f"spread {spread}; {speed} games a second"
                    + "".join(f"; WARNING: {warning}" for warning in line["warnings"])
                )
        if once or over(log):
            return
        wait(PAUSE)


def _cells(line: dict[str, Any]) -> tuple[str, ...]:
    rates = (
        percent(line["best"]),
        rate_interval(tuple(line["best_95"])),
        percent(line["mean"]),
        percent(line["training"]),
    )
    return (str(line["generation"]), *rates, percent(line["metrics"]["spread"]), f"{line['games_a_second']:,.0f}")
