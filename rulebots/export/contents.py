"""What an export consists of: the law of a game with certain options, players, and the functions of both."""

from __future__ import annotations

import ast
import functools
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from rulebots.export.ranges import EXACT, INT64, Range
from rulebots.export.reading import Function, NotInSubset, Place, Program
from rulebots.export.tree import INT, ArrayKind, Expr, Local, RecordKind
from rulebots.game import Game
from rulebots.game.chance import draw_kernel
from rulebots.game.contract import MOST_LUCK
from rulebots.game.random_numbers import CARDS, apart, below, next_luck, rng_of
from rulebots.kernel import Kernel
from rulebots.kernel.source_code import written_definition
from rulebots.packages.levels import CarelessPlayer
from rulebots.players.compiled import CompiledPlayer, Style, decides_by_rules
from rulebots.players.player import Player
from rulebots.rules import RuleSet
from rulebots.rules.scoring import built, scorer

#: Deals that show how a game deals.
SAMPLE = 32


@dataclass(frozen=True)
class Deal:
    """How a game deals: the numbers of `pack` in an order of `way`.

    "sorted": as random numbers, one for each place, are sorted; "shuffled": as `Generator.permutation` shuffles.
    "nothing": there is no deal; "given": deals cannot be drawn in another language, and have to be given.
    """

    way: str
    pack: tuple[int, ...] = ()


@dataclass(eq=False)
class Judge:
    """How players of one style decide: what they see, and the functions that choose and explain."""

    style: Style
    view: RecordKind
    observe: Function
    choose: Function
    score: Function | None = None
    judge: Function | None = None

    @property
    def columns(self) -> int:
        """The number of its weights, early or late."""
        return self.style.columns

    def shares(self) -> list[list[float]]:
        """How much each rule's group counts for each kind of move."""
        rules = self.style.rules
        assert rules is not None
        return [[kind.mix.get(rule.group, 0.0) for rule in rules.rules] for kind in rules.mixes]


@dataclass(frozen=True, eq=False)
class Exported:
    """A player: its name, how it decides, its weights, and the share of its moves that are made at random."""

    name: str
    judge: int
    weights: npt.NDArray[np.float64]
    careless: float = 0.0


@dataclass(eq=False)
class Contents:
    """Everything that a file of an export says, in no language yet."""

    game: Game
    options: dict[str, int]
    seats: int
    deal: Deal
    program: Program
    state: RecordKind
    view: RecordKind
    law: dict[str, Function] = field(default_factory=dict)
    judges: list[Judge] = field(default_factory=list)
    players: list[Exported] = field(default_factory=list)
    names: tuple[str, ...] = ()
    levels: tuple[str, ...] = ()
    law_too: bool = True

    def records(self) -> list[RecordKind]:
        """The kinds of records that the file has: the state, the view, and the views of players."""
        views = [self.view, *(judge.view for judge in self.judges)]
        return [*dict.fromkeys([self.state, *views] if self.law_too else views)]

    def meaning(self, kind: RecordKind) -> str:
        """What a kind of record is."""
        if kind is self.state:
            return "Everything that the referee knows."
        if kind is self.view:
            return "What the mover may know, its own side first."
        return "What the mover may know, and what rules work out of it."

    def note(self, kind: RecordKind, name: str) -> str:
        """The numbers that a field of the view can hold, in words; "" for a field of another record."""
        place = self.program.places(kind)[name].found()
        if kind is not self.view or place.range is None or kind.dtype[name].base.kind == "f":
            return ""
        base = f"{kind.dtype[name].base}{list(kind.dtype[name].shape) or ''}"
        return (
            base
            if place.range.within(place.limit) and place.range == place.limit
            else f"{base}, {place.range.low} to {place.range.high}"
        )

    def roots(self) -> list[Function]:
        """The functions that the rest of the file calls."""
        law = [f for name, f in self.law.items() if self.law_too or name in ("next_luck", "below", "apart", "kind")]
        of_judges = (f for j in self.judges for f in (j.observe if self.law_too else None, j.choose, j.score, j.judge))
        return [*law, *(f for f in of_judges if f is not None)]


def contents_of(
    game: Game,
    players: Mapping[str, Player],
    options: Mapping[str, int] | None = None,
    *,
    levels: tuple[str, ...] = (),
    law_too: bool = True,
) -> Contents:
    """What an export of these players, by name, says; without `law_too` the players alone.

    `levels` are the names of those that stand for a level, the weakest first.

    Raises:
        NotInSubset: a function, or a player, uses what exports do not have.
        UsageError: a wrong option.
    """
    if game.live is not None:
        raise NotInSubset(
            f"{game.name} is made of Python objects, which no other language has: write its law as kernels over "
            "records (`rulebots new` begins one), or let programs ask `rulebots engine`"
        )
    values = game.option_values(options)
    program = Program()
    program.options = game.named_options(values)
    state = program.record("state", game.state, _set_first(game.setup, 0))
    view = program.record("view", game.view, _set_first(game.observe, 1))
    seats = game.seats_with(values)
    deal = deal_of(game, values)
    whole = Contents(game, program.options, seats, deal, program, state, view, levels=levels, law_too=law_too)
    _read_law(whole, values)
    for name, player in players.items():
        _add_player(whole, name, player)
    program.settle()
    try:
        whole.names = tuple(game.text.write(move) for move in range(game.move_count))
    except Exception:  # noqa: BLE001 - moves whose names depend on more have none here
        whole.names = ()
    return whole


def _read_law(whole: Contents, values: Any) -> None:
    game = whole.game
    program = whole.program
    state = Local(whole.state, INT64, None, "state")
    view = Local(whole.view, INT64, None, "view")
    options = Local(program.record("options", values.dtype), INT64, None, "options")
    moves = _array("int64", game.move_count)
    pack = whole.deal.pack
    dealt = _array("int64", len(pack), Range(min(pack), max(pack)) if pack else None)
    if whole.deal.way == "given":
        dealt = _array("int64", len(game.deal(rng_of(0, CARDS), 1, values)[0]), INT64)
    move = _number(0, game.move_count - 1)
    luck = _number(1, MOST_LUCK)
    wanted: dict[str, tuple[Any, list[Expr]]] = {
        "setup": (game.setup, [state, dealt, options]),
        "moves": (game.moves, [state, moves]),
        "play": (game.play, [state, move]),
        "over": (game.over, [state]),
        "points": (game.points, [state, _number(0, whole.seats - 1)]),
        "observe": (game.observe, [state, view]),
        "kind": (game.kind, [move]),
        "next_luck": (next_luck, [luck]),
        "below": (below, [luck, _number(0, 1_000_000)]),
        "apart": (apart, [luck]),
    }
    if game.chance:
        wanted["draw"] = (draw_kernel(game), [state, moves, _number(1, game.move_count), luck])
    for name, (body, arguments) in wanted.items():
        whole.law[name] = program.function(body, arguments, name)
    program.places(whole.state)["mover"].join(Range(0, whole.seats - 1), program)
    program.places(whole.view)["luck"].join(Range(1, MOST_LUCK), program)


def decider_of(player: Player) -> CompiledPlayer:
    """The player whose choice is a kernel: itself, or the one that is careless now and then. Raises NotInSubset."""
    inner = player.player if isinstance(player, CarelessPlayer) else player
    if isinstance(inner, CompiledPlayer) and type(inner).choose is CompiledPlayer.choose:
        return inner
    what = "only players made of rules, and those whose choice is a kernel, can be exported"
    raise NotInSubset(f"'{player.name}' of {player.game.name} is a {type(inner).__name__}: {what}")


def _add_player(whole: Contents, name: str, player: Player) -> None:
    inner = decider_of(player)
    share = player.share if isinstance(player, CarelessPlayer) else 0.0
    styles = [judge.style for judge in whole.judges]
    if inner.style not in styles:
        whole.judges.append(_judge_of(whole, inner))
        styles.append(inner.style)
    whole.players.append(Exported(name, styles.index(inner.style), inner.weights, share))


def _judge_of(whole: Contents, player: CompiledPlayer) -> Judge:
    game = whole.game
    program = whole.program
    style = player.style
    record = program.record("view", style.record, _set_first(game.observe, 1))
    view = Local(record, INT64, None, "view")
    program.places(record)["luck"].join(Range(1, MOST_LUCK), program)
    observe = program.function(game.observe, [Local(whole.state, INT64, None, "state"), view], "observe")
    n = _number(1, game.move_count)
    _, written = whole.law["moves"].parameters.values()
    listed = Local(ArrayKind("int64", (game.move_count,)), INT64, written, "moves")
    weights = _array("float64", (2, style.columns))
    blended = _array("float64", style.columns)
    scores = _array("float64", game.move_count)
    # Scorers of different rule sets have the same source, but for what they call.
    judge = Judge(
        style, record, observe, program.function(style.choose, [view, listed, n, weights, blended, scores], "choose")
    )
    if decides_by_rules(player):
        judge.score = program.function(scorer(player.rules), [view, listed, n, weights, blended, scores], "score")
        values = _array("float64", (2, style.columns))
        judge.judge = program.function(judging(player.rules), [view, listed, n, weights, blended, values], "judge")
    return judge


@functools.cache
def judging(rules: RuleSet) -> Kernel[..., float]:
    """A kernel `judge(view, moves, n, weights, blended, values) -> progress`: the value of each rule for each move.

    `values` is float64[n, rules], zeroed before; `blended`, float64[rules], gets the weights of this moment. It asks in
    the order of rulebots/players/explaining.py.
    """
    game = rules.game
    lines = [
        "def judge(view, moves, n, weights, blended, values):",
        "    facts(view)" if rules.facts else "",
        "    t = 0.0" if rules.flat else "    t = progress(view)",
        "    for r in range(blended.shape[0]):",
        "        blended[r] = (1.0 - t) * weights[0, r] + t * weights[1, r]",
        "    for i in range(n):",
        "        move_kind, subject = kind(moves[i]), item(view, moves[i])",
        "        consider(view, subject)" if rules.consider else "",
    ]
    for number, of_kind in enumerate(rules.mixes):
        lines += [f"        if move_kind == {number}:", "            pass"]
        lines += [
            f"            values[i, {column}] = rule_{column}(view, subject)"
            for column, rule in enumerate(rules.rules)
            if rule.group in of_kind.mix
        ]
    lines.append("    return t")
    parts: dict[str, Any] = {"kind": game.kind, "item": game.item}
    parts |= {"facts": rules.facts, "consider": rules.consider, "progress": rules.progress}
    parts |= {f"rule_{column}": rule.kernel for column, rule in enumerate(rules.rules)}
    return built("\n".join(line for line in lines if line) + "\n", "judge", parts)


def deal_of(game: Game, values: Any) -> Deal:
    """How a game with these options deals, found by its first deals."""
    rows = [game.deal(rng_of(seed, CARDS), 1, values)[0] for seed in range(SAMPLE)]
    count = len(rows[0])
    if count == 0:
        return Deal("nothing")
    for way in ("sorted", "shuffled"):
        packs = set()
        for seed, row in enumerate(rows):
            rng = rng_of(seed, CARDS)
            order = rng.random(count).argsort(kind="stable") if way == "sorted" else rng.permutation(count)
            pack = np.zeros(count, np.int64)
            pack[order] = row
            packs.add(tuple(pack.tolist()))
        if len(packs) == 1:
            return Deal(way, packs.pop())
    return Deal("given")


def _set_first(body: Kernel[..., Any], parameter: int) -> frozenset[str]:
    """The fields of a record that a function sets in any case, so that nobody sees the 0 from before."""
    tree = written_definition(body.function)  # type: ignore[arg-type]  # a plain function
    if tree is None:
        return frozenset()
    name = tree.args.args[parameter].arg
    targets = (target for node in tree.body if isinstance(node, ast.Assign) for target in node.targets)
    return frozenset(
        t.attr for t in targets if isinstance(t, ast.Attribute) and isinstance(t.value, ast.Name) and t.value.id == name
    )


def _number(low: int, high: int) -> Expr:
    return Expr(INT, Range(low, high))


def _array(element: str, shape: int | tuple[int, ...], limits: Range | None = None) -> Expr:
    lengths = shape if isinstance(shape, tuple) else (shape,)
    return Expr(ArrayKind(element, lengths), INT64, Place(None, EXACT if element == "float64" else limits))
