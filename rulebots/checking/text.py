"""Text: what is written reads back, nonsense is refused, and every position can be shown and drawn."""

from collections.abc import Callable
from typing import Any

from rulebots.checking.findings import Findings, check
from rulebots.checking.law import legal_moves, sample_states
from rulebots.errors import UsageError
from rulebots.game import CHANCE
from rulebots.game.checks import EndlessCall, call_limited, contract_error, require
from rulebots.game.contract import Game, State, checked_game
from rulebots.game.position import Position
from rulebots.game.text import spoken
from rulebots.kernel.user_code import in_users_terms
from rulebots.output.diagram import Diagram
from rulebots.packages import package_of

NONSENSE = ("", "   ", "?", "no move", "-1", "9999999999999999999999", "\x00", "é")
#: Random games from which positions are taken.
GAMES = 8


@check
def check_text(findings: Findings, game: Game) -> None:
    """`write`, `read`, `show` and `draw` in random positions."""
    states = sample_states(game, GAMES, 60, chance=True)
    for state in states:
        for check_one in (_check_moves, _check_shown):
            with findings.collecting():
                check_one(game, state)
        if findings:
            return
    for text in NONSENSE if states else ():
        _check_nonsense(game, states[0], text)


def _check_moves(game: Game, state: State) -> None:
    """Every legal move has a name of its own, without blanks, that reads back, and a sentence if the game has any."""
    write = game.text.write
    read = game.text.read
    moves = dict[str, int]()
    for move in legal_moves(checked_game(game), state):
        text: Any = call_limited(write, move)
        _require_text(write, text, f"for the move {move}: expected some text")
        require(
            write,
            len(text.split()) == 1,
            f"writes the move {move} with a blank, '{text}': in records a blank ends a move",
        )
        require(write, text not in moves, f"writes the moves {moves.get(text)} and {move} alike, as '{text}'")
        moves[text] = move
        try:
            again: Any = call_limited(read, text, state)
        except EndlessCall:
            raise
        except UsageError as error:
            raise contract_error(
                read, f"refuses '{text}', which `write` gives for the legal move {move}: {error}"
            ) from None
        require(read, again == move, f"reads '{text}' as {again!r}, but `write` gives it for the move {move}")
        if game.text.sentence:
            _check_sentence(game, game.text.sentence, state, move)
        for told in (game.text.grounds, game.text.harm):
            if told and state.mover != CHANCE:
                _check_sentence(game, told, state, move)


def _check_sentence(game: Game, sentence: Callable[[Any, int], str], state: State, move: int) -> None:
    """What is told of a move is a text that names seats of this table, and only reads the state."""
    before = state.tobytes()
    text: Any = call_limited(sentence, state, move)
    if sentence is game.text.sentence or text != "":
        _require_text(sentence, text, f"for the move {move}: expected what it does, such as 'draw(s) a card'")
    try:
        said = spoken(text, ["you"] * game.seats_of(state), int(state.mover))
    except IndexError:
        said = text
    expected = f"expected names of seats only, '{{0}}' to '{{{game.seats_of(state) - 1}}}'"
    require(sentence, not {*"{}"} & {*said}, f"leaves braces in {text!r}: {expected}")
    require(sentence, state.tobytes() == before, "changes the state: it may only read it")


def _check_shown(game: Game, state: State) -> None:
    """Text and pictures for every seat and for spectators, which leave the state as it is."""
    before = state.tobytes()
    package = package_of(game)
    seats = (*range(game.seats_of(state)), None)
    for seat in seats:
        text: Any = call_limited(game.text.show, state, seat)
        _require_text(game.text.show, text, f"for seat {seat}: expected the position as text")
    require(game.text.show, state.tobytes() == before, "changes the state: it may only read it")
    if game.text.task and state.mover in seats and not game.over(state):
        text = call_limited(game.text.task, state)
        _require_text(game.text.task, text, "expected what the mover is to do, such as 'draw a card'")
        require(game.text.task, state.tobytes() == before, "changes the state: it may only read it")
    drawings: list[tuple[Any, tuple[int | None, ...]]] = [(package.draw, (seat,)) for seat in seats]
    for drawing, seen_by in [*drawings, (package.look_on, ())]:
        if drawing:
            diagram: Any = call_limited(drawing, Position.of(game, state), *seen_by)
            require(
                drawing,
                isinstance(diagram, Diagram),
                f"gives {type(diagram).__name__}: expected a rulebots.output.diagram.Diagram",
            )
            require(drawing, state.tobytes() == before, "changes the state: it may only read it")


def _require_text(function: Any, text: Any, expected: str) -> None:
    require(function, isinstance(text, str) and bool(text.strip()), f"gives {text!r} {expected}")


def _check_nonsense(game: Game, state: State, text: str) -> None:
    """`read` refuses what is not a move."""
    read = game.text.read
    remedy = "raise UsageError, which says what was expected"
    try:
        move: Any = call_limited(read, text, state)
    except EndlessCall:
        raise
    except UsageError:
        return
    except Exception as error:
        if in_users_terms(error) is None:
            raise
        raise contract_error(read, f"fails on the text {text!r} with {type(error).__name__}: {remedy}") from None
    raise contract_error(read, f"reads the text {text!r} as the move {move!r}: {remedy}")
