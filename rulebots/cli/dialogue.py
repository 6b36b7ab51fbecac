"""The dialogue of a game in the terminal: persons and players move in turn, and boards are shown."""

import contextlib
import itertools
import re
import shlex
import shutil
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from rulebots.cli.console import in_terminal, say, say_board, terminal
from rulebots.cli.explanation import RuleReasons, reasons_of, rollouts_of, would_play
from rulebots.cli.tables import counted
from rulebots.errors import UsageError, demand, one_line, printable, shown
from rulebots.files import write_new
from rulebots.files.ranges import whole_of
from rulebots.game import CHANCE, Game
from rulebots.game.position import Ply, Position
from rulebots.packages import origin_of_game, package_of
from rulebots.packages.levels import CarelessPlayer, adviser, exact_ending, exact_values, in_speech
from rulebots.packages.named_code import code_name, origin_of
from rulebots.packages.players import champion_of, make_player
from rulebots.packages.rule_sets import brought_rule_sets
from rulebots.play.background import Preparation
from rulebots.players import Player, decides_by_rules, named_apart
from rulebots.players.explaining import explain
from rulebots.players.findings import findings_of
from rulebots.players.sentences import deeds_of, plainly
from rulebots.records import PERSON, Ongoing, record_text

#: Seconds from one look to the next at whether the players are prepared.
TICK = 0.2
#: What leaves a game.
LEAVING = ("quit", "q", "exit", "bye", ":q", "resign")
HELP = """\
  {move}
  hint        what {hinting} would play, and why; hint PLAYER asks another player
  hint not M  why not your move M; hint PLAYER not M; without M, why not the next best
  hint all    the same with the scores of the moves and what each rule adds; hint all PLAYER
{why}  moves       every legal move
  history     the moves so far
  undo        take back your last move, and the moves after it
  board       show the board again
{rules}  save FILE   write the game to a new file; rulebots play --resume FILE continues it
  quit        leave the game, also resign; what was played is kept in a file, as at Ctrl-C
  h, u        hint and undo, unless the game has such a move
  ?           this text"""
WHY = """\
  why         why another player made its latest move; why 2 asks about the one before it
  why not M   why it did not make move M there; why 2 not M
"""
RULES = """\
  rules       the rules of the game
"""
SHORT = {"h": "hint", "u": "undo"}
#: What a person at the keyboard may type once the game is over.
AFTERWARDS = "again, why, undo, save FILE, or Enter to leave (? for help): "
HELP_AFTERWARDS = f"""\
  again       a new game of the same players
{WHY}  history     the moves of the game
  undo        take back your last move and play on, unless cards were hidden or dice thrown
  board       show the board again
{{rules}}  save FILE   write the game to a new file
  Enter       leave
  ?           this text"""


class Left(Exception):
    """The person has left the game before its end: the message says how."""


@dataclass
class Dialogue:
    """A game with the player of each seat, who may still be being prepared; None is a person.

    `delay` is in seconds, and so is what a player may think about a move.
    """

    ongoing: Ongoing
    preparation: Preparation
    delay: float = 0.0
    move_seconds: float | None = None
    #: Whether the person wants another game of the same players.
    again: bool = field(default=False, init=False)
    #: The person who looks at the screen; None before the first one does.
    _looking: int | None = field(default=None, init=False)
    #: The player of each seat, None for a person; empty until the first of them is to move.
    _players: Sequence[Player | None] = field(default=(), init=False)

    def run(self) -> None:
        """Play until the game is over. Raises Left, and PlayerFault."""
        if not self.ongoing.position.chance_to_move:
            self._show()
        while not self.ongoing.ended:
            for seat in self.ongoing.decisions(self._make):
                if seat in self._persons:
                    self._ask()
                elif player := self._prepared()[seat]:
                    self._let(player)
            say(self.ongoing.outcome(self.names))
            for seat, player in enumerate(self._players):
                if player and (fault := player.ending_a_game(seat, self.ongoing.position.points, self.move_seconds)):
                    say(str(fault))
            if self._persons:
                self._ask_afterwards()

    @property
    def names(self) -> list[str]:
        """What the seats are called, all different; several persons, who see the board in turn, are numbered."""
        names = [in_speech(name) for name in self.ongoing.recorded.seats]
        if len(persons := self._persons) > 1:
            return named_apart([f"player {seat + 1}" if seat in persons else name for seat, name in enumerate(names)])
        return names_on_board(self.ongoing.game, names, self._viewer)

    @property
    def _persons(self) -> list[int]:
        return [seat for seat, name in enumerate(self.ongoing.recorded.seats) if name == PERSON]

    @property
    def _viewer(self) -> int | None:
        """The seat to show the game to: of several persons the mover, else the one before; None without any."""
        persons = self._persons
        if len(persons) < 2:
            return persons[0] if persons else None
        mover = max(self.ongoing.position.mover, 0)
        return mover if mover in persons else persons[0] if self._looking is None else self._looking

    def _prepared(self) -> Sequence[Player | None]:
        """The players, once they can move: meanwhile the seconds count up. Raises what their preparation raised."""
        if not self._players:
            while not self.preparation.done.wait(TICK):
                waiting = self.preparation.waiting
                _overwrite(waiting and f"Preparing the other players, once: {waiting}")
            _overwrite("")
            if self.preparation.error:
                raise self.preparation.error
            options = self.ongoing.recorded.options
            self._players = [
                player and player.beginning_a_game(seat, options, self.move_seconds)
                for seat, player in enumerate(self.preparation.players)
            ]
        return self._players

    def _let(self, player: Player) -> None:
        _overwrite(f"{self.names[self.ongoing.position.mover]} is thinking ...")
        began = time.monotonic()
        move = player.decide(self.ongoing.position, self.move_seconds)
        seconds = time.monotonic() - began
        if not self._persons:
            time.sleep(max(0.0, self.delay - seconds))
        _overwrite("")
        self._make(move, f"   ({', '.join([*effort(player), f'{seconds:.1f} s'])})")

    def _make(self, move: int, after: str = "") -> None:
        """Make a move, and say what those at the screen may know of it."""
        position = self.ongoing.position
        seat = self._viewer
        known = move if seat is None else position.game.heard(position.state, move)[seat]
        sentence = move_in_words(position, move, self.names, known)
        before = self._known(seat)
        self.ongoing.play(move)
        say(sentence + after)
        for ply, (earlier, now) in enumerate(zip(before, self._known(seat), strict=False)):
            if earlier != now:
                say(move_in_words(self.ongoing.positions[ply], now.move, self.names))
        position = self.ongoing.position
        if self.ongoing.ended or (position.mover in self._persons if self._persons else not position.chance_to_move):
            self._show()

    def _known(self, seat: int | None) -> Sequence[Ply]:
        """The moves of this game, as far as that seat knows them by now; nothing without a seat or a history."""
        position = self.ongoing.position
        known = () if seat is None or position.past is None else position.known(seat)
        return known[len(known) - len(self.ongoing.moves) :]  # it may have begun in a position with a past

    def _ask(self) -> None:
        name = self.names[self.ongoing.position.mover]
        whose = f"{name}, " if len(self._persons) > 1 and len(self.names) > 2 else ""
        text = typed(f"{whose}your move (? for help): ")
        if not sys.stdin.isatty():
            say(text)
        if text not in map(self.ongoing.position.write, self.ongoing.position.legal_moves.tolist()):
            text = re.sub("^[hu](?= |$)", lambda short: SHORT[short[0]], text)
        try:
            if not _obeyed(text, self._commands) and text:
                self._make(self._read(text))
        except UsageError as error:
            if text.lower() in LEAVING:  # and is not a move
                raise Left("You left the game") from None
            say(one_line(error))

    @property
    def _commands(self) -> Mapping[str, Callable[[str], None]]:
        """What else than a move may be typed now."""
        over = self.ongoing.ended
        return {
            "?": self._help,
            "help": self._help,
            "why": self._why,
            "history": self._history,
            **({"rules": lambda _: say(self._rules)} if self._rules else {}),
            "undo": self._undo,
            "board": lambda _: self._show(),
            "save": self._save,
            **({"u": self._undo, "again": self._again} if over else {"hint": self._hint, "moves": self._moves}),
        }

    def _ask_afterwards(self) -> None:
        """Answer until the person leaves or plays on; a pipe may hold more lines than the game needed."""
        at_keyboard = sys.stdin.isatty()
        with contextlib.suppress(EOFError, KeyboardInterrupt):
            while self.ongoing.ended and not self.again:
                text = input(AFTERWARDS * at_keyboard).strip()
                if text.lower() in ("", *LEAVING):
                    return
                try:
                    known = _obeyed(text, self._commands)
                    if not (known or at_keyboard):
                        return
                    demand(known, f"the game is over: '{shown(text)}' is not known here (? for help)")
                except UsageError as error:
                    say(one_line(error))

    def _again(self, _: str) -> None:
        self.again = True

    def _read(self, text: str) -> int:
        try:
            return self.ongoing.position.legal_move(text)
        except UsageError as error:
            raise UsageError(f"{error} (? for help)") from None

    def _help(self, _: str) -> None:
        write = self.ongoing.position.write
        legal = [write(int(move)) for move in self.ongoing.position.legal_moves[:3]]
        say(
            (HELP_AFTERWARDS if self.ongoing.ended else HELP).format(
                move=f"{''.join(legal[:1]):<12}and the like ({', '.join(legal)}): make a move",
                hinting=self._own_adviser or champion_of(self.ongoing.game),
                why="" if self.ongoing.game.hidden else WHY,
                rules=RULES * bool(self._rules),
            )
        )

    def _moves(self, _: str) -> None:
        position = self.ongoing.position
        # By letters, and by the values of numbers: a2 before a10.
        legal = sorted(
            position.legal_moves.tolist(),
            key=lambda move: [
                int(part) if at % 2 else part for at, part in enumerate(re.split("([0-9]+)", position.write(move)))
            ],
        )
        texts = [*map(position.write, legal)]
        deeds = [*map(plainly, deeds_of(position, legal, self.names))]
        wide = max(map(len, texts)) + 2
        columns = max(1, (shutil.get_terminal_size().columns + 1) // wide)
        if not all(map(_says, deeds, texts)):
            columns, texts = 1, [f"{text:{wide}}{deed}" for text, deed in zip(texts, deeds, strict=True)]
        lines = [texts[at : at + columns] for at in range(0, len(texts), columns)]
        rows = ("".join(f"{text:{wide}}" for text in line).rstrip() for line in lines)
        say("\n".join([f"{counted(len(texts), 'legal move')}:", *rows]))

    def _history(self, _: str) -> None:
        made = zip(self.ongoing.positions, self.ongoing.moves, self._known(self._viewer), strict=False)
        told = [move_in_words(position, move, self.names, ply.move) for position, move, ply in made]
        say("\n".join(f"{number:3d}  {text}" for number, text in enumerate(told, 1)) or "no move has been made")

    @property
    def _rules(self) -> str:
        """What the package says of the rules, a line for each paragraph and item; "" for nothing."""
        summary, paragraphs = package_of(self.ongoing.game).about
        blocks = [[one] if isinstance(one, str) else [f"- {item}" for item in one] for one in paragraphs]
        return "\n".join(filter(None, [summary, *itertools.chain(*blocks)]))

    @property
    def _own_adviser(self) -> str:
        """Who gives hints where the game has no player that tries to win: an opponent, or rules; "" for nobody else."""
        game = self.ongoing.game
        brought = (code.text for rules in brought_rule_sets(game).values() if (code := origin_of(rules)))
        known = (name for name in (*self.ongoing.recorded.seats, *brought) if name not in (PERSON, "random"))
        return next(known, "") if champion_of(game) == "random" else ""

    def _hint(self, words: str) -> None:
        words, other = _and_not(words)
        against = self._read(other) if other else None
        first, _, rest = words.partition(" ")
        name = rest if first == "all" else words
        game = self.ongoing.game
        position = self.ongoing.position
        name = name or self._own_adviser
        player, ending = (make_player(name, game, position.seats), "") if name else adviser(position)
        player = player.player if isinstance(player, CarelessPlayer) else player
        asked = reasons_of if decides_by_rules(player) else rollouts_of
        reasons = asked(player, position, self.names, against)
        if reasons:
            reasons.show() if first == "all" else say(f"{reasons.summary()}\n{ending}".strip())
            return
        player = player.beginning_a_game(position.mover, self.ongoing.recorded.options)
        move = player.decide(position)
        found = findings_of(getattr(player, "result", None), position, against)
        why = ", ".join(effort(player)) or "no reasons"
        say(f"{would_play(player.name, position, move, self.names)}   ({why})")
        sentence = found.sentence(position, self.names) if found and not (ending and against is None) else ""
        if said := f"{sentence} {ending}".strip():
            say(said)

    def _why(self, words: str) -> None:
        back, other = _and_not(words)
        number = whole_of(back or "1") or 0
        demand(number > 0, f"expected why, or why 2 for the move before the latest, not 'why {shown(words)}'")
        plies = zip(self.ongoing.positions, self.ongoing.moves, strict=False)  # no move was made in the last position
        made = [(position, move) for position, move in plies if position.mover != CHANCE]
        of_players = [
            (position, move, player)
            for position, move in reversed(made)
            if (player := self._prepared()[position.mover])
        ]
        yours = f"; of a move of yours ask: hint not {shown(other)}" * bool(other)
        demand(of_players, f"no other player has moved yet{yours}")
        hides = self.ongoing.game.hidden and not self.ongoing.ended
        demand(not hides, "the reasons would tell what is hidden from you: ask when the game is over")
        most = len(of_players)
        how = f"type why 1{f' to why {most}' * (most > 1)}"
        demand(number <= most, f"the other players have made {counted(most, 'move')}: {how}")
        position, move, player = of_players[number - 1]
        guide = player.player if isinstance(player, CarelessPlayer) else player
        against = position.legal_move(other) if other else None
        demand(against != move, f"{position.write(move)} is the move that was made: ask about another one")
        asked = move if against is None else against
        found = findings_of(getattr(guide, "result", None), position, against)
        reason = ""
        if found and found.moves[:1] == [move]:  # not a later move, taken back
            reason = f"By its search: {', '.join(effort(guide))}. {found.sentence(position, self.names)}".strip()
        if decides_by_rules(guide):
            explained = explain(guide, position, against=asked)
            own = guide is not player or explained.chosen == move
            reasons = RuleReasons(explained, position, player.name, self.names, asked=explained.chosen == move)
            reason = reasons.sentence() if own else "Another player made it."
        [doing] = deeds_of(position, [asked], self.names, doing=True)
        ending = exact_ending(exact_values(position), asked, plainly(doing))
        told = f"{move_in_words(position, move, self.names)}. {reason or 'It gives no reasons.'}"
        say(f"{told} {ending}".rstrip())

    def _undo(self, _: str) -> None:
        over = self.ongoing.ended
        seen = over and self.ongoing.game.hidden
        demand(not seen, "nothing is hidden any more, so no move can be taken back: 'again' begins a new game")
        self.ongoing.take_back(*(self._persons if over else [self.ongoing.position.mover]))
        self._players = () if over else self._players  # to which the game had ended
        self._show()

    def _save(self, file: str) -> None:
        demand(file, "expected the name of a new file: save FILE")
        write_new(file, record_text(self.ongoing.record()))
        say("saved" if self.ongoing.ended else f"saved; to continue: {to_resume(self.ongoing, file)}")

    def _show(self) -> None:
        """The board as the person sees it. Several persons see it in turn; where there is none it is shown whole."""
        seat = self._viewer
        at_keyboard = in_terminal() and sys.stdin.isatty()
        hides = self.ongoing.game.hidden and not self.ongoing.ended
        if at_keyboard and hides and seat is not None and self._looking not in (seat, None):
            self._cover(seat)
        self._looking = seat
        say_board(self.ongoing.position.text(seat))

    def _cover(self, seat: int) -> None:
        """Clear the screen until the person of that seat has it, and repeat what that seat was told meanwhile."""
        terminal().clear()
        typed(f"Pass the screen to {self.names[seat]}, who presses Enter. ")
        plies = zip(
            reversed(self.ongoing.positions[:-1]),
            reversed(self.ongoing.moves),
            reversed(self.ongoing.position.history(seat)),
            strict=False,  # a game that began in a position may know what was played before it
        )
        for position, move, ply in reversed([*itertools.takewhile(lambda one: one[2].seat != seat, plies)]):
            say(move_in_words(position, move, self.names, ply.move))


def _obeyed(text: str, commands: Mapping[str, Callable[[str], None]]) -> bool:
    """Whether a text is one of these commands, which is then run with what follows it."""
    word, _, rest = text.partition(" ")
    command = commands.get(word.lower())
    if command:
        command(rest.strip())
    return command is not None


def _and_not(words: str) -> tuple[str, str]:
    """What stands before `not` in a question, and the move after it: none for the next best one."""
    before, _, move = f" {words} ".partition(" not ")
    return before.strip(), move.strip()


def _says(sentence: str, typed: str) -> bool:
    """Whether a move is part of a sentence as it is typed."""
    return re.search(rf"(?<!\w){re.escape(typed)}(?!\w)", sentence) is not None


def _overwrite(text: str) -> None:
    """Write a text in the place of the one before, in a terminal; "" leaves the line empty."""
    if in_terminal():
        blank = " " * (shutil.get_terminal_size().columns - 1)
        sys.stdout.write(f"\r{blank}\r{printable(text)}")
        sys.stdout.flush()


def typed(prompt: str) -> str:
    """What a person types. Raises Left where there is nothing more."""
    try:
        return input(printable(prompt)).strip()
    except EOFError:
        say("")
        raise Left("The input has ended") from None


def move_in_words(position: Position, move: int, names: Sequence[str], heard: int | None = None) -> str:
    """A move in a sentence (see `Position.sentence`), and as it is typed if that is not part of the sentence."""
    sentence = position.sentence(move, names, heard)
    typed = position.write(move)
    told = heard in (None, move) and position.mover != CHANCE
    return f"{sentence} ({typed})" if told and not _says(sentence, typed) else sentence


def names_on_board(game: Game, names: Sequence[str], viewer: int | None) -> list[str]:
    """The seats' names, told apart by what the board of the viewer calls them: `champion (left)`; else by numbers."""
    first = viewer or 0
    order = [seat % len(names) for seat in range(first, first + len(names))]
    if not game.text.places:
        apart = named_apart([names[seat] for seat in order])
    elif viewer is None:
        apart = [f"{names[seat]} (seat {seat})" for seat in order]
    else:
        others = zip(order[1:], game.text.places[1:], strict=False)
        apart = [names[viewer], *(f"{names[seat]} ({place.lower()})" for seat, place in others)]
    return [apart[order.index(seat)] for seat in range(len(names))]


def effort(player: Player) -> tuple[str, ...]:
    """The effort of a search for its last decision, in words; nothing for a player that does not search."""
    return tuple(getattr(getattr(player, "result", None), "effort", ()))


def to_resume(ongoing: Ongoing, file: object) -> str:
    """The command that continues a game from its file, with the places of a game and of players that the user wrote."""
    place = origin_of_game(ongoing.game.name)
    codes = map(code_name, dict.fromkeys(ongoing.recorded.seats))
    imports = [f"--import={code.text}" for code in codes if code and code.is_file]
    return shlex.join(["rulebots", "play", *([place] if place else []), "--resume", str(file), *imports])
