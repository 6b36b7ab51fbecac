"""The dialogue of a game in the terminal: persons and players move in turn, and boards are shown."""

from __future__ import annotations

import difflib
import itertools
import re
import shlex
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from rulebots.cli.console import in_terminal, say, terminal
from rulebots.cli.explanation import reasons_of, rollouts_of
from rulebots.errors import UsageError, one_line, printable
from rulebots.files import write_new
from rulebots.game import CHANCE
from rulebots.game.position import Position, told
from rulebots.packages import origin_of_game
from rulebots.players import Player, decides_by_rules, named_apart
from rulebots.records import Ongoing, record_text

#: `moves` shows at most the first number of legal moves, `hint` the second number of moves and of rules.
MOVES_SHOWN, REASONS_SHOWN = 60, 6
HELP = """\
  {move}
  hint        what {hinting} would play, and why; hint PLAYER asks another player
  moves       every legal move
  undo        take back your last move, and the moves after it
  board       show the board again
  save FILE   write the game to a new file; rulebots play --resume FILE continues it
  quit        leave the game
  ?           this text"""


def changes(before: str, now: str) -> Iterator[tuple[int, int]]:
    """Where a board differs from the one before, as pieces of its text; nothing where it has another shape.

    A line of as many words as before is a row of a grid, and compared column by column; along any other line
    things come and go. Blanks are never marked.
    """
    old = before.split("\n")
    new = now.split("\n")
    if len(old) != len(new):
        return
    place = 0
    for was, line in zip(old, new, strict=True):
        differing = changed_columns if len(was.split()) == len(line.split()) else changed_words
        yield from ((place + start, place + end) for start, end in differing(was, line))
        place += len(line) + 1


def changed_columns(was: str, line: str) -> Iterator[tuple[int, int]]:
    """Where a line has another character than it had in the same column, but for blanks."""
    marks = "".join("x" if now not in (old, " ") else " " for old, now in zip(was.ljust(len(line)), line, strict=False))
    yield from (run.span() for run in re.finditer("x+", marks))


def changed_words(was: str, line: str) -> Iterator[tuple[int, int]]:
    """Where a line has words that have come in, or stand for others."""
    words = list(re.finditer(r"\S+", line))
    match = difflib.SequenceMatcher(None, was.split(), [word[0] for word in words], autojunk=False)
    for kind, _, _, start, end in match.get_opcodes():
        if kind != "equal" and start < end:
            yield words[start].start(), words[end - 1].end()


class Left(Exception):
    """The person has left the game before its end."""


@dataclass
class Dialogue:
    """A game and who decides for each seat: a player, or None for the person.

    `hinting` names the player that `hint` asks, `find` makes a player from its name; `delay` is in seconds, and so is
    what a player may think about a move.
    """

    ongoing: Ongoing
    players: tuple[Player | None, ...]
    hinting: str
    find: Callable[[str], Player]
    delay: float = 0.0
    move_seconds: float | None = None
    #: The board that was shown last; empty where nothing on the next one is to be marked.
    _shown: str = field(default="", init=False)
    #: The person who looks at the screen; None before the first one does.
    _looking: int | None = field(default=None, init=False)

    def run(self) -> None:
        """Play until the game is over. Raises Left, and PlayerFault."""
        if not self.ongoing.position.chance_to_move:
            self._show()
        for seat in self.ongoing.decisions(lambda outcome: self._make(outcome, "chance brings")):
            player = self.players[seat]
            if player is None:
                self._ask()
            else:
                self._let(player)
        say(self.ongoing.outcome(self.names))
        for seat, player in enumerate(self.players):
            if player and (fault := player.ending_a_game(seat, self.ongoing.position.points, self.move_seconds)):
                say(str(fault))

    @property
    def names(self) -> list[str]:
        """What the seats are called; a player that meets itself has two names."""
        return named_apart(self.ongoing.recorded.seats)

    @property
    def _persons(self) -> list[int]:
        """The seats of persons."""
        return [seat for seat, player in enumerate(self.players) if player is None]

    @property
    def _viewer(self) -> int | None:
        """The seat whose knowledge is shown: of several persons the mover, else who looked last; None without any."""
        persons = self._persons
        if len(persons) < 2:
            return persons[0] if persons else None
        mover = max(self.ongoing.position.mover, 0)
        return mover if mover in persons else persons[0] if self._looking is None else self._looking

    def _let(self, player: Player) -> None:
        """A player decides; its move is shown with the effort it took."""
        name = self.names[self.ongoing.position.mover]
        thinking = printable(f"{name} is thinking ...") if in_terminal() else ""
        sys.stdout.write(thinking)
        sys.stdout.flush()
        began = time.monotonic()
        move = player.decide(self.ongoing.position, self.move_seconds)
        seconds = time.monotonic() - began
        if None not in self.players:
            time.sleep(max(0.0, self.delay - seconds))
        sys.stdout.write("\r" + " " * len(thinking) + "\r" if thinking else "")
        took = ", ".join([*effort(player), f"{seconds:.1f} s"])
        self._make(move, f"{name} plays", f"   ({took})")

    def _make(self, move: int, deed: str, after: str = "") -> None:
        """Make a move, and say what those at the screen may know of it."""
        position = self.ongoing.position
        seat = self._viewer
        known = move if seat is None else told(position.game, position.state, move, seat)
        words = f"{deed} {move_in_words(position, known)}{after}"
        remark = position.remark(move) if known == move else ""
        self.ongoing.play(move)
        say(f"{words}: {remark}" if remark else words)
        if not self.ongoing.position.chance_to_move:
            self._show()

    def _ask(self) -> None:
        """The person's decision, or a command."""
        try:
            text = input(f"{self._whose}your move (? for help): ").strip()
        except EOFError:
            say("")
            raise Left from None
        if not sys.stdin.isatty():
            say(text)
        word, _, rest = text.partition(" ")
        commands = {
            "?": self._help,
            "help": self._help,
            "hint": self._hint,
            "moves": self._moves,
            "undo": self._undo,
            "board": lambda _: self._show(),
            "save": self._save,
            "quit": self._quit,
        }
        try:
            if word.lower() in commands:
                commands[word.lower()](rest.strip())
            elif text:
                move = self._read(text)
                self._make(move, f"{self.names[self.ongoing.position.mover]} play")
        except UsageError as error:
            say(one_line(error))

    @property
    def _whose(self) -> str:
        """Which of several persons is asked, at a table of more than two."""
        return (
            f"{self.names[self.ongoing.position.mover]}, " if len(self._persons) > 1 and len(self.players) > 2 else ""
        )

    def _read(self, text: str) -> int:
        position = self.ongoing.position
        move = position.read(text)
        if move not in position.legal_moves:
            raise UsageError(f"{position.refusal(move, text)}: 'moves' shows the legal moves")
        return move

    def _help(self, _: str) -> None:
        write = self.ongoing.position.write
        legal = [write(int(move)) for move in self.ongoing.position.legal_moves[:3]]
        move = f"{legal[0]:<12}and the like ({', '.join(legal)}): make a move"
        say(HELP.format(move=move, hinting=self.hinting))

    def _moves(self, _: str) -> None:
        texts = [self.ongoing.position.write(int(move)) for move in self.ongoing.position.legal_moves]
        more = f" and {len(texts) - MOVES_SHOWN} more" if len(texts) > MOVES_SHOWN else ""
        say(f"{len(texts)} legal moves: {'  '.join(texts[:MOVES_SHOWN])}{more}")

    def _hint(self, name: str) -> None:
        player = self.find(name or self.hinting)
        position = self.ongoing.position
        reasons = reasons_of(player, position) if decides_by_rules(player) else rollouts_of(player, position)
        if reasons is not None:
            reasons.show(REASONS_SHOWN)
            return
        move = player.beginning_a_game(position.mover, self.ongoing.recorded.options).decide(position)
        why = ", ".join(effort(player)) or "no reasons"
        say(f"{player.name} would play {position.write(move)}   ({why})")

    def _undo(self, _: str) -> None:
        self.ongoing.take_back(self.ongoing.position.mover)
        self._shown = ""
        self._show()

    def _save(self, file: str) -> None:
        if not file:
            raise UsageError("expected the name of a new file: save FILE")
        write_new(file, record_text(self.ongoing.record()))
        say(f"saved; to continue: {to_resume(self.ongoing, file)}")

    def _quit(self, _: str) -> None:
        raise Left

    def _show(self) -> None:
        """The board as the person sees it, in a terminal with marks where it differs from the one before.

        Several persons see it in turn; where there is none it is shown whole.
        """
        seat = self._viewer
        if seat != self._looking and self._looking is not None and self._hides:
            self._cover(seat)
        self._looking = seat
        now = self.ongoing.position.text(seat)
        if in_terminal():
            from rich.text import Text

            text = Text(now)
            for start, end in changes(self._shown, now):
                text.stylize("reverse", start, end)
            terminal().print(text, soft_wrap=True)
        else:
            say(now)
        self._shown = now

    @property
    def _hides(self) -> bool:
        """Whether one person at the terminal may not see what another one does."""
        if not (in_terminal() and sys.stdin.isatty()):
            return False
        return self.ongoing.game.hidden and not self.ongoing.ended and len(self._persons) > 1

    def _cover(self, seat: int | None) -> None:
        """Clear the screen until the person of that seat has it, and repeat what that seat was told meanwhile."""
        assert seat is not None
        terminal().clear()
        self._shown = ""
        try:
            input(printable(f"Pass the screen to {self.names[seat]}, who presses Enter. "))
        except EOFError:
            raise Left from None
        position = self.ongoing.position
        for ply in reversed([*itertools.takewhile(lambda ply: ply.seat != seat, reversed(position.history(seat)))]):
            who = "chance brings" if ply.seat == CHANCE else f"{self.names[ply.seat]} has played"
            say(f"{who} {move_in_words(position, ply.move)}")


def move_in_words(position: Position, move: int) -> str:
    """A move as text, where a seat was told as much of it."""
    return position.write(move) if 0 <= move < position.game.move_count else "a move that you do not see"


def effort(player: Player) -> tuple[str, ...]:
    """The effort of a search for its last decision, in words; nothing for a player that does not search."""
    words: tuple[str, ...] = getattr(getattr(player, "result", None), "effort", ())
    return words


def to_resume(ongoing: Ongoing, file: object) -> str:
    """The command that continues a game from its file, with the place of a game that is not installed."""
    own = origin_of_game(ongoing.game.name)
    return shlex.join(["rulebots", "play", *([own] if own else []), "--resume", str(file)])
