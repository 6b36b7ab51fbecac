"""A person at the board, through pipes."""

from __future__ import annotations

import contextlib
import dataclasses
import re
import signal
from pathlib import Path
from types import SimpleNamespace

import pytest
from checkout import GOLDEN

from rulebots.cli.dialogue import effort, names_on_board
from rulebots.game.position import Position
from rulebots.packages import GamePackage, game_names, load_game
from rulebots.play.deals import draw_deals
from rulebots.records import Ongoing, check, load_record, parse_record, record_text
from rulebots.search.mcts.search import Search
from rulebots.search.mcts.settings import SearchSettings

#: Nothing that takes long to compile: what is tested is the conversation.
CIRCLES = ("circles", "-s", "3", "-e", "2", "--seed", "3", "--against", "random")


@pytest.mark.slow
@pytest.mark.parametrize("name", game_names())
def test_every_game_can_be_played_and_helps(name: str, play) -> None:
    position = first_decision(name)
    move = position.write(position.legal_moves[0])
    typed = f"?\nhint\nmoves\nboard\nno move\n{move}\nundo\nquit\n"
    code, out, err = play(name, "--seed", "1", "--against", "random", typed=typed)
    assert (code, err) == (0, "")
    assert "save FILE   write the game to a new file" in out
    assert " would play " in out
    assert re.search(r"\d+ legal moves?:\n", out)
    names = names_on_board(position.game, ["you", *["random"] * (position.seats - 1)], 0)
    assert position.sentence(position.read(move), names) in out
    assert ("  why  " in out) is not position.game.hidden, "help offers nothing that is refused"
    assert "Traceback" not in out
    assert out.splitlines()[-1].startswith("You left the game"), "dice that were seen are not taken back: it is kept"
    taken_back = "what was drawn or thrown since then has been seen" not in out
    assert out.count(position.text(0)) >= 2 + taken_back, "at the start, for board, and after undo"


def first_decision(name: str) -> Position:
    """Where the first player decides in the game of seed 1, once chance has made what comes before."""
    game = Ongoing(only_deal(name))
    while game.position.chance_to_move:
        game.play(game.draw())
    return game.position


def only_deal(name: str):
    game = load_game(name)
    deals = draw_deals(game, 1, 1, opening_plies=0)
    words = " ".join(map(str, deals.cards[0].tolist()))
    deal = f"deal: {words}\n" if words else ""
    if game.chance:
        deal += f"chance: {deals.outcomes[0]}\n"
    head = f"format: rulebots-record/1\ngame: {name}\nplayer 1: you\nplayer 2: random\ngames: 1\n"
    seats = game.seats_with({})
    who = "player 1 begins" if seats == 2 else f"players 1{' 2' * (seats - 1)}"
    return parse_record(f"{head}game 1: {who}\n{deal}result: unfinished\n").games[0]


def test_a_bad_move_says_why_and_asks_again(play) -> None:
    _, out, _ = play(*CIRCLES, typed="9,9\n0,0,2,2\nnonsense\n\n0,0\nquit\n")
    asked = out.split("your move (? for help): ")
    assert "there is no stone 9,9: rows are 0 to 2" in asked[1]
    assert asked[2].strip()
    assert "expected one stone as 'row,col'" in asked[3]
    assert asked[4] == "\n", "an empty line is asked again"
    assert "You take the stone on 0,0\n" in asked[5]
    assert "random takes " in asked[5]


def test_moves_shows_every_legal_move_in_natural_order_in_lines_that_fit(play, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "31")
    _, out, _ = play("gomoku", "--size", "10", "--against", "random", "--seed", "1", typed="moves\nquit\n")
    lines = out.partition("100 legal moves:\n")[2].partition("your move")[0].splitlines()
    assert " ".join(lines).split() == [f"{file}{rank}" for file in "abcdefghij" for rank in range(1, 11)]
    assert lines[:2] == ["a1   a2   a3   a4   a5   a6", "a7   a8   a9   a10  b1   b2"]


def test_words_that_are_no_move_are_answered(play, monkeypatch) -> None:
    words = ("kalah", "--against", "random", "--seed", "1")
    _, out, _ = play(*words, typed="?\nrules\nstory\nresign\n")
    _, helped, rules, story, left = out.split("your move (? for help): ")
    assert "  rules  " in helped
    assert "\n- If the last stone falls into your store, move again.\n" in rules
    assert story.startswith("story\nexpected one of your pits, ")
    assert story.endswith("not 'story' (? for help)\n")
    assert left == "resign\nYou left the game\n"
    monkeypatch.setattr(GamePackage, "about", ("", ()))
    _, out, _ = play(*words, typed="?\nrules\nquit\n")
    assert "  rules  " not in out, "it is not offered where nothing is written"
    assert "rules\nexpected one of your pits, " in out


def test_a_hint_says_what_its_move_does(play) -> None:
    _, out, _ = play("kalah", "--against", "random", "--seed", "1", typed="hint standard\nhint minimax:depth=1\nquit\n")
    assert "standard would play 2: sow pit 2 and move again\n" in out
    assert re.search(r"minimax:depth=1 would play \d: sow pit \d.*   \(", out)
    _, out, _ = play("tictactoe", "--against", "random", "--seed", "1", typed="hint careful\nquit\n")
    assert re.search(r"careful would play \w\d\n", out), "nothing is said twice"


def test_the_board_is_shown_when_a_person_is_to_move_and_at_the_end(play) -> None:
    words = (STANDING, "--seats", "3", "--against", "random", "--seed", "1")
    _, out, _ = play(*words, typed="1\nquit\n")
    board = r"seat 0 sees \[.*\]\n"
    turn = r"your move \(\? for help\): "
    assert re.search(rf"\n{board}{turn}1\nYou .*\nrandom .*\nrandom \(2\) .*\n{board}{turn}quit\n", out)
    _, out, _ = play("tictactoe", "--against", "careful", "--seed", "1", typed="a1\nb1\na3\nc3\na2\nc2\nb2\n")
    assert out.endswith(" a  b  c\nO has won\nYou lost: careful won\n"), "the last board"
    assert out.count("careful plays") + 1 == out.count(" a  b  c\n")
    _, out, _ = play(STANDING, "--player", "random", "--against", "random", "--seed", "2", "--seats", "3")
    assert out.count(" sees ") == out.count(" s)\n") + 1, "who watches sees every board"


def test_why_explains_the_latest_move_of_another_player(play) -> None:
    _, out, _ = play("tictactoe", "--against", "careful", "--seed", "1", typed="why\nb2\nwhy\nquit\n")
    asked = out.split("your move (? for help): ")
    assert asked[1] == "why\nno other player has moved yet\n"
    moved = next(line for line in asked[2].splitlines() if line.startswith("careful "))
    assert asked[3].startswith(
        f"why\n{moved.partition('   ')[0]}. Its rules see no difference between this and playing b1. Worked out to "
    )
    _, out, _ = play("tictactoe", "--against", "random", "--seed", "1", typed="b2\nwhy\nquit\n")
    assert ". It gives no reasons. Worked out to the end: playing " in out
    _, out, _ = play("tictactoe", "--against", "minimax:depth=1", "--seed", "1", typed="b2\nwhy\nquit\n")
    told = r"\d+ positions, 1 plies deep\. The search sees [+-][\d.]+ points after playing \w\d\."
    assert re.search(rf"(?m)^the minimax search .*\. By its search: {told} Worked out ", out)


def test_moves_that_are_numbers_are_typed_as_they_are_shown(play) -> None:
    """What the package counts them by is not shown, and means nothing."""
    small_games = Path(__file__).parents[2] / "live" / "small_games.py"
    _, out, _ = play(f"{small_games}:Nim", "--against", "random", "--seed", "1", typed="moves\n0\n3\nhistory\nquit\n")
    assert "3 legal moves:\n1  2  3\n" in out
    assert "expected a move, such as 1, 2, 3, not '0' (? for help)" in out
    assert "\nYou play 3\n" in out
    assert "  1  You play 3\n" in out


def test_why_not_names_another_move_than_the_one_made(play) -> None:
    _, out, _ = play("tictactoe", "--against", "careful", "--seed", "1", typed="why not a1\nb2\nwhy not a1\nquit\n")
    assert "no other player has moved yet; of a move of yours ask: hint not a1\n" in out
    assert "a1 is the move that was made: ask about another one\n" in out


def test_a_move_that_was_not_made_is_asked_about(play) -> None:
    """The reasons speak against that one, of another player's latest move or of a hint."""
    typed = "5\nwhy not 4\nwhy not 9\nwhy not\nhint not\nh\nhint not 0\nhint mcts:iterations=9 not 0\nquit\n"
    _, out, _ = play("kalah", "--against", "champion", "--seed", "3", typed=typed)
    _, _, theirs, wrong, bare, next_best, hint, mine, searched, _ = out.split("your move (? for help): ")
    assert re.match(r"why not 4\nchampion sows pit \d.*\. .*\bsowing pit 4\b", theirs)
    assert wrong == "why not 9\nexpected one of your pits, 0 (the leftmost) to 5, not '9'\n"
    assert bare.startswith("why not\nchampion sows pit "), "it takes the next best"
    assert next_best.partition("\n")[2] == hint.partition("\n")[2] != ""
    assert re.match(r"hint not 0\nchampion would play \d: .*\n.*\bsowing pit 0\b", mine)
    assert re.match(r".*\nmcts:iterations=9 would .*\nThe search sees .*", searched)


def test_moves_says_what_a_coded_move_does(play) -> None:
    _, out, _ = play("lost-cities", "--seed", "7", "--against", "dumb", typed="moves\nquit\n")
    lines = out.partition("legal moves:\n")[2].partition("your move")[0].splitlines()
    assert all(re.fullmatch(r"\w+ +(play|discard|invest) .*", line) for line in lines), lines
    assert any(re.fullmatch(r"d2j   discard the 2 of jungles", line) for line in lines), lines


def test_short_words_are_commands_unless_the_game_has_such_moves(play, monkeypatch) -> None:
    words = ("tictactoe", "--against", "random", "--seed", "1")
    _, out, _ = play(*words, typed="b2\nu\nh standard\nquit\n")
    *_, undone, hinted, _ = out.split("your move (? for help): ")
    assert "b  c" in undone.partition("\n")[2]
    assert "X" not in undone.partition("to move")[0].removesuffix("X ")
    assert re.match(r"h standard\nstandard would play ", hinted)
    monkeypatch.setattr(Position, "read", lambda self, text: int(self.legal_moves[0]) if text == "h" else 0)
    monkeypatch.setattr(Position, "write", lambda self, move: "h")
    _, out, _ = play(*words, typed="h\nquit\n")
    assert "You play " in out


def test_hints_of_an_own_game_are_those_of_its_rules_or_of_an_opponent(play) -> None:
    """Not of a player that moves at random."""
    place = Path(__file__).parents[2] / "live" / "small_games.py"
    words = (f"{place}:CopiedNim", "--import", f"{place}:nim_rules", "--seed", "1")
    _, out, _ = play(*words, "--against", "random", typed="?\nhint\nquit\n")
    assert f"  hint        what {place}:nim_rules would play" in out
    assert f"\n{place}:nim_rules would play take " in out
    _, out, _ = play(*words, "--against", "mcts:iterations=4", typed="hint\nquit\n")
    assert "\nmcts:iterations=4 would play take " in out


def test_a_slip_is_compared_with_the_player_s_own_choice(play) -> None:
    words = ("circles", "--against", "careless:player=hand_tuned,share=1", "--seed", "4")
    _, out, _ = play(*words, typed="0,0\nwhy\nwhy 2\nwhy two\nquit\n")
    told = out.split("your move (? for help): ")
    moved = re.fullmatch(r"careless:\S+ (?:takes) (.+) \([\d,]+\)\. (.+)\n", told[2].partition("\n")[2])
    assert moved is not None
    assert moved[2].startswith("A slip: at this level it sometimes moves at random. Its own choice was to take ")
    assert f"taking {moved[1]}" in moved[2], "the better move stands beside the one that was played"
    assert told[3] == "why 2\nthe other players have made 1 move: type why 1\n"
    assert told[4] == "why two\nexpected why, or why 2 for the move before the latest, not 'why two'\n"


def test_reasons_of_a_game_with_hidden_cards_wait_for_its_end(play) -> None:
    typed = "why\n1\nwhy\n2\n3\n4\n5\n0\nwhy\nwhy 3\nwhy 99\nit is over\nwhy\n"
    _, out, _ = play("goofspiel:game", "--against", "matching", "--seed", "1", typed=typed)
    assert "why\nno other player has moved yet\n" in out
    assert "why\nthe reasons would tell what is hidden from you: ask when the game is over\n" in out
    *_, latest, earlier, refused = out.splitlines()
    assert latest == "matching (2) plays 5. It is the only legal move."
    assert re.match(r"matching \(2\) plays \d\. It ", earlier)
    assert refused == "the other players have made 12 moves: type why 1 to why 12"


def test_a_whole_game_ends_with_its_result(play) -> None:
    typed = "0,0\n1,0,1,1\n" * 3 + "1,0\n1,1\n2,0\n2,1\n2,2\n" * 2
    code, out, _ = play("circles", "-s", "2", "--seed", "1", "--against", "random", typed=typed)
    assert code == 0
    assert re.search(r"(You|random) won\n$", out)


@pytest.mark.compiled
def test_the_flags_of_the_ruby_program(play) -> None:
    code, out, _ = play("circles", "-p", "1", "-s", "4", "-e", "2", "-f", "-l", "--seed", "1", typed="quit\n")
    assert code == 0
    title = "Circles, size 4, eliminate 2, last loses, seed 1: you begin against the tree search (mcts:power=1)"
    assert out.startswith(title)
    assert "Usage: rulebots play" in play("-h")[1]
    _, out, _ = play("circles", "-p", "1", "-s", "2", "--last", "--seed", "1", typed="quit\n")
    assert "the tree search (mcts:power=1) begins against you" in out
    assert re.search(r"the tree search takes .* +\([\d,]+ simulations, .*s\)", out)


def test_the_seed_decides_a_random_side(play) -> None:
    found = {
        play(*CIRCLES[:5], "--seed", str(seed), "--random-side", "--against", "random")[1].splitlines()[0]
        for seed in range(8)
    }
    assert len({"you begin" in line for line in found}) == 2


def test_the_moves_so_far_are_listed_without_what_is_hidden(play) -> None:
    _, out, _ = play("kalah", "--seed", "3", "--against", "leftmost", typed="history\n3\nhistory\nquit\n")
    assert "no move has been made\n" in out
    assert "  1  You sow pit 3\n" in out
    _, out, _ = play("lost-cities", "--seed", "7", "--against", "dumb", typed="moves\nquit\n")
    move = re.search(r"legal moves:\n(\S+)", out)[1]
    _, out, _ = play("lost-cities", "--seed", "7", "--against", "dumb", typed=f"{move}\nn\nhistory\nquit\n")
    listed = re.findall(r"^ +\d+  (.*)$", out, re.MULTILINE)
    assert listed, out
    assert any("dumb draws from the deck" in line for line in listed), listed


def test_a_saved_game_goes_on_where_it_was_left(play, tmp_path: Path) -> None:
    _, out, _ = play(*CIRCLES, typed="0,0\nsave my game.txt\nsave it.txt\nsave it.txt\nsave\nquit\n")
    assert "saved; to continue: rulebots play --resume it.txt" in out
    assert "saved; to continue: rulebots play --resume 'my game.txt'\n" in out
    assert "'it.txt' exists already" in out
    assert "expected the name of a new file: save FILE" in out
    record = load_record("it.txt")
    assert [game.plies for game in check(record)] == [2]
    code, again, _ = play("--resume", "it.txt", typed="undo\nquit\n")
    assert code == 0
    assert again.splitlines()[0].endswith("you begin against random")
    first = load_game("circles").text.show(Ongoing(record.games[0]).position.state, 0)
    assert first in again
    typed = "2,0\n2,1\n2,2\n1,0\n1,1\n" * 3
    assert re.search(r"(You|hand_tuned) won\n", play("--resume", "it.txt", "--against", "hand_tuned", typed=typed)[1])


def test_hidden_cards_stay_hidden_and_a_card_that_was_drawn_is_not_taken_back(play) -> None:
    typed = "moves\nquit\n"
    _, out, _ = play("lost-cities", "--seed", "7", "--against", "dumb", typed=typed)
    assert " Hand:" in out
    assert "Other:" not in out
    move = re.search(r"legal moves:\n(\S+)", out)[1]
    typed = f"{move}\nundo\n{move}\nn\nundo\nquit\n"
    _, out, _ = play("lost-cities", "--seed", "7", "--against", "dumb", typed=typed)
    assert "Other:" not in out
    assert out.count(f" ({move})\n") == 2
    assert out.count("cannot be taken back: what was drawn or thrown since then has been seen") == 1
    hands = re.findall(r" Hand: (.*)", out)
    assert hands[0] == hands[2] != hands[-1]


def test_two_players_show_their_game(play) -> None:
    words = ("tictactoe", "--player", "random", "--against", "random", "--seed", "2", "--delay", "0.01")
    code, out, err = play(*words)
    assert (code, err) == (0, "")
    assert len(re.findall(r"random( \(2\))? plays ", out)) >= 5
    assert "your move" not in out


KEPT = "; the game so far is in circles-unfinished.txt; to continue: rulebots play --resume circles-unfinished.txt\n"


def test_the_end_of_input_keeps_the_game(play) -> None:
    code, out, err = play(*CIRCLES, typed="0,0\n")
    assert (code, err) == (0, "")
    assert out.endswith(f"The input has ended{KEPT}")
    kept = load_record("circles-unfinished.txt").games[0]
    code, out, _ = play("--resume", "circles-unfinished.txt", typed="")
    assert (code, out.endswith("The input has ended\n")) == (0, True), "without a new move there is nothing to keep"
    assert kept.rows[0].moves[0] == "0,0"
    assert not Path("circles-unfinished-2.txt").exists()


def test_ctrl_c_keeps_the_game(play, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter(["0,0"])

    def asked(_: str) -> str:
        for answer in answers:
            return answer
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", asked)
    code, _, err = play(*CIRCLES)
    assert (code, err) == (130, f"rulebots: interrupted{KEPT}")
    assert load_record("circles-unfinished.txt").games[0].plies == 2


def test_ctrl_c_before_any_move_says_that_nothing_is_kept(play, monkeypatch: pytest.MonkeyPatch) -> None:
    def asked(_: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", asked)
    assert play(*CIRCLES)[2] == "rulebots: interrupted; nothing was kept: there is no new move\n"


def test_ctrl_c_keeps_the_game_where_input_fails_with_another_error(play, monkeypatch: pytest.MonkeyPatch) -> None:
    """`input` does where another signal follows within microseconds."""
    answers = iter(["0,0"])

    def asked(_: str) -> str:
        for answer in answers:
            return answer
        with contextlib.suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        raise SystemError("returned a result with an exception set")

    monkeypatch.setattr("builtins.input", asked)
    former = signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever started the tests may ignore it
    code, _, err = play(*CIRCLES)
    signal.signal(signal.SIGINT, former)
    assert (code, err) == (130, f"rulebots: interrupted{KEPT}")
    assert load_record("circles-unfinished.txt").games[0].plies == 2


WRONG = {
    (): (2, "expected a game, one of cant-stop, circles, "),
    ("circels",): (2, "no game 'circels'; did you mean 'circles'?"),
    ("circles", "--first", "--last"): (2, "--first and --last each say who begins"),
    ("circles", "-p", "2", "--against", "random"): (2, "--power and --against each say who plays on the other side"),
    ("circles", "-p", "0"): (2, "expected a whole number from 1 to 1,000,000, not '0'"),
    ("circles", "-s", "99"): (2, "option 'size' of circles takes a whole number from 2 to 12, not 99"),
    ("circles", "-s", "5", "--option", "size=6"): (2, "--option: 'size' is there twice"),
    ("circles", "-s", "5", "--size", "6"): (2, "--size: it is there twice"),
    ("circles", "--size", "many"): (2, "--size: expected a whole number, not 'many'"),
    ("circles", "-l5"): (2, "-l: it takes no value, not '5'"),
    ("kalah", "-e", "2"): (2, "no option '-e' of kalah; there are: --pits, --stones, --empty-capture, --no-empty-c"),
    ("kalah", "--agianst", "random"): (2, "no option '--agianst' of kalah; did you mean '--against'?"),
    ("--size", "5", "circles"): (2, "expected the game first, and its options after it, not '--size'"),
    ("lost-cities", "-p", "1"): (2, "searches positions, but Lost Cities hides cards"),
    ("circles", "--against", "nobody"): (2, "no player 'nobody' of circles"),
    ("--resume", "no.txt"): (1, "no.txt: there is no such file"),
    ("circles", "--resume", "no.txt"): (2, "a saved game knows its game, options, seed and sides: leave them out"),
    ("--resume", "no.txt", "--size", "5"): (2, "a saved game knows its game, options, seed and sides: leave them out"),
    ("circles", "--delay", "61"): (2, "--delay: expected a number from 0 to 60, not '61'"),
}


@pytest.mark.parametrize("words", WRONG, ids=" ".join)
def test_a_mistake_ends_in_one_line(words, play) -> None:
    code, message = WRONG[words]
    found, out, err = play(*words)
    assert (found, out) == (code, "")
    assert message in err
    assert err.count("\n") == 1


def test_a_finished_game_is_not_resumed(play) -> None:
    Path("over.txt").write_text(record_text(load_record(GOLDEN / "circles.txt")))
    assert "there is no unfinished game in it" in play("--resume", "over.txt")[2]


def test_a_player_that_meets_itself_has_two_names(play) -> None:
    _, out, _ = play("tictactoe", "--player", "random", "--against", "random", "--seed", "2")
    assert "random begins against random (2)\n" in out
    assert "random (2) plays " in out
    assert re.search(r"(won|A draw)\n$", out)


def test_two_persons_each_see_their_own_side(play) -> None:
    code, out, _ = play("lost-cities", "--seed", "3", "--against", "you", typed="3v\nn\nsave two.txt\nquit\n")
    assert (code, "player 1 draws from the deck (n)" in out) == (0, True)
    hands = re.findall(r" Hand:  (.*)", out)
    assert "3V" in hands[0].split()
    assert not set(hands[0].split()) & set(hands[-1].split()) - {"InvJ"}
    assert "player 1 begins against player 2" in play("--resume", "two.txt", typed="quit\n")[1]


WHY_NOT = {
    ("tictactoe", "1,1", "b2"): "there is a stone on b2 already",
    ("gomoku", "h8", "7,7"): "there is a stone on h8 already",
    ("kalah", "2", "2"): "pit 2 is empty",
    ("circles", "0,0", "0,0"): "0,0 takes 0,0, which is gone already",
    ("lost-cities", "n"): "play or discard a card first",
    ("lost-cities", "2d"): "2D is not in your hand",
    ("lost-cities", "3v", "2v"): "you have laid a card already: now draw one",
    ("lost-cities", "3v", "d"): "the pile of Deserts is empty",
    ("lost-cities", "d3v", "v"): "the card that you have just discarded stays on its pile",
    ("lost-cities", "3v", "n", "2v"): "2V does not go on your expedition: the last card there is higher",
}


@pytest.mark.parametrize("case", WHY_NOT, ids=" ".join)
def test_an_illegal_move_is_told_why(case, play) -> None:
    name, *typed = case
    other = "discard" if name == "lost-cities" else "you"
    words = (name, "--seed", "3", "--against", other)
    code, out, err = play(*words, typed="\n".join([*typed, "quit\n"]))
    assert (code, err) == (0, "")
    answer = out.rpartition(f"(? for help): {typed[-1]}\n")[2]
    assert answer.startswith(WHY_NOT[case])


def test_an_expected_draw_is_no_loss() -> None:
    game = load_game("tictactoe")
    found = Search(game, SearchSettings(iterations=5)).run(Position(game))
    drawn = dataclasses.replace(found, simulations=1200, value=-0.001)
    assert drawn.effort == ("1,200 simulations", "expects +0.00")
    assert dataclasses.replace(drawn, simulations=0).effort[0] == "worked out to the end"
    assert effort(SimpleNamespace(result=drawn)) == drawn.effort
    assert effort(SimpleNamespace()) == ()


STANDING, TOWER, GOOFSPIEL = "standing:game", "tower:game", "goofspiel:game"


def test_persons_and_players_share_a_table(play) -> None:
    words = (STANDING, "--seats", "4", "--against", "you", "--against", "random", "--against", "anyhow", "--seed", "1")
    code, out, err = play(*words, typed="1\n3\nquit\n")
    assert (code, err) == (0, "")
    assert "Last One Standing, seats 4, seed 1: player 1 begins against player 2, random and anyhow\n" in out
    assert "player 1, your move (? for help): 1\nplayer 1 plays 1\n" in out
    assert "player 2, your move (? for help): 3\nplayer 2 plays 3\n" in out
    assert re.search(r"random plays \d .*\nanyhow plays \d ", out)
    _, out, _ = play(STANDING, "--seats", "3", "--last", "--against", "random", "--seed", "1", typed="quit\n")
    assert "random begins against random (2) and you\n" in out
    _, out, _ = play(STANDING, "--player", "random", "--against", "random", "--seed", "2", "--seats", "3")
    assert re.search(r"\n(random|random \(2\)|random \(3\)) won\n$", out)


def test_a_saved_game_of_a_game_that_is_not_installed_names_its_place(play) -> None:
    words = (STANDING, "--seats", "3", "--against", "random", "--seed", "1")
    _, out, _ = play(*words, typed="1\nsave it.txt\nquit\n")
    assert "saved; to continue: rulebots play standing:game --resume it.txt\n" in out
    code, out, _ = play(STANDING, "--resume", "it.txt", typed="quit\n")
    assert (code, "Last One Standing, seats 3, seed 1: you begin" in out) == (0, True)
    elsewhere = Path("it.txt").read_text().replace(STANDING, "elsewhere.py:game")
    Path("other.txt").write_text(elsewhere)
    code, _, err = play("--resume", "other.txt", typed="quit\n")
    assert code == 1
    assert err.endswith(": rulebots play elsewhere.py:game --resume other.txt brings it\n")


def test_a_table_of_one_and_one_that_plays_together(play) -> None:
    code, out, _ = play(TOWER, "--seats", "1", "--seed", "1", typed="2\n2\n1\n")
    assert (code, "Tower, seed 1: you play alone\n" in out) == (0, True)
    assert out.endswith("The game is over. You 5\n")
    _, out, _ = play(TOWER, "--seats", "3", "--against", "random", "--seed", "1", typed="2\n2\n2\n")
    assert "you begin with random and random (2)\n" in out
    assert re.search(r"The game is over\. Together: \d+ points\n$", out)


def test_a_secret_move_is_not_told(play) -> None:
    words = (GOOFSPIEL, "--against", "you", "--against", "matching", "--seed", "1")
    _, out, _ = play(*words, typed="1\n2\nquit\n")
    assert "player 1 plays 1\n" in out
    assert "matching makes a move that you do not see   (" in out
    _, out, _ = play(GOOFSPIEL, "--player", "matching", "--against", "matching", "--seed", "1")
    assert "do not see" not in out, "who watches sees all"


def test_a_saved_game_of_three_goes_on_with_other_players(play) -> None:
    play(STANDING, "--seats", "3", "--against", "random", "--seed", "1", typed="1\nsave three.txt\nquit\n")
    _, out, _ = play("--resume", "three.txt", typed="quit\n")
    assert "you begin against random and random (2)\n" in out
    _, out, _ = play("--resume", "three.txt", "--against", "anyhow", "--against", "you", typed="quit\n")
    assert "player 1 begins against anyhow and player 3\n" in out
    _, _, err = play("--resume", "three.txt", *["--against", "random"] * 3)
    assert "each of 2 other seats, or one for all, not 3" in err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((STANDING, "--seats", "4", *["--against", "random"] * 2), "each of 3 other seats, or one for all, not 2"),
        (
            ("tictactoe", *["--against", "random"] * 2),
            "each of 1 other seat, or one for all, not 2",
        ),
        ((TOWER, "--against", "random"), "expected a player for each of 0 other seats, or one for all, not 1"),
        ((STANDING, "--seats", "7"), "option 'seats' of standing takes a whole number from 2 to 6, not 7"),
    ],
)
def test_a_table_that_cannot_be_seated_is_one_line(words, message, play) -> None:
    code, out, err = play(*words)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_the_command_that_continues_a_game_brings_a_player_of_ones_own(play) -> None:
    last = "class Last(Player):\n    def choose(self, view, moves):\n        return moves[-1]\n"
    Path("resumed_last.py").write_text(f"from rulebots import Player\n\n\n{last}")
    _, out, _ = play("tictactoe", "--against", "resumed_last.py:Last", "--seed", "1", typed="a1\nquit\n")
    assert "rulebots play --resume tictactoe-unfinished.txt --import=resumed_last.py:Last\n" in out
