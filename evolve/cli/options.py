"""The options that several commands of `evolve` share."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from evolve.settings import Settings
from rulebots.cli.app import Interrupted
from rulebots.cli.console import complain
from rulebots.cli.interrupts import Interrupts
from rulebots.cli.lookup import game_name
from rulebots.cli.options import (
    AsJson,
    Imports,
    argument,
    at_most_one,
    named_path,
    option,
    setting_option,
    shared,
    switch,
)
from rulebots.cli.tables import TOO_FEW, ends
from rulebots.errors import FileError, demand
from rulebots.files import free_name, is_standard, refuse_unwritable
from rulebots.packages import game_names, origin_of_game
from rulebots.packages.named_code import origin_of

if TYPE_CHECKING:
    from evolve.analysis.ablation import Loss
    from rulebots.game import Game
    from rulebots.rules import RuleSet

#: Seconds of a search by default.
SECONDS = 60.0
#: The most seconds of a run, and what a letter after a number of them means.
MOST_SECONDS = 30 * 86_400
UNITS = {"": 1, "s": 1, "m": 60, "h": 3600}

RunDir = Annotated[
    Path | None,
    argument(
        "[DIR]",
        "The folder of a run, or a game: the latest run of it in runs/; without it the latest of all.",
        read=named_path,
    ),
]
SearchSeed = Annotated[int, shared("--seed", "That of the search.")]
BredRules = Annotated[str | None, setting_option(Settings, "rules", default="that of the file, else the game's first")]
Seconds = Annotated[float | None, shared("--seconds", "Then the search ends.", default=f"{SECONDS:g}")]
Games = Annotated[
    int | None,
    shared(
        "--games", "Instead of --seconds: the search ends then, and the same command gives the same file.", high=10**9
    ),
]
Backend = Annotated[
    str | None,
    option(
        "What plays the games: threads, or processes by loky, dask or ray.",
        "NAME",
        default="threads; loky for games of Python objects",
    ),
]
Address = Annotated[
    str | None, option("With dask or ray: a scheduler or cluster that is already running.", "HOST:PORT")
]
Quiet = Annotated[bool, switch("--quiet", "-q", "Print only the path of the result.")]
T = TypeVar("T")


def run_dir(named: Path | None) -> Path:
    """The folder of the run that is named, else of the latest below `runs/`, of the game named, which a line says.

    Raises:
        UsageError: there is none.
    """
    from evolve.storage.folder import latest_run

    if named and named.is_dir():
        return named
    game = "" if named is None else game_name(str(named))
    demand(
        not game or game in game_names(),
        f"{named}: expected the folder of a run, such as `evolve run` makes",
        FileError,
    )
    latest = latest_run(game)
    complain(f"the latest run{' of ' * bool(game)}{game}: {latest}")
    return latest


def read_time(text: str) -> float:
    """`20m`, `90s`, `1.5h` or seconds as seconds. Raises UsageError for anything else."""
    match = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,3})?)([smh]?)", text)
    seconds = float(match[1]) * UNITS[match[2]] if match else 0.0
    demand(0 < seconds <= MOST_SECONDS, f"expected a time such as 20m, 90s or 1.5h, up to 30 days, not '{text}'")
    return seconds


def time_option(more: str, default: str | bool) -> Any:
    """The time that a run may take, and what one command does with it."""
    return option(f"What the run may take, such as 20m. {more}", "TIME", "--time", read=read_time, default=default)


@dataclass(frozen=True)
class Execution:
    """How a run is executed, begun or resumed: nothing here changes its result."""

    imports: Imports = None
    drop_missing: Annotated[bool, switch("--drop-missing", "Leave out rules that the rule set no longer has.")] = False
    backend: Backend = None
    address: Address = None
    tensorboard: Annotated[bool, switch("--tensorboard", "Write event files for TensorBoard into DIR as well.")] = False
    quiet: Quiet = False
    as_json: AsJson = False


class Analysis(Interrupts):
    """`with Analysis() as analysis`: Ctrl-C ends the current step, and the results so far are reported.

    `interrupted` says whether it came.
    """

    interrupted = False

    def each(self, steps: Iterable[T], tell: Callable[[T], None], nothing: str = "") -> T:
        """Take the steps until Ctrl-C; gives the last one.

        Raises:
            Interrupted: it came before the first step was done; `nothing` says so, and is "" where that is no matter.
        """
        last: Any = None
        try:
            with self.allowed():
                for last in steps:
                    tell(last)
                    self.check()
        except KeyboardInterrupt:
            self.interrupted = True
            if last is None and nothing:
                raise Interrupted(nothing) from None
        return last


def custom_flags(rules: RuleSet, options: Mapping[str, int] | None = None) -> list[str]:
    """The flags by which a command finds a game and a rule set that are not installed, and options of the game."""
    from evolve.storage.result import words_of

    game = origin_of_game(rules.game.name)
    code = origin_of(rules)
    words = [*(["--game", game] if game else []), *(["--import", code.text] if code else [])]
    return [*words, *words_of({"options": options or {}})]


def to_try(target: Path, opponent: str, flags: Sequence[str], game: Game) -> str:
    """The commands that measure the player in a new file, and that let a person play it, each on its line.

    `flags` are those of `custom_flags`; the options of the game are in the file.
    """
    match = shlex.join(["rulebots", "match", str(target), opponent, *flags])
    code = flags[flags.index("--import") :][:2] if "--import" in flags else []
    place = origin_of_game(game.name) or game.name
    play = shlex.join(["rulebots", "play", place, "--against", str(target), *code])
    return f"measure it: {match}\nplay against it: {play}"


def loss_cells(loss: Loss, decimals: int) -> dict[str, str]:
    """The change of win rate without a rule, in percent, and its 95 % interval, as cells of a table."""
    return {
        "change": f"{0 - 100 * loss.mean:+.{decimals}f} %",
        "95 %": TOO_FEW if loss.too_few else ends((-100 * loss.high, -100 * loss.low), f"+.{decimals}f"),
    }


def loss_data(loss: Loss) -> dict[str, Any]:
    """The loss as plain data, 0..1, with the verdict on it."""
    return {
        "loss": loss.mean,
        "loss_95": None if loss.too_few else [loss.low, loss.high],
        "against": loss.against,
        "verdict": loss.verdict,
    }


def new_file(out: Path | None, default: str, *beside: str) -> Path:
    """The players' file to write: by default that name in this folder, or the first free one.

    Raises:
        UsageError: another suffix. OutputError: it, or a file of the same name with one of the suffixes `beside`,
            cannot be written.
    """
    target = out or free_name(Path(default))
    if is_standard(target):
        return target
    demand(
        target.suffix in {".yaml", ".yml"}, f"--out: expected the name of a players' file, FILE.yaml, not '{target}'"
    )
    for path in (target, *map(target.with_suffix, beside)):
        refuse_unwritable(path)
    return target


def budget_of(seconds: float | None, games: int | None) -> tuple[float | None, int | None]:
    """The budget of a search: seconds, by default SECONDS, or games. Raises UsageError for both."""
    at_most_one({"--seconds": seconds, "--games": games}, "when the search ends")
    return (None, games) if games is not None else (seconds or SECONDS, None)
