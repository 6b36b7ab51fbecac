"""Reads the files of Ruby Quiz 51: those of Daniel Sheppard's breeder, and Adam Shelly's rules in Ruby's YAML.

Both are read as plain data; no Ruby object is ever created.
"""

from pathlib import Path

import numpy as np

from rulebots.errors import shown, unknown
from rulebots.files.layout import WRONG, choice
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
_SHEPPARD_RULE = choice("rule of Daniel Sheppard", SHEPPARD_RULES)

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


def read_sheppard(root: Node, problems: PopulationProblems, comment: str) -> Population:
    """A list of two: weight lists, best first, and rule names. Players are named 1, 2, 3 and so on.

    New rules have no weights yet: lists may be shorter than the names, and entries may be empty.
    """
    problems.refuse_tags(root)
    parts = root.items if isinstance(root, Items) else []
    if len(parts) != 2:
        problems.expected("a list of two: the weight lists, then the rule names", root)
        return Population(game, sheppard, {}, comment=comment)
    lists, names = (part.items if isinstance(part, Items) else [] for part in parts)
    if not lists:
        problems.expected("a list of weight lists, best first", parts[0])
    if not names:
        problems.expected("a list of rule names such as Rules::PlayLowestFirst", parts[1])
    rules = [_SHEPPARD_RULE.read(name, problems, "") for name in names]
    for place, rule in enumerate(rules):
        if rule is not WRONG and rule in rules[:place]:
            problems.add(names[place], f"'{rule}' is there twice; remove one of them")
    players: dict[str, Entry] = {}
    for number, weights in enumerate(lists, start=1):
        matrix = np.full((2, len(sheppard.rules)), np.nan)
        entries = weights.items if isinstance(weights, Items) else []
        if not isinstance(weights, Items) and not (isinstance(weights, Scalar) and weights.empty):
            problems.expected("a list of weights", weights)
        if len(entries) > len(rules) > 0:
            problems.add(entries[len(rules)], f"{len(entries)} weights, but only {len(rules)} rule names")
        for rule, entry in zip(rules, entries, strict=False):
            if rule is WRONG or (isinstance(entry, Scalar) and entry.empty):
                continue
            weight = read_weight_number(entry, f"as weight of '{rule}'", problems)
            if weight is not None:
                matrix[:, sheppard.columns[SHEPPARD_RULES[rule]]] = weight
        players[str(number)] = Entry.read(matrix)
    return Population(game, sheppard, players, comment=comment)


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
        other = f"'{shown(root.tag)}'" if root.tag else root.described()
        raise problems.stop(root, f"expected {RUBY_LAYOUT}, not {other}")
    problems.entries(root, RUBY_LAYOUT, _variable)  # for keys that are there twice
    left_out = [name for name in variables if name not in ("prules", "drules")]
    later = "name" in left_out or "parent" in left_out
    reading = problems.wanted if problems.wanted in SHELLY_READINGS else (shelly_mended if later else shelly).name
    without = ", without " * bool(left_out) + " and ".join(f"'{shown(name)}'" for name in left_out)
    other = next(name for name in SHELLY_READINGS if name != reading)
    problems.notes.append(
        f"read with the rule set '{reading}'{without}; {problems.file}#{other} reads it with '{other}'"
    )
    rules = SHELLY_READINGS[reading]
    matrix = np.zeros((2, len(rules.rules)))
    matrix[:, rules.columns[SHELLY_DRAW]] = 1.0
    for node, group, known, where in ((prules, "play", SHELLY_PLAY, "prules"), (drules, "keep", SHELLY_KEEP, "drules")):
        for name, (key, value) in problems.entries(node, RUBY_LAYOUT, lambda text: text.removeprefix(":")).items():
            if name not in known:
                problems.add(key, unknown("rule", name, known, where))
            pair = weight().read(value, problems, name)
            if pair is not WRONG and name in known:
                matrix[:, rules.columns[f"{group}.{known[name]}"]] = pair
    player = reading if problems.wanted == reading else Path(problems.file).stem or reading
    return Population(game, rules, {player: Entry(matrix)}, comment=comment)


def _instance_variables(root: Node) -> dict[str, Node]:
    """The entries of a map by name: Ruby writes @prules as `prules`, people also write `@prules` or `:prules`."""
    if not isinstance(root, Map):
        return {}
    return {_variable(key.text): value for key, value in root.entries if isinstance(key, Scalar)}


def _variable(text: str) -> str:
    return text.lstrip(":@")


READERS = (
    # Tagged by Ruby, or with Shelly's two maps.
    Reader(
        lambda root: (root.tag or "").startswith("!ruby/") or {"prules", "drules"} <= set(_instance_variables(root)),
        read_ruby,
    ),
    # A list, not a map.
    Reader(lambda root: isinstance(root, Items) and not root.tag, read_sheppard),
)
