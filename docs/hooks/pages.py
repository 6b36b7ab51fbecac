"""What is made for the pages from the code: what commands print, tables of options, functions of a file.

Below a mark stands what it asks for: `<!-- output: COMMAND -->` what the command prints, `<!-- code: FILE NAMES -->`
these functions of a file of this checkout, `<!-- api: NAME -->` a public name in a line,
`<!-- options -->` the table of all options, and `<!-- settings -->` that of a run (see option_table.py). `python
docs/hooks/pages.py`, in the checkout, writes it there, and a test compares it. Its blocks are `text` and `py`: the
tests of the documentation run those of `console` and `python`.

The site (site.py) makes it again, so that it agrees with the code that it is built from; of a public name it has the
whole docstring. There `<!-- file: NAME -->` above a block, which the tests write to that file, becomes its title, and
`<!-- play -->` links to the games, as pages that play.
"""

from __future__ import annotations

import ast
import functools
import inspect
import os
import pkgutil
import re
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from option_table import (
    first_sentence,
    settings_table,
    table,
)  # this folder is on the path, as a script's

TABLES = {"options": table, "settings": settings_table}
FILE = re.compile(r"^<!-- file: (.*?) -->\n```(\w+)$", re.MULTILINE)
#: A mark, and what stands below it: a block, or a table.
MADE = re.compile(
    r"^<!-- (output|code|api|options|settings)(?:: ([^\n]*?))? -->(?:\n```(?:text|py)\n.*?^```|(?:\n[|`][^\n]*)+)?$",
    re.MULTILINE | re.DOTALL,
)
PLAY = "<!-- play -->"


def printed(command: str) -> str:
    """What a command of this environment prints, 100 columns wide. Raises CalledProcessError where it fails."""
    program, *arguments = shlex.split(command)
    environment = {**os.environ, "COLUMNS": "100"}
    done = subprocess.run(
        [str(Path(sys.executable).parent / program), *arguments],
        env=environment, capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    return done.stdout.rstrip()


def code(file: str, names: list[str]) -> str:
    """Functions of a file, as they stand there. Raises LookupError for one that it does not have."""
    text = Path(file).read_text("utf-8")
    lines, functions = text.splitlines(), {f.name: f for f in ast.parse(text).body if isinstance(f, ast.FunctionDef)}
    parts = [functions[name] for name in names]
    starts = [min([part.lineno, *(one.lineno for one in part.decorator_list)]) - 1 for part in parts]
    shown = ["\n".join(lines[start : part.end_lineno]) for start, part in zip(starts, parts, strict=True)]
    return "\n\n\n".join(shown)


def name_in_a_line(name: str) -> str:
    """A public name with its parameters, and the first sentence about it. Raises AttributeError if there is none."""
    found = pkgutil.resolve_name(name)
    about = (inspect.getdoc(found) or "").partition("\n\n")[0]
    parameters = ", ".join(inspect.signature(found).parameters) if inspect.isfunction(found) else None
    called = name if parameters is None else f"{name}({parameters})"
    return f"`{called}`: {first_sentence(' '.join(about.split()))}"


def made(kind: str, words: str) -> str:
    """What a mark asks for."""
    if kind in TABLES:
        return TABLES[kind]()
    if kind == "api":
        return name_in_a_line(words)
    if kind == "output":
        return f"```text\n$ {words}\n{printed(words)}\n```"
    file, *names = words.split()
    return f"```py\n{code(file, names)}\n```"


def filled(markdown: str, *, marks: bool = True) -> str:
    """A page with what its marks ask for below them, or in their places."""
    wanted = list(dict.fromkeys(MADE.findall(markdown)))
    commands = [mark for mark in wanted if mark[0] == "output"]
    with ThreadPoolExecutor(4) as pool:  # of commands only: Python 3.11 parses in one thread at a time
        parts = dict(zip(commands, pool.map(lambda mark: made(*mark), commands), strict=True))
    parts |= {mark: made(*mark) for mark in wanted if mark not in parts}

    def part(found: re.Match[str]) -> str:
        mark = f"{found[1]}: {found[2]}" if found[2] else found[1]
        if found[1] == "api" and not marks:  # mkdocstrings writes it, of a module what is in it
            return f"::: {found[2]}" + "\n    options:\n      show_root_heading: false" * (found[2] in sys.modules)
        return f"<!-- {mark} -->\n" * marks + parts[found[1], found[2] or ""]

    return MADE.sub(part, markdown)


@functools.cache
def playing() -> dict[str, dict[str, bytes]]:
    """The games as pages that play: by title, the files by their places in the site."""
    from rulebots.packages import game_names, load_game

    games = [load_game(name) for name in game_names()]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(4) as pool:
        made = Path(folder)
        commands = [f"rulebots export --levels --game {game.name} --to web --out {made / game.name}" for game in games]
        list(pool.map(printed, commands))
        return {
            game.title: {f"play/{game.name}/{path.name}": path.read_bytes() for path in (made / game.name).iterdir()}
            for game in games
        }


def shown(markdown: str) -> str:
    """A page as the site renders it."""
    page = filled(markdown, marks=False).replace("```py\n", "```python\n").replace("```text\n$ ", "```console\n$ ")
    if PLAY in page:
        places = {title: next(place for place in files if place.endswith("html")) for title, files in playing().items()}
        links = " · ".join(f"[{title}]({place})" for title, place in places.items())
        page = page.replace(PLAY, f"**Play now**, here in the browser: {links}.")
    return FILE.sub(lambda found: f'```{found[2]} title="{found[1]}"', page)


if __name__ == "__main__":
    for page in Path("docs").rglob("*.md"):
        page.write_text(filled(page.read_text("utf-8")), "utf-8")
