"""`evolve styles`."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer.exceptions import TyperException

from evolve.cli.analysis import Analysis, BredRules, Games, SearchSeed, Seconds, budget_of, new_file, start_option
from evolve.cli.commands import app
from rulebots.cli.console import live_line, say, say_json, show
from rulebots.cli.options import (
    AsJson,
    GameName,
    Imports,
    Jobs,
    OpeningPlies,
    OptionTexts,
    against_option,
    bring,
    deals_option,
    jobs_of,
    named,
    options_of,
    out_option,
    plot_option,
    whole,
)
from rulebots.cli.tables import interval, new_table, percent, rate
from rulebots.files import refuse_unwritable, write_new
from rulebots.packages import load_game, origin_of_game
from rulebots.packages.named_code import origin_of

if TYPE_CHECKING:
    from rich.table import Table

    from evolve.analysis.styles import StyleMap, StyleSearch

#: At most this many styles are listed.
MOST_LINES = 12


@app.with_examples(
    "evolve styles lost-cities",
    "evolve styles lost-cities --by investments,expeditions --seconds 300 --plot styles.png",
    "evolve styles kalah --by length,points --games 500000",
    "rulebots play lost-cities --style high-investments",
    group="Measure",
)
def styles(
    game: GameName,
    by: Annotated[
        str | None,
        named("A,B", "Two statistics: of the game's own, `length` or `points`.", default="the game's first two"),
    ] = None,
    seconds: Seconds = None,
    games: Games = None,
    cells: Annotated[int, whole("Cells a side of the map.", 2, 50)] = 10,
    against: Annotated[
        str | None, against_option("All players meet it.", default="the champion, else the hand-tuned")
    ] = None,
    deals: Annotated[
        int, deals_option("By each elite at the end, after twice as many that place it.", 2, 100_000)
    ] = 500,
    start: Annotated[
        str | None, start_option("Such as an earlier map.", default="the champion and the hand-tuned weights")
    ] = None,
    rules: BredRules = None,
    seed: SearchSeed = 1,
    option: OptionTexts = None,
    opening_plies: OpeningPlies = None,
    jobs: Jobs = None,
    out: Annotated[
        Path | None,
        out_option(
            "A new one, FILE.yaml, with a player for each filled cell, the strongest first.",
            default="GAME-styles.yaml in this folder, or the first free name",
            dash=True,
        ),
    ] = None,
    plot: Annotated[Path | None, plot_option("It shows the map.")] = None,
    as_json: AsJson = False,
    imports: Imports = None,
) -> None:
    """Breed a map of styles: the strongest player of each.

    The map spans two statistics of a player's games. Cells are noisy, so a player that seems best is measured again
    before it is believed, and all of them twice more on fresh deals at the end. Ctrl-C ends the search early.
    """
    bring(None, imports)
    budget, options, threads = budget_of(seconds, games), options_of(option), jobs_of(jobs)
    from evolve.analysis.styles import MapSettings, StyleSearch, as_data
    from rulebots.output.figures import picture_format

    played = load_game(game)
    target = new_file(out, f"{played.name.replace('-', '_')}-styles.yaml", "the name of a players' file, FILE.yaml")
    ending = picture_format(plot)
    if plot is not None:
        refuse_unwritable(plot)
    search = StyleSearch(
        played,
        by.split(",") if by else (),
        rules=rules or "",
        opponent=against or "",
        start=start or "",
        seed=seed,
        options=options,
        opening_plies=opening_plies,
        jobs=threads,
        settings=MapSettings(cells=cells),
    )
    with Analysis() as analysis:
        with live_line(quiet=as_json) as line:

            def tell(filled: int) -> None:
                line(search.games, f"{filled} of {cells**2} cells filled, {search.games:,} games")

            lost = "interrupted before the first players were measured: nothing was saved"
            analysis.each(search.fill(*budget), tell, lambda: "" if search.elites else lost)
        with analysis.or_nothing("interrupted while the elites were measured: nothing was saved"):
            found = search.measured(deals)
        write_new(target, _text(found, search, start))
        if plot:
            from evolve.analysis.styles import picture

            write_new(plot, picture(found, ending))
    if as_json:
        say_json(as_data(found))
    else:
        _report(found, search, target)
    if analysis.interrupted:
        raise TyperException(f"interrupted; what was found by then is in {target}: go on with --from {target}")


def _text(found: StyleMap, search: StyleSearch, start: str | None) -> str:
    """The file: a player for each filled cell."""
    from rulebots.packages.population import Entry, Population, population_text

    first, second = found.by
    players = {}
    for style in found.styles:
        where = f"{first} {style.place[0]:.2f}, {second} {style.place[1]:.2f} a game"
        strength = (
            f"{style.strength:.2f} points" if found.together else f"{rate(style.result)} against {found.opponent}"
        )
        players[style.name] = Entry(style.weights, note=f"{where}; {strength}")
    bred = {"by": list(found.by), "cells": found.cells, "games": found.games, "against": found.opponent}
    bred |= {"from": start} if start else {}
    comment = f"the strongest player of each style, the strongest first: {first} and {second} of {search.game.title}"
    return population_text(Population(search.game, found.rules, players, bred, comment))


def _report(found: StyleMap, search: StyleSearch, target: Path) -> None:
    apart = [abs(style.believed - style.strength) for style in found.styles]
    beside = "against" if not found.together else "beside" if search.arena.seats == 1 else "beside a team of"
    title = f"{search.game.title}: the strongest player of each style, {beside} {found.opponent}"
    show(_table(found), title)
    if len(found.styles) > MOST_LINES:
        say(f"and {len(found.styles) - MOST_LINES} more")
    say(f"filled: {len(found.styles)} of {found.cells**2} cells ({found.filled:.0%}), by {found.games:,} games")
    within, what = (0.5, "score within half a point") if found.together else (0.05, "win within 5 points")
    near = sum(distance <= within for distance in apart)
    say(f"measured again on fresh deals, {near} of {len(apart)} {what} of what was believed of them")
    from evolve.storage.result import flags_of

    game, own = search.game.name, origin_of(search.rules)
    who = "--player" if search.arena.seats == 1 else "--against"
    words = ["rulebots", "play", origin_of_game(game) or game, who, str(target)]
    flags = [*(["--import", own.text] if own else []), *flags_of({"options": search.arena.settings.options})]
    play = f"{shlex.join(words)}#{shlex.join([found.styles[0].name, *flags])}"
    say(f"wrote {target}; play one: {play}")


def _table(found: StyleMap) -> Table:
    shown = ("points", "more") if found.together else ("win rate",)
    table = new_table({"style": False} | dict.fromkeys([*found.by, *shown, "95 %"], True))
    for style in found.styles[:MOST_LINES]:
        place, result = (f"{value:.2f}" for value in style.place), style.result
        strength = [percent(result.win_rate), interval(result)]
        if found.together:
            low, high = result.margin_95
            strength = [f"{result.points:.2f}", f"{result.margin:+.2f}", f"{low:+.2f} to {high:+.2f}"]
        table.add_row(style.name, *place, *strength)
    return table
