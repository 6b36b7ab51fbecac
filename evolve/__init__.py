"""evolve: breeds the players of rulebots.

from evolve import Run, Settings

run = Run(Settings(generations=50, seed=1), jobs=2)
for progress in run.generations():
    print(progress)
outcome = run.finish()
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evolve.analysis.ablation import rule_losses
    from evolve.analysis.comparison import compare
    from evolve.monitoring.metrics import Progress
    from evolve.pictures import plot_run
    from evolve.run import Outcome, Run
    from evolve.settings import Settings
    from evolve.storage.folder import resumed_run

__all__ = ["Outcome", "Progress", "Run", "Settings", "compare", "plot_run", "resumed_run", "rule_losses"]

# Imported when first asked for: the command lines must not wait for what they do not need.
_HOME = {
    "Outcome": "evolve.run",
    "Progress": "evolve.monitoring.metrics",
    "Run": "evolve.run",
    "Settings": "evolve.settings",
    "compare": "evolve.analysis.comparison",
    "plot_run": "evolve.pictures",
    "resumed_run": "evolve.storage.folder",
    "rule_losses": "evolve.analysis.ablation",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return getattr(importlib.import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
