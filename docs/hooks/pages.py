"""What the site adds to the pages: what commands print, and names of files as titles of blocks.

In a page, `<!-- output: COMMAND -->` becomes what the command prints when the site is built, so that it always
agrees with the code. `<!-- file: NAME -->` above a block, which the tests write to that file, becomes its title.
`<!-- options -->` becomes the table of all options, `<!-- settings -->` that of the settings of a run (see
option_table.py).
`<!-- code: FILE NAMES -->` stands above a block with these functions of a file of this checkout, or with all of it:
`python docs/hooks/pages.py` in the checkout writes such blocks into the pages anew, and a test compares them. They are
of the language `py`, as the tests of the documentation run blocks of `python`.
A page that loads anything from elsewhere is a warning, which ends a strict build.
"""

from __future__ import annotations

import ast
import logging
import os
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from option_table import settings_table, table  # this folder is on the path, as a script's and as a hook's of MkDocs

LOG = logging.getLogger("mkdocs.hooks.pages")
OUTPUT = re.compile(r"^<!-- output: (.*?) -->$", re.MULTILINE)
TABLES = {"<!-- options -->": table, "<!-- settings -->": settings_table}
FILE = re.compile(r"^<!-- file: (.*?) -->\n```(\w+)$", re.MULTILINE)
CODE = re.compile(r"^<!-- code: (\S+)([^\n]*?) -->(?:\n```py\n.*?^```)?$", re.MULTILINE | re.DOTALL)
LOADED = re.compile(r'<(?:script|img|iframe)[^>]*\ssrc="https?:|<link[^>]*\srel="stylesheet"[^>]*href="https?:')


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
    """Functions of a file, or all of it, as they stand there. Raises LookupError for one that it does not have."""
    text = Path(file).read_text("utf-8")
    lines, functions = text.splitlines(), {f.name: f for f in ast.parse(text).body if isinstance(f, ast.FunctionDef)}
    parts = [functions[name] for name in names]
    starts = [min([part.lineno, *(one.lineno for one in part.decorator_list)]) - 1 for part in parts]
    shown = ["\n".join(lines[start : part.end_lineno]) for start, part in zip(starts, parts, strict=True)]
    return "\n\n\n".join(shown) or text.rstrip()


def with_code(markdown: str) -> str:
    """A page whose blocks of code are as the code is now."""
    return CODE.sub(
        lambda found: f"<!-- code: {found[1]}{found[2]} -->\n```py\n{code(found[1], found[2].split())}\n```", markdown
    )


def on_page_markdown(markdown: str, **_: Any) -> str:
    """MkDocs asks this for each page, before it is rendered."""
    wanted = list(dict.fromkeys(OUTPUT.findall(markdown)))
    with ThreadPoolExecutor(4) as pool:
        outputs = dict(zip(wanted, pool.map(printed, wanted), strict=True))
    shown = OUTPUT.sub(lambda found: f"```console\n$ {found[1]}\n{outputs[found[1]]}\n```", markdown)
    for mark, made in TABLES.items():
        if mark in shown:
            shown = shown.replace(mark, made())
    shown = CODE.sub(lambda found: f"```python\n{code(found[1], found[2].split())}\n```", shown)
    return FILE.sub(lambda found: f'```{found[2]} title="{found[1]}"', shown)


def on_post_page(output: str, page: Any, **_: Any) -> str:
    """MkDocs asks this for each page, rendered."""
    if found := LOADED.search(output):
        LOG.warning("%s loads something from elsewhere: %s", page.file.src_uri, found[0])
    return output


if __name__ == "__main__":
    for page in Path("docs").rglob("*.md"):
        page.write_text(with_code(page.read_text("utf-8")), "utf-8")
