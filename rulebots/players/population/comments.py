"""What a person wrote between the lines of a population file stays with its line in a changed copy."""

from __future__ import annotations

from typing import Any

import yaml

from rulebots.files.yaml_reading import Map, Node, Scalar, YamlError, parse

#: The keys on the way to a line.
Path = tuple[str, ...]
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # some systems build PyYAML without C


def with_comments_of(text: str, former: str) -> str:
    """A population's text with the comments that `former` has above, behind and after the lines of the same keys.

    Comments of keys that are not there any more, and those at the top, which are the population's own, are left out.
    A former text in another layout has no comments that could be kept.
    """
    try:
        old, new = _keys(former), _keys(text)
    except YamlError:
        return text
    above, behind, last = _comments(former, old)
    lines, kept = text.splitlines(), list[str]()
    ends = _ends(text)
    for number, line in enumerate(lines, 1):
        path, changed = new.get(number), line
        if path in above and path != old[min(old)]:
            kept += [f"{' ' * (len(line) - len(line.lstrip()))}{comment}" for comment in above[path]]
        if path in behind:
            found = line[ends[number] :]
            code = line[: ends[number]]
            # Where a comment stood already, the new one begins in the same column.
            gap = len(found) - len(found.lstrip()) if found.strip() else 2
            changed = f"{code}{' ' * gap}{behind[path]}"
        kept.append(changed)
    return "".join(f"{line}\n" for line in [*kept, *last])


def _keys(text: str) -> dict[int, Path]:
    """The way to the first key of each line that has one. Raises YamlError."""
    found: dict[int, Path] = {}

    def walk(node: Node, path: Path) -> None:
        for key, value in node.entries if isinstance(node, Map) else ():
            if isinstance(key, Scalar):
                found.setdefault(key.line, (*path, key.text))
                walk(value, (*path, key.text))

    walk(parse(text), ())
    return found


def _ends(text: str) -> dict[int, int]:
    """Where each line's content ends, by the number of the line, from 1; lines inside a text of several have 0."""
    ends: dict[int, int] = {}
    for token in yaml.scan(text, Loader=_LOADER):
        start, end = token.start_mark, token.end_mark
        if (start.line, start.column) == (end.line, end.column):
            continue
        ends.update(dict.fromkeys(range(start.line + 1, end.line + 1), 0))
        ends[end.line + 1] = end.column
    return ends


def _comments(text: str, keys: dict[int, Path]) -> tuple[dict[Path, list[str]], dict[Path, str], list[str]]:
    """The comments above and behind the lines of each key, and those after the last one."""
    above, behind, waiting = dict[Path, list[str]](), dict[Path, str](), list[str]()
    ends = _ends(text)
    for number, line in enumerate(text.splitlines(), 1):
        if number not in ends:
            waiting += [line.strip()] if line.strip().startswith("#") else []
            continue
        path, rest = keys.get(number), line[ends[number] :].strip()
        if path is not None:
            above[path], waiting = waiting, []
            if rest.startswith("#"):
                behind[path] = rest
    return {path: lines for path, lines in above.items() if lines}, behind, waiting
