"""What an export consists of: the law of a game with certain options, players, and the functions of both."""

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from rulebots.errors import demand
from rulebots.export.program import Function, Program
from rulebots.export.ranges import EXACT, INT64, Range
from rulebots.export.source import NotInSubset, source_of, tree_of
from rulebots.export.statements import read_body
from rulebots.export.tree import FLOAT, INT, ArrayKind, Expr, Place, RecordKind
from rulebots.game import Game
from rulebots.game.chance import draw_kernel
from rulebots.game.contract import MOST_LUCK
from rulebots.game.random_numbers import CARDS, apart, below, next_luck, rng_of, unchanged
from rulebots.game.seats import worth_kernel
from rulebots.kernel import Kernel
from rulebots.packages.levels import CarelessPlayer
from rulebots.players.compiled import CompiledPlayer, Style, decides_by_rules
from rulebots.players.player import Player
from rulebots.rules import Rule
from rulebots.rules.scoring import scorer

#: Deals that show how a game deals.
SAMPLE = 32
#: What players need of the law.
_OF_PLAYERS = ("next_luck", "below", "apart", "kind")
#: What players of one style are made of, besides their rules.
PARTS = ("choose", "score", "facts", "progress", "item", "consider")


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
    """How players of one style decide: the record that they see, and the functions that choose and explain.

    `parts` are those of `PARTS`, None where a set of rules lacks one; `values` are the rules.
    """

    style: Style
    view: RecordKind
    parts: dict[str, Function | None]
    values: list[Function] = field(default_factory=list)

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules; none where a kernel chooses."""
        return () if self.style.rules is None else self.style.rules.rules

    @property
    def mixes(self) -> list[dict[str, float]]:
        """How much each group of rules counts, for each kind of move."""
        return [] if self.style.rules is None else [dict(kind.mix) for kind in self.style.rules.mixes]

    @property
    def shares(self) -> list[list[float]]:
        """How much each rule's group counts, for each kind of move; NaN where it is not asked."""
        return [[mix.get(rule.group, np.nan) for rule in self.rules] for mix in self.mixes]


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
    seats: int
    deal: Deal
    program: Program
    state: RecordKind
    view: RecordKind
    levels: tuple[str, ...]
    law_too: bool
    search: bool
    law: dict[str, Function] = field(default_factory=dict)
    judges: list[Judge] = field(default_factory=list)
    players: list[Exported] = field(default_factory=list)
    names: tuple[str, ...] = ()

    @property
    def records(self) -> list[RecordKind]:
        """The kinds of records that the file has: the state, the view, and the views of players."""
        views = [self.view, *(judge.view for judge in self.judges)]
        return [*dict.fromkeys([self.state, *views] if self.law_too else views)]

    @property
    def words(self) -> str:
        """What is in the file."""
        names = ", ".join(player.name for player in self.players)
        return f"{'the law and ' if self.law_too else ''}the player{'s' if len(self.players) > 1 else ''} {names}"

    @property
    def roots(self) -> list[Function]:
        """The functions that the rest of the file calls."""
        law = [f for name, f in self.law.items() if self.law_too or name in _OF_PLAYERS]
        of_judges = [f for judge in self.judges for f in (*judge.parts.values(), *judge.values) if f is not None]
        return [*law, *of_judges]

    def meaning(self, kind: RecordKind) -> str:
        """What a kind of record is."""
        if kind is self.state:
            return "Everything that the referee knows."
        more = "" if kind is self.view else ", and what rules work out of it"
        return f"What the mover may know, its own side first{more}."

    def note(self, kind: RecordKind, name: str) -> str:
        """The type of a field of the view, and its smallest and largest number; "" for a field of another record."""
        place = self.program.fields[kind.name, name].found()
        dtype = kind.dtype[name]
        ends = "" if place.range in (None, place.limit, EXACT) else f", {place.range[0]} to {place.range[1]}"
        return f"{dtype.base}{list(dtype.shape) or ''}{ends}" if kind is self.view else ""


def contents_of(
    game: Game,
    players: Mapping[str, Player],
    options: Mapping[str, int] | None = None,
    *,
    levels: tuple[str, ...] = (),
    law_too: bool = True,
    search: bool = False,
) -> Contents:
    """What an export of these players, by name, says; without `law_too` the players alone.

    `levels` are the names of those that stand for a level, the weakest first. With `search` it searches as well.

    Raises:
        NotInSubset: a function, or a player, uses what exports do not have.
        UsageError: a wrong option, or a search without the law, or of a game that hides something and has no `redeal`.
    """
    demand(law_too or not search, "a search plays by the law: leave out --player-only")
    demand(
        not search or not game.hidden or game.redeal is not None,
        f"{game.name} hides something but has no `redeal`, by which a search would deal it again",
    )
    demand(
        game.live is None,
        f"{game.name} is made of Python objects, which no other language has: write its law as kernels over "
        "records (`rulebots new` begins one), or let programs ask `rulebots engine`",
        NotInSubset,
    )
    values = game.option_values(options)
    program = Program(game.named_options(values), read_body)
    state = program.record("state", game.state, _set_first(game.setup, 0))
    view = program.record("view", game.view, _set_first(game.observe, 1))
    whole = Contents(
        game, game.seats_with(values), deal_of(game, values), program, state, view, levels, law_too, search
    )
    _read_law(whole, values)
    for name, player in players.items():
        _add_player(whole, name, player)
    program.settle()
    whole.names = tuple(game.text.write(move) for move in range(game.move_count))
    return whole


def _read_law(whole: Contents, values: Any) -> None:
    game = whole.game
    program = whole.program
    state = Expr("local", whole.state)
    moves = _array("int64", game.move_count)
    pack = whole.deal.pack
    length = len(game.deal(rng_of(0, CARDS), 1, values)[0])
    dealt = _array("int64", length, Range(min(pack), max(pack)) if pack else INT64)
    luck = _number(1, MOST_LUCK)
    wanted: dict[str, tuple[Any, list[Expr]]] = {
        "setup": (game.setup, [state, dealt, Expr("local", program.record("options", values.dtype))]),
        "moves": (game.moves, [state, moves]),
        "play": (game.play, [state, _number(0, game.move_count - 1)]),
        "over": (game.over, [state]),
        "points": (game.points, [state, _number(0, whole.seats - 1)]),
        "observe": (game.observe, [state, Expr("local", whole.view)]),
        "kind": (game.kind, [_number(0, game.move_count - 1)]),
        "next_luck": (next_luck, [luck]),
        "below": (below, [luck, _number(0, 1_000_000)]),
        "apart": (apart, [luck]),
    }
    if whole.search:
        worth = [_array("int64", whole.seats), _number(whole.seats, whole.seats), _array(FLOAT, whole.seats)]
        wanted |= {"redeal": (game.redeal or unchanged, [state, luck]), "value": (worth_kernel(game), worth)}
    if game.chance:
        wanted["draw"] = (draw_kernel(game), [state, moves, _number(1, game.move_count), luck])
    program.names |= dict.fromkeys(wanted, 1)
    whole.law = {name: program.function(body, arguments) for name, (body, arguments) in wanted.items()}
    for name, function in whole.law.items():
        function.name = name
    program.fields["state", "mover"].join(Range(0, whole.seats - 1), program.waiting)
    program.fields["view", "luck"].join(Range(1, MOST_LUCK), program.waiting)


def _add_player(whole: Contents, name: str, player: Player) -> None:
    inner = player.player if isinstance(player, CarelessPlayer) else player
    if not isinstance(inner, CompiledPlayer) or type(inner).choose is not CompiledPlayer.choose:
        what = "only players made of rules, and those whose choice is a kernel, can be exported"
        raise NotInSubset(f"'{player.name}' of {whole.game.name} is a {type(inner).__name__}: {what}")
    styles = [judge.style for judge in whole.judges]
    if inner.style not in styles:
        whole.judges.append(_judge_of(whole, inner))
        styles.append(inner.style)
    share = player.share if isinstance(player, CarelessPlayer) else 0.0
    weights = inner.weights if inner.weights.size else np.zeros((2, 1))  # in C no array is empty
    whole.players.append(Exported(name, styles.index(inner.style), weights, share))


def _judge_of(whole: Contents, player: CompiledPlayer) -> Judge:
    game = whole.game
    program = whole.program
    style = player.style
    record = program.record("view", style.record)
    for name in game.view.names or ():  # it begins as the game's view
        program.fields[record.name, name] = program.fields["view", name]
    _, listed = whole.law["moves"].parameters.values()
    moves = Expr("local", ArrayKind("int64", (game.move_count,)), place=listed)
    columns = max(style.columns, 1)
    weighted = [_array(FLOAT, (2, columns)), _array(FLOAT, columns)]
    one = Expr("local", record)
    seen = [one, moves, _number(1, game.move_count), *weighted, _array(FLOAT, game.move_count)]
    judge = Judge(style, record, dict.fromkeys(PARTS))
    judge.parts["choose"] = program.function(style.choose, seen)
    if decides_by_rules(player):
        rules = player.rules
        item = program.function(game.item, [one, _number(0, game.move_count - 1)])
        subject = Expr("local", item.gives, item.results[0].range or Range(0, 0))
        wanted = {
            "score": (scorer(rules), seen),
            "facts": (rules.facts, [one]),
            "progress": (rules.progress, [one]),
            "consider": (rules.consider, [one, subject]),
        }
        judge.parts |= {
            name: None if body is None else program.function(body, given) for name, (body, given) in wanted.items()
        }
        judge.parts["item"] = item
        judge.values = [program.function(rule, [one, subject]) for rule in rules.rules]
    return judge


def deal_of(game: Game, values: Any) -> Deal:
    """How a game with these options deals, found by its first deals."""
    rows = [game.deal(rng_of(seed, CARDS), 1, values)[0] for seed in range(SAMPLE)]
    if not len(rows[0]):
        return Deal("nothing")
    for way in ("sorted", "shuffled"):
        packs = {_pack(way, seed, row) for seed, row in enumerate(rows)}
        if len(packs) == 1:
            return Deal(way, packs.pop())
    return Deal("given")


# What was dealt to the places of this deal of a seed, in the order of the pack, if it was dealt in this way.
def _pack(way: str, seed: int, row: npt.NDArray[np.int64]) -> tuple[int, ...]:
    rng = rng_of(seed, CARDS)
    order = rng.random(len(row)).argsort(kind="stable") if way == "sorted" else rng.permutation(len(row))
    pack = np.zeros(len(row), np.int64)
    pack[order] = row
    return tuple(pack.tolist())


# The fields of a record that a function sets in any case, so that nobody sees the 0 from before.
def _set_first(body: Kernel[..., Any], parameter: int) -> frozenset[str]:
    tree = tree_of(source_of(body))
    name = tree.args.args[parameter].arg
    targets = (target for node in tree.body if isinstance(node, ast.Assign) for target in node.targets)
    fields = (target for target in targets if isinstance(target, ast.Attribute))
    return frozenset(target.attr for target in fields if ast.unparse(target.value) == name)


def _number(low: int, high: int) -> Expr:
    return Expr("local", INT, Range(low, high))


# An array of int64, or of float64 for "float".
def _array(element: str, shape: int | tuple[int, ...], limits: Range | None = None) -> Expr:
    kind = ArrayKind("float64" if element == FLOAT else element, shape if isinstance(shape, tuple) else (shape,))
    return Expr("local", kind, place=Place(None, EXACT if element == FLOAT else limits))
