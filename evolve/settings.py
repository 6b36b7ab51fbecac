"""The settings of a run, with the defaults of its game and its strategy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from evolve.evaluation.run_settings import RunSettings
from rulebots.errors import UsageError, unknown
from rulebots.game import Game
from rulebots.packages import game_of_rules, load_game, parts_of, path_of_game
from rulebots.packages.named_code import code_name
from rulebots.packages.players import file_of
from rulebots.packages.population import load_population


@dataclass(frozen=True)
class Settings(RunSettings):
    """A breeding run: every field of `RunSettings`, and what suits a game and a strategy.

    Raises:
        UsageError: a value out of its range.
    """

    @classmethod
    def of(cls, strategy: str | None = None, **given: Any) -> Settings:
        """Settings for a game and a strategy (None: the game's own), with their defaults for what is not given.

        A rule set of the user's, `path.py:name`, says which game it is for, and so does a file to start from.

        Raises:
            UsageError: an unknown game, a value out of its range, an unknown setting in the game's `BREEDING`.
            CodeError: no such rule set, or its code has a mistake.
            PopulationError: the file to start from says the game, but cannot be read.
        """
        rules, start = given.get("rules", cls.rules), given.get("start")
        if "game" not in given and isinstance(rules, str) and code_name(rules) is not None:
            given["game"] = path_of_game(game_of_rules(rules).name)
        elif "game" not in given and isinstance(start, str) and start:
            path, wanted = file_of(start)  # rules that are no longer there are refused by the run
            given["game"] = path_of_game(load_population(path, drop_missing=True, wanted=wanted).game.name)
        game = load_game(given.get("game", cls.game))
        for name in parts_of(game).breeding:
            if name not in (known := [f.name for f in fields(cls) if f.name != "game"]):
                raise UsageError(unknown("setting", name, known, f"`BREEDING` of {game.name}"))
        wanted = _strategy_of(game, rules) if strategy is None else strategy
        return cls(
            **{
                **_of_points(game, given.get("options")),
                **parts_of(game).breeding,
                **_defaults_of(wanted),
                **given,
                "strategy": wanted,
            }
        )

    @property
    def file_name(self) -> str:
        """The game's name as part of a file's: that of one that was given as a folder is inside it."""
        return load_game(self.game).name.replace("-", "_")

    def chosen(self) -> dict[str, Any]:
        """The settings that differ from their defaults, in order: what a file's header needs to say."""
        of_game = Settings.of(game=self.game, rules=self.rules).strategy
        default = replace(Settings.of(self.strategy, game=self.game), strategy=of_game, game=Settings.game)
        return {
            f.name: getattr(self, f.name) for f in fields(self) if getattr(self, f.name) != getattr(default, f.name)
        }


def _of_points(game: Game, options: object) -> Mapping[str, Any]:
    """The default of a game in which points are what counts: each of them is worth a win."""
    chosen = game.option_values(options if isinstance(options, Mapping) else None)
    return {"margin": 1.0} if game.counts == "points" or game.together(game.seats_with(chosen)) else {}


def _strategy_of(game: Game, rules: str) -> str:
    """The game's own strategy, unless that takes lessons by default and players of these rules cannot."""
    from evolve.lessons.rollouts import obstacle  # what plays games, which `evolve --help` does without

    own: str = parts_of(game).breeding.get("strategy", Settings.strategy)
    takes = _defaults_of(own).get("lessons", 0) > 0
    known = parts_of(game).rule_set(rules) if rules and takes else None
    return Settings.strategy if known is not None and obstacle(known) else own


def _defaults_of(strategy: str) -> Mapping[str, Any]:
    """What a strategy declares; an unknown one declares nothing, and is refused when the run makes it."""
    from evolve.strategies import strategies

    found = strategies().get(str(strategy).partition(":")[0])
    return found.defaults if found else {}
