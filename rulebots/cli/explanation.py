"""Why a player moves as it does, as text: the scores of all moves, and the rules that separate the best two."""

from __future__ import annotations

import inspect
import itertools
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rulebots.cli.console import say, show
from rulebots.cli.tables import counted, table_of
from rulebots.players.explaining import Explanation, explain, total
from rulebots.players.findings import findings_of
from rulebots.players.sentences import deeds_of, deeds_to_mover, doing_of, leading, main_reason, plainly, slip, words_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulebots.game.position import Position
    from rulebots.players import Player
    from rulebots.players.explaining import Term
    from rulebots.search.rollout import RolloutResult

#: The most moves and rules that are shown, unless all are asked for.
SHOWN = 3


def reasons_of(player: Player, position: Position, names: Sequence[str] = (), against: int | None = None) -> Reasons:
    """Why a player moves as it does, to seats of these names: its rules decide, or what its rollouts find out.

    The reasons speak `against` a move, if one is given, else against the next best.

    A level's reasons are those of its rules, whose moves it makes but for some at random.

    Raises:
        UsageError: the player has no reasons to show, or there is no decision.
    """
    from rulebots.packages.levels import CarelessPlayer

    rules = player.player if isinstance(player, CarelessPlayer) else player
    searched = rollouts_of(player, position, names, against)
    return searched or RuleReasons(explain(rules, position, against=against), position, player.name, names, asked=True)


def rollouts_of(
    player: Player, position: Position, names: Sequence[str] = (), against: int | None = None
) -> RolloutReasons | None:
    """What a player that searches by rollouts finds out about a position; None for any other player."""
    if "rulebots.search.rollout" not in sys.modules:  # then no such player was made
        return None
    from rulebots.search.rollout import RolloutPlayer

    if not isinstance(player, RolloutPlayer):
        return None
    return RolloutReasons(player.search.run(position), position, player.name, names, against)


def would_play(name: str, position: Position, move: int, names: Sequence[str] = ()) -> str:
    """What a player of that name would play: the move as it is typed, and what it does, if that says more."""
    typed = position.write(move)
    deed = plainly(*deeds_to_mover(position, [move], names))
    return f"{name} would play {typed}{f': {deed}' * (deed not in ('', f'play {typed}'))}"


@dataclass(frozen=True)
class RolloutReasons:
    """What a search by rollouts found out about its candidates."""

    result: RolloutResult
    position: Position
    name: str
    names: Sequence[str] = ()
    against: int | None = None

    def data(self) -> dict[str, Any]:
        """Plain data."""
        write = self.position.write
        return {
            "move": write(self.result.move),
            "guide": write(self.result.guide),
            "moves": [{**row, "move": write(row["move"])} for row in self.result.rows()],
        }

    def summary(self) -> str:
        """The move, and the reason in a sentence below it."""
        found = findings_of(self.result, self.position, self.against)
        reason = "" if found is None else found.sentence(self.position, self.names)
        return f"{would_play(self.name, self.position, self.result.move, self.names)}\n{reason}"

    def show(self, *, everything: bool = False) -> None:
        """Print it: every candidate, in any case."""
        result = self.result
        write = self.position.write
        factor, unit, figure = (1, "", "points") if result.points else (100, " %", "wins")
        rows = []
        for row in result.rows():
            cells = {"move": write(row["move"]), figure: "-", "95 %": "-", "better by": "-"}
            if row["rollouts"]:
                low, high = row["wins_95"]
                cells[figure] = f"{factor * row['wins']:.1f}{unit}"
                cells["95 %"] = f"{factor * low:.1f} to {factor * high:.1f}"
                gain = f"{row['gain']:+.3f} +- {1.96 * row['gain_error']:.3f}"
                cells["better by"] = "the guide's" if row["move"] == result.guide else gain
            rows.append({**cells, "rollouts": f"{row['rollouts']:,}"})
        say(f"{self.summary()}\n")
        show(table_of(rows, "move", "95 %"))
        if len(result.moves) == 1:
            say("it is the only legal move")
        elif result.move == result.guide:
            say(f"no move is better than {write(result.guide)}, the guide's, beyond doubt")
        else:
            say(f"the guide would play {write(result.guide)}")


@dataclass(frozen=True)
class RuleReasons:
    """How the rules of a player score its moves; the `names` are those of the seats.

    Where they speak against another move, that was `asked` about, or was played: a slip.
    """

    explained: Explanation
    position: Position
    name: str
    names: Sequence[str] = ()
    asked: bool = False

    def data(self) -> dict[str, Any]:
        """Plain data: every move with its score, and what each rule adds to the best over its rival."""
        explained = self.explained
        write = explained.write
        scores = zip(explained.moves, explained.scores, strict=True)
        return {
            "move": write(explained.chosen),
            "progress": explained.progress,
            "moves": [{"move": write(move), "score": score} for move, score in scores],
            "reasons": [
                {
                    "rule": term.rule.key,
                    **{name: getattr(term, name) for name in ("early", "late", "weight", "values", "shares")},
                    "adds": term.amount,
                    "meaning": term.rule.meaning,
                }
                for term in explained.contrast
            ],
            **({"rival": write(explained.moves[explained.rival])} if len(explained.moves) > 1 else {}),
        }

    def summary(self) -> str:
        """The move, and the reason in a sentence below it."""
        return f"{would_play(self.name, self.position, self.explained.chosen, self.names)}\n{self.sentence()}"

    def show(self, *, everything: bool = False) -> None:
        """Print it, the reason in a sentence first: the best moves, and what their main rules add, or everything."""
        explained = self.explained
        rules = explained.rules
        most = None if everything else SHOWN
        say(f"{self.summary()}\n")
        every = range(len(explained.moves))
        # The one that the reasons compare it with is among them.
        places = [place for place in every if most is None or place < most or place == explained.rival]
        deeds = deeds_to_mover(self.position, explained.moves, self.names)
        scores = (
            {
                "move": explained.write(explained.moves[i]),
                "kind": rules.mixes[rules.game.kind(explained.moves[i])].name,
                "score": f"{explained.scores[i]:.3f}",
                **({"": deeds[i]} if any(deeds) else {}),
            }
            for i in places
        )
        show(table_of(scores, "move", "kind", ""))
        if left_out := len(every) - len(places):
            say(f"and {counted(left_out, 'more move')}")
        if rules.decide:
            meaning = (inspect.getdoc(rules.decide) or "").split()
            say(f"the rule set '{rules.name}' does not choose by scores alone: {' '.join(meaning)}")
        if len(explained.moves) == 1:
            return
        say("")
        first, second = (explained.write(explained.moves[place]) for place in (0, explained.rival))
        second_deed = doing_of(self.position, explained.moves[explained.rival], self.names)
        told = leading(explained)
        # What a player weighs against the rule's author is hard to believe: it comes last.
        likely = sorted(told, key=lambda term: term is not told[0] and term.unusual)
        terms = explained.contrast if everything else likely
        if not terms:
            say(f"no rule tells {first} from {second}")
            return
        most = None if everything else _enough(terms, SHOWN, total(explained.contrast))
        late = explained.progress
        weights = f"progress {late:.2f}, so early weights count {1 - late:.2f} and late ones {late:.2f}"
        blend = f": {'each rule has one weight' if rules.flat else weights}" if everything else ""
        rows = [
            {
                "rule": term.rule.key,
                "early": f"{term.early:g}",
                "late": f"{term.late:g}",
                "now": f"{term.weight:.3f}",
                f"on {first}": _value(term.values[0], term.shares[0]),
                f"on {second}": _value(term.values[1], term.shares[1]),
                "adds": f"{term.amount:+.3f}",
                "meaning": term.rule.meaning,
            }
            if everything
            else {
                "": "for" if term.amount > 0 else "against",
                "adds": f"{term.amount:+.3f}",
                "rule": term.rule.key,
                "meaning": words_of(term, "it", second_deed),
            }
            for term in terms[:most]
        ]
        show(table_of(rows, "", "rule", "meaning"), f"why {first} and not {second}{blend}")
        if rest := terms[most:] if most else ():
            say(f"and {counted(len(rest), 'more reason')}: {total(rest):+.3f}")
        say(f"together: {total(terms):+.3f}")

    def sentence(self) -> str:
        """The reason in a sentence."""
        said = main_reason(self.explained, self.position, self.names, "it")
        if self.asked or self.explained.against is None:
            return said
        return slip(deeds_of(self.position, [self.explained.chosen], self.names)[0], said)


Reasons = RolloutReasons | RuleReasons


def _enough(terms: Sequence[Term], least: int, lead: float) -> int:
    """How many of the leading terms to show, at most three times the `least`.

    Together they speak for the move, and weigh more than all others, which make up the rest of the `lead`.
    """
    sums = list(itertools.accumulate(term.amount for term in terms[: 3 * least]))
    return next((n for n, so_far in enumerate(sums, 1) if n >= least and so_far > abs(lead - so_far)), len(sums))


def _value(value: float, share: float) -> str:
    """The value of a rule for a move, and the factor of its group for moves of that kind: `0.5 x -1`."""
    return f"{round(value, 3):g}{f' x {share:g}' * (share != 1)}" if share else "-"
