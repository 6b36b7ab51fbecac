"""How a Monte Carlo tree search goes about it: everything that can be set, with its range."""

from __future__ import annotations

from dataclasses import dataclass

from rulebots.errors import UsageError

#: How a simulation picks a child (see selection.py), and the usual constant of exploration.
USUAL_C = {"uct": 1.0, "puct": 1.5}


@dataclass(frozen=True)
class SearchSettings:
    """How to search. A budget is `iterations`, `seconds`, whichever ends first, or neither: until `stop()`.

    Raises UsageError for numbers out of range.
    """

    #: Simulations a decision.
    iterations: int | None = None
    #: Seconds a decision.
    seconds: float | None = None
    #: `uct` or `puct`; without a name PUCT where there are priors or noise, else UCT.
    select: str | None = None
    #: The constant of exploration; without a number 1 for UCT and 1.5 for PUCT.
    c: float | None = None
    #: Of the final choice: moves are drawn by visits ** (1 / temperature); 0 takes the most visited.
    temperature: float = 0.0
    #: Weight of the Dirichlet noise among the priors at the root, and its parameter.
    noise: float = 0.0
    alpha: float = 0.3
    #: Softmax temperature that makes a rule player's scores chances, in units of its largest weight.
    softness: float = 0.1
    #: Visits after which a leaf is given children; without a number 1, and 0 under a Python evaluator.
    expand: int | None = None
    #: Leaves that wait for their value together; without a number 1, and 8 under a Python evaluator.
    batch: int | None = None
    #: What a waiting simulation counts as for the mover: 1 a loss, 0 a draw.
    virtual_loss: float = 1.0
    #: Most nodes of the tree; once there are so many, leaves get no more children.
    nodes: int = 1 << 24
    #: Whether what is known of the position from earlier searches is kept.
    reuse: bool = True

    #: Whether children are looked at when they are made, and proofs shared between branches: slower, but proves more.
    solve: bool = False

    def __post_init__(self) -> None:
        bounds: dict[str, tuple[float, float]] = {
            "iterations": (1, 10**12),
            "seconds": (0.001, 10**6),
            "c": (0, 1000),
            "temperature": (0, 100),
            "noise": (0, 1),
            "alpha": (0.001, 1000),
            "softness": (0.001, 1000),
            "expand": (0, 10**6),
            "batch": (1, 4096),
            "virtual_loss": (0, 100),
            "nodes": (1000, 10**9),
        }
        for name, (low, high) in bounds.items():
            value = getattr(self, name)
            if value is not None and not low <= value <= high:
                raise UsageError(f"mcts: '{name}' takes a number from {low:g} to {high:g}, not {value!r}")
        if self.select not in (None, *USUAL_C):
            raise UsageError(f"mcts: 'select' takes {' or '.join(USUAL_C)}, not {self.select!r}")
        if self.select == "uct" and self.noise:
            raise UsageError("mcts: noise changes priors, which UCT does not look at: leave out 'select' or 'noise'")
