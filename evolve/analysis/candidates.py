"""Candidate rule sets, written by a program or a person, judged with limits: one object of plain data each.

This is the hook for tools that evolve programs: they write a file with a rule set, and want a score, columns that tell
candidates apart, and a text of what went wrong.
"""

from __future__ import annotations

import asyncio
import json
import math
import secrets
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rulebots.errors import UsageError
from rulebots.files import replace
from rulebots.files.ranges import check_numbers, number
from rulebots.game.random_numbers import MOST_SEED
from rulebots.kernel.code_cache import cache_folder
from rulebots.protocols.child_process import ChildProcess, in_background
from rulebots.protocols.protocol import ProtocolError

#: The score of what cannot play, or never wins: no finite Elo is lower.
LOWEST = -1000.0
#: The file with the seed of the held-out deals, beside compiled code: private, and the same for all candidates.
SEED_FILE = "held-out"
#: A line of an answer is at most so long.
_LONGEST = 4_000_000


@dataclass(frozen=True)
class Limits:
    """What a candidate may cost, and how it is measured.

    It is bred for `games` games of training, against an opponent on whom it has to win a share of `screen` in its
    first match: one whose interval excludes that goes no further.

    Raises:
        UsageError: a value out of its range.
    """

    seconds: float = number(300.0, 1.0, 1_000_000.0, "seconds for everything, compiling included")
    memory: int = number(4000, 200, 1_000_000, "megabytes that it may allocate")
    games: int = number(20_000, 1, 10**9, "games of training that breed its weights")
    deals: int = number(1000, 40, 100_000, "held-out deals, each from both seats")
    screen: float = number(0.02, 0.0, 1.0, "the win rate that the first match must leave possible")
    seed: int = number(1, 0, MOST_SEED - 1, "the seed of the breeding")
    opponent: str = ""
    game: str = ""
    options: Mapping[str, int] = field(default_factory=dict)
    opening_plies: int | None = None
    jobs: int = 1

    def __post_init__(self) -> None:
        check_numbers(self)


def evaluate(file: str, limits: Limits | None = None) -> dict[str, Any]:
    """What a candidate is worth: `file` names a rule set, FILE.py:NAME.

    It runs in a process of its own, with limits of time and memory and without a network. `score` is the lower end of
    the 95 % interval of its Elo against the opponent on held-out deals, at least LOWEST; that of a candidate that fails
    or is screened out is LOWEST. `stage` is the last that it has reached, `error` what went wrong or None. The seed of
    the held-out deals is told to nobody; it reaches the process when the weights are bred.

    Raises:
        UsageError: there is no such file. OSError: no process can be started.
    """
    terms = limits or Limits()
    if not Path(file.rpartition(":")[0] or file).is_file():
        raise UsageError(f"'{file}': expected a rule set in a file that is there, FILE.py:NAME")
    began = time.monotonic()
    found: dict[str, Any] = {"score": LOWEST, "error": None, "stage": "started", "file": file}
    names = ("games", "deals", "screen", "seed", "opponent", "game", "opening_plies", "jobs")
    job = {"file": file, "options": dict(terms.options), **{name: getattr(terms, name) for name in names}}
    in_background(_judged(job, terms, found))
    if found["stage"] == "complete" or (found["stage"] == "measured" and "elo_95" in found):
        found["score"] = max(LOWEST, found["elo_95"][0])
    found["seconds"] = round(time.monotonic() - began, 1)
    return _finite(found)


async def _judged(job: Mapping[str, Any], terms: Limits, found: dict[str, Any]) -> None:
    """Let a process of its own judge the candidate, within the limits."""
    command = [sys.executable, "-m", "evolve.analysis.candidate"]
    child = await ChildProcess.start(command, longest_line=_LONGEST, memory=terms.memory)
    try:
        async with asyncio.timeout(terms.seconds):
            await _converse(child, job, found)
    except TimeoutError:
        found["error"] = f"took longer than {terms.seconds:g} s; the last stage was '{found['stage']}'"
    except ProtocolError as error:
        found["error"] = f"its process {error}"
    finally:
        await child.end()


async def _converse(child: ChildProcess, job: Mapping[str, Any], found: dict[str, Any]) -> None:
    """Send the job, and take the answers until the last one."""
    child.send([json.dumps(job)])
    while True:
        answer = json.loads(await child.receive())
        if answer["stage"] == "error":
            found["error"] = answer["error"]
            return
        found.update(answer)
        if answer["stage"] == "bred":
            child.send([json.dumps({"held_out": held_out_seed()})])
        if answer["stage"] in {"screened out", "complete"}:
            return


def held_out_seed() -> int:
    """The seed of the held-out deals of this machine, made once. Raises OutputError where it cannot be kept."""
    path = cache_folder() / SEED_FILE
    try:
        return int(path.read_text(encoding="ascii"))
    except (OSError, ValueError):
        seed = secrets.randbelow(MOST_SEED)
        replace(path, f"{seed}\n")
        return seed


def _finite(value: Any) -> Any:
    """The data with LOWEST and its opposite for infinite numbers."""
    if isinstance(value, dict):
        return {name: _finite(part) for name, part in value.items()}
    if isinstance(value, list):
        return [_finite(part) for part in value]
    if isinstance(value, float) and math.isinf(value):
        return math.copysign(LOWEST, value)
    return value
