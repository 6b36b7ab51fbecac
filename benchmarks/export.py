"""Exports: whether they play as the original, how large and fast they are.

Every game's shipped players decide in turn, by the compiled original, in Node, in C, and on a fiftieth of the positions
in Python: see tests/oracles/exported_games.py. C plays the champion against itself beside the compiled match loop,
in games a second of processor time.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from machine import CHECKOUT, Figures

from rulebots.game import Game
from rulebots.packages import game_names, load_game
from rulebots.packages.players import make_player, player_names
from rulebots.play.match import play_match

sys.path.append(str(CHECKOUT / "tests" / "oracles"))
import exported_games as exported

#: Reasons are compared at every so manieth ply: the original's are worked out interpreted.
EVERY = 100
#: Games at a time, so that no more lines are kept.
GAMES = 50
#: The largest module of JavaScript with a champion, in kB; milliseconds of a decision; and of loading in Node.
MOST_KB, MOST_MS, MOST_LOADING = 60, 1.0, 50
SPEED = """
const began = performance.now();
const M = await import(process.argv[2]);
const loaded = performance.now() - began;
let decisions = 0;
let spent = 0;
for (let seed = 1; decisions < 2000 && seed < 200; seed++) {
    const p = new M.Position(seed, { openingPlies: Number(process.argv[3]) });
    while (!p.over && !p.stalled) {
        if (p.chanceToMove) {
            p.play(p.draw());
            continue;
        }
        const before = performance.now();
        const move = p.choose();
        if (seed > 3) {
            spent += performance.now() - before;
            decisions += 1;
        }
        p.play(move);
    }
}
console.log(JSON.stringify([loaded, spent / decisions]));
"""
GAMES_IN_C = """
#include "@HEADER@"
#include <stdlib.h>
int main(int count, char **words) {
    long games = count > 1 ? atol(words[1]) : 1, total = 0;
    for (long seed = 1; seed <= games; seed++) {
        @P@_position p;
        @P@_new_game(&p, (uint64_t)seed, atoi(words[2]));
        while (!@P@_is_over(&p) && p.plies < @P@_ply_cap) {
            @P@_play(&p, @P@_chance_to_move(&p) ? @P@_draw(&p) : @P@_choose(&p, 0));
        }
        total += (long)@P@_points(&p, 0);
    }
    return total == -1;
}
"""


def differences(one: Iterable[Any], other: Iterable[Any]) -> tuple[int, int]:
    """How many lines there are, and how many are not alike."""
    pairs = list(itertools.zip_longest(one, other))
    return len(pairs), sum(a != b for a, b in pairs)


def compare(figures: Figures, game: Game, positions: int, folder: Path) -> None:
    """Positions of a game, with all its players but those of other code."""
    players = {name: make_player(name, game) for name in player_names(game)}
    files = exported.written(folder, players, {}, ["python", "js", "c"])
    plies = exported.plies_of(game, {})
    compared = dict.fromkeys(files, 0)
    wrong = 0
    seed = 1
    while compared["js"] < positions:
        seeds = range(seed, seed + (GAMES if positions > GAMES else 1))
        lines = list(exported.original(players, {}, seeds, every=EVERY, compiled=True))
        for language, run in (("js", exported.of_node), ("c", exported.of_c)):
            count, different = differences(lines, run(files[language], plies, seeds, 10_000, EVERY))
            compared[language] += count
            wrong += different
        if compared["python"] <= compared["js"] / 50:
            first = list(exported.original(players, {}, seeds[:1], every=EVERY, compiled=True))
            count, different = differences(first, exported.of_python(files["python"], plies, seeds[:1], 10_000, EVERY))
            compared["python"] += count
            wrong += different
        seed += len(seeds)
    counts = ", ".join(f"{language} {count:,}" for language, count in compared.items())
    figures.add(f"{game.name}: positions with {len(players)} players: {counts}", f"{wrong} differ", "0", met=not wrong)


def speed(figures: Figures, game: Game, games: int, folder: Path) -> None:
    """Size, loading and decisions in Node; games a second in C beside the compiled loop."""
    champion = make_player("champion", game)
    files = exported.written(folder, {"champion": champion}, {}, ["js", "c"])
    plies = exported.plies_of(game, {})
    kilobytes = files["js"].stat().st_size / 1000
    figures.add(f"{game.name}: JavaScript, champion", f"{kilobytes:.0f} kB", f"{MOST_KB}", met=kilobytes <= MOST_KB)
    driver = folder / "speed.mjs"
    driver.write_text(SPEED, "utf-8")
    command = ["node", str(driver), str(files["js"].resolve()), str(plies)]
    loaded, decision = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    figures.add(f"{game.name}: loaded in Node", f"{loaded:.1f} ms", f"{MOST_LOADING}", met=loaded <= MOST_LOADING)
    figures.add(f"{game.name}: a decision in Node", f"{decision:.3f} ms", f"{MOST_MS}", met=decision <= MOST_MS)
    program = folder / "games"
    source = folder / "games.c"
    source.write_text(GAMES_IN_C.replace("@HEADER@", files["c"].name).replace("@P@", game.file_name), "utf-8")
    build = ["cc", "-std=c99", "-O2", "-o", str(program), str(source), "-lm"]
    subprocess.run(build, check=True)
    began = os.times().children_user
    subprocess.run([str(program), str(games), str(plies)], check=True)
    in_c = games / (os.times().children_user - began)
    play_match(champion, make_player("champion", game), 1, 1, jobs=1)
    began = time.process_time()
    result = play_match(champion, make_player("champion", game), games, 1, jobs=1)
    here = result.games / (time.process_time() - began)
    met = in_c >= here / 2
    figures.add(
        f"{game.name}: games a second of processor time in C, and here", f"{in_c:,.0f}, {here:,.0f}", "half", met=met
    )


def main() -> None:
    """Print the figures of all games, or of one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a few positions, to see that it works")
    parser.add_argument("--positions", type=int, default=125_000, help="of each game")
    parser.add_argument("--game", action="append", help="instead of all")
    chosen = parser.parse_args()
    figures = Figures("exports")
    names = chosen.game or (["tictactoe"] if chosen.quick else game_names())
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            game = load_game(name)
            speed(figures, game, 20 if chosen.quick else 2_000, Path(folder))
            compare(figures, game, 20 if chosen.quick else chosen.positions, Path(folder))
    figures.show()


if __name__ == "__main__":
    main()
