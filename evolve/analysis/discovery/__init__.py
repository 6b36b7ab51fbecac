"""New rules made of rules and fields: found on lessons, screened on others, kept only if they win on fresh deals."""

from evolve.analysis.discovery.search import Discovered, Discovery, DiscoverySettings, RuleTrial

__all__ = ["Discovered", "Discovery", "DiscoverySettings", "RuleTrial"]
