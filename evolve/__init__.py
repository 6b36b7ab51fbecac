"""evolve: breeds the players of rulebots.

from pathlib import Path

from evolve import Run, Settings
from evolve.storage.result import save

run = Run(Settings.of(generations=50, seed=1), jobs=2)
for progress in run.generations():
    print(f"generation {progress.generation}: {progress.games} games")
print(f"wrote {save(run.finish(), Path('mine.yaml'))}")
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evolve.analysis.ablation import rule_losses
    from evolve.analysis.comparison import compare
    from evolve.monitoring import Progress
    from evolve.pictures import plot_run
    from evolve.run import Outcome, Run
    from evolve.settings import Settings
    from evolve.storage.folder import resumed_run
    from evolve.tuning.parameters import Parameter
    from evolve.tuning.run import tune

__all__ = [
    "Outcome",
    "Parameter",
    "Progress",
    "Run",
    "Settings",
    "compare",
    "plot_run",
    "resumed_run",
    "rule_losses",
    "tune",
]

#: The version of this package, which brings both `rulebots` and `evolve`.
__version__: str

# Imported when first asked for: the command lines must not wait for what they do not need.
_HOME = {
    "Outcome": "evolve.run",
    "Parameter": "evolve.tuning.parameters",
    "Progress": "evolve.monitoring",
    "Run": "evolve.run",
    "Settings": "evolve.settings",
    "compare": "evolve.analysis.comparison",
    "plot_run": "evolve.pictures",
    "resumed_run": "evolve.storage.folder",
    "rule_losses": "evolve.analysis.ablation",
    "tune": "evolve.tuning.run",
}

if not TYPE_CHECKING:  # a type checker would take any name for granted

    def __getattr__(name: str) -> Any:
        if name == "__version__":
            return importlib.import_module("importlib.metadata").version("rulebots")
        if name not in _HOME:
            raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
        return getattr(importlib.import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
