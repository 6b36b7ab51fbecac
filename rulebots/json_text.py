"""Results as JSON that every reader takes: JSON knows no infinity."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any


def as_json_text(result: Any, more: Mapping[str, Any] = MappingProxyType({})) -> str:
    """A dataclass, with more keys behind its fields, as one line of JSON; a number that is not finite is null."""
    return json.dumps(_finite({**dataclasses.asdict(result), **more}))


def _finite(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _finite(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(part) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
