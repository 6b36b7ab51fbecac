"""The server and the clients of Ruby Quiz 51 in plain Python, from their description alone.

`Game` says what each of the two players is told and what its answers bring, line by line; `serve` and `client` put it
on a socket. The only thing that a test may know of both sides is the text between them.
"""

from __future__ import annotations

import random
import re
import socket
from collections.abc import Callable, Iterator

LANDS = ("Deserts", "Oceans", "Mountains", "Jungles", "Volcanoes")
Card = tuple[str, str]  # value ("Inv", "2" .. "10"), land


def new_deck() -> list[Card]:
    return [(value, land) for land in LANDS for value in ["Inv"] * 3 + [str(n) for n in range(2, 11)]]


def text(card: Card) -> str:
    return card[0] + card[1][0]


def number(card: Card) -> int:
    return 0 if card[0] == "Inv" else int(card[0])


def points(pile: list[Card]) -> int:
    if not pile:
        return 0
    invested = sum(card[0] == "Inv" for card in pile)
    return (sum(map(number, pile)) - 20) * (1 + invested) + (20 if len(pile) >= 8 else 0)


class Game:
    """`deck` is drawn from its end; player 0 begins."""

    def __init__(self, hands: list[list[Card]], deck: list[Card]) -> None:
        self.hands, self.deck = [list(hand) for hand in hands], list(deck)
        self.lands = [{land: [] for land in LANDS} for _ in range(2)]
        self.discards: dict[str, list[Card]] = {land: [] for land in LANDS}
        self.mover, self.drawing, self.discarded = 0, False, None
        self.told: list[list[str]] = [[], []]
        self.over = False
        self.ask()

    def score(self, player: int) -> int:
        return sum(points(pile) for pile in self.lands[player].values())

    def ask(self) -> None:
        me, say = self.mover, self.told[self.mover].append
        for land in LANDS:
            say(f"{land}:")
            for label, pile in (("Opponent", self.lands[1 - me][land]), ("You", self.lands[me][land])):
                shown = " ".join(card[0] for card in pile) + f" ({points(pile)})" if pile else ""
                if label == "Opponent":
                    say("  Opponent:  " + shown)
                    say("  Discards:  " + "".join(card[0] + " " for card in self.discards[land]))
                else:
                    say("       You:  " + shown)
        say(f" Deck:  {'#' * len(self.deck)} ({len(self.deck)})")
        hand = sorted(self.hands[me], key=lambda card: (LANDS.index(card[1]), number(card)))
        say(" Hand:  " + " ".join(map(text, hand)))
        question = "Draw from?" if self.drawing else "Your play?"
        say(f"Score:  {self.score(me)} (You) vs. {self.score(1 - me)} (Opponent).  {question}")

    def notice(self, you: str, opponent: str) -> None:
        self.told[1 - self.mover].append(f"Your opponent {opponent}.")
        self.told[self.mover].append(f"You {you}.")

    def answer(self, line: str) -> None:
        """What the player who was asked says."""
        error = self.draw(line) if self.drawing else self.play(line)
        if error:
            self.told[self.mover].append(f"Error:  {error}")
            return
        if not self.over:
            self.ask()

    def play(self, line: str) -> str:
        found = re.fullmatch(r"(d?)\s*(i|[2-9]|10)\s*([domjv])", line.strip().lower())
        if not found:
            return "Invalid play."
        land = next(land for land in LANDS if land[0].lower() == found[3])
        card = ("Inv" if found[2] == "i" else found[2], land)
        if card not in self.hands[self.mover]:
            return "No such card."
        if found[1]:
            self.discards[land].append(card)
            self.discarded = card
            self.notice(f"discard the {text(card)}", f"discards the {text(card)}")
        else:
            mine = self.lands[self.mover][land]
            if mine and mine[-1][0] != "Inv" and number(card) <= number(mine[-1]):
                return "You can't play that card."
            mine.append(card)
            self.discarded = None
            self.notice(f"play the {text(card)}", f"plays the {text(card)}")
        self.hands[self.mover].remove(card)
        self.drawing = True
        return ""

    def draw(self, line: str) -> str:
        word = line.strip().lower()
        if not re.fullmatch("[domjvn]", word):
            return "Invalid draw."
        if word == "n":
            self.hands[self.mover].append(self.deck.pop())
            self.notice("draw a card from the deck", "draws a card from the deck")
        else:
            pile = self.discards[next(land for land in LANDS if land[0].lower() == word)]
            if not pile or pile[-1] == self.discarded:
                return "No cards there."
            card = pile.pop()
            self.hands[self.mover].append(card)
            self.notice(f"pick up the {text(card)}", f"picks up the {text(card)}")
        self.drawing, self.discarded, self.mover = False, None, 1 - self.mover
        if not self.deck:
            self.over = True
            for player in (0, 1):
                mine, other = self.score(player), self.score(1 - player)
                result = "The game is a draw." if mine == other else "I'm sorry, you lose."
                result = "Congratulations, you win." if mine > other else result
                final = f"Final Score:  {mine} (You) vs. {other} (Opponent)."
                self.told[player] += ["Game over.", final, result]
        return ""


Choose = Callable[[list[str]], str]


def dumb(lines: list[str]) -> str:
    """Tries to play its cards from the left; when each was refused it discards the first. Draws from the deck."""
    if question(lines).endswith("Draw from?"):
        return "n"
    tried = sum(line.startswith("Error:") for line in lines)
    cards = hand(lines)
    card = cards[tried] if tried < len(cards) else cards[0]
    return ("" if tried < len(cards) else "d") + card.replace("Inv", "i").lower()


def bold(luck: random.Random) -> Choose:
    """Plays, discards and draws at random from every pile, in every spelling, and makes every mistake."""

    def choose(lines: list[str]) -> str:
        noise = ["", "x", "99d", "Inv d", "d", "3", "dd3d", "10x", "\t"]
        if luck.random() < 0.2:
            return luck.choice(noise)
        if question(lines).endswith("Draw from?"):
            return luck.choice(["n", "N ", *"domjv", "D", " j"])
        card = luck.choice([*hand(lines), "2D", "10V"]).replace("Inv", "i")
        value, land = card[:-1], card[-1]
        return luck.choice(["", "d", "D "]) + value + luck.choice(["", " "]) + luck.choice([land, land.lower()])

    return choose


def question(lines: list[str]) -> str:
    return next(line for line in reversed(lines) if line.endswith("?"))


def hand(lines: list[str]) -> list[str]:
    return next(line for line in reversed(lines) if line.startswith(" Hand:")).split()[1:]


def lines_of(connection: socket.socket) -> Iterator[str]:
    with connection.makefile("r", encoding="utf-8", newline="\n") as stream:
        for line in stream:
            assert line.endswith("\n")
            yield line[:-1]


def client(address: tuple[str, int], choose: Choose) -> list[str]:
    """A game at a server; gives every line that the server sent."""
    with socket.create_connection(address, timeout=60) as connection:
        lines: list[str] = []
        for line in lines_of(connection):
            lines.append(line)
            if line.endswith("?") or line.startswith("Error:"):
                since = max(i for i, old in enumerate(lines) if old.endswith("?"))
                start = max((i for i, old in enumerate(lines[:since]) if old.endswith("?")), default=-1)
                connection.sendall(choose(lines[start + 1 :]).encode() + b"\n")
        return lines


def serve(listener: socket.socket, choose: Choose, luck: random.Random, theirs: int) -> list[str]:
    """One game at a server with a player of its own; gives every line that the client sent."""
    connection, _ = listener.accept()
    connection.settimeout(60)
    deck = new_deck()
    luck.shuffle(deck)
    game = Game([deck[:8], deck[8:16]], deck[16:])
    said, shown, own = [], 0, 0
    with connection:
        answers = lines_of(connection)
        while True:
            new, shown = game.told[theirs][shown:], len(game.told[theirs])
            connection.sendall("".join(f"{line}\n" for line in new).encode())
            if game.over:
                return said
            if game.mover == theirs:
                said.append(next(answers))
                game.answer(said[-1])
            else:
                lines = game.told[1 - theirs]
                game.answer(choose(lines[own:]))
                if not lines[-1].startswith("Error:"):
                    own = next((i + 1 for i in range(len(lines) - 1, -1, -1) if lines[i].startswith("You ")), 0)
