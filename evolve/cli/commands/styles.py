"""`evolve styles`."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from evolve.cli.commands import app
from evolve.cli.options import Analysis, BredRules, Games, SearchSeed, Seconds, budget_of, new_file
from evolve.settings import Settings
from rulebots.cli.app import Interrupted
from rulebots.cli.console import live_line, say, say_json, show
from rulebots.cli.lookup import bred_options, bring
from rulebots.cli.options import AsJson, GameName, Imports, Setup, option, out_option, setting_option, shared, whole
from rulebots.cli.tables import interval, margin_interval, percent, rate, table_of
from rulebots.files import refuse_unwritable, write_new
from rulebots.packages import load_game, origin_of_game
from rulebots.packages.named_code import origin_of

if TYPE_CHECKING:
    from evolve.analysis.styles import StyleMap, StyleSearch

#: At most this many styles are listed.
MOST_LINES = 12


@dataclass(frozen=True)
class StylesFlags:
    """The map, its search, and what is written."""

    game: GameName
    by: Annotated[
        str | None,
        option("Two statistics: of the game's own, `length` or `points`.", "A,B", default="the game's first two"),
    ] = None
    seconds: Seconds = None
    games: Games = None
    cells: Annotated[int, whole("Cells a side of the map.", 2, 50)] = 10
    against: Annotated[
        str | None, shared("--against", "All players meet it.", default="the champion, else the hand-tuned")
    ] = None
    deals: Annotated[
        int, shared("--deals", "By each elite at the end, after twice as many that place it.", 2, 100_000)
    ] = 500
    start: Annotated[
        str | None,
        setting_option(Settings, "start", "Such as an earlier map.", default="the champion and the hand-tuned weights"),
    ] = None
    rules: BredRules = None
    seed: SearchSeed = 1
    imports: Imports = None
    out: Annotated[
        Path | None,
        out_option(
            "A new one, FILE.yaml, with a player for each filled cell, the strongest first.",
            default="GAME-styles.yaml in this folder, or the first free name",
        ),
    ] = None
    plot: Annotated[Path | None, shared("--plot", "It shows the map.")] = None
    as_json: AsJson = False


@app.with_examples(
    "evolve styles lost-cities",
    "evolve styles lost-cities --by investments,expeditions --seconds 300 --plot styles.png",
    "evolve styles kalah --by length,points --games 500000",
    "rulebots play lost-cities --style high-investments",
    group="Measure",
)
def styles(flags: StylesFlags, setup: Setup) -> None:
    """Breed a map of styles: the strongest player of each.

    The map spans two statistics of a player's games. Cells are noisy, so a player that seems best is measured again
    before it is believed, and all of them twice more on fresh deals at the end. Ctrl-C ends the search early.

    Options of the game default to those that the players of --from or --against were bred with.
    """
    bring(None, flags.imports)
    budget = budget_of(flags.seconds, flags.games)
    from evolve.analysis.styles import MapSettings, StyleSearch, as_data, picture
    from rulebots.output.figures import picture_format

    game = load_game(flags.game)
    terms = setup.arguments(bred_options(filter(None, [flags.start, flags.against]), game, setup.options))
    target = new_file(flags.out, f"{game.file_name}-styles.yaml")
    ending = picture_format(flags.plot)
    if flags.plot:
        refuse_unwritable(flags.plot)
    search = StyleSearch(
        game,
        flags.by.split(",") if flags.by else (),
        MapSettings(cells=flags.cells, rules=flags.rules or "", opponent=flags.against or "", start=flags.start or ""),
        seed=flags.seed,
        **terms,
    )
    with Analysis() as analysis:
        with live_line(quiet=flags.as_json) as line:

            def tell(filled: int) -> None:
                line(search.games, f"{filled} of {flags.cells**2} cells filled, {search.games:,} games")

            analysis.each(
                search.fill(*budget), tell, "interrupted before the first players were measured: nothing was saved"
            )
        try:
            with analysis.allowed():
                styles = search.measured(flags.deals)
        except KeyboardInterrupt:
            raise Interrupted("interrupted while the elites were measured: nothing was saved") from None
        write_new(target, _text(styles, search, flags.start))
        if flags.plot:
            write_new(flags.plot, picture(styles, ending))
    if flags.as_json:
        say_json(as_data(styles))
    else:
        _report(styles, search, target)
    if analysis.interrupted:
        raise Interrupted(f"interrupted; the map so far is in {target}: go on with --from {target}")


def _text(styles: StyleMap, search: StyleSearch, start: str | None) -> str:
    from evolve.storage.folder import bred_text
    from rulebots.packages.population import Entry

    first, second = styles.by
    players = {}
    for style in styles.styles:
        won = f"{rate(style.result)} against {styles.opponent}"
        strength = f"{style.strength:.2f} points" if styles.together else won
        players[style.name] = Entry(
            style.weights, note=f"{first} {style.place[0]:.2f}, {second} {style.place[1]:.2f} a game; {strength}"
        )
    bred = {
        "by": list(styles.by), "cells": styles.cells, "games": styles.games, "against": styles.opponent,
        "options": dict(search.arena.settings.options), "from": start,
    }  # fmt: skip
    comment = f"the strongest player of each style, the strongest first: {first} and {second} of {search.game.title}"
    return bred_text(styles.rules, players, bred, comment)


def _report(styles: StyleMap, search: StyleSearch, target: Path) -> None:
    from evolve.storage.result import words_of

    rows = []
    for style in styles.styles[:MOST_LINES]:
        result = style.result
        place = {name: f"{value:.2f}" for name, value in zip(styles.by, style.place, strict=True)}
        won = {"win rate": percent(result.win_rate), "95 %": interval(result)}
        more = {"more": f"{result.margin:+.2f}", "95 %": margin_interval(result.margin_95)}
        scored = {"points": f"{result.points:.2f}", **more} if styles.together else won
        rows.append({"style": style.name, **place, **scored})
    alone = search.arena.seats == 1
    link = "against" if not styles.together else "beside" if alone else "beside a team of"
    show(table_of(rows, "style"), f"{search.game.title}: the strongest player of each style, {link} {styles.opponent}")
    filled = len(styles.styles)
    if filled > MOST_LINES:
        say(f"and {filled - MOST_LINES} more")
    say(f"filled: {filled} of {styles.cells**2} cells ({styles.filled:.0%}), by {styles.games:,} games")
    within, verb = (0.5, "score within half a point") if styles.together else (0.05, "win within 5 points")
    near = sum(abs(style.believed - style.strength) <= within for style in styles.styles)
    say(f"measured again on fresh deals, {near} of {filled} {verb} of what was believed of them")
    game = origin_of_game(search.game.name) or search.game.name
    own = origin_of(search.rules)
    words = ["rulebots", "play", game, "--player" if alone else "--against", str(target)]
    flags = [*(["--import", own.text] if own else []), *words_of({"options": search.arena.settings.options})]
    say(f"wrote {target}; play one: {shlex.join(words)}#{shlex.join([styles.styles[0].name, *flags])}")
