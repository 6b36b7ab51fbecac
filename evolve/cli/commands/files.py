"""Population files and run files: `evolve show`, `diff`, `check` and `schema`."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from evolve.cli.commands import app
from rulebots.cli.console import say, say_json, show
from rulebots.cli.lookup import bring, complete_player, game_of
from rulebots.cli.options import AsJson, CustomGame, Imports, PlayerFile, argument, shared
from rulebots.cli.tables import counted, each_once, table_of, weights_table
from rulebots.errors import one_line
from rulebots.files import InputError, refuse_unwritable, write_new
from rulebots.packages import path_of_game


@app.with_examples("evolve show champion", "evolve show champion.yaml#finalist_2 --json", name="show", group="Look")
def show_player(file: PlayerFile, game: CustomGame = None, imports: Imports = None, as_json: AsJson = False) -> None:
    """Show a player's weights and what each rule means."""
    from rulebots.packages.players import entry_of

    bring(game, imports)
    population, name, entry = entry_of(file, game)
    rules = population.rules
    if as_json:
        about = {"player": name, "game": population.game.name, "rules": rules.name, "bred": population.bred}
        say_json({**about, "rating": entry.rating, "weights": rules.named(entry.weights)})
        return
    show(
        weights_table(rules.groups, rules.rows(entry.weights)),
        f"{one_line(name)}, of {population.game.title} with the rules '{rules.name}'",
    )
    for word, notes in (("rating", entry.rating), ("bred", population.bred)):
        if notes:
            say(f"{word}: {', '.join(f'{key} {value}' for key, value in notes.items())}")
    if len(population.players) > 1:
        say(f"players of this file: {', '.join(map(one_line, population.players))}")


@app.with_examples("evolve check champion.yaml", "evolve check populations/lost_cities/*.yaml", group="Look")
def check(
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE...", help="Population files.", show_default=False, autocompletion=complete_player),
    ],
    game: CustomGame = None,
    imports: Imports = None,
    as_json: AsJson = False,
) -> None:
    """Show everything that is wrong with population files.

    A line for each problem: file:line:column: what was expected, and what came.
    """
    from rulebots.packages.players import file_of

    bring(game, imports)
    results = [_checked(file_of(spec)[0]) for spec in files]
    if as_json:
        say_json({"checked": results})
    if not all(result["ok"] for result in results):
        raise typer.Exit(1)


def _checked(file: str) -> dict[str, Any]:
    """What is wrong with a file, or what is in it, printed and as plain data."""
    from rulebots.packages.population import check_population, load_population

    found = (
        [InputError(file, "that is Python: expected a population file, as `evolve run` writes it")]
        if file.endswith(".py")
        else check_population(file)
    )
    for told in each_once(found):
        say(told)
    problems = [one_line(problem) for problem in found]
    result = {"file": file, "ok": not problems, "problems": problems}
    if problems:
        return result
    population = load_population(file)
    game = population.game.name
    rules = population.rules.name
    say(f"{file}: ok, {counted(len(population.players), 'player')} of {game}, rule set {rules}")
    return result | {"game": game, "rules": rules, "players": list(population.players)}


@app.with_examples("evolve schema > run.schema.json", group="Look")
def schema() -> None:
    """Print the JSON Schema of run files (`evolve run --config`).

    Editors use it to complete names and to mark mistakes.
    """
    from evolve.settings import run_file_schema

    say(json.dumps(run_file_schema(), indent=2, ensure_ascii=False))


@app.with_examples(
    "evolve diff champion strong.yaml",
    "evolve diff strong.yaml strong.yaml#finalist_2 --plot weights.png",
    "evolve diff champion shelly --json",
    group="Look",
)
def diff(
    a: Annotated[
        str, argument("A", "path.yaml (its first player), path.yaml#player, or the name of a shipped player.")
    ],
    b: Annotated[str, argument("B", "The other one, of the same game.")],
    plot: Annotated[Path | None, shared("--plot", "It shows the weights.")] = None,
    game: CustomGame = None,
    imports: Imports = None,
    as_json: AsJson = False,
) -> None:
    """Compare two players rule by rule, largest differences first.

    Rules are matched by group and name. A rule that only one of them has weighs 0 for the other.
    """
    from evolve.analysis.comparison import compare, draw
    from rulebots.output.figures import picture_format

    ending = picture_format(plot)
    if plot:
        refuse_unwritable(plot)
    bring(game, imports)
    comparison = compare(a, b, game or path_of_game(game_of(None, [a, b]).name))
    if plot:
        write_new(plot, draw(comparison, ending))
    if as_json:
        lines = [
            {"rule": one.key, "a": one.first, "b": one.second, "difference": one.difference} for one in comparison.rules
        ]
        about = {"a": a, "b": b, "game": comparison.game, "rule_sets": comparison.rule_sets}
        say_json({**about, "alike": comparison.alike, "rules": lines})
        return
    if all(rule.only is not None for rule in comparison.rules):
        sets = " and ".join(f"'{name}'" for name in comparison.rule_sets)
        say(f"{a} and {b}, of {comparison.game}, share no rule: they are of the rule sets {sets}")
        return
    rows = (
        {
            "rule": rule.key,
            "A early, late": _text(rule.first),
            "B early, late": _text(rule.second),
            "apart": f"{rule.difference:.4g}",
            "only": "" if rule.only is None else "AB"[rule.only],
            "meaning": rule.meaning,
        }
        for rule in comparison.rules
        if rule.difference
    )
    show(table_of(rows, "rule", "only", "meaning"), f"{a} and {b}, of {comparison.game}")
    same = sum(rule.difference == 0 for rule in comparison.rules)
    say(f"rules that weigh the same: {same} of {len(comparison.rules)}; all weights are {comparison.alike:.2f} alike")
    if plot:
        say(f"wrote {plot}")


def _text(pair: tuple[float, float] | None) -> str:
    return "-" if pair is None else ", ".join(f"{weight:g}" for weight in pair)
