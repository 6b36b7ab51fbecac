"""Reasons in rows for the page."""

from __future__ import annotations

import dataclasses
import re
from types import SimpleNamespace

import numpy as np
import pytest
from page_client import Site
from terms import CORNER, a_term

from rulebots.packages import load_game
from rulebots.web.reasons import _rule_bars

#: X has four stones with both ends free.
FOUR_IN_A_ROW = "15/15/15/15/7X7/7X7/7X7/7X7/O14/15/O14/15/O14/15/O14 X a7"


def test_reasons_of_rollouts() -> None:
    from rulebots.game.position import Position
    from rulebots.search.rollout.search import RolloutResult
    from rulebots.web.reasons import of_search

    counts, wins, none = np.array([30, 0]), np.array([0.625, np.nan]), np.zeros((0, 0))
    result = RolloutResult(2, 2, np.array([2, 1]), counts, wins, wins, wins, wins, 30, 0.1, 0, none, ("it",))
    reasons = of_search(result, Position(load_game("kalah")), ("it", "other"))
    assert reasons is not None
    assert reasons.deed == "sow pit 2 and move again"
    assert reasons.columns == ("move", "tried", "chance to win")
    assert reasons.moves == (("sow pit 2 and move again", "30", "62 %"), ("sow pit 1", "0", "-"))
    said = "By the champion's rules, it gets another turn; sowing pit "
    assert reasons.sentence.startswith(said), "where the search has tried no other, the rules compare with their next"
    assert reasons.sentence.endswith(" The search sees 62 % to win after sowing pit 2 and moving again.")


def test_a_chance_to_win_is_no_points_where_points_count() -> None:
    from rulebots.game.position import Position
    from rulebots.web.reasons import of_search

    game = dataclasses.replace(load_game("kalah"), counts="points")
    wins = np.array([0.57])
    result = SimpleNamespace(move=2, moves=[2], rollouts=np.array([50]), wins=wins, points=False)
    reasons = of_search(result, Position(game), ("it", "other"))
    assert reasons is not None
    assert reasons.moves == (("sow pit 2 and move again", "50", "57 %"),)


@pytest.mark.parametrize("tries", [1, 12, 20])
@pytest.mark.parametrize(("played", "second"), [(None, 1), (0, 0), (3, 1)])
def test_a_search_compares_its_move_with_the_one_that_was_played(played: int | None, second: int, tries: int) -> None:
    """Pit 3 looks better after fewer tries: that is no reason for pit 2, and after few there is nothing to tell."""
    from rulebots.game.position import Position
    from rulebots.web.reasons import of_search

    wins = np.array([0.6, 0.5, 0.4, 0.9])
    counts = np.array([30, 10, 20, tries])
    result = SimpleNamespace(move=2, moves=[2, 1, 0, 3], rollouts=counts, wins=wins, points=False)
    reasons = of_search(result, Position(load_game("kalah")), ("it", "other"), played)
    assert reasons is not None
    share = {1: 50, 0: 40}[second]
    ruled, _, seen = reasons.sentence.partition(" The search sees ")
    said = f"60 % to win after sowing pit 2 and moving again, {share} % after sowing pit {second}."
    if tries == 20 and played is None:
        said += " Sowing pit 3 looks better, 90 %, but was tried less: 20 times."
    if played == 3:
        said += " It hardly tried sowing pit 3." if tries == 1 else " It tried sowing pit 3 too little to trust 90 %."
        second = played
    assert seen == said, "the reason comes first, what the search sees last"
    assert ruled.startswith("By the champion's rules, it ")
    assert f"sowing pit {second}" in ruled, "the same two moves are compared"
    result.wins[:] = 0.5
    equal = of_search(result, Position(load_game("kalah")), ("it", "other"), played)
    assert equal is not None
    assert equal.sentence.startswith("By the champion's rules, it "), "where the search is undecided, as well"
    result.wins[:], counts[3] = [0.6, 0.5, 0.4, 0.9], 40
    often = of_search(result, Position(load_game("kalah")), ("it", "other"))
    assert often is not None
    assert "tried less" not in often.sentence, "it was tried more often than the choice"


@pytest.mark.parametrize(
    ("name", "text", "best", "second", "said"),
    [
        (
            "kalah",
            "1,0,0,0,9,2,15/1,0,4,0,0,4,12 0",
            "4",
            "0",
            ", Ben could sow pit 2 and move again, then sow pit 0 and capture 9: 11 points.",
        ),
        ("tictactoe", "3/1X1/O2 X", "a3", "c2", ""),
        (
            "circles",
            "./../.oo/..../..o../o...o. 0",
            "2,1",
            "4,2",
            " After taking the stone on 4,2, Ben can win by taking 2 stones, 2,1 to 2,2.",
        ),
        ("tictactoe", "1X1/1X1/O2 O", "b1", "c3", " After playing c3, you can win at once by playing b1."),
    ],
)
def test_a_search_says_what_comes_of_the_other_move(name: str, text: str, best: str, second: str, said: str) -> None:
    from rulebots.game.position import Position
    from rulebots.web.reasons import of_search

    game = load_game(name)
    position = Position.from_text(game, text)
    moves = [position.read(best), position.read(second)]
    result = SimpleNamespace(
        move=moves[0], moves=moves, rollouts=np.array([99, 99]), wins=np.array([0.6, 0.1]), points=False
    )
    reasons = of_search(result, position, ("you", "Ben"))
    assert reasons is not None
    facts, _, seen = reasons.sentence.partition(" The search sees ")
    assert facts.endswith(said)
    if name == "kalah":
        assert seen.startswith("60 % to win after "), "last"
    else:
        assert not seen, "what is worked out to the end leaves nothing to expect"
    assert bool(said) == ("could" in reasons.sentence or " can win" in reasons.sentence)


def test_what_a_search_expects_is_told_in_sentences() -> None:
    from rulebots.game.position import Position
    from rulebots.web.reasons import of_search

    result = SimpleNamespace(move=2, value=0.5, line=(2, 1, 0))
    reasons = of_search(result, Position(load_game("kalah")), ("it", "other"))
    assert reasons is not None
    assert reasons.line == [
        ("it sows pit 2 and moves again", "2"), ("it sows pit 1", "2,1"), ("other sows pit 0", "2,1,0"),
    ]  # fmt: skip


def test_a_line_leads_nowhere_once_the_dice_are_to_be_thrown() -> None:
    from rulebots.game.position import Position
    from rulebots.web.reasons import of_search

    position = Position(load_game("cant-stop"), seed=1)
    thrown = position.legal_moves.tolist()[0]
    position.push(thrown)
    move = position.legal_moves.tolist()[0]
    again = position.after(move).legal_moves.tolist()[0]
    line = [move, again, *position.after(move).after(again).legal_moves.tolist()[:1]]
    reasons = of_search(SimpleNamespace(move=move, value=0.5, line=line), position, ("it", "other"))
    assert reasons is not None
    assert [path for _, path in reasons.line] == [f"{move}", f"{move},{again}", ""]


def test_reasons_have_what_each_move_does() -> None:
    from rulebots.game.position import Position
    from rulebots.packages.players import make_player
    from rulebots.web.reasons import of_rules

    game = load_game("kalah")
    position = Position(game, seed=1)
    reasons = of_rules(make_player("hand_tuned", game), position, ("it", "other"))
    assert reasons.columns == ("move", "score")
    assert {said for said, _ in reasons.moves} == {position.deed(move) for move in position.legal_moves.tolist()}
    assert reasons.deed == reasons.moves[0][0] == "sow pit 2 and move again"
    assert re.fullmatch(
        rf"(Next best|Best different move): {reasons.moves[1][0]}, by these rules [\w ]*worse\.", reasons.remark
    )
    assert reasons.line[-1][0].startswith("other sows pit "), "the answer is told"
    assert reasons.bars[-1].words.startswith("All rules together: ")
    assert float(reasons.bars[-1].amount) > 0, "however the rules disagree, their sum is for the move"


def test_what_would_have_changed_its_mind_is_true(site: Site) -> None:
    """With the weight that the page names, the runner-up is as good as the move."""
    from rulebots.game.position import Position
    from rulebots.packages.players import make_player
    from rulebots.players import RulePlayer
    from rulebots.players.explaining import explain

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


@pytest.mark.parametrize(
    ("weight", "values", "words"),
    [
        (7.0, (1, 0), "Strongly for it: it takes a corner and threatens"),
        (7.0, (0, 1), "Strongly against it: stopping would take a corner and threaten"),
    ],
)
def test_a_bar_says_on_which_side_it_is(weight: float, values: tuple[float, ...], words: str) -> None:
    term = a_term(CORNER, (1, 1), values, weight)
    other = dataclasses.replace(term, amount=0.5)
    bar, rest, together = _rule_bars([term, other], [term], "it", "stopping", 10.0, str)
    assert bar.words == words
    assert (together.words, together.amount) == (
        f"All rules together: {words.partition(':')[0].lower()}",
        f"{term.amount + 0.5:+.2f}",
    )
    assert (rest.words, rest.amount) == ("1 other rule: slightly for it", "+0.50")
    assert (bar.size, rest.size) == (70, 5)
    assert len(_rule_bars([term, other], [term, other], "it", "stopping", 5.0, str)) == 3


def test_what_two_moves_have_in_common_is_a_reason_for_both() -> None:
    """Two moves that win differ in small things: those are not why one of them is made."""
    from rulebots.game.position import Position
    from rulebots.packages.players import make_player
    from rulebots.web.reasons import of_rules

    game = load_game("gomoku")
    position = Position.from_text(game, FOUR_IN_A_ROW)
    reasons = of_rules(make_player("champion", game), position, ("it", "other"))
    assert reasons.sentence.startswith("It makes five in a row: it holds h8, h9, h10 and h11 in line with it.")
    assert f". {reasons.moves[1][0]} is ".replace("play ", "Playing ") in reasons.sentence


@pytest.mark.parametrize("name", ["kalah", "gomoku", "lost-cities", "cant-stop", "hearts"])
def test_what_is_shown_first_speaks_for_the_move_beside_the_next_best(name: str) -> None:
    """The sentence, the bars and their sum compare the same two moves."""
    from rulebots.game.position import Position
    from rulebots.packages.players import make_player
    from rulebots.web.reasons import of_rules

    game = load_game(name)
    player = make_player("champion", game)
    position = Position(game, seed=3)
    seen = 0
    while seen < 12 and not position.over:
        if not position.chance_to_move and len(position.legal_moves) > 1:
            reasons = of_rules(player, position, [f"seat {seat}" for seat in range(position.seats)])
            assert reasons.sentence
            if reasons.bars:
                assert re.match("(Strongly f|Slightly f|F)or it: ", reasons.bars[0].words), reasons
                rival = re.sub(
                    r"^[\w ]+: |, by these rules (almost as good|a little worse|worse|much worse|just as good)\.$",
                    "",
                    reasons.remark,
                )
                if rival in dict(reasons.moves):
                    lead = float(reasons.moves[0][1]) - float(dict(reasons.moves)[rival])
                    assert float(reasons.bars[-1].amount) == pytest.approx(lead, abs=0.01)
                full = float(re.findall(r"A full bar is ([\d.]+);", reasons.scale)[0])
                for bar in (*reasons.bars, *reasons.more):
                    assert bar.size <= 100
                    assert abs(float(bar.amount)) == pytest.approx(bar.size * full / 100, rel=0.01, abs=0.02)
            seen += 1
        move = player.decide(position) if not position.chance_to_move else int(position.legal_moves[0])
        position.push(move)
    assert seen >= 5


def test_perfect_play_knows_what_each_move_leads_to() -> None:
    from rulebots.game.position import Position
    from rulebots.packages.players import make_player
    from rulebots.web.reasons import of_search

    game = load_game("tictactoe")
    position = Position.from_text(game, "X2/1O1/2X O", {})
    player = make_player("perfect", game).beginning_a_game()
    player.decide(position.copy())
    reasons = of_search(player.result, position, ("you", "Ben"))
    assert reasons is not None
    assert re.match(r"Worked out to the end: playing \w\d draws, as .* By the champion's rules, ", reasons.sentence)
    assert " The search sees a draw after playing " in reasons.sentence
    assert "a loss" in dict(reasons.moves).values(), "a corner loses"
    assert reasons.scale == "Worked out to the end."


def test_a_move_that_throws_a_win_away_is_told_beside_one_that_wins() -> None:
    from rulebots.game.position import Position
    from rulebots.web.reasons import ending_in

    position = Position.from_text(load_game("circles"), "./../.oo/..../..o../o...o. 0")
    told = ending_in(position, position.read("4,2"), ("you", "Ben"))
    assert (
        told
        == "Worked out to the end: taking the stone on 4,2 loses; 2 other moves win, such as taking the stone on 2,1."
    )
    assert ending_in(position, position.read("2,1"), ("you", "Ben")).endswith(" wins, as 1 other move does.")
    assert not ending_in(Position(load_game("kalah")), 2, ("you", "Ben"))


def test_how_much_worse_a_move_is_stands_in_words() -> None:
    from rulebots.web.reasons import _worse

    told = [_worse(lead) for lead in (0.0, 0.05, 0.9, 3.9, 4.0)]
    assert told == ["just as good", "almost as good", "a little worse", "worse", "much worse"]


def test_after_a_move_that_is_asked_about_the_rules_tell_what_would_follow() -> None:
    from rulebots.game.position import Position
    from rulebots.packages.players import make_player
    from rulebots.web.reasons import of_rules

    position = Position(load_game("kalah"))
    player = make_player("champion", position.game)
    assert not of_rules(player, position, ("you", "Ben")).instead
    instead = [said for said, _ in of_rules(player, position, ("you", "Ben"), 4, asked=True).instead]
    assert instead[0] == "You sow pit 4 (+1)"
    assert instead[1].startswith("Ben sows pit "), "what the opponent does about it"
    brought = sum(int(one) for said in instead for one in re.findall(r"\(([+-]\d+)\)", said))
    assert instead[-1].endswith(f", in all {brought:+} for you"), "the number of the reason, to be added up by hand"


def test_a_search_s_reason_tells_when_the_rules_prefer_the_other_move() -> None:
    from rulebots.game.position import Position
    from rulebots.packages.players import make_player
    from rulebots.players.explaining import explain
    from rulebots.web.reasons import of_search

    position = Position(load_game("kalah"))
    best, *_, worst = explain(make_player("champion", position.game), position).moves
    for move, other in ((best, worst), (worst, best)):
        counts, wins = np.array([30, 20]), np.array([0.6, 0.5])
        result = SimpleNamespace(move=move, moves=[move, other], rollouts=counts, wins=wins, points=False)
        reasons = of_search(result, position, ("it", "other"))
        assert reasons is not None
        assert reasons.sentence.startswith("By the champion's rules, it ") is (move == best)
        prefers = rf"The search sees 60 % to win after .*\. The champion's rules would rather sow pit {other}\b"
        assert bool(re.match(prefers, reasons.sentence)) is (move == worst)


def test_a_played_move_is_what_the_choice_is_compared_with() -> None:
    from rulebots.game.position import Position
    from rulebots.packages.players import make_player
    from rulebots.players.explaining import explain
    from rulebots.web.reasons import of_rules

    position = Position(load_game("tictactoe"))
    player = make_player("hand_tuned", position.game)
    played = int(explain(player, position).moves[-1])
    explained = explain(player, position, against=played)
    assert (explained.rival, explained.moves[explained.near]) == (len(explained.moves) - 1, played)
    assert explain(player, position, against=explained.chosen).against is None
    reasons = of_rules(player, position, ("Ada", "Ben"), played)
    assert reasons.remark.startswith(f"Played: play {position.write(played)}, ")
    assert reasons.sentence.startswith("It "), "the move, and not the player, who made another one"
