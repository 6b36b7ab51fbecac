"""`mcts:iterations=2000`, `mcts:seconds=0.5,rollout=champion.yaml`, `mcts:power=3`: see docs/reference/search-settings.md."""

from __future__ import annotations

from dataclasses import dataclass, fields

from rulebots.game import Game, UsageError
from rulebots.players import RulePlayer
from rulebots.roster import make_player
from rulebots.search.mcts_player import MctsPlayer
from rulebots.search.mcts_settings import SearchSettings
from rulebots.specs import settings_of

#: Simulations for each unit of power, as in the Ruby program of circle elimination.
SIMULATIONS_OF_POWER = 200


@dataclass(frozen=True)
class Named(SearchSettings):
    """The settings of a search, and what in a name stands for objects."""

    #: 200 simulations each; instead of `iterations`.
    power: int | None = None
    #: `random`, or the name of a rule player that guides the playouts.
    rollout: str = "random"
    #: `none`, or the name of a rule player whose scores become priors.
    prior: str = "none"


def player_of(spec: str, game: Game) -> MctsPlayer:
    """The player of that name. Raises UsageError for settings that are none, or that do not go together."""
    named = settings_of(spec, Named, game.search)
    iterations = named.iterations
    if named.power is not None:
        if iterations is not None or named.power < 1:
            raise UsageError(f"'{spec}': 'power' takes a number of at least 1, and stands instead of 'iterations'")
        iterations = SIMULATIONS_OF_POWER * named.power
    if iterations is None and named.seconds is None:
        raise UsageError(f"'{spec}': expected a budget, such as mcts:iterations=2000, mcts:seconds=0.5 or mcts:power=3")
    values = {field.name: getattr(named, field.name) for field in fields(SearchSettings)}
    settings = SearchSettings(**{**values, "iterations": iterations})
    rollout = None if named.rollout == "random" else _rule_player(spec, named.rollout, game)
    prior = None if named.prior == "none" else _rule_player(spec, named.prior, game)
    return MctsPlayer(game, settings, rollout=rollout, prior=prior, name=spec)


def _rule_player(spec: str, name: str, game: Game) -> RulePlayer:
    player = make_player(name, game)
    if not isinstance(player, RulePlayer):
        raise UsageError(f"'{spec}': expected a player that is made of rules, such as hand_tuned, not '{name}'")
    return player
