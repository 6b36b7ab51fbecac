"""Everything that decides a run, in one frozen, validated record: same settings, same YAML."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from evolve.evaluation.pairings import pairing_of
from rulebots.errors import UsageError
from rulebots.game import Game, load_game
from rulebots.random_numbers import MOST_SEED
from rulebots.ranges import check_numbers, number

#: The most games of one generation that a run may be asked for: a slip of the keyboard is not a plan.
MOST_GAMES = 100_000_000
MOST_DEALS = 100_000
MOST_GENERATIONS = 1_000_000
MOST_POPULATION = 20_000
MOST_MARGIN = 1_000_000
#: Where a strategy has defaults of its own.
STRATEGY_DEFAULTS: Mapping[str, Mapping[str, Any]] = {
    "memetic": {"population": 40, "opponent_deals": 60, "lessons": 2000},
    "sheppard": {"population": 14, "deals": 5, "opponents": ()},
}
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
    strategy: str = "ga"  # its name, and its own settings behind a colon: "ga:winners=0.2,mutation=0.3"
    generations: int = number(50, 1, MOST_GENERATIONS, "how often winners breed")
    population: int = number(80, 2, MOST_POPULATION, "players in a generation")
    deals: int = number(1, 1, MOST_DEALS, "mirrored deals that each pair plays in a generation")
    seed: int = number(1, 0, MOST_SEED, "all chance of the run comes from it")
    opponents: tuple[str, ...] = (HAND_TUNED,)  # players that everyone meets besides the population
    opponent_deals: int = number(170, 1, MOST_DEALS, "mirrored deals against each of the opponents")
    schedule: str = "round-robin"  # who meets whom in the population; the schedule's own settings behind a colon
    hall_of_fame: int = number(0, 0, 1000, "former champions, spread over the run, that everyone meets as well")
    lessons: int = number(0, 0, MOST_DEALS, "games a generation of which a decision is played out, to learn from")
    samples: int = number(8, 1, 1000, "how often each contender of such a decision is played out")
    start: str = ""  # a population file whose players begin; empty: the hand-tuned weights
    options: Mapping[str, int] = field(default_factory=dict)  # of the game
    opening_plies: int | None = None  # random moves that begin each game; None: as many as suit the game

    opponent_share: float = number(
        0.75, 0.0, 0.99, "how much of a player's strength the games against the opponents decide"
    )
    margin: float = number(0.003, 0.0, 1.0, "what a point of margin adds to a win (1) or a draw (0.5)")
    margin_cap: int = number(100, 1, MOST_MARGIN, "points beyond which a margin no longer counts")
    runoff_deals: int = number(
        400, 1, MOST_DEALS, "mirrored deals, never trained on, that each pair of finalists plays"
    )
    held_out_deals: int = number(
        2000, 1, MOST_DEALS, "mirrored deals, of no other use, against each reference player at the end"
    )

    verdict_deals: int = number(8000, 1, MOST_DEALS, "mirrored deals at most of the test against the former champion")

    def __post_init__(self) -> None:
        check_numbers(self)
        if not self.opponents and pairing_of(self.schedule).count(self.population) == 0:
            raise UsageError(f"schedule: '{self.schedule}' needs opponents, for nobody meets another of the population")
        if self.games_a_generation > MOST_GAMES:
            raise UsageError(
                f"population {self.population} with {self.deals} deals a pair, {self.opponent_deals} an opponent makes "
                f"{self.games_a_generation:,} games a generation; expected at most {MOST_GAMES:,}"
            )

    @classmethod
    def of(cls, strategy: str | None = None, **given: Any) -> Settings:
        """Settings for a game and a strategy (None: the game's own), their own defaults where nothing is given.

        Raises UsageError as above.
        """
        game = load_game(given.get("game", cls.game))
        wanted = _own_strategy(game, given.get("rules", cls.rules)) if strategy is None else strategy
        return cls(**{**game.breeding, **STRATEGY_DEFAULTS.get(_name(wanted), {}), **given, "strategy": wanted})

    @property
    def strategy_name(self) -> str:
        """The strategy without its settings."""
        return _name(self.strategy)

    @property
    def games_a_generation(self) -> int:
        """Who meets in the population, and everyone's opponents, both seats; with a full hall of fame."""
        pairing, met = pairing_of(self.schedule), len(self.opponents) + self.hall_of_fame
        pairs = pairing.count(self.population) * pairing.pairs_a_round(self.population)
        return 2 * (pairs * self.deals + self.population * met * self.opponent_deals)

    def chosen(self) -> dict[str, Any]:
        """The settings that differ from their defaults, in order: what a file's header needs to say."""
        usual = Settings.of(game=self.game, rules=self.rules).strategy
        default = replace(Settings.of(self.strategy, game=self.game), strategy=usual, game=Settings.game)
        return {
            f.name: getattr(self, f.name) for f in fields(self) if getattr(self, f.name) != getattr(default, f.name)
        }


def _own_strategy(game: Game, rules: str) -> str:
    """The game's own strategy, unless that takes lessons and players of these rules cannot."""
    from evolve.lessons.rollouts import obstacle  # with all that plays games, which `evolve --help` does without

    own: str = game.breeding.get("strategy", Settings.strategy)
    takes = STRATEGY_DEFAULTS.get(_name(own), {}).get("lessons", 0) > 0
    known = game.rule_sets.get(rules)
    return Settings.strategy if takes and known is not None and obstacle(known) else own


def _name(strategy: str) -> str:
    return strategy.partition(":")[0]
