"""The rules of Hearts on written positions: the value that each must give."""

from __future__ import annotations

from typing import Any

import pytest
from hearts_views import card_of, view_of
from written_positions import Case, on_written_positions, value_of

from rulebots.games.hearts.facts import HOPE
from rulebots.games.hearts.rules import standard

#: Thirteen cards: three spades with the queen, four hearts, two clubs, four diamonds.
DEALT = "5C AC 3D 8D 9D TD 4S JS QS 2H 7H JH AH"
#: Winners in each suit, and nothing that could lose but the seven.
STRONG = "AC KC QC JC TC AD KD QD AS KS AH KH 7H"
#: The others hold three cards, one a suit.
FEW = "9C 9S 9H"


def case(rule: str, what: str, about: str, value: float, **where: Any) -> Case:
    return Case(rule, what, where, about, value)


def passing(rule: str, what: str, about: str, value: float, hand: str = DEALT) -> Case:
    return case(f"pass.{rule}", what, about, value, hand=hand, passing=True)


def lead(rule: str, what: str, about: str, value: float, hand: str, out: str | None = None, **where: Any) -> Case:
    return case(f"lead.{rule}", what, about, value, hand=hand, out=out, **where)


def follow(rule: str, what: str, about: str, value: float, hand: str, trick: str, **where: Any) -> Case:
    return case(f"follow.{rule}", what, about, value, hand=hand, trick=trick, **where)


def throw(rule: str, what: str, about: str, value: float, hand: str, trick: str, **where: Any) -> Case:
    return case(f"throw.{rule}", what, about, value, hand=hand, trick=trick, **where)


#: Another has the queen and two hearts, and nobody else has points.
SHOT = (0, 0, 15, 0)
CASES = [
    passing("high", "an ace", "AC", 1),
    passing("high", "a two", "2H", 0),
    lead("high", "an ace", "AC", 1, "AC 2C"),
    lead("high", "a two", "2C", 0, "AC 2C"),
    passing("danger", "one lower", "AC", 1 / 2),
    passing("danger", "three lower", "TD", 8 / 12 / 4),
    passing("queen", "she", "QS", 1),
    passing("queen", "another queen", "QC", 0, STRONG),
    passing("bare_queen", "two low spades", "QS", 2 / 4),
    passing("bare_queen", "four", "QS", 0, "2S 3S 4S 5S QS"),
    passing("over_queen", "the ace without low spades", "AS", 1, STRONG),
    passing("over_queen", "the queen herself", "QS", 0),
    passing("guard", "the jack", "JS", 1),
    passing("guard", "the queen", "QS", 0),
    passing("needed_guard", "I hold the queen", "JS", 1),
    passing("needed_guard", "I hold none of the three", "JS", 0, "4S JS 2H"),
    passing("heart", "a heart", "2H", 1),
    passing("heart", "a club", "5C", 0),
    passing("high_heart", "the ace", "AH", 1),
    passing("high_heart", "another ace", "AC", 0),
    passing("only_high_heart", "one of two", "AH", 0),
    passing("only_high_heart", "the only one", "JH", 1, "2H TH JH 5C"),
    passing("only_high_heart", "the ten", "TH", 0, "2H TH JH 5C"),
    passing("short", "one of two clubs", "5C", 2 / 3),
    passing("short", "one of four diamonds", "3D", 0),
    passing("short", "spades are no minor suit", "QS", 0),
    passing("way_out", "a three", "3D", 1),
    passing("way_out", "a four", "4S", 0),
    passing("moon_high", "a heart is lost", "AH", HOPE[2], STRONG),
    passing("moon_high", "half as high", "8H", HOPE[2] / 2, "AC KC QC JC TC AD KD QD AS KS AH KH 8H"),
    passing("moon_long", "one of five", "AC", HOPE[2] * 5 / 13, STRONG),
    passing("moon_long", "one of two", "AS", HOPE[2] * 2 / 13, STRONG),
    lead("stays", "nobody has a higher one", "AC", 1, "AC 2C"),
    lead("stays", "somebody is forced over", "2C", 0, "AC 2C"),
    lead("stays", "one of three has both", "8C", 1 / 3, "8C", "9C 7C"),
    lead("stays", "one of two has both", "8C", 1 / 2, "8C", "9C 7C", void="1C"),
    lead("points", "two may throw her, or a heart", "AC", 2 * (1 / 3 + 5 / 9 / 13), "AC", "9C 9H TH QS", tricks=9),
    lead("points", "none can on the first trick", "AC", 0, "AC", "9C 9H TH QS"),
    lead("points", "it loses the trick", "2C", 0, "2C", "9C 9H TH QS", tricks=9),
    lead("hunts", "a low spade", "9S", 1, "9S 9D"),
    lead("hunts", "she has fallen", "9S", 0, "9S 9D", "AS 2D"),
    lead("hunts", "I hold her", "9S", 0, "9S QS"),
    lead("hunts_bare", "the only low spade beside the king", "9S", 1, "9S KS"),
    lead("hunts_bare", "one of three", "9S", 1 / 3, "2S 3S 9S AS"),
    lead("hunts_bare", "I hold no high spade", "9S", 0, "9S 2S"),
    lead("spends_guard", "one of two", "9S", 1 / 2, "9S 2S QS"),
    lead("spends_guard", "another holds her", "9S", 0, "9S 2S"),
    lead("over_queen", "another holds her", "AS", 1, "AS 2S"),
    lead("over_queen", "I hold her", "AS", 0, "AS QS"),
    lead("queen", "she stays highest", "QS", 1, "QS 2C", "JS 2H"),
    lead("queen", "she does not", "QS", 0, "QS 2C", "AS 2H"),
    lead("heart", "a heart", "2H", 1, "2H 3C"),
    lead("heart", "a club", "3C", 0, "2H 3C"),
    lead("low_heart", "it loses", "2H", 1, "2H AH"),
    lead("low_heart", "it wins", "AH", 0, "2H AH"),
    lead("short", "my last card of it", "2H", 1, "2H 3C 4C"),
    lead("short", "one of two", "3C", 1 / 2, "2H 3C 4C"),
    lead("fresh", "eleven are out", "3C", 11 / 13, "2H 3C 4C"),
    lead("fresh", "one is out", "3C", 1 / 13, "2H 3C 4C", FEW),
    lead("cashes", "an ace of a suit that was not led", "AC", 11 / 13, "AC 2C"),
    lead("cashes", "a suit that has gone", "AD", 0, "AD 2C", FEW),
    lead("mine_alone", "nobody else has one", "AD", 1, "AD 2C", FEW),
    lead("mine_alone", "another has one", "2C", 0, "AD 2C", FEW),
    lead("to_void", "two lack it", "AC", 2 / 3, "AC 2D", void="1C 3C"),
    lead("to_void", "all may have it", "AC", 0, "AC 2D"),
    lead("moon", "nothing is lost", "AC", HOPE[0], "AC AD", FEW),
    lead("moon", "a heart is lost", "AC", HOPE[2], STRONG),
    lead("moon", "another has a point", "AC", 0, "AC AD", FEW, taken=(0, 1, 0, 0)),
    lead("moon_high", "a trick is lost", "8C", HOPE[1] / 2, "8C", FEW),
    lead("moon_high", "my points do not matter", "AC", HOPE[0], "AC", FEW, taken=(5, 0, 0, 0)),
    lead("stops", "another has three cards with points", "AC", 3 / 6, "AC", FEW, taken=SHOT),
    lead("stops", "another has the queen", "AC", 1 / 4, "AC", FEW, taken=(0, 13, 0, 0)),
    lead("stops", "two have points", "AC", 0, "AC", FEW, taken=(0, 1, 12, 0)),
    lead("stops", "a single heart says nothing", "AC", 0, "AC", FEW, taken=(0, 0, 1, 0)),
    follow("points", "last, with the queen in it", "AC", 1, "AC 2C", "3C 4C QS"),
    follow("points", "under the highest", "2C", 0, "AC 2C", "3C 4C QS"),
    follow("stays", "last", "AC", 1, "AC 2C", "3C 4C 5C"),
    follow("stays", "one who comes after holds the only other card or not", "8C", 1, "8C 2C", "7C", out="6C"),
    follow("stays", "the higher card is with one of two who come after", "8C", 1 / 3, "8C 2C", "7C", out="9C"),
    follow("rain", "nobody comes after", "AC", 0, "AC", "3C 4C 5C", out="QS", tricks=9),
    follow("rain", "one who lacks clubs may have the queen", "AC", 1 / 3, "AC", "3C 4C", out="QS", void="1C", tricks=9),
    follow("over", "over", "AC", 1, "AC 2C", "3C"),
    follow("over", "under", "2C", 0, "AC 2C", "3C"),
    follow("ducks_high", "the highest that ducks", "JC", 9 / 12, "JC AC", "QC"),
    follow("ducks_high", "it does not duck", "AC", 0, "JC AC", "QC"),
    follow("over_high", "somebody comes after", "AC", 1, "JC AC", "QC"),
    follow("over_high", "nobody does", "AC", 0, "JC AC", "QC 2C 3C"),
    follow("last_high", "nobody comes after", "KC", 11 / 12, "JC KC", "QC 2C 3C"),
    follow("last_high", "somebody does", "KC", 0, "JC KC", "QC"),
    follow("first_trick", "half as high as an ace", "8C", 1 / 2, "8C AC", "2C"),
    follow("first_trick", "the second trick", "8C", 0, "8C AC", "2C", tricks=1),
    follow("queen_under", "under the king", "QS", 1, "QS 2S", "KS"),
    follow("queen_under", "over the jack", "QS", 0, "QS 2S", "JS"),
    follow("queen_over", "over the jack", "QS", 1, "QS 2S", "JS"),
    follow("queen_over", "under the king", "QS", 0, "QS 2S", "KS"),
    follow("over_queen", "two of three come after", "KS", 2 / 3, "KS 2S", "3S"),
    follow("over_queen", "she has fallen", "KS", 0, "KS 2S", "3S", out="AS"),
    follow("over_queen", "I passed her to one who comes after", "KS", 1, "KS 2S", "3S", passed="QS", direction=1),
    follow("over_queen", "I passed her to one who has played", "KS", 0, "KS 2S", "3S", passed="QS", direction=3),
    follow("safe_over_queen", "last", "AS", 1, "AS 2S", "3S 4S 5S"),
    follow("safe_over_queen", "she may come", "AS", 0, "AS 2S", "3S 4S"),
    follow("safe_over_queen", "she is in the trick", "AS", 0, "AS 2S", "3S 4S QS"),
    follow("spends_guard", "one of two", "9S", 1 / 2, "9S 2S QS", "AS"),
    follow("spends_guard", "the queen herself", "QS", 0, "9S 2S QS", "AS"),
    follow("no_exit", "only the ace of hearts is left", "AC", 1, "AC AH", "3C 4C 5C", out=FEW),
    follow("no_exit", "a two of hearts is left", "AC", 0, "AC 2H", "3C 4C 5C", out=FEW),
    follow("moon", "it takes the trick", "AC", HOPE[0], "AC AH", "3C 4C 5C", out=FEW),
    follow("moon", "it does not", "2C", 0, "2C AH", "3C 4C 5C", out=FEW),
    follow("moon_points", "a heart", "AC", HOPE[0] / 13, "AC AH", "3C 4C 5H", out=FEW),
    follow("moon_points", "none", "AC", 0, "AC AH", "3C 4C 5C", out=FEW),
    follow("moon_high", "a trick that somebody may overtake", "AC", 0, "AC AH", "3C 4C", out=FEW),
    follow("moon_high", "the last card", "AC", HOPE[0], "AC AH", "3C 4C 5C", out=FEW),
    follow("moon_high", "a card that loses", "8C", HOPE[1] / 2, "8C AH", "TC 4C 5C", out=FEW),
    follow("stops", "a heart for me", "AC", 1 / 2, "AC", "3C 4C 5H", taken=SHOT),
    follow("stops", "no points in it", "AC", 0, "AC", "3C 4C 5C", taken=SHOT),
    throw("queen", "she", "QS", 1, "QS AH", "3C"),
    throw("queen", "a heart", "AH", 0, "QS AH", "3C"),
    throw("over_queen", "another holds her", "AS", 1, "AS AH", "3C"),
    throw("over_queen", "I hold her", "AS", 0, "AS QS", "3C"),
    throw("heart", "a heart", "AH", 1, "QS AH", "3C"),
    throw("heart", "a spade", "QS", 0, "QS AH", "3C"),
    throw("high_heart", "the eight", "8H", 1 / 2, "8H AS", "3C"),
    throw("high_heart", "no heart", "AS", 0, "8H AS", "3C"),
    throw("high", "an eight", "8H", 1 / 2, "8H AS", "3C"),
    throw("high", "an ace", "AS", 1, "8H AS", "3C"),
    throw("danger", "an ace with one lower", "AS", 1 / 2, "2S AS", "3C"),
    throw("danger", "a two", "2S", 0, "2S AS", "3C"),
    throw("short", "my last heart", "8H", 1, "8H AS 2S", "3C"),
    throw("short", "one of two spades", "AS", 1 / 2, "8H AS 2S", "3C"),
    throw("dead", "only I have diamonds", "AD", 1, "AD 2S", "3C", out=FEW),
    throw("dead", "another has a spade", "2S", 0, "AD 2S", "3C", out=FEW),
    throw("guard", "one of two", "9S", 1 / 2, "9S 2S QS", "3C"),
    throw("guard", "another holds her", "9S", 0, "9S 2S", "3C"),
    throw("to_shooter", "a heart for who has three cards", "8H", 1 / 26, "8H AS", "3C 2C", taken=SHOT),
    throw("to_shooter", "the trick is another's", "8H", 0, "8H AS", "2C 3C", taken=SHOT),
    throw("stops", "a heart to a third", "8H", 1 / 2, "8H AS", "2C 3C", taken=SHOT),
    throw("stops", "the trick is that one's", "8H", 0, "8H AS", "3C 2C", taken=SHOT),
    throw("stops", "no points", "AS", 0, "8H AS", "2C 3C", taken=SHOT),
    throw("to_fewest", "the queen, to one without points", "QS", 1, "QS 2H", "2C", taken=(2, 3, 4, 0)),
    throw("to_fewest", "another has fewer", "QS", 0, "QS 2H", "2C", taken=(2, 3, 0, 4)),
    throw("moon_points", "a heart for another", "AH", HOPE[0], "AH", "3C", out=FEW),
    throw("moon_points", "no points", "AS", 0, "AS AH", "3C", out=FEW),
    throw("moon_high", "a winner", "AS", HOPE[0], "AS", "3C", out=FEW),
    throw("moon_high", "a loser", "2S", 0, "2S AH", "3C", out=FEW),
    throw("stopper", "no other can beat it", "TH", 1 / 2, "TH 2S", "3C", out=FEW, taken=SHOT),
    throw("stopper", "another can", "8H", 0, "8H 2S", "3C", out=FEW, taken=SHOT),
    throw("stopper", "nobody shoots", "TH", 0, "TH 2S", "3C", out=FEW, taken=(1, 0, 4, 0)),
    throw("threat_heart", "a heart", "2H", 1 / 2, "2H 2S", "3C", taken=SHOT),
    throw("threat_heart", "a spade", "2S", 0, "2H 2S", "3C", taken=SHOT),
    follow("stopper", "an eight", "8C", 1 / 4, "8C AC", "TC", taken=SHOT),
    follow("stopper", "it takes the trick", "AC", 0, "8C AC", "TC", taken=SHOT),
]  # fmt: skip


@on_written_positions(standard, CASES)
def test_a_rule_gives_what_is_written(case: Case) -> None:
    view = view_of(**case.position)
    assert value_of(standard, case.rule, view, card_of(case.about)) == pytest.approx(case.value)
