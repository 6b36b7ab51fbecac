"""`rulebots tournament`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rulebots.cli import options as opt
from rulebots.cli.commands import app
from rulebots.cli.completion import complete_player
from rulebots.cli.console import live_line, say, say_json, show
from rulebots.cli.tables import (
    TOO_FEW,
    amounts,
    cross_table,
    new_table,
    partners_table,
    percent,
    points_table,
    ratings_table,
)
from rulebots.files import refuse_unwritable, write_new
from rulebots.packages.named_code import runs_code

if TYPE_CHECKING:
    from rulebots.players import Player
    from rulebots.tournaments.cross_play import CrossPlay, Partners
    from rulebots.tournaments.ladder import Ladder
    from rulebots.tournaments.nash import Nash
    from rulebots.tournaments.standings import Meeting, Tournament

DEFAULT_DEALS = 1000


@app.with_examples(
    "rulebots tournament shelly risk dumb champion --deals 500",
    "rulebots tournament shelly risk dumb --ladder ladder.yaml --plot ladder.png --csv ladder.csv",
    "rulebots tournament --rerun ladder.yaml",
    "rulebots tournament shelly risk dumb --gauntlet first.yaml",
    "rulebots tournament shelly sheppard risk dumb random --swiss 3",
    "rulebots tournament standard bold cautious random --game cant-stop --option seats=3 --deals 20",
    group="Measure",
)
def tournament(
    players: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PLAYERS...", help="Names, path.yaml or path.yaml#player.", autocompletion=complete_player
        ),
    ] = None,
    game: opt.PlayersGame = None,
    swiss: Annotated[
        int | None,
        opt.whole("Swiss system: in each round neighbours in the standings meet.", 1, 1000, metavar="ROUNDS"),
    ] = None,
    challenger: Annotated[
        str | None,
        opt.named("PLAYER", "This player meets each of PLAYERS.", "--gauntlet", autocompletion=complete_player),
    ] = None,
    deals: Annotated[
        int | None,
        opt.deals_option("In each meeting.", default=str(DEFAULT_DEALS)),
    ] = None,
    seed: Annotated[int | None, opt.seed_option("It deals the games.", default="1")] = None,
    imports: opt.Imports = None,
    option: opt.OptionTexts = None,
    opening_plies: opt.OpeningPlies = None,
    jobs: opt.Jobs = None,
    move_seconds: opt.MoveSeconds = None,
    ladder: Annotated[
        Path | None, opt.file_written("Write the results, with all that is needed to play them again.")
    ] = None,
    rerun: Annotated[
        Path | None, opt.file_read("Play the tournament of a ladder file again, and report differences.")
    ] = None,
    csv: Annotated[Path | None, opt.file_written("Write ratings and cross table.")] = None,
    plot: Annotated[Path | None, opt.plot_option("It has the ratings, and the cross table as a heat map.")] = None,
    nash: Annotated[
        bool,
        opt.switch("--nash", "Also the mix of players that none of them beats, and cycles: A beats B beats C beats A."),
    ] = False,
    as_json: opt.AsJson = False,
) -> None:
    """Play a tournament, and rate the players.

    All players meet each other, unless --swiss or --gauntlet says otherwise. Ratings are Bradley-Terry ratings in
    Elo with a mean of 0, each with its 95 % interval. A draw, or a game that stalled, is half a win for both. An
    illegal or late move of a player loses its game; the report counts them.

    At more than two seats, as with --option seats=4, as many players meet at a table, and each deal is played with all
    of them in every seat. A game for all together has a table of points instead of ratings: who scores how much with
    whom.
    """
    threads, options = opt.jobs_of(jobs), opt.options_of(option)
    if swiss is not None and challenger is not None:
        raise typer.BadParameter("--swiss and --gauntlet each say who meets whom: give one of them")
    from rulebots.tournaments.picture import picture, picture_format

    ending = picture_format(plot)
    for path in (ladder, csv, plot):
        if path is not None:
            refuse_unwritable(path)
    former: Ladder | None = None
    if rerun is not None:
        given = (swiss, challenger, deals, seed, option, opening_plies)
        if any(value is not None and value != [] for value in given) or not all(map(runs_code, players or ())):
            raise typer.BadParameter(
                "--rerun plays what the file says: only FILE.py:NAME or program:COMMAND goes with it"
            )
        opt.bring(game, imports, players or ())
        from rulebots.tournaments.ladder import load_ladder
        from rulebots.tournaments.playing import contestants as contestants_of

        former = load_ladder(rerun)
        settings = dict(former.settings)
        contestants, specs = contestants_of(former, rerun)
    else:
        specs = [*([challenger] if challenger else []), *(p for p in players or () if p != challenger)]
        system = "gauntlet" if challenger else "swiss" if swiss else "round-robin"
        settings = {"system": system, "rounds": swiss, "deals": deals or DEFAULT_DEALS}
        settings |= {"seed": 1 if seed is None else seed, "options": options, "opening_plies": opening_plies}
        _, contestants = opt.players_of(specs, game, imports)
    if nash and settings["system"] != "round-robin":
        raise typer.BadParameter(
            f"--nash needs the win rates of all pairs, and not a tournament by {settings['system']}"
        )
    result, now = _play(contestants, specs, settings, threads, move_seconds, quiet=as_json, nash=nash)
    from rulebots.tournaments.cross_play import CrossPlay
    from rulebots.tournaments.ladder import ladder_text
    from rulebots.tournaments.nash import nash_of
    from rulebots.tournaments.standings import as_csv

    at = "" if result.seats == 2 else f", {result.seats} seat{'s' * (result.seats > 1)}"
    deals_seed = f"{settings['deals']:,} deals {{}}, seed {settings['seed']}"
    if isinstance(result, CrossPlay):
        how = "alone" if result.seats == 1 else "together"
        title = f"{result.game.title}{at}: {how}, {deals_seed.format('each')}"
        _show_points(result, title, settings, as_json=as_json)
    else:
        title = f"{result.game.title}{at}: {settings['system']}, {deals_seed.format('a meeting')}"
        _show(result, title, settings, nash_of(result) if nash else None, now.uneven, as_json=as_json)
    if ladder:
        write_new(ladder, ladder_text(now))
    if csv:
        write_new(csv, result.as_csv() if isinstance(result, CrossPlay) else as_csv(result))
    if plot:
        write_new(plot, picture(result, ending, title))
    if former:
        _hold_against(former, now, f"{rerun}", quiet=as_json)


def _hold_against(former: Ladder, now: Ladder, path: str, *, quiet: bool) -> None:
    """Say that a tournament gave the results of its ladder file. Raises LadderError where it did not."""
    from rulebots.tournaments.ladder import LadderError, differences

    if found := differences(former, now):
        alike = list(map(list, former.meetings)) == list(map(list, now.meetings))
        said = "gives the same results by other code" if alike else "gives other results"
        raise LadderError(f"{path} {said}: {'; '.join(found)}")
    if not quiet:
        say(f"{path}: every meeting has the same result")


def _play(
    players: list[Player],
    specs: list[str],
    settings: dict[str, Any],
    jobs: int,
    move_seconds: float | None,
    *,
    quiet: bool,
    nash: bool,
) -> tuple[Tournament | CrossPlay, Ladder]:
    """The tournament, and its ladder."""
    from rulebots.play.match import game_of
    from rulebots.players import named_apart
    from rulebots.tournaments.cross_play import Partners
    from rulebots.tournaments.ladder import contents, ladder_of
    from rulebots.tournaments.playing import play_settings

    if nash and players:
        game = game_of(players)
        seats = game.seats_with(game.option_values(settings["options"]))
        if seats != 2 or game.together(seats):
            raise typer.BadParameter("--nash is about who beats whom of two: leave it out, or play with two seats")
    hashes, names = contents(players), named_apart(specs)
    with live_line(quiet=quiet) as line:

        def watch(done: int, total: int, m: Meeting | Partners) -> None:
            if isinstance(m, Partners):
                games, said = m.games, f"{names[m.host]} with {names[m.guest]}: {amounts(m.mean)[0]} points"
            elif len(m.table) > 2:
                games, said = m.result.games, ", ".join(names[player] for player in m.table)
            else:
                rate = percent(m.result.win_rate)
                games, said = m.result.games, f"{names[m.first]} against {names[m.second]}: {rate}"
            line(done * games, f"{done} of {total} meetings: {said}")

        result = play_settings(players, settings, jobs, move_seconds=move_seconds, watch=watch)
    return result, ladder_of(result, specs, hashes, settings)


def _show(
    result: Tournament, title: str, settings: dict[str, Any], mix: Nash | None, uneven: str, *, as_json: bool
) -> None:
    """Tables, or one JSON object."""
    remarks = {"one_sided": result.ratings.one_sided, "connected": result.ratings.connected}
    if as_json:
        seats = {"seats": result.seats, "uneven": uneven} if result.seats > 2 else {}
        head = {"game": result.game.name, **settings, **seats, **remarks}
        more = {} if mix is None else {"nash": mix.summary()}
        say_json({**head, "players": result.rows(), "meetings": result.pairs(), **more})
        return

    show(ratings_table(result), title)
    show(cross_table(result), " ")
    if mix is not None:
        _show_mix(mix)
    if uneven:
        say(uneven)
    _say_faults(result)
    if remarks["one_sided"]:
        say(
            "One drawn deal was added to each pair: without it some players, who won or lost every game, "
            "have no finite rating."
        )
    if not remarks["connected"]:
        say("These pairings do not relate all players to each other: play more rounds.")


def _show_points(found: CrossPlay, title: str, settings: dict[str, Any], *, as_json: bool) -> None:
    """The tables of a game for all together, or one JSON object."""
    if as_json:
        head = {"game": found.game.name, **settings, "seats": found.seats}
        say_json({**head, "players": found.rows(), "meetings": found.pairs()})
        return

    show(points_table(found), title)
    if found.seats > 1:
        show(partners_table(found), " ")
    _say_faults(found)


def _say_faults(result: Tournament | CrossPlay) -> None:
    for row in result.rows():
        if row["faults"]:
            lost = f"{row['faults']:,} game{'s' * (row['faults'] > 1)}"
            say(f"{row['player']} lost {lost} by fault; the first: {row['first_fault']}")


def _show_mix(mix: Nash) -> None:
    """The Nash mix, the largest share first, and the cycles."""
    found = new_table({"player": False, "share": True, "95 %": True, "the mix wins": True})
    for i in sorted(range(len(mix.names)), key=lambda i: -mix.shares[i]):
        ends = TOO_FEW
        if mix.low is not None and mix.high is not None:
            ends = f"{100 * mix.low[i]:.0f} to {100 * mix.high[i]:.0f}"
        found.add_row(mix.names[i], percent(mix.shares[i]), ends, percent(mix.against[i]))
    show(found, "the Nash mix: a player drawn by these shares loses to none of them in the long run")
    for cycle in mix.cycles:
        say(f"a cycle: {' beats '.join(mix.names[i] for i in (*cycle, cycle[0]))}")
    unsure = mix.apparent - len(mix.cycles)
    if unsure:
        say(f"{unsure} more by the win rates alone: their intervals do not exclude one half")
    elif not mix.cycles:
        say("no cycles of three players")
