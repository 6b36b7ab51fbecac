"""`evolve run`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from evolve.commands import app
from evolve.settings import STRATEGY_DEFAULTS, Settings
from rulebots.arguments import Jobs, OpeningPlies, OptionTexts, jobs_of, options_of, whole_number
from rulebots.console import examples

#: As an opponent: nobody.
NONE = "none"


def strategy_option(setting: str, meaning: str) -> Any:
    """A flag for a setting whose default depends on the game and on the strategy."""
    own = (f"; with --strategy {name}: {own[setting]}" for name, own in STRATEGY_DEFAULTS.items() if setting in own)
    default = "".join([str(getattr(Settings, setting)), *own])
    return typer.Option(parser=whole_number(), metavar="N", help=meaning, show_default=default)


@app.command(
    epilog=examples(
        "evolve run",
        "evolve run --generations 200 --seed 7 --out strong.yaml",
        "evolve run --rules shelly --opponents shelly,risk",
        "evolve run --from strong.yaml --generations 100",
        "evolve run --strategy sheppard --rules sheppard --generations 100",
        "evolve run --option suits=6 --jobs 2",
    )
)
def run(
    game: Annotated[str, typer.Option(metavar="GAME", help="What to play (see `rulebots games`).")] = Settings.game,
    rules: Annotated[
        str | None,
        typer.Option(
            metavar="SET", help="The rule set to weigh (see `rulebots rules GAME`).", show_default="the game's first"
        ),
    ] = None,
    generations: Annotated[int | None, strategy_option("generations", "How often winners breed.")] = None,
    population: Annotated[int | None, strategy_option("population", "Players in a generation.")] = None,
    deals: Annotated[int | None, strategy_option("deals", "Deals that each pair plays, from both seats.")] = None,
    seed: Annotated[
        int, typer.Option(parser=whole_number(), metavar="N", help="The same seed breeds the same file.")
    ] = Settings.seed,
    strategy: Annotated[
        str, typer.Option(metavar="NAME", help="How winners breed: ga, or sheppard for Daniel Sheppard's scheme.")
    ] = Settings.strategy,
    opponents: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PLAYER,...",
            help="Players that everyone meets as well: names or files, `hand-tuned`, or `none`; repeatable.",
            show_default="hand-tuned; with --strategy sheppard: none",
        ),
    ] = None,
    opponent_deals: Annotated[
        int | None, strategy_option("opponent_deals", "Deals against each of them, from both seats.")
    ] = None,
    start: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help="Start from a file's players, or one: path.yaml#player.",
            show_default="the hand-tuned weights",
        ),
    ] = None,
    option: OptionTexts = None,
    opening_plies: OpeningPlies = None,
    jobs: Jobs = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A new file for the result.", show_default="GAME-seedN.yaml in this folder"),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Say only where the file is.")] = False,
) -> None:
    """Breed players of a game, and write the best of them to a new file.

    Ctrl-C ends a run early: what was bred so far is run off and saved.
    """
    from rulebots.specs import split_specs

    named = [name for names in opponents or () for name in split_specs(names)]
    given = {
        "generations": generations,
        "population": population,
        "deals": deals,
        "opponent_deals": opponent_deals,
        "opponents": None if opponents is None else () if named == [NONE] else tuple(named),
    }
    settings = Settings.of(
        strategy,
        game=game,
        seed=seed,
        rules=rules or "",
        start=start or "",
        options=options_of(option),
        opening_plies=opening_plies,
        **{name: value for name, value in given.items() if value is not None},
    )
    threads = jobs_of(jobs)
    from evolve.run import Run
    from evolve.save import destination
    from evolve.session import breed

    breeding = Run(settings, threads)
    path = destination(settings, out)
    breed(breeding, path, quiet=quiet)
