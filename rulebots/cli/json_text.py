"""Results as JSON that every reader takes: JSON knows no infinity."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any


def as_json_text(result: Mapping[str, Any]) -> str:
    """One line of JSON; a number that is not finite is null."""
    return json.dumps(_finite(result))


def _finite(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _finite(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(part) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
