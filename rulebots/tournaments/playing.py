"""A tournament from its first game to its last, and that of a ladder file played again."""

from __future__ import annotations

import copy
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from rulebots.errors import UsageError
from rulebots.packages import load_game
from rulebots.packages.named_code import names_from_data
from rulebots.packages.players import make_player
from rulebots.play.deals import Deals, DealStream, ordered
from rulebots.play.loop import Terms
from rulebots.play.match import game_of, play_games
from rulebots.play.results import Games
from rulebots.players import Player, name_of, named_apart
from rulebots.tournaments.cross_play import CrossPlay, Partners, check_players, cross_play
from rulebots.tournaments.ladder import Ladder, contents, differences, ladder_of, load_ladder
from rulebots.tournaments.pairing import SYSTEMS, Table, Tables, resting
from rulebots.tournaments.standings import Meeting, Tournament, meetings_of, tournament_of

#: Called after each meeting, of a table after its last; False, and nothing else, ends the tournament.
MeetingWatch = Callable[[int, int, Meeting], object]
#: Called after each meeting, or after each two of a game for all together.
AnyWatch: TypeAlias = Callable[[int, int, Meeting | Partners], object]


def play_tournament(
    players: Sequence[Player],
    system: str = "round-robin",
    *,
    rounds: int | None = None,
    deals: int = 1000,
    seed: int = 1,
    options: Mapping[str, int] | None = None,
    jobs: int = 1,
    opening_plies: int | None = None,
    move_seconds: float | None = None,
    watch: MeetingWatch | None = None,
) -> Tournament:
    """Let players of one game meet, `deals` mirrored deals each time.

    "round-robin" is everybody with everybody, "gauntlet" the first player with everybody else, all on the
    deals that `play_match` plays with that seed; "swiss" is `rounds` rounds of neighbours in the standings,
    each on further deals. `watch(meetings played, meetings in all, meeting)` is called after each meeting; if it
    returns False, the tournament ends there, with the meetings so far. Players of the same name are numbered.

    At more than two seats as many players meet at a table (see `Tables`), and each deal is played in every order of
    them that `ordered` has; `watch` is called after each table. All that `Tournament` says is about every two of them.

    A player that is asked in Python may think `move_seconds` about a move. A fault (an
    illegal answer, an error, a move that comes too late) loses the game, by a point if not by more; the tournament
    goes on.

    Raises:
        UsageError: fewer than two players, players of different games, an unknown system, a wrong number
            of rounds, a wrong option or seed.
    """
    check_players(players)
    if system not in SYSTEMS:
        raise UsageError(f"expected one of {', '.join(SYSTEMS)}, not '{system}'")
    stream = DealStream(game_of(players), seed, options=options, opening_plies=opening_plies)
    seats = stream.game.seats_with(stream.options)
    if stream.game.together(seats):
        raise UsageError(f"{stream.game.title} is played {_how(seats)}: use rulebots.tournaments.cross_play")
    tables = Tables(system, seats, len(players), rounds, seed)
    terms = Terms(move_seconds, faults_lose=True)
    names = named_apart([name_of(player) for player in players])
    scores = [0.0] * len(players)
    meetings = list[Meeting]()
    played = list[Sequence[Table]]()
    done = 0
    for turn in range(tables.turns):
        drawn = stream.take(deals)
        played.append(tables.next_round(scores, played))
        for table in played[-1]:
            met = meetings_of(table, games_at(players, table, drawn, jobs, terms=terms), turn * deals)
            meetings += met
            for meeting in met:
                scores[meeting.first] += meeting.result.wins + meeting.result.draws / 2
                scores[meeting.second] += meeting.result.losses + meeting.result.draws / 2
            done += 1
            if watch and watch(done, tables.turns * len(played[-1]), met[-1]) is False:
                return tournament_of(stream.game, names, meetings)
        for player in resting(len(players), played[-1]):
            scores[player] += len(ordered(1, seats)) * (seats - 1) * deals
    return tournament_of(stream.game, names, meetings)


def games_at(
    players: Sequence[Player], table: Table, deals: Deals, jobs: int = 1, *, terms: Terms, keep_moves: bool = False
) -> Games:
    """The games of a table on these deals, `ordered`. A player may have several seats."""
    seated = [players[player] for player in table]
    seated = [copy.copy(player) if player in seated[:seat] else player for seat, player in enumerate(seated)]
    return play_games(seated, deals, ordered(len(deals), len(table)), jobs, keep_moves=keep_moves, terms=terms)


def play_settings(
    players: Sequence[Player],
    settings: Mapping[str, Any],
    jobs: int = 1,
    *,
    move_seconds: float | None = None,
    watch: AnyWatch | None = None,
) -> Tournament | CrossPlay:
    """The tournament of some settings: those of `play_tournament`; of a game for all together, what `cross_play` plays.

    Raises:
        UsageError: what these raise, and a system other than a round robin in a game for all together.
    """
    check_players(players)
    game = game_of(players)
    seats = game.seats_with(game.option_values(settings["options"]))
    if not game.together(seats):
        return play_tournament(players, **settings, jobs=jobs, move_seconds=move_seconds, watch=watch)
    if settings["system"] != "round-robin":
        what = f"{game.title} is played {_how(seats)}: nobody meets opponents"
        raise UsageError(f"{what}; leave out --{settings['system']}, and all play the same deals")
    kept = {name: value for name, value in settings.items() if name not in ("system", "rounds")}
    return cross_play(players, **kept, jobs=jobs, move_seconds=move_seconds, watch=watch)


def _how(seats: int) -> str:
    """How a game is played in which nobody has an opponent."""
    return "alone" if seats == 1 else "together"


@dataclass(frozen=True)
class Rerun:
    """A tournament that was played again: the ladder of the file, and the one of now."""

    tournament: Tournament | CrossPlay
    former: Ladder
    now: Ladder

    @property
    def differences(self) -> list[str]:
        """What differs, a line each; empty for the same result."""
        return differences(self.former, self.now)


def rerun(
    path: str | Path,
    jobs: int = 1,
    *,
    move_seconds: float | None = None,
    watch: AnyWatch | None = None,
) -> Rerun:
    """Play the tournament of a ladder file again, with the players and settings that it names.

    A name in the file never makes code run: games, rules and players of a user have to be loaded before, by
    `load_game`, `load_rules` or `bring_player`.

    Raises:
        LadderError: the file is not a ladder. UsageError: a player does not exist. CodeError: a user's player was not
            loaded.
    """
    former = load_ladder(path)
    players, specs = contestants(former, path)
    hashes = contents(players)
    settings = dict(former.settings)
    played = play_settings(players, settings, jobs, move_seconds=move_seconds, watch=watch)
    return Rerun(played, former, ladder_of(played, specs, hashes, settings))


def contestants(ladder: Ladder, path: str | Path) -> tuple[list[Player], list[str]]:
    """The players of a ladder file, and the names that make them. Raises UsageError, CodeError as `rerun` does."""
    specs = [entry["player"] for entry in ladder.players.values()]
    with names_from_data(game="--game {}", player=f"rulebots tournament {{}} --rerun {shlex.quote(str(path))}"):
        game = load_game(ladder.game)
        return [make_player(spec, game) for spec in specs], specs
