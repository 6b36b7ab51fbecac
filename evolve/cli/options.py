"""The options that several commands of `evolve` share."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from evolve.settings import Settings
from rulebots.cli.flags import setting_option
from rulebots.cli.options import AsJson, Imports, argument, named, named_path, shared, switch

#: Seconds of a search by default.
SECONDS = 60.0

RunDir = Annotated[Path, argument("DIR", "The folder of a run.", read=named_path)]
SearchSeed = Annotated[int, shared("--seed", "That of the search.")]
BredRules = Annotated[str | None, setting_option(Settings, "rules", default="that of the file, else the game's first")]
Seconds = Annotated[float | None, shared("--seconds", "Then the search ends.", default=f"{SECONDS:g}")]
Games = Annotated[
    int | None,
    shared(
        "--games", "Instead of --seconds: the search ends then, and the same command gives the same file.", high=10**9
    ),
]


@dataclass(frozen=True)
class Execution:
    """How a run is executed, begun or resumed: nothing here changes its result."""

    imports: Imports = None
    drop_missing: Annotated[bool, switch("--drop-missing", "Leave out rules that the rule set no longer has.")] = False
    backend: Annotated[str, named("NAME", "What plays the games: threads, or processes by loky, dask or ray.")] = (
        "threads"
    )
    address: Annotated[
        str | None, named("HOST:PORT", "With dask or ray: a scheduler or cluster that is already running.")
    ] = None
    tensorboard: Annotated[bool, switch("--tensorboard", "Write event files for TensorBoard into DIR as well.")] = False
    quiet: Annotated[bool, switch("--quiet", "-q", "Print only the path of the result.")] = False
    as_json: AsJson = False
