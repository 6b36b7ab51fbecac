"""The log of a run, made up."""

from __future__ import annotations

import json

import numpy as np

from evolve.monitoring import Metrics, Progress

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


def line(run: str, event: str, **facts: object) -> str:
    return json.dumps({"event": event, "run": run, "time": 1.0, **facts}) + "\n"


def generation(number: int) -> dict[str, object]:
    metrics = {"points": 1.0, "stalled": 0.0, "spread": 0.25, "baselines": {}, "activity": {}}
    return {
        "generation": number, "games": 100 * number, "training_games": 100, "games_a_second": 1234.0,
        "best": 0.5 + number / 100, "best_95": [0.4, 0.7], "mean": 0.45, "training": 0.6,
        "warnings": ["all players are alike"] if number == 3 else [], "metrics": metrics,
        "champion": [[1.0, number], [1.0, 2.0]],
    }  # fmt: skip


def begin() -> dict[str, object]:
    settings = {
        "strategy": "ga",
        "seed": 1,
        "generations": 5,
        "opponents": ["x"],
        "game": "tictactoe",
        "hall_of_fame": 2,
    }
    return {
        "generation": 0, "game": "Tic-tac-toe", "rules": "standard", "keys": ["put.win", "put.block"],
        "hand_tuned": "hand_tuned", "settings": settings,
    }  # fmt: skip
