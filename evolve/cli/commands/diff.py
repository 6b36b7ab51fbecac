"""`evolve diff`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from evolve.cli.commands import app
from rulebots.cli.console import say, show
from rulebots.cli.options import CustomGame, CustomRules, bring, path_to, switch
from rulebots.cli.tables import new_table
from rulebots.files import refuse_unwritable, write_new

if TYPE_CHECKING:
    from rich.table import Table

    from evolve.analysis.comparison import Comparison, Pair


@app.with_examples(
    "evolve diff champion strong.yaml",
    "evolve diff strong.yaml strong.yaml#finalist_2 --plot weights.png",
    "evolve diff champion shelly --json",
)
def diff(
    a: Annotated[
        str,
        typer.Argument(
            metavar="A", help="path.yaml (its first player), path.yaml#player, or the name of a shipped player."
        ),
    ],
    b: Annotated[str, typer.Argument(metavar="B", help="The other one, of the same game.")],
    plot: Annotated[Path | None, path_to("FILE.png|svg", "Draw the weights into a new picture.")] = None,
    game: CustomGame = None,
    rules: CustomRules = None,
    as_json: Annotated[bool, switch("--json", "The comparison as one JSON object.")] = False,
) -> None:
    """Compare the weights of two players rule by rule, largest differences first.

    Rules are matched by group and name. A rule that only one of them has weighs 0 for the other.
    """
    from evolve.analysis.comparison import compare
    from rulebots.output.figures import picture_format

    ending = picture_format(plot)
    if plot is not None:
        refuse_unwritable(plot)
    bring(game, rules)
    comparison = compare(a, b, game)
    if plot is not None:
        from evolve.analysis.comparison import draw

        write_new(plot, draw(comparison, ending))
    if as_json:
        say(json.dumps(as_data(comparison)))
        return
    show(table(comparison), f"{a} and {b}, of {comparison.game}")
    same = sum(rule.difference == 0 for rule in comparison.rules)
    say(f"rules that weigh the same: {same} of {len(comparison.rules)}; all weights are {comparison.alike:.2f} alike")
    if plot is not None:
        say(f"wrote {plot}")


def table(comparison: Comparison) -> Table:
    """A line for each rule that does not weigh the same for both."""
    numbers = dict.fromkeys(("A early, late", "B early, late", "apart"), True)
    found = new_table({"rule": False, **numbers, "only": False, "meaning": False})
    for rule in comparison.rules:
        if rule.difference:
            only = "" if rule.only is None else "AB"[rule.only]
            found.add_row(rule.key, _text(rule.first), _text(rule.second), f"{rule.difference:.4g}", only, rule.meaning)
    return found


def as_data(comparison: Comparison) -> dict[str, Any]:
    """The comparison as plain data; null where a player's rule set lacks a rule."""
    rules = [
        {"rule": rule.key, "a": rule.first, "b": rule.second, "difference": rule.difference}
        for rule in comparison.rules
    ]
    names, sets = comparison.names, comparison.rule_sets
    about = {"a": names[0], "b": names[1], "game": comparison.game, "rule_sets": sets, "alike": comparison.alike}
    return {**about, "rules": rules}


def _text(pair: Pair | None) -> str:
    return "-" if pair is None else ", ".join(f"{weight:g}" for weight in pair)
