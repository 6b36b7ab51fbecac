"""`evolve report`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from evolve.cli.commands import app
from evolve.cli.options import Analysis
from evolve.signals import uninterrupted
from rulebots.cli.app import Interrupted
from rulebots.cli.console import live_line, say, say_json, show
from rulebots.cli.lookup import bred_options, bring
from rulebots.cli.options import AsJson, GameName, Imports, Jobs, OpeningPlies, option, shared, threads_of, whole
from rulebots.cli.tables import table_of
from rulebots.errors import demand
from rulebots.files import refuse_unwritable, replace
from rulebots.packages import load_game


@dataclass(frozen=True)
class ReportFlags:
    """What a report looks into, and what is written."""

    game: GameName
    option: Annotated[
        list[str] | None, shared("--option", "Several values, as suits=5,6; every combination is a variant.")
    ] = None
    players: Annotated[
        list[str] | None,
        option(
            "Players of all strengths, from weak to strong: names or files; repeatable.",
            "PLAYER,...",
            default="random, the reference players and the champion",
        ),
    ] = None
    best: Annotated[
        str | None, option("The player whose games are looked into.", "PLAYER", default="the best of them")
    ] = None
    without: Annotated[
        list[str] | None,
        option(
            "Restricted play: what is forbidden, a kind of move or a move as text; repeatable.",
            "KIND|MOVE",
            default="each kind of move, or each of a few moves",
        ),
    ] = None
    deals: Annotated[int, shared("--deals", "By each player with itself.", 40, 100_000)] = 1000
    generations: Annotated[
        int, whole("Generations to breed. Of a restricted player, which is bred again.", 1, 1000)
    ] = 12
    seed: Annotated[int, shared("--seed")] = 1
    imports: Imports = None
    opening_plies: OpeningPlies = None
    jobs: Jobs = None
    out: Annotated[
        Path | None,
        shared("--out", "FILE.html; its figures go into FILE.json.", default="GAME-report.html in this folder"),
    ] = None
    as_json: AsJson = False


#: The parts of a report in words, by their kind.
_PARTS = {
    "ladder": "how strong the players are",
    "course": "the course of their games",
    "rules": "what each rule is worth",
    "without": "play without ",
}


@app.with_examples(
    "evolve report kalah",
    "evolve report lost-cities --option suits=5,6 --option hand_size=7,8,9",
    "evolve report ./nim --deals 400 --out nim.html",
    "evolve report kalah --without 0 --without 5",
    group="Measure",
)
def report(flags: ReportFlags) -> None:
    """Tell a game's designer what the game is like to play.

    The report is one page with pictures, each figure with its interval.

    Seats, length, choices, leads and comebacks; whether skill matters; what choices and rules are worth; what is lost
    without a kind of move; variants of the game side by side.

    Options of the game default to those that the players of the first file were bred with. After Ctrl-C the page has
    what was measured, and the same command goes on from there.
    """
    variants = _values_of(flags.option)
    bring(None, flags.imports)
    from evolve.analysis.report import load_parts, measured, plan_of, save_parts
    from evolve.analysis.report.page import core_rows, findings, opening_note, page, variant_name
    from rulebots.players.specs import specs_of

    game = load_game(flags.game)
    named = [*specs_of(flags.players), *filter(None, [flags.best])]
    plan = plan_of(
        game,
        {name: [value] for name, value in bred_options(named, game, variants).items()} | variants,
        players=specs_of(flags.players),
        player=flags.best or "",
        forbidden=None if flags.without is None else tuple(flags.without),
        deals=flags.deals,
        generations=flags.generations,
        seed=flags.seed,
        opening_plies=flags.opening_plies,
        jobs=threads_of(flags.jobs),
    )
    target = flags.out or Path(f"{game.file_name}-report.html")
    demand(target.suffix.lower() == ".html", f"--out: expected the name of a page, FILE.html, not '{target}'")
    figures = target.with_suffix(".json")
    about = plan.about()
    parts = load_parts(figures, about)
    if not parts:
        refuse_unwritable(target)
        refuse_unwritable(figures)
    earlier = len(parts)

    def tell(part: tuple[str, Any]) -> None:
        with uninterrupted():
            parts[part[0]] = part[1]
            if len(parts) > earlier:
                save_parts(figures, about, parts)

    with Analysis() as analysis, live_line(quiet=flags.as_json) as line:

        def begin(name: str) -> None:
            kind, _, rest = name.partition(" ")
            line(100 * 2 ** len(parts), f"measuring {_PARTS[kind]}{rest * (kind == 'without')}")

        analysis.each(measured(plan, dict(parts), begin), tell)
    if parts:
        replace(target, page(about, parts))
    if analysis.interrupted:
        so_far = f": {target} has what was measured, and the same command goes on from there"
        raise Interrupted(f"interrupted{so_far if parts else ' before the first part was measured: nothing was saved'}")
    if flags.as_json:
        say_json({**about, "parts": parts})
        return
    for sentence in findings(about, parts):
        say(sentence)
    names = [variant_name(options) for options in about["variants"]]
    rows = ({"": name, **dict(zip(names, cells, strict=True))} for name, cells in core_rows(about, parts))
    show(table_of(rows, ""), f"{game.title}: {flags.deals:,} games of each player with itself, seed {flags.seed}")
    if note := opening_note(about):
        say(note.strip())
    say(f"wrote {target} and {figures}")


def _values_of(texts: Sequence[str] | None) -> dict[str, list[int]]:
    """`["suits=5,6"]` as `{"suits": [5, 6]}`; the game checks names and ranges. Raises UsageError."""
    values: dict[str, list[int]] = {}
    for text in texts or ():
        name, _, numbers = text.partition("=")
        demand(
            name and name not in values and re.fullmatch(r"[-+]?[0-9]{1,9}(,[-+]?[0-9]{1,9})*", numbers),
            "--option: expected NAME=VALUE or NAME=VALUE,VALUE with whole numbers, such as suits=5,6, each name once, "
            f"not '{text}'",
        )
        values[name] = list(dict.fromkeys(map(int, numbers.split(","))))
    return values
