"""`evolve gate`: is a new version of a program better? For continuous integration."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from evolve.cli.commands import app
from evolve.cli.commands.tune import MatchCommand, Protocol, TimeLimit
from rulebots.cli import options as opt
from rulebots.cli.console import live_line, say, say_json
from rulebots.cli.interrupts import Interrupts
from rulebots.errors import UsageError

if TYPE_CHECKING:
    from evolve.tuning.matches import Match

#: Games at most by default.
GAMES = 10_000


@dataclass(frozen=True)
class GateFlags:
    """The versions, what plays, and the test."""

    base: Annotated[str, opt.option("The old version: what {second} stands for, a command or a file.", "TEXT")]
    head: Annotated[str, opt.option("The new version: what {first} stands for.", "TEXT")]
    match: MatchCommand = None
    game: Annotated[
        str | None, opt.shared("--game", "Instead of --match: the versions are its players.", default=False)
    ] = None
    option: opt.OptionTexts = None
    protocol: Protocol = "rulebots"
    sprt: Annotated[
        tuple[float, float],
        opt.option("Instead: test whether A is at least ELO1 stronger, or at most ELO0. A is the head.", "ELO0 ELO1"),
    ] = (0.0, 10.0)
    games: Annotated[int, opt.shared("--games", "At most.", 2, 10**9)] = GAMES
    seed: opt.Seed = 1
    time_limit: TimeLimit = None
    jobs: opt.Jobs = None
    as_json: opt.AsJson = False

    def contest(self) -> Match:
        """What plays. Raises UsageError."""
        from evolve.cli.commands.tune import Program
        from evolve.tuning.parameter_files import ParameterFile

        if self.match is None and self.game is None:
            raise UsageError("expected --match with a command that plays, or --game")
        command = None if self.match else self.head
        more = {"protocol": self.protocol, "time_limit": self.time_limit}
        program = Program(command, self.match, game=self.game, option=self.option, **more)  # type: ignore[arg-type]
        return program.contest(ParameterFile("", "", ()), [])


@app.with_examples(
    "evolve gate --match './play.sh {first} {second} {seed}' --base ./bot-main --head ./bot",
    "evolve gate --game kalah --base 'python3 old.py' --head 'python3 new.py' --sprt -10 0",
    group="Measure",
)
def gate(flags: GateFlags) -> None:
    """Test a new version of a program against the old one, for CI.

    Pairs of games with swapped seats are played until a sequential test has a verdict: exit code 0 if the head is
    stronger by ELO1, 1 if it is not, or if --games are not enough. A program that fails is exit code 1, too.
    """
    import numpy as np

    from evolve.tuning.matches import end_programs
    from evolve.tuning.run import SEEDS, play_or_fail
    from evolve.tuning.verdict import judged
    from evolve.workers import Workers
    from rulebots.game.random_numbers import rng_of
    from rulebots.ratings import Sprt

    match = flags.contest()
    test = Sprt(*flags.sprt)
    workers = Workers(opt.threads_of(flags.jobs))
    seed = int(rng_of(flags.seed).integers(SEEDS))
    points = list[float]()
    games = 0
    accepted = "undecided"
    with Interrupts() as interrupts, live_line(quiet=flags.as_json) as line:
        try:
            with interrupts.allowed():
                while accepted == "undecided" and games < flags.games:
                    block = max(4, 2 * workers.jobs, len(points) // 8)
                    tasks = [(flags.head, flags.base, seed + len(points) + i) for i in range(block)]
                    for played in workers.each(functools.partial(play_or_fail, match), tasks):
                        points.append(played.points)
                        games += played.games
                    scores, counts = np.unique([0.0, 1.0, *points], return_counts=True)
                    counts = counts - np.isin(scores, (0, 1))
                    accepted = test.verdict(counts, scores)
                    line(games, f"{games:,} games; log likelihood ratio {test.llr(counts, scores):.2f}")
        finally:
            end_programs()
    verdict = judged(np.array(points))
    if flags.as_json:
        say_json({"accepted": accepted, "games": games, "elo": verdict.gain, "elo_95": [verdict.low, verdict.high]})
    else:
        words = {
            "H1": f"passed: the head is stronger (H1, {test.elo1:+g} Elo or more)",
            "H0": f"failed: the head is not stronger (H0, {test.elo0:+g} Elo or less)",
            "undecided": "failed: undecided",
        }
        say(
            f"{words[accepted]}: {verdict.gain:+.0f} Elo ({verdict.low:+.0f} to {verdict.high:+.0f}) in {games:,} games"
        )
    raise typer.Exit(0 if accepted == "H1" else 1)
