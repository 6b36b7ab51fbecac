"""Plays the tournament of a ladder file again, and says what differs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rulebots.players import Player
from rulebots.players.names import make_player
from rulebots.registry import load_game
from rulebots.registry.named_code import names_from_data
from rulebots.tournaments.ladder import Ladder, contents, differences, ladder_of
from rulebots.tournaments.ladder_reading import load_ladder
from rulebots.tournaments.playing import Watch, play_tournament
from rulebots.tournaments.standings import Tournament


@dataclass(frozen=True)
class Rerun:
    """A tournament that was played again: the ladder of the file, and the one of now."""

    tournament: Tournament
    former: Ladder
    now: Ladder

    @property
    def differences(self) -> list[str]:
        """What differs, a line each; empty for the same result."""
        return differences(self.former, self.now)


def rerun(path: str | Path, jobs: int = 1, *, move_seconds: float | None = None, watch: Watch | None = None) -> Rerun:
    """Play the tournament of a ladder file again, with the players and settings that it names.

    Nothing that the file names makes code run: what it has of your own has to be here already, by `load_game`,
    `load_rules` or `bring_player`.

    Raises:
        LadderError: not a ladder file. UsageError: a player that is not there. CodeError: likewise one of your own.
    """
    former = load_ladder(path)
    players, specs = contestants(former, path)
    hashes = contents(players)
    settings = dict(former.settings)
    played = play_tournament(players, **settings, jobs=jobs, move_seconds=move_seconds, watch=watch)
    return Rerun(played, former, ladder_of(played, specs, hashes, settings))


def contestants(ladder: Ladder, path: str | Path) -> tuple[list[Player], list[str]]:
    """The players of a ladder file, and what makes them. Raises UsageError, CodeError: see `rerun`."""
    specs = [entry["player"] for entry in ladder.players.values()]
    with names_from_data(game="--game {}", player=f"rulebots tournament {{}} --rerun {path}"):
        game = load_game(ladder.game)
        return [make_player(spec, game) for spec in specs], specs
