"""Everyone who plays, by a name that stands in the tests' ids: built-in players, and rule sets that none of them is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulebots.game import Game, Moves, View
from rulebots.packages import game_names, load_game, package_of
from rulebots.packages.rule_sets import load_rules, rule_sets_of
from rulebots.players import Player, RandomPlayer, RulePlayer

#: What a player in Python does when it is asked.
Choose = Callable[[Any, Moves], Any]


def contender_names() -> list[tuple[str, str]]:
    """(game, contender) for every game found."""
    return [(name, who) for name in game_names() for who in contenders_of(load_game(name))]


def contenders_of(game: Game) -> list[str]:
    own = [contender(game, name) for name in package_of(game).players]
    by_hand = [player.rules for player in own if isinstance(player, RulePlayer) and is_hand_tuned(player)]
    return [
        *package_of(game).players,
        "random",
        *(f"rules {name}" for name, r in rule_sets_of(game).items() if r not in by_hand),
    ]


def is_hand_tuned(player: RulePlayer) -> bool:
    return bool((player.weights == player.rules.hand_tuned()).all())


def contender(game: Game, who: str) -> Player:
    if who == "random":
        return RandomPlayer(game)
    if who.startswith("rules "):
        rules = load_rules(who.removeprefix("rules "), game)
        return RulePlayer(rules, rules.hand_tuned(), who)
    player: Player = package_of(game).players[who]()
    return player


class Asked(Player):
    """A player that is asked move by move in Python, though it is compiled inside."""

    def __init__(self, inner: Player) -> None:
        super().__init__(inner.game, f"asked {inner.name}")
        self.inner = inner

    def choose(self, view: View, moves: Moves) -> int:
        return self.inner.choose(view, moves)


class Scripted(Player):
    """A player in Python that does what it is given to do, legal or not."""

    def __init__(self, game: Game, choose: Choose, name: str = "scripted") -> None:
        super().__init__(game, name)
        self.script = choose

    def choose(self, seen: Any, moves: Moves) -> int:
        answer: int = self.script(seen, moves)
        return answer
