"""The dialogue of a game in the terminal: persons and players move in turn."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from rulebots.cli.board import Board
from rulebots.cli.console import in_terminal, say
from rulebots.cli.explanation import candidates_of, show_candidates, show_reasons
from rulebots.errors import UsageError
from rulebots.files import write_new
from rulebots.players import Player, RulePlayer, named_apart
from rulebots.records import PERSON, Ongoing, record_text

#: At most so many legal moves are shown by `moves`, and moves and rules by `hint`.
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


class Left(Exception):
    """The person has left the game before its end."""


@dataclass
class Dialogue:
    """A game and who decides for each seat: a player, or None for the person.

    `hinting` names the player that `hint` asks, `find` makes a player from its name; `delay` is in seconds, and so is
    what a player may think about a move.
    """

    ongoing: Ongoing
    players: tuple[Player | None, Player | None]
    hinting: str
    find: Callable[[str], Player]
    delay: float = 0.0
    move_seconds: float | None = None
    _board: Board = field(default_factory=Board, init=False)

    def run(self) -> None:
        """Play until the game is over. Raises Left, and PlayerFault."""
        if not self.ongoing.position.chance_to_move:
            self._show()
        while not self.ongoing.ended:
            if self.ongoing.position.chance_to_move:
                outcome = self.ongoing.draw()
                self._make(outcome, f"chance brings {self.ongoing.position.write(outcome)}")
                continue
            player = self.players[self.ongoing.position.mover]
            if player is None:
                self._ask()
            else:
                self._let(player)
        say(self.outcome())
        for seat, player in enumerate(self.players):
            if player and (fault := player.ending_a_game(seat, self.ongoing.position.points, self.move_seconds)):
                say(str(fault))

    @property
    def names(self) -> list[str]:
        """What the seats are called; a player that meets itself has two names."""
        return named_apart(self.ongoing.recorded.seats)

    def outcome(self) -> str:
        """How the game ended, in words."""
        points, names = self.ongoing.position.points, self.names
        score = f"{names[0]} {points[0]}, {names[1]} {points[1]}"
        if self.ongoing.position.stalled:
            return f"The game has reached its limit of {self.ongoing.game.ply_cap} moves: nobody wins. {score}"
        if points[0] == points[1]:
            return f"A draw. {score}"
        winner = names[0] if points[0] > points[1] else names[1]
        return f"{'You win' if winner == PERSON else f'{winner} wins'}. {score}"

    def _let(self, player: Player) -> None:
        """A player decides; its move is shown with the effort it took."""
        name = self.names[self.ongoing.position.mover]
        thinking = f"{name} is thinking ..." if in_terminal() else ""
        sys.stdout.write(thinking)
        sys.stdout.flush()
        began = time.monotonic()
        move = player.decide(self.ongoing.position, self.move_seconds)
        seconds = time.monotonic() - began
        if None not in self.players:
            time.sleep(max(0.0, self.delay - seconds))
        sys.stdout.write("\r" + " " * len(thinking) + "\r" if thinking else "")
        took = ", ".join([*effort(player), f"{seconds:.1f} s"])
        self._make(move, f"{name} plays {self.ongoing.position.write(move)}   ({took})")

    def _make(self, move: int, said: str) -> None:
        remark = self.ongoing.position.remark(move)
        self.ongoing.play(move)
        say(f"{said}: {remark}" if remark else said)
        if not self.ongoing.position.chance_to_move:
            self._show()

    def _ask(self) -> None:
        """The person's decision, or a command."""
        try:
            text = input("your move (? for help): ").strip()
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
                self._make(move, f"{self.names[self.ongoing.position.mover]} play {self.ongoing.position.write(move)}")
        except UsageError as error:
            say(str(error))

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
        from rulebots.players.explaining import explain

        player, position = self.find(name or self.hinting), self.ongoing.position
        if isinstance(player, RulePlayer):
            show_reasons(explain(player, position), player.name, REASONS_SHOWN)
            return
        if (searched := candidates_of(player, position)) is not None:
            show_candidates(searched, position.game, player.name)
            return
        move = player.beginning_a_game(position.mover, self.ongoing.recorded.options).decide(position)
        why = ", ".join(effort(player)) or "no reasons"
        say(f"{player.name} would play {position.write(move)}   ({why})")

    def _undo(self, _: str) -> None:
        if not self.ongoing.take_back(self.ongoing.position.mover):
            raise UsageError("there is no move of yours to take back")
        self._board.forget()
        self._show()

    def _save(self, file: str) -> None:
        if not file:
            raise UsageError("expected the name of a new file: save FILE")
        write_new(file, record_text(self.ongoing.record()))
        say(f"saved; to continue: rulebots play --resume {file}")

    def _quit(self, _: str) -> None:
        raise Left

    def _show(self) -> None:
        """The board as the person sees it. Two persons see it in turn; where there is none it is shown whole."""
        seat = self.players.index(None) if None in self.players else None
        if self.players == (None, None):
            seat = max(self.ongoing.position.mover, 0)
        self._board.show(self.ongoing.position.text(seat))


def effort(player: Player) -> tuple[str, ...]:
    """The effort of a search for its last decision, in words; nothing for a player that does not search."""
    words: tuple[str, ...] = getattr(getattr(player, "result", None), "effort", ())
    return words
