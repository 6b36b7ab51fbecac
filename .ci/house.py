"""The budget: rooms, floors, arrows, circles, statements and tokens, compared with the numbers in .ci/house.toml.

A room is a folder or loose file directly under `rulebots/`, and `evolve/` and `benchmarks/`. An arrow is a pair of
rooms of which one imports the other; imports in functions and under TYPE_CHECKING count. A room's floor is one above
the highest room that it imports. The example packages that `rulebots new` copies import what a user's would: no arrow
begins there. A circle is a set of files that import each other. Statements are nodes of the syntax
tree, tokens are those of `tokenize` without comments, line ends and indentation; both are of `rulebots/` and `evolve/`.

    python3 .ci/house.py            print the numbers; exit code 1 if one is larger than in .ci/house.toml
    python3 .ci/house.py --rooms    print each room with its floor, size and imports
    python3 .ci/house.py --why A B  print which files of room A import which files of room B
"""

from __future__ import annotations

import ast
import io
import sys
import tokenize
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TOPS = ("rulebots", "evolve", "benchmarks")
NOT_PRODUCT = "benchmarks"
EXAMPLES = "rulebots.packages.examples"
NUMBERS = Path(__file__).with_suffix(".toml")
#: Layout, which costs a reader nothing.
LAYOUT = {
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER
}  # fmt: skip

Graph = Mapping[str, set[str]]


def main() -> int:
    """Measure, print, compare."""
    paths = {module_of(path): path for top in TOPS for path in sorted((ROOT / top).rglob("*.py"))}
    files = {name: {found for found in imports_of(name, path, paths) if found != name} for name, path in paths.items()}
    rooms: defaultdict[str, set[str]] = defaultdict(set)
    for name, imported in files.items():
        rooms[room_of(name)] |= {room_of(other) for other in imported if EXAMPLES not in name} - {room_of(name)}
    sizes = {name: size_of(path.read_text("utf-8")) for name, path in paths.items()}
    floors, circles = floors_of(rooms), circles_of(files)
    if "--rooms" in sys.argv:
        for room in sorted(rooms, key=lambda room: (-floors[room], room)):
            own = [sizes[name] for name in paths if room_of(name) == room]
            statements, tokens = map(sum, zip(*own, strict=True))
            size = f"{len(own):4} files {statements:6,} statements {tokens:7,} tokens"
            print(f"{floors[room]:3}  {room:12} {size}  imports {', '.join(sorted(rooms[room])) or 'nothing'}")
    if "--why" in sys.argv:
        one, other = sys.argv[sys.argv.index("--why") + 1 :][:2]
        for name in sorted(name for name in files if room_of(name) == one):
            for imported in sorted(found for found in files[name] if room_of(found) == other):
                print(f"{name} imports {imported}")
    measured = {
        "rooms": len(rooms),
        "floors": max(floors.values()),
        "arrows": sum(map(len, rooms.values())),
        "circles": len(circles),
        "statements": sum(sizes[name][0] for name in paths if room_of(name) != NOT_PRODUCT),
        "tokens": sum(sizes[name][1] for name in paths if room_of(name) != NOT_PRODUCT),
    }
    for circle in circles:
        print("a circle:", ", ".join(sorted(circle)))
    return compare(measured, tomllib.loads(NUMBERS.read_text("utf-8")))


def compare(measured: Mapping[str, int], allowed: Mapping[str, int]) -> int:
    """Print each number beside the allowed one; 1 if one is larger."""
    grown = [name for name, number in measured.items() if number > allowed[name]]
    for name, number in measured.items():
        print(f"{name:10} {number:7,}  of {allowed[name]:7,}{'  GROWN' if name in grown else ''}")
    if grown:
        print(f"{', '.join(grown)}: delete or merge, or change {NUMBERS.relative_to(ROOT)} in this commit and say why")
    return int(bool(grown))


def size_of(source: str) -> tuple[int, int]:
    """The statements and tokens of a file."""
    statements = sum(isinstance(node, ast.stmt) for node in ast.walk(ast.parse(source)))
    tokens = sum(token.type not in LAYOUT for token in tokenize.generate_tokens(io.StringIO(source).readline))
    return statements, tokens


def module_of(path: Path) -> str:
    """A file's name as Python imports it."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def room_of(module: str) -> str:
    """The room that a module stands in."""
    top, *inside = module.split(".")
    return inside[0] if top == "rulebots" and inside else top


def imports_of(name: str, path: Path, known: Mapping[str, Path]) -> Iterator[str]:
    """The modules of the house that a file imports, wherever in the file it does."""
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            wanted = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = package.rsplit(".", node.level - 1)[0] if node.level else ""
            base = ".".join(filter(None, (above, node.module)))
            wanted = [f"{base}.{alias.name}" for alias in node.names]
        else:
            continue
        for module in wanted:
            words = module.split(".")
            places = (".".join(words[:count]) for count in range(len(words), 0, -1))
            yield from [place for place in places if place in known][:1]


def floors_of(rooms: Graph) -> dict[str, int]:
    """The floor of each room; rooms that import each other share one."""
    together = {room: frozenset(circle) for circle in circles_of(rooms) for room in circle}
    floors: dict[str, int] = {}

    def floor(room: str) -> int:
        if room not in floors:
            own = together.get(room, frozenset({room}))
            below = {other for one in own for other in rooms[one]} - own
            number = 1 + max(map(floor, below), default=0)
            floors.update(dict.fromkeys(own, number))
        return floors[room]

    for room in rooms:
        floor(room)
    return floors


def circles_of(graph: Graph) -> list[list[str]]:
    """The strongly connected components of more than one node (Tarjan, SIAM J. Comput. 1(2), 1972)."""
    order: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(node: str) -> None:
        order[node] = lowest[node] = len(order)
        stack.append(node)
        for after in graph.get(node, ()):
            if after not in order:
                visit(after)
                lowest[node] = min(lowest[node], lowest[after])
            elif after in stack:
                lowest[node] = min(lowest[node], order[after])
        if lowest[node] == order[node]:
            place = stack.index(node)
            component = stack[place:]
            del stack[place:]
            if len(component) > 1:
                found.append(component)

    for node in graph:
        if node not in order:
            visit(node)
    return found


if __name__ == "__main__":
    sys.exit(main())
