"""Candidate rule sets, written by a program or a person and judged with limits: one object of plain data each.

This is the hook for tools that evolve programs: they write a file with a rule set, and want a score, columns that tell
candidates apart, and a text of what went wrong.

`evaluate` starts a process of the candidate's own, `python -m evolve.analysis.candidates`. The first line on its stdin
is the job as JSON, and its answers are lines of JSON, one for each stage that was reached. Only when the candidate's
weights are bred, a second line brings the seed of the held-out deals. There is no network there: the process leaves
that of the system where it may, and Python refuses to open connections in any case.
"""

import ctypes
import json
import os
import secrets
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from evolve.state import NUMBER, check_shape
from rulebots.errors import MOST_SEED, demand
from rulebots.files import replace
from rulebots.files.ranges import check_numbers, number
from rulebots.kernel import cache_folder
from rulebots.protocols.child_process import HAS_GROUPS, ChildProcess, ProgramEnded

#: The score of what cannot play, or never wins: no finite Elo is lower.
LOWEST = -1000.0
#: The file with the seed of the held-out deals, beside compiled code: private, and the same for all candidates.
SEED_FILE = "held-out"
#: The longest line of an answer, in bytes.
_LONGEST = 4_000_000
_COMMAND = [sys.executable, "-m", "evolve.analysis.candidates"]
#: Flags of unshare(2): a new user namespace, which allows the new network namespace.
APART = 0x10000000 | 0x40000000
#: What Python reports before it opens a connection: see its table of audit events.
NETWORK_EVENTS = ("socket.connect", "socket.bind", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto")
#: The screening: generations, players and deals of the breeding, and the mirrored deals of the match after it.
SCREEN_GAMES = 1000
SCREEN_DEALS = 60
#: How the candidate's weights are bred.
BREEDING: Mapping[str, Any] = {"strategy": "ga", "population": 24, "opponent_deals": 20}
Answer = Callable[[Mapping[str, Any]], None]
#: What is read of an answer, which the candidate's code may have written.
ANSWER = {"stage": str, "error?": str, "elo_95?": (NUMBER, NUMBER)}


@dataclass(frozen=True)
class CandidateLimits:
    """What a candidate may cost, and how it is measured.

    Its weights are bred against the opponent for `games` games of training. A candidate goes no further where the
    interval of its first match excludes a win rate of `screen`.

    Raises:
        UsageError: a value out of its range.
    """

    seconds: float = number(300.0, 1.0, 1_000_000.0, "seconds for everything, compiling included")
    memory: int = number(4000, 200, 1_000_000, "megabytes that it may allocate")
    games: int = number(20_000, 1, 10**9, "games of training that breed its weights")
    deals: int = number(1000, 40, 100_000, "held-out deals, each from every seat")
    screen: float = number(0.02, 0.0, 1.0, "the win rate that the first match must leave possible")
    seed: int = number(1, 0, MOST_SEED - 1, "the seed of the breeding")
    opponent: str = ""
    game: str = ""
    options: Mapping[str, int] = field(default_factory=dict)
    opening_plies: int | None = None
    jobs: int = 1

    def __post_init__(self) -> None:
        check_numbers(self)


def evaluate(file: str, limits: CandidateLimits | None = None) -> dict[str, Any]:
    """Judge a candidate: `file` names a rule set, FILE.py:NAME.

    It runs in a process of its own, with limits of time and memory and without a network. `score` is the lower end of
    the 95 % interval of its Elo against the opponent on held-out deals, at least LOWEST; that of a candidate that fails
    or is screened out is LOWEST. `stage` is the last that it has reached, `error` what went wrong or None. The seed of
    the held-out deals stays secret; it reaches the process when the weights are bred.

    Raises:
        UsageError: there is no such file, or the system cannot limit a process. OSError: no process can be started.
    """
    terms = limits or CandidateLimits()
    demand(HAS_GROUPS, "candidates need Linux or macOS: Windows limits neither their memory nor what they start")
    demand(
        Path(file.rpartition(":")[0] or file).is_file(),
        f"'{file}': expected a rule set in a file that is there, FILE.py:NAME",
    )
    began = time.monotonic()
    report: dict[str, Any] = {"score": LOWEST, "error": None, "stage": "started", "file": file}
    child = ChildProcess(_COMMAND, longest_line=_LONGEST, memory=terms.memory, keep_stderr=False)
    try:
        _converse(child, {"file": file, **asdict(terms)}, began + terms.seconds, report)
    except TimeoutError:
        report["error"] = f"took longer than {terms.seconds:g} s; the last stage was '{report['stage']}'"
    except ProgramEnded as error:
        report["error"] = f"its process {error}"
    except ValueError:  # not JSON, of another shape, or too long
        report["error"] = "its process sent something that is not an answer"
    finally:
        child.end()
    if report["stage"] in {"measured", "complete"} and "elo_95" in report:  # what a candidate says may lack it
        report["score"] = report["elo_95"][0]
    return {**report, "seconds": round(time.monotonic() - began, 1)}


def _converse(child: ChildProcess, job: object, deadline: float, report: dict[str, Any]) -> None:
    """Send the job, and take the answers up to the last one. Raises TimeoutError where it comes too late."""
    child.send([json.dumps(job)])
    while report["error"] is None and report["stage"] not in {"screened out", "complete"}:
        answer = json.loads(child.receive(deadline))
        check_shape(answer, ANSWER, "answer")
        if answer["stage"] == "error":
            report["error"] = answer.get("error", "")
        else:
            report.update(answer)
        if answer["stage"] == "bred":
            child.send([json.dumps({"held_out": held_out_seed()})])


def held_out_seed() -> int:
    """The seed of the held-out deals of this machine, made once. Raises OutputError where it cannot be kept."""
    path = cache_folder() / SEED_FILE
    try:
        return int(path.read_text(encoding="ascii"))
    except (OSError, ValueError):
        seed = secrets.randbelow(MOST_SEED)
        replace(path, f"{seed}\n")
        return seed


def main() -> None:
    """Read the job, answer stage by stage, and tell an error as the last answer."""
    closed = _leave_network()
    channel = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what the candidate prints is not an answer

    def answer(report: Mapping[str, Any]) -> None:
        channel.write(json.dumps(report) + "\n")
        channel.flush()

    try:
        _evaluate(json.loads(sys.stdin.readline()), answer, {"network": "none" if closed else "refused by Python"})
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a candidate does is its result
        answer({"stage": "error", "error": f"{type(error).__name__}: {' '.join(str(error).split())}"})


def _leave_network() -> bool:
    """Refuse connections, and leave the system's network; whether that was allowed."""
    sys.addaudithook(_refuse)
    user = os.getuid()
    group = os.getgid()
    try:
        apart = ctypes.CDLL(None, use_errno=True).unshare(APART) == 0
        if apart:  # the same user as before, who may read and write the same files
            Path("/proc/self/setgroups").write_text("deny", encoding="ascii")
            Path("/proc/self/uid_map").write_text(f"{user} {user} 1", encoding="ascii")
            Path("/proc/self/gid_map").write_text(f"{group} {group} 1", encoding="ascii")
    except (OSError, AttributeError):
        return False
    return apart


def _refuse(event: str, _: Any) -> None:
    if event in NETWORK_EVENTS:
        raise PermissionError(f"a candidate has no network ({event})")


def _evaluate(job: Mapping[str, Any], answer: Answer, about: Mapping[str, Any]) -> None:
    from evolve.analysis.ablation import Measurement
    from evolve.analysis.exploitation import Exploitation
    from rulebots.packages import load_game
    from rulebots.packages.players import champion_of, options_among
    from rulebots.packages.rule_sets import load_rules
    from rulebots.play.deals import draw_deals
    from rulebots.play.match import play_deals, play_match
    from rulebots.play.results import match_result
    from rulebots.players import RulePlayer

    if job["game"]:
        load_game(job["game"])
    rules = load_rules(job["file"])
    answer({**about, "stage": "loaded", "game": rules.game.name, "rule_set": rules.name, "rules": len(rules.rules)})
    opponent = job["opponent"] or champion_of(rules.game)
    options = options_among([opponent], rules.game)[1] | job["options"]
    terms = {"options": options, "opening_plies": job["opening_plies"], "seed": job["seed"]}
    search = Exploitation(opponent, rules.game, rules=job["file"], jobs=job["jobs"], teams=True, **BREEDING, **terms)
    first = None
    for progress in search.generations(games=job["games"]):
        if first is None and progress.games >= min(SCREEN_GAMES, job["games"]):
            best = RulePlayer(search.run.rules, search.run.candidates()[0], "candidate")
            first = play_match(best, search.player, SCREEN_DEALS, **{**terms, "seed": job["seed"] + 1})
            out = first.win_rate_95[1] < job["screen"]
            answer({"stage": "screened out" if out else "screened", "opponent": opponent, **_result(first)})
            if out:
                return
    player = search.chosen()
    answer(
        {
            "stage": "bred",
            "opponent": opponent,
            "options": options,
            "games_of_training": search.run.games,
            "weights": rules.named(player.weights),
        }
    )
    seed = json.loads(sys.stdin.readline())["held_out"]
    del terms["seed"]
    match = match_result(
        play_deals(player, search.player, draw_deals(rules.game, job["deals"], seed, **terms), job["jobs"]), rules.game
    )
    answer({"stage": "measured", **_result(match)})
    few = draw_deals(rules.game, max(2, job["deals"] // 4), seed, 1, **terms)
    measured = Measurement(player, [(search.spec, search.player)], few, job["jobs"], itself=False)
    lines = [
        {"rule": rule, "loss": loss.mean, "loss_95": [loss.low, loss.high], "verdict": loss.verdict}
        for rule, loss in measured.losses().items()
    ]
    answer({"stage": "complete", "ablation": lines})


def _result(result: Any) -> dict[str, Any]:
    from rulebots.ratings import elo

    rating, low, high = (max(LOWEST, min(-LOWEST, elo(rate))) for rate in (result.win_rate, *result.win_rate_95))
    behaviour = {name: pair[0] for name, pair in result.behaviour.items()}
    return {
        "win_rate": result.win_rate,
        "win_rate_95": list(result.win_rate_95),
        "elo": rating,
        "elo_95": [low, high],
        "behaviour": {**behaviour, "length": result.plies, "points": result.points, "margin": result.margin},
        "games": result.games,
        "distinct_deals": result.distinct_deals,
    }


if __name__ == "__main__":
    main()
