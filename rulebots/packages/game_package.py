"""All that belongs to one game, as one object: `package` in the `__init__` of the game's folder.

    package = GamePackage(
        __name__,
        game=game,
        rule_sets="rules:RULE_SETS",
        players="players:PLAYERS",
        references=("hand", "random"),
    )

A part that is expensive to import stands there as "module:name" of the folder, and is imported when it is first read.
"""

from __future__ import annotations

import importlib
import inspect
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from rulebots.errors import unknown
from rulebots.kernel.user_code import CodeError, place_of_module
from rulebots.packages.named_code import import_mistakes

if TYPE_CHECKING:
    from rulebots.files.plain_yaml import Node
    from rulebots.game import Game
    from rulebots.game.position import Position
    from rulebots.kernel import Kernel
    from rulebots.output.diagram import Diagram
    from rulebots.players import Player
    from rulebots.rules import RuleSet

T = TypeVar("T")


class Part(Generic[T]):
    """A field of a package that holds a thing, or the "module:name" of one until it is first read."""

    def __init__(self, default: T) -> None:
        self._default = default

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, package: GamePackage | None, owner: type) -> T:
        if package is None:
            default: Any = self  # what `dataclass` passes to `__set__` where nothing is given
            return default
        value = vars(package)[self._name]
        if isinstance(value, str):
            value = self._imported(package.module, value)
            vars(package)[self._name] = value
        return value

    def __set__(self, package: GamePackage, value: T | str) -> None:
        given: object = value
        vars(package)[self._name] = self._default if given is self else given

    def _imported(self, package: str, text: str) -> Any:
        where, _, name = text.partition(":")
        with import_mistakes(f"{package}.{where}"):
            module = importlib.import_module(f"{package}.{where}")
        if not hasattr(module, name):
            raise CodeError(f"{place_of_module(module)}: {unknown('name', name, vars(module), 'this file')}")
        return getattr(module, name)


@dataclass(frozen=True)
class ForcedWins:
    """A game's solver of forced wins, in a game without hidden information and chance.

    `win(state, workspace, nodes, line) -> plies` is a kernel: in how many plies the mover wins whatever the other side
    does, 0 where no such win is found by visiting about `nodes` positions. It writes the moves of both sides into
    `line`, int64[ply cap]. A win that it reports has to be proved, and it may not change the state. `workspace()` makes
    what it writes to besides: an array, or a named tuple of arrays. What it remembers there may save positions.
    """

    win: Kernel[..., int]
    workspace: Callable[[], Any]


@dataclass(frozen=True)
class Reader:
    """A reader of one foreign layout of population files.

    `recognizes(root)` is whether a file's tree has that layout. `read(root, problems, comment) -> Population` reads it;
    everything wrong goes to `problems`, and `comment` is the text at the top of the file; see population_file.py.
    """

    recognizes: Callable[[Node], bool]
    read: Callable[[Node, Any, str], Any]


@dataclass(frozen=True, eq=False)
class GamePackage:
    """A game with its rule sets, players, drawing, solvers and settings. All but the law may be left out.

    Attributes:
        module: `__name__` of the package or file that makes this object. Its docstring describes the game.
        game: The law.
        rule_sets: Players are bred from the first one by default.
        players: Built-in players: name -> function that makes the player.
        searches: Players with settings, `name:setting=value,...`: name -> class or function. Its parameters `game`
            and `name` are passed if it has them; the others are the settings (players.py).
        references: Players that strength is measured against, the hand-tuned one first.
        baselines: Players that do not try to win. A bred player that loses to one has collapsed.
        levels: Players by strength, the weakest first (levels.py). How strong they are stands in `levels.yaml`, a
            ladder file.
        breeding: Settings of a breeding run (`evolve.Settings`) that suit the game.
        mcts: Settings of `mcts:...` that suit the game.
        draw: `draw(position, seat)`: a picture of what that seat may see. Without it the page shows the game's text.
        look_on: `look_on(position)`: the picture for spectators of a game with hidden information.
        example: Moves as text that lead from deal 1 to the position in the game's picture.
        forced_wins: A solver of forced wins, for tree searches.
        solve: `solve(options) -> Solution`, the exact value of the game, faster than the general solver. It is passed
            `watch` and `anyway` if it has such parameters (rulebots/search/exact).
        tablebase: `tablebase(position)`: exact values of that position and all that can follow it.
        readers: Readers of population files in other layouts.
    """

    module: str
    game: Game
    rule_sets: Part[tuple[RuleSet, ...]] = Part(())
    players: Part[Mapping[str, Callable[[], Player]]] = Part({})
    searches: Part[Mapping[str, Callable[..., Any]]] = Part({})
    references: tuple[str, ...] = ("random",)
    baselines: tuple[str, ...] = ("random",)
    levels: tuple[str, ...] = ()
    breeding: Mapping[str, Any] = field(default_factory=dict)
    mcts: Mapping[str, Any] = field(default_factory=dict)
    draw: Part[Callable[[Position, int | None], Diagram] | None] = Part(None)
    look_on: Part[Callable[[Position], Diagram] | None] = Part(None)
    example: str = ""
    forced_wins: Part[ForcedWins | None] = Part(None)
    solve: Part[Callable[..., Any] | None] = Part(None)
    tablebase: Part[Callable[[Position], Any] | None] = Part(None)
    readers: Part[tuple[Reader, ...]] = Part(())

    @property
    def about(self) -> tuple[str, tuple[str | tuple[str, ...], ...]]:
        """The first paragraph of the docstring, of the package or of the class of a game as it is, and the others.

        They are "" and () where there is none.

        A paragraph that begins with "- " is a list: its items.
        """
        summary, _, rules = inspect.cleandoc(
            (self.game.live and self.game.live.source.__doc__) or sys.modules[self.module].__doc__ or ""
        ).partition("\n\n")
        paragraphs: list[str | tuple[str, ...]] = []
        for block in filter(None, map(str.strip, re.split(r"\n\s*\n", rules))):
            items = re.split(r"^- ", block, flags=re.MULTILINE)
            lines = [" ".join(item.split()) for item in items]
            paragraphs.append(lines[0] if items[0] else tuple(lines[1:]))
        return " ".join(summary.split()), tuple(paragraphs)

    @property
    def place(self) -> str:
        """Its file, for messages."""
        return place_of_module(sys.modules[self.module])

    @property
    def folder(self) -> Path:
        """The folder of the game's files."""
        return Path(sys.modules[self.module].__file__ or "").parent
