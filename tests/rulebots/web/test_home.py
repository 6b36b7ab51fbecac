"""The first page, rules of games, levels and switches, asked over HTTP."""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from game_copies import stranger
from page_client import Site, serving, settled

from rulebots.game import MOST_SEATS
from rulebots.game.position import Position
from rulebots.packages import game_names, load_game, package_of
from rulebots.packages.levels import LEVELS
from rulebots.packages.players import make_player
from rulebots.players import RulePlayer
from rulebots.records import PERSON
from rulebots.tournaments.ladder import load_ladder
from rulebots.web.home import FIRST_GAME, QUOTED_PLY, card_of, measured, one_begins


def test_the_first_page_opens_two_more_ways_and_shows_each_game(site: Site) -> None:
    page = site.get("/").text
    for address in ("/tune", "/runs/new"):
        assert page.index(f'<a href="{address}">') < page.index('id="games"'), "in sight without scrolling"
    for name in game_names():
        assert f'<a href="/new/{name}">' in page
        assert f'<a href="/rules/{name}">' in page
    assert len(re.findall(r"about \d+\smin", page)) == len(game_names()), "as long as the games of its levels were"
    assert page.count("<svg") == len(game_names()), "each picture is there with the page"
    shown = re.findall(r'<a href="/new/([\w-]+)">', page)
    assert shown[0] == "tictactoe", "from short games without secrets to long ones with them"
    assert {*shown[-3:]} == {"lost-cities", "hearts", "hanabi"}


def test_the_first_page_quotes_a_move_of_a_champion_and_why(site: Site) -> None:
    text = site.get("/").text
    game = load_game(FIRST_GAME)
    champion = make_player("champion", game)
    assert isinstance(champion, RulePlayer)
    position = Position(game, seed=1)
    for move in package_of(game).example.split()[:QUOTED_PLY]:
        position.push(move)
    move = position.write(int(champion.decide(position)))
    assert f"<em>Champion plays {move}.</em> Why? <em>Champion prevents an open three" in text


def test_the_first_page_begins_a_game_at_once(site: Site) -> None:
    page = site.get("/")
    begins = page.text.index(f'<form method="post" action="/new/{FIRST_GAME}"')
    assert begins < page.text.index("now</button>", begins) < page.text.index('id="games"')
    address = site.begin(FIRST_GAME)
    session = site.sessions.get(address.rpartition("/")[2])
    assert session.persons == [0]


@pytest.mark.parametrize("name", game_names())
def test_rules_stand_on_one_screen_with_a_picture(site: Site, name: str) -> None:
    page = site.get(f"/rules/{name}")
    assert page.status == 200
    words = re.sub(r"<[^>]*>", " ", page.text[page.text.index('<div class="rules">') :]).split()
    assert 90 <= len(words) <= 260
    assert page.text.count("<li>") >= 3
    assert "<svg" in page.text
    assert 'class="look-' in page.text, "the board is drawn, and not only as large as one"


def test_an_example_that_fails_says_so_and_hides_nothing(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    from rulebots.web import board

    board.example_board.cache_clear()
    monkeypatch.setitem(vars(package_of(load_game("kalah"))), "example", "3 99")
    page = site.get("/rules/kalah")
    board.example_board.cache_clear()
    assert page.status == 200
    assert "there is no picture of kalah" in page.text


def test_each_seat_can_be_given_a_player(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """Up to ten, as many as a game may have."""
    game = load_game("hanabi")
    assert f'<input id="player{game.most_seats + 1}"' not in site.get("/new/hanabi").text
    options = {**game.options, "seats": replace(game.options["seats"], high=MOST_SEATS)}
    large = replace(game, seats=(2, MOST_SEATS), options=options)
    monkeypatch.setattr("rulebots.web.home.game_of", lambda _: large)
    assert f'<input id="player{MOST_SEATS}"' in site.get("/new/hanabi").text


@pytest.mark.parametrize("name", game_names())
def test_each_level_stands_with_its_rating(site: Site, name: str) -> None:
    rows, remark = measured(load_game(name))
    page = site.get(f"/new/{name}").text
    assert [row.level for row in rows] == list(LEVELS)
    for row in rows:
        assert re.search(r"^\+\d+ Elo$|^[\d.]+ points$", row.rating), "nobody is below the lowest level"
        assert re.search(r" to |^\N{PLUS-MINUS SIGN} \d+$|^too few deals$", row.interval), row
        assert "-0.0" not in row.interval
        assert f'value="{row.player}"' in page
    assert "Measured on" in remark


def test_a_misspelt_game_is_guessed(site: Site) -> None:
    page = site.get("/new/lost_cities")
    assert page.status == 404
    assert "did you mean &#39;lost-cities&#39;?" in page.text


def test_levels_are_told_in_words_and_slips_before_play(site: Site) -> None:
    page = site.get("/new/kalah").text
    assert "its rules were bred, but 30 of 100 moves are made at random" in page
    assert "looks ahead: the tree search<" in page
    assert "beginner, casual, club now and then make a random move" in page
    assert "careless" not in page
    dice = site.get("/new/cant-stop").text
    assert "its rules were written by hand (rule_of_28)<" in dice
    assert "it knows the best move" in site.get("/new/tictactoe").text
    assert ">beginner now and then makes a random move" in dice, (
        "of a level above one that makes none it would seem weaker"
    )


def test_kalahs_levels_are_apart_by_their_intervals() -> None:
    ratings = load_ladder(package_of(load_game("kalah")).folder / "levels.yaml").ratings
    intervals = [ratings[f"level:{level}"]["elo_95"] for level in LEVELS]
    assert all(high < low for (_, high), (low, _) in itertools.pairwise(intervals))


def test_a_game_is_begun_by_level_alone(site: Site) -> None:
    address = site.begin("tictactoe", player2="level:strong", seed=2)
    assert settled(site, address).status_line.startswith("Your move: ")
    assert site.sessions.get(address.rsplit("/")[-1]).ongoing.recorded.names[1] == "level:strong"
    usual = site.begin("tictactoe")
    assert site.sessions.get(usual.rsplit("/")[-1]).ongoing.recorded.names == ("you", "level:casual")
    named = site.begin("tictactoe", level="level:strong", player2="random")
    assert site.sessions.get(named.rsplit("/")[-1]).ongoing.recorded.names[1] == "random"
    short = site.begin("tictactoe", player2="strong")
    assert site.sessions.get(short.rsplit("/")[-1]).ongoing.recorded.names[1] == "strong"
    refused = site.post("/new/tictactoe", {"player2": "level:best"})
    assert refused.status == 422
    assert "level" in refused.text


def test_a_strangers_levels_say_how_to_measure_them(tmp_path: Path, forget: Callable[[], None]) -> None:
    game = load_game(str(stranger("plain", "nim", tmp_path) / "nim"))
    rows, remark = measured(game)
    assert [row.level for row in rows] == list(LEVELS)
    assert not any(row.rating for row in rows)
    assert "rulebots tournament level:beginner,level:casual" in remark
    assert card_of(game).rules == ()
    (package_of(game).folder / "levels.yaml").write_text("format: rulebots-ladder/1\n")
    assert measured(game)[1] == remark, "a file that is not a ladder of these levels does not count"


def test_a_ladder_without_ratings_is_a_ladder_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    from rulebots.web import home

    game = load_game("tictactoe")
    ladder = home.ladder_of(game)
    assert ladder is not None
    monkeypatch.setattr(home, "ladder_of", lambda _: replace(ladder, ratings={}))
    assert {(row.rating, row.interval) for row in measured(game)[0]} == {("", "")}
    infinite = {**next(iter(ladder.ratings.values())), "elo": None, "elo_95": [None, None]}
    monkeypatch.setattr(home, "ladder_of", lambda _: replace(ladder, ratings=dict.fromkeys(ladder.ratings, infinite)))
    assert {(row.rating, row.interval) for row in measured(game)[0]} == {("unknown", "too few deals")}


def test_levels_are_called_by_their_names_and_have_reasons_also_for_moves_at_random(site: Site) -> None:
    address = site.begin("tictactoe", player1="level:beginner", player2="level:casual", seed=2)
    while not site.sessions.get(address.rsplit("/")[-1]).ongoing.ended:
        page = site.get(f"{address}/look?version=0&last=0")
    page = site.get(address)
    assert "level:" not in page.text
    assert "Beginner \N{EN DASH} Casual" in page.text
    moves = len(site.sessions.get(address.rsplit("/")[-1]).ongoing.moves)
    why = [site.get(f"{address}/why?ply={ply}").text for ply in range(1, moves + 1)]
    assert not any("no reasons" in text for text in why)
    assert any("A slip: at this level it sometimes moves at random" in text for text in why)


def test_options_of_yes_or_no_are_switches(site: Site) -> None:
    page = site.get("/new/hearts").text
    assert page.count('role="switch"') == 8
    assert page.count('role="switch" name="option-passing" value="1" checked') == 1
    assert 'name="option-jack_bonus" value="1" checked' not in page
    assert 'type="number" id="option-passing"' not in page
    off = site.post("/new/circles", {"player2": "random", "option-last_wins": "0"})
    assert site.sessions.get(off.location.rsplit("/")[-1]).ongoing.recorded.options["last_wins"] == 0
    again = site.post("/new/circles", {"option-last_wins": "0", "option-size": "99"})
    assert again.status == 422
    assert 'name="option-last_wins" value="1">' in again.text, "a switch stays as it was"


def test_who_begins_can_be_chosen_where_the_law_leaves_it_open() -> None:
    chosen = {name: one_begins(load_game(name)) for name in game_names()}
    assert [name for name, choice in chosen.items() if not choice] == ["hearts"]


def test_latest_games_are_those_in_which_somebody_has_moved(site: Site) -> None:
    site.begin("cant-stop", player2="random")  # the dice have rolled, and nobody has decided
    empty = site.get("/").text
    assert "Games that you begin stand here" in empty
    address = site.begin("tictactoe", player2="random", seed=2)
    site.act(f"{address}/type", text="b2", last=0)
    settled(site, address)
    page = site.get("/").text
    assert f'<a href="{address}">' in page
    assert re.search(r"2 moves so far</td><td class=\"date\" data-head=\"date\">today \d\d:\d\d", page)
    games = page.index('id="games"')
    assert page.index(f'<a class="button main" href="{address}">Continue Tic-tac-toe</a>') < games
    assert page.index(f'Latest games: <a href="{address}">Tic-tac-toe, today') < games


def test_a_game_can_be_deleted_unless_others_have_links_to_it(site: Site) -> None:
    address = site.begin("tictactoe", player2="random", seed=2)
    site.act(f"{address}/type", text="b2", last=0)
    name = address.rpartition("/")[2]
    linked = site.begin("tictactoe", player2=PERSON)
    site.post(f"{linked}/links")
    refused = site.act("/delete", game=linked.rpartition("/")[2])
    assert (refused.status, "it stays" in refused.text) == (422, True)
    answer = site.act("/delete", game=name)
    assert "<html" not in answer.text
    assert name not in answer.text
    assert not (site.folder / "games" / f"{name}.txt").exists()
    assert site.get(address).status == 404
    assert site.post("/delete", {"game": name}).status == 404


def test_to_look_at_a_game_does_not_change_its_date(site: Site) -> None:
    address = site.begin("tictactoe", player2="random", seed=2)
    site.act(f"{address}/type", text="b2", last=0)
    settled(site, address)
    file = site.folder / "games" / f"{address.rpartition('/')[2]}.txt"
    os.utime(file, (1e9, 1e9))
    with serving(site.folder) as other:
        assert "Continue" in other.get("/").text
        settled(other, address)
    assert file.stat().st_mtime == 1e9


CARDS = '''
from rulebots.live import LiveGame

class WebCards(LiveGame):
    """Lay a card: the highest wins."""
    seats, hidden = 3, True
    def new(self, seed): return [seed % 5, (seed + 1) % 5, (seed + 2) % 5], []
    def mover(self, g): return len(g[1])
    def moves(self, g): return ["high", "low"]
    def play(self, g, move): g[1].append(move)
    def over(self, g): return len(g[1]) == 3
    def points(self, g, seat): return int(g[0][seat] == max(g[0]))
    def sees(self, g, seat): return g[0][seat], *g[1]
'''


def test_a_game_as_it_is_has_its_own_words_and_the_levels_that_there_are(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "web_cards.py").write_text(CARDS)
    monkeypatch.chdir(tmp_path)
    game = load_game("web_cards.py:WebCards")
    assert card_of(game).summary == "Lay a card: the highest wins."
    page = site.get(f"/new/{game.name}").text
    assert 'value="level:beginner" checked' in page
    assert "casual" not in page
    assert "Not rated yet" not in page
