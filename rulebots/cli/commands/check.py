"""`rulebots check`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rulebots.cli import options as opt
from rulebots.cli.commands import app
from rulebots.cli.console import say, say_json
from rulebots.cli.lookup import complete_game, options_of
from rulebots.cli.tables import counted, each_once
from rulebots.errors import UsageError, one_line
from rulebots.packages import load_game, package_of
from rulebots.packages.rule_sets import load_rules, rule_sets_of

if TYPE_CHECKING:
    from rulebots.checking import Finding

#: Random games by default, and at most; plies of `--perft`.
GAMES = 30
MOST_GAMES = 100_000
MOST_PERFT = 60


@app.with_examples(
    "rulebots check kalah",
    "rulebots check kalah --perft 6",
    "rulebots check lost-cities --rules standard",
    "rulebots check shelly --game lost-cities",
    "rulebots check champion.yaml",
    group="Your own game",
)
def check(
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="NAME...",
            help="Games, players, rule sets or population files.",
            show_default=False,
            autocompletion=complete_game,
        ),
    ],
    game: Annotated[str | None, opt.shared("--game", "Each NAME is a player or rule set of it then.")] = None,
    rule_set: Annotated[str | None, opt.shared("--rules", "Of a game, it alone is checked.")] = None,
    games: Annotated[int, opt.shared("--games", "Their moves are random.", 1, MOST_GAMES)] = GAMES,
    perft: Annotated[
        int | None,
        opt.whole("Instead: count the sequences of 1 to N moves from the first position of a game.", 1, MOST_PERFT),
    ] = None,
    seed: Annotated[int, opt.shared("--seed", "With --perft it deals.")] = 1,
    option: opt.OptionTexts = None,
    as_json: opt.AsJson = False,
) -> None:
    """Look for mistakes in a game, its rules and its players.

    Each is a line, with its file and line.

    Random games are played interpreted, where bounds are checked, and so is what every function gives; then some of
    them compiled, which have to be the same.
    """
    if perft is not None:
        counts = {name: _count(name, perft, seed, options_of(option)) for name in names}
        if as_json:
            say_json({"perft": counts})
        return
    opt.refuse({"--option": option}, "it only goes with --perft")
    results = []
    for name in names:
        try:
            findings, about = _checked(name, game, rule_set, games)
        except UsageError as error:
            say(one_line(error))
            results.append({"name": name, "ok": False, "problems": [one_line(error)], "notes": []})
            continue
        for finding in findings:
            say(one_line(finding))
        notes, problems = ([one_line(one) for one in findings if one.note is note] for note in (True, False))
        results.append({"name": name, "ok": not problems, "problems": problems, "notes": notes})
        noted = f", {counted(len(notes), 'note')}" * bool(notes)
        say(f"{name}: {counted(len(problems), 'problem') if problems else f'ok, {about}'}{noted}")
    if as_json:
        say_json({"checked": results})
    if not all(result["ok"] for result in results):
        raise typer.Exit(1)


def _checked(name: str, game_name: str | None, rule_set: str | None, games: int) -> "tuple[list[Finding], str]":
    """The findings about what a name means, and in a few words what was looked at."""
    from rulebots.checking import Finding, check_game, check_law, check_player, check_rules
    from rulebots.packages.players import make_player
    from rulebots.packages.population import check_population, load_population
    from rulebots.players import decides_by_rules

    if Path(name).suffix in (".yaml", ".yml"):
        if game_name is not None:
            load_game(game_name)  # the file may name it
        if problems := [Finding(told) for told in each_once(check_population(name))]:
            return problems, ""
        population = load_population(name)
        players = counted(len(population.players), "player")
        return check_rules(population.rules), f"{players} of {population.game.name}, rule set {population.rules.name}"
    game = load_game(name if game_name is None else game_name)
    if game_name is None and rule_set is None:
        rules_of_game = sum(len(rules.rules) for rules in rule_sets_of(game).values())
        counts = {"random game": games, "rule": rules_of_game, "player": len(package_of(game).players)}
        return check_game(game, games), ", ".join(counted(count, what) for what, count in counts.items())
    if game_name is not None:
        rule_set = name if name in rule_sets_of(game) and name not in package_of(game).players else None
    # A part of a game is checked where its law has no mistakes.
    if rule_set is None:
        player = make_player(name, game)
        findings = check_law(game, games).mistakes or (
            check_rules(player.rules, games) if decides_by_rules(player) else check_player(player)
        )
        return findings, f"a player of {game.name}"
    rules = load_rules(rule_set, game)
    findings = check_law(game, games).mistakes or check_rules(rules, games)
    return findings, f"{counted(len(rules.rules), 'rule')} of '{rule_set}'"


def _count(name: str, depth: int, seed: int, options: dict[str, int]) -> list[int]:
    from rulebots.checking.law import perft
    from rulebots.game.position import Position

    position = Position(load_game(name), options, seed=seed, compiled=True)
    counts = []
    for plies in range(1, depth + 1):
        counts.append(perft(position, plies))
        say(f"{plies:3d}  {counts[-1]:,}")
    return counts
