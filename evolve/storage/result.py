"""From the outcome of a run to a new population file, which does not depend on time, threads or machine."""

from __future__ import annotations

import contextlib
import math
import shlex
from collections.abc import Mapping
from dataclasses import replace
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evolve.settings import Settings
from evolve.storage.folder import as_json
from rulebots.files import (
    InputError,
    OutputError,
    free_name,
    is_standard,
    numbered_names,
    read_bytes,
    refuse_unwritable,
    write_new,
)
from rulebots.files.ranges import flags_of
from rulebots.game.trial import law_digest
from rulebots.packages import origin_of_game
from rulebots.packages.named_code import origin_of
from rulebots.packages.population import Entry, Population, population_text
from rulebots.packages.rule_sets import rule_sets_of
from rulebots.players.specs import in_list

if TYPE_CHECKING:
    from evolve.run import Outcome

FLAGS = flags_of(Settings)


def destination(settings: Settings, out: Path | None, *, resumed: bool = False) -> Path:
    """The file that a run will write: that of a name, else a free name in the current folder.

    The file of a `resumed` run may exist: `save` finds out whether it is that of the same run.

    Raises:
        OutputError: the file exists, or its folder cannot be written to.
    """
    path = out or Path(f"{settings.file_name}-seed{settings.seed}.yaml")
    free = free_name(path) if out is None or resumed else path
    refuse_unwritable(free)
    return path if resumed else free


def save(outcome: Outcome, path: Path) -> Path:
    """Write the outcome, and return where: under a free name if the path is taken by something else.

    Raises:
        OutputError: the file cannot be written.
    """
    text = text_of(outcome)
    if is_standard(path):
        write_new(path, text)
        return path
    for target in numbered_names(path):
        try:
            write_new(target, text)
        except OutputError:
            if not target.exists():
                raise
            with contextlib.suppress(InputError):  # after a run that was killed when it had written the file
                if read_bytes(target, "population file") == text.encode():
                    return target
        else:
            return target
    raise AssertionError("there is always another name")


def text_of(outcome: Outcome) -> str:
    """The YAML of an outcome: the same bytes wherever and however often the run is made."""
    return population_text(population_of(outcome))


def population_of(outcome: Outcome) -> Population:
    """The finalists, the champion first, with the settings that bred them."""
    settings = outcome.settings
    plain = as_json(settings)
    first = {
        "generations": outcome.generations,
        "seed": settings.seed,
        "games": outcome.games,
        **{name: plain[name] for name in ("strategy", "population", "deals")},
    }
    others = {name: plain[name] for name in settings.chosen() if name not in {*first, "game", "rules"}}
    bred = {**first, **others, "by": f"rulebots {metadata.version('rulebots')}"}
    names = ["champion", *(f"finalist_{place}" for place in range(2, len(outcome.finalists) + 1))]
    players = {name: Entry(weights) for name, weights in zip(names, outcome.finalists, strict=True)}
    note = outcome.polish.sentence if outcome.polish and outcome.polish.changes else ""
    players["champion"] = replace(players["champion"], rating=_rating(outcome), note=note)
    comment = origin(outcome)
    if not outcome.run_off:
        comment += "\nThe run-off was left out: the order is that of training. That command includes the run-off."
    elif outcome.polish is None:
        comment += "\nThe polish of the champion was left out. That command includes it."
    worse = outcome.trend if outcome.trend.startswith("worse") else ""
    said = (*outcome.verdicts[:1], worse, outcome.measured and outcome.measured.specialist)
    comment += "".join(f"\n{line}" for line in said if line)
    game = outcome.rules.game
    return Population(game, outcome.rules, players, bred, comment, law=law_digest(game))


def origin(outcome: Outcome) -> str:
    """The command that breeds the same file; where only Python can express the settings, the call."""
    settings = outcome.settings
    game = outcome.rules.game.name
    chosen = {
        **settings.chosen(),
        "game": origin_of_game(game) or game,
        "generations": outcome.generations,
        "seed": settings.seed,
    }
    named = origin_of(outcome.rules)
    if named is not None:
        chosen["rules"] = named.text
    own_rules = named is None and outcome.rules not in rule_sets_of(outcome.rules.game).values()
    if own_rules or not chosen.keys() <= FLAGS.keys():
        arguments = ", ".join(f"{name}={value!r}" for name, value in chosen.items())
        rules = f", rules={outcome.rules.name}" if own_rules else ""
        return f"in Python: evolve.Run(evolve.Settings({arguments}){rules})"
    words = ["evolve", "run"]
    for name in ("game", "generations", "seed"):
        words += [f"--{name}", str(chosen.pop(name))]
    return shlex.join([*words, *words_of(chosen)])


def words_of(settings: Mapping[str, Any]) -> list[str]:
    """Settings that have a flag as words of a command, without those that are None."""
    given = {name: value for name, value in settings.items() if value is not None}
    return [word for name, value in given.items() for text in _texts(value) for word in (FLAGS[name], text)]


def _texts(value: Any) -> list[str]:
    if isinstance(value, Mapping):
        return [f"{name}={number}" for name, number in sorted(value.items())]
    return ([in_list(name) for name in value] or ["none"]) if isinstance(value, tuple) else [str(value)]


def _rating(outcome: Outcome) -> Mapping[str, Any] | None:
    """Strength against the hand-tuned player: Elo with half its 95 % interval, and the results on fresh deals.

    If some deals were played alike, it has the number of distinct ones; if these are too few, it has no interval.
    """
    from rulebots.ratings import elo

    measured = outcome.measured
    if measured is None:
        return None
    against, result = next(iter(measured.held_out.items()))
    half_a_game = 0.5 / result.games  # Elo is infinite at 0 and 1
    low, high = (elo(min(max(end, half_a_game), 1 - half_a_game)) for end in result.win_rate_95)
    in_elo = {"elo": round(result.elo), "plus_minus": math.ceil((high - low) / 2)} if math.isfinite(result.elo) else {}
    rates = {"training": measured.training, "held_out": measured.fresh, "gap": measured.gap}
    start = measured.on_start
    return {
        **(in_elo if in_elo and not result.too_few else {"win_rate": result.win_rate, "games": result.games}),
        **({"distinct_deals": result.distinct_deals} if result.distinct_deals < result.deals else {}),
        "against": against,
        **{name: round(rate, 4) for name, rate in rates.items() if rate is not None},
        **({} if measured.standing is None else {"field": round(measured.standing.mean, 4)}),
        "former": measured.verdict.former,
        "verdict": measured.verdict.says,
        **({} if start is None else {"start": start.former, "start_verdict": start.says}),
    }
