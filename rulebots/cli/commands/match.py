"""`rulebots match`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from rulebots.cli import options as opt
from rulebots.cli.app import Interrupted
from rulebots.cli.commands import app
from rulebots.cli.console import in_terminal, live_line, say, say_json, show
from rulebots.cli.lookup import players_of
from rulebots.cli.tables import copies, match_table, percent, standing, table_table, verdict
from rulebots.errors import demand
from rulebots.files import refuse_unwritable, write_new
from rulebots.play import MOST_DEALS

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from rulebots.game import Game
    from rulebots.play.deals import Deals
    from rulebots.play.match import Enough
    from rulebots.play.results import Games, MatchResult
    from rulebots.players import Player
    from rulebots.ratings import Sprt
    from rulebots.records import Record

#: Deals of a match by default.
DEFAULT_DEALS = 1000


@dataclass(frozen=True)
class MatchFlags:
    """The players, when the match ends, and what is written."""

    a: Annotated[str, opt.argument("A", "A player: a name, path.yaml or path.yaml#player.")]
    b: Annotated[str, opt.argument("B", "Another player, the opponent; at larger tables, in copies.")]
    others: Annotated[list[str] | None, opt.argument("[C ...]", "More players, one for each seat of a table.")] = None
    game: opt.PlayedGame = None
    deals: Annotated[int | None, opt.shared("--deals", "With --sprt: at most.", default=str(DEFAULT_DEALS))] = None
    seconds: Annotated[float | None, opt.shared("--seconds", "Instead of --deals.", 0.01)] = None
    until: Annotated[float | None, opt.option("Instead: play until the 95 % interval is +- X %.", "X%")] = None
    sprt: Annotated[
        tuple[float, float] | None,
        opt.option("Instead: test whether A is at least ELO1 stronger, or at most ELO0.", "ELO0 ELO1"),
    ] = None
    alpha: Annotated[
        float | None, opt.decimal("With --sprt: the false-positive rate.", 0, 1, value="X", default="0.05")
    ] = None
    beta: Annotated[
        float | None, opt.decimal("With --sprt: the false-negative rate.", 0, 1, value="X", default="0.05")
    ] = None
    seed: opt.Seed = 1
    imports: opt.Imports = None
    move_seconds: opt.MoveSeconds = None
    record: Annotated[
        Path | None, opt.file_written("Write every game, move by move, to a new file: see `rulebots replay`.")
    ] = None
    as_json: opt.AsJson = False

    @property
    def ends(self) -> dict[str, object]:
        """What says when the match ends, by its flag."""
        ends = {"--deals": self.deals, "--seconds": self.seconds, "--until": self.until, "--sprt": self.sprt}
        return {flag: value for flag, value in ends.items() if value is not None}

    @property
    def planned(self) -> int | None:
        """The number of deals, where it is known beforehand."""
        return (self.deals or DEFAULT_DEALS) if self.ends.keys() <= {"--deals"} else None

    @property
    def test(self) -> Sprt | None:
        """The test that ends the match."""
        from rulebots.ratings import Sprt

        risks = (0.05 if risk is None else risk for risk in (self.alpha, self.beta))
        return None if self.sprt is None else Sprt(*self.sprt, *risks)

    def check(self) -> None:
        """Raise UsageError for flags that contradict each other."""
        ends = list(self.ends)
        if ends != ["--deals", "--sprt"]:
            opt.at_most_one(self.ends, "when the match ends")
        demand(
            self.sprt or (self.alpha, self.beta) == (None, None),
            "--alpha and --beta are the risks of a test: give --sprt ELO0 ELO1 too",
        )
        what = "a table of three or more" if self.others else "--record" if self.record else ""
        last = [end for end in ends if what and end != "--deals"][-1:]
        demand(not last, f"{what} needs the number of deals beforehand: give --deals, not {''.join(last)}")


@app.with_examples(
    "rulebots match champion random",
    "rulebots match kalah champion standard",
    "rulebots match champion.yaml shelly --deals 5000 --seed 7",
    "rulebots match champion.yaml champion.yaml#finalist_2 --json",
    "rulebots match champion.yaml champion --sprt 0 10",
    "rulebots match shelly risk --until 0.5% --option suits=6",
    "rulebots match shelly risk --deals 20 --record games.txt",
    group="Measure",
)
def match(flags: MatchFlags, setup: opt.Setup) -> None:
    """Play a match between two players, or a table of more.

    Results are from A's point of view. A draw counts as half a win, a stalled game (one that reached the limit of
    moves) as none. The 95 % intervals are over deals; points, margin and the lines after them are means per game.

    At three or more seats, A plays alone in each seat among copies of B, and B among copies of A; in a cooperative
    game, each with copies of itself. Three or more players share one table, and play each deal in every order.

    Options of the game default to those that the players of the first file were bred with.

    An illegal or late move ends the match, and --record has the games so far. After Ctrl-C the table has them too.
    """
    flags.check()
    specs = [flags.a, flags.b, *(flags.others or ())]
    arguments = setup.arguments() | {"seed": flags.seed, "move_seconds": flags.move_seconds}
    seats = {"seats": len(specs)} if len(specs) > 2 else {}  # players that share one table set them
    game, players, options = players_of(specs, flags.game, flags.imports, seats | arguments["options"])
    arguments["options"] = arguments["options"] | {name: n for name, n in options.items() if name not in seats}
    game.option_values(arguments["options"])
    if flags.record:
        refuse_unwritable(flags.record)
    from rulebots.play.match import PlayInterrupted
    from rulebots.players import PlayerFault, named_apart

    interruption = ""
    try:
        result = (_play_table if len(players) > 2 else _play_match)(players, flags, arguments)
    except PlayerFault as fault:
        where = "" if flags.record is None else f"; {_recorded(flags.record)}"
        raise type(fault)(f"{fault}{where}", fault.seat) from fault
    except PlayInterrupted as interrupt:
        if interrupt.result is None:
            raise Interrupted("interrupted before the first deal was over: there is nothing to show") from None
        result = interrupt.result
        interruption = f"interrupted after {_games(result, flags)}"
    (_report_table if len(players) > 2 else _report_match)(named_apart(specs), game, result, flags, interruption)
    if interruption:
        raise Interrupted(f"{interruption}{'' if flags.record is None else f'; {_recorded(flags.record)}'}")


def _games(result: MatchResult, flags: MatchFlags) -> str:
    """`1,234 of 2,000 games`, where it is known how many were to be played."""
    return f"{result.games:,}{f' of {flags.planned * result.games // result.deals:,}' if flags.planned else ''} games"


def _report_match(names: Sequence[str], game: Game, result: MatchResult, flags: MatchFlags, interruption: str) -> None:
    from rulebots.play.match import narrow, sprt_result

    outcome = None if flags.test is None else sprt_result(flags.test, result)
    if flags.as_json:
        more = {} if outcome is None else {"sprt": outcome.summary()}
        say_json({**result.summary(), **more, **({"interrupted": True} if interruption else {})})
        return
    title = f"{' against '.join(names)} at {game.title}: {result.deals:,} deals, seed {flags.seed}"
    show(match_table(result), ", ".join(filter(None, [title, interruption])))
    if outcome:
        say(verdict(outcome))
    if flags.until is not None and not narrow(flags.until)(result):
        say(f"no interval of +- {100 * flags.until:g} % after {result.games:,} games{copies(result)}")


def _report_table(names: Sequence[str], game: Game, result: MatchResult, flags: MatchFlags, interruption: str) -> None:
    if flags.as_json:
        say_json({"players": names, **result.table_summary(), **({"interrupted": True} if interruption else {})})
        return
    title = (
        f"{game.title} at {len(names)} seats: {result.games:,} games on {result.deals:,} deals, seed {flags.seed}; "
        f"even is {percent(1 / len(names))} of the tables"
    )
    show(table_table(names, result), ", ".join(filter(None, [title, interruption])))


def _play_match(players: Sequence[Player], flags: MatchFlags, arguments: dict[str, Any]) -> MatchResult:
    from rulebots.play.match import OpenMatch, decided, narrow, sprt_result, time_over, unless_repeating
    from rulebots.records import play_recorded, record_text

    first, second = players
    path = flags.record
    if path:
        deals = flags.deals or DEFAULT_DEALS
        rescue: Callable[[Record], object] = lambda games: write_new(path, record_text(games))  # noqa: E731 - its path
        result, record = play_recorded(first, second, deals, **arguments, rescue=rescue)
        rescue(record)
        return result
    test = flags.test
    enough: Enough = lambda _: False  # noqa: E731 - no flag says when
    if test:
        enough = unless_repeating(decided(test))
    elif flags.until is not None:
        enough = unless_repeating(narrow(flags.until))
    elif flags.seconds is not None:
        enough = time_over(flags.seconds)
    unwatched = flags.planned is not None and not in_terminal()
    with live_line(quiet=flags.as_json or unwatched) as line:

        def watch(result: MatchResult) -> None:
            line(result.games, standing(result, sprt_result(test, result) if test else None))

        deals = flags.planned or flags.deals or MOST_DEALS
        return OpenMatch(first, second, **arguments).play_until(enough, deals, watch)


def _play_table(players: Sequence[Player], flags: MatchFlags, arguments: dict[str, Any]) -> MatchResult:
    from rulebots.play.match import play_table
    from rulebots.players import name_of, named_apart
    from rulebots.records import record_of, record_text

    path = flags.record

    def keep(drawn: Deals, schedule: npt.NDArray[np.int64], games: Games) -> None:
        names = tuple(named_apart([name_of(player) for player in players]))
        recorded = record_of(names, drawn, schedule, games, flags.seed)
        if path and recorded.games:
            write_new(path, record_text(recorded))

    return play_table(players, **arguments, deals=flags.deals or DEFAULT_DEALS, keep=None if path is None else keep)


def _recorded(path: Path) -> str:
    return f"the games so far are in {path}" if path.exists() else f"{path} was not written"
