"""Which players a browser may name: none that starts a program, none from a file outside the served folder."""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from rulebots.errors import UsageError, shown
from rulebots.game import Game
from rulebots.players import Player
from rulebots.players.bred import split_spec
from rulebots.players.names import make_player, player_names, shipped_files
from rulebots.registry.named_code import names_from_data

#: The most seconds that a search may think about a move, and what else bounds it: kind -> setting -> most.
MOST_SECONDS = 30.0
SEARCHES: Mapping[str, Mapping[str, float]] = {
    "mcts": {"seconds": MOST_SECONDS, "nodes": 2_000_000},
    "minimax": {"seconds": MOST_SECONDS, "table": 64},
    "perfect": {},
}
#: Without one of these a search has no limit of its own, which is a mistake that `make_player` tells.
_LIMITS = {"mcts": {"iterations", "seconds", "power"}, "minimax": {"depth", "nodes", "seconds"}, "perfect": set[str]()}
#: Settings of searches whose value is the name of a rule player.
GUIDES = ("rollout", "prior", "rules")
#: The most files that are offered.
MOST_FILES = 200
_LONGEST = 300
_PLAIN = re.compile(r"[A-Za-z0-9_.+-]{1,40}")
_ENDINGS = (".yaml", ".yml")


@dataclass(frozen=True)
class Opponents:
    """The players of a served folder; `named` are those that the person who started the server has named.

    With `allow_programs` a browser may name any player that the command line could.
    """

    folder: Path
    named: tuple[str, ...] = ()
    allow_programs: bool = False

    def player(self, name: str, game: Game) -> Player:
        """The player of that name, called so.

        Raises:
            UsageError: there is none, or a browser may not name it. PlayerFault: it cannot be made.
        """
        text = self.text(name, game)
        if self.allow_programs or name in self.named:
            player = make_player(text, game)
        else:
            with names_from_data(player="--player {}", rules="--rules {}", game="--game {}"):
                player = make_player(text, game)
        if player.name != name:
            player = copy.copy(player)
            player.name = name
        return player

    def text(self, name: str, game: Game) -> str:
        """The name that `make_player` is to be given: files as whole paths, searches with their bounds.

        Raises:
            UsageError: a browser may not name it.
        """
        if len(name) > _LONGEST or not name.isprintable():
            raise UsageError(f"a player's name has at most {_LONGEST} printable letters, not {shown(name)}")
        kind, _, settings = name.partition(":")
        if name in player_names(game) or name in self.named:
            return name
        if kind in SEARCHES:
            return self._search(name, kind, settings, game)
        path, wanted = split_spec(name)
        if path in shipped_files(game):
            return name
        if path.endswith(_ENDINGS):
            return str(self.file(path)) + ("" if wanted is None else f"#{wanted}")
        if self.allow_programs:
            return name
        offered = ", ".join([*player_names(game), *self.named, "mcts:power=3", "minimax:depth=4"])
        raise UsageError(
            f"'{shown(name)}' is no player that this page may start: expected one of {offered}, or FILE.yaml in the "
            "folder; rulebots web --player NAME offers further ones"
        )

    def file(self, path: str) -> Path:
        """The population file of that name in the served folder.

        Raises:
            UsageError: it is not in the folder, wherever links lead.
        """
        root = self.folder.resolve()
        try:
            found = (root / path).resolve()
        except (OSError, ValueError, RuntimeError):
            found = root
        if not (found.is_relative_to(root) and found.is_file() and found.suffix in _ENDINGS):
            raise UsageError(f"there is no file '{shown(path)}' in the folder that is served")
        return found

    def files(self) -> list[str]:
        """The names of the YAML files in the folder and the folders below it, at most `MOST_FILES`."""
        found: list[str] = []
        for pattern in ("*.y*ml", "*/*.y*ml", "runs/*/*.y*ml"):
            for path in sorted(self.folder.glob(pattern)):
                name = path.relative_to(self.folder).as_posix()
                if path.suffix in _ENDINGS and not any(part.startswith(".") for part in Path(name).parts):
                    found.append(name)
        return list(dict.fromkeys(found))[:MOST_FILES]

    def offered(self, game: Game) -> list[str]:
        """Names to choose from: the game's players, searches where nothing is hidden, and what was named."""
        searches = [] if game.hidden else ["mcts:power=3", "mcts:seconds=1", "minimax:depth=4", "minimax:seconds=1"]
        return [*player_names(game), *searches, *self.named]

    def _search(self, name: str, kind: str, settings: str, game: Game) -> str:
        """A search's name with its limits."""
        given: dict[str, str] = {}
        for part in settings.split(",") if settings else ():
            setting, equals, value = (word.strip() for word in part.partition("="))
            if not equals or setting in given:
                return name  # which make_player refuses, and says why
            given[setting] = value
        if _LIMITS[kind] and not _LIMITS[kind] & given.keys():
            return name
        for setting, value in given.items():
            if setting in GUIDES:
                given[setting] = value if value in ("none", "random") else self._guide(name, value, game)
            elif not _PLAIN.fullmatch(value):
                raise UsageError(f"'{shown(name)}': expected a number or a word for '{setting}', not '{shown(value)}'")
        for setting, most in SEARCHES[kind].items():
            if setting not in given:
                if setting != "table":
                    given[setting] = f"{most:g}" if setting == "seconds" else str(int(most))
            elif _number(given[setting]) > most:
                raise UsageError(f"'{shown(name)}': on this page '{setting}' is at most {most:,.12g}")
        return kind + (":" if given else "") + ",".join(f"{setting}={value}" for setting, value in given.items())

    def _guide(self, name: str, value: str, game: Game) -> str:
        if value.partition(":")[0] in SEARCHES:
            raise UsageError(f"'{shown(name)}': expected the name of a rule player, not '{shown(value)}'")
        return self.text(value, game)


def _number(text: str) -> float:
    """A number, or one that exceeds no bound where the text is none: `make_player` says so better."""
    try:
        return float(text)
    except ValueError:
        return 0.0
