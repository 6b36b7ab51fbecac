"""A file of solved games: it grows with each one, so that solving can stop and continue."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rulebots.errors import FileError
from rulebots.files import MissingError, read_text, replace
from rulebots.game import Game
from rulebots.search.exact.solving import Solution

FORMAT = "rulebots-solved/1"
#: The largest file that is read; all sizes that can be solved take less.
MOST_BYTES = 100_000_000
_KEYS: Mapping[str, type | tuple[type, ...]] = {"value": (int, float), "line": list, "nodes": int, "seconds": float}


class SolvedTable:
    """The solutions of one game, by options, in a JSON file that need not exist yet.

    Raises:
        FileError: the file cannot be read, is something else, or is for another game.
    """

    def __init__(self, path: Path, game: Game) -> None:
        self.path = path
        self.game = game
        self.solved: dict[tuple[int, ...], Solution] = {}
        try:
            text = read_text(path, "file of solved games", MOST_BYTES)
        except MissingError:
            return
        try:
            self._read(json.loads(text))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise FileError(
                f"{path}: expected values of {game.name} solved before ('{FORMAT}'), but {error}; name another file"
            ) from None

    def _read(self, content: Any) -> None:
        if content["format"] != FORMAT or content["game"] != self.game.name:
            raise ValueError(f"it is '{content['format']}' of '{content['game']}'")
        for entry in content["solved"]:
            for key, kind in _KEYS.items():
                if not isinstance(entry[key], kind):
                    raise TypeError(f"'{key}' is {entry[key]!r}")
            solution = Solution(entry["value"], tuple(entry["line"]), entry["nodes"], entry["seconds"])
            self.solved[self._key(entry["options"])] = solution

    def _key(self, options: Mapping[str, int]) -> tuple[int, ...]:
        return tuple(int(value) for value in self.game.option_values(options).tolist())

    def __contains__(self, options: Mapping[str, int]) -> bool:
        return self._key(options) in self.solved

    def __getitem__(self, options: Mapping[str, int]) -> Solution:
        return self.solved[self._key(options)]

    def entry(self, options: Mapping[str, int]) -> dict[str, Any]:
        """A solution with its options, as in the file."""
        return {"options": dict(options), **dataclasses.asdict(self[options])}

    def add(self, options: Mapping[str, int], solution: Solution) -> None:
        """Add a solution and replace the file, whole or not at all.

        Raises:
            OutputError: the file cannot be written.
        """
        self.solved[self._key(options)] = solution
        names = tuple(self.game.options)
        entries = [self.entry(dict(zip(names, key, strict=True))) for key in sorted(self.solved)]
        lines = ",\n  ".join(json.dumps(entry) for entry in entries)
        head = f'"format": "{FORMAT}", "game": "{self.game.name}"'
        replace(self.path, f'{{{head}, "solved": [\n  {lines}\n]}}\n')
