"""`rulebots match`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rulebots.cli import options as opt
from rulebots.cli.commands import app
from rulebots.cli.completion import complete_player
from rulebots.cli.console import in_terminal, live_line, say, say_json, show
from rulebots.cli.tables import copies, match_table, percent, standing, table_table, verdict
from rulebots.files import refuse_unwritable, write_new
from rulebots.play import MOST_DEALS

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from rulebots.play.deals import Deals
    from rulebots.play.match import Enough, Sprt
    from rulebots.play.results import Games, MatchResult
    from rulebots.players import Player, PlayerFault

#: Deals of a match by default.
DEFAULT_DEALS = 1000


@app.with_examples(
    "rulebots match shelly dumb",
    "rulebots match champion.yaml shelly --deals 5000 --seed 7",
    "rulebots match champion.yaml champion.yaml#finalist_2 --json",
    "rulebots match champion.yaml champion --sprt 0 10",
    "rulebots match shelly risk --until 0.5%",
    "rulebots match shelly risk --option suits=6",
    "rulebots match shelly risk --deals 20 --record games.txt",
    group="Measure",
)
def match(
    a: Annotated[
        str,
        typer.Argument(
            metavar="A", help="A player: a name, path.yaml or path.yaml#player.", autocompletion=complete_player
        ),
    ],
    b: Annotated[
        str,
        typer.Argument(
            metavar="B", help="Its opponent; at a table of more than two, in copies.", autocompletion=complete_player
        ),
    ],
    others: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[C ...]", help="More players, one for each seat of a table.", autocompletion=complete_player
        ),
    ] = None,
    game: opt.PlayersGame = None,
    deals: Annotated[int | None, opt.deals_option("With --sprt at most as many.", default=str(DEFAULT_DEALS))] = None,
    seconds: Annotated[float | None, opt.seconds_option("Instead of --deals.", 0.01)] = None,
    until: Annotated[float | None, opt.share("Instead: play until the 95 % interval is +- X %.")] = None,
    sprt: Annotated[
        tuple[float, float] | None,
        opt.named("ELO0 ELO1", "Instead: test whether A is at least ELO1 stronger, or at most ELO0."),
    ] = None,
    alpha: Annotated[
        float | None, opt.decimal("With --sprt: the false-positive rate.", 0, 1, metavar="X", default="0.05")
    ] = None,
    beta: Annotated[
        float | None, opt.decimal("With --sprt: the false-negative rate.", 0, 1, metavar="X", default="0.05")
    ] = None,
    seed: opt.Seed = 1,
    imports: opt.Imports = None,
    option: opt.OptionTexts = None,
    opening_plies: opt.OpeningPlies = None,
    jobs: opt.Jobs = None,
    move_seconds: opt.MoveSeconds = None,
    record: Annotated[
        Path | None, opt.file_written("Write every game, move by move, to a new file: see `rulebots replay`.")
    ] = None,
    as_json: opt.AsJson = False,
) -> None:
    """Play a match between two players, or a table of more.

    It is reported from A's side. With more than two players it is a table of all of them.

    At a table of more than two, A plays alone in each seat among copies of B, and B among copies of A; in a game for
    all together, each with copies of itself. Several players play each deal in every order.

    The win rate counts a draw as half a win, and a stalled game (one that reached the limit of moves) as none.
    The 95 % intervals are over deals. Points, margin and the lines after them are means per game. An illegal or late
    move of a player ends the match; --record then has the games so far.
    """
    ends = {"--deals": deals, "--seconds": seconds, "--until": until, "--sprt": sprt}
    given = [flag for flag, value in ends.items() if value is not None]
    if len(given) > 1 and given != ["--deals", "--sprt"]:
        raise typer.BadParameter(f"{' and '.join(given)} each say when the match ends: give one of them")
    if sprt is None and (alpha is not None or beta is not None):
        raise typer.BadParameter("--alpha and --beta are the risks of a test: give --sprt ELO0 ELO1 too")
    if record is not None and given not in ([], ["--deals"]):
        raise typer.BadParameter(f"--record needs the number of games beforehand: give --deals, not {given[-1]}")
    setup: dict[str, Any] = {"seed": seed, "options": opt.options_of(option), "jobs": opt.jobs_of(jobs)}
    setup |= {"opening_plies": opening_plies, "move_seconds": move_seconds}
    if others:
        refuse = {"--seconds": seconds, "--until": until, "--sprt": sprt}
        opt.refuse(refuse, "is for two players: with more of them give --deals")
        _several([a, b, *others], game, imports, {"deals": deals or DEFAULT_DEALS, **setup}, record, as_json=as_json)
        return
    from rulebots.play.match import Sprt, decided, narrow, sprt_result, time_over, unless_repeating
    from rulebots.players import named_apart

    played, (first, second) = opt.players_of((a, b), game, imports)
    played.option_values(setup["options"])
    title, ending, more = f"{' against '.join(named_apart([a, b]))} at {played.title}: ", "", {}
    if record is not None:
        result = _recorded(first, second, deals or DEFAULT_DEALS, setup, record)
    elif given in ([], ["--deals"]):
        # Games are played in one go where nobody watches: that is fastest.
        result = _play(first, second, setup, None, deals or DEFAULT_DEALS, quiet=as_json or not in_terminal())
    else:
        test = None if sprt is None else Sprt(*sprt, *(0.05 if risk is None else risk for risk in (alpha, beta)))
        wanted = decided(test) if test else time_over(seconds) if seconds is not None else narrow(until or 0.0)
        enough = wanted if seconds is not None else unless_repeating(wanted)
        result = _play(first, second, setup, enough, deals or MOST_DEALS, test, quiet=as_json)
        if until is not None and not wanted(result):
            ending = f"no interval of +- {100 * until:g} % after {result.games:,} games{copies(result)}"
        if test:
            outcome = sprt_result(test, result)
            ending, more = verdict(outcome), {"sprt": outcome.summary()}
    if as_json:
        say_json({**result.summary(), **more})
        return

    show(match_table(result), f"{title}{result.deals:,} deals, seed {seed}")
    if ending:
        say(ending)


def _several(
    specs: list[str],
    game: str | None,
    imports: list[str] | None,
    setup: dict[str, Any],
    path: Path | None,
    *,
    as_json: bool,
) -> None:
    """Play a table of several players, and report what each made of it; with a path its games are written there."""
    from rulebots.play.match import play_table
    from rulebots.players import PlayerFault, name_of, named_apart
    from rulebots.records import record_of, record_text

    played, players = opt.players_of(specs, game, imports)
    names = named_apart(specs)

    def keep(drawn: Deals, schedule: npt.NDArray[np.int64], games: Games) -> None:
        of = tuple(named_apart([name_of(player) for player in players]))
        recorded = record_of(of, drawn, schedule, games, setup["seed"])
        if path is not None and recorded.games:
            write_new(path, record_text(recorded))

    if path is not None:
        refuse_unwritable(path)
    try:
        result = play_table(players, **setup, keep=None if path is None else keep)
    except PlayerFault as fault:
        if path is None:
            raise
        raise _with_games(fault, path) from fault
    if as_json:
        say_json({"players": names, **result.table_summary()})
        return
    even = f"even is {percent(1 / len(names))} of the tables"
    title = f"{played.title} at {len(names)} seats: {result.games:,} games on {result.deals:,} deals"
    show(table_table(names, result), f"{title}, seed {setup['seed']}; {even}")


def _play(
    first: Player,
    second: Player,
    setup: dict[str, Any],
    enough: Enough | None,
    most: int,
    test: Sprt | None = None,
    *,
    quiet: bool,
) -> MatchResult:
    """Play until it is enough, or that many deals, with a status line unless `quiet`."""
    from rulebots.play.match import OpenMatch, sprt_result

    match = OpenMatch(first, second, **setup)
    if enough is None and quiet:
        return match.play(most)
    with live_line(quiet=quiet) as line:

        def watch(r: MatchResult) -> None:
            line(r.games, standing(r, sprt_result(test, r) if test else None))

        return match.play_until(enough or (lambda _: False), most, watch)


def _recorded(first: Player, second: Player, deals: int, setup: dict[str, Any], path: Path) -> MatchResult:
    """A match of that many deals, whose games are written to a file."""
    from rulebots.players import PlayerFault
    from rulebots.records import play_recorded, record_text

    refuse_unwritable(path)
    try:
        result, games = play_recorded(
            first, second, deals, **setup, rescue=lambda games: write_new(path, record_text(games))
        )
    except PlayerFault as fault:
        raise _with_games(fault, path) from fault
    write_new(path, record_text(games))
    return result


def _with_games(fault: PlayerFault, path: Path) -> PlayerFault:
    """The same fault, which says where the games so far are."""
    so_far = f"; {'the games so far are in' if path.exists() else 'no move was made: there is no'} {path}"
    return type(fault)(f"{fault}{so_far}", fault.seat)
