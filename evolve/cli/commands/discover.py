"""`evolve discover`."""

from __future__ import annotations

import dataclasses
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.exceptions import TyperException

from evolve.cli.analysis import Analysis, SearchSeed, lessons_option, new_file, rollouts_option
from evolve.cli.commands import app
from evolve.evaluation.run_settings import HAND_TUNED
from rulebots.cli.completion import complete_player
from rulebots.cli.console import say, say_json, show
from rulebots.cli.options import (
    AsJson,
    Imports,
    Jobs,
    OpeningPlies,
    OptionTexts,
    PlayedGame,
    bring,
    deals_option,
    decimal,
    jobs_of,
    options_of,
    out_option,
    seconds_option,
    whole,
)
from rulebots.cli.tables import new_table, rate
from rulebots.errors import UsageError
from rulebots.files import write_new
from rulebots.registry import load_game, origin_of_game, parts_of

if TYPE_CHECKING:
    from rich.table import Table

    from evolve.analysis.discovery import Discovered, Discovery, RuleTrial
    from rulebots.play.results import MatchResult
    from rulebots.players import RulePlayer

#: Seconds after which no further test begins.
SECONDS = 600.0


@app.with_examples(
    "evolve discover champion",
    "evolve discover hand_tuned --game kalah --lessons 40000 --out better.py",
    "evolve discover mine.yaml --import keep.py:mine --seed 2",
    "evolve ablate discovered.yaml --import discovered.py:discovered",
    group="Breed",
)
def discover(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="path.yaml (its first player), path.yaml#player, the name of a shipped player, or hand-tuned: the "
            "weights beside the rules of your own --import or --game.",
            autocompletion=complete_player,
        ),
    ],
    lessons: Annotated[int, lessons_option("In all rounds together.", 80, 100_000, default=True)] = 20_000,
    rounds: Annotated[
        int, whole("Rounds in which lessons are taken, each of the player that the former ones made.", 1, 20)
    ] = 4,
    rollouts: Annotated[int, rollouts_option(1, 1000, default=True)] = 2,
    most: Annotated[int, whole("Rules that are tested, at most.", 1, 100)] = 10,
    deals: Annotated[int, deals_option("In each test, at most, and for the result.", 2, 100_000)] = 8000,
    seconds: Annotated[float, seconds_option("Then no further test begins.")] = SECONDS,
    temperature: Annotated[
        float, decimal("Moves whose scores differ by about X count as about equally good.", 0.0001, 1000, metavar="X")
    ] = 0.2,
    seed: SearchSeed = 1,
    game: PlayedGame = None,
    imports: Imports = None,
    option: OptionTexts = None,
    opening_plies: OpeningPlies = None,
    jobs: Jobs = None,
    out: Annotated[
        Path | None,
        out_option(
            "A new one, FILE.py, with the rules; the player with them goes into FILE.yaml.",
            default="discovered.py in this folder, or the first free name",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Find new rules for a player, as Python to keep or throw away.

    They are made of the rules and fields that it has.

    The player's own games give lessons: half of them rank the candidates, the others screen the highest ranked. Each
    rule that passes is tested on fresh deals, against the same player without it, both with weights learnt again.
    Ctrl-C ends the tests early; what was accepted by then is measured and written. Killed, it goes on where it was when
    the same command is run again.
    """
    options, threads = options_of(option), jobs_of(jobs)
    from evolve.analysis.discovery import Discovery, DiscoverySettings
    from rulebots.players import RulePlayer
    from rulebots.players.names import entry_of

    bring(game, imports)
    target = new_file(out, "discovered.py", "the name of a file with Python, such as found.py", ".yaml")
    player = _hand_tuned(game, imports) if file.replace("_", "-") == HAND_TUNED else None
    if player is None:
        population, name, entry = entry_of(file, game)
        player = RulePlayer(population.rules, entry.weights, name)
    name = player.name
    chosen = DiscoverySettings(
        lessons=lessons, rounds=rounds, rollouts=rollouts, most=most, deals=deals, temperature=temperature
    )
    search = Discovery(player, chosen, seed=seed, options=options, opening_plies=opening_plies, jobs=threads, keep=True)
    if search.steps.begun:
        say("going on with what this search had done when it was stopped")
    with Analysis() as analysis:
        with analysis.or_nothing("interrupted before the first test: nothing was found"):
            _candidates(search)
        if not search.passed:
            say("no candidate explains on other lessons what the rules do not: there is nothing to test")
            search.steps.forget()
            if as_json:
                say_json(_as_data(search, None, None))
            return
        lost = "interrupted in the first test: nothing was found"
        analysis.each(search.trials(seconds), _tell, lambda: "" if search.tried else lost)
        if (left := len(search.passed) - len(search.tried)) and not analysis.interrupted:
            say(f"the time is over: {left} not tested")
        with analysis.or_nothing("interrupted while the result was measured: nothing was saved"):
            found = search.measured(deals)
        if found.expressions:
            _write(search, found, target, file)
    if as_json:
        say_json(_as_data(search, found, target))
    else:
        _report(search, found, target, name)
    if analysis.interrupted:
        raise TyperException("interrupted: rules that were not tested may help, too")
    if not left:
        search.steps.forget()


def _hand_tuned(game: str | None, imports: Sequence[str] | None) -> RulePlayer | None:
    """The player with the weights beside the user's rules; None without any, or where the game ships one."""
    from rulebots.players import RulePlayer
    from rulebots.players.names import shipped_files
    from rulebots.rules import load_rules

    if imports:
        own = load_rules(imports[-1])
        if game is not None and load_game(game) is not own.game:
            raise UsageError(f"{imports[-1]}: expected rules of {load_game(game).name}, not of {own.game.name}")
    elif game is not None and "hand_tuned" not in shipped_files(load_game(game)):
        own = parts_of(load_game(game)).rule_set()
    else:
        return None
    return RulePlayer(own, own.hand_tuned(), HAND_TUNED)


def _candidates(search: Discovery) -> None:
    """Take lessons, rank and screen, and say what is done."""
    player, settings = search.player, search.settings
    say(f"taking {settings.lessons:,} lessons of {player.name} at {player.game.title}")
    count = search.candidates()
    say(f"{count:,} candidates of {len(search.rules.rules)} rules, ranked on {len(search.lessons):,} lessons")
    for found in search.screen():
        say(f"to test: {found.expression.name} (p = {found.p:.2g} on the other half)")


def _tell(trial: RuleTrial) -> None:
    says, told = trial.verdict, trial.screened.expression.name
    test = f"{says.says}, {100 * says.win_rate:.1f} % of {says.games:,} games against the player without it"
    say(f"{'kept' if trial.accepted else 'not kept'}: {told}: {test}")


def _write(search: Discovery, found: Discovered, target: Path, file: str) -> None:
    """The module, and the population file that uses it."""
    from evolve.analysis.discovery.rules_file import VARIABLE, rules_text
    from evolve.storage.result import flags_of
    from rulebots.players.population import Entry, Population, population_text
    from rulebots.rules import load_rules

    folder, name = target.parent, target.stem.replace("_", "-")
    write_new(target, rules_text(search.rules, found.expressions, found.weights, name, folder))
    made = load_rules(f"{target}:{VARIABLE}")
    own = len(search.rules.rules)
    without = made.hand_tuned() * 0.0
    without[:, :own] = found.without
    assert found.against_without is not None
    note = f"{_rate(found.against_without)} against `without`, which learnt from the same lessons"
    players = {VARIABLE: Entry(found.weights, note=note), "without": Entry(without, note=f"the rules that {file} had")}
    command = ["evolve", "discover", file, "--lessons", str(search.settings.lessons), "--seed", str(search.seed)]
    command += flags_of({"options": search.arena.settings.options})
    text = population_text(Population(made.game, made, players, comment=shlex.join(command)))
    write_new(target.with_suffix(".yaml"), text)


def _as_data(search: Discovery, found: Discovered | None, target: Path | None) -> dict[str, Any]:
    tested = [
        {"rule": trial.screened.expression.name, "kept": trial.accepted, **dataclasses.asdict(trial.verdict)}
        for trial in search.tried
    ]
    about = {"player": search.player.name, "game": search.player.game.name, "seed": search.seed, "tested": tested}
    if found is None or not found.expressions:
        return {**about, "file": None, "rules": []}
    weights = found.weights[:, len(search.rules.rules) :].T
    rules = [
        {"group": one.group, "rule": one.name, "early": float(early), "late": float(late), "meaning": one.meaning}
        for one, (early, late) in zip(found.expressions, weights, strict=True)
    ]
    results = {"against_without": found.against_without, "against_former": found.against_former}
    measured = {name: result and result.summary() for name, result in results.items()}
    return {**about, "file": str(target), "rules": rules, **measured}


def _report(search: Discovery, found: Discovered, target: Path, name: str) -> None:
    tested = len(search.tried)
    if not found.expressions or found.against_without is None or found.against_former is None:
        say(f"none of {tested} tested rules is shown to make {name} better: nothing was written")
        if found.against_former is not None:
            say(
                f"weights that the same lessons taught, without new rules: {_rate(found.against_former)} against {name}"
            )
        return
    show(_table(search, found), f"new rules for {name} at {search.player.game.title}: {len(found.expressions)}")
    say(f"with them, on fresh deals: {_rate(found.against_without)} against the same lessons without new rules,")
    say(f"and {_rate(found.against_former)} against {name} as it was")
    from evolve.analysis.discovery.rules_file import VARIABLE
    from evolve.storage.result import flags_of

    played, path = search.player.game, target.with_suffix(".yaml")
    game = origin_of_game(played.name)
    flags = [*(["--game", game] if game else []), "--import", f"{target}:{VARIABLE}"]
    flags += flags_of({"options": search.arena.settings.options})
    say(f"wrote {target} and {path}")
    say(f"what each rule is worth: {shlex.join(['evolve', 'ablate', str(path), *flags])}")


def _rate(result: MatchResult) -> str:
    low, high = result.elo_95
    return f"{rate(result)}, {result.elo:+.0f} Elo ({low:+.0f} to {high:+.0f})"


def _table(search: Discovery, found: Discovered) -> Table:
    table = new_table({"rule": False, "early": True, "late": True, "meaning": False})
    for column, expression in enumerate(found.expressions, len(search.rules.rules)):
        early, late = (f"{weight:g}" for weight in found.weights[:, column])
        table.add_row(f"{expression.group}.{expression.name}", early, late, expression.meaning)
    return table
