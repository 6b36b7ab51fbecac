"""What can be wrong with a file, each with its place: `file:line:column: message`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rulebots.errors import FileError, shown, unknown
from rulebots.files.yaml_reading import Items, Map, Node, Scalar, refused_tag

#: So many problems of a file are told: a person corrects these first.
MOST = 20


@dataclass(frozen=True)
class Problem:
    """One thing wrong with a file. `line` and `column` count from 1; 0 means the file as a whole."""

    file: str
    line: int
    column: int
    message: str

    def __str__(self) -> str:
        place = f":{self.line}:{self.column}" if self.line else ""
        return f"{self.file}{place}: {self.message}"


class PopulationError(FileError):
    """A file that is not a population; `problem` is the first thing wrong with it."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem))
        self.problem = problem


class Problems:
    """Collects everything that is wrong with one file.

    With `drop_missing` a rule that the rule set lacks is no problem: it is noted in `dropped` and left out. `wanted` is
    the part after the `#`, None without one: it names a player, or how to read a file that can be read in several ways.
    `notes` are sentences about how a file was read.
    """

    def __init__(self, file: str, *, drop_missing: bool = False, wanted: str | None = None) -> None:
        self.file = file
        self.drop_missing = drop_missing
        self.wanted = wanted
        self.notes: list[str] = []
        self.dropped: dict[str, None] = {}
        self._found: list[Problem] = []

    def add(self, node: Node, message: str) -> None:
        """Note a problem at a node. Raises PopulationError when there are too many to go on."""
        self._found.append(Problem(self.file, node.line, node.column, message))
        if len(self._found) == MOST:
            raise self.stop(node, f"{MOST} problems up to here; correct these first")

    def missing(self, rule: str, node: Node, message: Callable[[], str]) -> None:
        """Note a rule that the rule set does not have, `group.name`; what to say of it takes a while to find."""
        if self.drop_missing:
            self.dropped[rule] = None
        else:
            self.add(node, message())

    def expected(self, what: str, node: Node) -> None:
        """Note that something else came where `what` was expected."""
        self.add(node, f"expected {what}, not {node.described()}")

    def stop(self, node: Node, message: str) -> PopulationError:
        """The error to raise where reading cannot go on."""
        return PopulationError(Problem(self.file, node.line, node.column, message))

    def in_order(self) -> list[Problem]:
        """The problems in the order of the file."""
        return sorted(self._found, key=lambda p: (p.line, p.column))

    def entries(
        self, node: Node, what: str, name_of: Callable[[str], str] = lambda text: text
    ) -> dict[str, tuple[Scalar, Node]]:
        """The entries of a map by name, each with its key's node; empty for anything but a map.

        `name_of` gives the name that a key stands for, where there are several spellings of one.

        Notes a problem for anything but a map (`what` says what it should hold), for keys that are not names,
        and for names that are there twice, of which the first counts.
        """
        if not isinstance(node, Map):
            self.expected(what, node)
            return {}
        found: dict[str, tuple[Scalar, Node]] = {}
        for key, value in node.entries:
            name = name_of(key.text) if isinstance(key, Scalar) else ""
            if not isinstance(key, Scalar) or not name:
                self.expected("a name", key)
            elif name in found:
                first = found[name][0].line
                self.add(key, f"'{shown(name)}' is there twice, first on line {first}; remove one of them")
            else:
                found[name] = (key, value)
        return found

    def required(self, found: Mapping[str, tuple[Scalar, Node]], name: str, parent: Node, example: str) -> Node | None:
        """The value of a key that has to be there; else a problem at its parent, with an example."""
        if name in found:
            return found[name][1]
        if isinstance(parent, Map):
            self.add(parent, f"expected the key '{name}', which is missing; write for example '{example}'")
        return None

    def known(self, found: Mapping[str, tuple[Scalar, Node]], names: Sequence[str], where: str) -> None:
        """Note every key that is not among the names."""
        for name, (key, _) in found.items():
            if name not in names:
                self.add(key, unknown("key", shown(name), names, where))

    def data(self, node: Node) -> Any:
        """A tree as plain data: dicts, lists, text, numbers, true, false, None."""
        if isinstance(node, Scalar):
            return node.value()
        if isinstance(node, Items):
            return [self.data(item) for item in node.items]
        return {name: self.data(value) for name, (_, value) in self.entries(node, "a map").items()}

    def refuse_tags(self, node: Node) -> None:
        """Note every tag in a tree."""
        if node.tag:
            self.add(node, refused_tag(node.tag))
        if isinstance(node, Map):
            children: list[Node] = [child for entry in node.entries for child in entry]
        else:
            children = node.items if isinstance(node, Items) else []
        for child in children:
            self.refuse_tags(child)
