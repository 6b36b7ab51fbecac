"""How an analysis runs: its seed and budget, the new file that it writes, and what Ctrl-C leaves of it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer
from typer.exceptions import TyperException

from rulebots.cli.interrupts import Interrupts
from rulebots.cli.options import decimal, named, whole
from rulebots.cli.tables import TOO_FEW, ends
from rulebots.files import free_name, refuse_unwritable
from rulebots.registry import origin_of_game
from rulebots.registry.named_code import origin_of

if TYPE_CHECKING:
    from evolve.analysis.ablation import Loss
    from rulebots.rules import RuleSet

T = TypeVar("T")
#: Seconds of a search by default.
SECONDS = 60.0

SearchSeed = Annotated[int, whole("The seed of the search.", 0)]
BredRules = Annotated[
    str | None,
    named(
        "SET", "The rule set, or FILE.py:NAME, as in `evolve run`.", default="that of the file, else the game's first"
    ),
]
Seconds = Annotated[float | None, decimal("The budget: seconds of search.", 0.1, 1_000_000, default=f"{SECONDS:g}")]
Games = Annotated[
    int | None, whole("The budget in games of the search instead: the same command then gives the same file.", 1, 10**9)
]


class Analysis(Interrupts):
    """`with Analysis() as analysis`: Ctrl-C ends the step that runs, and what was found by then is reported.

    `interrupted` says whether it came.
    """

    interrupted = False

    def each(self, steps: Iterable[T], tell: Callable[[T], None], nothing: Callable[[], str]) -> None:
        """Take the steps until Ctrl-C.

        Raises:
            TyperException: it came when there was no result yet; `nothing()` says so, and "" means that there is one.
        """
        try:
            with self.allowed():
                for step in steps:
                    tell(step)
                    self.check()
        except KeyboardInterrupt:
            self.interrupted = True
            if lost := nothing():
                raise TyperException(lost) from None

    @contextlib.contextmanager
    def or_nothing(self, lost: str) -> Iterator[None]:
        """A block without which there is no result. Raises TyperException, which says so, on Ctrl-C."""
        try:
            with self.allowed():
                yield
        except KeyboardInterrupt:
            raise TyperException(lost) from None


def custom_flags(rules: RuleSet) -> list[str]:
    """The flags by which a command finds a game and a rule set that are not installed: `--rules keep.py:mine`."""
    game, found = origin_of_game(rules.game.name), origin_of(rules)
    return [*(["--game", game] if game else []), *(["--rules", found.text] if found else [])]


def loss_interval(loss: Loss, decimals: int) -> str:
    """The 95 % interval of the win rate that is lost without a rule, in percent."""
    return TOO_FEW if loss.too_few else ends((100 * loss.low, 100 * loss.high), f".{decimals}f")


def new_file(out: Path | None, default: str, what: str, *beside: str) -> Path:
    """The file to write, of the suffix of `default`; by default that name in this folder, or the first free one.

    Raises:
        BadParameter: another suffix; `what` says what was expected. OutputError: it, or a file of the same name with
            one of the suffixes `beside`, cannot be written.
    """
    target = out or free_name(Path(default))
    suffixes = {".yaml", ".yml"} if default.endswith(".yaml") else {Path(default).suffix}
    if target.suffix not in suffixes or (".py" in suffixes and not target.stem.isidentifier()):
        raise typer.BadParameter(f"expected {what}, not '{target}'", param_hint="'--out'")
    for path in (target, *map(target.with_suffix, beside)):
        refuse_unwritable(path)
    return target


def budget_of(seconds: float | None, games: int | None) -> tuple[float | None, int | None]:
    """The budget of a search: seconds, by default SECONDS, or games. Raises BadParameter for both."""
    if seconds is not None and games is not None:
        raise typer.BadParameter("--seconds and --games are both the budget: give one of them")
    return (None, games) if games is not None else (seconds or SECONDS, None)
