"""A small agent of the Hanabi Learning Environment, and the player that asks it. Replace MyAgent by yours.

The guide is docs/how-to/hanabi-chromosomes.md.
"""

from rulebots import Player

COLORS = "RYGWB"


def play_known(observation):
    """Play a card of which hints have named both, if it fits."""
    for place, known in enumerate(observation["card_knowledge"][0]):
        if known["color"] and known["rank"] == observation["fireworks"][known["color"]]:
            return {"action_type": "PLAY", "card_index": place}
    return None


def tell_playable(observation):
    """Name what a card that fits is not yet known by: its rank, then its colour."""
    for offset in range(1, observation["num_players"]):
        hand, known = observation["observed_hands"][offset], observation["card_knowledge"][offset]
        for card, told in zip(hand, known, strict=True):
            if card["rank"] == observation["fireworks"][card["color"]]:
                if told["rank"] is None:
                    return {"action_type": "REVEAL_RANK", "rank": card["rank"], "target_offset": offset}
                if told["color"] is None:
                    return {"action_type": "REVEAL_COLOR", "color": card["color"], "target_offset": offset}
    return None


def discard_oldest(observation):
    return {"action_type": "DISCARD", "card_index": 0}


def tell_anything(observation):
    return next(action for action in observation["legal_moves"] if action["action_type"].startswith("REVEAL"))


class MyAgent:
    rules = (discard_oldest, tell_anything, tell_playable, play_known)

    def __init__(self, config, chromosome=(3, 2, 0, 1)):
        self.chromosome = chromosome

    def act(self, observation):
        for number in self.chromosome:
            rule = self.rules[number]
            action = rule(observation)
            if action in observation["legal_moves"]:
                return action
        return None


def action_of(move):
    """A move as a dictionary."""
    if move < 10:
        return {"action_type": "PLAY" if move >= 5 else "DISCARD", "card_index": move % 5}
    offset, value = (move - 10) % 20 // 5 + 1, move % 5
    if move < 30:
        return {"action_type": "REVEAL_COLOR", "color": COLORS[value], "target_offset": offset}
    return {"action_type": "REVEAL_RANK", "rank": value, "target_offset": offset}


def card_of(number):
    """A card as a dictionary, without content in the mover's own hand."""
    return {"color": COLORS[number // 5], "rank": number % 5} if number >= 0 else {"color": None, "rank": -1}


def known_of(colours, ranks, touched):
    """What hints have named of a card."""
    return {
        "color": COLORS[colours.bit_length() - 1] if touched & 1 else None,
        "rank": ranks.bit_length() - 1 if touched & 2 else None,
    }


def observation_of(view, moves):
    seats = [(k, range(view.held[k])) for k in range(view.seats)]
    return {
        "current_player_offset": 0,
        "num_players": int(view.seats),
        "life_tokens": int(view.lives),
        "information_tokens": int(view.tokens),
        "deck_size": int(view.deck_left),
        "fireworks": {color: int(view.fireworks[i]) for i, color in enumerate(COLORS)},
        "discard_pile": [card_of(card) for card in range(25) for _ in range(view.discards[card])],
        "observed_hands": [[card_of(int(view.hands[k, i])) for i in held] for k, held in seats],
        "card_knowledge": [
            [known_of(int(view.colours[k, i]), int(view.ranks[k, i]), view.touched[k, i]) for i in held]
            for k, held in seats
        ],
        "legal_moves": [action_of(move) for move in moves],
    }


class Hle(Player):
    """Asks MyAgent; a chromosome is written as 3-2-0-1."""

    def __init__(self, game, name, chromosome: str = "3-2-0-1"):
        super().__init__(game, name)
        self.agent = MyAgent({}, [int(number) for number in chromosome.split("-")])

    def choose(self, view, moves):
        legal = sorted(moves.tolist())  # in the learning environment's order
        observation = observation_of(view, legal)
        return legal[observation["legal_moves"].index(self.agent.act(observation))]
