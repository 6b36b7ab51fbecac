"""Files with parameters: the user's own JSON, YAML or INI file of numbers, or a template of any format.

Both are a text with holes. A hole of a file of numbers is one of its numbers, so that all else stays byte for byte; a
hole of a template is `{name}`.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from evolve.tuning.parameters import Parameter, Values, written
from rulebots.errors import listed, shown
from rulebots.files import InputError, read_bytes
from rulebots.files.plain_yaml import Items, Map, Node, Scalar, parse

#: The largest file.
MOST_BYTES = 2_000_000
#: The file of a program that has none of its own.
OWN_SUFFIX = ".json"
_NUMBER = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_WHOLE = re.compile(r"[-+]?[0-9]+")
_SECTION = re.compile(r"\s*\[([^\]]+)\]")
_ENTRY = re.compile(rf"\s*([^=:\[\];#]+?)\s*[=:]\s*({_NUMBER.pattern})\s*(?:[;#].*)?")
#: A hole of a template, or of a command: `{name}`.
HOLE = re.compile(r"\{([^\s{}]+)\}")


@dataclass(frozen=True)
class Hole:
    """The place of a parameter in a text, by characters."""

    name: str
    begin: int
    end: int


@dataclass(frozen=True)
class ParameterFile:
    """A text with holes, and the suffix of the files that are made from it."""

    suffix: str
    text: str
    holes: tuple[Hole, ...]

    def filled(self, values: Values) -> str:
        """The text with the values in its holes; a hole without a value stays as it is."""
        parts = []
        at = 0
        for hole in self.holes:
            if hole.name in values:
                parts += [self.text[at : hole.begin], written(values[hole.name])]
                at = hole.end
        return "".join([*parts, self.text[at:]])

    def kept(self, names: Sequence[str]) -> dict[str, int | float]:
        """The numbers of a file of numbers that are not among these names."""
        return {hole.name: _number(self.text[hole.begin : hole.end]) for hole in self.holes if hole.name not in names}


def read_numbers(path: Path) -> tuple[ParameterFile, list[Parameter]]:
    """The numbers of a JSON, YAML or INI file as parameters, nested names with dots: `search.depth`, `weights.0`.

    A number without a point stays whole. All others are real.

    Raises:
        InputError: it cannot be read, is not of its format, or has no number, or two of one name.
    """
    text = _text_of(path)
    kinds = {".json": _tree_holes, ".yaml": _tree_holes, ".yml": _tree_holes, ".ini": _ini_holes, ".cfg": _ini_holes}
    if path.suffix not in kinds:
        raise InputError(path, f"expected a file of numbers, {listed(list(kinds))}; --param-file takes any format")
    holes = sorted(kinds[path.suffix](path, text), key=lambda hole: hole.begin)
    names = [hole.name for hole in holes]
    if not names or len(set(names)) < len(names):
        twice = next((name for name in names if names.count(name) > 1), None)
        raise InputError(path, "there is no number in it" if twice is None else f"'{shown(twice)}' is there twice")
    named = zip(names, [_number(text[hole.begin : hole.end]) for hole in holes], strict=True)
    parameters = [Parameter(name, number, whole=isinstance(number, int)) for name, number in named]
    return ParameterFile(path.suffix, text, tuple(holes)), parameters


def read_template(path: Path, names: Sequence[str]) -> ParameterFile:
    """A text of any format with `{name}` for parameters. Raises InputError where it cannot be read or lacks one."""
    file = template(path.suffix, _text_of(path), names)
    missing = [name for name in names if name not in {hole.name for hole in file.holes}]
    if missing:
        raise InputError(path, f"there is no {{{missing[0]}}} in it: write it where the value belongs")
    return file


def template(suffix: str, text: str, names: Sequence[str]) -> ParameterFile:
    """A text with a hole at each `{name}` of these names."""
    holes = (Hole(match[1], *match.span()) for match in HOLE.finditer(text) if match[1] in names)
    return ParameterFile(suffix, text, tuple(holes))


def own_file(parameters: Sequence[Parameter]) -> ParameterFile:
    """A JSON file of the parameters' values by name, for a program that has no file of its own."""
    rows = (
        f'  "{one.name}": "{{{one.name}}}"' if one.choices else f'  "{one.name}": {{{one.name}}}' for one in parameters
    )
    return template(OWN_SUFFIX, "{\n" + ",\n".join(rows) + "\n}\n", [one.name for one in parameters])


def _number(text: str) -> int | float:
    return int(text) if _WHOLE.fullmatch(text) else float(text)


def _text_of(path: Path) -> str:
    data = read_bytes(path, "file of parameters", MOST_BYTES, text=True)
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise InputError(path, "expected text in UTF-8") from None


def _tree_holes(path: Path, text: str) -> Iterator[Hole]:
    # JSON may be indented with tabs, which YAML refuses; a mark at the beginning is no part of either.
    plain = text.replace("\t", " ") if path.suffix == ".json" else text
    marked = len(text) - len(text.removeprefix("\ufeff"))
    lines = [0, *(match.end() for match in re.finditer("\n", text[marked:]))]

    def holes(node: Node, name: str) -> Iterator[Hole]:
        if isinstance(node, Map):
            for key, inner in node.entries:
                yield from holes(inner, f"{name}.{key.text if isinstance(key, Scalar) else '?'}")
        elif isinstance(node, Items):
            for place, inner in enumerate(node.items):
                yield from holes(inner, f"{name}.{place}")
        elif node.plain and _NUMBER.fullmatch(node.text):
            begin = marked + lines[node.line - 1] + node.column - 1
            yield Hole(name[1:], begin, begin + len(node.text))

    return holes(parse(plain[marked:], "file of parameters", str(path)), "")


def _ini_holes(path: Path, text: str) -> Iterator[Hole]:
    section = ""
    begin = 0
    for line in text.splitlines(keepends=True):
        if head := _SECTION.match(line):
            section = f"{head[1]}."
        elif entry := _ENTRY.fullmatch(line.rstrip("\r\n")):
            yield Hole(section + entry[1], begin + entry.start(2), begin + entry.end(2))
        begin += len(line)
