"""Games of the page: in memory, on disk, and with players that think, fail or take their time."""

from __future__ import annotations

import gc
import re
import threading
import time
import weakref
from collections.abc import Callable
from pathlib import Path

import pytest
from page_client import Site, serving, settled

from rulebots.play.background import Preparation
from rulebots.records import PERSON, load_record
from rulebots.web.sessions import Sessions


@pytest.mark.slow
def test_the_sides_come_again_as_chosen(site: Site) -> None:
    for side, begins in (("first", {1}), ("second", {2}), ("random", {1, 2})):
        address, found = site.begin("tictactoe", player2="random", side=side), set()
        for _ in range(24):
            address = site.post(f"{address}/again").location
            found.add(site.sessions.get(address.rsplit("/")[-1]).ongoing.recorded.begins)
        assert found == begins


@pytest.mark.slow
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
        assert after.status_line == before.status_line
        assert after.status_line.startswith("Your move: ")
        assert site.sessions.get(address.rsplit("/")[-1]).side == side == "random"
        moved = site.post(f"{address}/place", {"place": after.places[0]})
        assert moved.status == 303
        assert address in site.get("/").text


def test_a_person_moves_while_the_opponent_is_prepared(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiling takes many seconds: the board waits for none of them, and the page counts them."""
    may = threading.Event()

    def make(self: Preparation) -> None:
        self.compiling = "a search"
        assert may.wait(60)
        work(self)

    work = Preparation.work
    monkeypatch.setattr(Preparation, "work", make)
    monkeypatch.setattr("rulebots.web.sessions.PREPARING", 0.01)
    address = site.begin("tictactoe", player2="random", seed=2)
    page = site.get(address)
    assert page.status_line.startswith("Your move: ")
    after = site.act(f"{address}/place", place=page.places[0])
    assert "Preparing Random, once: a search." in after.status_line
    assert re.search(r"\d+ s</span>", after.status_line)
    assert not after.places
    may.set()
    assert settled(site, address).status_line.startswith("Your move: ")
    assert len(settled(site, address).places) == 7


def test_who_chooses_a_game_has_its_opponent_prepared(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once for each game, and one at a time, however often its form is opened."""
    may = threading.Event()
    begun: list[Preparation] = []

    def make(self: Preparation) -> None:
        begun.append(self)
        assert may.wait(60)
        work(self)

    work = Preparation.work
    monkeypatch.setattr(Preparation, "work", make)
    for game in ("tictactoe", "tictactoe", "kalah"):
        assert site.get(f"/new/{game}").status == 200
    assert len(begun) == 1
    may.set()
    assert begun[0].done.wait(60)
    assert [player.name for player in begun[0].players if player] == ["level:casual"]
    for game in ("tictactoe", "kalah"):
        site.get(f"/new/{game}")
    assert len(begun) == 2
    assert begun[1].done.wait(240)


def test_undo_takes_back_the_answer_too(site: Site) -> None:
    address = site.begin("tictactoe", player2="random", seed=2)
    first = settled(site, address)
    site.post(f"{address}/place", {"place": first.places[0]})
    assert len(settled(site, address).places) == 7
    assert site.post(f"{address}/undo").status == 303
    assert settled(site, address).places == first.places
    assert "there is no move to take back" in site.post(f"{address}/undo").text


def test_two_persons_take_turns_and_take_back_one_move_each(site: Site) -> None:
    address = site.begin("tictactoe", player2=PERSON)
    assert site.get(address).status_line.startswith("Player 1 to move")
    site.post(f"{address}/type", {"text": "b2"})
    assert site.get(address).status_line.startswith("Player 2 to move")
    site.post(f"{address}/type", {"text": "a1"})
    site.post(f"{address}/undo")
    assert site.get(address).status_line.startswith("Player 2 to move")
    assert "a1" in site.get(address).places


@pytest.mark.slow
def test_two_persons_at_one_screen_do_not_see_each_others_hands(site: Site) -> None:
    address = site.begin("lost-cities", player2=PERSON, seed=3)
    shown = list[str]()
    for name, moves in (("Player 1", ("d3d", "n")), ("Player 2", ())):
        for covered in (site.get(address), site.get(f"{address}?ply=0"), site.act(f"{address}/type", text="x", last=0)):
            assert f"Pass the screen to {name}." in covered.text or "After 0 of" in covered.text
            assert "Show the board" in covered.text
            assert "<ol>" not in covered.text
            assert covered.text.count("Player 2</dt>") == 1, "the score stands there"
            assert not covered.places, "nothing of the table that is shown can be chosen"
            # Drawn from a hand, each card would be a place of its own.
            assert "your" not in " ".join(re.findall(r'class="place[^>]* aria-label="([^"]*)"', covered.text))
        assert "the screen is covered" in site.act(f"{address}/type", text="d3d").text
        assert site.get(f"{address}/hint").status == 422
        assert site.post(f"{address}/uncover").status == 303
        page = site.get(address)
        assert page.status_line.startswith(f"{name} to move")
        shown.append(page.text)
        for text in moves:
            assert "Show the board" not in site.get(address).text
            assert site.post(f"{address}/type", {"text": text}).status == 303
        if moves:  # the card drawn is seen before the screen is passed
            page = site.get(address)
            drawn = re.search(r"Player 1 draws from the deck: the ([^.]+)\.", page.text)
            assert drawn, page.status_line
            assert drawn[1] in page.text.partition('class="board"')[2]
            assert page.status_line == "Then it is Player 2's turn."
            assert not page.places
            assert "Done: pass the screen" in page.text
            assert "it is not your turn" in site.act(f"{address}/type", text="d3d").text
            assert site.post(f"{address}/uncover").status == 303
    assert all("<svg" in text for text in shown)


def test_people_at_one_screen_have_the_names_they_typed(site: Site) -> None:
    address = site.begin("tictactoe", player2=PERSON, people="Zoë <b>, {1}")
    assert site.get(address).status_line.startswith("Zoë b to move")
    site.post(f"{address}/type", {"text": "b2"})
    assert site.get(address).status_line.startswith("1 to move")
    site.sessions.close()
    again = site.sessions.again(Sessions(site.sessions.served).get(address.rsplit("/")[-1]))
    assert again.names([0, 1]) == ("Zoë b", "1")
    for typed, names in (("", ("Player 1", "Player 2")), ("you, Ada", ("Player 1", "Ada")), ("A,A,A", ("A", "A (2)"))):
        again.call(typed)
        assert again.names([0, 1]) == names


def test_undo_shows_no_card_of_the_deck(site: Site) -> None:
    address = site.begin("lost-cities", player2="random", seed=3)
    for text in ("d3d", "n"):
        settled(site, address)
        site.post(f"{address}/type", {"text": text})
    assert ">Undo<" not in settled(site, address).text
    assert "what was drawn or thrown since then has been seen" in site.post(f"{address}/undo").text


def test_undo_is_offered_where_it_is_possible(site: Site) -> None:
    address = site.begin("lost-cities", player2=PERSON, seed=3)
    site.post(f"{address}/uncover")
    assert ">Undo<" not in site.get(address).text, "nobody has moved"
    site.post(f"{address}/type", {"text": "d3d"})
    assert ">Undo<" in site.get(address).text
    site.post(f"{address}/type", {"text": "n"})
    for _ in ("the card drawn", "the screen passed"):
        site.post(f"{address}/uncover")
    assert ">Undo<" not in site.get(address).text, "player 2 has not moved, and player 1 has drawn"


def test_dice_that_were_thrown_are_not_taken_back(site: Site) -> None:
    address = site.begin("cant-stop", player2=PERSON, seed=3)
    page = settled(site, address)
    assert ">Undo<" not in page.text
    roll = re.search(r'name="move" value="(\d+)"[^>]*>[Rr]oll[^<]*<', page.text)
    while roll is None:
        page = site.get(site.post(f"{address}/move", {"move": page.moves[0]}).location)
        assert ">Undo<" in page.text, "nothing was thrown since"
        roll = re.search(r'name="move" value="(\d+)"[^>]*>[Rr]oll[^<]*<', page.text)
    page = site.get(site.post(f"{address}/move", {"move": roll[1]}).location)
    assert ">Undo<" not in page.text
    assert "what was drawn or thrown since then has been seen" in site.post(f"{address}/undo").text


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


def test_sessions_are_bounded_and_come_back_from_disk(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulebots.web.sessions.MOST_SESSIONS", 3)
    addresses = [site.begin("tictactoe", player2="random", seed=seed) for seed in range(6)]
    assert len(site.sessions._sessions) == 3
    assert all(site.get(address).status == 200 for address in addresses)
    assert len(site.sessions._sessions) == 3
    monkeypatch.setattr("rulebots.web.sessions.MOST_GAMES", 6)
    assert "remove some" in site.post("/new/tictactoe", {"player2": "random"}).text


def test_games_on_disk_are_records_that_the_commands_read(site: Site) -> None:
    address = site.begin("tictactoe", player2="random", seed=2)
    settled(site, address)
    (file,) = (site.folder / "games").glob("*.txt")
    assert load_record(file).names == (PERSON, "random")


def test_the_trees_of_abandoned_searches_are_freed(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulebots.web.sessions.MOST_SEARCHING", 2)
    addresses = []
    for seed in range(4):
        addresses.append(site.begin("tictactoe", player1="mcts:iterations=2", player2=PERSON, seed=seed))
        settled(site, addresses[-1])
    quick = site.begin("tictactoe", player1="random", player2=PERSON)
    settled(site, quick)
    kept = [weakref.ref(site.sessions.get(address.rpartition("/")[2]).players[0]) for address in addresses]
    site.sessions.tidy()
    assert [player() is not None for player in kept] == [True] * 4, "somebody may still look"
    monkeypatch.setattr("rulebots.web.sessions.LEFT", 0.0)
    site.sessions.tidy()
    gc.collect()
    assert [player() is not None for player in kept] == [False, False, True, True]
    assert len(site.sessions._sessions) == 3
    assert "our move" in settled(site, addresses[0]).status_line, "it goes on from disk"


def test_a_file_that_something_else_has_overwritten_is_written_again(site: Site) -> None:
    address = site.begin("tictactoe", player2="random")
    name = address.rsplit("/")[-1]
    file = site.sessions.folder / f"{name}.txt"
    page = settled(site, address)
    file.write_bytes(b"\xff\xfe")
    assert site.post(f"{address}/place", {"place": page.places[0]}).status == 303
    settled(site, address)
    assert load_record(file).games[0].plies >= 2


def test_a_page_that_was_open_while_its_game_left_memory_sees_the_answer(tmp_path: Path) -> None:
    """It asks by the version that it shows: after a restart none of the new ones may be the same."""
    with serving(tmp_path) as site:
        address = site.begin("tictactoe", player2="random", seed=2)
        versions = {site.sessions.get(address.rpartition("/")[2]).version}
    for _ in range(4):
        with serving(tmp_path) as site:
            versions.add(site.sessions.get(address.rpartition("/")[2]).version)
    assert len(versions) == 5
