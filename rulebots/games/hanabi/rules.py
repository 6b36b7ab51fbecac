"""The rules of Hanabi, in three groups: playing, discarding and hinting.

"By convention" means as `conventions` has it; "believes playable" that a seat knows it by convention.
"""

from collections.abc import Callable

from rulebots.game import View
from rulebots.games.hanabi.facts import CERTAIN, FIELDS, gone, look, weigh
from rulebots.games.hanabi.game import game
from rulebots.players import Player, RulePlayer
from rulebots.rules import RuleSet, rule, rules_of

# --- play


@rule("play", early=-6.0, says="take(s) the risk of a play")
def plays(view: View, place: int) -> int:
    """It plays a card."""
    return 1


@rule("play", early=8.0, says="play(s) a card that is [more|less|] likely to fit")
def chance(view: View, place: int) -> float:
    """How likely it can be played, by hints, by convention and by the cards that I see."""
    return view.chance[place]


@rule("play", early=2.0, says="play(s) a card that is [more|less|] likely to fit")
def law_chance(view: View, place: int) -> float:
    """How likely it can be played by hints alone, whatever they mean by convention."""
    return view.law_chance[place]


@rule("play", says="play(s) a card that is [more|less|] likely to fit")
def plain_chance(view: View, place: int) -> float:
    """How likely it can be played, if touched cards, too, may be useless."""
    return view.plain_chance[place]


@rule("play", early=3.0, says="play(s) a card that fits by what the hints mean")
def certain(view: View, place: int) -> bool:
    """It can be played for certain, by convention."""
    return view.chance[place] > CERTAIN


@rule("play", early=1.0, says="play(s) a card that nobody else expects")
def secret(view: View, place: int) -> bool:
    """It can be played, and the others do not know that I know."""
    return (view.chance[place] > CERTAIN) & (view.open >> place & 1 == 0)


@rule("play", early=-0.3, says="play(s) a [higher|lower|higher] card")
def height(view: View, place: int) -> float:
    """Its rank if it can be played, in fives: low cards first."""
    return view.height[place] / 5


@rule("play", early=0.5, says="open(s) the way for a card in another hand")
def opens(view: View, place: int) -> float:
    """How likely it makes a card of another hand playable."""
    return view.opens[place]


@rule("play", early=0.3, says="get(s) a chance to play a 5, which wins back a token")
def brings_token(view: View, place: int) -> float:
    """How likely it is a 5 that brings back a token."""
    return view.is_five[place] * (view.tokens < 8)


@rule("play", early=-0.5, says="play(s) a card that another hand may hold too")
def copied(view: View, place: int) -> float:
    """How likely another hand has the same card."""
    return view.copied[place]


@rule("play", early=-1.0, says="risk(s) losing [more|fewer|] points")
def lost_with_it(view: View, place: int) -> float:
    """Points that can no longer be made if the play fails, in threes, on average."""
    return view.loss[place] * (1.0 - view.chance[place])


@rule("play", early=-4.0, says="risk(s) the last life")
def last_life(view: View, place: int) -> float:
    """How likely it costs the last life."""
    return (view.lives == 1) * (1.0 - view.chance[place])


@rule("play", early=-1.0, says="risk(s) the last life but one")
def second_life(view: View, place: int) -> float:
    """How likely it costs the last life but one."""
    return (view.lives == 2) * (1.0 - view.chance[place])


@rule("play", late=4.0, says="play(s) on with nothing left to lose")
def nothing_to_lose(view: View, place: int) -> float:
    """How likely it can be played once the deck has run out and a life can be spared."""
    return (view.deck_left == 0) * (view.lives > 1) * view.chance[place]


@rule("play", late=2.0, says="play(s) a card before the deck runs out")
def end_near(view: View, place: int) -> float:
    """The deck runs out within a round, and a life can be spared."""
    return (view.deck_left <= view.seats) * (view.lives > 1)


@rule("play", early=-0.5, says="leave(s) the next player about to discard a good card")
def leaves_risk(view: View, place: int) -> float:
    """What the next seat's chop is worth, which I leave unprotected."""
    return view.risk[1] * (view.tokens > 0)


@rule("play", early=-1.0, says="let(s) the next player play a wrong card")
def leaves_misplay(view: View, place: int) -> bool:
    """The next seat wrongly believes one of its cards playable."""
    return (view.sure[1] & ~view.rightly[1] != 0) & (view.rightly[1] == 0)


@rule("play", early=0.2, says="play(s) one of several cards that fit")
def more_to_play(view: View, place: int) -> int:
    """I have other cards to play."""
    return min(view.playables, 2) - 1 if view.playables > 0 else 0


@rule("play", early=0.1, says="play(s) [a newer|an older|a new] card")
def newness(view: View, place: int) -> float:
    """How new the card is."""
    return place / view.hand_size


# --- discard


@rule("discard", early=-1.0, says="give(s) up a card")
def discards(view: View, place: int) -> int:
    """It discards a card."""
    return 1


@rule("discard", early=1.5, says="discard(s) a card that is [likelier to be|less likely to be|perhaps] useless")
def waste(view: View, place: int) -> float:
    """How likely it is useless."""
    return view.waste[place]


@rule("discard", early=1.0, says="discard(s) a card that is certainly useless")
def surely_waste(view: View, place: int) -> bool:
    """It is useless for certain."""
    return view.waste[place] > CERTAIN


@rule("discard", early=-5.0, says="risk(s) losing [more|fewer|] points")
def loss(view: View, place: int) -> float:
    """Points that can no longer be made without it, in threes, on average: it may be the last of its kind."""
    return view.loss[place]


@rule("discard", early=-3.0, says="discard(s) the last card of its kind")
def surely_last(view: View, place: int) -> bool:
    """It is the last of its kind for certain."""
    return view.last_chance[place] > CERTAIN


@rule("discard", early=1.0, says="give(s) up the card that all expect to go next")
def on_chop(view: View, place: int) -> bool:
    """It is my chop."""
    return view.chop[0] == place


could_be_played = rule(
    "discard",
    early=-2.0,
    name="could_be_played",
    says="discard(s) a card that [is likelier to|is less likely to|may] fit",
)(chance.kernel)


@rule("discard", early=-0.5, says="discard(s) a card that a hint has pointed at")
def touched(view: View, place: int) -> bool:
    """A hint has touched it."""
    return view.touched[0, place] != 0


held_elsewhere = rule(
    "discard", early=1.0, name="held_elsewhere", says="discard(s) a card that another hand may hold too"
)(copied.kernel)


age = rule("discard", early=-0.2, name="age", says="discard(s) [a newer|an older|a new] card")(newness.kernel)


@rule("discard", early=1.0, says="win(s) back a token when none is left")
def no_token(view: View, place: int) -> bool:
    """No token is left."""
    return view.tokens == 0


@rule("discard", early=0.5, says="win(s) back a token when only one is left")
def one_token(view: View, place: int) -> bool:
    """One token is left."""
    return view.tokens == 1


@rule("discard", early=-1.0, says="discard(s) while tokens are left to hint with")
def many_tokens(view: View, place: int) -> float:
    """How many tokens are left, of 8."""
    return view.tokens / 8


passes_risk = rule(
    "discard", early=-0.5, name="passes_risk", says="leave(s) the next player about to discard a good card"
)(leaves_risk.kernel)
passes_misplay = rule("discard", early=-1.0, name="passes_misplay", says="let(s) the next player play a wrong card")(
    leaves_misplay.kernel
)


@rule("discard", says="discard(s) while the next player has a card to play")
def next_busy(view: View, place: int) -> bool:
    """The next seat has a card to play."""
    return view.rightly[1] != 0


@rule("discard", late=-1.5, says="draw(s) a card, which brings the end nearer")
def last_draws(view: View, place: int) -> bool:
    """The deck runs out within a round: another card drawn brings the end nearer."""
    return (view.deck_left > 0) & (view.deck_left <= view.seats)


@rule("discard", late=-1.0, says="discard(s) although the deck has run out")
def deck_empty(view: View, place: int) -> bool:
    """The deck has run out."""
    return view.deck_left == 0


# --- hint


@rule("hint", early=-1.5, says="spend(s) a token")
def hints(view: View, move: int) -> int:
    """It is a hint."""
    return 1


@rule("hint", early=1.5, says="show(s) a teammate [more cards|fewer cards|a card] to play")
def good(view: View, move: int) -> int:
    """Cards that its receiver then rightly believes playable."""
    return view.good


@rule("hint", early=1.5, says="show(s) a teammate a card to play")
def any_good(view: View, move: int) -> bool:
    """Its receiver then rightly believes a card playable."""
    return view.good > 0


@rule("hint", early=1.0, says="show(s) a teammate [better cards|worse cards|a card] to play")
def worth(view: View, move: int) -> float:
    """The worth of the cards that its receiver then rightly believes playable: low ranks first."""
    return view.good_ones


@rule("hint", early=-0.3, says="show(s) a teammate a card that has to wait")
def later(view: View, move: int) -> int:
    """Cards rightly believed playable that have to wait for a card of an earlier seat."""
    return view.good_later


@rule("hint", early=1.0, says="give(s) an idle teammate a card to play")
def for_idle(view: View, move: int) -> bool:
    """It gives a card to play to a seat that has none."""
    return (view.good > 0) & (view.sure[view.row] == 0)


@rule("hint", early=-8.0, says="mislead(s) a teammate into playing a wrong card")
def bad(view: View, move: int) -> int:
    """Cards that its receiver then wrongly believes playable."""
    return view.bad


@rule("hint", early=-3.0, says="show(s) a card to play that another hand is known to have")
def again(view: View, move: int) -> int:
    """Playable cards that are already signalled in another hand."""
    return view.again


@rule("hint", early=4.0, says="save(s) a teammate from playing a wrong card")
def mended(view: View, move: int) -> int:
    """Cards that its receiver no longer wrongly believes playable."""
    return view.mended


@rule("hint", early=0.3, says="show(s) a teammate [more useless cards|fewer useless cards|a useless card] to discard")
def freed(view: View, move: int) -> int:
    """Useless cards that its receiver then knows to be useless."""
    return view.freed


@rule("hint", early=-1.0, says="let(s) a teammate mistake [more cards|fewer cards|a card] for something else")
def lied(view: View, move: int) -> int:
    """Cards that are then mistaken for something else."""
    return view.lied


@rule("hint", early=1.0, says="keep(s) a teammate from mistaking [more cards|fewer cards|a card] for something else")
def cleared(view: View, move: int) -> int:
    """Cards that are then no longer mistaken for something else."""
    return view.true_again


@rule("hint", early=0.5, says="tell(s) a teammate [more|less|more] about useful cards")
def learned(view: View, move: int) -> float:
    """How much its receiver learns about useful cards: the share of possibilities ruled out."""
    return view.learned


@rule("hint", early=0.2, says="tell(s) exactly what [more useful cards are|fewer useful cards are|a useful card is]")
def identified(view: View, move: int) -> int:
    """Useful cards that its receiver then knows exactly."""
    return view.known_now


@rule("hint", early=0.3, says="prepare(s) [more cards|fewer cards|a card] to be played later")
def set_up(view: View, move: int) -> int:
    """Useful cards then known exactly that can be played after cards that everyone knows."""
    return view.set_up


@rule("hint", early=-0.5, says="point(s) at [more useless cards|fewer useless cards|a useless card]")
def touches_junk(view: View, move: int) -> int:
    """Useless cards that it touches for the first time."""
    return view.new_junk


@rule("hint", early=-0.3, says="point(s) at [more cards|fewer cards|a card] that another hand holds too")
def touches_copies(view: View, move: int) -> int:
    """Cards that it touches for the first time although another copy is held."""
    return view.new_copies


@rule("hint", early=0.1, says="mark(s) [more cards|fewer cards|a card] as worth keeping")
def touches_useful(view: View, move: int) -> int:
    """Useful cards that it touches for the first time."""
    return view.new_useful


@rule("hint", early=0.5, says="show(s) a teammate [more cards|fewer cards|a card] to keep, the last of a kind")
def kept(view: View, move: int) -> int:
    """Cards that its receiver then knows to be the last of their kind."""
    return view.kept


@rule("hint", early=3.0, says="save(s) a good card of the next player's from a discard")
def averts(view: View, move: int) -> float:
    """By how much it lowers the worth of what the next seat is about to discard."""
    return (view.risk[1] - view.risk_then) if view.row == 1 else 0.0


@rule("hint", early=0.3, says="save(s) a good card of a later player's from a discard")
def averts_later(view: View, move: int) -> float:
    """By how much it lowers the worth of what a later seat is about to discard."""
    return (view.risk[view.row] - view.risk_then) if view.row > 1 else 0.0


@rule("hint", early=-0.5, says="leave(s) the next player about to discard a good card")
def ignores_risk(view: View, move: int) -> float:
    """What the next seat's chop is worth, if the hint is for another seat."""
    return view.risk[1] if view.row > 1 else 0.0


@rule("hint", early=-1.0, says="let(s) the next player play a wrong card")
def ignores_misplay(view: View, move: int) -> bool:
    """The next seat wrongly believes one of its cards playable, and the hint is for another."""
    return (view.row > 1) & (view.sure[1] & ~view.rightly[1] != 0) & (view.rightly[1] == 0)


@rule("hint", early=0.2, says="give(s) the hint to the next player, who can act on it at once")
def to_next(view: View, move: int) -> bool:
    """It is for the next seat."""
    return view.row == 1


@rule("hint", early=-0.1, says="give(s) the hint to a player [farther|less far|far] down the table")
def distance(view: View, move: int) -> int:
    """How many seats are between me and its receiver."""
    return view.row - 1


@rule("hint", early=0.1, says="name(s) a rank rather than a colour, a mere matter of taste")
def rank_hint(view: View, move: int) -> int:
    """It names a rank."""
    return view.by_rank


rich = rule("hint", early=1.0, name="rich", says="spend(s) a token while [more|fewer|some] are left")(
    many_tokens.kernel
)


last_token = rule("hint", early=-0.5, name="last_token", says="spend(s) the last token")(one_token.kernel)


stalls = rule("hint", late=1.0, name="stalls", says="gain(s) a turn without drawing a card")(last_draws.kernel)


@rule("hint", late=-2.0, says="help(s) a player who has no turn left")
def too_late(view: View, move: int) -> bool:
    """Its receiver has no turn left."""
    return (view.deck_left == 0) & (view.row >= view.turns_left)


standard = RuleSet(
    "standard",
    game,
    tuple(rules_of(globals())),
    fields=FIELDS,
    progress=gone,
    facts=look,
    consider=weigh,
    meaning="hints simulated as their receiver reads them, by conventions that all follow",
)
RULE_SETS = (standard,)

# `simple` and `holmes` follow what the README of Quuxplusone/Hanabi says of SimpleBot and HolmesBot, with this game's
# conventions: a few of the rules, so far apart that they decide one after the other.
#: Play what can be played for certain, else hint what can be played, else discard the oldest card.
SIMPLE = {
    "play": {"plays": -20, "certain": 40},
    "discard": {"age": -1},
    "hint": {"hints": -5, "any_good": 15, "bad": -40},
}
#: Likewise; it also warns of the last of a kind, infers more of its cards, and risks a life once the deck runs out.
HOLMES = {
    "play": {"plays": -20, "certain": 40, "nothing_to_lose": 25, "height": -1, "last_life": -40},
    "discard": {"age": -1, "waste": 4, "surely_last": -8, "loss": -4},
    "hint": {"hints": -5, "any_good": 12, "worth": 1, "bad": -40, "averts": 16},
}
PLAYERS: dict[str, Callable[[], Player]] = {
    "standard": lambda: RulePlayer(standard, standard.hand_tuned(), "standard"),
    "holmes": lambda: RulePlayer(standard, HOLMES, "holmes"),
    "simple": lambda: RulePlayer(standard, SIMPLE, "simple"),
}
