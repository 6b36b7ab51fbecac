"""Players made of rules: a weighted sum of rules decides."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from rulebots.errors import UsageError
from rulebots.output.notebook import data_frame, html_table
from rulebots.players.compiled import CompiledPlayer, style_of
from rulebots.rules import MOST_WEIGHT, RuleSet, Weights


class RulePlayer(CompiledPlayer):
    """A weighted sum of a rule set's rules; the MultiplierPlayer of Ruby Quiz 51 is such a player.

    `weights` is float64[2, rules], or `{group: {rule: [early, late] or one number}}`; rules that are not named weigh 0.

    Raises:
        UsageError: an unknown name, weights of another shape, or a number that is not finite or too large.
    """

    def __init__(
        self, rules: RuleSet, weights: Weights | Mapping[str, Mapping[str, Any]], name: str = "player"
    ) -> None:
        try:
            matrix = rules.weights(weights) if isinstance(weights, Mapping) else np.array(weights, np.float64)
        except (TypeError, ValueError) as error:
            raise UsageError(f"player '{name}': {error}") from None
        if not (np.abs(matrix) <= MOST_WEIGHT).all():
            raise UsageError(f"player '{name}': expected weights from {-MOST_WEIGHT:g} to {MOST_WEIGHT:g}")
        if matrix.shape != (2, len(rules.rules)):
            raise UsageError(
                f"player '{name}': expected weights of shape (2, {len(rules.rules)}), early and late for "
                f"each rule of '{rules.name}', not shape {matrix.shape}"
            )
        super().__init__(style_of(rules), matrix, name)
        self.rules = rules

    def _repr_html_(self) -> str:
        rows = ((row["group"], row["rule"], f"{row['early']:g}", f"{row['late']:g}") for row in self.rows())
        return html_table(("group", "rule", "early", "late"), rows, f"{self.name}, {self.game.title}")

    def rows(self) -> list[dict[str, Any]]:
        """A line for each rule in plain data: group, rule, early, late, meaning."""
        return self.rules.rows(self.weights)

    def to_pandas(self) -> Any:
        """The lines of `rows()` as a `pandas.DataFrame`.

        Raises:
            UsageError: pandas is not installed.
        """
        return data_frame(self.rows())
