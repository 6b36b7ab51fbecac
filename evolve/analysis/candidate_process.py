"""The process of a candidate: `python -m evolve.analysis.candidate_process` reads a job and answers in lines.

The first line on stdin is the job as JSON, and the answers are lines of JSON, one for each stage that was reached. Only
when the candidate's weights are bred, a second line brings the seed of the held-out deals. There is no network here:
the process leaves that of the system where it may, and Python refuses to open connections in any case.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evolve.analysis.exploitation import Exploitation
    from rulebots.players import RulePlayer

#: Flags of unshare(2): a new user namespace, which allows the new network namespace.
NEW_USER = 0x10000000
NEW_NETWORK = 0x40000000
#: What Python reports before it opens a connection: see its table of audit events.
NETWORK_EVENTS = ("socket.connect", "socket.bind", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto")
#: The screening: generations, players and deals of the breeding, and the mirrored deals of the match after it.
SCREEN_GAMES = 1000
SCREEN_DEALS = 60
#: How the candidate's weights are bred.
BREEDING: Mapping[str, Any] = {"strategy": "ga", "population": 24, "opponent_deals": 20}

Answer = Callable[[Mapping[str, Any]], None]


def main() -> None:
    """Read the job, answer stage by stage, and tell an error as the last answer."""
    closed = _leave_network()
    channel = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what the candidate prints is not an answer

    def answer(found: Mapping[str, Any]) -> None:
        channel.write(json.dumps(found) + "\n")
        channel.flush()

    try:
        job = json.loads(sys.stdin.readline())
        resource.setrlimit(resource.RLIMIT_DATA, (job["memory"] << 20, job["memory"] << 20))
        _evaluate(job, answer, {"network": "none" if closed else "refused by Python"})
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a candidate does is its result
        answer({"stage": "error", "error": f"{type(error).__name__}: {' '.join(str(error).split())}"})


def _leave_network() -> bool:
    """Refuse connections, and leave the system's network; whether that was allowed."""
    sys.addaudithook(_refuse)
    user = os.getuid()
    group = os.getgid()
    try:
        left = ctypes.CDLL(None, use_errno=True).unshare(NEW_USER | NEW_NETWORK) == 0
        if left:  # the same user as before, who may read and write the same files
            Path("/proc/self/setgroups").write_text("deny", encoding="ascii")
            Path("/proc/self/uid_map").write_text(f"{user} {user} 1", encoding="ascii")
            Path("/proc/self/gid_map").write_text(f"{group} {group} 1", encoding="ascii")
    except (OSError, AttributeError):
        return False
    return left


def _refuse(event: str, _: Any) -> None:
    if event in NETWORK_EVENTS:
        raise PermissionError(f"a candidate has no network ({event})")


def _evaluate(job: Mapping[str, Any], answer: Answer, about: Mapping[str, Any]) -> None:
    from evolve.analysis.exploitation import Exploitation
    from rulebots.packages import load_game
    from rulebots.packages.players import champion_of
    from rulebots.packages.rule_sets import load_rules
    from rulebots.play.match import play_match
    from rulebots.players import RulePlayer

    if job["game"]:
        load_game(job["game"])
    rules = load_rules(job["file"])
    answer({**about, "stage": "loaded", "game": rules.game.name, "rule_set": rules.name, "rules": len(rules.rules)})
    opponent = job["opponent"] or champion_of(rules.game)
    terms = {"options": job["options"], "opening_plies": job["opening_plies"], "seed": job["seed"]}
    search = Exploitation(opponent, rules.game, rules=job["file"], jobs=job["jobs"], teams=True, **BREEDING, **terms)
    screened = False
    for progress in search.generations(games=job["games"]):
        if not screened and progress.games >= min(SCREEN_GAMES, job["games"]):
            best = RulePlayer(search.run.rules, search.run.candidates()[0], "candidate")
            first = play_match(best, search.player, SCREEN_DEALS, **{**terms, "seed": job["seed"] + 1})
            screened = True
            out = first.win_rate_95[1] < job["screen"]
            answer({"stage": "screened out" if out else "screened", "opponent": opponent, **_result(first)})
            if out:
                return
    chosen = search.chosen()
    weights = rules.named(chosen.weights)
    answer({"stage": "bred", "opponent": opponent, "games_of_training": search.run.games, "weights": weights})
    _hold_out(chosen, search, json.loads(sys.stdin.readline())["held_out"], job, answer)


def _hold_out(chosen: RulePlayer, search: Exploitation, seed: int, job: Mapping[str, Any], answer: Answer) -> None:
    """The match on the held-out deals, and what each rule adds there."""
    from evolve.analysis.ablation import Measurement, ablate
    from rulebots.play.deals import draw_deals
    from rulebots.play.match import play_deals
    from rulebots.play.results import match_result

    game = search.run.game
    terms = {"options": job["options"], "opening_plies": job["opening_plies"]}
    deals = draw_deals(game, job["deals"], seed, **terms)
    result = match_result(play_deals(chosen, search.player, deals, job["jobs"]), deals.game)
    answer({"stage": "measured", **_result(result)})
    few = draw_deals(game, max(2, job["deals"] // 4), seed, 1, **terms)
    losses = ablate(Measurement(chosen, [(search.spec, search.player)], few, job["jobs"], itself=False))
    losing = [
        {
            "rule": chosen.rules.rules[column].key,
            "loss": loss.mean,
            "loss_95": [loss.low, loss.high],
            "verdict": loss.verdict,
        }
        for column, loss in losses.items()
    ]
    answer({"stage": "complete", "ablation": losing})


def _result(result: Any) -> dict[str, Any]:
    from rulebots.ratings import elo

    low, high = result.win_rate_95
    figures = {"win_rate": result.win_rate, "win_rate_95": [low, high], "elo": elo(result.win_rate)}
    behaviour = {name: pair[0] for name, pair in result.behaviour.items()}
    behaviour |= {"length": result.plies, "points": result.points, "margin": result.margin}
    counts = {"games": result.games, "distinct_deals": result.distinct_deals}
    return {**figures, "elo_95": [elo(low), elo(high)], "behaviour": behaviour, **counts}


if __name__ == "__main__":
    main()
