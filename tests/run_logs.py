"""The log of a run, made up."""

from __future__ import annotations

import numpy as np

from evolve.monitoring.metrics import Metrics, Progress

RUN = "0123456789abcdef"
SETTINGS = {"strategy": "ga", "seed": 1, "generations": 5, "opponents": ["hand-tuned"]}


ABOUT = {"game": "Lost Cities", "rules": "mine", "keys": ["play.a", "keep.b"], "hand_tuned": "shelly"}


def progress(generation: int, warnings: tuple[str, ...] = ()) -> Progress:
    rate = 0.5 + generation / 100
    return Progress(
        generation=generation,
        games=100 * generation,
        games_a_second=5000.0,
        best=rate,
        best_95=(rate - 0.05, rate + 0.05),
        mean=rate - 0.1,
        training=rate + 0.05,
        training_games=100,
        metrics=Metrics({"random": 0.99}, 20.0, {}, 0.0, 0.3),
        warnings=warnings,
        champion=np.array([[1.0, 0.25 * generation], [-1.0, 0.5]]),
    )
