"""The players of the seed decide as their Ruby does."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from naive_kalah_players import APessimistic, DeepScore, RemoveHigh, Ruby, Score
from recorded import Record, recorded

from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.games.kalah.players import choose_unpruned
from rulebots.kernel import compiling
from rulebots.packages import load_game, package_of
from rulebots.play.deals import draw_deals
from rulebots.players import KernelPlayer

ORACLES: dict[str, type[Ruby]] = {
    "remove-high": RemoveHigh,
    "score": Score,
    "deep-score": DeepScore,
    "apessimistic": APessimistic,
}
#: Small boards, where the oracle's look-ahead does not take long, and one with more than a lap of stones.
BOARDS = [{"pits": 3, "stones": 3}, {"pits": 4, "stones": 2, "empty_capture": 0}, {"pits": 2, "stones": 9}]
#: One that is wider than the original's.
WIDE = {"pits": 10, "stones": 1}


@pytest.fixture(scope="module")
def kalah() -> Game:
    return load_game("kalah")


def asked(record: Record, every: int) -> Iterator[Position]:
    """Positions of a game, each with another random state."""
    luck = 1
    for ply in range(0, record.plies, every):
        position = record.position(ply)
        position.luck = [luck, luck]
        luck = position.random_state
        yield position


def turned(position: Position) -> list[int]:
    state = position.state
    cells, first = 2 * int(state.pits) + 2, int(state.mover) * (int(state.pits) + 1)
    return [int(state.board[(first + cell) % cells]) for cell in range(cells)]


@pytest.mark.parametrize("who", ORACLES)
@pytest.mark.parametrize("options", BOARDS, ids=str)
def test_the_oracle_decides_alike(kalah: Game, who: str, options: dict[str, int]) -> None:
    games = 25 if compiling() else 2
    deals, player = draw_deals(kalah, games, 1, options=options), package_of(kalah).players[who]()
    for number in range(games):
        for position in asked(recorded(deals, number), 3):
            oracle = ORACLES[who](options["pits"])
            expected = oracle.get_move(turned(position), position.random_state)  # type: ignore[attr-defined]
            assert player.decide(position) == expected, turned(position)


@pytest.mark.parametrize("who", ORACLES)
def test_the_oracle_decides_alike_on_a_wide_board(kalah: Game, who: str) -> None:
    player = package_of(kalah).players[who]()
    for position in asked(recorded(draw_deals(kalah, 1, 1, options=WIDE), 0), 4):
        expected = ORACLES[who](WIDE["pits"]).get_move(turned(position), position.random_state)  # type: ignore[attr-defined]
        assert player.decide(position) == expected, turned(position)


def test_pruning_changes_no_decision(kalah: Game) -> None:
    options = {} if compiling() else {"pits": 4, "stones": 3}
    pruned, unpruned = package_of(kalah).players["apessimistic"](), KernelPlayer(kalah, choose_unpruned, "unpruned")
    for position in asked(recorded(draw_deals(kalah, 1, 2, options=options), 0), 5):
        assert pruned.decide(position) == unpruned.decide(position), turned(position)
