"""Any player is named the same way everywhere."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from checkout import POPULATIONS
from population_texts import GOOD, SHELLY, SHEPPARD, weights_of

from rulebots.errors import UsageError
from rulebots.packages import GamePackage, games, load_game, players as roster
from rulebots.packages.players import (
    BredPlayer,
    bring_code,
    entry_of,
    file_in,
    file_of,
    make_player,
    player_names,
    shipped_files,
    split_spec,
)
from rulebots.packages.population import (
    Entry,
    Population,
    load_population,
    population_text,
)
from rulebots.packages.rule_sets import load_rules
from rulebots.players import CompiledPlayer, RandomPlayer

GAME = load_game("lost-cities")


@pytest.fixture
def pair(tmp_path):
    path = tmp_path / "pair.yaml"
    players = {"one": Entry(SHELLY.hand_tuned()), "two": Entry(2 * SHELLY.hand_tuned())}
    path.write_text(population_text(Population(GAME, SHELLY, players)))
    return path


def test_every_name_makes_a_player():
    names = player_names(GAME)
    assert {"shelly", "sheppard", "risk", "dumb", "discard", "random"} <= set(names)
    assert len(names) == len(set(names))
    for name in names:
        player = make_player(name, GAME)
        assert player.game is GAME
        assert player.name == name
    assert isinstance(make_player("random", GAME), RandomPlayer)


def test_shipped_files_are_found_in_a_checkout_and_in_a_package(tmp_path, monkeypatch):
    assert {"shelly", "sheppard"} <= set(shipped_files(GAME))
    folder = tmp_path / "rulebots" / "populations" / "lost_cities"
    folder.mkdir(parents=True)
    (folder / "star.yaml").write_text(
        population_text(Population(GAME, SHELLY, {"a": Entry(SHELLY.hand_tuned()), "b": Entry(SHELLY.hand_tuned())}))
    )
    monkeypatch.setattr(roster, "_PACKAGE", tmp_path / "rulebots")
    assert player_names(GAME)[-1] == "star"
    assert make_player("star", GAME).name == "star"
    assert make_player("star#b", GAME).name == "star#b"
    monkeypatch.setattr(roster, "_PACKAGE", tmp_path / "nowhere")
    assert shipped_files(GAME) == {}


def test_a_path_and_a_player_in_it(pair, monkeypatch):
    first, second = make_player(str(pair), GAME), make_player(f"{pair}#two", GAME)
    assert isinstance(first, CompiledPlayer)
    assert isinstance(second, CompiledPlayer)
    np.testing.assert_array_equal(2 * first.weights, second.weights)
    assert second.name == f"{pair}#two"
    monkeypatch.chdir(pair.parent)
    Path("data2").write_bytes(pair.read_bytes())
    assert make_player("data2#two", GAME).name == "data2#two"


def test_an_unknown_name_is_one_line_with_the_nearest():
    with pytest.raises(UsageError) as error:
        make_player("shely", GAME)
    assert str(error.value) == (
        "no player 'shely' of lost-cities; did you mean 'shelly'? All: rulebots players lost-cities"
    )
    with pytest.raises(UsageError, match=r"^no player 'zzz' of lost-cities\. A player is one of"):
        make_player("zzz", GAME)
    with pytest.raises(UsageError, match=r"; did you mean the game 'kalah'\? Name it first, or as --game kalah$"):
        make_player("kalha", GAME)


def test_files_that_do_not_help(pair, tmp_path, monkeypatch):
    with pytest.raises(UsageError, match=r"pair\.yaml: no player 'three'; there are: one, two$"):
        make_player(f"{pair}#three", GAME)
    with pytest.raises(UsageError, match=r"none\.yaml: there is no such file$"):
        make_player(str(tmp_path / "none.yaml"), GAME)
    other = replace(GAME, name="other")
    monkeypatch.setitem(games._of_game, other, GamePackage(__name__, other))
    with pytest.raises(UsageError, match=r"pair\.yaml: expected players of other, not of lost-cities$"):
        make_player(str(pair), other)


def test_where_a_file_is_needed_a_shipped_name_is_one(tmp_path: Path) -> None:
    assert file_of("champion") == (str(shipped_files(GAME)["champion"]), None)
    assert file_of("shelly#hand") == (str(shipped_files(GAME)["shelly"]), "hand")
    assert file_of(str(tmp_path / "own.yaml#mine")) == (str(tmp_path / "own.yaml"), "mine")


def test_a_name_that_several_games_ship_is_the_one_of_the_game_that_is_meant() -> None:
    assert {entry_of("champion", name)[0].game.name for name in ("kalah", "circles")} == {"kalah", "circles"}
    path = str(shipped_files(load_game("kalah"))["champion"])
    with pytest.raises(UsageError, match=r"champion.yaml: expected players of circles, not of kalah"):
        entry_of(path, "circles")
    with pytest.raises(UsageError, match="no game 'kalha'; did you mean 'kalah'"):
        entry_of("champion", "kalha")


def test_a_player_without_a_file_is_no_mistyped_path() -> None:
    shipped = r"expected path\.yaml, path\.yaml#player, or a shipped file \(champion, hand_tuned\)"
    with pytest.raises(UsageError, match=f"^'standard' is a player without a file: {shipped}$"):
        entry_of("standard", "kalah")
    with pytest.raises(UsageError, match=rf"^'champio' is not a file: {shipped}; did you mean 'champion'\?$"):
        entry_of("champio", "kalah")


def test_bred_player_is_the_first_or_the_named_one(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text(GOOD + "  se#cond: {weights: {play: {low_card: 3}}}\n")
    assert BredPlayer(path).name == "champion"
    second = BredPlayer(f"{path}#se#cond")
    assert second.name == "se#cond"
    assert second.weights[0, SHELLY.columns["play.low_card"]] == 3
    with pytest.raises(UsageError, match=r"a\.yaml: no player 'champ'; did you mean 'champion'\?$"):
        BredPlayer(f"{path}#champ")


def test_a_spec_is_a_path_and_perhaps_a_player(tmp_path):
    odd = tmp_path / "odd#name.yaml"
    odd.write_text(GOOD)
    assert split_spec(str(odd)) == (str(odd), None)
    assert split_spec(f"{odd}#b") == (str(odd), "b")
    assert split_spec("data2#x") == ("data2", "x")
    assert split_spec("a.yml#x.yaml") == ("a.yml", "x.yaml")


def test_a_player_of_a_game_that_has_the_name_of_a_level_is_meant(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not isinstance(make_player("club", GAME), BredPlayer)
    monkeypatch.setattr(roster, "shipped_files", lambda *_: {"club": POPULATIONS / "lost_cities" / "shelly.yaml"})
    assert isinstance(make_player("club", GAME), BredPlayer)
    assert not isinstance(make_player("level:club", GAME), BredPlayer)


@pytest.mark.parametrize(("name", "rules"), [("shelly", SHELLY), ("sheppard", SHEPPARD)])
def test_the_shipped_files_hold_the_hand_tuned_weights(name, rules):
    path = POPULATIONS / "lost_cities" / f"{name}.yaml"
    population = load_population(path)
    assert population.comment
    assert list(population.players) == ["hand"]
    np.testing.assert_array_equal(weights_of(path, rules), rules.hand_tuned())


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("mine.txt", ("mine.txt", None)),
        ("MINE.YAML#two", ("MINE.YAML", "two")),
        ("nowhere.YML", ("nowhere.YML", None)),
        ("folder/mine", ("folder/mine", None)),
        ("champion", None),
        ("mcts:seconds=0.5", None),
        ("pimc:worlds=0.5", None),
        ("program:./mine.txt", None),
        ("folder/mine.py:H4:depth=3", None),
    ],
)
def test_a_name_clearly_means_a_file(tmp_path, monkeypatch, name, file):
    monkeypatch.chdir(tmp_path)
    for there in ("mine.txt", "MINE.YAML", "champion"):
        Path(there).touch()
    assert file_in(name) == file


def test_whose_file_it_is(tmp_path):
    path = tmp_path / "perudo.yaml"
    path.write_text(GOOD.replace("game: lost-cities", "game: perudo"))
    with pytest.raises(UsageError, match=r"these are players of 'perudo': no game 'perudo'; there are: .*--game PLACE"):
        make_player(str(path), load_game("kalah"))


@pytest.mark.parametrize("kind", ["code", "player", "rules"])
def test_a_game_is_named_by_its_own_flag(tmp_path, kind):
    name = f"{tmp_path}/nimmt.py:game"
    (tmp_path / "nimmt.py").write_text("from rulebots.packages import load_game\ngame = load_game('kalah')\n")
    with pytest.raises(UsageError, match=r"nimmt.py:2: expected a .* it is of type Game: name it by --game .*nimmt"):
        bring_code(kind, name)


def test_a_rule_set_in_place_of_a_game_is_named_by_its_flag(tmp_path):
    name = f"{tmp_path}/few.py:mine"
    (tmp_path / "few.py").write_text(
        "from rulebots import load_game, load_rules\nmine = load_rules('standard', load_game('kalah'))\n"
    )
    with pytest.raises(UsageError, match=r"of type RuleSet: name it by GAME --rules .*few.py:mine"):
        load_game(name)


@pytest.mark.parametrize(
    ("bred", "options"),
    [
        (None, {}),
        ({"options": {"suits": 6}}, {"suits": 6}),
        ({"options": {"suits": 99}}, {}),
        ({"options": {"seats": 4}}, {}),
        ({"options": [1]}, {}),
        ({"options": "suits"}, {}),
    ],
)
def test_a_file_knows_the_options_that_it_was_bred_for(bred, options):
    assert Population(GAME, SHELLY, {}, bred).options == options


def test_a_file_is_read_once_for_all_of_its_players(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reads = list[str]()

    def counted(path: str, *arguments: Any, **more: Any) -> Population:
        reads.append(path)
        return load_population(path, *arguments, **more)

    monkeypatch.setattr("rulebots.packages.players.load_population", counted)
    game = load_game("tictactoe")
    rules = load_rules(None, game)
    entries = {f"p{number}": Entry(np.full((2, len(rules.rules)), float(number))) for number in range(5)}
    file = tmp_path / "many.yaml"
    file.write_text(population_text(Population(game, rules, entries)), encoding="utf-8")
    players = [make_player(f"{file}#{name}", game) for name in entries]
    assert [float(player.weights[0, 0]) for player in players] == [0, 1, 2, 3, 4]
    assert len(reads) == 1
    file.write_text(file.read_text(encoding="utf-8").replace(": 4", ": 7"), encoding="utf-8")
    assert float(make_player(f"{file}#p4", game).weights[0, 0]) == 7
    assert len(reads) == 2
