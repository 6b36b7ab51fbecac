"""From a rule set to kernels that score moves and pick one.

The sums are written out as source text, one term a rule, because Numba turns a written-out sum of
named calls into straight machine code and a loop over functions into something slow. The text is
built from the game's and the set's own tables only.
"""

import functools
import hashlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from rulebots.kernel import Kernel, kernel
from rulebots.kernel.source_code import keep_source
from rulebots.rules.live_rules import choose_kernel
from rulebots.rules.rule_set import RuleSet

#: Terms of a sum in one tree: a processor adds its branches side by side; a larger one would spill registers.
BRANCHES = 32
#: Scores this near are equal: they are sums of the same few decimal weights in another order.
ROUNDING = 1e-9


@functools.cache
def group_sum(rules: RuleSet, group: str) -> Kernel[..., float]:
    """A kernel `sum(view, item, w) -> float`: the group's rules for one item, weighted by w[rules]."""
    members = [(i, r) for i, r in enumerate(rules.rules) if r.group == group]
    terms = [f"w[{i}] * rule_{r.name}(view, item)" for i, r in members]
    whole = " + ".join(_tree(terms[i : i + BRANCHES]) for i in range(0, len(terms), BRANCHES))
    return built(
        f"def sum_of_{group}(view, item, w):\n    return {whole or '0.0'}\n",
        f"sum_of_{group}",
        {f"rule_{r.name}": r.kernel for _, r in members},
    )


@functools.cache
def scorer(rules: RuleSet) -> Kernel[..., None]:
    """A kernel `score(view, moves, n, weights, blended, scores)`: scores[:n] for moves[:n].

    `weights` is float64[2, rules], `blended` float64[rules] of scratch. An item that several moves
    in a row share (play it or discard it) is looked at once.
    """
    game = rules.game
    families: dict[tuple[str, ...], list[int]] = {}
    for number, kind in enumerate(rules.mixes):
        families.setdefault(tuple(kind.mix), []).append(number)
    lines = [
        "def score(view, moves, n, weights, blended, scores):",
        "    facts(view)" if rules.facts else "",
        "    t = 0.0" if rules.flat else "    t = progress(view)",
        "    for r in range(blended.shape[0]):",
        "        blended[r] = (1.0 - t) * weights[0, r] + t * weights[1, r]",
        "    family, last = -1, -1",
        *(f"    of_{group} = 0.0" for group in rules.groups),
        "    for i in range(n):",
        "        move_kind, subject = kind(moves[i]), item(view, moves[i])",
    ]
    for number, (groups, members) in enumerate(families.items()):
        lines += [
            f"        if {' or '.join(f'move_kind == {k}' for k in members)}:",
            f"            if family != {number} or last != subject:",
            f"                family, last = {number}, subject",
            "                consider(view, subject)" if rules.consider else "",
            *(f"                of_{group} = sum_of_{group}(view, subject, blended)" for group in groups),
        ]
        for k in members:
            mix = rules.mixes[k].mix
            lines += [
                f"            if move_kind == {k}:",
                "                scores[i] = " + " + ".join(f"{mix[group]!r} * of_{group}" for group in groups),
            ]
    parts: dict[str, Any] = {"kind": game.kind, "item": game.item}
    parts |= {"facts": rules.facts, "consider": rules.consider, "progress": rules.progress}
    parts |= {f"sum_of_{group}": group_sum(rules, group) for group in rules.groups}
    return built("\n".join(line for line in lines if line) + "\n", "score", parts)


@functools.cache
def features_of(rules: RuleSet) -> Kernel[..., float]:
    """A kernel `features(view, moves, n, out) -> late`: the term of each rule at weight 1 in the score of each move.

    `out` is float[n, rules], zeroed before. `late` is the share of the late weights, 0 where the set is flat.
    """
    game = rules.game
    lines = [
        "def features(view, moves, n, out):",
        "    facts(view)" if rules.facts else "",
        "    for i in range(n):",
        "        move_kind, subject = kind(moves[i]), item(view, moves[i])",
        "        consider(view, subject)" if rules.consider else "",
    ]
    for number, of_kind in enumerate(rules.mixes):
        lines += [f"        if move_kind == {number}:", "            pass"]
        lines += [
            f"            out[i, {column}] = {of_kind.mix[r.group]!r} * rule_{column}(view, subject)"
            for column, r in enumerate(rules.rules)
            if r.group in of_kind.mix
        ]
    lines.append("    return 0.0" if rules.flat else "    return progress(view)")
    parts: dict[str, Any] = {"kind": game.kind, "item": game.item}
    parts |= {"facts": rules.facts, "consider": rules.consider, "progress": rules.progress}
    parts |= {f"rule_{column}": r.kernel for column, r in enumerate(rules.rules)}
    return built("\n".join(line for line in lines if line) + "\n", "features", parts)


@functools.cache
def best_move(rules: RuleSet) -> Kernel[..., int]:
    """A kernel `choose(view, moves, n, weights, blended, scores) -> move`: the best score wins.

    The lowest move number wins a tie, also between sums that only rounding keeps apart; a score that
    is not a number never wins.
    """
    score = scorer(rules)
    none = rules.game.move_count

    @kernel
    def choose(view: Any, moves: Any, n: int, weights: Any, blended: Any, scores: Any) -> int:
        score(view, moves, n, weights, blended, scores)
        best = -np.inf
        for i in range(n):
            best = scores[i] if scores[i] > best else best  # noqa: FURB136 - max() may let a NaN win
        chosen = none
        for i in range(n):
            chosen = min(chosen, moves[i]) if scores[i] >= best - ROUNDING else chosen
        return chosen if chosen < none else moves[0]

    return choose


@functools.cache
def chooser(rules: RuleSet) -> Kernel[..., int]:
    """The kernel by which a player of this rule set picks its move; see `best_move`."""
    make = rules.decide or (best_move if rules.game.live is None else choose_kernel)
    choose = make(rules)
    choose.title = f"the rule set '{rules.name}' of {rules.game.title}"
    return choose


def _tree(terms: list[str]) -> str:
    if len(terms) == 1:
        return terms[0]
    half = len(terms) // 2
    return f"({_tree(terms[:half])} + {_tree(terms[half:])})"


def built(source: str, name: str, parts: Mapping[str, Any]) -> Kernel[..., Any]:
    """The kernel `name` that a text defines, in which each of `parts` is called by its name."""
    namespace = {**parts, "__name__": __name__}
    filename = f"<{name} {hashlib.sha256(source.encode()).hexdigest()[:16]}>"
    keep_source(filename, source)
    exec(compile(source, filename, "exec"), namespace)  # noqa: S102 - the text is made here
    return kernel(namespace[name])
