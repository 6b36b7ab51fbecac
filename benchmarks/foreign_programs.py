"""What foreign programs cost and withstand: programs as players, and the servers among bad clients.

- Games and moves a second through a trivial bot in Python and in C, and the time that a move takes more than with the
  same player in our process; and many programs at the same time.
- Games over each wire against the match without one, deal by deal.
- Good clients of the quiz's server among bad ones: every good game has to finish, as the match without a wire.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from machine import CHECKOUT, Figures
from servers import First, bad_clients, wire

from rulebots import Game, MatchResult, Player, load_game, make_player, play_match

PAGE = CHECKOUT / "docs" / "protocols" / "programs.md"


def bots(folder: Path) -> dict[str, str]:
    """The bots of the guide by language, those that can be run here, and the command of each."""
    text = PAGE.read_text("utf-8")
    for name in ("bot.py", "bot.js", "bot.c"):
        (found,) = re.findall(rf"^<!-- file: {name} -->\n```\w+\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
        (folder / name).write_text(found)
    commands = {"Python": f"{sys.executable} {folder}/bot.py"}
    if shutil.which("node"):
        commands["JavaScript"] = f"node {folder}/bot.js"
    if shutil.which("cc"):
        subprocess.run([shutil.which("cc") or "cc", "-O2", "-o", folder / "bot", folder / "bot.c"], check=True)
        commands["C"] = f"{folder}/bot"
    return commands


def speed(figures: Figures, game: Game, commands: dict[str, str], deals: int) -> bool:
    """Games a second by language; whether each bot plays the games of the player in our process."""
    other, alike = make_player("random", game), True

    def timed(player: Player) -> tuple[float, MatchResult]:
        play_match(player, other, deals=1)  # what is compiled or started at first
        began = time.perf_counter()
        result = play_match(player, other, deals=deals)
        return (time.perf_counter() - began) / result.games, result

    a_game, ours = timed(First(game, "first"))
    moves = ours.plies / 2  # of one side, in a game
    figures.add(f"{game.title}, in our process", f"{1 / a_game:,.0f} games a second")
    for language, command in commands.items():
        with_wire, theirs = timed(make_player(f"program:{command}", game))
        alike &= theirs.summary() == ours.summary()
        figures.add(
            f"{game.title}, {language}",
            f"{1 / with_wire:,.0f} games a second, {1e3 * (with_wire - a_game) / moves:.2f} ms a move more",
        )
    return alike


def concurrent(figures: Figures, game: Game, command: str, engines: int) -> None:
    """Two programs in each game, many games at the same time."""
    players = [make_player(f"program:{command}", game) for _ in range(2)]
    began = time.perf_counter()
    result = play_match(*players, deals=5 * engines, jobs=engines // 2)
    rate = result.games / (time.perf_counter() - began)
    figures.add(
        f"{game.title}, {engines} programs at the same time", f"{rate:,.0f} games a second, {result.games} games"
    )


def main() -> int:
    """Measure; 1 if a game went wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a few games, to see that it works")
    quick = parser.parse_args().quick
    figures, well = Figures("programs as players, and clients over the network"), True
    with tempfile.TemporaryDirectory() as name:
        commands = bots(Path(name))
        for game in (load_game("kalah"), load_game("lost-cities")):
            alike = speed(figures, game, commands, 2 if quick else 100)
            figures.add(f"{game.title}: the bots' games", "the same" if alike else "other ones", "the same", met=alike)
            well &= alike
        concurrent(figures, load_game("kalah"), list(commands.values())[-1], 4 if quick else 20)
    well &= wire(figures, 4 if quick else 200)
    well &= bad_clients(figures, 15 if quick else 1000, 2 if quick else 50)
    figures.show()
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
