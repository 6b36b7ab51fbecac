"""A run in front of a person: progress, Ctrl-C, the file at its end."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from typer.exceptions import TyperException

from evolve.interrupts import Interrupts
from evolve.report import reporting, show_outcome
from evolve.save import save
from rulebots.console import say
from rulebots.kernel import cache_folder, compiling

if TYPE_CHECKING:
    from evolve.run import Run


def breed(run: Run, path: Path, *, quiet: bool) -> None:
    """Breed, run off, measure, save. Ctrl-C ends the step that it meets; what was bred is saved all the same.

    Raises:
        TyperException: interrupted; the message says after which generation, and where the file is.
        OutputError: the file cannot be written.
    """
    wanted, hand_tuned = run.settings.generations, run.hand_tuned.name
    interruption = ""
    with Interrupts() as interrupts:
        try:
            with interrupts.allowed():
                _all_generations(run, interrupts, quiet=quiet)
        except KeyboardInterrupt:
            done = run.breeder.generation
            interruption = f"interrupted after generation {done} of {wanted}"
            if done == 0:
                raise TyperException("interrupted before the first generation was over: nothing was saved") from None
            if not quiet:
                say(f"{interruption}; Ctrl-C again leaves out the run-off")
        finalists, held_out = run.candidates(), {}
        try:
            with interrupts.allowed():
                finalists = run.run_off()
                held_out = run.measure(finalists[0])
        except KeyboardInterrupt:
            interruption = interruption or "interrupted in the run-off"
        outcome = run.outcome(finalists, held_out)
        target = save(outcome, path)
        if not quiet:
            show_outcome(outcome)
        say(f"wrote {target}; play it: rulebots match {shlex.quote(str(target))} {hand_tuned}")
    if interruption:
        raise TyperException(f"{interruption}; what was bred so far is in {target}")


def _all_generations(run: Run, interrupts: Interrupts, *, quiet: bool) -> None:
    if not quiet:
        announce(run)
    with reporting(run.settings.generations, run.hand_tuned.name, quiet=quiet) as report:
        for progress in run.generations():
            report(progress)
            interrupts.check()


def announce(run: Run) -> None:
    """Say what will run, and that it has to be compiled first if so."""
    s = run.settings
    say(
        f"breeding {s.population} players of {run.game.title} from {len(run.rules.rules)} rules ('{run.rules.name}'), "
        f"{s.games_a_generation:,} games a generation"
    )
    if uncompiled(run):
        say("compiling these rules first: once, some seconds")


def uncompiled(run: Run) -> bool:
    """Whether machine code for the players of a run is still missing on disk."""
    from rulebots.loop import advancing

    folders = (cache_folder() / advancing(style).fingerprint for style in run.styles)
    return compiling() and not all(any(folder.rglob("*.nbc")) for folder in folders)
