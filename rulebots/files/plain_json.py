"""JSON that somebody else has written."""

import json
from typing import Any

from rulebots.errors import shown


def read_json(text: str) -> Any:
    """What a text in JSON means. NaN and infinities, which Python's `json` writes and JSON does not have, are None.

    Raises:
        ValueError: it is not JSON, is nested too deeply, or an object has a key twice.
    """
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=lambda _: None)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict[str, Any]()
    for name, value in pairs:
        if name in values:
            raise ValueError(f"the key '{shown(name)}' is there twice")
        values[name] = value
    return values
