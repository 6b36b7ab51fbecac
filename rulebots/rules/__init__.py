"""Rules, rule sets, and their weights; `scoring` makes the kernels that add them up."""

from rulebots.rules.rule import MOST_WEIGHT, Rule, rule, rules_of
from rulebots.rules.rule_set import EARLY, LATE, RuleSet, Weights, weight_pair

__all__ = [
    "EARLY",
    "LATE",
    "MOST_WEIGHT",
    "Rule",
    "RuleSet",
    "Weights",
    "rule",
    "rules_of",
    "weight_pair",
]
