"""Expressions of up to three operands, rules and fields, bred by genetic programming.

Typed ("Strongly Typed Genetic Programming", D. J. Montana, Evolutionary Computation 3, 1995): numbers are multiplied,
subtracted and compared, truths are combined and negated. Fitness is the evidence of lessons, see evidence.py.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
from deap import algorithms, base, gp, tools

from evolve.analysis.discovery.expressions import (
    DIFFERENCE,
    REACHES,
    Expression,
    Floats,
    Made,
    Node,
    Operand,
    Operation,
    is_truth,
    kinds_of_groups,
    negation,
    product,
    rule_operands,
    scaled,
    thresholds,
)
from evolve.strategies.population import Strength, seeded
from rulebots.rules import RuleSet

#: Programs in a population, and generations.
POPULATION, GENERATIONS = 120, 12
#: Shares of the offspring by crossover and by mutation; the rest is copied.
CROSSED, MUTATED, IN_A_TOURNAMENT = 0.5, 0.4, 4
#: The most operands, and the most operations on top of each other.
OPERANDS, HEIGHT = 3, 3
#: The evidence that each further operand has to bring.
PRICE = 1.0
#: The best of all programs that were seen.
KEPT = 40

#: The evidence for each of some expressions.
Judge = Callable[[Sequence[Expression]], npt.NDArray[np.float64]]


class _ExpressionType(type):
    """A class whose hash is the same in every process: DEAP draws from a list made of a set of types."""

    def __hash__(cls) -> int:
        return len(cls.__name__)


class Amount(metaclass=_ExpressionType):
    """The type of a number that is not a truth."""


class Truth(metaclass=_ExpressionType):
    """The type of what is 0 or 1."""


class BredExpression(gp.PrimitiveTree):  # type: ignore[misc]  # DEAP has no types
    """An expression in the form that DEAP breeds."""

    def __init__(self, content: Sequence[object]) -> None:
        super().__init__(content)
        self.fitness = Strength()


class Breeding:
    """Breeds expressions of the rules of a set and its fields, given their values, float32[moves] by key."""

    def __init__(self, rules: RuleSet, fields: Sequence[Operand], values: Mapping[str, Floats]) -> None:
        self.values = values
        self.sets = _primitives(rules, fields, values)

    def bred(self, judge: Judge, *identity: int) -> list[str]:
        """The best programs of each group that `judge` has seen, as text: `GROUP PROGRAM`.

        `identity` is that of the random numbers.
        """
        found = []
        for number, (group, primitives) in enumerate(self.sets.items()):
            with seeded(*identity, number):
                found += [f"{group} {text}" for text in self._bred(group, primitives, judge)]
        return found

    def expression(self, text: str) -> Expression:
        """The expression of a program that `bred` found."""
        group, _, program = text.partition(" ")
        return self._expression(group, self.sets[group], program)

    def _expression(self, group: str, primitives: gp.PrimitiveSetTyped, program: str) -> Expression:
        node: Node = gp.compile(program, primitives)
        return scaled(group, node, self.values)

    def _bred(self, group: str, primitives: gp.PrimitiveSetTyped, judge: Judge) -> list[str]:
        toolbox = _toolbox(primitives)
        seen: dict[str, float] = {}
        population = toolbox.population(POPULATION)
        for generation in range(GENERATIONS + 1):
            if generation:
                winners = tools.selTournament(population, POPULATION, IN_A_TOURNAMENT)
                population = algorithms.varOr(winners, toolbox, POPULATION, CROSSED, MUTATED)
            new = list(dict.fromkeys(text for text in map(str, population) if text not in seen))
            chosen = [self._expression(group, primitives, text) for text in new]
            for text, expression, evidence in zip(new, chosen, judge(chosen), strict=True):
                seen[text] = float(evidence) - PRICE * len(expression.operands)
            for program in population:
                program.fitness.values = (seen[str(program)],)
        return sorted(seen, key=lambda text: -seen[text])[:KEPT]


def _toolbox(primitives: gp.PrimitiveSetTyped) -> base.Toolbox:
    """How programs come to be: at random, by exchange of subtrees, by a new subtree, and always short enough."""
    toolbox = base.Toolbox()
    toolbox.register("subtree", gp.genHalfAndHalf, pset=primitives, min_=0, max_=1)
    toolbox.register("program", _random_program, primitives)
    toolbox.register("population", lambda count: [toolbox.program() for _ in range(count)])
    toolbox.register("clone", lambda program: BredExpression(list(program)))
    toolbox.register("mate", gp.cxOnePoint)
    toolbox.register("mutate", gp.mutUniform, expr=toolbox.subtree, pset=primitives)
    for operator in ("mate", "mutate"):
        toolbox.decorate(operator, gp.staticLimit(_operands, OPERANDS))
        toolbox.decorate(operator, gp.staticLimit(lambda program: program.height, HEIGHT))
    return toolbox


def _random_program(primitives: gp.PrimitiveSetTyped) -> BredExpression:
    """A random program with few enough operands."""
    while True:
        kind = random.choice([kind for kind in (Amount, Truth) if primitives.terminals[kind]])  # noqa: S311 - seeded
        program = BredExpression(gp.genHalfAndHalf(primitives, 1, 2, kind))
        if _operands(program) <= OPERANDS:
            return program


def _operands(program: gp.PrimitiveTree) -> int:
    return sum(part.arity == 0 for part in program)


def _primitives(
    rules: RuleSet, fields: Sequence[Operand], values: Mapping[str, Floats]
) -> dict[str, gp.PrimitiveSetTyped]:
    """What programs are made of, for a group of each way in which kinds of moves count groups."""
    kinds, found, ways = kinds_of_groups(rules), dict[str, gp.PrimitiveSetTyped](), set[tuple[float, ...]]()
    seen = [
        replace(t, truth=True, words=f"{t.words} is 1") if is_truth(values[t.key]) else t
        for t in fields
        if t.key in values
    ]
    for group in rules.groups:
        shares = [kind.mix.get(group, 0.0) for kind in rules.mixes]
        way = tuple(share / max(map(abs, shares)) for share in shares) if any(shares) else ()
        if not way or way in ways:
            continue
        ways.add(way)
        operands = [t for t in rule_operands(rules, values) if t.rule and kinds[group] <= kinds[t.rule.group]] + seen
        if operands:
            found[group] = _primitives_of(operands, values)
    return found


def _made(operation: Operation, *parts: Node) -> Made:
    return Made(operation, parts)


def _primitives_of(operands: Sequence[Operand], values: Mapping[str, Floats]) -> gp.PrimitiveSetTyped:
    primitives = gp.PrimitiveSetTyped("rule", [], Amount)
    for number, operand in enumerate(operands):
        primitives.addTerminal(operand, Truth if operand.truth else Amount, f"term_{number}")
        for which, cut in enumerate(thresholds(operand, values)):
            primitives.addTerminal(cut, Truth, f"term_{number}_cut_{which}")
    amounts = any(not operand.truth for operand in operands)
    primitives.addPrimitive(negation, [Truth], Truth, "negation")
    primitives.addPrimitive(product, [Truth, Truth], Truth, "both")
    if amounts:
        primitives.addPrimitive(product, [Amount, Amount], Amount, "product")
        primitives.addPrimitive(product, [Amount, Truth], Amount, "given")
        primitives.addPrimitive(functools.partial(_made, DIFFERENCE), [Amount, Amount], Amount, "difference")
        primitives.addPrimitive(functools.partial(_made, REACHES), [Amount, Amount], Truth, "reaches")
    return primitives
