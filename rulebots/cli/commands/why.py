"""`rulebots why`."""

from __future__ import annotations

import random
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from rulebots.cli import options as opt
from rulebots.cli.commands import app
from rulebots.cli.console import say, say_json
from rulebots.cli.lookup import bring, options_of, players_of
from rulebots.errors import UsageError, demand, shown
from rulebots.files import is_file, read_text

if TYPE_CHECKING:
    from rulebots.game.position import Position
    from rulebots.players import Player
    from rulebots.records import Replay

#: Seeds that are drawn are short enough to type.
LARGEST_SEED = 10_000


@dataclass(frozen=True)
class WhyFlags:
    """The player, and the move or position to explain."""

    player: Annotated[
        str, opt.argument("PLAYER", "A player made of rules, by a name or path.yaml, or a search of the kind rollout.")
    ]
    ply: Annotated[int | None, opt.whole("The move to explain; a game begins with ply 1.", 1)] = None
    record: Annotated[
        Path | None, opt.file_read("The record of the game, as `rulebots match --record` writes it.", "--replay")
    ] = None
    number: Annotated[int | None, opt.whole("With --replay: the number of the game.", 1)] = None
    game: opt.PlayedGame = None
    seed: Annotated[int | None, opt.shared("--seed", "Without --replay: it deals a new game.")] = None
    against: Annotated[str | None, opt.shared("--against", "In a new game.", default="the player itself")] = None
    imports: opt.Imports = None
    option: opt.OptionTexts = None
    opening_plies: opt.OpeningPlies = None
    position: opt.PositionText = None
    rival: Annotated[
        str | None,
        opt.option("Say why not this move, as it is typed; by default the next best.", "MOVE", "--not", default=False),
    ] = None
    everything: Annotated[bool, opt.switch("--all", "Show every move and rule, with weights and values.")] = False
    as_json: opt.AsJson = False

    def against_in(self, position: Position) -> int | None:
        """The move to speak against in a position, if one is named. Raises UsageError: it is not legal."""
        try:
            return None if self.rival is None else position.legal_move(self.rival)
        except UsageError as error:
            raise UsageError(f"--not: {error}") from None


@app.with_examples(
    "rulebots why champion",
    "rulebots why champion --seed 7 --ply 5",
    "rulebots why shelly --seed 7 --ply 5 --against risk",
    "rulebots why champion --game kalah --seed 1 --ply 5 --not 4",
    "rulebots match champion shelly --deals 20 --record games.txt",
    "rulebots why champion --replay games.txt --number 3 --ply 12",
    "rulebots why champion --game kalah --position '4,0,5,5,5,4,1/5,4,4,4,4,3,0 1'",
    group="Look",
)
def why(flags: WhyFlags) -> None:
    """Explain a move of a player made of rules.

    It says in a sentence what speaks for the move, and shows the best moves and the rules that count most.

    Of a player that searches by rollouts it shows the candidates with their chances to win.

    The position is the one before ply K: of a recorded game, whichever player moved there, or of a new game, in
    which the player has the first seat. With --position it is that one. Where chance decides ply K, it is the next
    decision after it. Without --seed and --ply, both are drawn; a seed draws the same ply each time.
    """
    _refuse_record(flags.player)
    of_game: dict[str, object] = {"--ply": flags.ply, "--replay": flags.record}
    of_new_game: dict[str, object] = {
        "--seed": flags.seed,
        "--against": flags.against,
        "--opening-plies": flags.opening_plies,
    }
    if flags.position is not None:
        opt.refuse(of_game | of_new_game, "it does not go with --position")
        _explain_position(flags, flags.position)
        return
    ply = flags.ply
    drawn = ""
    if flags.record:
        ply = opt.need(ply, "--ply", "the move to explain: --ply K")
        opt.refuse(of_new_game | {"--option": flags.option}, "it does not go with --replay, whose game has been played")
        player, replayed = _recorded_game(flags, flags.record)
    else:
        seed = random.randrange(LARGEST_SEED) if flags.seed is None else flags.seed  # noqa: S311 - no secret
        player, replayed = _new_game(flags, seed)
        if ply is None or flags.seed is None:
            ply = ply or _choice_in(replayed, player, seed)
            drawn = f"a new game, which --seed {seed} --ply {ply} shows again"
    _explain_ply(flags, player, replayed, ply, drawn)


def _refuse_record(player: str) -> None:
    from rulebots.records.record import FORMAT

    if is_file(player) and f"format: {FORMAT}" in read_text(player)[:200]:
        how = f"rulebots why champion --replay {shlex.quote(player)} --number 1 --ply 1"
        raise UsageError(f"'{shown(player)}' is a record of games, not a player: {how}")


def _recorded_game(flags: WhyFlags, file: Path) -> tuple[Player, Replay]:
    from rulebots.packages.players import make_player
    from rulebots.records import load_record, replay

    bring(flags.game, flags.imports)
    number = opt.need(flags.number, "--number", "the number of a game of the record")
    record = load_record(file)
    recorded = record.numbered(number)
    return make_player(flags.player, record.game, len(recorded.seats)), replay(recorded)


def _new_game(flags: WhyFlags, seed: int) -> tuple[Player, Replay]:
    from rulebots.records import play_recorded, replay

    specs = (flags.player, flags.against or flags.player)
    _, (player, other), options = players_of(specs, flags.game, flags.imports, options_of(flags.option))
    _, played = play_recorded(player, other, 1, seed, options=options, opening_plies=flags.opening_plies)
    return player, replay(played.games[0])


def _choice_in(replayed: Replay, player: Player, seed: int) -> int:
    """A ply at random in which the player has a choice that its rules see, if there is one."""
    from rulebots.players import decides_by_rules
    from rulebots.players.explaining import explain

    recorded = replayed.recorded  # no opening ends a game
    plies = list(range(recorded.opening + 1, recorded.plies + 1))
    random.Random(seed).shuffle(plies)  # noqa: S311 - no secret
    for ply in plies:
        position = replayed.positions[ply - 1]
        several = not position.chance_to_move and len(position.legal_moves) > 1
        if several and (not decides_by_rules(player) or explain(player, position).contrast):
            return ply
    return plies[0]


def _explain_position(flags: WhyFlags, text: str) -> None:
    from rulebots.cli.dialogue import names_on_board
    from rulebots.cli.explanation import reasons_of
    from rulebots.game.position import Position

    game, (player,), options = players_of([flags.player], flags.game, flags.imports, options_of(flags.option))
    position = Position.from_text(game, text, options)
    seat = position.mover
    names = names_on_board(game, [player.name] * position.seats, seat)
    reasons = reasons_of(player, position, names, flags.against_in(position))
    if flags.as_json:
        say_json({"game": game.name, "seat": seat, "position": position.text(seat), **reasons.data()})
    else:
        say(f"{game.title}: {player.name} to move\n{position.text(seat)}\n")
        reasons.show(everything=flags.everything)


def _explain_ply(flags: WhyFlags, player: Player, replayed: Replay, ply: int, drawn: str) -> None:
    from rulebots.cli.dialogue import move_in_words, names_on_board
    from rulebots.cli.explanation import reasons_of

    recorded = replayed.recorded
    last = recorded.plies + (not replayed.positions[-1].over)
    demand(ply <= last, f"--ply: expected 1 to {last} in a game of {recorded.plies} plies, not {ply}")
    game = recorded.game
    asked = ply
    ply = next((one for one in range(ply, last + 1) if not replayed.positions[one - 1].chance_to_move), 0)
    demand(ply, f"--ply: chance decides ply {asked}, and no player decides after it")
    position = replayed.positions[ply - 1]
    move = replayed.moves[ply - 1] if ply <= recorded.plies else None
    seat = position.mover
    who = recorded.seats if flags.record or flags.against else [player.name] * position.seats
    names = names_on_board(game, who, seat)
    reasons = reasons_of(player, position, names, flags.against_in(position))
    if drawn:
        say(drawn)
    board = position.text(seat)
    if flags.as_json:
        say_json(
            {
                "game": game.name,
                "number": recorded.number,
                "ply": ply,
                "seat": seat,
                "played": None if move is None else position.write(move),
                "position": board,
                **reasons.data(),
            }
        )
        return
    if ply > asked:
        say(f"chance decides ply {asked}; the next decision is at ply {ply}")
    say(f"game {recorded.number} of {game.title}, ply {ply}: {names[seat]} to move\n{board}")
    if move is not None:
        names[seat] = "the opening" if ply <= recorded.opening else names[seat]
        say(move_in_words(position, move, names))
    say("")
    reasons.show(everything=flags.everything)
