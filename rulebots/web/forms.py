"""The fields of a form: read with a limit, and only from a page of ours."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import parse_qsl

from starlette.requests import Request

from rulebots.errors import UsageError
from rulebots.web.manners import same_secret

#: The most bytes of a form: a record of a long game.
MOST_BYTES = 1_000_000
MOST_FIELDS = 2_000
#: The field that repeats the browser's secret.
FIELD = "secret"


class Refused(Exception):
    """A form that is not read: the status, and a line that says why."""

    def __init__(self, status: int, line: str) -> None:
        super().__init__(line)
        self.status = status


async def form_of(request: Request) -> Mapping[str, str]:
    """The fields of a form, each once. Raises Refused: too large, not text, or without the browser's secret."""
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > MOST_BYTES:
            raise Refused(413, f"expected a form of at most {MOST_BYTES:,} bytes")
    try:
        fields = dict(
            parse_qsl(body.decode("utf-8"), keep_blank_values=True, max_num_fields=MOST_FIELDS, errors="strict")
        )
    except ValueError:
        raise Refused(400, "expected the fields of a form, as text") from None
    if not same_secret(fields.pop(FIELD, ""), request.scope):
        raise Refused(403, "this page is not one that the server has given to this browser: load it again")
    return fields


def whole(fields: Mapping[str, str], name: str, low: int, high: int, usual: int | None = None) -> int:
    """A field as a whole number from `low` to `high`; `usual` where it is empty.

    Raises:
        UsageError: it is something else.
    """
    text = fields.get(name, "").strip()
    if not text and usual is not None:
        return usual
    if not text.lstrip("-").isdecimal() or len(text) > 12 or not low <= int(text) <= high:
        raise UsageError(f"{name}: expected a whole number from {low:,} to {high:,}, not '{text[:40]}'")
    return int(text)
