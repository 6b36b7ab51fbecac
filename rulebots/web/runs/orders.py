"""What a form of the page orders, as a command of `evolve`: nothing in it names code or a file outside the folder."""

from __future__ import annotations

from rulebots.registry import parts_of
from collections.abc import Mapping
from typing import Any

from evolve.settings import HAND_TUNED, Settings
from evolve.storage.folder import RUNS
from rulebots.errors import UsageError, shown
from rulebots.game import Game
from rulebots.registry import load_game
from rulebots.players.bred import split_spec
from rulebots.players.names import shipped_files
from rulebots.players.specs import split_specs
from rulebots.game.random_numbers import MOST_SEED
from rulebots.registry import game_names, place_of
from rulebots.registry.named_code import origin_of
from rulebots.rules import RuleSet
from rulebots.web.forms import whole
from rulebots.web.opponents import Opponents

#: The largest run that the page starts.
MOST_GENERATIONS, MOST_POPULATION = 1000, 200
#: A run to look on at: what the form offers.
GENERATIONS, POPULATION = 20, 40
#: As an opponent: none, as on the command line.
NONE = "none"
#: The most opponents of a run, and the longest field that names them.
MOST_OPPONENTS, LONGEST = 8, 500


def game_of(name: str) -> Game:
    """The game of that name. Raises UsageError for one that is not here."""
    if name not in game_names():
        raise UsageError(f"game: expected one of {', '.join(game_names())}, not '{shown(name)}'")
    return load_game(name)


def rule_sets_of(game: Game) -> dict[str, RuleSet]:
    """The rule sets of a game that can be bred, by name: its own and those that a person has brought."""
    return {**parts_of(game).rule_sets, **parts_of(game).brought_rule_sets}


def new_run(fields: Mapping[str, str], name: str, opponents: Opponents) -> list[str]:
    """The words after `evolve` that begin a run. Raises UsageError for a wrong field."""
    game = game_of(fields.get("game", ""))
    rules = fields.get("rules", "").strip() or next(iter(parts_of(game).rule_sets))
    if rules not in rule_sets_of(game):
        raise UsageError(f"rules: expected one of {', '.join(rule_sets_of(game))}, not '{shown(rules)}'")
    named = origin_of(rule_sets_of(game)[rules])
    generations = whole(fields, "generations", 1, MOST_GENERATIONS, GENERATIONS)
    population = whole(fields, "population", 2, MOST_POPULATION, POPULATION)
    words = ["run", "--game", place_of(game.name), "--rules", named.absolute if named else rules]
    words += ["--generations", str(generations), "--population", str(population)]
    words += ["--seed", str(whole(fields, "seed", 0, MOST_SEED, 1)), "--run-dir", str(RUNS / name), "--quiet"]
    start = fields.get("start", "").strip()
    if start:
        words += ["--from", _start(start, game, opponents)]
    given: dict[str, Any] = {"game": game.name, "rules": rules, "generations": generations, "population": population}
    strategy = fields.get("strategy", "").strip()[:LONGEST]
    if strategy:
        words += ["--strategy", strategy]
    met = fields.get("opponents", "").strip()[:LONGEST]
    if met:
        given["opponents"] = _opponents(met, game, opponents)
        words += ["--opponents", ",".join(given["opponents"]) or NONE]
    _check(Settings.of(strategy or None, **given), rule_sets_of(game)[rules])
    return words


def _check(settings: Settings, rules: RuleSet) -> None:
    """Raises UsageError for a strategy that is not here, or has not such settings, as the run itself would."""
    from evolve.strategies import make_breeder  # which breeds: the first page does without

    make_breeder(settings, rules, [rules.hand_tuned()])


def _opponents(text: str, game: Game, opponents: Opponents) -> tuple[str, ...]:
    """The opponents of a run, files as whole paths. Raises UsageError for one that is not to be had."""
    names = split_specs(text)
    if names == [NONE]:
        return ()
    if len(names) > MOST_OPPONENTS:
        raise UsageError(f"opponents: expected at most {MOST_OPPONENTS}, not {len(names)}")
    for name in names:
        if name != HAND_TUNED:
            opponents.player(name, game)
    return tuple(name if name == HAND_TUNED else opponents.text(name, game) for name in names)


def resumed_run(name: str, fields: Mapping[str, str], game: str, rules: str) -> list[str]:
    """The words that resume a run of that game, "" if it is not here, and rule set. Raises UsageError."""
    words = ["resume", str(RUNS / name), "--quiet"]
    if fields.get("generations", "").strip():
        words += ["--generations", str(whole(fields, "generations", 1, MOST_GENERATIONS))]
    if game and place_of(game) != game:
        words += ["--game", place_of(game)]
    named = origin_of(rule_sets_of(load_game(game)).get(rules)) if game else None
    return [*words, "--rules", named.absolute] if named else words


def _start(spec: str, game: Game, opponents: Opponents) -> str:
    """The file whose players begin: a shipped one, or one of the served folder."""
    path, wanted = split_spec(spec)
    # As a whole path: by its name alone another game's would be found.
    file = shipped_files(game).get(path) or opponents.file(path)
    return str(file) + ("" if wanted is None else f"#{wanted}")
