"""`evolve ablate`."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evolve.cli.commands import app
from evolve.cli.options import custom_flags, loss_data, loss_interval, new_file
from rulebots.cli.console import live_line, say, say_json, show
from rulebots.cli.lookup import bring
from rulebots.cli.options import AsJson, CustomGame, Imports, PlayerFile, Seed, Setup, out_option, share, shared, switch
from rulebots.cli.tables import table_of
from rulebots.errors import UsageError
from rulebots.files import write_new
from rulebots.packages import package_of

if TYPE_CHECKING:
    from rich.table import Table

    from evolve.analysis.ablation import Loss, Pruning
    from rulebots.packages.population import Entry, Population
    from rulebots.rules import RuleSet, Weights


@dataclass(frozen=True)
class AblateFlags:
    """The player, whom it meets, and what is written."""

    file: PlayerFile
    game: CustomGame = None
    imports: Imports = None
    deals: Annotated[int, shared("--deals", "Against each opponent.", 2)] = 1000
    seed: Seed = 1
    opponents: Annotated[
        list[str] | None,
        shared("--opponents", "The player itself is always one.", default="the game's reference players"),
    ] = None
    tolerance: Annotated[float | None, share("The largest loss of win rate that does not matter.", default="1%")] = None
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

    That is the win rate that the player loses without it.

    The player with and without the rule plays the same deals against the same opponents, and against the
    player as it is; every opponent counts alike. The 95 % interval is that of the difference.
    """
    if flags.out is not None and not flags.prune:
        raise typer.BadParameter("only --prune writes a file: give it too, or leave this out", param_hint="'--out'")
    if flags.tolerance is not None and flags.tolerance >= 1:
        raise typer.BadParameter(f"expected less than 100%, not {100 * flags.tolerance:g}%", param_hint="'--tolerance'")
    from evolve.analysis.ablation import ITSELF, TOLERANCE, measurements, prunings, used
    from evolve.analysis.ablation import ablate as losses_of
    from rulebots.packages.players import entry_of, file_of, make_player
    from rulebots.players import RulePlayer
    from rulebots.players.specs import specs_of

    bring(flags.game, flags.imports)
    population, name, entry = entry_of(flags.file, flags.game)
    game = population.game
    rules = population.rules
    columns = used(entry.weights)
    if not columns:
        raise UsageError(f"'{flags.file}' weighs no rule: there is nothing to leave out")
    opponents = list(package_of(game).references) if flags.opponents is None else specs_of(flags.opponents)
    players = [(spec, make_player(spec, game)) for spec in opponents]
    default = f"{Path(file_of(flags.file)[0]).stem}-pruned.yaml"
    target = new_file(flags.out, default, "the name of a players' file, FILE.yaml") if flags.prune else None

    deals = flags.deals
    tolerance = TOLERANCE if flags.tolerance is None else flags.tolerance
    measurement = measurements(
        RulePlayer(rules, entry.weights, name),
        players,
        deals,
        flags.seed,
        tolerance=tolerance,
        **setup.arguments(),
    )
    games = 2 * deals * (len(players) + 1)
    with live_line() as line:
        losses = losses_of(measurement(0), lambda done: line(done * games, f"{done} of {len(columns)} rules"))
    title = f"{name} of {game.title} without each of its rules: {deals:,} deals, seed {flags.seed}"
    show(table(rules, entry.weights, losses), title)
    against = ", ".join([*opponents, ITSELF])
    say(f"against {against}, each counting alike; a loss of {100 * tolerance:g} % does not matter")
    fewest = min(loss.distinct_deals for loss in losses.values())
    if fewest < deals:
        say(f"some deals are copies of others: of {deals:,} at least {fewest:,} are distinct")
    pruning = None
    if target is not None:
        pruning = prune(population, name, entry, prunings(measurement, losses))
        if pruning is not None:
            smaller = pruned(population, name, entry, pruning, _command(flags, setup, rules, opponents))
            write_new(target, smaller)
            play = ["rulebots", "match", str(target), package_of(game).references[0], *_own_flags(rules, setup)]
            say(f"wrote {target}; play it: {shlex.join(play)}")
    if flags.as_json:
        rows = rules.rows(entry.weights)
        about = {"player": name, "game": game.name, "deals": deals, "seed": flags.seed}
        about["opponents"] = [*opponents, ITSELF]
        about["rules"] = [{**rows[column], **loss_data(loss)} for column, loss in losses.items()]
        about["pruned"] = pruning and {
            "file": str(target),
            "rules": [rows[column]["rule"] for column in pruning.columns],
            **loss_data(pruning.loss),
        }
        say_json(about)


def table(rules: RuleSet, weights: Weights, losses: Mapping[int, Loss]) -> Table:
    """A line for each rule whose weights are not 0, the most valuable first."""
    from evolve.analysis.ablation import ITSELF

    rows = (
        {
            "rule": rules.rules[column].key,
            "early": f"{weights[0, column]:g}",
            "late": f"{weights[1, column]:g}",
            "loses": f"{100 * loss.mean:.2f} %",
            "95 %": loss_interval(loss, 2),
            "to itself": f"{100 * loss.against[ITSELF]:.2f} %",
            "verdict": loss.verdict,
        }
        for column, loss in losses.items()
    )
    return table_of(rows, "rule", "verdict")


def prune(population: Population, name: str, entry: Entry, attempts: Iterable[Pruning]) -> Pruning | None:
    """Leave out the rules that are not needed, as many as may go together; None where none may."""
    from evolve.analysis.ablation import NEEDED, UNDECIDED, used

    count = len(used(entry.weights))
    pruning = None
    for attempt in attempts:
        loss = attempt.loss
        words = f"without {len(attempt.columns)} of {count} rules together"
        refusals = {NEEDED: "too much, so fewer", UNDECIDED: "that may be too much, so fewer"}
        verdict = refusals.get(loss.verdict, "no loss that matters")
        say(f"{words}: loses {100 * loss.mean:.2f} % ({loss_interval(loss, 2)}): {verdict}")
        pruning = attempt if loss.may_go else None
    if pruning is None:
        say("no rule is shown to be safe to delete; nothing was written. More --deals may show it")
    return pruning


def pruned(population: Population, name: str, entry: Entry, pruning: Pruning, command: str) -> str:
    """The file of the player without those rules; `command` wrote it."""
    from evolve.analysis.ablation import used, without
    from rulebots.packages.population import Entry, Population, population_text

    loss = pruning.loss
    rules = f"{len(pruning.columns)} of its {len(used(entry.weights))} rules"
    note = f"{name} without {rules}; it loses {100 * loss.mean:.2f} % of win rate ({loss_interval(loss, 2)})"
    unnamed = frozenset(entry.unnamed | set(pruning.columns))
    players = {name: Entry(without(entry.weights, pruning.columns), note=note, unnamed=unnamed)}
    return population_text(Population(population.game, population.rules, players, population.bred, command))


def _own_flags(rules: RuleSet, setup: Setup) -> list[str]:
    """The flags by which a match finds the game, its rules and its options."""
    from evolve.storage.result import words_of

    return [*custom_flags(rules), *words_of({"options": setup.options})]


def _command(flags: AblateFlags, setup: Setup, rules: RuleSet, opponents: Sequence[str]) -> str:
    """The command that writes the same file."""
    from rulebots.players.specs import in_list

    words = [f"--deals {flags.deals}", f"--seed {flags.seed}"]
    words += [f"--opponents {shlex.quote(in_list(one))}" for one in opponents]
    if flags.tolerance is not None:
        words.append(f"--tolerance {100 * flags.tolerance:g}%")
    words += _own_flags(rules, setup)
    if setup.opening_plies is not None:
        words.append(f"--opening-plies {setup.opening_plies}")
    return f"evolve ablate {flags.file} {' '.join(words)} --prune"
