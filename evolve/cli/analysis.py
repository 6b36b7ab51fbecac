"""How an analysis runs: its seed and budget, the new file that it writes, and what Ctrl-C leaves of it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer
from typer.exceptions import TyperException

from rulebots.cli.completion import complete_player
from rulebots.cli.interrupts import Interrupts
from rulebots.cli.options import (
    games_option,
    named,
    rules_option,
    seconds_option,
    seed_option,
    whole,
    with_more,
)
from rulebots.cli.tables import TOO_FEW, ends
from rulebots.files import free_name, is_standard, refuse_unwritable
from rulebots.packages import origin_of_game
from rulebots.packages.named_code import origin_of

if TYPE_CHECKING:
    from evolve.analysis.ablation import Loss
    from rulebots.rules import RuleSet

T = TypeVar("T")
#: Seconds of a search by default.
SECONDS = 60.0

SearchSeed = Annotated[int, seed_option("That of the search.")]
BredRules = Annotated[
    str | None, rules_option("Its weights are bred.", default="that of the file, else the game's first")
]
Seconds = Annotated[float | None, seconds_option("Then the search ends.", default=f"{SECONDS:g}")]
Games = Annotated[
    int | None,
    games_option("Instead of --seconds: the search ends then, and the same command gives the same file.", 1, 10**9),
]


def start_option(more: str = "", *, default: str) -> Any:
    """`--from`."""
    meaning = "Begin with the players of a file, or with one: path.yaml#player."
    return named("FILE", with_more(meaning, more), "--from", default=default, autocompletion=complete_player)


def strategy_option(more: str = "", *, default: str) -> Any:
    """`--strategy`."""
    meaning = "The breeding strategy: memetic, ga, cma-es, or sheppard for Daniel Sheppard's scheme."
    return named("NAME", with_more(meaning, more), "--strategy", default=default)


def generations_option(more: str = "", low: int | None = None, high: int | None = None, *, default: str | bool) -> Any:
    """`--generations`."""
    return whole(with_more("Generations to breed.", more), low, high, default=default)


def population_option(low: int | None = None, high: int | None = None, *, default: str) -> Any:
    """`--population`."""
    return whole("Players in a generation.", low, high, default=default)


def opponent_deals_option(low: int | None = None, high: int | None = None, *, default: str) -> Any:
    """`--opponent-deals`."""
    meaning = "Deals of each player against each opponent in a generation, from every seat; few for a slow opponent."
    return whole(meaning, low, high, default=default)


def lessons_option(more: str = "", low: int | None = None, high: int | None = None, *, default: str | bool) -> Any:
    """`--lessons`."""
    return whole(
        with_more("Games of which one decision each is evaluated by rollouts.", more), low, high, default=default
    )


def rollouts_option(low: int | None = None, high: int | None = None, *, default: str | bool) -> Any:
    """`--rollouts`."""
    return whole("Rollouts of each move of such a decision.", low, high, default=default)


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
    """The flags by which a command finds a game and a rule set that are not installed: `--import keep.py:mine`."""
    game, found = origin_of_game(rules.game.name), origin_of(rules)
    return [*(["--game", game] if game else []), *(["--import", found.text] if found else [])]


def loss_interval(loss: Loss, decimals: int) -> str:
    """The 95 % interval of the win rate that is lost without a rule, in percent."""
    return TOO_FEW if loss.too_few else ends((100 * loss.low, 100 * loss.high), f".{decimals}f")


def loss_data(loss: Loss) -> dict[str, Any]:
    """The same as plain data, 0..1, with the verdict on it."""
    around = None if loss.too_few else [loss.low, loss.high]
    return {"loss": loss.mean, "loss_95": around, "against": loss.against, "verdict": loss.verdict}


def new_file(out: Path | None, default: str, what: str, *beside: str) -> Path:
    """The file to write, of the suffix of `default`; by default that name in this folder, or the first free one.

    Raises:
        BadParameter: another suffix; `what` says what was expected. OutputError: it, or a file of the same name with
            one of the suffixes `beside`, cannot be written.
    """
    target = out or free_name(Path(default))
    if is_standard(target):
        return target
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
