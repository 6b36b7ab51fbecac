"""A tournament from its first game to its last, and that of a ladder file played again."""

from __future__ import annotations

import math
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rulebots.errors import UsageError
from rulebots.game import Game
from rulebots.play.deals import DealStream
from rulebots.play.match import game_of, play_deals
from rulebots.play.sides import Terms
from rulebots.players import Player, name_of, named_apart
from rulebots.players.names import make_player
from rulebots.registry import load_game
from rulebots.registry.named_code import names_from_data
from rulebots.tournaments.ladder import Ladder, contents, differences, ladder_of, load_ladder
from rulebots.tournaments.pairing import SYSTEMS, Gauntlet, Pairing, Pairs, RoundRobin, Swiss, resting
from rulebots.tournaments.standings import Meeting, Tournament, meeting_of, tournament_of

#: Called after each meeting; False, and nothing else, ends the tournament.
MeetingWatch = Callable[[int, int, Meeting], object]


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

    A player that is asked in Python may think `move_seconds` about a move. A fault (an
    illegal answer, an error, a move that comes too late) loses the game, by a point if not by more; the tournament
    goes on.

    Raises:
        UsageError: fewer than two players, players of different games, an unknown system, a wrong number
            of rounds, a wrong option or seed.
    """
    if not isinstance(players, Sequence) or len(players) < 2:
        count = len(players) if isinstance(players, Sequence) else repr(players)
        raise UsageError(f"a tournament needs at least 2 players, not {count}")
    if system not in SYSTEMS:
        raise UsageError(f"expected one of {', '.join(SYSTEMS)}, not '{system}'")
    stream = DealStream(game_of(players), seed, options=options, opening_plies=opening_plies)
    terms = Terms(move_seconds, faults_lose=True)
    count, meetings, rounds_played = len(players), list[Meeting](), list[Pairs]()
    pairing = _pairing(system, rounds, count)
    turns, scores = pairing.rounds_of(count), [0.0] * count
    total = turns * pairing.pairs_a_round(count)
    for turn in range(turns):
        drawn = stream.take(deals)
        pairs = pairing.next_round(scores, rounds_played)
        for first, second in pairs:
            games = play_deals(players[first], players[second], drawn, jobs, terms=terms)
            meeting = meeting_of(first, second, games, turn * deals)
            meetings.append(meeting)
            scores[first] += meeting.result.wins + meeting.result.draws / 2
            scores[second] += meeting.result.losses + meeting.result.draws / 2
            if watch and watch(len(meetings), total, meeting) is False:
                return _standing(stream.game, players, meetings)
        rounds_played.append(pairs)
        for player in resting(count, pairs):
            scores[player] += 2 * deals
    return _standing(stream.game, players, meetings)


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


def rerun(
    path: str | Path, jobs: int = 1, *, move_seconds: float | None = None, watch: MeetingWatch | None = None
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
    played = play_tournament(players, **settings, jobs=jobs, move_seconds=move_seconds, watch=watch)
    return Rerun(played, former, ladder_of(played, specs, hashes, settings))


def contestants(ladder: Ladder, path: str | Path) -> tuple[list[Player], list[str]]:
    """The players of a ladder file, and the names that make them. Raises UsageError, CodeError as `rerun` does."""
    specs = [entry["player"] for entry in ladder.players.values()]
    with names_from_data(game="--game {}", player=f"rulebots tournament {{}} --rerun {shlex.quote(str(path))}"):
        game = load_game(ladder.game)
        return [make_player(spec, game) for spec in specs], specs


def _standing(game: Game, players: Sequence[Player], meetings: Sequence[Meeting]) -> Tournament:
    return tournament_of(game, named_apart([name_of(player) for player in players]), meetings)


def _pairing(system: str, rounds: int | None, players: int) -> Pairing:
    """The system of that name; the Swiss one has enough rounds for a single winner, at most those of a round robin."""
    if system != "swiss":
        return Gauntlet() if system == "gauntlet" else RoundRobin()
    low, high = math.ceil(math.log2(players)), players - 1 + players % 2
    if not isinstance(rounds, int) or isinstance(rounds, bool) or not low <= rounds <= high:
        raise UsageError(f"swiss: {players} players need {low} to {high} rounds, not {rounds}")
    return Swiss(rounds)
