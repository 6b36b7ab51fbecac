"""What a run prints: its progress, and a table at its end."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from rulebots.cli.console import in_terminal, say, show, terminal
from rulebots.cli.tables import elo_interval, matches_table, percent, signed

if TYPE_CHECKING:
    from evolve.evaluation.final import Outcome
    from evolve.monitoring.metrics import Progress

#: Seconds between two lines of progress where there is no terminal.
PAUSE = 2.0

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
    deals = match.games // 2
    show(matches_table(measured.held_out), f"the champion on {deals:,} fresh deals, each played from both seats")
    if measured.fame:
        fame = {f"generation {generation}": result for generation, result in measured.fame.items()}
        show(matches_table(fame), "the champion against the hall of fame, on the same deals")
        say(beaten({name: result.win_rate_95 for name, result in fame.items()}))
    say(f"Elo against {against}: {signed(match.elo)}, 95 %: {elo_interval(match)}")
    say(
        f"training win rate {percent(measured.training)}, held-out {percent(measured.fresh)} "
        f"against the same opponents: a gap of {100 * measured.gap:.1f} points"
    )
    if measured.on_start is not None:
        say(measured.on_start.sentence)
    say(measured.verdict.sentence)


def beaten(win_rates_95: Mapping[str, tuple[float, float]]) -> str:
    """Which players the champion beats, by the ends of the 95 % intervals of its win rates, 0 to 1."""
    losing = [name for name, (_, high) in win_rates_95.items() if high < 0.5]
    unclear = [name for name, (low, high) in win_rates_95.items() if low <= 0.5 <= high]
    count = len(win_rates_95) - len(losing) - len(unclear)
    said = [
        "it beats every member" if count == len(win_rates_95) else f"it beats {count} of {len(win_rates_95)} members"
    ]
    said += [f"undecided against {', '.join(unclear)}"] if unclear else []
    said += [f"it loses to {', '.join(losing)}"] if losing else []
    return "; ".join(said)


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
    console, standing = terminal(), Text("playing the first generation")
    bar = Bar(TextColumn("generation"), MofNCompleteColumn(), BarColumn(), time_left, TextColumn("left"))
    task = bar.add_task("", total=generations)
    with Live(Group(bar, standing), console=console):

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
        now, done, total = time.monotonic(), progress.generation, self.generations
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
