"""The player's name with settings: `rollout:seconds=1`, `rollout:simulations=500,guide=champion.yaml`."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.players import RulePlayer
from rulebots.players.names import make_player, shipped_files
from rulebots.players.specs import settings_of
from rulebots.registry import parts_of
from rulebots.search.rollout.player import RolloutPlayer
from rulebots.search.rollout.search import believable
from rulebots.search.rollout.settings import RolloutSettings


@dataclass(frozen=True)
class RolloutSpec(RolloutSettings):
    """The settings that a name may have."""

    #: The name of a rule player that plays the rollouts, and whose move is taken unless another one is better.
    guide: str | None = None
    #: `none`, or rule players as which the opponent may play besides the guide, joined by `+`: `shelly+bred.yaml`.
    opponents: str | None = None


def player_of(spec: str, game: Game) -> RolloutPlayer:
    """The player of that name.

    Raises:
        UsageError: unknown settings, values out of range, no limit, no guide, or opponents without a belief.
    """
    named = settings_of(spec, RolloutSpec)
    settings = RolloutSettings(**{field.name: getattr(named, field.name) for field in fields(RolloutSettings)})
    guide = _guide(spec, named.guide, game)
    return RolloutPlayer(guide, settings, _opponents(spec, named, guide), name=spec)


def _guide(spec: str, name: str | None, game: Game) -> RulePlayer:
    """The guide of that name; by default the shipped champion, or else the first reference that is made of rules."""
    if name is not None:
        return _rule_player(spec, name, game, "the guide")
    usual = make_player("champion", game) if "champion" in shipped_files(game) else _reference(game)
    if not isinstance(usual, RulePlayer):
        raise UsageError(f"'{spec}': no player of {game.name} is made of rules: name one, such as guide=bred.yaml")
    return usual


def _opponents(spec: str, named: RolloutSpec, guide: RulePlayer) -> list[RulePlayer]:
    """The players of these names; by default the first reference that is made of rules, unless that is the guide."""
    if named.opponents == "none":
        return []
    if named.opponents is not None:
        return [_rule_player(spec, name, guide.game, "an opponent") for name in named.opponents.split("+")]
    usual = _reference(guide.game) if named.belief and believable(guide.game) else None
    if usual is None or (usual.style is guide.style and np.array_equal(usual.weights, guide.weights)):
        return []
    return [usual]


def _reference(game: Game) -> RulePlayer | None:
    players = (make_player(name, game) for name in parts_of(game).references)
    return next((player for player in players if isinstance(player, RulePlayer)), None)


def _rule_player(spec: str, name: str, game: Game, role: str) -> RulePlayer:
    player = make_player(name, game)
    if not isinstance(player, RulePlayer):
        raise UsageError(f"'{spec}': expected the name of a rule player as {role}, not '{name}'")
    return player
