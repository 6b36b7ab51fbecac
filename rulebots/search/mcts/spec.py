"""The player's name with settings: `mcts:iterations=2000`, `mcts:seconds=0.5,rollout=champion.yaml`, `mcts:power=3`."""

from __future__ import annotations

from dataclasses import dataclass, fields

from rulebots.errors import UsageError, unknown
from rulebots.files.ranges import optional_number
from rulebots.game import Game
from rulebots.players import RulePlayer
from rulebots.players.names import make_player
from rulebots.players.specs import settings_of
from rulebots.registry import parts_of
from rulebots.search.mcts.player import MctsPlayer
from rulebots.search.mcts.settings import SearchSettings

#: Simulations per unit of power, as in the Ruby program of circle elimination.
SIMULATIONS_PER_POWER = 200


@dataclass(frozen=True)
class MctsSpec(SearchSettings):
    """The settings that a name may have: those of the search, and names of players."""

    power: int | None = optional_number(int, 1, 10**9, "the same as iterations, in units of 200")
    #: `none`, or the name of a rule player that guides the search: it stands for both that follow.
    guide: str = "none"
    #: `random`, or the name of a rule player that makes the moves of rollouts; by default the guide.
    rollout: str | None = None
    #: `none`, or the name of a rule player whose scores become priors; by default the guide.
    prior: str | None = None


def player_of(spec: str, game: Game) -> MctsPlayer:
    """The player of that name.

    Raises:
        UsageError: unknown settings, values out of range, or settings that contradict each other.
    """
    for name in parts_of(game).mcts:
        if name not in (known := [field.name for field in fields(MctsSpec)]):
            raise UsageError(unknown("setting", name, known, f"`MCTS` of {game.name}"))
    named = settings_of(spec, MctsSpec, parts_of(game).mcts)
    iterations = named.iterations
    if named.power is not None:
        if iterations is not None:
            raise UsageError(f"'{spec}': expected 'iterations' or 'power', not both")
        iterations = SIMULATIONS_PER_POWER * named.power
    if iterations is None and named.seconds is None:
        raise UsageError(f"'{spec}': expected a limit, such as mcts:iterations=2000, mcts:seconds=0.5 or mcts:power=3")
    values = {field.name: getattr(named, field.name) for field in fields(SearchSettings)}
    settings = SearchSettings(**{**values, "iterations": iterations})
    plays, looks = named.rollout or named.guide, named.prior or named.guide
    rollout = None if plays in ("random", "none") else _rule_player(spec, plays, game)
    prior = None if looks == "none" else _rule_player(spec, looks, game)
    return MctsPlayer(game, settings, rollout=rollout, prior=prior, name=spec)


def _rule_player(spec: str, name: str, game: Game) -> RulePlayer:
    player = make_player(name, game)
    if not isinstance(player, RulePlayer):
        raise UsageError(f"'{spec}': expected the name of a rule player, such as hand_tuned, not '{name}'")
    return player
