"""The dashboard of a run: figures and curves from its log."""

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

from evolve.storage import log as run_log
from evolve.storage.folder import CHAMPION, RUNS, process_of
from evolve.storage.log import END_SHARE, Log, duration, lead
from rulebots.errors import UsageError
from rulebots.packages import game_names, load_game, origin_of_game, path_of_game
from rulebots.web.chart import Chart, Series, sparks_of
from rulebots.web.runs.run_processes import MOST_GENERATIONS, every_rule_set, form_again

#: The most generations whose values can be pointed at.
MOST_STOPS = 40
#: Width and height of a small curve.
SPARK = (120.0, 26.0)
#: Rules of the champion whose weights moved most.
MOST_RULES = 12
#: Spaces between the marks of a curve.
MOST_MARKS = 5
#: What is said of the end of a run before it.
NOT_ENDED = {**dict.fromkeys(("verdicts", "table"), ()), **dict.fromkeys(("trend", "another", "kept", "file"), "")}


@dataclass(frozen=True)
class Dashboard:
    """A run as the page shows it."""

    name: str
    title: str
    rules: str
    #: How it breeds, shortly: its players, strategy, seed and opponents.
    how: str
    against: str
    #: When it began, in seconds since the epoch; NaN where its log does not say.
    begun: float
    state: str
    #: What the first generation waits for, "" once it is over.
    waits: str
    #: Whether a process runs it that can be stopped, and whether it can be resumed.
    running: bool
    resumable: bool
    generation: int
    total: int
    #: `7 of 200`; before its end, under a time limit `7`.
    progress: str
    figures: tuple[tuple[str, str], ...]
    #: How long it still takes, and until when; "" before that is known, and at its end.
    left: str
    #: The generations up to which it should go on, and about how long that takes.
    advised: int
    takes: str
    warnings: tuple[str, ...]
    #: What its curves measure.
    measure: str
    in_points: bool
    series: tuple[Series, ...]
    chart: Chart | None
    #: The rules whose weights moved most: first and latest early and late weight, and all of them as small curves.
    moved: Sequence[Mapping[str, Any]]
    #: Whether nothing shows that the run gained, so that they may have moved by luck alone.
    by_luck: bool
    #: Whether `evolve tune` tunes a program, and what has no weights, and no generations but parts of its games.
    tuned: bool
    #: The command that began it, as it was typed; "" where its log does not say.
    command: str
    #: What its log says of its end, as `facts_of_end` in evolve/cli/progress.py has it, over NOT_ENDED.
    end: Mapping[str, Any]
    #: The fields of the form that begin this one again.
    form: Mapping[str, Any]
    #: The game's name here, "" where it is not here, or without these rules.
    game: str
    champion: str
    #: Changes with everything that is shown.
    version: str


def dashboard_of(path: Path, *, whole: bool = True) -> Dashboard:
    """The dashboard of the run in a folder; unless it is `whole`, the latest generation has to do.

    Raises:
        InputError: the log cannot be read. UsageError: it has no beginning.
    """
    log = (run_log.read if whole else run_log.outline)(path)
    events = log.events
    about = log.about
    if about is None:
        raise UsageError(f"{RUNS}/{path.name}: {run_log.NAME} does not say yet what is bred: load the page again later")
    lines, last, settings = run_log.generations(log), events[-1], about["settings"]
    ended = last["event"] == "end"
    end = NOT_ENDED | {"again": settings.get("start", "")} | (last if ended else {})
    tuned = settings["strategy"] == "tune"
    begun = max(i for i, event in enumerate(events) if event["event"] in ("begin", "resume"))
    played = [event for event in events[begun:] if event["event"] == "generation"]
    total = next((e["generations"] for e in events[::-1] if "generations" in e), settings["generations"])
    guessed = events[begun] is about and "generations" in about.get("free", ())
    limit = about["time"] + about["seconds"] if guessed else math.inf
    running, state = _state(log, path)
    latest = lines[-1] if lines else {}
    generation = latest.get("generation", 0)
    ending = running and last["event"] == "generation" and last["generation"] >= total
    if ending:
        state = _ending(last, tuned=tuned)
    fitting = [
        one
        for one in (line["champion"] for line in (*lines, end) if "champion" in line)
        if len(one[0]) == len(about["keys"])
    ]
    in_points = "margin" in latest
    value, interval = ("margin", "margin_95") if in_points else ("best", "best_95")
    told = [line for line in lines if run_log.tells(line)]
    generations = [line["generation"] for line in told]
    best = Series("best", generations, [line[value] for line in told], [tuple(line[interval]) for line in told])
    mean = Series("mean", generations, [line["mean"] for line in told])
    series = (best,) if tuned or in_points else (best, mean)
    each = math.inf
    if lines:
        once = latest["games"] / (latest["games_a_second"] or 1) / generation
        each = run_log.pace([event.get("time", 0.0) for event in played or lines[-1:]]) or once
    left = max(0.0, min(run_log.seconds_left(each, generation, total), limit - time.time()))
    waits = f"So far the best players have met {about['hand_tuned']} too seldom to tell strength from luck." * (
        running and len(told) < 2
    )
    if running and not lines:
        waits = "The players of the first generation play: the figures come when its last game is over"
        if last["event"] == "compile":
            waits = (
                f"Its {len(about['keys'])} rules are being compiled: about {duration(last['seconds'])} "
                "on an idle machine, and only once"
            )
        waits += f". {_since(last)} so far.{f' It ends in about {duration(left)}.' * guessed}"
    resumable = not running and run_log.finished(log) is None
    advised = total if resumable else min(2 * generation, total + MOST_GENERATIONS)
    game = next(
        (
            name
            for name in game_names()  # a user's by its folder
            if settings.get("game") in (name, origin_of_game(name), path_of_game(name))
            and about["rules"] in every_rule_set(load_game(name))
        ),
        "",
    )
    return Dashboard(
        name=path.name,
        title=Path(about["game"]).name,
        rules=about["rules"],
        how=", ".join(
            filter(
                None,
                [
                    f"{settings['population']:,} players" if "population" in settings else "",
                    settings["strategy"] * (not tuned),
                    f"seed {settings['seed']}",
                    f"against {', '.join(settings['opponents'])}" if settings["opponents"] else "",
                    f"in about {duration(about.get('seconds', 0))}" * ("seconds" in about),
                ],
            )
        ),
        against=about["hand_tuned"],
        begun=events[0].get("time", math.nan),
        state=state,
        waits=waits,
        running=running,
        resumable=resumable,
        generation=generation,
        total=total,
        progress=f"{generation}{f' of {total}' * (state == 'finished' or not guessed)}",
        figures=(
            ("best, on fresh deals", lead(latest).removeprefix("best ")),
            *[("mean of the population", f"{100 * latest['mean']:.1f} %")] * (mean in series),
            ("games a second", f"{latest['games'] / generation / (each or 1):,.0f}"),
            ("games", f"{latest['games']:,}"),
        )
        if latest
        else (),
        left=f"about {duration(left)} left, until {time.strftime('%H:%M', time.localtime(time.time() + left))}"
        if running and 0 < generation < total
        else "",
        advised=advised,
        takes=duration(run_log.seconds_left(each, generation, advised)),
        warnings=tuple(latest.get("warnings", ())),
        series=series,
        measure=f"{'points a game more than' if in_points else 'win rate against'} {about['hand_tuned']}",
        in_points=in_points,
        chart=course_chart(series, in_points=in_points),
        moved=_moved(about["keys"], fitting) if fitting and not end["kept"] else (),
        by_luck=" since generation 1:" in end["trend"]
        or bool(
            end["verdicts"]
            and not end["trend"].startswith("still")
            and "is better than its start" not in str(end["verdicts"])
        ),
        tuned=tuned,
        command=about.get("command", ""),
        end=end,
        form=form_again(about, game, run_log.begun_for(log)) if whole and game and not running else {},
        game=game,
        champion=f"{RUNS}/{path.name}/{CHAMPION}" * (path / CHAMPION).is_file(),
        version=f"{len(log.events)}-{int(running)}{f'-{time.time():.0f}' * (ending or (running and not lines))}",
    )


def _state(log: Log, path: Path) -> tuple[bool, str]:
    """Whether a process runs the run, and that in words."""
    last, running = log.events[-1], process_of(path) is not None
    if last["event"] == "end":
        return running, "its result is saved" if running else "stopped" if last["interrupted"] else "finished"
    return running, "running" if running else "stopped"


def _ending(last: Mapping[str, Any], *, tuned: bool) -> str:
    """What plays after the `last` generation, and how far it is."""
    if tuned:
        return f"playing fresh games against the start, for {_since(last)} so far"
    whole = END_SHARE * last["games"] / (last["games_a_second"] or 1)
    return (
        "playing its run-off, then matches on fresh deals: "
        f"{_since(last)}{f' of about {duration(whole)}' * (time.time() < last.get('time', 0) + whole)} so far"
    )


def _since(event: Mapping[str, Any]) -> str:
    """How long ago a line of the log was written."""
    return duration(max(0.0, time.time() - event.get("time", math.inf)))


def _moved(keys: Sequence[str], champions: Sequence[Sequence[Sequence[float]]]) -> Sequence[Mapping[str, Any]]:
    """The rules whose weights moved most since the first generation, for their size or for a usual one."""
    halves = np.array(champions, float).reshape(-1, 2, len(keys))
    weights = {
        key: halves[:, :, column]
        for column, key in enumerate(keys)
        if not np.allclose(halves[0, :, column], halves[-1, :, column], rtol=1e-3)
    }
    usual = float(np.median(np.abs(halves[0])))
    size = {key: usual + np.linalg.norm(of[[0, -1]], axis=1).max() for key, of in weights.items()}
    most = sorted(weights, key=lambda key: -math.dist(weights[key][0], weights[key][-1]) / (size[key] or 1))[
        :MOST_RULES
    ]
    return [
        {
            "rule": key,
            "before": (early[0], late[0]),
            "now": (early[-1], late[-1]),
            "curves": sparks_of([early] if early == late else [early, late], *SPARK),
        }
        for key in most
        for early, late in [weights[key].T.tolist()]
    ]


def course_chart(series: Sequence[Series], *, in_points: bool = False) -> Chart | None:
    """The chart of win rates, or of points a game, over generations; None where no series has two of them."""
    if all(len(one.xs) < 2 for one in series):
        return None
    values = [value for one in series for value in (*one.values, *(end for ends in one.band for end in ends))]
    low, high = min(values), max(values)
    step = next(a * 10.0**power for power in count(-1) for a in (1, 2, 5) if high - low <= MOST_MARKS * a * 10.0**power)
    first = math.floor(low / step)
    marks = [round(step * i, 1) for i in range(first, max(first + 1, math.ceil(high / step)) + 1)]
    # A curve without points keeps the colours of the others.
    return Chart(
        series,
        {mark: f"{mark:g}" if in_points else f"{100 * mark:.0f} %" for mark in marks},
        lambda value: f"{value:+.2f}" if in_points else f"{100 * value:.1f} %",
        sorted({x for one in series for x in one.xs}),
        MOST_STOPS,
    )
