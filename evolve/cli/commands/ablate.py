"""`evolve ablate`."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from evolve.cli.analysis import custom_flags, loss_data, loss_interval, new_file
from evolve.cli.commands import app
from rulebots.cli.console import live_line, say, say_json, show
from rulebots.cli.options import (
    AsJson,
    CustomGame,
    Imports,
    Jobs,
    OpeningPlies,
    OptionTexts,
    PlayerFile,
    Seed,
    bring,
    deals_option,
    jobs_of,
    opponents_option,
    options_of,
    out_option,
    share,
    switch,
)
from rulebots.cli.tables import new_table
from rulebots.errors import UsageError
from rulebots.files import write_new
from rulebots.packages import parts_of

if TYPE_CHECKING:
    from rich.table import Table

    from evolve.analysis.ablation import Loss, Pruning
    from rulebots.packages.population import Entry, Population
    from rulebots.rules import RuleSet, Weights


@app.with_examples(
    "evolve ablate champion",
    "evolve ablate strong.yaml#finalist_2 --deals 5000 --opponents shelly",
    "evolve ablate strong.yaml --prune --out small.yaml",
    group="Measure",
)
def ablate(
    file: PlayerFile,
    deals: Annotated[int, deals_option("Against each opponent.", 2)] = 1000,
    seed: Seed = 1,
    opponents: Annotated[
        list[str] | None,
        opponents_option("The player itself is always one.", default="the game's reference players"),
    ] = None,
    tolerance: Annotated[
        float | None, share("The largest loss of win rate that does not matter.", default="1%")
    ] = None,
    game: CustomGame = None,
    imports: Imports = None,
    option: OptionTexts = None,
    opening_plies: OpeningPlies = None,
    jobs: Jobs = None,
    prune: Annotated[bool, switch("--prune", "Write a new file without the rules that are not needed.")] = False,
    out: Annotated[
        Path | None, out_option("A new one, with --prune.", default="NAME-pruned.yaml in this folder", dash=True)
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Measure what each rule of a player is worth.

    That is the win rate that the player loses without it.

    The player with and without the rule plays the same deals against the same opponents, and against the
    player as it is; every opponent counts alike. The 95 % interval is that of the difference.
    """
    if out is not None and not prune:
        raise typer.BadParameter("only --prune writes a file: give it too, or leave this out", param_hint="'--out'")
    if tolerance is not None and tolerance >= 1:
        raise typer.BadParameter(f"expected less than 100%, not {100 * tolerance:g}%", param_hint="'--tolerance'")
    options, threads = options_of(option), jobs_of(jobs)
    from evolve.analysis.ablation import ITSELF, TOLERANCE, measurements, prunings, used
    from evolve.analysis.ablation import ablate as losses_of
    from evolve.storage.result import flags_of
    from rulebots.packages.players import entry_of, file_of, make_player
    from rulebots.players import RulePlayer
    from rulebots.players.specs import in_list, specs_of

    bring(game, imports)
    population, name, entry = entry_of(file, game)
    played, rule_set, columns = population.game, population.rules, used(entry.weights)
    if not columns:
        raise UsageError(f"'{file}' weighs no rule: there is nothing to leave out")
    others = list(parts_of(played).references) if opponents is None else specs_of(opponents)
    met = [(spec, make_player(spec, played)) for spec in others]
    stem = Path(file_of(file)[0]).stem
    target = new_file(out, f"{stem}-pruned.yaml", "the name of a players' file, FILE.yaml") if prune else None
    minor = TOLERANCE if tolerance is None else tolerance
    intact = RulePlayer(rule_set, entry.weights, name)

    chosen: dict[str, Any] = {"options": options, "opening_plies": opening_plies, "jobs": threads, "tolerance": minor}
    measurement = measurements(intact, met, deals, seed, **chosen)
    games = 2 * deals * (len(met) + 1)
    with live_line() as line:
        losses = losses_of(measurement(0), lambda done: line(done * games, f"{done} of {len(columns)} rules"))
    title = f"{name} of {played.title} without each of its rules: {deals:,} deals, seed {seed}"
    show(table(rule_set, entry.weights, losses), title)
    say(f"against {', '.join([*others, ITSELF])}, each counting alike; a loss of {100 * minor:g} % does not matter")
    fewest = min(loss.distinct_deals for loss in losses.values())
    if fewest < deals:
        say(f"some deals are copies of others: of {deals:,} at least {fewest:,} are distinct")
    kept = None
    if target is not None:
        flags = [f"--deals {deals}", f"--seed {seed}", *(f"--opponents {shlex.quote(in_list(one))}" for one in others)]
        flags += [f"--tolerance {100 * minor:g}%"] if minor != TOLERANCE else []
        own = [*custom_flags(rule_set), *flags_of({"options": options})]
        flags += own if opening_plies is None else [*own, f"--opening-plies {opening_plies}"]
        command = f"evolve ablate {file} {' '.join(flags)} --prune"
        kept = write_pruned(population, name, entry, prunings(measurement, losses), target, command, own)
    if as_json:
        rows = rule_set.rows(entry.weights)
        found = [{**rows[column], **loss_data(loss)} for column, loss in losses.items()]
        pruned = kept and {
            "file": str(target),
            "rules": [rows[c]["rule"] for c in kept.columns],
            **loss_data(kept.loss),
        }
        about = {"player": name, "game": played.name, "deals": deals, "seed": seed, "opponents": [*others, ITSELF]}
        say_json({**about, "rules": found, "pruned": pruned})


def table(rules: RuleSet, weights: Weights, losses: Mapping[int, Loss]) -> Table:
    """A line for each rule whose weights are not 0, the most valuable first."""
    from evolve.analysis.ablation import ITSELF

    columns = {"rule": False, "early": True, "late": True, "loses": True, "95 %": True, "to itself": True}
    found = new_table({**columns, "verdict": False})
    for column, loss in losses.items():
        pair = (f"{weight:g}" for weight in weights[:, column])
        key, itself = rules.rules[column].key, f"{100 * loss.against[ITSELF]:.2f} %"
        found.add_row(key, *pair, f"{100 * loss.mean:.2f} %", loss_interval(loss, 2), itself, loss.verdict)
    return found


def write_pruned(
    population: Population,
    name: str,
    entry: Entry,
    tries: Iterable[Pruning],
    target: Path,
    command: str,
    flags: Sequence[str],
) -> Pruning | None:
    """Try to do without the rules that are not needed, and write the player that is as good without them.

    `command` did it, and `flags` are those with which a match finds the game, its rules and its options.
    """
    from evolve.analysis.ablation import NEEDED, UNDECIDED, used, without
    from rulebots.packages.population import Entry, Population, population_text

    count, kept = len(used(entry.weights)), None
    for attempt in tries:
        deleted, loss = len(attempt.columns), attempt.loss
        words = f"without {deleted} of {count} rules together: loses {100 * loss.mean:.2f} % ({loss_interval(loss, 2)})"
        reasons = {NEEDED: "too much, so fewer", UNDECIDED: "that may be too much, so fewer"}
        say(f"{words}: {reasons.get(loss.verdict, 'no loss that matters')}")
        kept = attempt if loss.may_go else None
    if kept is None:
        say("no rule is shown to be safe to delete; nothing was written. More --deals may show it")
        return None
    note = f"{name} without {len(kept.columns)} of its {count} rules; it loses {100 * kept.loss.mean:.2f} % of win rate"
    weights, unnamed = without(entry.weights, kept.columns), entry.unnamed | set(kept.columns)
    smaller = Entry(weights, note=f"{note} ({loss_interval(kept.loss, 2)})", unnamed=frozenset(unnamed))
    players = {name: smaller}
    text = population_text(Population(population.game, population.rules, players, population.bred, command))
    write_new(target, text)
    play = ["rulebots", "match", str(target), parts_of(population.game).references[0], *flags]
    say(f"wrote {target}; play it: {shlex.join(play)}")
    return kept
