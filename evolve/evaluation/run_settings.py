"""What decides a run, in one frozen, validated record: same settings, same YAML."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from evolve.evaluation.population_pairing import pairing_of, tables_of
from rulebots.errors import UsageError
from rulebots.files.ranges import check_numbers, number
from rulebots.game.random_numbers import MOST_SEED
from rulebots.packages import DEFAULT_GAME

#: The most games of one generation that a run may be asked for, and the most deals or lessons of one kind in it: more
#: is a slip of the keyboard.
MOST_GAMES = 100_000_000
MOST_OF_A_KIND = 100_000
MOST_GENERATIONS = 1_000_000
MOST_POPULATION = 20_000
MOST_MARGIN = 1_000_000
#: As an opponent: the player of the game that its author tuned by hand.
HAND_TUNED = "hand-tuned"


@dataclass(frozen=True)
class RunSettings:
    """A breeding run. The first block is what the command line sets; the rest has sound defaults.

    Raises:
        UsageError: a value out of its range.
    """

    game: str = DEFAULT_GAME
    rules: str = ""  # a rule set of the game; empty: its first
    strategy: str = "ga"  # its name, and its own settings after a colon: "ga:winners=0.2,mutation=0.3"
    generations: int = number(50, 1, MOST_GENERATIONS, "generations to breed")
    population: int = number(80, 2, MOST_POPULATION, "players in a generation")
    deals: int = number(1, 1, MOST_OF_A_KIND, "mirrored deals that each pair plays in a generation")
    seed: int = number(1, 0, MOST_SEED, "the seed of all random numbers of the run")
    opponents: tuple[str, ...] = (HAND_TUNED,)  # players that everyone meets in addition to the population
    opponent_deals: int = number(170, 1, MOST_OF_A_KIND, "mirrored deals against each of the opponents")
    partners: tuple[str, ...] = ()  # players beside whom everyone plays too, where all play together
    schedule: str = "round-robin"  # who meets whom in the population; the schedule's own settings after a colon
    hall_of_fame: int = number(0, 0, 1000, "former champions, spread over the run, that everyone meets as well")
    lessons: int = number(0, 0, MOST_OF_A_KIND, "games per generation of which one decision is evaluated by rollouts")
    rollouts: int = number(8, 1, 1000, "rollouts of each candidate move of such a decision")
    start: str = ""  # a population file whose players begin; empty: the hand-tuned weights
    options: Mapping[str, int] = field(default_factory=dict)  # of the game
    opening_plies: int | None = None  # random moves that begin each game; None: as many as suit the game

    opponent_share: float = number(
        0.75, 0.0, 0.99, "the share of a player's strength that the games against the opponents decide"
    )
    partner_share: float = number(
        0.5, 0.01, 0.99, "the share of the deals that a player plays with partners, where there are any"
    )
    margin: float = number(0.003, 0.0, 1.0, "what a point of margin adds to a win (1) or a draw (0.5)")
    margin_cap: int = number(100, 1, MOST_MARGIN, "points beyond which a margin no longer counts")
    runoff_deals: int = number(
        400, 1, MOST_OF_A_KIND, "mirrored deals, never trained on, that each pair of finalists plays"
    )
    held_out_deals: int = number(
        2000, 1, MOST_OF_A_KIND, "mirrored deals, used for nothing else, against each reference player at the end"
    )
    verdict_deals: int = number(
        8000, 1, MOST_OF_A_KIND, "mirrored deals at most of the test against the former champion"
    )

    def __post_init__(self) -> None:
        for name in ("game", "rules", "strategy", "schedule", "start"):
            if not isinstance(text := getattr(self, name), str):
                raise UsageError(f"{name}: expected a text, not {text!r}")
        for what in ("opponents", "partners"):
            named: object = getattr(self, what)
            if not isinstance(named, tuple | list) or not all(isinstance(name, str) for name in named):
                raise UsageError(f"{what}: expected names of players, such as ('hand-tuned',), not {named!r}")
        if not isinstance(chosen := self.options, Mapping):
            raise UsageError(f"options: expected a map such as {{'size': 4}}, not {chosen!r}")
        check_numbers(self)
        pairing = pairing_of(self.schedule)
        if not self.opponents and pairing.rounds_of(self.population) == 0:
            raise UsageError(f"schedule: '{self.schedule}' needs opponents: no two players of the population meet")
        if (games := self.games_a_generation()) > MOST_GAMES:
            raise UsageError(
                f"population {self.population} with {self.deals} deals a pair, {self.opponent_deals} an opponent makes "
                f"{games:,} games a generation; expected at most {MOST_GAMES:,}"
            )

    @property
    def strategy_name(self) -> str:
        """The strategy without its settings."""
        return self.strategy.partition(":")[0]

    def games_a_generation(self, seats: int = 2, *, together: bool = False) -> int:
        """The games within the population and against all opponents, from every seat, with a full hall of fame."""
        pairing = pairing_of(self.schedule)
        met, rounds = len(self.opponents) + self.hall_of_fame, pairing.rounds_of(self.population)
        if together:
            return (self.population + met) * self.opponent_deals
        players = self.population
        tables = rounds * pairing.pairs_a_round(players) if seats == 2 else tables_of(players, seats, rounds)
        return seats * (tables * self.deals + self.population * met * self.opponent_deals)
