"""The rules of a hint."""

from __future__ import annotations

from rulebots.game import View
from rulebots.rules import rule, rules_of


@rule("hint", early=-1.5)
def hints(view: View, move: int) -> int:
    """It hints."""
    return 1


@rule("hint", early=1.5)
def good(view: View, move: int) -> int:
    """Cards that its receiver then rightly takes for playable."""
    return view.good


@rule("hint", early=1.5)
def any_good(view: View, move: int) -> bool:
    """Its receiver then rightly takes a card for playable."""
    return view.good > 0


@rule("hint", early=1.0)
def worth(view: View, move: int) -> float:
    """What these cards are worth: low ranks first."""
    return view.good_ones


@rule("hint", early=-0.3)
def later(view: View, move: int) -> int:
    """Those of them that can be played only after a card of a seat before."""
    return view.good_later


@rule("hint", early=1.0)
def for_idle(view: View, move: int) -> bool:
    """It gives a card to play to a seat that has none."""
    return (view.good > 0) & (view.sure[view.row] == 0)


@rule("hint", early=-8.0)
def bad(view: View, move: int) -> int:
    """Cards that its receiver then wrongly takes for playable."""
    return view.bad


@rule("hint", early=-3.0)
def again(view: View, move: int) -> int:
    """Cards to play that are signalled in another hand already."""
    return view.again


@rule("hint", early=4.0)
def mended(view: View, move: int) -> int:
    """Cards that its receiver no longer wrongly takes for playable."""
    return view.mended


@rule("hint", early=0.3)
def freed(view: View, move: int) -> int:
    """Useless cards that its receiver then knows as such."""
    return view.freed


@rule("hint", early=-1.0)
def lied(view: View, move: int) -> int:
    """Cards that are then taken for something that they are not."""
    return view.lied


@rule("hint", early=1.0)
def cleared(view: View, move: int) -> int:
    """Cards that are taken for something that they are not, and then no more."""
    return view.true_again


@rule("hint", early=0.5)
def learned(view: View, move: int) -> float:
    """How much its receiver learns of useful cards: the share of possibilities that goes."""
    return view.learned


@rule("hint", early=0.2)
def identified(view: View, move: int) -> int:
    """Useful cards that its receiver then knows exactly."""
    return view.known_now


@rule("hint", early=0.3)
def set_up(view: View, move: int) -> int:
    """Those of them that can be played after cards that all know."""
    return view.set_up


@rule("hint", early=-0.5)
def touches_junk(view: View, move: int) -> int:
    """Useless cards that it touches for the first time."""
    return view.new_junk


@rule("hint", early=-0.3)
def touches_copies(view: View, move: int) -> int:
    """Cards that it touches for the first time although they are held twice."""
    return view.new_copies


@rule("hint", early=0.1)
def touches_useful(view: View, move: int) -> int:
    """Useful cards that it touches for the first time."""
    return view.new_useful


@rule("hint", early=0.5)
def kept(view: View, move: int) -> int:
    """Cards that its receiver then knows to be the last of their kind."""
    return view.kept


@rule("hint", early=3.0)
def averts(view: View, move: int) -> float:
    """By how much it lowers what the next seat is about to discard."""
    return (view.risk[1] - view.risk_then) if view.row == 1 else 0.0


@rule("hint", early=0.3)
def averts_later(view: View, move: int) -> float:
    """By how much it lowers what a later seat is about to discard."""
    return (view.risk[view.row] - view.risk_then) if view.row > 1 else 0.0


@rule("hint", early=-0.5)
def ignores_risk(view: View, move: int) -> float:
    """What the next seat's chop is worth, if the hint is for another."""
    return view.risk[1] if view.row > 1 else 0.0


@rule("hint", early=-1.0)
def ignores_misplay(view: View, move: int) -> bool:
    """The next seat takes a card for playable that is not, and the hint is for another."""
    return (view.row > 1) & (view.sure[1] & ~view.rightly[1] != 0) & (view.rightly[1] == 0)


@rule("hint", early=0.2)
def to_next(view: View, move: int) -> bool:
    """It is for the next seat."""
    return view.row == 1


@rule("hint", early=-0.1)
def distance(view: View, move: int) -> int:
    """How many seats are between me and its receiver."""
    return view.row - 1


@rule("hint", early=0.1)
def rank_hint(view: View, move: int) -> int:
    """It names a rank."""
    return view.by_rank


@rule("hint", early=1.0)
def rich(view: View, move: int) -> float:
    """How many tokens there are, of 8."""
    return view.tokens / 8


@rule("hint", early=-0.5)
def last_token(view: View, move: int) -> bool:
    """It takes the last token."""
    return view.tokens == 1


@rule("hint", early=0.0, late=1.0)
def stalls(view: View, move: int) -> bool:
    """The deck runs out within a round: a hint draws no card."""
    return (view.deck_left > 0) & (view.deck_left <= view.seats)


@rule("hint", early=0.0, late=-2.0)
def too_late(view: View, move: int) -> bool:
    """Its receiver has no turn left."""
    return (view.deck_left == 0) & (view.row >= view.turns_left)


RULES = rules_of(globals())
