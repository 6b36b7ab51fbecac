"""The strategies, one a module: a subclass of `Breeder` in a module of this package is found by its name.

Other packages add strategies by an entry point of the group `evolve.strategies` that names the class.
"""

from collections.abc import Sequence

from evolve.settings import Settings, strategies, strategy_of
from evolve.strategies.base import Breeder
from rulebots.rules import RuleSet, Weights

__all__ = ["make_breeder", "strategies"]


def make_breeder(
    settings: Settings, rules: RuleSet, start: Sequence[Weights], new_rules: Sequence[int] = ()
) -> Breeder:
    """The breeder of the settings' strategy. Raises UsageError for an unknown name, and as `Breeder` does."""
    return strategy_of(settings.strategy)(settings, rules, start, new_rules)
