"""`champion` is the player that was bred for the table, in every game and by every way to name it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from checkout import POPULATIONS

from rulebots.cli import commands
from rulebots.cli.app import load_commands, run_app
from rulebots.cli.commands import app, match
from rulebots.cli.lookup import players_of
from rulebots.game.position import Position
from rulebots.packages import game_names, load_game
from rulebots.packages.players import entry_of, file_of, make_player, shipped_files
from rulebots.packages.population import load_population
from rulebots.players import RulePlayer
from rulebots.tournaments.ladder import contestants, load_ladder
from rulebots.web.served_folder import ServedFolder

load_commands(commands)
GAME = load_game("cant-stop")
FOUR = "champion_4"
LADDER = """
format: rulebots-ladder/1
game: cant-stop
law: "0"
seats: 4
versions: {python: "3", rulebots: "0", numpy: "2", numba: "0"}
settings: {system: round-robin, rounds: null, deals: 1, seed: 1, options: {seats: 4}, opening_plies: 0}
plies: 1
players: {champion: {player: champion, content: "0"}, random: {player: random, content: "0"}}
ratings: {}
meetings: []
"""


def weights_of(player: Any) -> npt.NDArray[np.float64]:
    """The weights of a rule player, or of the one by which a player is careless or searches."""
    if not isinstance(player, RulePlayer):
        parts = [*vars(player).values(), *getattr(player, "_arguments", ())]
        player = next(part for part in parts if isinstance(part, RulePlayer))
    return np.asarray(player.weights)


@pytest.mark.parametrize("name", game_names())
def test_champion_is_the_file_that_was_bred_for_the_table(name: str) -> None:
    game = load_game(name)
    bred = {}
    for file in (POPULATIONS / name.replace("-", "_")).glob("champion*.yaml"):
        bred[game.seats_with(load_population(file).bred.get("options", {}))] = file
    assert shipped_files(game)["champion"] == bred[game.seats_with({})]
    for seats, file in bred.items():
        assert shipped_files(game, seats)["champion"] == file
        assert file_of("champion", name, seats) == (str(file), None)
        best = next(iter(load_population(file).players.values())).weights
        assert np.array_equal(weights_of(make_player("champion", game, seats)), best)
        assert np.array_equal(entry_of("champion", name, seats)[2].weights, best)


def test_a_table_for_which_nobody_was_bred_has_the_usual_champion() -> None:
    assert shipped_files(GAME, 3)["champion"] == shipped_files(GAME)["champion"]
    assert shipped_files(GAME, 4)["champion"] == shipped_files(GAME, 2)[FOUR] != shipped_files(GAME)["champion"]


@pytest.mark.parametrize("spec", ["champion", "careless:player=champion", "level:expert", "rollout:simulations=9",
                                  "rollout:simulations=9,guide=champion", "mcts:power=1,guide=champion"])  # fmt: skip
def test_names_that_are_made_of_a_champion_are_so_too(spec: str) -> None:
    champion, of_four = (weights_of(make_player(name, GAME)) for name in ("champion", FOUR))
    assert np.array_equal(weights_of(make_player(spec, GAME)), champion)
    assert np.array_equal(weights_of(make_player(spec, GAME, 4)), of_four)


def test_commands_and_the_page_name_the_champion_of_their_table(tmp_path: Path) -> None:
    of_four = weights_of(make_player(FOUR, GAME))
    _, (player,), _ = players_of(["champion"], "cant-stop", (), {"seats": 4})
    assert np.array_equal(weights_of(player), of_four)
    assert np.array_equal(weights_of(ServedFolder(tmp_path).player("champion", GAME, 4)), of_four)
    ladder = tmp_path / "ladder.yaml"
    ladder.write_text(LADDER)
    (player, _), _ = contestants(load_ladder(ladder), ladder)
    assert np.array_equal(weights_of(player), of_four)


@pytest.mark.parametrize("words", [("--option", "seats=4"), ()], ids=["four", "usual"])
def test_why_explains_the_champion_of_the_table(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    position = Position(GAME, {"seats": 4} if words else {})
    position.play(position.drawn(5))
    explained = {}
    for name in ("champion", FOUR):
        assert (
            run_app(
                app,
                "rulebots",
                ("why", name, "--game", "cant-stop", *words, "--position", position.to_text(), "--json"),
            )
            == 0
        )
        explained[name] = json.loads(capsys.readouterr().out)["moves"]
    assert (explained["champion"] == explained[FOUR]) is bool(words)


def test_players_at_one_table_set_its_seats(monkeypatch: pytest.MonkeyPatch) -> None:
    met = []
    monkeypatch.setattr(match, "_play_table", lambda players, *_: met.extend(players))
    monkeypatch.setattr(match, "_report_table", lambda *_: None)
    assert run_app(app, "rulebots", ("match", "champion", "standard", "random", "bold", "--game", "cant-stop")) == 0
    assert np.array_equal(weights_of(met[0]), weights_of(make_player(FOUR, GAME)))
