"""From a ladder file to what is in it; everything that is wrong has its place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from rulebots.errors import UsageError, shown, unknown
from rulebots.files import InputError, read_text
from rulebots.files.yaml_reading import Items, Map, Node, Scalar, YamlError, parse
from rulebots.game.random_numbers import MOST_SEED
from rulebots.play import MOST_DEALS
from rulebots.registry import load_game
from rulebots.registry.named_code import names_from_data
from rulebots.tournaments.ladder import COUNTS, FORMAT, KEYS, SETTINGS, Ladder
from rulebots.tournaments.playing import SYSTEMS
from rulebots.tournaments.problems import LadderError

#: More than a tournament of hundreds of players takes.
MOST_BYTES, MOST_NODES = 10_000_000, 300_000
REMEDY = "expected a file that `rulebots tournament --ladder FILE` wrote"
_WHOLE = re.compile(r"-?[0-9]{1,18}")


def load_ladder(path: str | Path) -> Ladder:
    """Read a ladder file. Raises LadderError, `file:line:column: message`, where it is not one."""
    try:
        text = read_text(path, "ladder", MOST_BYTES)
    except InputError as error:
        raise LadderError(str(error)) from None
    return parse_ladder(text, str(path))


def parse_ladder(text: str, source: str = "ladder") -> Ladder:
    """The ladder in a text. Raises LadderError, which names `source`, line and column."""
    try:
        root = parse(text, "ladder", most_nodes=MOST_NODES)
    except YamlError as error:
        raise LadderError(f"{source}:{error.line}:{error.column}: {error}; {REMEDY}") from None
    return _Reader(source).ladder(root)


class _Reader:
    """Reads the parts of one file."""

    def __init__(self, source: str) -> None:
        self._source = source

    def ladder(self, root: Node) -> Ladder:
        found = self._entries(root, "a map")
        if "format" not in found or self._text(found["format"]) != FORMAT:
            self._stop(found.get("format", root), f"no 'format: {FORMAT}'")
        self._complete(root, found, tuple(key for key in KEYS if key != "ratings"), KEYS)
        players = {name: self._player(entry) for name, entry in self._entries(found["players"], "players").items()}
        if len(players) < 2:
            self._stop(found["players"], f"expected at least 2 players, not {len(players)}")
        game = self._text(found["game"])
        return Ladder(
            game=game,
            law=self._text(found["law"]),
            versions={name: self._text(node) for name, node in self._entries(found["versions"], "versions").items()},
            settings=self._settings(found["settings"], found["game"], game),
            players=players,
            meetings=[self._meeting(node, players) for node in self._items(found["meetings"], "meetings")],
        )

    def _player(self, node: Node) -> dict[str, str]:
        found = self._entries(node, "{player: NAME, content: HASH}")
        self._complete(node, found, ("player", "content"), ("player", "content"))
        return {name: self._text(part) for name, part in found.items()}

    def _settings(self, node: Node, game_node: Node, game: str) -> dict[str, Any]:
        found = self._entries(node, "settings")
        self._complete(node, found, SETTINGS, SETTINGS)
        system = self._text(found["system"])
        if system not in SYSTEMS:
            self._stop(found["system"], f"expected one of {', '.join(SYSTEMS)}, not '{shown(system)}'")
        options = self._entries(found["options"], "options")
        chosen = {name: self._whole(part, -(10**9)) for name, part in options.items()}
        place = game_node
        try:
            with names_from_data(game="--game {}"):
                played = load_game(game)
            place = found["options"]
            played.option_values(chosen)
        except UsageError as error:
            self._stop(place, str(error))
        return {
            "system": system,
            "rounds": None if self._is_empty(found["rounds"]) else self._whole(found["rounds"], 1, 1000),
            "deals": self._whole(found["deals"], 1, MOST_DEALS),
            "seed": self._whole(found["seed"], 0, MOST_SEED),
            "options": chosen,
            "opening_plies": None if self._is_empty(found["opening_plies"]) else self._whole(found["opening_plies"], 0),
        }

    def _meeting(self, node: Node, players: dict[str, dict[str, str]]) -> list[Any]:
        parts = self._items(node, "a meeting")
        if len(parts) != 2 + len(COUNTS):
            self._stop(node, f"expected [first, second, {', '.join(COUNTS)}], not {node.described()}")
        pair = [self._text(part) for part in parts[:2]]
        for name, part in zip(pair, parts[:2], strict=True):
            if name not in players:
                self._stop(part, unknown("player", shown(name), players))
        return [*pair, *(self._whole(part, 0) for part in parts[2:])]

    def _entries(self, node: Node, what: str) -> dict[str, Node]:
        """The entries of a map by name."""
        if not isinstance(node, Map):
            self._stop(node, f"expected {what} by name, not {node.described()}")
        found: dict[str, Node] = {}
        for key, value in node.entries:
            name = self._text(key)
            if name in found:
                self._stop(key, f"'{shown(name)}' is there twice")
            found[name] = value
        return found

    def _complete(self, node: Node, found: dict[str, Node], needed: Sequence[str], known: Sequence[str]) -> None:
        for name, value in found.items():
            if name not in known:
                self._stop(value, unknown("key", shown(name), known))
        for name in needed:
            if name not in found:
                self._stop(node, f"'{name}' is missing")

    def _items(self, node: Node, what: str) -> list[Node]:
        if not isinstance(node, Items):
            self._stop(node, f"expected {what}, a list, not {node.described()}")
        return node.items

    def _text(self, node: Node) -> str:
        if not isinstance(node, Scalar) or self._is_empty(node):
            self._stop(node, f"expected a word, not {node.described()}")
        return node.text

    def _whole(self, node: Node, low: int, high: int = 10**9) -> int:
        if not isinstance(node, Scalar) or not node.plain or not _WHOLE.fullmatch(node.text):
            self._stop(node, f"expected a whole number, not {node.described()}")
        number = int(node.text)
        if not low <= number <= high:
            self._stop(node, f"expected a whole number from {low:,} to {high:,}, not {node.described()}")
        return number

    @staticmethod
    def _is_empty(node: Node) -> bool:
        return isinstance(node, Scalar) and node.empty

    def _stop(self, node: Node, message: str) -> NoReturn:
        raise LadderError(f"{self._source}:{node.line}:{node.column}: {message}; {REMEDY}")
