"""The player's name with settings: `rollout:seconds=1`, `rollout:simulations=500,guide=champion.yaml`."""

from __future__ import annotations

from dataclasses import dataclass, fields

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.players import RulePlayer
from rulebots.players.names import make_player, shipped_files
from rulebots.players.specs import settings_of
from rulebots.search.rollout.player import RolloutPlayer
from rulebots.search.rollout.settings import RolloutSettings


@dataclass(frozen=True)
class RolloutSpec(RolloutSettings):
    """The settings that a name may have."""

    #: The name of a rule player that plays the rollouts, and whose move is taken unless another one is better.
    guide: str | None = None


def player_of(spec: str, game: Game) -> RolloutPlayer:
    """The player of that name.

    Raises:
        UsageError: unknown settings, values out of range, no limit, or no guide.
    """
    named = settings_of(spec, RolloutSpec)
    settings = RolloutSettings(**{field.name: getattr(named, field.name) for field in fields(RolloutSettings)})
    return RolloutPlayer(_guide(spec, named.guide, game), settings, name=spec)


def _guide(spec: str, name: str | None, game: Game) -> RulePlayer:
    """The guide of that name; by default the shipped champion, or else the first reference that is made of rules."""
    if name is not None:
        player = make_player(name, game)
        if not isinstance(player, RulePlayer):
            raise UsageError(f"'{spec}': expected the name of a rule player as the guide, not '{name}'")
        return player
    usual = ["champion"] if "champion" in shipped_files(game) else game.references
    for player in (make_player(each, game) for each in usual):
        if isinstance(player, RulePlayer):
            return player
    raise UsageError(f"'{spec}': no player of {game.name} is made of rules: name one, such as guide=bred.yaml")
