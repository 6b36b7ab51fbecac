"""An explanation as text: the scores of all moves, and the rules that separate the best two."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.table import Table

from rulebots.cli.console import in_terminal, say, show, terminal
from rulebots.cli.tables import new_table
from rulebots.players.explaining import Explanation, Term

if TYPE_CHECKING:
    from rulebots.game import Game
    from rulebots.game.position import Position
    from rulebots.players import Player
    from rulebots.search.rollout import RolloutResult

#: The width of a terminal from which on a table of reasons has room for the meanings of rules.
WIDE_ENOUGH = 130
#: Decimals of scores and of what rules add to them.
DECIMALS = 3


def show_reasons(explained: Explanation, name: str, most: int | None = None) -> None:
    """Print an explanation of the player of that name.

    With `most` it shows at most that many moves and rules, and only what each rule adds and means.
    """
    game = explained.rules.game
    show(_scores(explained, most), f"{name} would play {game.text.write(explained.chosen)}")
    left_out = len(explained.moves) - (most or len(explained.moves))
    if left_out > 0:
        say(f"and {left_out} more move{'s' * (left_out > 1)}")
    if explained.rules.decide is not None:
        say(f"the rule set '{explained.rules.name}' does not choose by scores alone: {_meaning(explained)}")
    say("")
    if len(explained.moves) == 1:
        say("it is the only legal move")
        return
    first, second = (game.text.write(move) for move in explained.moves[:2])
    terms = explained.reasons
    if not terms:
        say(f"no rule tells {first} from {second}")
        return
    reasons = _reasons(terms, first, second) if most is None else _short(terms[:most])
    show(reasons, f"why {first} and not {second}: {_moment(explained)}")
    rest = terms[most or len(terms) :]
    if rest:
        say(f"and {len(rest)} more rule{'s' * (len(rest) > 1)}: {sum(term.amount for term in rest):+.{DECIMALS}f}")
    say(f"together: {sum(term.amount for term in terms):+.{DECIMALS}f}")


def reasons_data(explained: Explanation) -> dict[str, Any]:
    """An explanation as plain data: every move with its score, and what each rule adds to the best over the next."""
    write = explained.rules.game.text.write
    terms = explained.reasons if len(explained.moves) > 1 else ()
    scores = zip(explained.moves, explained.scores, strict=True)
    return {
        "move": write(explained.chosen),
        "progress": explained.progress,
        "moves": [{"move": write(move), "score": score} for move, score in scores],
        "reasons": [
            {"rule": term.rule.key, "early": term.early, "late": term.late, "weight": term.weight}
            | {"values": term.values, "shares": term.shares, "adds": term.amount, "meaning": term.rule.meaning}
            for term in terms
        ],
    }


def candidates_data(result: RolloutResult, game: Game) -> dict[str, Any]:
    """What a search by rollouts found out, as plain data."""
    rows = [{**row, "move": game.text.write(row["move"])} for row in result.rows()]
    return {"move": game.text.write(result.move), "guide": game.text.write(result.guide), "moves": rows}


def candidates_of(player: Player, position: Position) -> RolloutResult | None:
    """What a player that searches by rollouts finds out about a position; None for any other player.

    Raises:
        UsageError: the game is over, or chance is to move.
    """
    if "rulebots.search.rollout" not in sys.modules:  # then no such player was made
        return None
    from rulebots.search.rollout import RolloutPlayer

    return player.search.run(position) if isinstance(player, RolloutPlayer) else None


def show_candidates(result: RolloutResult, game: Game, name: str) -> None:
    """Print what a search by rollouts of the player of that name found out about its candidates."""
    factor, unit, counted = (1, "", "points") if result.points else (100, " %", "wins")
    table = new_table({"move": False, counted: True, "95 %": False, "better by": True, "rollouts": True})
    for row in result.rows():
        wins, (low, high) = (f"{factor * row['wins']:.1f}{unit}" if row["rollouts"] else "-"), row["wins_95"]
        around = f"{factor * low:.1f} to {factor * high:.1f}" if row["rollouts"] else "-"
        is_guides = row["move"] == result.guide
        gain = "the guide's" if is_guides else f"{row['gain']:+.3f} +- {1.96 * row['gain_error']:.3f}"
        table.add_row(
            game.text.write(row["move"]), wins, around, gain if row["rollouts"] else "-", f"{row['rollouts']:,}"
        )
    show(table, f"{name} would play {game.text.write(result.move)}")
    if len(result.moves) == 1:
        say("it is the only legal move")
    elif result.move == result.guide:
        say(f"no move is better than {game.text.write(result.guide)}, the guide's, beyond doubt")
    else:
        say(f"the guide would play {game.text.write(result.guide)}")


def _scores(explained: Explanation, most: int | None) -> Table:
    table = new_table({"move": False, "kind": False, "score": True, **({"": False} if explained.remarks else {})})
    game = explained.rules.game
    for i, (move, score) in list(enumerate(zip(explained.moves, explained.scores, strict=True)))[:most]:
        kind = explained.rules.mixes[game.kind(move)].name
        table.add_row(game.text.write(move), kind, f"{score:.{DECIMALS}f}", *explained.remarks[i : i + 1])
    return table


def _reasons(terms: Sequence[Term], first: str, second: str) -> Table:
    columns = ("early", "late", "now", f"on {first}", f"on {second}", "adds")
    # A narrow terminal would fold the meanings into columns of a word each.
    meanings = not in_terminal() or terminal().width >= WIDE_ENOUGH
    table = new_table({"rule": False, **dict.fromkeys(columns, True), **({"meaning": False} if meanings else {})})
    for term in terms:
        weights = (f"{weight:g}" for weight in (term.early, term.late))
        values = (_value(value, share) for value, share in zip(term.values, term.shares, strict=True))
        now, adds = f"{term.weight:.{DECIMALS}f}", f"{term.amount:+.{DECIMALS}f}"
        table.add_row(term.rule.key, *weights, now, *values, adds, *([term.rule.meaning] if meanings else []))
    return table


def _short(terms: Sequence[Term]) -> Table:
    table = new_table({"adds": True, "rule": False, "meaning": False})
    for term in terms:
        table.add_row(f"{term.amount:+.{DECIMALS}f}", term.rule.key, term.rule.meaning)
    return table


def _value(value: float, share: float) -> str:
    """The value of a rule for a move, and the factor of its group for moves of that kind: `0.5 x -1`."""
    if share == 0:
        return "-"
    text = f"{round(value, DECIMALS):g}"
    return text if share == 1 else f"{text} x {share:g}"


def _moment(explained: Explanation) -> str:
    """The stage of the game, in words."""
    if explained.rules.flat:
        return "each rule has one weight"
    late = explained.progress
    return f"progress {late:.2f}, so early weights count {1 - late:.2f} and late ones {late:.2f}"


def _meaning(explained: Explanation) -> str:
    return " ".join((inspect.getdoc(explained.rules.decide) or "").split())
