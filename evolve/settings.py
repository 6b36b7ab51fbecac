"""What decides a run, in one frozen, validated record: same settings, same YAML.

Each setting is declared once. The flags of `evolve run`, the run file, its JSON Schema and the table of the
documentation follow from the fields.
"""

from __future__ import annotations

import functools
import importlib.metadata
import pkgutil
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulebots.errors import MOST_SEED, UsageError, check_known, demand
from rulebots.files.layout import (
    Key,
    Keys,
    Problems,
    any_text,
    declared,
    exactly,
    in_range,
    keys_of,
    listed,
    named,
    read_file,
)
from rulebots.files.plain_yaml import Node, comment_text, flow
from rulebots.files.ranges import Range, check_numbers, number, optional_number
from rulebots.packages import DEFAULT_GAME, game_names, load_game, package_of, path_of_game
from rulebots.packages.named_code import code_name
from rulebots.packages.rule_sets import game_of_rules, load_rules

if TYPE_CHECKING:
    from rulebots.game import Game
    from rulebots.rules import RuleSet

#: Limits that only typing errors exceed: games of one generation, deals or lessons of one kind in it.
MOST_GAMES = 100_000_000
MOST_OF_A_KIND = 100_000
MOST_GENERATIONS = 1_000_000
MOST_POPULATION = 20_000
MOST_MARGIN = 1_000_000
MOST_OPENING_PLIES = 1_000_000
#: As an opponent: the player of the game that its author tuned by hand.
HAND_TUNED = "hand-tuned"

#: Settings whose defaults follow from whom a player meets.
_DEALS = {"deals", "opponent_deals"}
_NAME = any_text("a name", empty=True)
_PLAYER = any_text("the name of a player")
FORMAT = "rulebots-run/1"
_HEAD = "# What decides a run: breed it with `evolve run --config FILE`; flags override what is here."


def _strategies_that_begin(begun: str) -> list[str]:
    return [name for name in sorted(strategies()) if name.startswith(begun)]


@dataclass(frozen=True)
class Settings:
    """A breeding run.

    `Settings(...)` takes the defaults below, `Settings.of(...)` those of the game and the strategy first. The command
    line has a flag for each setting up to `opening_plies`.

    Raises:
        UsageError: a value out of its range.
    """

    game: str = declared(DEFAULT_GAME, _NAME, "players of it are bred", "GAME")
    rules: str = declared("", _NAME, "its weights are bred", "SET", usual="the game's first")
    strategy: str = declared(
        "ga",
        _NAME,
        "the breeding strategy: memetic, ga, spsa, cma-es, or sheppard for Daniel Sheppard's scheme; its own settings "
        "follow a colon, as in ga:mutation=0.3",
        "NAME",
        complete=_strategies_that_begin,
    )
    generations: int = number(50, 1, MOST_GENERATIONS, "generations to breed")
    population: int = number(40, 2, MOST_POPULATION, "players in a generation")
    deals: int = number(2, 1, MOST_OF_A_KIND, "by each pair of players in a generation, at larger tables by each table")
    seed: int = number(1, 0, MOST_SEED, "all random numbers of the run come from it")
    opponents: tuple[str, ...] = declared(
        (),
        listed(_PLAYER, "a list of players, such as [hand-tuned, champion]"),
        "players that everyone meets in addition to the population; `hand-tuned` is the game's own player",
        "PLAYER,...",
    )
    opponent_deals: int = number(
        12, 1, MOST_OF_A_KIND, "deals against each opponent in a generation, from every seat; few for a slow opponent"
    )
    partners: tuple[str, ...] = declared(
        (),
        listed(_PLAYER, "a list of players, such as [simple, holmes.yaml]"),
        "in a cooperative game: players that everyone plays with as well",
        "PLAYER,...",
    )
    schedule: str = declared(
        "round-robin",
        _NAME,
        "who meets whom in the population: round-robin, swiss or gauntlet; its own settings follow a colon",
        "NAME",
    )
    hall_of_fame: int = number(4, 0, 1000, "former champions, spread over the run, that everyone meets as well")
    lessons: int = number(0, 0, MOST_OF_A_KIND, "games of a generation in which rollouts evaluate one decision")
    rollouts: int = number(8, 1, 1000, "rollouts of each move of such a decision")
    start: str = declared(
        "",
        _NAME,
        "players to begin with: those of a file, or one, path.yaml#player",
        "FILE",
        flag="--from",
        usual="the rules' own weights",
    )
    options: Mapping[str, int] = declared(
        dict,
        named(in_range(Range(whole=True), "a whole number for '{name}'"), "a map of options, such as {size: 4}"),
        "options of the game",
        "NAME=VALUE",
        flag="--option",
    )
    opening_plies: int | None = optional_number(
        int,
        0,
        MOST_OPENING_PLIES,
        "random moves at the beginning of each game, the same from every seat",
        usual="what suits the game",
    )

    opponent_share: float = number(
        0.5, 0.0, 0.99, "share of a player's fitness that comes from the games against the opponents", flag=None
    )
    partner_share: float = number(
        0.5, 0.01, 0.99, "share of the deals that a player plays with partners, if there are any", flag=None
    )
    margin: float = number(
        0.003, 0.0, 1.0, "what a point of margin adds to a win (1) or a draw (0.5), unless points count", flag=None
    )
    margin_cap: int = number(100, 1, MOST_MARGIN, "points beyond which a margin no longer counts", flag=None)
    runoff_deals: int = number(
        400, 1, MOST_OF_A_KIND, "most deals of each pair of finalists in the run-off, from every seat", flag=None
    )
    polish_share: float = number(
        0.1, 0.0, 1.0, "most games that polish the champion, as a share of those that bred it; lessons aside", flag=None
    )
    held_out_deals: int = number(
        2000, 1, MOST_OF_A_KIND, "most fresh deals against each player at the end, from every seat", flag=None
    )
    verdict_deals: int = number(
        8000, 1, MOST_OF_A_KIND, "most deals of the test against the former champion, from every seat", flag=None
    )

    def __post_init__(self) -> None:
        kinds: dict[str, tuple[Any, str]] = {
            **dict.fromkeys(("game", "rules", "strategy", "schedule", "start"), (str, "a text")),
            **dict.fromkeys(("opponents", "partners"), (tuple | list, "names of players, such as ('hand-tuned',)")),
            "options": (Mapping, "a map such as {'size': 4}"),
        }
        for name, (kind, words) in kinds.items():
            value = getattr(self, name)
            items = value if isinstance(value, tuple | list) else ()
            demand(
                isinstance(value, kind) and all(isinstance(item, str) for item in items),
                f"{name}: expected {words}, not {value!r}",
            )
        check_numbers(self)
        from evolve.schedules import pairing_of  # NumPy is for commands that breed, not for their help

        demand(
            self.opponents or pairing_of(self.schedule).rounds_of(self.population),
            f"schedule: '{self.schedule}' needs opponents, since no two players of the population meet: "
            f"name some, such as --opponents {HAND_TUNED}",
        )
        if (games := self.games_a_generation()) > MOST_GAMES:
            raise UsageError(
                f"population {self.population} with {self.deals} deals a pair, {self.opponent_deals} an opponent makes "
                f"{games:,} games a generation; expected at most {MOST_GAMES:,}"
            )

    @classmethod
    def of(cls, strategy: str | None = None, **chosen: Any) -> Settings:
        """Settings for a game and a strategy (None: the game's own), with their defaults for what is not chosen.

        A rule set of the user's, `path.py:name`, says which game it is for, and so does a file to start from.

        Raises:
            UsageError: an unknown game, a value out of its range, an unknown setting in the game's `BREEDING`.
            CodeError: no such rule set, or its code has a mistake.
            PopulationError: the file to start from says the game, but cannot be read.
        """
        rules = chosen.get("rules", cls.rules)
        start = chosen.get("start")
        if "game" not in chosen and isinstance(rules, str) and code_name(rules) is not None:
            chosen["game"] = path_of_game(game_of_rules(rules).name)
        elif "game" not in chosen and isinstance(start, str) and start:
            from rulebots.packages.players import file_of
            from rulebots.packages.population import load_population

            path, player = file_of(start)
            population = load_population(path, drop_missing=True, wanted=player)  # the run refuses missing rules
            chosen["game"] = path_of_game(population.game.name)
        game = load_game(chosen.get("game", cls.game))
        breeding = package_of(game).breeding
        known = [f.name for f in fields(cls) if f.name != "game"]
        for name in breeding:
            check_known("setting", name, known, f"`breeding` of {game.name}")
        strategy = _strategy_of(game, rules) if strategy is None else strategy
        breeder = strategy_of(strategy) if isinstance(strategy, str) else None
        defaults = {**breeding, **(breeder.defaults if breeder else {})}
        deals = _of_deals(game, {**defaults, **chosen}, breeder.games_share if breeder else 1.0)
        return cls(**{**deals, **defaults, **chosen, "strategy": strategy})

    @property
    def strategy_name(self) -> str:
        """The strategy without its settings."""
        return self.strategy.partition(":")[0]

    @property
    def file_name(self) -> str:
        """The game's name as part of a file's, also for a game given as a folder."""
        return load_game(self.game).file_name

    def chosen(self) -> dict[str, Any]:
        """The settings that differ from their defaults, in order: what a file's header needs to say."""
        of_game = Settings.of(game=self.game, rules=self.rules).strategy
        default = replace(Settings.of(self.strategy, game=self.game), strategy=of_game, game=Settings.game)
        differ = {f.name: value for f in fields(self) if (value := getattr(self, f.name)) != getattr(default, f.name)}
        if differ.keys() & _DEALS:
            met = {name: value for name, value in differ.items() if name not in {"game", "strategy", *_DEALS}}
            usual = Settings.of(self.strategy, game=self.game, **met)
            differ = {
                name: value for name, value in differ.items() if name not in _DEALS or value != getattr(usual, name)
            }
        return differ

    def games_a_generation(self, seats: int = 2, *, together: bool = False) -> int:
        """The games within the population and against all opponents, from every seat, with a full hall of fame."""
        from evolve.schedules import pairing_of, tables_of

        pairing = pairing_of(self.schedule)
        players = self.population
        rounds = pairing.rounds_of(players)
        opponents = len(self.opponents) + self.hall_of_fame
        if together:
            return (players + opponents) * self.opponent_deals
        tables = rounds * pairing.pairs_a_round(players) if seats == 2 else tables_of(players, seats, rounds)
        return seats * (tables * self.deals + players * opponents * self.opponent_deals)


def no_lessons(rules: RuleSet) -> str | None:
    """Why players of a rule set cannot learn from lessons; None where they can."""
    if rules.decide is not None:
        return f"players of the rule set '{rules.name}' do not simply take the best score"
    blind = rules.game.hidden and rules.game.redeal is None
    return f"{rules.game.name} hides something and has no function that redeals it" if blind else None


@functools.cache
def strategies() -> dict[str, type[Any]]:
    """Every strategy by its name: a class with a `name` in a module of `evolve/strategies/`.

    Other packages add strategies by an entry point of the group `evolve.strategies` that names the class; one of
    `evolve` wins over another package's of the same name.
    """
    folder = str(Path(__file__).with_name("strategies"))
    modules = [importlib.import_module(f"evolve.strategies.{one.name}") for one in pkgutil.iter_modules([folder])]
    classes = [value for module in modules for value in vars(module).values() if isinstance(value, type)]
    own = [one for one in classes if hasattr(one, "own_settings") and "name" in vars(one)]
    foreign = [point.load() for point in importlib.metadata.entry_points(group="evolve.strategies")]
    return {strategy.name: strategy for strategy in (*foreign, *own)}


def strategy_of(spec: str) -> type[Any]:
    """The strategy that `ga` or `ga:mutation=0.3` names. Raises UsageError for one that does not exist."""
    name = spec.partition(":")[0]
    check_known("strategy", name, strategies())
    return strategies()[name]


def _of_deals(game: Game, known: Mapping[str, Any], share: float) -> Mapping[str, int]:
    """Deals that let a player play about as many games at any table, and against any number of opponents.

    At two seats these are that share of the defaults for a population alone with its hall of fame.
    """
    options, opponents = known.get("options"), known.get("opponents", ())
    population, hall = (known.get(name, getattr(Settings, name)) for name in ("population", "hall_of_fame"))
    if not (isinstance(population, int) and isinstance(hall, int) and isinstance(opponents, tuple | list)):
        return {}  # they are refused later
    try:
        seats = game.seats_with(game.option_values(options if isinstance(options, Mapping) else None))
    except UsageError:
        return {}  # likewise
    among = int(2 * Settings.deals * (population - 1) * share)
    others = int(2 * Settings.opponent_deals * Settings.hall_of_fame * share)
    if game.together(seats):
        return {"opponent_deals": among + others, "hall_of_fame": 0}
    if known.get("schedule") == "gauntlet":
        among, others = 0, among + others
    opponent_deals = max(1, others // seats // max(1, len(opponents) + hall))
    deals = among // seats if seats > 2 else int(Settings.deals * share)
    return {"opponent_deals": opponent_deals, "deals": max(1, deals)}


def _strategy_of(game: Game, rules: str) -> str:
    """The game's own strategy, unless that takes lessons by default and players of these rules cannot.

    Live games are slow: the strategy that needs the fewest games. It is the best at cooperative ones, too, where the
    points of a team say more than who has won (benchmarks/generality.py, at The Game).
    """
    usual = Settings.strategy if game.live is None and game.aim != "together" else "spsa"
    own: str = package_of(game).breeding.get("strategy", usual)
    known = load_rules(rules, game) if rules and strategy_of(own).defaults.get("lessons") else None
    return Settings.strategy if known is not None and no_lessons(known) else own


def load_run_file(path: str | Path) -> dict[str, Any]:
    """The settings that a run file names, by their names in `Settings`; each is sound by itself.

    Raises:
        UsageError: something in the file is wrong. InputError: it cannot be read.
    """
    settings, problems = read_file(path, "run file", _read)
    if settings is None and not problems[0].line:
        raise problems[0]
    if problems or settings is None:
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        raise UsageError(f"{problems[0]}{more}")
    return settings


def run_file_text(settings: Settings) -> str:
    """A run file with every setting and what it means: `load_run_file` gives back the same settings."""
    keys = layout().keys
    lines = {name: f"{name}: {flow(value)}" for name, value in vars(settings).items()}
    width = min(40, max(map(len, lines.values())))
    explained = (f"{line:<{width}}  # {comment_text(keys[name].meaning)}\n" for name, line in lines.items())
    return f"{_HEAD}\nformat: {FORMAT}\n{''.join(explained)}"


def run_file_schema() -> dict[str, Any]:
    """A JSON Schema (draft 2020-12) of run files, for editors that complete and check."""
    from evolve.schedules import PAIRINGS

    schema = layout().schema
    properties = schema["properties"]
    properties["game"]["enum"] = list(game_names())
    for name, known in (("strategy", strategies()), ("schedule", PAIRINGS)):
        properties[name]["pattern"] = f"^({'|'.join(known)})(:.*)?$"
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "A run of evolve", **schema}


def layout() -> Keys:
    """What a run file may hold: each setting with its kind, its range and what it means."""
    head = {"format": Key(exactly(FORMAT), f"`{FORMAT}`", f"format: {FORMAT}")}
    return Keys("a run file", head | keys_of(Settings), f"a run file, which begins with 'format: {FORMAT}'")


def _check_player(name: str, game: Game) -> None:
    """Raise UsageError for a plain name that no player of a game has; files, searches and code are left to the run."""
    from rulebots.packages.players import make_player

    if name != HAND_TUNED and name.replace("-", "_").isidentifier():
        make_player(name, game)


def _read(root: Node, problems: Problems) -> dict[str, Any]:
    """The settings in a tree; everything wrong goes to `problems`, also names that mean nothing."""
    from evolve.schedules import pairing_of
    from rulebots.players.specs import settings_of

    nodes = layout().nodes(root, problems)
    settings = layout().values(nodes, problems)
    settings.pop("format", None)
    game = problems.attempt(nodes.get("game", root), lambda: load_game(settings.get("game", Settings.game)))
    if game is not None and settings.get("rules"):
        problems.attempt(nodes["rules"], lambda: load_rules(settings["rules"], game))
    if game is not None and "options" in settings:
        problems.attempt(nodes["options"], lambda: game.option_values(settings["options"]))
        settings["options"] = dict(sorted(settings["options"].items()))
    for name in ("opponents", "partners"):
        if name in settings:
            for node, player in zip(getattr(nodes[name], "items", ()), settings[name], strict=False):
                if game is not None:
                    problems.attempt(node, functools.partial(_check_player, player, game))
            settings[name] = tuple(settings[name])
    if "strategy" in settings:
        spec = settings["strategy"]
        problems.attempt(nodes["strategy"], lambda: check_numbers(settings_of(spec, strategy_of(spec).own_settings)))
    if "schedule" in settings:
        problems.attempt(nodes["schedule"], lambda: pairing_of(settings["schedule"]))
    return settings
