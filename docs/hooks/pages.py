"""What the site adds to the pages: what commands print, and names of files as titles of blocks.

In a page, `<!-- output: COMMAND -->` becomes what the command prints when the site is built, so that it always
agrees with the code. `<!-- file: NAME -->` above a block, which the tests write to that file, becomes its title.
A page that loads anything from elsewhere is a warning, which ends a strict build.
"""

from __future__ import annotations

import logging
import os
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

LOG = logging.getLogger("mkdocs.hooks.pages")
OUTPUT = re.compile(r"^<!-- output: (.*?) -->$", re.MULTILINE)
FILE = re.compile(r"^<!-- file: (.*?) -->\n```(\w+)$", re.MULTILINE)
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


def on_page_markdown(markdown: str, **_: Any) -> str:
    """MkDocs asks this for each page, before it is rendered."""
    wanted = list(dict.fromkeys(OUTPUT.findall(markdown)))
    with ThreadPoolExecutor(4) as pool:
        outputs = dict(zip(wanted, pool.map(printed, wanted), strict=True))
    shown = OUTPUT.sub(lambda found: f"```console\n$ {found[1]}\n{outputs[found[1]]}\n```", markdown)
    return FILE.sub(lambda found: f'```{found[2]} title="{found[1]}"', shown)


def on_post_page(output: str, page: Any, **_: Any) -> str:
    """MkDocs asks this for each page, rendered."""
    if found := LOADED.search(output):
        LOG.warning("%s loads something from elsewhere: %s", page.file.src_uri, found[0])
    return output
