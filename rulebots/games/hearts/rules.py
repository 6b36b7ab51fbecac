"""The rules of Hearts, in four groups: which cards to pass, to lead, to follow suit with, and to throw away.

"In thirteens" means divided by the points of the queen of spades. "How likely it stays highest" takes the others to
duck (see facts.py). "The moon" is roughly how likely I can take all points: 0 once another has one. "The threat of a
moon" is roughly how likely another, who has all points so far, takes the rest: 0 where nobody has, or several.
"""

from rulebots.game import View
from rulebots.game.bits import above, count_of
from rulebots.games.hearts.cards import HEARTS, RANKS, SPADES
from rulebots.games.hearts.facts import FIELDS, OTHERS, find_facts, gone, look_at
from rulebots.games.hearts.game import game
from rulebots.rules import RuleSet, rule, rules_of

#: Spades below the queen that make high spades safe to keep.
SAFE = 4
THREE = 1
TEN = 8

# --- pass: high cards go, unless they guard or may shoot the moon


@rule("pass", early=1, says="pass(es) a [higher|lower|higher] card")
def high(view: View, card: int) -> float:
    """How high it is: 1 for an ace, 0 for a two."""
    return view.height


@rule("pass", early=2, says="pass(es) a card that is [more|less|] dangerous to keep")
def danger(view: View, card: int) -> float:
    """How high it is, divided by 1 + the lower cards of its suit that I hold."""
    return view.height / (1 + view.lower_mine)


@rule("pass", early=1, says="pass(es) the queen of spades")
def queen(view: View, card: int) -> bool:
    """It is the queen of spades."""
    return view.queen


@rule("pass", early=3, says="pass(es) the queen of spades, which too few low spades protect")
def bare_queen(view: View, card: int) -> float:
    """It is the queen of spades: how many of four low spades I lack to guard her."""
    return view.queen * max(0, SAFE - view.guards) / SAFE


@rule("pass", early=2, says="pass(es) a spade above the queen, which may have to take her")
def over_queen(view: View, card: int) -> float:
    """It is the king or ace of spades: how many of four low spades I lack for playing under the queen."""
    return view.over_queen * max(0, SAFE - view.guards) / SAFE


@rule("pass", early=-1, says="pass(es) a low spade, a guard against the queen")
def guard(view: View, card: int) -> bool:
    """It is a spade below the queen."""
    return view.guard


@rule("pass", early=-1, says="pass(es) a low spade that protects a high one")
def needed_guard(view: View, card: int) -> bool:
    """It is a spade below the queen, and I hold the queen, the king or the ace."""
    return view.guard & (view.length[SPADES] > view.guards)


@rule("pass", early=0.5, says="pass(es) a heart, a point for whoever takes it")
def heart(view: View, card: int) -> bool:
    """It is a heart."""
    return view.heart


@rule("pass", early=1, says="pass(es) a [higher|lower|high] heart")
def high_heart(view: View, card: int) -> float:
    """How high it is, if it is a heart."""
    return view.heart * view.height


@rule("pass", early=-0.5, says="pass(es) my only high heart, which could stop a shot at the moon")
def only_high_heart(view: View, card: int) -> bool:
    """It is my only heart above the ten: it can stop a moon."""
    return view.heart & (card % RANKS > TEN) & (count_of(above(view.hand[HEARTS], TEN)) == 1)


@rule(
    "pass", early=1, says="pass(es) from a [shorter|longer|short] suit other than spades and hearts, to run out of it"
)
def short(view: View, card: int) -> float:
    """How few cards of its suit I hold, if it is a club or a diamond: to get rid of the suit."""
    minor = (view.suit != SPADES) & (view.suit != HEARTS)
    return minor * max(0, SAFE - view.length[view.suit]) / (SAFE - 1)


@rule("pass", early=-0.5, says="pass(es) a two or a three, a card to lose the lead with")
def way_out(view: View, card: int) -> bool:
    """It is a two or a three: a way out of the lead."""
    return card % RANKS <= THREE


@rule("pass", early=-8, says="pass(es) a [higher|lower|high] card that could shoot the moon")
def moon_high(view: View, card: int) -> float:
    """The moon, times how high it is."""
    return view.moon * view.height


@rule("pass", early=-4, says="pass(es) from a [longer|shorter|long] suit that could shoot the moon")
def moon_long(view: View, card: int) -> float:
    """The moon, times how many cards of its suit I hold, of 13."""
    return view.moon * view.length[view.suit] / RANKS


# --- lead: lose the trick, hunt the queen, or shoot the moon

lead_high = rule("lead", early=-1, says="lead(s) a [higher card|lower card, as a rule the safer lead|higher card]")(
    high.kernel
)


@rule("lead", early=-1, says="run(s) a [higher|lower|] risk of taking the trick")
def stays(view: View, card: int) -> float:
    """How likely it stays highest."""
    return view.stays


@rule("lead", early=-4, says="risk(s) taking [more|fewer|] points")
def points(view: View, card: int) -> float:
    """Points that others may throw on it, in thirteens, times how likely it stays highest."""
    return view.stays * view.rain


@rule("lead", early=1, says="lead(s) a spade below the queen, to draw her out")
def hunts(view: View, card: int) -> bool:
    """It is a spade below the queen, and another holds her: it hunts her."""
    return view.guard & (view.queen_out > 0)


@rule("lead", early=-1, says="hunt(s) the queen of spades with my own king or ace at risk")
def hunts_bare(view: View, card: int) -> float:
    """It hunts her, and I hold the king or the ace: the more, the fewer low spades I have."""
    over = view.length[SPADES] - view.guards  # I do not hold her
    return view.guard * view.queen_out * (over > 0) / max(view.guards, 1)


@rule("lead", early=-1, says="spend(s) a low spade that protects the queen in hand")
def spends_guard(view: View, card: int) -> float:
    """It is a spade below the queen, and I hold her: the more, the fewer of them I have."""
    return view.guard * view.queen_mine / max(view.guards, 1)


@rule("lead", early=-3, name="over_queen", says="risk(s) catching the queen of spades")
def lead_over_queen(view: View, card: int) -> bool:
    """It is the king or ace of spades, and another holds the queen."""
    return view.over_queen & (view.queen_out > 0)


@rule("lead", early=-3, name="queen", says="risk(s) taking the queen of spades")
def lead_queen(view: View, card: int) -> float:
    """It is the queen of spades: how likely she stays highest."""
    return view.queen * view.stays


lead_heart = rule("lead", says="lead(s) a heart, a point for whoever takes it")(heart.kernel)


@rule("lead", early=1.5, says="lead(s) a heart that is [more|less|] likely to lose the trick")
def low_heart(view: View, card: int) -> float:
    """It is a heart: how likely it loses the trick, and gives others its points."""
    return view.heart * (1 - view.stays)


@rule("lead", early=0.5, late=0, name="short", says="lead(s) from a [shorter|longer|] suit, to run out of it")
def lead_short(view: View, card: int) -> float:
    """How near I am to getting rid of its suit: 1 for my last card, half for one of two."""
    return 1 / max(view.length[view.suit], 1)


@rule("lead", early=0.5, late=0, says="lead(s) a suit that others can [better|less well|still] follow")
def fresh(view: View, card: int) -> float:
    """How many of its suit the others hold, of 13: the more, the surer it is that all follow."""
    return (view.higher_out + view.lower_out) / RANKS


@rule("lead", early=0.5, late=-1, says="get(s) rid early of a [higher|lower|high] card")
def cashes(view: View, card: int) -> float:
    """How high it is, times how many of its suit the others hold, of 13: high cards go while all still follow."""
    return view.height * (view.higher_out + view.lower_out) / RANKS


@rule("lead", early=-2, says="lead(s) a suit that nobody else holds, where all throw what they like")
def mine_alone(view: View, card: int) -> bool:
    """Nobody else has a card of its suit."""
    return view.higher_out + view.lower_out == 0


@rule("lead", early=-0.5, says="risk(s) taking [more|fewer|] points")
def to_void(view: View, card: int) -> float:
    """How many of the three others have shown that they lack its suit, in thirds, times how likely it stays highest."""
    return (OTHERS - view.holders[view.suit]) / OTHERS * view.stays


@rule("lead", early=10, says="keep(s) the moon possible with a [stronger|weaker|strong] card")
def moon(view: View, card: int) -> float:
    """The moon, times how likely it stays highest."""
    return view.moon * view.stays


lead_moon_high = rule("lead", early=4, says="lead(s) a [higher|lower|high] card while the moon is possible")(
    moon_high.kernel
)


@rule("lead", early=3, says="lead(s) a card that is [more|less|] likely to stop a shot at the moon")
def stops(view: View, card: int) -> float:
    """The threat of a moon, times how likely it stays highest."""
    return view.threat * view.stays


# --- follow: the highest card that ducks, unless the trick is worth having


@rule("follow", early=-6, name="points", says="risk(s) taking [more|fewer|] points")
def follow_points(view: View, card: int) -> float:
    """Points in the trick, in thirteens, times how likely it takes them."""
    return view.stays * view.points


follow_stays = rule("follow", early=-1, says="run(s) a [higher|lower|] risk of taking the trick")(stays.kernel)


rain = rule("follow", early=-4, name="rain", says="risk(s) taking [more|fewer|] points")(points.kernel)


@rule("follow", early=-0.5, says="beat(s) the cards of the trick so far")
def over(view: View, card: int) -> bool:
    """It goes over the highest card of the trick."""
    return view.takes > 0


@rule("follow", early=1, says="duck(s) with a [higher|lower|high] card")
def ducks_high(view: View, card: int) -> float:
    """How high it is, if it stays under the highest card of the trick."""
    return (1 - view.takes) * view.height


@rule("follow", early=-0.2, says="beat(s) the trick so far with a [higher|lower|high] card")
def over_high(view: View, card: int) -> float:
    """How high it is, if it goes over the highest card of the trick and somebody plays after me."""
    return view.takes * (view.after > 0) * view.height


@rule("follow", early=1.5, says="take(s) the trick with a [higher|lower|high] card")
def last_high(view: View, card: int) -> float:
    """How high it is, if it takes the trick and I play last."""
    return view.takes * (view.after == 0) * view.height


@rule("follow", early=1, says="get(s) rid of a [higher|lower|high] club, as the first trick holds no points")
def first_trick(view: View, card: int) -> float:
    """How high it is, on the first trick, on which no points fall."""
    return view.height * (view.tricks == 0)


@rule("follow", early=6, says="drop(s) the queen of spades under a higher spade")
def queen_under(view: View, card: int) -> bool:
    """It is the queen of spades, under the king or the ace."""
    return view.queen & (view.takes == 0)


@rule("follow", early=-1, says="put(s) the queen of spades on top")
def queen_over(view: View, card: int) -> bool:
    """It is the queen of spades, and she is the highest of the trick."""
    return view.queen & (view.takes > 0)


@rule("follow", early=-3, name="over_queen", says="risk(s) catching the queen of spades")
def follow_over_queen(view: View, card: int) -> float:
    """It is the king or ace of spades: how likely the queen comes after it."""
    return view.over_queen * view.queen_after


@rule("follow", early=1, says="get(s) rid of a spade above the queen in safety")
def safe_over_queen(view: View, card: int) -> bool:
    """It is the king or ace of spades: another holds the queen, but nobody who plays after me can."""
    safe = (view.queen_out > 0) & (view.queen_after == 0)
    return view.over_queen & safe


follow_spends_guard = rule("follow", early=-1, says="spend(s) a low spade that protects the queen in hand")(
    spends_guard.kernel
)


@rule("follow", early=-1, says="run(s) a [higher|lower|] risk of being stuck in the lead")
def no_exit(view: View, card: int) -> float:
    """How likely it takes the trick, times how likely my best way out of the lead fails."""
    return view.stays * (1 - view.way_out)


follow_moon = rule(
    "follow", early=8, name="moon", says="keep(s) the moon possible with a [stronger|weaker|strong] card"
)(moon.kernel)


@rule("follow", early=8, says="collect(s) [more|fewer|] points while the moon is possible")
def moon_points(view: View, card: int) -> float:
    """The moon, times the points that it takes, in thirteens, times how likely it takes them."""
    return view.moon * view.stays * view.points


@rule("follow", early=-4, name="moon_high", says="spend(s) a [higher|lower|high] card that the moon would need")
def follow_moon_high(view: View, card: int) -> float:
    """The moon, times how high it is, if it loses the trick or I play last: high cards are kept."""
    return view.moon * view.height * ((view.takes == 0) | (view.after == 0))


@rule("follow", early=6, name="stops", says="play(s) a card that is [more|less|] likely to stop a shot at the moon")
def follow_stops(view: View, card: int) -> float:
    """The threat of a moon, times how likely it takes the trick, if that has points: they stop the moon."""
    return view.threat * view.stays * (view.points > 0)


@rule("follow", early=-3, says="spend(s) a card that is [more|less|] likely to stop a shot at the moon")
def stopper(view: View, card: int) -> float:
    """The threat of a moon, times how high it is, if it does not take the trick: high cards can stop the moon later."""
    return view.threat * view.height * (1 - view.takes)


# --- throw: points, dangers, and what stops or saves the moon

throw_queen = rule("throw", early=6, says="throw(s) off the queen of spades, 13 points for somebody else")(queen.kernel)
throw_over_queen = rule(
    "throw", early=2, name="over_queen", says="throw(s) off a spade above the queen, which may have to take her"
)(lead_over_queen.kernel)
throw_heart = rule("throw", early=0.5, says="throw(s) off a heart, a point for somebody else")(heart.kernel)
throw_high_heart = rule("throw", early=1, says="throw(s) off a [higher|lower|high] heart")(high_heart.kernel)
throw_high = rule("throw", early=1, says="throw(s) off a [higher|lower|higher] card")(high.kernel)


@rule("throw", early=1, name="danger", says="throw(s) off a card that is [more|less|] dangerous to keep")
def throw_danger(view: View, card: int) -> float:
    """How likely it would stay highest if its suit were led, divided by 1 + the lower cards of it that I hold."""
    return view.stays / (1 + view.lower_mine)


throw_short = rule(
    "throw", early=0.5, name="short", says="throw(s) off from a [shorter|longer|] suit, to run out of it"
)(lead_short.kernel)


dead = rule("throw", early=-1, name="dead", says="throw(s) off a suit that nobody else can lead")(mine_alone.kernel)


throw_guard = rule("throw", early=-1, name="guard", says="throw(s) off a low spade that protects the queen in hand")(
    spends_guard.kernel
)


@rule("throw", early=-8, says="give(s) [more|fewer|] points to a player who may shoot the moon")
def to_shooter(view: View, card: int) -> float:
    """The threat of a moon, times its points, in thirteens, if the shooter is winning the trick so far."""
    return view.threat * (view.winner == view.shooter) * view.own


@rule("throw", early=8, name="stops", says="stop(s) a shot at the moon with points for somebody else")
def throw_stops(view: View, card: int) -> float:
    """The threat of a moon, if it has points and a third player is winning the trick so far: they stop the moon."""
    return view.threat * (view.winner != view.shooter) * (view.own > 0)


@rule("throw", early=0.5, says="give(s) [more|fewer|] points to the player in the lead")
def to_fewest(view: View, card: int) -> float:
    """Its points, in thirteens, if the opponent with the fewest points is winning the trick so far."""
    return (view.taken[view.winner] == view.fewest) * view.own


@rule("throw", early=-10, name="moon_points", says="give(s) away points that the moon needs")
def throw_moon_points(view: View, card: int) -> float:
    """The moon, if it has points: they would go to another player."""
    return view.moon * (view.own > 0)


throw_moon_high = rule(
    "throw",
    early=-8,
    name="moon_high",
    says="throw(s) off a [stronger|weaker|strong] card that the moon would need",
)(moon.kernel)


throw_stopper = rule(
    "throw", early=-3, name="stopper", says="throw(s) off a card that is [more|less|] likely to stop a shot at the moon"
)(stops.kernel)


@rule("throw", early=-1, says="throw(s) off a heart that could stop a shot at the moon")
def threat_heart(view: View, card: int) -> float:
    """The threat of a moon, if it is a heart: each one that I keep may stop it."""
    return view.threat * view.heart


standard = RuleSet(
    "standard",
    game,
    tuple(rules_of(globals())),
    fields=FIELDS,
    progress=gone,
    facts=find_facts,
    consider=look_at,
    meaning="who can beat what, where the queen of spades is, and who may shoot the moon",
)
RULE_SETS = (standard,)
