"""Tests that your package inherits: pytest finds them in a class whose name begins with `Test`.

    from rulebots.checking.testing import GameTests

    class TestNim(GameTests):
        game = "nim"

Each test is one concern of `rulebots check`, and fails with its lines.
"""

from collections.abc import Callable, Mapping
from typing import ClassVar

from rulebots.checking.findings import Findings
from rulebots.checking.law import check_deals, check_functions, check_games, perft
from rulebots.checking.players import check_compiled, check_player, check_rules
from rulebots.checking.text import check_text
from rulebots.checking.views import check_observation
from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.packages import load_game, package_of
from rulebots.packages.players import make_player
from rulebots.packages.rule_sets import rule_sets_of
from rulebots.players import RandomPlayer


class _OfAGame:
    """What all of these tests have: a game, by name or as it is."""

    #: The game, by its name or as a `Game`.
    game: ClassVar[str | Game]
    #: How many random games are played.
    games: ClassVar[int] = 30

    def the_game(self) -> Game:
        """The game itself."""
        return load_game(self.game) if isinstance(self.game, str) else self.game


def _passes(check: Callable[..., Findings]) -> Callable[[_OfAGame], None]:
    """A test that a check finds nothing wrong with the game."""
    return lambda tests: none_of(check(tests.the_game()))


class GameTests(_OfAGame):
    """The law of a game, what it deals and shows, its text, its rule sets and its players."""

    #: Perft: {plies: sequences of that many moves}, from the first position of seed 1. Count them by hand.
    perft: ClassVar[Mapping[int, int]] = {}

    #: No outside chance, no memory, no helper without @kernel, nothing that Numba does not know.
    test_functions_hold_nothing_that_a_kernel_may_not = _passes(check_functions)
    #: And deal k does not depend on how many are drawn.
    test_deals_are_whole_numbers_in_rows = _passes(check_deals)
    #: All of it, and nothing hidden.
    test_views_show_what_the_mover_may_know = _passes(check_observation)
    #: And nonsense is refused.
    test_text_reads_back = _passes(check_text)
    #: Move for move.
    test_compiled_games_are_those_interpreted = _passes(lambda game: check_compiled(RandomPlayer(game).style))

    def test_random_games_keep_the_contract(self) -> None:
        """Moves, movers, kinds, items and points, at every call."""
        none_of(check_games(self.the_game(), self.games))

    def test_perft_counts(self) -> None:
        """The numbers of sequences of moves."""
        position = Position(self.the_game(), seed=1)
        counted = {plies: perft(position, plies) for plies in self.perft}
        assert counted == dict(self.perft), f"counted {counted}"

    def test_rule_sets(self) -> None:
        """Every rule of every rule set of the game."""
        for rules in rule_sets_of(self.the_game()).values():
            none_of(check_rules(rules, self.games))

    def test_players(self) -> None:
        """Every player of the game."""
        for name in package_of(self.the_game()).players:
            none_of(check_player(make_player(name, self.the_game())))


class PlayerTests(_OfAGame):
    """A player by name, such as "hand", a population file, or any other name that commands take."""

    #: The player's name.
    player: ClassVar[str]

    def test_player_gives_legal_moves_and_the_same_again(self) -> None:
        """In random positions."""
        none_of(check_player(make_player(self.player, self.the_game())))


def none_of(findings: Findings) -> None:
    """Fail with the findings, if any is more than a note."""
    assert not findings.mistakes, "\n" + "\n".join(map(str, findings))
