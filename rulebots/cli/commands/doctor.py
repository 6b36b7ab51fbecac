"""`rulebots doctor`: what a report of a fault needs, and what is missing here."""

import os
import platform
import re
import sys
from importlib import metadata

from rulebots.cli import options as opt
from rulebots.cli.commands import app
from rulebots.cli.console import say, say_json
from rulebots.errors import version_of

#: What plays and breeds.
CORE = ("rulebots", "numpy", "numba", "deap", "joblib")
MEGABYTE = 1_000_000


@app.with_examples("rulebots doctor", group="Look")
def doctor(as_json: opt.AsJson = False) -> None:
    """Show versions, cores, compiled code and extras.

    Copy it into a report of a fault.
    """
    import joblib

    from rulebots.kernel import compiling
    from rulebots.kernel.code_cache import cache_folder
    from rulebots.packages import misnamed_entry_points

    folder = cache_folder()
    files = [path for path in folder.rglob("*") if path.is_file()]
    size = sum(path.stat().st_size for path in files) / MEGABYTE
    facts = {
        "python": f"{platform.python_version()} at {sys.executable}",
        "system": platform.platform(),
        "cores": f"{joblib.cpu_count()} of {os.cpu_count()}",
        **{name: version_of(name) for name in CORE},
        "compiled code": f"{folder}: {len(files):,} files, {size:,.0f} MB" if compiling() else "nothing is compiled",
        "extras": ", ".join(_extras()) or "none",
        "broken games": "; ".join(misnamed_entry_points()) or "none",
    }
    if as_json:
        say_json(facts)
        return
    width = max(map(len, facts))
    say("\n".join(f"{name:{width}}  {value}" for name, value in facts.items()))


def _extras() -> list[str]:
    """The extras whose packages are all installed."""
    distribution = metadata.distribution("rulebots")
    needs = {name: list[str]() for name in distribution.metadata.get_all("Provides-Extra") or ()}
    lines = (re.match(r"([A-Za-z0-9_.-]+).*extra == ['\"]([^'\"]+)['\"]", line) for line in distribution.requires or ())
    for line in filter(None, lines):
        needs[line[2]].append(line[1])
    return [name for name, packages in needs.items() if packages and "none" not in map(version_of, packages)]
