"""`evolve ablate`."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from evolve.cli.commands import app
from evolve.cli.options import Analysis, custom_flags, loss_cells, loss_data, new_file, to_try
from rulebots.cli.app import Interrupted
from rulebots.cli.console import live_line, say, say_json, show
from rulebots.cli.lookup import bred_options, bring
from rulebots.cli.options import (
    AsJson,
    CustomGame,
    Imports,
    PlayerFile,
    Seed,
    Setup,
    option,
    out_option,
    shared,
    switch,
)
from rulebots.cli.tables import table_of
from rulebots.errors import demand
from rulebots.files import write_new
from rulebots.packages import package_of

if TYPE_CHECKING:
    from evolve.analysis.ablation import Loss, Measurement
    from rulebots.packages.population import Population


@dataclass(frozen=True)
class AblateFlags:
    """The player, its opponents, and the output."""

    file: PlayerFile
    game: CustomGame = None
    imports: Imports = None
    deals: Annotated[int, shared("--deals", "Against each opponent.", 2)] = 1000
    seed: Seed = 1
    opponents: Annotated[
        list[str] | None,
        shared(
            "--opponents", "The player itself is always one.", default="the hand-tuned player and the shipped champion"
        ),
    ] = None
    tolerance: Annotated[
        float | None, option("The largest loss of win rate that does not matter.", "X%", default="1%")
    ] = None
    prune: Annotated[bool, switch("--prune", "Write a new file without the rules that are not needed.")] = False
    out: Annotated[Path | None, out_option("A new one, with --prune.", default="NAME-pruned.yaml in this folder")] = (
        None
    )
    as_json: AsJson = False


@app.with_examples(
    "evolve ablate champion",
    "evolve ablate strong.yaml#finalist_2 --deals 5000 --opponents shelly",
    "evolve ablate strong.yaml --prune --out small.yaml",
    group="Measure",
)
def ablate(flags: AblateFlags, setup: Setup) -> None:
    """Measure what each rule of a player is worth.

    That is how its win rate changes without it.

    The player with and without the rule plays the same deals against the same opponents, and against the
    player as it is; every opponent counts alike. The intervals are of the difference, and all hold together in 95 %.

    Options of the game default to those that the player was bred with.
    """
    from evolve.analysis import ablation

    demand(flags.prune or flags.out is None, "--out: only --prune writes a file: give it too, or leave this out")
    tolerance = ablation.TOLERANCE if flags.tolerance is None else flags.tolerance
    demand(tolerance < 1, f"--tolerance: expected less than 100%, not {100 * tolerance:g}%")
    from evolve.storage.result import words_of
    from rulebots.packages.players import entry_of, file_of, make_player
    from rulebots.players import RulePlayer
    from rulebots.players.specs import specs_of

    bring(flags.game, flags.imports)
    population, name, entry = entry_of(flags.file, flags.game, setup.options.get("seats"))
    game = population.game
    terms = setup.arguments(bred_options([flags.file], game, setup.options))
    rules = population.rules
    demand(ablation.used(entry.weights), f"'{flags.file}' weighs no rule: there is nothing to leave out")
    player = RulePlayer(rules, entry.weights, name)
    seats = game.seats_with(terms["options"])
    opponents = ablation.field_of(player, seats) if flags.opponents is None else specs_of(flags.opponents)
    players = [(spec, make_player(spec, game, seats)) for spec in opponents]
    target = new_file(flags.out, f"{Path(file_of(flags.file)[0]).stem}-pruned.yaml") if flags.prune else None

    measurement = ablation.measurements(player, players, flags.deals, flags.seed, tolerance=tolerance, **terms)
    losses, interruption = _measured(measurement(0), 2 * flags.deals * (len(players) + 1))
    lines = (
        {
            "rule": rules.rules[column].key,
            "early": f"{entry.weights[0, column]:g}",
            "late": f"{entry.weights[1, column]:g}",
            **loss_cells(loss, 2),
            "against itself": f"{0 - 100 * loss.against[ablation.ITSELF]:+.2f} %",
            "verdict": loss.verdict,
        }
        for column, loss in losses.items()
    )
    show(
        table_of(lines, "rule", "verdict"),
        f"{name} of {game.title} without each of its rules: {flags.deals:,} deals, seed {flags.seed}"
        f"{interruption and ', '}{interruption}",
    )
    against = [*opponents, ablation.ITSELF]
    say(f"against {', '.join(against)}, each counting alike; a loss of {100 * tolerance:g} % does not matter")
    fewest = min(loss.distinct_deals for loss in losses.values())
    if fewest < flags.deals:
        say(f"some deals are copies of others: of {flags.deals:,} at least {fewest:,} are distinct")
    pruning = None
    if target and not interruption and (pruning := _pruned(measurement, losses)):
        found = custom_flags(rules, terms["options"])
        words = ["evolve", "ablate", flags.file, "--deals", str(flags.deals), "--tolerance", f"{100 * tolerance:g}%"]
        words += words_of({"seed": flags.seed, "opponents": tuple(opponents), "opening_plies": setup.opening_plies})
        command = shlex.join([*words, *found, "--prune"])
        _write(target, replace(population, players={name: entry}, comment=command), *pruning)
        say(f"wrote {target}; {to_try(target, package_of(game).references[0], found, game)}")
    if flags.as_json:
        rows = rules.rows(entry.weights)
        say_json(
            {
                "player": name,
                "game": game.name,
                "deals": flags.deals,
                "seed": flags.seed,
                **({"interrupted": True} if interruption else {}),
                "opponents": against,
                "rules": [{**rows[column], **loss_data(one)} for column, one in losses.items()],
                "pruned": pruning
                and {
                    "file": str(target),
                    "rules": [rows[column]["rule"] for column in pruning[0]],
                    **loss_data(pruning[1]),
                },
            }
        )
    if interruption:
        raise Interrupted(f"{interruption}{f'; not written: {target}' if target else ''}")


def _measured(measurement: Measurement, games: int) -> tuple[dict[int, Loss], str]:
    """The losses, each of that many games, and when Ctrl-C came, or "". Raises Interrupted if there is no loss yet."""
    from evolve.analysis.ablation import ablate, used

    rules = len(used(measurement.intact.weights))
    with Analysis() as analysis, live_line() as line:
        losses = analysis.each(
            ablate(measurement),
            lambda so_far: line(len(so_far) * games, f"{len(so_far)} of {rules} rules"),
            "interrupted in the first rule: there is nothing to show",
        )
    return losses, f"interrupted after {len(losses)} of {rules} rules" if analysis.interrupted else ""


def _pruned(measurement: Callable[[int], Measurement], losses: dict[int, Loss]) -> tuple[list[int], Loss] | None:
    """The rules that are not needed, as many as may go together, and what they are worth; None where none may."""
    from evolve.analysis.ablation import NEEDED, UNDECIDED, prunings

    refusals = {NEEDED: "too much, so fewer", UNDECIDED: "that may be too much, so fewer"}
    for columns, loss in prunings(measurement, losses):
        cells = loss_cells(loss, 2)
        verdict = refusals.get(loss.verdict, "no loss that matters")
        say(f"without {len(columns)} of {len(losses)} rules together: {cells['change']} ({cells['95 %']}): {verdict}")
        if loss.may_go:
            return columns, loss
    say("no rule is shown to be safe to delete; nothing was written. More --deals may show it")
    return None


def _write(target: Path, population: Population, columns: list[int], loss: Loss) -> None:
    """The file of the only player of a population without some rules."""
    from evolve.analysis.ablation import used, without
    from rulebots.packages.population import Entry, population_text

    ((name, entry),) = population.players.items()
    cells = loss_cells(loss, 2)
    note = (
        f"{name} without {len(columns)} of its {len(used(entry.weights))} rules; "
        f"win rate {cells['change']} ({cells['95 %']})"
    )
    smaller = Entry(without(entry.weights, columns), note=note, unnamed=entry.unnamed | set(columns))
    write_new(target, population_text(replace(population, players={name: smaller})))
