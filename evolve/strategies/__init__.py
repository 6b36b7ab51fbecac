"""The strategies, one a module: a subclass of `Breeder` in a module of this package is found by its name.

Other packages add strategies by an entry point of the group `evolve.strategies` that names the class.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
from collections.abc import Sequence
from importlib import metadata

from evolve.evaluation.run_settings import RunSettings
from evolve.strategies.base import Breeder
from rulebots.errors import UsageError, unknown
from rulebots.rules import RuleSet, Weights


@functools.cache
def strategies() -> dict[str, type[Breeder]]:
    """Every strategy by its name; one of this package wins over another package's of the same name."""
    modules = [importlib.import_module(f"{__name__}.{module.name}") for module in pkgutil.iter_modules(__path__)]
    classes = [value for module in modules for value in vars(module).values() if isinstance(value, type)]
    own = [c for c in classes if issubclass(c, Breeder) and "name" in vars(c)]
    foreign = [point.load() for point in metadata.entry_points(group="evolve.strategies")]
    return {strategy.name: strategy for strategy in (*foreign, *own)}


def make_breeder(
    settings: RunSettings, rules: RuleSet, start: Sequence[Weights], new_rules: Sequence[int] = ()
) -> Breeder:
    """The breeder of the settings' strategy. Raises UsageError for an unknown name, and as `Breeder` does."""
    name = settings.strategy_name
    if name not in strategies():
        raise UsageError(unknown("strategy", name, strategies()))
    return strategies()[name](settings, rules, start, new_rules)
