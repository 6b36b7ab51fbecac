"""A ladder file is read as it was written, or refused with the place of what is wrong."""

from __future__ import annotations

import contextlib
import itertools
from dataclasses import replace
from pathlib import Path

import pytest
from checkout import CHECKOUT

from rulebots.errors import UsageError
from rulebots.files.plain_yaml import Map, Node, parse
from rulebots.packages import load_game
from rulebots.players import RandomPlayer
from rulebots.tournaments import ladder
from rulebots.tournaments.ladder import (
    MOST_MEETINGS,
    MOST_NODES,
    REMEDY,
    Ladder,
    LadderError,
    check_room,
    ladder_of,
    ladder_text,
    load_ladder,
    parse_ladder,
)
from rulebots.tournaments.tournament import play_tournament

GOOD = """\
format: rulebots-ladder/1
game: lost-cities
law: 0f907fa9500d57e1
versions: {python: 3.11.7, numpy: '2.0'}
settings: {system: swiss, rounds: 2, deals: 2, seed: 51, options: {suits: 5}, opening_plies: 0}
players:
  a: {player: shelly, content: 1e5}
  b: {player: risk, content: '0123'}
ratings: {}
meetings:
- [a, b, 1, 2, 3, 0]
"""


def refused(text: str) -> str:
    with pytest.raises(LadderError) as error:
        parse_ladder(text, "l")
    message = str(error.value)
    assert message.startswith("l:")
    assert message.endswith(f"; {REMEDY}")
    assert "\n" not in message
    return message.removeprefix("l:").removesuffix(f"; {REMEDY}")


def test_all_of_a_ladder_is_read() -> None:
    assert parse_ladder(GOOD) == Ladder(
        game="lost-cities",
        law="0f907fa9500d57e1",
        versions={"python": "3.11.7", "numpy": "2.0"},
        settings={
            "system": "swiss", "rounds": 2, "deals": 2, "seed": 51, "options": {"suits": 5}, "opening_plies": 0,
        },
        players={"a": {"player": "shelly", "content": "1e5"}, "b": {"player": "risk", "content": "0123"}},
        meetings=[["a", "b", 1, 2, 3, 0]],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("deals: 2", "deals: 2001-01-01", "5:45: expected a whole number from 1 to 1,000,000, not '2001-01-01'"),
        ("deals: 2", "deals: 0x_", "5:45: expected a whole number from 1 to 1,000,000, not '0x_'"),
        ("deals: 2", "deals: !!float abc", "5:45: 'tag:yaml.org,2002:float' is a tag, which is not read here: "),
        ("deals: 2", f"deals: {'9' * 5000}", f"5:45: expected a whole number from 1 to 1,000,000, not '{'9' * 57}...'"),
        ("deals: 2", "deals: !!bool foo", "5:45: 'tag:yaml.org,2002:bool' is a tag, which is not read here: "),
        ("deals: 2", "deals: true", "5:45: expected a whole number from 1 to 1,000,000, not 'true'"),
        ("deals: 2", "deals: 0", "5:45: expected a whole number from 1 to 1,000,000, not '0'"),
        ("deals: 2", "deals: '2'", "5:45: expected a whole number from 1 to 1,000,000, not the text '2'"),
        ("1, 2, 3, 0", "1, .inf, 3, 0", "11:13: expected a whole number from 0 to 1,000,000,000, not '.inf'"),
        ("1, 2, 3, 0", "1, -2, 3, 0", "11:13: expected a whole number from 0 to 1,000,000,000, not '-2'"),
        ("1, 2, 3, 0", "1, 2, 3", "11:3: expected [first, second, wins, draws, losses, stalled], not a list of 5"),
        ("[a, b, 1", "[a, c, 1", "11:7: no player 'c'; there are: a, b"),
        ("system: swiss", "system: cup", "5:20: no system 'cup'; there are: round-robin, swiss, gauntlet"),
        ("options: {suits: 5}", "options: 3", "5:67: expected options by name, not '3'"),
        ("suits: 5", "suits: 9", "5:67: option 'suits' of lost-cities takes a whole number from 5 to 6, not 9"),
        ("suits: 5", "suit: 5", "5:67: no option 'suit' of lost-cities; did you mean 'suits'?"),
        ("game: lost-cities", "game: lost", "2:7: no game 'lost'"),
        (
            "law: ",
            "lore: ",
            "1:1: expected the key 'law', which is missing; write for example ",
        ),
        ("game: ", "gaem: ", "2:1: no key 'gaem' of a ladder; did you mean 'game'?"),
        ("versions: ", "version: ", "4:1: no key 'version' of a ladder; did you mean 'versions'?"),
        ("settings: ", "setings: ", "5:1: no key 'setings' of a ladder; did you mean 'settings'?"),
        ("players:", "palyers:", "6:1: no key 'palyers' of a ladder; did you mean 'players'?"),
        ("meetings:", "meeting:", "10:1: no key 'meeting' of a ladder; did you mean 'meetings'?"),
        ("ratings: {}", "ratings: {a: {elo: .nan}}", "9:20: expected a whole number from -1,000,000 to 1,000,000"),
        ("ratings: {}", "ratings: {a: {elo_95: [9, 2]}}", "9:10: the interval of 'a': expected the lower end first"),
        ("ratings: {}", "ratings: {a: {elo_95: [9]}}", "9:23: expected [low, high], not a list of 1"),
        ("ratings: {}", "ratings: {a: {elos: 2}}", "9:15: no key 'elos' of a rating; did you mean 'elo'?"),
        ("ratings: {}", "ratings: {c: {elo: 2}}", "9:10: a rating of 'c', which is not one of the players"),
        ("[a, b, 1", "[a, a, 1", "11:1: a player meets itself"),
        ("deals: 2", "deal: 2", "5:38: no key 'deal' of the settings; did you mean 'deals'?"),
        ("seed: 51", "sede: 51", "5:48: no key 'sede' of the settings; did you mean 'seed'?"),
        ("options: {", "option: {", "5:58: no key 'option' of the settings; did you mean 'options'?"),
        ("players:\n", "players:\nplayers:\n", "7:1: 'players' is there twice, first on line 6; remove one of them"),
        ("settings: ", "settings:\nsettings: ", "6:1: 'settings' is there twice, first on line 5; remove one of them"),
        ("options: {", "options: , options: {", "5:69: 'options' is there twice, first on line 5"),
        (
            "law: 0f907fa9500d57e1\n",
            "",
            "1:1: expected the key 'law', which is missing; write for example 'law: 0f907fa9500d57e1c4b2a630'",
        ),
        ("law: 0f907fa9500d57e1", "law:", "3:5: expected a hash, not an empty value"),
        ("law: ", "game: x\nlaw: ", "3:1: 'game' is there twice"),
        ("  b: ", "  a: ", "8:3: 'a' is there twice"),
        ("{player: shelly, content: 1e5}", "1", "7:6: expected {player: NAME, content: HASH}, not '1'"),
        ("- [a, b, 1, 2, 3, 0]", "- 1", "11:3: expected [first, second, wins, draws, losses, stalled], not '1'"),
        ("ladder/1", "ladder/2", "1:9: expected the format 'rulebots-ladder/1', not 'rulebots-ladder/2'"),
        (GOOD, "[1]", "1:1: expected a ladder, which begins with 'format: rulebots-ladder/1', not a list of 1"),
        (GOOD, "", "1:1: the file is empty: expected a ladder"),
        (GOOD, "a: &a [x, x]\nb: [*a, *a]\n", "1:4: anchors and aliases (&a) are not read: write the values out"),
    ],
)
def test_what_is_wrong_has_its_place(old: str, new: str, message: str) -> None:
    assert old in GOOD
    assert refused(GOOD.replace(old, new, 1)).startswith(message)


def test_a_pair_meets_again_in_a_swiss_tournament_only() -> None:
    again = f"{GOOD}- [b, a, 1, 2, 3, 0]\n"
    assert len(parse_ladder(again).meetings) == 2
    for system in ("round-robin", "gauntlet"):
        assert refused(again.replace("swiss", system)) == "11:1: two players meet twice"


def test_unknown_ends_of_an_interval_are_read() -> None:
    ratings = parse_ladder(GOOD.replace("{}\nm", "{a: {elo: 3, elo_95: [null, null]}}\nm")).ratings
    assert ratings == {"a": {"elo": 3, "elo_95": [None, None]}}


@pytest.mark.parametrize(
    "text",
    [
        GOOD + "- [a, b, 1, 2, 3, 0]\n" * 150,
        GOOD.replace("ratings: {}", f"ratings: [{'[],' * 1000}]"),
        GOOD.replace("  b:", "".join(f"  p{i}: {{player: x, content: y}}\n" for i in range(200)) + "  b:"),
    ],
)
def test_more_keys_and_values_than_a_tournament_writes_are_refused(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder, "MOST_NODES", 1000)
    assert "more than 1,000 keys and values up to here" in refused(text)


@pytest.mark.slow
def test_the_ladder_of_hundreds_of_players_is_read() -> None:
    names = [f"player_{number}" for number in range(320)]
    meetings = [[first, second, 700, 600, 700, 0] for first, second in itertools.combinations(names, 2)]
    players = {name: {"player": f"population.yaml#{name}", "content": "0deb03c9758966eed19f02b7"} for name in names}
    ratings = {name: {"elo": 12, "elo_95": [-3, 27], "faults": 1, "first_fault": "late"} for name in names}
    written = replace(parse_ladder(GOOD), players=players, meetings=meetings, ratings=ratings)
    assert parse_ladder(ladder_text(written)) == written


def test_a_file_of_the_most_meetings_is_within_the_limits() -> None:
    line = nodes_of(parse("- [population.yaml#player_1, population.yaml#player_2, 1000, 0, 1000, 0]\n"))
    player = "{player: p, content: c}, elo: {elo: 1, elo_95: [1, 2], distinct_deals: 1, share: 1, place: 1, points: 1}"
    each = nodes_of(parse(f"{{p: {player}, q: {{faults: 1, first_fault: late}}}}"))
    assert line - 1 == 7
    assert each <= 30
    # A Swiss tournament of so many players has fourteen rounds, each with a line for every two of them.
    assert 7 * MOST_MEETINGS + 30 * MOST_MEETINGS // 7 <= MOST_NODES


def nodes_of(node: Node) -> int:
    """The keys and values of a tree."""
    inner = itertools.chain.from_iterable(node.entries) if isinstance(node, Map) else getattr(node, "items", ())
    return 1 + sum(map(nodes_of, inner))


@pytest.mark.parametrize(
    ("count", "settings", "fits"),
    [
        (447, {}, True),
        (448, {}, False),
        (14_000, {"system": "swiss", "rounds": 14}, True),
        (15_000, {"system": "swiss", "rounds": 14}, False),
        (MOST_MEETINGS + 1, {"system": "gauntlet"}, False),
    ],
)
def test_a_tournament_whose_ladder_would_be_too_large_is_refused_beforehand(
    count: int, settings: dict[str, object], fits: bool
) -> None:
    players = [RandomPlayer(load_game("tictactoe"))] * count
    settings = {"system": "round-robin", "rounds": None, "seed": 1, "options": {}, **settings}
    with contextlib.nullcontext() if fits else pytest.raises(UsageError, match="a ladder file holds 100,000 meetings"):
        check_room(players, ["random"] * count, settings)
    with pytest.raises(UsageError, match="fewer if names are long"):
        check_room(players, ["n" * 20_000_000] * count, settings)


@pytest.mark.parametrize(
    "name", ["n" * 130, "n" * 1025, "a: b", "- [x]", "\udcff", "a\nb", "\u2028", "1e5", "null"], ids=ascii
)
def test_a_written_ladder_is_read_whatever_its_players_are_called(name: str) -> None:
    game = load_game("tictactoe")
    players = [RandomPlayer(game), RandomPlayer(game)]
    players[0].name = name
    settings = {"system": "round-robin", "rounds": None, "deals": 1, "seed": 1, "options": {}, "opening_plies": None}
    played = play_tournament(players, deals=1)
    written = ladder_of(played, [name, "random"], ["1e5", "0"], settings)
    text = ladder_text(written)
    again = parse_ladder(text)
    assert [entry["content"] for entry in again.players.values()] == ["1e5", "0"]
    if name != "\udcff":
        assert (again.players, again.meetings) == (written.players, written.meetings)


@pytest.mark.parametrize("path", sorted((CHECKOUT / "docs").rglob("*ladder/*.yaml")), ids=lambda path: path.name)
def test_ladders_of_the_docs_are_read(path: Path) -> None:
    assert len(load_ladder(path).players) >= 2


def test_only_regular_files_are_read(tmp_path: Path) -> None:
    with pytest.raises(LadderError, match="expected a ladder, not a folder"):
        load_ladder(tmp_path)
