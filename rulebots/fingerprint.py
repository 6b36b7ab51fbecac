"""What decides how a player plays, as a short hash."""

from __future__ import annotations

import hashlib
import inspect
import types
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rulebots.game import Game
from rulebots.kernel import Kernel
from rulebots.players import Player, Style

DIGITS = 16


def fingerprint(player: Player) -> str:
    """Hex digits that change with a player's weights, settings and rules, and with what compiles them.

    Its name takes no part. Ask before it has played: a player may remember a game.
    """
    return _hash(_parts(player, set()))


def law_fingerprint(game: Game) -> str:
    """Likewise for what decides how a game goes: its law and its deals."""
    law = (game.setup, game.moves, game.play, game.over, game.points, game.observe)
    return _hash(iter([game.name, *(part.fingerprint for part in law), Kernel(game.draw_deals).fingerprint]))


def _hash(parts: Iterator[str]) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:DIGITS]


def _parts(value: Any, seen: set[int]) -> Iterator[str]:
    if isinstance(value, Kernel):
        yield value.fingerprint
    elif isinstance(value, types.FunctionType):
        yield Kernel(value).fingerprint
    elif isinstance(value, np.ndarray):
        yield f"{value.dtype} {value.shape} {value.tobytes().hex()}"
    elif isinstance(value, Game):
        yield value.name
    elif isinstance(value, Style):
        yield value.choose.fingerprint
    elif isinstance(value, str | int | float | None | Path | np.generic):
        yield repr(value)
    elif isinstance(value, Mapping):
        for key, part in value.items():
            yield from (repr(key), *_parts(part, seen))
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _parts(part, seen)
    elif id(value) in seen:
        return
    elif isinstance(value, Player):
        seen.add(id(value))
        yield _source(type(value))
        for name, part in sorted(vars(value).items()):
            if name != "name":
                yield from (name, *_parts(part, seen))
    elif is_dataclass(value):
        seen.add(id(value))
        for field in fields(value):
            yield from (field.name, *_parts(getattr(value, field.name), seen))
    else:
        yield type(value).__qualname__


def _source(kind: type) -> str:
    """The text of a class; only its name where it was typed at a prompt."""
    try:
        return inspect.getsource(kind)
    except (OSError, TypeError):
        return kind.__qualname__
