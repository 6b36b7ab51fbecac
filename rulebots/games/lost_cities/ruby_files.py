"""Reads the files of Ruby Quiz 51: those of Daniel Sheppard's breeder, and Adam Shelly's rules in Ruby's YAML.

Both are read as plain data; no Ruby object is ever created.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from rulebots.errors import nearest, shown
from rulebots.files.layout import WRONG
from rulebots.files.plain_yaml import Items, Map, Node, Scalar
from rulebots.games.lost_cities.game import game
from rulebots.games.lost_cities.shelly import shelly, shelly_mended
from rulebots.games.lost_cities.sheppard import sheppard
from rulebots.packages.population import Entry, Population, Reader
from rulebots.packages.population.population_file import PopulationProblems, read_weight_number, weight

#: Sheppard's classes -> the rules of the set `sheppard`.
SHEPPARD_RULES = {
    "Rules::PlayLowestFirst": "play.play_lowest_first",
    "Rules::MaximumScoreEndGame": "play.maximum_score_end_game",
    "Rules::IgnoreUnusable": "draw.ignore_unusable",
    "Rules::DiscardUnusable": "discard.discard_unusable",
    "Rules::DepriveOpponent": "discard.deprive_opponent",
    "Rules::AvoidLateInvestment": "play.avoid_late_investment",
    "Rules::ExpectedInvestmentValue": "play.expected_investment_value",
}

#: Shelly's @prules -> the group `play` of the set `shelly`.
SHELLY_PLAY = {
    "rule_inSequence": "in_sequence",
    "rule_lowCard": "low_card",
    "rule_lowCards": "low_cards",
    "rule_highCard": "high_card",
    "rule_highCards": "high_cards",
    "rule_investments": "investments",
    "rule_onInvestments": "on_investments",
    "rule_holdingInvestments": "holding_investments",
    "rule_investmentWithHope": "investment_with_hope",
    "rule_investmentWithoutHope": "investment_without_hope",
    "rule_group10": "group_10",
    "rule_group15": "group_15",
    "rule_group20": "group_20",
    "rule_group25": "group_25",
    "rule_total20": "total_20",
    "rule_total25": "total_25",
    "rule_suitStarted": "suit_started",
    "rule_closeToPrevious": "close_to_previous",
    "rule_multiplier2": "multiplier_2",
    "rule_multiplier3": "multiplier_3",
    "rule_onUnplayed": "on_unplayed",
    "rule_heHasPlayed": "he_has_played",
    "rule_heHasPlayed10": "he_has_played_10",
    "rule_heHasPlayed20": "he_has_played_20",
    "rule_handNegative": "hand_negative",
    "rule_mustPlays": "must_plays",
    "rule_lowerInHand": "lower_in_hand",
    "rule_highestInHand": "highest_in_hand",
    "rule_2followsInvest": "two_follows_invest",
    "rule_finishGame": "finish_game",
    "rule_possibleBelow": "possible_below",
    "rule_possibleManyBelow": "possible_many_below",
}
#: Shelly's @drules -> the group `keep`.
SHELLY_KEEP = {
    "rule_useless2me": "useless_to_me",
    "rule_useless2him": "useless_to_him",
    "rule_useful2him": "useful_to_him",
    "rule_useful2me": "useful_to_me",
    "rule_heHasPlayed": "he_has_played",
    "rule_singleton": "singleton",
    "rule_noPartners": "no_partners",
    "rule_wantFromDiscard": "want_from_discard",
    "rule_belowLowestPlayable": "below_lowest_playable",
    "rule_dontDiscardForever": "dont_discard_forever",
}
#: The rule sets with which Shelly's rules can be read: his first program, and the later one that mends its draw.
SHELLY_READINGS = {rules.name: rules for rules in (shelly, shelly_mended)}
#: Shelly's program draws without weights, so this rule always counts.
SHELLY_DRAW = "draw.wanted"

RUBY_LAYOUT = (
    "a map with 'prules' and 'drules', each a map of names such as rule_inSequence to [early, late] "
    "(Ruby objects are read as plain data, never executed)"
)


def is_sheppard(root: Node) -> bool:
    """Whether a file has Sheppard's layout: a list, not a map."""
    return isinstance(root, Items) and not root.tag


def is_ruby(root: Node) -> bool:
    """Whether a file is Ruby's: tagged, or with Shelly's two maps."""
    return (root.tag or "").startswith("!ruby/") or {"prules", "drules"} <= set(_instance_variables(root))


def read_sheppard(root: Node, problems: PopulationProblems, comment: str) -> Population:
    """A list of two: weight lists, best first, and rule names. Players are named 1, 2, 3 and so on.

    New rules have no weights yet: lists may be shorter than the names, and entries may be empty.
    """
    problems.refuse_tags(root)
    assert isinstance(root, Items)
    if len(root.items) != 2:
        problems.expected("a list of two: the weight lists, then the rule names", root)
        return Population(game, sheppard, {}, comment=comment)
    lists, names = root.items
    columns = _sheppard_columns(names, sheppard.columns, problems)
    if not isinstance(lists, Items) or not lists.items:
        problems.expected("a list of weight lists, best first", lists)
    players: dict[str, Entry] = {}
    for place, weights in enumerate(lists.items if isinstance(lists, Items) else (), start=1):
        matrix = np.full((2, len(sheppard.rules)), np.nan)
        for name, column, number in _sheppard_weights(weights, columns, problems):
            value = read_weight_number(number, f"as weight of '{shown(name)}'", problems)
            if column is not None and value is not None:
                matrix[:, column] = value
        players[str(place)] = Entry.read(matrix)
    return Population(game, sheppard, players, comment=comment)


def _sheppard_columns(
    names: Node, known: Mapping[str, int], problems: PopulationProblems
) -> list[tuple[str, int | None]]:
    """Each name with its column; None if the name is unknown."""
    if not isinstance(names, Items) or not names.items:
        problems.expected("a list of rule names such as Rules::PlayLowestFirst", names)
    columns: list[tuple[str, int | None]] = []
    lines: dict[str, int] = {}
    for node in names.items if isinstance(names, Items) else ():
        name = node.text if isinstance(node, Scalar) else ""
        if not isinstance(node, Scalar) or node.empty:
            problems.expected("a rule name such as Rules::PlayLowestFirst", node)
        elif name in lines:
            problems.add(node, f"'{shown(name)}' is there twice, first on line {lines[name]}; remove one of them")
        elif name not in SHEPPARD_RULES:
            problems.add(node, _unknown_name(name, SHEPPARD_RULES, "the seven rules of Daniel Sheppard"))
        lines.setdefault(name, node.line)
        columns.append((name, known[SHEPPARD_RULES[name]] if name in SHEPPARD_RULES else None))
    return columns


def _sheppard_weights(
    weights: Node, columns: list[tuple[str, int | None]], problems: PopulationProblems
) -> list[tuple[str, int | None, Node]]:
    """The weights that one list gives, each with the name and column to which it belongs."""
    if isinstance(weights, Scalar) and weights.empty:
        return []
    if not isinstance(weights, Items):
        problems.expected("a list of weights", weights)
        return []
    if columns and len(weights.items) > len(columns):
        problems.add(weights.items[len(columns)], f"{len(weights.items)} weights, but only {len(columns)} rule names")
    pairs = zip(columns, weights.items, strict=False)
    return [(*column, node) for column, node in pairs if not (isinstance(node, Scalar) and node.empty)]


def read_ruby(root: Node, problems: PopulationProblems, comment: str) -> Population:
    """Shelly's two maps, plain or as variables of a Ruby object; the only player is named after the file.

    His later player, whose draw is mended, saved such objects with a name and a parent: they are read as it played
    them. `FILE#shelly` and `FILE#shelly_mended` choose the reading, and then name the player.

    Raises:
        PopulationError: it is some other Ruby object.
    """
    variables = _instance_variables(root)
    prules = variables.get("prules")
    drules = variables.get("drules")
    if not isinstance(prules, Map) or not isinstance(drules, Map):
        raise problems.stop(root, f"expected {RUBY_LAYOUT}, not {_ruby_described(root)}")
    problems.entries(root, RUBY_LAYOUT, _variable)  # for keys that are there twice
    left_out = [name for name in variables if name not in ("prules", "drules")]
    later = "name" in left_out or "parent" in left_out
    reading = problems.wanted if problems.wanted in SHELLY_READINGS else (shelly_mended if later else shelly).name
    problems.notes.append(_said(problems.file, reading, left_out))
    rules = SHELLY_READINGS[reading]
    matrix = np.zeros((2, len(rules.rules)))
    matrix[:, rules.columns[SHELLY_DRAW]] = 1.0
    for node, group, known, where in ((prules, "play", SHELLY_PLAY, "prules"), (drules, "keep", SHELLY_KEEP, "drules")):
        for name, (key, value) in problems.entries(node, RUBY_LAYOUT, _symbol).items():
            if name not in known:
                problems.add(key, _unknown_name(name, known, where))
            pair = weight().read(value, problems, name)
            if pair is not WRONG and name in known:
                matrix[:, rules.columns[f"{group}.{known[name]}"]] = pair
    player = reading if problems.wanted == reading else Path(problems.file).stem or reading
    return Population(game, rules, {player: Entry(matrix)}, comment=comment)


def _said(file: str, reading: str, left_out: Sequence[str]) -> str:
    """What to tell of how a file of Shelly's is read."""
    other = next(name for name in SHELLY_READINGS if name != reading)
    names = " and ".join(f"'{shown(name)}'" for name in left_out)
    without = f", without {names}" if left_out else ""
    return f"read with the rule set '{reading}'{without}; {file}#{other} reads it with '{other}'"


def _instance_variables(root: Node) -> dict[str, Node]:
    """The entries of a map by name: Ruby writes @prules as `prules`, people also write `@prules` or `:prules`."""
    if not isinstance(root, Map):
        return {}
    return {_variable(key.text): value for key, value in root.entries if isinstance(key, Scalar)}


def _variable(text: str) -> str:
    """The name of an instance variable."""
    return text.lstrip(":@")


def _symbol(text: str) -> str:
    """The name of a symbol."""
    return text.removeprefix(":")


def _ruby_described(root: Node) -> str:
    return f"'{shown(root.tag)}'" if root.tag else "other things there"


def _unknown_name(name: str, known: Mapping[str, str], where: str) -> str:
    other = {"prules": SHELLY_KEEP, "drules": SHELLY_PLAY}.get(where, {})
    if name in other:
        remedy = f"it is one of {'drules' if where == 'prules' else 'prules'}: write it there"
    else:
        close = nearest(name, known)
        remedy = f"did you mean '{close}'?" if close else f"such names are {', '.join(known)}"
    return f"no rule '{shown(name)}' in {where}; {remedy}"


READERS = (Reader(is_ruby, read_ruby), Reader(is_sheppard, read_sheppard))
