"""Everything that decides a run, in one frozen, validated record: same settings, same YAML."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from rulebots.game import UsageError, load_game
from rulebots.luck import MOST_SEED

#: The most games of one generation that a run may be asked for: a slip of the keyboard is not a plan.
MOST_GAMES = 100_000_000
MOST_DEALS = 100_000
MOST_GENERATIONS = 1_000_000
#: Where a strategy has defaults of its own.
STRATEGY_DEFAULTS: Mapping[str, Mapping[str, Any]] = {"sheppard": {"population": 14, "deals": 5, "opponents": ()}}
#: As an opponent: the player of the game that its maker tuned by hand.
HAND_TUNED = "hand-tuned"


@dataclass(frozen=True)
class Settings:
    """A breeding run. The first block is what the command line sets; the rest has sound defaults.

    Raises:
        UsageError: a value outside its range.
    """

    game: str = "lost-cities"
    rules: str = ""  # a rule set of the game; empty: its first
    strategy: str = "ga"
    generations: int = 50
    population: int = 100
    deals: int = 2  # mirrored deals that each pair plays in a generation
    seed: int = 1
    opponents: tuple[str, ...] = (HAND_TUNED,)  # players that everyone meets besides the population
    opponent_deals: int = 50  # mirrored deals against each of the opponents
    start: str = ""  # a population file whose players begin; empty: the hand-tuned weights
    options: Mapping[str, int] = field(default_factory=dict)  # of the game
    opening_plies: int | None = None  # random moves that begin each game; None: as many as suit the game

    opponent_share: float = 0.75  # how much of a player's strength the games against the opponents decide
    margin: float = 0.003  # what a point of margin adds to a win (1) or a draw (0.5)
    margin_cap: int = 100  # points beyond which a margin no longer counts
    winners: float = 0.25  # ga: the share of a population that breeds
    survivors: float = 0.04  # ga: the share kept as they are and measured anew
    newcomers: float = 0.04  # ga: the share that are winners with a tenth of their weights drawn anew
    mutation: float = 0.5  # ga: standard deviation of the change of a weight, first generation
    mutation_decay: float = 0.976  # ga: the factor by which it shrinks each generation
    mutation_floor: float = 0.05  # ga: and where it stops
    runoff_deals: int = 400  # mirrored deals, never trained on, that each pair of finalists plays
    held_out_deals: int = 2000  # mirrored deals, of no other use, against each reference player at the end

    def __post_init__(self) -> None:
        for name, low in _LEAST.items():
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < low:
                raise UsageError(f"{name}: expected a whole number of at least {low}, not {value!r}")
        for name, (least, most) in _RANGES.items():
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
                raise UsageError(f"{name}: expected a number from {least} to {most}, not {value!r}")
        for name in ("deals", "opponent_deals", "runoff_deals", "held_out_deals"):
            if getattr(self, name) > MOST_DEALS:
                raise UsageError(f"{name}: expected at most {MOST_DEALS:,}, not {getattr(self, name):,}")
        if self.generations > MOST_GENERATIONS:
            raise UsageError(f"generations: expected at most {MOST_GENERATIONS:,}, not {self.generations:,}")
        if self.seed > MOST_SEED:
            raise UsageError(f"seed: expected a whole number up to {MOST_SEED}, not {self.seed}")
        if self.games_a_generation > MOST_GAMES:
            raise UsageError(
                f"population {self.population} with {self.deals} deals a pair makes {self.games_a_generation:,} games "
                f"a generation; expected at most {MOST_GAMES:,}"
            )

    @classmethod
    def of(cls, strategy: str, **given: Any) -> Settings:
        """Settings for a strategy and a game, their own defaults where nothing is given. Raises UsageError as above."""
        breeding = load_game(given.get("game", cls.game)).breeding
        return cls(strategy=strategy, **{**breeding, **STRATEGY_DEFAULTS.get(strategy, {}), **given})

    @property
    def games_a_generation(self) -> int:
        """All pairs, both seats, and the opponents."""
        pairs = self.population * (self.population - 1) // 2
        return 2 * (pairs * self.deals + self.population * len(self.opponents) * self.opponent_deals)

    def chosen(self) -> dict[str, Any]:
        """The settings that differ from their defaults, in order: what a file's header needs to say."""
        default = replace(Settings.of(self.strategy, game=self.game), strategy=Settings.strategy, game=Settings.game)
        return {
            f.name: getattr(self, f.name) for f in fields(self) if getattr(self, f.name) != getattr(default, f.name)
        }


_LEAST = {
    "generations": 1,
    "population": 2,
    "deals": 1,
    "seed": 0,
    "opponent_deals": 1,
    "margin_cap": 1,
    "runoff_deals": 1,
    "held_out_deals": 1,
}
_RANGES = {
    "margin": (0.0, 1.0),
    "opponent_share": (0.0, 0.95),
    "winners": (0.01, 1.0),
    "survivors": (0.0, 0.4),
    "newcomers": (0.0, 0.4),
    "mutation": (0.0, 10.0),
    "mutation_decay": (0.5, 1.0),
    "mutation_floor": (0.0, 10.0),
}
