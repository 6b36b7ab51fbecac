"""The links of a game whose persons play from browsers of their own: a secret one for each, which nobody can guess.

A person's link is first an invitation. Who takes the seat gets another link, which nobody else has seen.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass

_KEY_BYTES = 16
_LINE = re.compile(r"^# link: (\d) ([A-Za-z0-9_-]{22}) (invitation|taken)$", re.MULTILINE)


@dataclass(frozen=True)
class Link:
    """The key of a person's link, and whether somebody has taken the seat."""

    key: str
    taken: bool


def new_link(*, taken: bool) -> Link:
    """A link that nobody can guess."""
    return Link(secrets.token_urlsafe(_KEY_BYTES), taken)


def written(links: Mapping[int, Link]) -> str:
    """Links as lines of a game's file, which readers of records skip."""
    lines = (f"# link: {seat} {link.key} {'taken' if link.taken else 'invitation'}\n" for seat, link in links.items())
    return "".join(lines)


def links_in(text: str) -> dict[int, Link]:
    """The links of a game's file, by seat."""
    return {int(seat): Link(key, state == "taken") for seat, key, state in _LINE.findall(text)}
