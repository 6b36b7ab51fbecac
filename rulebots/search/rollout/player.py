"""The player that decides by rollouts of the moves that its guide scores highest, and its names.

`rollout:seconds=1`, `rollout:simulations=500,guide=champion.yaml`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from rulebots.errors import UsageError
from rulebots.game import Game, Moves
from rulebots.game.position import Position
from rulebots.packages import package_of
from rulebots.packages.players import make_player, shipped_files
from rulebots.players import Needs, RulePlayer, decides_by_rules
from rulebots.players.specs import settings_of
from rulebots.search.player import SearchPlayer, rule_player
from rulebots.search.rollout.search import RolloutResult, RolloutSearch, RolloutSettings, believable


class RolloutPlayer(SearchPlayer):
    """Searches every position it moves in; it remembers nothing but `result`, the last one.

    It gets determinizations only, and the game's moves as its seat has seen them.

    Raises:
        UsageError: as `RolloutSearch` does.
    """

    needs = Needs.REDEALT
    result: RolloutResult | None = None

    def __init__(
        self, guide: RulePlayer, settings: RolloutSettings, opponents: Sequence[RulePlayer] = (), name: str = "rollout"
    ) -> None:
        super().__init__(guide.game, name, (guide, settings, tuple(opponents)), settings.seconds)
        #: The search that decides.
        self.search = RolloutSearch(guide, settings, opponents)

    def choose(self, seen: Position, moves: Moves) -> int:
        """The move that the search chooses; the position's random state is its seed."""
        self.result = self.search.run(seen)
        return self.result.move

    def prepare(self) -> None:
        """Compile what the search calls."""
        self.search.prepare()


@dataclass(frozen=True)
class RolloutSpec(RolloutSettings):
    """The settings that a name may have."""

    #: The name of a rule player that plays the rollouts, and whose move is taken unless another one is better.
    guide: str | None = None
    #: `none`, or rule players as which the opponent may play besides the guide, joined by `+`: `shelly+bred.yaml`.
    opponents: str | None = None


def player_of(spec: str, game: Game, seats: int | None = None) -> RolloutPlayer:
    """The player of that name.

    Raises:
        UsageError: unknown settings, values out of range, no limit, no guide, or opponents without a belief.
    """
    named = settings_of(spec, RolloutSpec)
    settings = RolloutSettings(**{field.name: getattr(named, field.name) for field in fields(RolloutSettings)})
    guide = _guide(spec, named.guide, game, seats)
    return RolloutPlayer(guide, settings, _opponents(spec, named, guide, seats), name=spec)


def _guide(spec: str, name: str | None, game: Game, seats: int | None) -> RulePlayer:
    """The guide of that name; by default the shipped champion, or else the first reference that is made of rules."""
    if name is not None:
        return rule_player(spec, name, game, seats, "the guide")
    guide = make_player("champion", game, seats) if "champion" in shipped_files(game) else _reference(game)
    if not decides_by_rules(guide):
        raise UsageError(f"'{spec}': no player of {game.name} is made of rules: name one, such as guide=bred.yaml")
    return guide


def _opponents(spec: str, named: RolloutSpec, guide: RulePlayer, seats: int | None) -> list[RulePlayer]:
    """The players of these names; by default the first reference that is made of rules, unless that is the guide.

    Who plays together with copies of itself need not find out as whom they play: there the default is none.
    """
    if named.opponents == "none" or (named.opponents is None and guide.game.aim == "together"):
        return []
    if named.opponents is not None:
        return [rule_player(spec, name, guide.game, seats, "an opponent") for name in named.opponents.split("+")]
    reference = _reference(guide.game) if named.belief and believable(guide.game) else None
    if reference is None or (reference.style is guide.style and np.array_equal(reference.weights, guide.weights)):
        return []
    return [reference]


def _reference(game: Game) -> RulePlayer | None:
    players = (make_player(name, game) for name in package_of(game).references)
    return next((player for player in players if decides_by_rules(player)), None)
