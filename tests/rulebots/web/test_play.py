"""Play, asked over HTTP as a browser without scripts does."""

from __future__ import annotations

import itertools
import random
import re
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import pytest
from game_copies import with_parts
from page_client import Answer, Site, serving

from rulebots.game import Game
from rulebots.output.diagram import Diagram
from rulebots.players import Player
from rulebots.records import PERSON, load_record, parse_record, replay
from rulebots.registry import game_names, load_game
from rulebots.web.board import board_of
from rulebots.web.served_folder import ServedFolder
from rulebots.web.snapshot import snapshot_of

SMALL = {
    "circles": {"option-size": 4},
    "gomoku": {"option-size": 5},
    "cant-stop": {"option-sides": 3, "option-needed": 1},
    "lost-cities": {},
}


def small(game: str, **fields: object) -> dict[str, object]:
    return {"player2": "random", "seed": 3, **SMALL.get(game, {}), **fields}


def settled(site: Site, address: str) -> Answer:
    """The game's page once nobody is thinking."""
    for _ in range(1200):
        page = site.get(address)
        assert page.status == 200, page.text
        if "thinking" not in page.status_line and "ready" not in page.status_line:
            return page
        time.sleep(0.05)
    raise AssertionError(page.status_line)


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
    assert re.search(r"You win|random wins|A draw", page.status_line)
    record = site.get(f"{address}/record")
    (played,) = parse_record(record.text).games
    assert played.names == (PERSON, "random")
    assert replay(played).over
    again = site.post(f"{address}/again")
    assert again.status == 303
    assert again.location != address
    assert "our move" in settled(site, again.location).status_line


@pytest.mark.slow
def test_the_sides_come_again_as_chosen(site: Site) -> None:
    for side, begins in (("first", {1}), ("second", {2}), ("random", {1, 2})):
        address, found = site.begin("tictactoe", player2="random", side=side), set()
        for _ in range(24):
            address = site.post(f"{address}/again").location
            found.add(site.sessions.get(address.rsplit("/")[-1]).ongoing.recorded.begins)
        assert found == begins


def test_a_restart_loses_no_game(tmp_path: Path) -> None:
    with serving(tmp_path) as site:
        address = site.begin("tictactoe", player2="mcts:power=1", side="random", seed=5)
        page = settled(site, address)
        site.post(f"{address}/place", {"place": page.places[0]})
        before = settled(site, address)
        side = site.sessions.get(address.rsplit("/")[-1]).side
    with serving(tmp_path) as site:
        after = settled(site, address)
        assert after.places == before.places
        assert after.status_line == before.status_line == "Your move."
        assert site.sessions.get(address.rsplit("/")[-1]).side == side == "random"
        moved = site.post(f"{address}/place", {"place": after.places[0]})
        assert moved.status == 303
        assert address in site.get("/").text


def test_undo_takes_back_the_answer_too(site: Site) -> None:
    address = site.begin("tictactoe", player2="random", seed=2)
    first = settled(site, address)
    site.post(f"{address}/place", {"place": first.places[0]})
    assert len(settled(site, address).places) == 7
    assert site.post(f"{address}/undo").status == 303
    assert settled(site, address).places == first.places
    assert "no move of yours" in site.post(f"{address}/undo").text


def test_two_persons_take_turns_and_take_back_one_move_each(site: Site) -> None:
    address = site.begin("tictactoe", player2=PERSON)
    assert site.get(address).status_line == "player 1 to move."
    site.post(f"{address}/type", {"text": "1,1"})
    assert site.get(address).status_line == "player 2 to move."
    site.post(f"{address}/type", {"text": "0,0"})
    site.post(f"{address}/undo")
    assert site.get(address).status_line == "player 2 to move."
    assert "0,0" in site.get(address).places


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
    site.post(f"{address}/type", {"text": "1,1"})
    for act, fields, said in (
        ("type", {"text": "1,1"}, "there is a stone on 1,1 already"),
        ("type", {"text": "<b>x"}, "&lt;b&gt;x"),
        ("move", {"move": "9999"}, "expected a whole number"),
        ("move", {"move": "x"}, "expected a whole number"),
        ("move", {"move": "--1"}, "expected a whole number"),
        ("place", {"place": "1,1"}, "no move of yours begins at"),
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
        ({"typed2": "chmpion"}, "is not a player that this page may start"),
        ({"typed2": "mcts"}, "expected a limit"),
        ({"typed2": "mcts:powr=3"}, "did you mean"),
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
    assert settled(site, address).status_line == "Your move."
    site.post(f"{address}/type", {"text": "1"})
    settled(site, address)
    record = site.get(f"{address}/record").text
    loaded = site.post("/load", {"record": record, "number": 1})
    assert loaded.status == 303
    assert settled(site, loaded.location).status_line == "Your move."
    wrong = site.post("/load", {"record": record.replace("ply 1: ", "ply 1: 9 "), "number": 1})
    assert wrong.status == 422
    assert "the record:" in wrong.text


def test_nothing_hidden_is_sent(site: Site) -> None:
    """The page of a seat is the same whatever the cards are that it cannot see."""
    address = site.begin("lost-cities", player2="random", seed=8)
    session = site.sessions.get(address.rsplit("/")[-1])
    for _ in range(6):
        page = settled(site, address)
        place = page.places[0]
        moved = site.post(f"{address}/place", {"place": place})
        if "?chosen=" in moved.location:
            target = re.findall(r'value="([^"]*)" class="place[^"]* target', site.get(moved.location).text)[0]
            site.post(f"{address}/place", {"place": target, "chosen": place})
    settled(site, address)
    assert session.persons_turn
    shown = board_of(session.position, session.viewer, playing=True)
    for luck in (1, 2, 3):
        other = session.position.redealt(luck)
        assert other.state.tobytes() != session.position.state.tobytes()
        again = board_of(other, session.viewer, playing=True)
        assert again.diagram is not None
        assert shown.diagram is not None
        assert (again.diagram.shapes, again.diagram.places) == (shown.diagram.shapes, shown.diagram.places)
        assert again.buttons == shown.buttons
    assert site.get(f"{address}/record").status == 422
    assert site.get(f"{address}/why?ply={len(session.ongoing.moves)}").status == 422
    assert site.get(f"{address}/hint").status == 200


def test_reasons_of_a_rule_player_and_of_a_search(site: Site) -> None:
    for name, wanted in (("hand_tuned", "What would have changed its mind"), ("mcts:power=1", "simulations")):
        address = site.begin("tictactoe", player1=name, player2=PERSON, seed=4)
        settled(site, address)
        page = site.get(f"{address}/why?ply=1", HX_Request="true")
        assert page.status == 200
        assert f"{name} plays" in page.text
        assert wanted in page.text, page.text
        assert "<html" not in page.text
        assert "<html" in site.get(f"{address}/why?ply=1").text
        assert site.get(f"{address}/why?ply=2").status == 422
    assert "visits</a>" in site.get(address).text
    assert 'class="look-note"' in site.get(f"{address}?ply=0&notes=visits").text
    assert 'class="look-note"' not in site.get(f"{address}?ply=0").text
    hint = site.get(f"{address}/hint?player=minimax:depth=2", HX_Request="true")
    assert "minimax:depth=2 plays" in hint.text
    assert site.get(f"{address}/hint?player=os:system").status == 422


def test_a_hint_too_many_makes_no_player(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """What makes a player may compile for a minute: that stands under the limit on hints as well."""
    monkeypatch.setattr("rulebots.web.play.ADVISERS", 1)
    monkeypatch.setattr("rulebots.web.play.ASKING", 0.01)
    making, ready, made = threading.Event(), threading.Event(), list[str]()
    with serving(site.folder) as crowded:
        address = crowded.begin("tictactoe", player2=PERSON)
        player = ServedFolder.player

        def slowly(served: ServedFolder, name: str, game: Game) -> Player:
            made.append(name)
            making.set()
            assert ready.wait(60)
            return player(served, name, game)

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


def test_reasons_of_rollouts() -> None:
    import numpy as np

    from rulebots.search.rollout.search import RolloutResult
    from rulebots.web.reasons import of_search

    counts, wins, none = np.array([30, 0]), np.array([0.625, np.nan]), np.zeros((0, 0))
    result = RolloutResult(2, 2, np.array([2, 1]), counts, wins, wins, wins, wins, 30, 0.1, 0, none, ("it",))
    reasons = of_search(result, load_game("kalah"), "it")
    assert reasons is not None
    assert reasons.columns == ("move", "rollouts", "chance to win")
    assert reasons.moves == (("2", "30", "62.5%"), ("1", "0", "-"))


def test_what_would_have_changed_its_mind_is_true(site: Site) -> None:
    """With the weight that the page names, the runner-up is as good as the move."""
    from rulebots.game.position import Position
    from rulebots.players import RulePlayer
    from rulebots.players.explaining import explain
    from rulebots.players.names import make_player

    game = load_game("kalah")
    player = make_player("hand_tuned", game)
    assert isinstance(player, RulePlayer)
    position = Position(game, seed=1)
    explained = explain(player, position)
    term = explained.reasons[0]
    gap = explained.scores[0] - explained.scores[1]
    weights = player.weights.copy()
    weights[:, list(player.rules.rules).index(term.rule)] += -gap * term.weight / term.amount
    equal = explain(RulePlayer(player.rules, weights), position)
    scores = dict(zip(equal.moves, equal.scores, strict=True))
    assert scores[explained.moves[0]] == pytest.approx(scores[explained.moves[1]])


def test_a_player_that_fails_is_a_line_and_no_dead_page(tmp_path: Path, forget: Callable[[], None]) -> None:
    (tmp_path / "mine.py").write_text(
        "from rulebots.players import Player\n"
        "class Wrong(Player):\n    def choose(self, seen, moves):\n        return 1 // 0\n"
        "import time\nclass Slow(Player):\n    def choose(self, seen, moves):\n        time.sleep(2)\n"
        "        return int(moves[0])\n"
    )
    wrong, slow = f"{tmp_path}/mine.py:Wrong", f"{tmp_path}/mine.py:Slow"
    with serving(tmp_path, named=(wrong, slow)) as site:
        address = site.begin("tictactoe", player1=wrong, player2=PERSON)
        page = settled(site, address)
        assert "mine.py:4" in page.text or "ZeroDivisionError" in page.text, page.status_line
        slowly = site.begin("tictactoe", player1=slow, player2=PERSON)
        began = time.monotonic()
        assert "thinking" in site.get(slowly).status_line
        assert site.get("/").status == 200
        assert site.get(address).status == 200
        assert time.monotonic() - began < 1.9, "one tab blocks another"


def test_a_fault_tells_nothing_of_a_hidden_hand(
    tmp_path: Path, forget: Callable[[], None], caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "mine.py").write_text(
        "from rulebots.players import Player\n"
        "class Wrong(Player):\n    def choose(self, seen, moves):\n        raise ValueError(list(moves))\n"
    )
    wrong = f"{tmp_path}/mine.py:Wrong"
    with serving(tmp_path, named=(wrong,)) as site:
        address = site.begin("lost-cities", player1=wrong, player2=PERSON, seed=1)
        page = settled(site, address)
        assert page.status_line == (
            f"{wrong} has failed at move 1. The message would tell what you may not know: "
            "it is in the terminal of rulebots web."
        )
        assert "ValueError" in caplog.text
        assert "legal moves are" in caplog.text
        assert f'href="{address}?ply=0">after 0 moves of this game' in page.text
        said = re.findall(r'role="alert">(.*?)</p>', site.post(f"{address}/type", {"text": "n"}).text)
        assert said == ["it is not your turn"]


def test_a_picture_a_text_and_points_that_tell_a_hidden_hand_are_not_sent(site: Site) -> None:
    from rulebots.game.position import Position

    def show(state: object, seat: int | None) -> str:
        return f"treasure {state}"

    def draw(position: Position, seat: int | None) -> Diagram:
        return Diagram(10, 10, show(position.state, seat))

    position = Position(with_parts(replace(load_game("lost-cities"), show=show), draw=draw), seed=1)
    board = board_of(position, position.mover, playing=True)
    assert board.diagram is None
    assert "`draw` of lost-cities tells a seat what is hidden from it" in board.remark
    assert "`show` of lost-cities tells a seat what is hidden from it" in board.text
    assert len(board.moves) == len(position.legal_moves)
    assert "treasure" in board_of(position, None, playing=False).diagram.words  # type: ignore[union-attr]


def test_what_a_move_scores_is_said(site: Site) -> None:
    address = site.begin("kalah", player2="random", position="4,0,5,5,5,4,1/5,4,4,4,4,3,0 1")
    settled(site, address)
    site.post(f"{address}/type", {"text": "2"})
    settled(site, address)
    said = snapshot_of(site.sessions.get(address.rsplit("/")[-1])).said
    assert said.startswith("You play 2: +1 for you. random plays "), said


def test_a_search_that_nobody_waits_for_is_stopped(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulebots.web.sessions.LEFT", 0.0)
    address = site.begin("tictactoe", player1="mcts:seconds=20", player2=PERSON)
    session = site.sessions.get(address.rsplit("/")[-1])
    decision = session.decision
    site.sessions.tidy()
    if decision is not None:
        assert decision.stopped
        assert decision.done.wait(10)
    assert session.decision is None


def test_tables_are_bounded_and_come_back_from_disk(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulebots.web.sessions.MOST_SESSIONS", 3)
    addresses = [site.begin("tictactoe", player2="random", seed=seed) for seed in range(6)]
    assert len(site.sessions._sessions) == 3
    assert all(site.get(address).status == 200 for address in addresses)
    assert len(site.sessions._sessions) == 3
    monkeypatch.setattr("rulebots.web.sessions.MOST_GAMES", 6)
    assert "remove some" in site.post("/new/tictactoe", {"player2": "random"}).text


def test_a_game_that_draws_nothing_or_fails_to_has_its_text_and_buttons() -> None:
    from rulebots.game.position import Position

    game = load_game("kalah")
    plain: Game = with_parts(game, draw=None)
    board = board_of(Position(plain), 0, playing=True)
    assert board.diagram is None
    assert [name for _, name in board.moves] == list("012345")
    assert "4" in board.text

    def wrong(position: object, seat: int | None) -> object:
        raise KeyError("pit")

    for draw in (wrong, lambda position, seat: "a picture"):
        board = board_of(Position(with_parts(game, draw=draw)), 0, playing=True)
        assert board.diagram is None
        assert "`draw` of kalah" in board.remark
        assert len(board.moves) == 6


def test_a_link_to_a_new_game_keeps_a_player_that_is_not_in_the_list(site: Site) -> None:
    typed = r'name="typed2" value="([^"]*)"'
    for name in ("mcts:seconds=3", "mine.yaml#best"):
        assert re.findall(typed, site.get(f"/new/tictactoe?player2={quote(name)}").text) == [name]
    assert re.findall(typed, site.get("/new/tictactoe?player2=random").text) == [""]


def test_a_search_is_set_by_fields_of_its_own(site: Site) -> None:
    names = ("iterations", "seconds", "temperature", "noise")
    shown = site.get("/new/tictactoe").text
    assert all(f'name="{name}{number}"' in shown for name in names for number in (1, 2))
    assert "iterations2" not in site.get("/new/lost-cities").text
    fields = {"iterations2": 20, "seconds2": "", "temperature2": 0.5, "noise2": 0.2}
    address = site.begin("tictactoe", player2="mcts", **fields)
    session = site.sessions.get(address.rsplit("/")[-1])
    assert session.ongoing.recorded.names[1] == "mcts:iterations=20,temperature=0.5,noise=0.2"
    other = site.begin("tictactoe", player2="random", **fields)
    assert site.sessions.get(other.rsplit("/")[-1]).ongoing.recorded.names[1] == "random"


def test_the_page_says_what_the_last_moves_were(site: Site) -> None:
    address = site.begin("tictactoe", player2="random", seed=2)
    settled(site, address)
    site.post(f"{address}/type", {"text": "1,1"})
    settled(site, address)
    snapshot = snapshot_of(site.sessions.get(address.rsplit("/")[-1]))
    assert re.fullmatch(r"random plays \d,\d\.", snapshot.said)
    assert [line.who for line in snapshot.moves] == [PERSON, "random"]


def test_games_on_disk_are_records_that_the_commands_read(site: Site) -> None:
    address = site.begin("tictactoe", player2="random", seed=2)
    settled(site, address)
    (file,) = (site.folder / "games").glob("*.txt")
    assert load_record(file).names == (PERSON, "random")


def test_records_of_the_folder_are_listed_and_their_games_opened(site: Site) -> None:
    address = site.begin("tictactoe", player1="random", player2="hand_tuned", seed=1)
    while "wins" not in (text := site.get(address).status_line) and "draw" not in text:
        time.sleep(0.02)
    (site.folder / "match.txt").write_text(site.get(f"{address}/record").text)
    (site.folder / "notes.txt").write_text("nothing of the kind")
    outside = site.folder.parent / "outside.txt"
    outside.write_text((site.folder / "match.txt").read_text())
    (site.folder / "link.txt").symlink_to(outside)
    page = site.get("/load")
    assert re.findall(r"/load\?file=([^\"]*)", page.text) == ["match.txt"]
    games = site.get("/load?file=match.txt")
    assert "1 game." in games.text
    assert "open game 1" in games.text
    opened = site.post("/load", {"file": "match.txt", "number": 1})
    assert opened.location.endswith("?ply=0")
    assert "After 0 of" in site.get(opened.location).text
    for name in ("link.txt", "notes.txt", "../outside.txt", "games/x.txt", ""):
        assert site.get(f"/load?file={name}").status == 422, name
        assert site.post("/load", {"file": name, "number": 1}).status == 422, name
    assert site.post("/load", {"file": "match.txt", "number": 2}).status == 422


def test_games_that_cannot_be_shown_are_one_line_of_the_first_page(site: Site) -> None:
    (site.folder / "games").mkdir()
    for number in range(3):
        (site.folder / "games" / f"abcdefghijk{number}.txt").write_text("no record\n")
    page = site.get("/")
    assert page.text.count('role="alert"') == 1
    assert "2 more of the latest games cannot be shown" in page.text
