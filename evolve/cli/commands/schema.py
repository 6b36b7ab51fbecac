"""`evolve schema`."""

from __future__ import annotations

import json

from evolve.cli.commands import app
from rulebots.cli.console import examples, say


@app.command(epilog=examples("evolve schema > run.schema.json"))
def schema() -> None:
    """Print the JSON Schema of run files, which `evolve run --config` reads.

    Editors use it to complete names and to mark mistakes.
    """
    from evolve.storage.run_file_schema import run_file_schema

    say(json.dumps(run_file_schema(), indent=2, ensure_ascii=False))
