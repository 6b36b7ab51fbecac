"""The settings of Monte Carlo tree search, with their ranges."""

from dataclasses import dataclass

from rulebots.errors import demand
from rulebots.players.specs import check_numbers, number, optional_number

#: The ways to select a child (see selection.py), each with its default exploration constant.
DEFAULT_C = {"uct": 1.0, "puct": 1.5}


@dataclass(frozen=True)
class SearchSettings:
    """How to search.

    `iterations` and `seconds` limit a search; the first limit reached ends it. Without either it runs until `stop()`.

    Raises:
        UsageError: a number out of range, or settings that contradict each other.
    """

    iterations: int | None = optional_number(int, 1, 10**12, "simulations per decision")
    seconds: float | None = optional_number(float, 0.001, 1e6, "seconds per decision")
    #: `uct` or `puct`; by default PUCT if there are priors or noise, else UCT.
    select: str | None = None
    c: float | None = optional_number(float, 0.0, 1000.0, "exploration constant; by default 1 for UCT, 1.5 for PUCT")
    temperature: float = number(
        0.0,
        0.0,
        100.0,
        "moves are drawn with probabilities proportional to visits ** (1 / temperature); 0: most visits",
    )
    noise: float = number(0.0, 0.0, 1.0, "weight of Dirichlet noise in the priors of the root")
    alpha: float = number(0.3, 0.001, 1000.0, "parameter of the Dirichlet noise")
    softness: float = number(
        1.0, 0.001, 1000.0, "how soft a rule player guides: 1 is the temperature fitted to its own decisions"
    )
    expand: int | None = optional_number(
        int, 0, 10**6, "a leaf is expanded after more visits than this; by default 1, and 0 with priors"
    )
    batch: int | None = optional_number(
        int, 1, 4096, "leaves evaluated together; by default 1, and 8 with a Python evaluator"
    )
    virtual_loss: float = number(
        1.0, 0.0, 100.0, "what a pending simulation counts for the player who chose it: 1 a loss, 0 a draw"
    )
    solver: int = number(
        100,
        0,
        10**6,
        "positions that a game's solver of forced wins visits at a node of the tree, and up to 300 times as many "
        "for the chosen move; 0: it is unused",
    )
    nodes: int = number(1 << 24, 1000, 10**9, "capacity of the tree; a full tree is not expanded further")
    threads: int = number(1, 1, 64, "threads that search side by side, each with a tree of its own")
    paranoid: int = number(
        0, 0, 1, "at a table of more than two: 0, each seat plays for itself; 1, all others play against this one"
    )
    #: Whether the subtree of the position reached is kept from move to move.
    reuse: bool = True

    def __post_init__(self) -> None:
        check_numbers(self, "mcts")
        demand(
            self.select in (None, *DEFAULT_C), f"mcts: select: expected {' or '.join(DEFAULT_C)}, not {self.select!r}"
        )
        demand(
            self.select != "uct" or not self.noise,
            "mcts: noise changes priors, which UCT does not use: leave out 'select' or 'noise'",
        )
