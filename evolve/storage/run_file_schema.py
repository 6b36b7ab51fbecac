"""A JSON Schema (draft 2020-12) of run files, for editors that complete and check."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from evolve.evaluation.population_pairing import PAIRINGS
from evolve.settings import Settings
from evolve.storage.run_file import FORMAT, OPENING_PLIES, OPPONENTS, OPTIONS, TEXTS
from evolve.strategies import strategies
from rulebots.files.ranges import ranges_of
from rulebots.registry import game_names


def run_file_schema() -> dict[str, Any]:
    """The schema: every setting with its kind, range, meaning and usual value."""
    properties = {f.name: _property(f.name) for f in fields(Settings)}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A run of evolve",
        "type": "object",
        "required": ["format"],
        "additionalProperties": False,
        "properties": {"format": {"const": FORMAT}, **properties},
    }


def _property(name: str) -> dict[str, Any]:
    if name == "game":
        return {"enum": list(game_names()), "description": TEXTS[name]}
    if name in ("strategy", "schedule"):
        known = "|".join(strategies() if name == "strategy" else PAIRINGS)
        return {"type": "string", "pattern": f"^({known})(:.*)?$", "description": TEXTS[name]}
    if name in TEXTS:
        return {"type": ["string", "null"], "description": TEXTS[name]}
    if name == "opponents":
        return {"type": "array", "items": {"type": "string"}, "description": OPPONENTS}
    if name == "options":
        return {"type": "object", "additionalProperties": {"type": "integer"}, "description": OPTIONS}
    if name == "opening_plies":
        return {"type": ["integer", "null"], "minimum": 0, "description": OPENING_PLIES}
    allowed = ranges_of(Settings)[name]
    kind = "integer" if allowed.whole else "number"
    return {"type": kind, "minimum": allowed.low, "maximum": allowed.high, "description": allowed.meaning}
