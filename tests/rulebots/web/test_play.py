"""Play, asked over HTTP as a browser without scripts does."""

from __future__ import annotations

import html
import itertools
import random
import re
import threading
from urllib.parse import quote

import pytest
from page_client import Answer, Site, serving, settled

from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.packages import game_names, load_game
from rulebots.players import Player
from rulebots.records import PERSON, parse_record, replay
from rulebots.web.served_folder import ServedFolder

SMALL = {
    "circles": {"option-size": 4},
    "gomoku": {"option-size": 5},
    "cant-stop": {"option-sides": 3, "option-needed": 1},
    "lost-cities": {},
}


def small(game: str, **fields: object) -> dict[str, object]:
    return {"player2": "random", "seed": 3, **SMALL.get(game, {}), **fields}


def play_to_the_end(site: Site, address: str, seed: int = 1) -> Answer:
    """Any moves, by places where there are some, until the game is over."""
    rng = random.Random(seed)  # noqa: S311 - no secret
    for _ in range(700):
        page = settled(site, address)
        assert 'role="alert"' not in page.text, page.text
        if "our move" not in page.status_line:
            return page
        if page.places and (not page.moves or rng.random() < 0.8):
            moved = site.post(f"{address}/place", {"place": rng.choice(page.places), "chosen": ""})
            if moved.status == 303 and "?chosen=" in moved.location:
                page = site.get(moved.location)
                chosen = page.field("chosen")
                targets = re.findall(r'value="([^"]*)" class="place[^"]* target', page.text)
                single = chosen in page.places
                moved = site.post(f"{address}/place", {"place": rng.choice(targets or [chosen]), "chosen": chosen})
                assert targets or single
        else:
            moved = site.post(f"{address}/move", {"move": rng.choice(page.moves)})
        assert moved.status == 303, moved.text
    raise AssertionError("the game does not end")


@pytest.mark.slow
@pytest.mark.parametrize("name", game_names())
def test_a_whole_game_by_clicks_alone(site: Site, name: str) -> None:
    address = site.begin(name, **small(name))
    page = play_to_the_end(site, address)
    assert re.search(r"[\w() ]+ won|A draw|share the first place|Together: \d+", page.status_line)
    record = site.get(f"{address}/record")
    (played,) = parse_record(record.text).games
    assert played.names[:2] == (PERSON, "random")
    assert replay(played).positions[-1].over
    again = site.post(f"{address}/again")
    assert again.status == 303
    assert again.location != address
    assert "our move" in settled(site, again.location).status_line


def test_two_players_are_watched_move_by_move(site: Site) -> None:
    address = site.begin("tictactoe", player1="random", player2="random", seed=1)
    counts = []
    for _ in range(60):
        page = site.get(f"{address}/look?version=-1", HX_Request="true")
        counts.append(int(re.findall(r"<span>(\d+) / \d+</span>", page.text)[0]))
        if "hx-trigger" not in page.text:
            break
    assert counts == sorted(counts)
    assert max(after - before for before, after in itertools.pairwise(counts)) <= 1
    assert "data-polls" not in page.text


def test_a_look_that_finds_nothing_new_answers_204(site: Site) -> None:
    address = site.begin("tictactoe", player2="random", seed=2)
    settled(site, address)
    version = site.sessions.get(address.rsplit("/")[-1]).version
    assert site.get(f"{address}/look?version={version}", HX_Request="true").status == 204
    assert site.get(f"{address}/look?version={version - 1}", HX_Request="true").status == 200


def test_a_move_that_is_none_gets_its_reason(site: Site) -> None:
    address = site.begin("tictactoe", player2=PERSON)
    site.post(f"{address}/type", {"text": "b2"})
    for act, fields, said in (
        ("type", {"text": "b2"}, "there is a stone on b2 already"),
        ("type", {"text": "<b>x"}, "&lt;b&gt;x"),
        ("move", {"move": "9999"}, "expected a whole number"),
        ("move", {"move": "x"}, "expected a whole number"),
        ("move", {"move": "--1"}, "expected a whole number"),
        ("place", {"place": "b2"}, "you have no move there"),
        ("place", {"place": "<i>"}, "there is no place"),
    ):
        answer = site.post(f"{address}/{act}", fields)
        assert said in answer.text, answer.text
        assert "<b>x" not in answer.text
        assert answer.status == 200
    assert site.get(f"{address}?ply=1").status == 200
    for bad in ("ply=2", "ply=x", "ply=-1"):
        assert site.get(f"{address}?{bad}").status == 422
    assert site.get("/game/aaaaaaaaaaaa").status == 404


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"option-size": "99"}, "option-size: expected a whole number from 3 to 10"),
        ({"option-win": "7"}, "option &#39;win&#39; of tictactoe"),
        ({"seed": "-1"}, "seed: expected"),
        ({"side": "left"}, "side: expected first, second, random"),
        ({"position": "nonsense"}, "position &#39;nonsense&#39;"),
        ({"player2": "chmpion"}, "is not a player that this page may start"),
        ({"player2": "mcts"}, "expected a limit"),
        ({"player2": "mcts:powr=3"}, "did you mean"),
        ({"player2": "mcts", "noise2": "0.2"}, "expected a limit"),
        ({"player2": "mcts", "iterations2": "many"}, "iterations"),
    ],
)
def test_a_game_that_cannot_begin_says_why(site: Site, fields: dict[str, str], said: str) -> None:
    answer = site.post("/new/tictactoe", {"player2": "random", **fields})
    assert answer.status == 422
    assert said in answer.text, answer.text


def test_a_game_goes_on_from_a_position_and_from_a_record(site: Site) -> None:
    address = site.begin("kalah", player2="random", position="4,0,5,5,5,4,1/5,4,4,4,4,3,0 1", side="second")
    assert "4,0,5,5,5,4,1/5,4,4,4,4,3,0 1" in site.get(f"{address}?ply=0").text
    assert settled(site, address).status_line.startswith("Your move: ")
    site.post(f"{address}/type", {"text": "1"})
    settled(site, address)
    record = site.get(f"{address}/record").text
    loaded = site.post("/load", {"record": record, "number": 1})
    assert loaded.status == 303
    assert settled(site, loaded.location).status_line.startswith("Your move: ")
    wrong = site.post("/load", {"record": record.replace("ply 1: ", "ply 1: 9 "), "number": 1})
    assert wrong.status == 422
    assert "the record:" in wrong.text


def test_reasons_of_a_rule_player_and_of_a_search(site: Site) -> None:
    for name, wanted in (("hand_tuned", "What would have changed its mind"), ("mcts:power=1", "simulations")):
        address = site.begin("tictactoe", player1=name, player2=PERSON, seed=4)
        settled(site, address)
        page = site.get(f"{address}/why?ply=1", HX_Request="true")
        assert page.status == 200
        assert f"{name.capitalize().replace('_', ' ')} plays" in page.text
        assert wanted in page.text, page.text
        assert "<html" not in page.text
        assert "<html" in site.get(f"{address}/why?ply=1").text
        assert site.get(f"{address}/why?ply=2").status == 422
    hint = site.get(f"{address}/hint?player=minimax:depth=2", HX_Request="true")
    assert "Hint: play" in hint.text
    assert site.get(f"{address}/hint?player=os:system").status == 422
    assert "there is nobody to ask for a hint" in site.get(f"{address}/hint?player=random").text


def test_a_line_that_is_expected_is_stepped_through(site: Site) -> None:
    """Each of its moves is a link to the board after it, which is no board of the game."""
    address = site.begin("kalah", player1="hand_tuned", player2=PERSON, seed=3)
    settled(site, address)
    for asked, ply in (("why?ply=1", 0), ("hint?player=minimax:depth=5", 2)):
        reasons = site.get(f"{address}/{asked}", HX_Request="true").text
        steps = re.findall(rf'<a href="{address}\?ply={ply}&amp;line=([\d,]*)">([^<]*)</a>', reasons)
        assert len(steps) > (4 if ply else 1), "what a search has seen is shown whole"
        position = site.sessions.get(address.rpartition("/")[2]).ongoing.positions[ply].copy()
        for number, (line, said) in enumerate(steps, 1):
            position.push(int(line.split(",")[-1]))
            page = site.get(f"{address}?ply={ply}&line={line}")
            assert page.status_line == f"A line, not the game: after {ply} of 2 moves and {number} of the line."
            assert said.partition(" (")[0] in page.text
            assert position.to_text() in html.unescape(page.text)
            assert f'<a class="button" href="{address}?ply={ply}">Back to the game</a>' in page.text
            assert not page.places, "nobody moves there"
    assert "A line" not in site.get(f"{address}?ply=2").text


@pytest.mark.parametrize("line", ["9999", "2,2,2", "x", "-1", "2,", "²", "2 5"])
def test_a_line_that_nobody_can_play_is_refused(site: Site, line: str) -> None:
    address = site.begin("kalah", player2=PERSON)
    assert site.get(f"{address}?line=2,2").status == 422, "that pit is empty by then"
    refused = site.get(f"{address}?ply=0&line={quote(line)}")
    assert refused.status == 422
    wrong = line.rpartition(",")[2]
    said = f"line: expected the number of a player's legal move at each step, not '{wrong}'"
    assert said in html.unescape(refused.text)


def test_a_line_shows_neither_hidden_cards_nor_dice(site: Site) -> None:
    address = site.begin("cant-stop", player2=PERSON, seed=1)
    session = site.sessions.get(address.rpartition("/")[2])
    first = settled(site, address).moves[0]
    again = session.position.after(int(first)).legal_moves[0]
    thrown = session.position.after(int(first)).after(int(again))
    assert thrown.chance_to_move
    assert site.get(f"{address}?line={first},{again}").status == 200
    assert site.get(f"{address}?line={first},{again},{thrown.legal_moves[0]}").status == 422
    address = site.begin("lost-cities", player2="random", seed=3)
    session = site.sessions.get(address.rpartition("/")[2])
    settled(site, address)
    move = int(session.position.legal_moves[0])
    hidden = site.get(f"{address}?ply=0&line={move}")
    assert hidden.status == 422
    assert "something is hidden" in hidden.text
    assert "line=" not in site.get(f"{address}/hint", HX_Request="true").text
    while not session.ongoing.ended:
        settled(site, address)
        if session.persons_turn:
            site.post(f"{address}/move", {"move": int(session.position.legal_moves[0])})
    shown = site.get(f"{address}?ply=0&line={move}")
    assert shown.status_line.startswith("A line, not the game"), "at the end all may be seen"


def test_another_move_is_asked_about(site: Site) -> None:
    """Why not that one? The reasons of a rule player, of a search and of a hint speak against it."""
    for name in ("hand_tuned", "mcts:power=1"):
        address = site.begin("tictactoe", player1=name, player2=PERSON, seed=4)
        settled(site, address)
        asked = f"{address}/why?ply=1"
        first = site.get(asked, HX_Request="true").text
        assert '<input type="hidden" name="ply" value="1">' in first, "the question is about the same move"
        assert "Why not playing <select" in first
        offered = re.findall(r'<option value="(\d+)"(?: selected)?>(\w\d)<', first)
        assert len(offered) == 8, "every other move"
        for number, place in offered[:3]:
            told = site.get(f"{asked}&not={number}", HX_Request="true").text
            assert re.search(rf'class="sentence">[^<]*\b{place}\b| playing {place} (wins|draws|loses)', told), told
        assert site.get(f"{asked}&not=9").status == 422
    site.post(f"{address}/move", {"move": int(offered[0][0])})
    settled(site, address)
    refused = site.get(f"{asked}&not=x")
    assert refused.status == 422
    hint = site.get(f"{address}/hint?player=hand_tuned", HX_Request="true").text
    number, place = re.findall(r'<option value="(\d+)"(?: selected)?>(\w\d)<', hint)[-1]
    told = site.get(f"{address}/hint?player=hand_tuned&not={number}", HX_Request="true").text
    assert re.search(rf"Asked about: play {place},|After playing {place},| playing {place} (wins|draws|loses)", told), (
        told
    )
    assert "look-made-ring" in told, "both are drawn"
    assert site.get(f"{address}/hint?player=hand_tuned&not={offered[0][0]}").status == 422, "it has been played"


def test_one_of_very_many_moves_is_asked_about_by_its_name(site: Site) -> None:
    address = site.begin("gomoku", player2="patterns", seed=2)
    site.post(f"{address}/type", {"text": "h8"})
    settled(site, address)
    asked = f"{address}/why?ply=2"
    first = site.get(asked, HX_Request="true").text
    assert re.search('Why not playing <input name="not" [^>]*placeholder="a1"', first)
    assert "<option" not in first, "a list of 223 points"
    assert "Asked about: play k10," in site.get(f"{asked}&not=k10", HX_Request="true").text
    assert site.get(f"{asked}&not=h8").status == 422, "taken"


def test_the_reason_of_the_move_that_led_to_a_board_is_drawn_on_it(site: Site) -> None:
    """The move in a solid ring, and the one that it is compared with in a dashed one: one of them may be far away."""
    address = site.begin("tictactoe", player2="hand_tuned", seed=2)
    settled(site, address)
    for place, ply in (("b2", 2), ("c2", 4)):
        site.post(f"{address}/type", {"text": place})
        settled(site, address)
        told = site.get(f"{address}/why?ply={ply}&at={ply}", HX_Request="true").text
        assert f'id="advice-{ply}" hx-swap-oob="outerHTML"' in told
        assert (told.count("look-hint-ring"), told.count("look-made-ring")) == (1, 1)
        assert "in a dashed ring" in told
    former = site.get(f"{address}/why?ply=2&at=4", HX_Request="true").text
    assert "hx-swap-oob" not in former, "the board shows a later position"
    assert "in a dashed ring" not in former


def test_the_reason_of_a_move_that_cost_a_life_says_so(site: Site) -> None:
    address = site.begin("hanabi", player1="standard", player2="standard", seed=6)
    session, lost = site.sessions.get(address.rpartition("/")[2]), list[int]()
    while not lost:
        session.advance()
        played = zip(session.ongoing.positions, session.ongoing.moves, strict=False)
        lost = [ply for ply, (position, move) in enumerate(played, 1) if "life is lost" in position.deed(move)]
    said = site.get(f"{address}/why?ply={lost[0]}", HX_Request="true").text
    assert ": a life is lost</h2>" in said
    assert " As it turned out, a life is lost.</p>" in said


@pytest.mark.parametrize(("moves", "asked"), [("a1 b1 c1 b2 a2 c2 b3 a3", False), ("a1 b1 c1 b2 a2 c2 b3", True)])
def test_nobody_asks_why_a_forced_move_was_made(site: Site, moves: str, *, asked: bool) -> None:
    position = Position(load_game("tictactoe"))
    for text in moves.split():
        position.push(position.read(text))
    players = {f"player{position.mover + 1}": "hand_tuned", f"player{2 - position.mover}": PERSON}
    address = site.begin("tictactoe", position=position.to_text(), **players)
    assert "Hand tuned plays" in settled(site, address).text
    assert (f"{address}/why?ply=1" in site.get(address).text) is asked
    assert site.get(f"{address}/why?ply=1").status == (200 if asked else 422)


def test_a_hint_too_many_makes_no_player(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """What makes a player may compile for a minute: that stands under the limit on hints as well."""
    monkeypatch.setattr("rulebots.web.play.ADVISERS", 1)
    monkeypatch.setattr("rulebots.web.play.ASKING", 0.01)
    making, ready, made = threading.Event(), threading.Event(), list[str]()
    with serving(site.folder) as crowded:
        address = crowded.begin("tictactoe", player2=PERSON)
        player = ServedFolder.player

        def slowly(served: ServedFolder, name: str, game: Game, seats: int | None = None) -> Player:
            made.append(name)
            making.set()
            assert ready.wait(60)
            return player(served, name, game, seats)

        monkeypatch.setattr(ServedFolder, "player", slowly)
        first = list[Answer]()
        asking = threading.Thread(target=lambda: first.append(crowded.get(f"{address}/hint?player=hand_tuned")))
        asking.start()
        assert making.wait(60)
        refused = crowded.get(f"{address}/hint?player=champion")
        assert refused.status == 422
        assert "other hints are being looked for" in refused.text
        assert crowded.get(address).status == 200, "a hint blocks no page"
        ready.set()
        asking.join(60)
        assert first[0].status == 200
        assert made == ["hand_tuned"]
        assert crowded.get(f"{address}/hint?player=hand_tuned").status == 200


def test_a_link_to_a_new_game_offers_a_player_that_is_no_level(site: Site) -> None:
    chosen = r'name="level" value="([^"]*)" checked'
    for name in ("mcts:seconds=3", "mine.yaml#best"):
        assert re.findall(chosen, site.get(f"/new/tictactoe?player2={quote(name)}").text) == [name]
    assert re.findall(chosen, site.get("/new/tictactoe?player2=level:club").text) == ["level:club"]
    assert re.findall(chosen, site.get("/new/tictactoe").text) == ["level:casual"]
    refused = site.post("/new/tictactoe", {"level": "level:strong", "player2": "nobody"}).text
    assert re.findall(chosen, refused) == ["level:strong"]
    assert 'name="player2" list="players" value="nobody"' in refused, "what was typed stays"


def test_games_that_cannot_be_shown_are_one_line_of_the_first_page(site: Site) -> None:
    (site.folder / "games").mkdir()
    for number in range(3):
        (site.folder / "games" / f"abcdefghijk{number}.txt").write_text("no record\n")
    page = site.get("/")
    assert page.text.count('role="alert"') == 1
    assert "2 more of the latest games cannot be shown" in page.text


@pytest.mark.parametrize("change", [{"move": 0}, {"text": "3"}, {"place": "lower pit 4", "chosen": ""}, {}])
def test_what_was_meant_for_an_earlier_board_is_refused(site: Site, change: dict[str, object]) -> None:
    address = site.begin("kalah", player1="you", player2="you")
    assert 'name="last" value="0"' in site.get(address).text
    kind = {"move": "move", "text": "type", "place": "place"}.get(next(iter(change), ""), "undo")
    site.act(f"{address}/move", move=2, last=0)
    site.act(f"{address}/move", move=1, last=1)
    answer = site.act(f"{address}/{kind}", **change, last=1)  # as from a second tab that has not seen the last move
    assert "the game has gone on since this board was shown" in answer.text
    assert 'name="last" value="2"' in answer.text
    assert [ply.move for ply in site.sessions.get(address.rpartition("/")[2]).position.history()] == [2, 1]
