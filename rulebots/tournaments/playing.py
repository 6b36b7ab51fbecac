"""A tournament from its first game to its last."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from rulebots.errors import UsageError
from rulebots.play.deals import DealStream
from rulebots.play.match import game_of, play_deals
from rulebots.players import Player, named_apart
from rulebots.tournaments.pairing import gauntlet, round_robin, swiss_round
from rulebots.tournaments.standings import Meeting, Tournament, meeting_of, tournament_of

SYSTEMS = ("round-robin", "swiss", "gauntlet")

Watch = Callable[[int, int, Meeting], object]


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
    watch: Watch | None = None,
) -> Tournament:
    """Let players of one game meet, `deals` mirrored deals each time.

    "round-robin" is everybody with everybody, "gauntlet" the first player with everybody else, all on the
    deals that `play_match` plays with that seed; "swiss" is `rounds` rounds of neighbours in the standings,
    each on further deals. `watch(meetings played, meetings in all, meeting)` is called after each meeting.
    Players of the same name are numbered.

    Raises:
        UsageError: fewer than two players, players of different games, an unknown system, a wrong number
            of rounds, a wrong option or seed.
    """
    if len(players) < 2:
        raise UsageError(f"a tournament needs at least 2 players, not {len(players)}")
    if system not in SYSTEMS:
        raise UsageError(f"expected one of {', '.join(SYSTEMS)}, not '{system}'")
    stream = DealStream(game_of(players), seed, options=options, opening_plies=opening_plies)
    count, meetings = len(players), list[Meeting]()
    met: set[tuple[int, int]] = set()
    rested: set[int] = set()
    scores = [0.0] * count
    turns = _check_rounds(rounds, count) if system == "swiss" else 1
    total = {"swiss": turns * (count // 2), "gauntlet": count - 1, "round-robin": count * (count - 1) // 2}[system]
    for turn in range(turns):
        drawn = stream.take(deals)
        if system == "swiss":
            pairs, idle = swiss_round(scores, met, rested)
            if idle is not None:
                rested.add(idle)
                scores[idle] += 2 * deals
        else:
            pairs = gauntlet(count) if system == "gauntlet" else round_robin(count)
        for first, second in pairs:
            games = play_deals(players[first], players[second], drawn, jobs)
            meeting = meeting_of(first, second, games, turn * deals)
            meetings.append(meeting)
            met.add((first, second))
            scores[first] += meeting.result.wins + meeting.result.draws / 2
            scores[second] += meeting.result.losses + meeting.result.draws / 2
            if watch:
                watch(len(meetings), total, meeting)
    return tournament_of(stream.game, named_apart([player.name for player in players]), meetings)


def _check_rounds(rounds: int | None, players: int) -> int:
    """The rounds of the Swiss system: enough for a single winner, at most those of a round-robin."""
    low, high = math.ceil(math.log2(players)), players - 1 + players % 2
    if rounds is None or isinstance(rounds, bool) or not low <= rounds <= high:
        raise UsageError(f"swiss: {players} players need {low} to {high} rounds, not {rounds}")
    return rounds
