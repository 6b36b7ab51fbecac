"""`rulebots tournament`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from rulebots.cli import options as opt
from rulebots.cli.app import Interrupted
from rulebots.cli.commands import app
from rulebots.cli.console import live_line, say, say_json, show
from rulebots.cli.lookup import bring, players_of
from rulebots.cli.tables import (
    TOO_FEW,
    counted,
    cross_table,
    partners_table,
    percent,
    points_table,
    ratings_table,
    table_of,
)
from rulebots.errors import demand, did_you_mean, listed
from rulebots.files import refuse_unwritable, write_new
from rulebots.packages import game_names, load_game, package_of
from rulebots.packages.named_code import runs_code

if TYPE_CHECKING:
    from rulebots.players import Player
    from rulebots.tournaments.cross_play import CrossPlay
    from rulebots.tournaments.ladder import Ladder
    from rulebots.tournaments.nash import Nash
    from rulebots.tournaments.tournament import Tournament

DEFAULT_DEALS = 1000


@dataclass(frozen=True)
class TournamentFlags:
    """Who meets whom, and what is written."""

    players: Annotated[list[str] | None, opt.argument("PLAYERS...", "Names, path.yaml or path.yaml#player.")] = None
    game: opt.PlayedGame = None
    swiss: Annotated[
        int | None, opt.whole("Swiss system: in each round neighbours in the standings meet.", 1, 1000, value="ROUNDS")
    ] = None
    challenger: Annotated[str | None, opt.option("This player meets each of PLAYERS.", "PLAYER", "--gauntlet")] = None
    deals: Annotated[int | None, opt.shared("--deals", "In each meeting.", default=str(DEFAULT_DEALS))] = None
    seed: Annotated[int | None, opt.shared("--seed", "It deals the games.", default="1")] = None
    imports: opt.Imports = None
    move_seconds: opt.MoveSeconds = None
    ladder: Annotated[
        Path | None, opt.file_written("Write the results, with all that is needed to play them again.")
    ] = None
    rerun: Annotated[
        Path | None, opt.file_read("Play the tournament of a ladder file again, and report differences.")
    ] = None
    csv: Annotated[Path | None, opt.file_written("Write ratings and cross table.")] = None
    plot: Annotated[Path | None, opt.shared("--plot", "It has the ratings, and the cross table as a heat map.")] = None
    nash: Annotated[
        bool,
        opt.switch("--nash", "Also the mix of players that none of them beats, and cycles: A beats B beats C beats A."),
    ] = False
    as_json: opt.AsJson = False


@app.with_examples(
    "rulebots tournament kalah",
    "rulebots tournament shelly risk dumb champion --deals 500",
    "rulebots tournament shelly risk dumb --ladder ladder.yaml --plot ladder.png --csv ladder.csv",
    "rulebots tournament --rerun ladder.yaml",
    "rulebots tournament shelly risk dumb --gauntlet first.yaml",
    "rulebots tournament shelly sheppard risk dumb random --swiss 3",
    "rulebots tournament standard bold cautious random --game cant-stop --option seats=3 --deals 20",
    group="Measure",
)
def tournament(flags: TournamentFlags, setup: opt.Setup) -> None:
    """Play a tournament, and rate the players.

    Without PLAYERS, a game's reference players and its champion meet. All players meet each other, unless --swiss or
    --gauntlet says otherwise. Ratings are Bradley-Terry ratings in Elo with a mean of 0. A draw or a stalled game is
    half a win for both. An illegal or late move loses the game; the report counts them.

    With --option seats=4, four players sit at each table, and each deal is played with all of them in every seat. A
    cooperative game has a table of points by partner instead of ratings.

    Options of the game default to those that the players of the first file were bred with.

    Ctrl-C shows the ratings of the meetings so far; files are only written of a whole tournament.
    """
    opt.at_most_one({"--swiss": flags.swiss, "--gauntlet": flags.challenger}, "who meets whom")
    from rulebots.tournaments.cross_play import CrossPlay
    from rulebots.tournaments.ladder import check_room, contestants, ladder_text, load_ladder
    from rulebots.tournaments.picture import picture, picture_format

    ending = picture_format(flags.plot)
    for path in (flags.ladder, flags.csv, flags.plot):
        if path:
            refuse_unwritable(path)
    before: Ladder | None = None
    if flags.rerun is None:
        specs, settings = _planned(flags, setup)
        _, players, settings["options"] = players_of(specs, flags.game, flags.imports, setup.options)
    else:
        _check_rerun(flags, setup)
        before = load_ladder(flags.rerun)
        settings = dict(before.settings)
        players, specs = contestants(before, flags.rerun)
    if flags.nash and players:
        _check_nash(players, settings)
    if flags.ladder:
        check_room(players, specs, settings)
    result, now, interruption = _played(players, specs, settings, flags, setup)
    title = ", ".join(filter(None, [_title(result, settings), interruption]))
    told = {**settings, **({"interrupted": True} if interruption else {})}
    if isinstance(result, CrossPlay):
        _show_points(result, title, told, as_json=flags.as_json)
    else:
        _show_ratings(result, title, told, flags, now)
    if now is None:
        unwritten = [str(path) for path in (flags.ladder, flags.csv, flags.plot) if path]
        raise Interrupted(f"{interruption}{f'; not written: {listed(unwritten)}' if unwritten else ''}")
    if flags.ladder:
        write_new(flags.ladder, ladder_text(now))
    if flags.csv:
        write_new(flags.csv, result.as_csv())
    if flags.plot:
        write_new(flags.plot, picture(result, ending, title))
    if before:
        _compare(before, now, f"{flags.rerun}", quiet=flags.as_json)


def _played(
    players: Sequence[Player], specs: Sequence[str], settings: dict[str, Any], flags: TournamentFlags, setup: opt.Setup
) -> tuple[Tournament | CrossPlay, Ladder | None, str]:
    """The result with its ladder; after Ctrl-C that of the meetings so far, without a ladder, and how many they are.

    Raises:
        Interrupted: there is no result yet.
    """
    from rulebots.play.match import PlayInterrupted
    from rulebots.tournaments.cross_play import Partners
    from rulebots.tournaments.ladder import play_ladder

    progress = ""
    with live_line(quiet=flags.as_json) as line:

        def watch(done: int, total: int, meeting: Any) -> None:
            nonlocal progress
            progress = f"{done} of {total} meetings"
            games = meeting.games if isinstance(meeting, Partners) else meeting.result.games
            line(done * games, progress)

        try:
            played = play_ladder(players, specs, settings, setup.threads, move_seconds=flags.move_seconds, watch=watch)
        except PlayInterrupted as interrupt:
            if interrupt.result is None:
                raise Interrupted("interrupted in the first meeting: there is nothing to show") from None
            return interrupt.result, None, f"interrupted after {progress}"
    return *played, ""


def _planned(flags: TournamentFlags, setup: opt.Setup) -> tuple[list[str], dict[str, Any]]:
    names = flags.players or []
    challenger = [flags.challenger] if flags.challenger else []
    if flags.game is not None and not names:
        from rulebots.packages.players import champion_of

        game = load_game(flags.game)
        names = list(dict.fromkeys([*package_of(game).references, champion_of(game)]))
    hint = did_you_mean(names[0], game_names()) if names else ""
    demand(
        names[1:] or (names and challenger),
        f"expected a game or at least 2 players, not {len(names)}{hint or '.'} For example: rulebots tournament kalah",
    )
    return [*challenger, *(name for name in names if name not in challenger)], {
        "system": "gauntlet" if flags.challenger else "swiss" if flags.swiss else "round-robin",
        "rounds": flags.swiss,
        "deals": flags.deals or DEFAULT_DEALS,
        "seed": 1 if flags.seed is None else flags.seed,
        "options": setup.options,
        "opening_plies": setup.opening_plies,
    }


def _check_rerun(flags: TournamentFlags, setup: opt.Setup) -> None:
    """Bring the code that goes with a rerun. Raises UsageError for all that the file says."""
    values = (flags.swiss, flags.challenger, flags.deals, flags.seed, setup.option, setup.opening_plies)
    names = flags.players or []
    demand(
        all(value in (None, []) for value in values) and all(map(runs_code, names)),
        "--rerun plays what the file says: only FILE.py:NAME or program:COMMAND goes with it",
    )
    bring(flags.game, flags.imports, names)


def _check_nash(players: Sequence[Player], settings: dict[str, Any]) -> None:
    """Raise UsageError where there is no Nash mix: it needs the win rates of all pairs."""
    from rulebots.play.match import game_of

    game = game_of(players)
    seats = game.seats_with(game.option_values(settings["options"]))
    demand(
        settings["system"] == "round-robin" and seats == 2 and not game.together(seats),
        "--nash needs the win rates of all pairs: a round robin of two players at a table",
    )


def _compare(before: Ladder, now: Ladder, path: str, *, quiet: bool) -> None:
    """Say that a tournament gave the results of its ladder file. Raises LadderError where it did not."""
    from rulebots.tournaments.ladder import LadderError, differences

    if changes := differences(before, now):
        alike = list(map(list, before.meetings)) == list(map(list, now.meetings))
        words = "gives the same results by other code" if alike else "gives other results"
        raise LadderError(f"{path} {words}: {'; '.join(changes)}")
    if not quiet:
        say(f"{path}: every meeting has the same result")


def _title(result: Tournament | CrossPlay, settings: dict[str, Any]) -> str:
    from rulebots.tournaments.cross_play import CrossPlay

    seats = "" if result.seats == 2 else f", {counted(result.seats, 'seat')}"
    how = f"{settings['system']}, {settings['deals']:,} deals a meeting"
    if isinstance(result, CrossPlay):
        how = f"{'alone' if result.seats == 1 else 'together'}, {settings['deals']:,} deals each"
    return f"{result.game.title}{seats}: {how}, seed {settings['seed']}"


def _show_ratings(
    result: Tournament, title: str, settings: dict[str, Any], flags: TournamentFlags, ladder: Ladder | None
) -> None:
    """`ladder` is None where the tournament was interrupted: then some pairs have not met."""
    from rulebots.tournaments.nash import nash_of

    mix = nash_of(result) if flags.nash and ladder else None
    uneven = ladder.uneven if ladder else ""
    ratings = result.ratings
    if flags.as_json:
        say_json(
            {
                "game": result.game.name,
                **settings,
                **({"seats": result.seats, "uneven": uneven} if result.seats > 2 else {}),
                "one_sided": ratings.one_sided,
                "connected": ratings.connected,
                "players": result.rows(),
                "meetings": result.pairs(),
                **({} if mix is None else {"nash": mix.summary()}),
            }
        )
        return
    show(ratings_table(result), title)
    show(cross_table(result), " ")
    if mix is not None:
        _show_mix(mix)
    if uneven:
        say(uneven)
    _say_faults(result)
    if all(result.unrated):
        say("Every game stalled: nothing can be said about who is stronger.")
        return
    if ratings.one_sided:
        say(
            "One drawn deal was added to each pair: without it some players, who won or lost every game, "
            "have no finite rating."
        )
    if not ratings.connected:
        say("These pairings do not relate all players to each other: play more rounds.")


def _show_points(result: CrossPlay, title: str, settings: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        say_json(
            {
                "game": result.game.name,
                **settings,
                "seats": result.seats,
                "players": result.rows(),
                "meetings": result.pairs(),
            }
        )
        return
    show(points_table(result), title)
    if result.seats > 1:
        show(partners_table(result), " ")
    _say_faults(result)


def _say_faults(result: Tournament | CrossPlay) -> None:
    for row in result.rows():
        if row["faults"]:
            say(f"{row['player']} lost {counted(row['faults'], 'game')} by fault; the first: {row['first_fault']}")


def _show_mix(mix: Nash) -> None:
    rows = []
    for i in sorted(range(len(mix.names)), key=lambda i: -mix.shares[i]):
        ends = mix.interval(i)
        interval = TOO_FEW if ends is None else f"{100 * ends[0]:.0f} to {100 * ends[1]:.0f}"
        rows.append(
            {
                "player": mix.names[i],
                "share": percent(mix.shares[i]),
                "95 %": interval,
                "the mix wins": percent(mix.against[i]),
            }
        )
    show(table_of(rows, "player"), "the Nash mix: a player drawn by these shares loses to none of them in the long run")
    for cycle in mix.cycles:
        say(f"a cycle: {' beats '.join(mix.names[i] for i in (*cycle, cycle[0]))}")
    unsure = mix.apparent - len(mix.cycles)
    if unsure:
        say(f"{unsure} more by the win rates alone: their intervals do not exclude one half")
    elif not mix.cycles:
        say("no cycles of three players")
