"""`evolve`: breed players, and look at what was bred."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from evolve.settings import STRATEGY_DEFAULTS, Settings
from rulebots.arguments import Jobs, OptionTexts, jobs_of, options_of, whole_number
from rulebots.console import examples, new_app, run_app, say, show, version_option

#: As an opponent: nobody.
NONE = "none"

app = new_app()


def main() -> int:
    """The entry point `evolve`."""
    return run_app(app, "evolve")


def strategy_option(setting: str, meaning: str) -> Any:
    """A flag for a setting whose default depends on the strategy."""
    own = (f"; with --strategy {name}: {defaults[setting]}" for name, defaults in STRATEGY_DEFAULTS.items())
    default = "".join([str(getattr(Settings, setting)), *own])
    return typer.Option(parser=whole_number(), metavar="N", help=meaning, show_default=default)


@app.callback(
    epilog=examples(
        "evolve run --generations 50 --seed 1",
        "evolve show lost_cities-seed1.yaml",
        "evolve check lost_cities-seed1.yaml",
        "rulebots match lost_cities-seed1.yaml shelly",
    )
)
def program(
    version: Annotated[
        bool, typer.Option("--version", callback=version_option("evolve"), is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Breed players of turn-based games out of named rules, as YAML that a person can read and change."""


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
    generations: Annotated[
        int, typer.Option(parser=whole_number(), metavar="N", help="How often winners breed.")
    ] = Settings.generations,
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
        int, typer.Option(parser=whole_number(), metavar="N", help="Deals against each of them, from both seats.")
    ] = Settings.opponent_deals,
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
    named = [name.strip() for names in opponents or () for name in names.split(",")]
    given = {
        "population": population,
        "deals": deals,
        "opponents": None if opponents is None else () if named == [NONE] else tuple(named),
    }
    settings = Settings.of(
        strategy,
        game=game,
        generations=generations,
        seed=seed,
        rules=rules or "",
        opponent_deals=opponent_deals,
        start=start or "",
        options=options_of(option),
        **{name: value for name, value in given.items() if value is not None},
    )
    threads = jobs_of(jobs)
    from evolve.run import Run
    from evolve.save import destination
    from evolve.session import breed

    breeding = Run(settings, threads)
    path = destination(settings, out)
    breed(breeding, path, quiet=quiet)


@app.command("show", epilog=examples("evolve show champion", "evolve show champion.yaml#finalist_2 --json"))
def show_player(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="path.yaml (its first player), path.yaml#player, or shipped.")
    ],
    as_json: Annotated[bool, typer.Option("--json", help="The player as one JSON object.")] = False,
) -> None:
    """Show a player's weights, rule by rule, with what each rule means."""
    from rulebots.game import UsageError
    from rulebots.population import find_player, load_population
    from rulebots.roster import file_of

    path, wanted = file_of(file)
    population = load_population(path)
    try:
        name, entry = find_player(population, wanted)
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from None
    chosen = population.rules
    if as_json:
        weights: dict[str, dict[str, list[float]]] = {group: {} for group in chosen.groups}
        for rule, pair in zip(chosen.rules, entry.weights.T.tolist(), strict=True):
            weights[rule.group][rule.name] = pair
        about = {"player": name, "game": population.game.name, "rules": chosen.name}
        say(json.dumps({**about, "bred": population.bred, "rating": entry.rating, "weights": weights}))
        return
    from rulebots.tables import weights_table

    show(weights_table(chosen, entry.weights), f"{name}, of {population.game.title} with the rules '{chosen.name}'")
    for word, notes in (("rating", entry.rating), ("bred", population.bred)):
        if notes:
            say(f"{word}: {', '.join(f'{key} {value}' for key, value in notes.items())}")
    if len(population.players) > 1:
        say(f"players of this file: {', '.join(population.players)}")


@app.command(epilog=examples("evolve check champion.yaml", "evolve check populations/lost_cities/*.yaml"))
def check(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Population files.", show_default=False)],
) -> None:
    """Show everything that is wrong with population files.

    A line for each problem: file:line:column: what was expected, and what came.
    """
    from rulebots.population import check_population, load_population
    from rulebots.roster import file_of

    failed = False
    for file in (file_of(spec)[0] for spec in files):
        problems = check_population(file)
        for problem in problems:
            say(str(problem))
        if problems:
            failed = True
            continue
        population = load_population(file)
        count = len(population.players)
        say(
            f"{file}: ok, {count} player{'s' if count > 1 else ''} of {population.game.name}, "
            f"rule set {population.rules.name}"
        )
    if failed:
        raise typer.Exit(1)
