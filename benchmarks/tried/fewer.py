"""Fewer decisions with more rollouts: `python benchmarks/strategies.py --file benchmarks/tried/fewer.py --strategies memetic-6000x8 memetic-1500x32`."""
from types import MappingProxyType
from evolve.strategies.memetic import MemeticBreeder
class A(MemeticBreeder):
    name = "memetic-6000x8"; defaults = MappingProxyType({"population": 40, "opponent_deals": 60, "lessons": 6000, "rollouts": 8})
class B(MemeticBreeder):
    name = "memetic-1500x32"; defaults = MappingProxyType({"population": 40, "opponent_deals": 60, "lessons": 1500, "rollouts": 32})
class C(MemeticBreeder):
    name = "memetic-2000x8"; defaults = MappingProxyType({"population": 40, "opponent_deals": 60, "lessons": 2000, "rollouts": 8})
class D(MemeticBreeder):
    name = "memetic-500x32"; defaults = MappingProxyType({"population": 40, "opponent_deals": 60, "lessons": 500, "rollouts": 32})
