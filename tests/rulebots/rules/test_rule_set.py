"""Rules and facts that Numba cannot compile run interpreted, and are named; rules that give no number are refused."""

from __future__ import annotations

import warnings
import zlib

import numpy as np
import pytest

from rulebots.errors import UsageError
from rulebots.game import Game, Moves, View
from rulebots.game.dtypes import widened
from rulebots.games.tictactoe.rules import block, win
from rulebots.kernel import interpreted, kernel
from rulebots.packages import load_game
from rulebots.packages.players import make_player
from rulebots.packages.rule_sets import load_rules
from rulebots.play.deals import draw_deals, mirrored
from rulebots.play.loop import compiled_advance
from rulebots.play.match import play_games
from rulebots.players import Player, RulePlayer, style_of
from rulebots.rules import Rule, RuleSet, rule

needs_numba = pytest.mark.compiled


@rule("put", early=0.5)
def in_words(view: View, point: int) -> bool:
    """It is one of some points, said in a way that Numba does not understand."""
    return f"{point % 10:03d}".startswith("000") or {"low": [1, 2]}["low"].count(point % 10) > 0


@rule("put", early=-0.25)
def in_luck(view: View, point: int) -> float:
    """It is a point whose checksum is high; a Python library."""
    return zlib.crc32(bytes([point])) % 7 / 7


@rule("put", early=0.5)
def plainly(view: View, point: int) -> bool:
    """The same as `in_words`, for Numba too."""
    return point % 10 <= 2


@pytest.fixture(scope="module")
def game() -> Game:
    return load_game("tictactoe")


def small_set(game: Game, *rules: Rule) -> RuleSet:
    usual = load_rules(game=game)
    return RuleSet("small", game, (win, block, *rules), fields=usual.fields, facts=usual.facts)


class Interpreted(Player):
    """A rule player whose whole decision is interpreted."""

    def __init__(self, inner: RulePlayer) -> None:
        super().__init__(inner.game, inner.name)
        self.inner = inner

    def choose(self, view: View, moves: Moves) -> int:
        style, weights = self.inner.style, self.inner.weights
        blended, scores = np.zeros(style.columns), np.zeros(len(moves))
        return int(style.choose(widened(view, style.record), moves, len(moves), weights, blended, scores))


@pytest.fixture(autouse=True)
def _nobody_was_warned() -> None:
    interpreted.cache_clear()


@needs_numba
def test_a_rule_that_numba_cannot_compile_runs_interpreted_with_one_warning(game: Game) -> None:
    rules = small_set(game, in_words)
    player, opponent = RulePlayer(rules, rules.hand_tuned()), make_player("random", game)
    deals = draw_deals(game, 3, 1)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        games = play_games([player, opponent], deals, mirrored(3))
        play_games([RulePlayer(rules, rules.hand_tuned()), opponent], deals, mirrored(3))
        compiled_advance(style_of(rules.extended("others", [])))
    ours = [w for w in caught if issubclass(w.category, RuntimeWarning)]
    assert len(ours) == 1, [str(w.message) for w in caught]
    start = f"{__name__}.in_words runs interpreted, which is slow: Numba cannot compile it ("
    assert str(ours[0].message).startswith(start)
    assert "\n" not in str(ours[0].message)
    assert len(str(ours[0].message).split("cannot compile it (")[1]) > 10
    called = play_games([Interpreted(player), opponent], deals, mirrored(3))
    assert games.points.tolist() == called.points.tolist()
    assert games.plies.tolist() == called.plies.tolist()
    same_rules = small_set(game, plainly)
    compiled = play_games([RulePlayer(same_rules, same_rules.hand_tuned()), opponent], deals, mirrored(3))
    assert games.points.tolist() == compiled.points.tolist()


@needs_numba
def test_there_is_no_other_warning(game: Game) -> None:
    rules = small_set(game, in_luck)
    player = RulePlayer(rules, rules.hand_tuned())
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        play_games([player, player], draw_deals(game, 1, 1), mirrored(1))
    assert len(caught) == 1, [str(w.message) for w in caught]


@needs_numba
def test_two_such_rules_give_a_warning_each(game: Game) -> None:
    rules = small_set(game, in_words, in_luck)
    player = RulePlayer(rules, rules.hand_tuned())
    with pytest.warns(RuntimeWarning, match="runs interpreted") as caught:
        play_games([player, player], draw_deals(game, 1, 1), mirrored(1))
    names = sorted(str(w.message).split()[0] for w in caught if w.category is RuntimeWarning)
    assert names == [f"{__name__}.in_luck", f"{__name__}.in_words"]


def forgets(view: View, point: int) -> float:  # type: ignore[return]  # its fault is the test's point
    """A rule whose return is missing."""
    view.left + point


@needs_numba
def test_a_rule_that_gives_no_number_is_named(game: Game) -> None:
    with pytest.raises(UsageError, match=r"rule 'put.forgets' gives none: expected a number or a bool"):
        compiled_advance(style_of(small_set(game, rule("put", early=1.0)(forgets))))


@needs_numba
def test_such_a_player_can_also_be_asked(game: Game) -> None:
    """`choose` works wherever the match loop does."""
    rules = small_set(game, in_words)
    player = RulePlayer(rules, rules.hand_tuned())
    deals = draw_deals(game, 1, 1)
    state, view, moves = game.new_state(), game.new_view(), np.zeros(game.move_count, np.int64)
    game.setup(state, deals.cards[0], deals.options)
    game.observe(state, view)
    legal = moves[: game.moves(state, moves)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert player.choose(view, legal) == Interpreted(player).choose(view, legal)


def test_a_rule_without_a_docstring_is_refused() -> None:
    with pytest.raises(ValueError, match="rule 'silent' needs a docstring"):

        @rule("play")
        def silent(view: View, point: int) -> bool:
            return True


@kernel
def facts_in_words(view: View) -> None:
    view.seven = len(b"a word".decode()) + 1  # beyond Numba


@needs_numba
def test_facts_that_numba_cannot_compile_are_named(game: Game) -> None:
    rules = RuleSet("odd", game, (rule("put", early=1.0)(sees_seven),), fields=[("seven", "i8")], facts=facts_in_words)
    player = RulePlayer(rules, rules.hand_tuned())
    with pytest.warns(RuntimeWarning) as caught:
        play_games([player, player], draw_deals(game, 1, 1), mirrored(1))
    assert [str(w.message).split(" runs interpreted")[0] for w in caught] == [f"{__name__}.facts_in_words"]


@kernel
def sees_seven(view: View, point: int) -> int:
    """As many as there are."""
    return view.seven


@kernel
def first_facts(view: View) -> None:
    """Facts of a set."""
    view.seen = 1
    view.written_last = 1


@kernel
def later_facts(view: View) -> None:
    """Facts of the set that extends it: they may read those of the first."""
    view.after = view.seen + 1
    view.written_last = 2


@kernel
def first_considered(view: View, item: int) -> None:
    """What a set works out for each item."""
    view.seen = 10 + item
    view.written_last = 1


@kernel
def later_considered(view: View, item: int) -> None:
    """What the set that extends it works out for each item."""
    view.after = view.seen + 1
    view.written_last = 2


def test_facts_of_an_extended_set_run_after_those_that_it_extends(game: Game) -> None:
    fields = [("seen", np.int64), ("written_last", np.int64)]
    rules = RuleSet("first", game, (win,), fields=fields, facts=first_facts, consider=first_considered)
    more = rules.extended("more", [block], [("after", np.int64)], later_facts, later_considered)
    assert [rule.key for rule in more.rules] == [win.key, block.key]
    assert more.facts is not None
    assert more.consider is not None
    view = np.zeros(1, [*fields, ("after", np.int64)]).view(np.recarray)[0]
    more.facts.function(view)
    assert (view.seen, view.after, view.written_last) == (1, 2, 2)
    more.consider.function(view, 5)
    assert (view.seen, view.after, view.written_last) == (15, 16, 2)
    assert rules.extended("same", []).facts is first_facts
