"""The same games by a game's own code and by its exports: every decision and its reasons, as lines of plain data.

At ply k of the game of a seed the players decide in turn. Two of three plies are then any legal move, the others the
decision: so games differ, and go where players would not.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rulebots.export.contents import contents_of
from rulebots.export.files import files_of
from rulebots.game import Game
from rulebots.packages.levels import CarelessPlayer
from rulebots.play.deals import draw_deals
from rulebots.play.stepper import after_opening
from rulebots.players import Player
from rulebots.players.compiled import decides_by_rules
from rulebots.players.explaining import explain

#: [seed, ply, player, move, reasons or None], or the points of a finished game.
Line = list[Any]

NODE = """
const M = await import(process.argv[2]);
const [plies, most, every, ...seeds] = process.argv.slice(3).map(Number);
const out = [];
for (const seed of seeds) {
    const p = new M.Position(seed, { openingPlies: plies });
    for (let k = 0; !p.over && !p.stalled && k < most; ) {
        if (p.chanceToMove) {
            p.play(p.draw());
            continue;
        }
        const moves = p.legalMoves();
        const name = M.PLAYERS[k % M.PLAYERS.length];
        const move = p.choose(name);
        let why = null;
        try {
            const e = k % every === 0 ? p.explain(name) : null;
            why = e && [e.progress, e.moves, e.reasons.map((r) => [r.rule, r.weight, r.values, r.shares, r.amount])];
        } catch (error) {
            if (!error.message.includes("not made of rules")) throw error;
        }
        out.push(JSON.stringify([seed, k, name, move, why]));
        p.play(k % 3 ? moves[(seed * 7 + k * 13) % moves.length] : move);
        k += 1;
    }
    out.push(JSON.stringify(p.points()));
}
console.log(out.join("\\n"));
"""
C = """
#include "@HEADER@"
#include <stdio.h>
#include <stdlib.h>
#define G(name) @P@_##name
int main(int count, char **words) {
    static G(explanation) e;
    int plies = atoi(words[1]), most = atoi(words[2]), every = atoi(words[3]);
    for (int w = 4; w < count; w++) {
        long seed = atol(words[w]);
        G(position) p;
        G(new_game)(&p, (uint64_t)seed, plies);
        for (long k = 0; !G(is_over)(&p) && p.plies < G(ply_cap) && k < most;) {
            if (G(chance_to_move)(&p)) {
                G(play)(&p, G(draw)(&p));
                continue;
            }
            int64_t moves[G(move_count)];
            long n = (long)G(legal_moves)(&p, moves);
            int player = (int)(k % G(players));
            int64_t move = G(choose)(&p, player);
            printf("[%ld, %ld, \\"%s\\", %ld, ", seed, k, G(player_names)[player], (long)move);
            if (k % every == 0 && G(explain)(&p, player, &e)) {
                printf("[%.17g, [", e.progress);
                for (int i = 0; i < e.count; i++) {
                    printf("%s[%ld, %.17g]", i ? ", " : "", (long)e.moves[i], e.scores[i]);
                }
                printf("], [");
                for (int i = 0; i < e.reasons_count; i++) {
                    const G(reason) *r = e.reasons + i;
                    printf("%s[\\"%s\\", %.17g, [%.17g, %.17g], [%.17g, %.17g], %.17g]", i ? ", " : "", r->rule,
                        r->weight, r->values[0], r->values[1], r->shares[0], r->shares[1], r->amount);
                }
                printf("]]]\\n");
            } else {
                printf("null]\\n");
            }
            G(play)(&p, k % 3 ? moves[(seed * 7 + k * 13) % n] : move);
            k++;
        }
        for (int seat = 0; seat < G(seats); seat++) printf("%s%ld", seat ? ", " : "[", (long)G(points)(&p, seat));
        printf("]\\n");
    }
}
"""


SEARCH_IN_NODE = """
const M = await import(process.argv[2]);
const [plies, simulations, most, ...seeds] = process.argv.slice(3).map(Number);
for (const seed of seeds) {
    const p = new M.Position(seed, { openingPlies: plies });
    for (let k = 0; !p.over && k < most; ) {
        if (p.chanceToMove) {
            p.play(p.draw());
            continue;
        }
        console.log(M.search(p, M.PLAYERS[0], simulations));
        p.play(p.choose());
        k++;
    }
}
"""
SEARCH_IN_C = """
#include "@HEADER@"
#include <stdio.h>
#include <stdlib.h>
#define G(name) @P@_##name
int main(int count, char **words) {
    int plies = atoi(words[1]), simulations = atoi(words[2]), most = atoi(words[3]);
    for (int w = 4; w < count; w++) {
        G(position) p;
        G(new_game)(&p, (uint64_t)atol(words[w]), plies);
        for (int k = 0; !G(is_over)(&p) && k < most;) {
            if (G(chance_to_move)(&p)) {
                G(play)(&p, G(draw)(&p));
                continue;
            }
            printf("%ld\\n", (long)G(search)(&p, 0, simulations));
            G(play)(&p, G(choose)(&p, 0));
            k++;
        }
    }
}
"""


def plies_of(game: Game, options: Mapping[str, int] | None) -> int:
    """The random moves that games of a match begin with."""
    return draw_deals(game, 1, 1, options=options).opening_plies


def original(
    players: Mapping[str, Player],
    options: Mapping[str, int] | None,
    seeds: Sequence[int],
    most: int = 10_000,
    every: int = 1,
    *,
    compiled: bool = False,
) -> Iterator[Line]:
    """By the game's own code: `most` decisions a game, the reasons of every so manieth."""
    names = [*players]
    game = players[names[0]].game
    for seed in seeds:
        stepper = after_opening(draw_deals(game, 1, seed, options=options))
        position = stepper.position
        if not compiled:
            position.law = game
        k = 0
        while not position.over and not position.stalled and k < most:
            if position.chance_to_move:
                position.play(stepper.draw())
                continue
            moves = position.legal_moves
            name = names[k % len(names)]
            player = players[name]
            move = player.choose(position.view(), moves)
            why = None
            judge = player.player if isinstance(player, CarelessPlayer) else player
            if k % every == 0 and decides_by_rules(judge):
                e = explain(judge, position)
                reasons = [[t.rule.key, t.weight, list(t.values), list(t.shares), t.amount] for t in e.reasons]
                why = [e.progress, [[m, s] for m, s in zip(e.moves, e.scores, strict=True)], reasons]
            yield [seed, k, name, move, why]
            position.play(int(moves[(seed * 7 + k * 13) % len(moves)]) if k % 3 else move)
            k += 1
        yield list(position.points)


def searched(guide: Player, search: Player, seeds: Sequence[int], most: int) -> list[int]:
    """The moves of a search along games of its guide, by the game's own code: `most` decisions a game."""
    found = []
    for seed in seeds:
        game = after_opening(draw_deals(guide.game, 1, seed))
        for _ in zip(range(most), game.decisions(), strict=False):
            found.append(search.decide(game.position))
            game.play(guide.decide(game.position))
    return found


def of_python(path: Path, plies: int, seeds: Sequence[int], most: int = 10_000, every: int = 1) -> Iterator[Line]:
    """By a file of Python."""
    m = module(path)
    names = [*m.PLAYERS]
    for seed in seeds:
        p = m.Position(seed, opening_plies=plies)
        k = 0
        while not p.over and not p.stalled and k < most:
            if p.chance_to_move:
                p.play(p.draw())
                continue
            moves = p.legal_moves()
            name = names[k % len(names)]
            move = p.choose(name)
            why = None
            if k % every == 0 and m._JUDGES[m.PLAYERS[name][0]]["score"] is not None:
                e = p.explain(name)
                keys = ("rule", "weight", "values", "shares", "amount")
                why = [e["progress"], e["moves"], [[r[key] for key in keys] for r in e["reasons"]]]
            yield [seed, k, name, move, why]
            p.play(moves[(seed * 7 + k * 13) % len(moves)] if k % 3 else move)
            k += 1
        yield p.points()


def of_node(path: Path, plies: int, seeds: Sequence[int], most: int = 10_000, every: int = 1) -> Iterator[Line]:
    """By a module of JavaScript, in Node."""
    yield from run(node(path, NODE, plies, most, every, *seeds))


def searched_in_node(path: Path, plies: int, simulations: int, seeds: Sequence[int], most: int) -> list[int]:
    """As `searched`, by a module of JavaScript."""
    return list(run(node(path, SEARCH_IN_NODE, plies, simulations, most, *seeds)))


def searched_in_c(path: Path, plies: int, simulations: int, seeds: Sequence[int], most: int) -> list[int]:
    """As `searched`, by a header of C."""
    return list(run(built(path, SEARCH_IN_C, "-O2", numbers=(plies, simulations, most, *seeds))))


def searched_in_python(path: Path, plies: int, simulations: int, seeds: Sequence[int], most: int) -> list[int]:
    """As `searched`, by a file of Python."""
    m = module(path)
    found = []
    for seed in seeds:
        p = m.Position(seed, opening_plies=plies)
        k = 0
        while not p.over and k < most:
            if p.chance_to_move:
                p.play(p.draw())
                continue
            found.append(m.search(p, simulations=simulations))
            p.play(p.choose())
            k += 1
    return found


def of_c(
    path: Path, plies: int, seeds: Sequence[int], most: int = 10_000, every: int = 1, *flags: str
) -> Iterator[Line]:
    """By a header of C."""
    yield from run(built(path, C, *flags, numbers=(plies, most, every, *seeds)))


def node(path: Path, driver: str, *numbers: int) -> list[str]:
    """The command that runs a driver beside a module."""
    file = path.with_name("driver.mjs")
    file.write_text(driver, "utf-8")
    return ["node", str(file), str(path.resolve()), *map(str, numbers)]


def built(path: Path, driver: str, *flags: str, numbers: Sequence[int]) -> list[str]:
    """The command that runs a driver compiled with a header."""
    program = path.with_suffix(".exe")
    source = path.with_suffix(".c")
    source.write_text(driver.replace("@HEADER@", path.name).replace("@P@", path.stem), "utf-8")
    strict = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic"]
    command = ["cc", *strict, *flags, "-o", str(program), str(source), "-lm"]
    subprocess.run(command, check=True)
    return [str(program), *map(str, numbers)]


def module(path: Path) -> Any:
    """A file of Python as a module."""
    spec: Any = importlib.util.spec_from_file_location(path.stem, path)
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def run(command: list[str]) -> Iterator[Any]:
    """The lines that a command prints, as data."""
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    yield from map(json.loads, done.stdout.splitlines())


def written(
    folder: Path,
    players: Mapping[str, Player],
    options: Mapping[str, int] | None,
    languages: Sequence[str],
    *,
    search: bool = False,
) -> dict[str, Path]:
    """Exports of these players into a folder: the file by language."""
    game = next(iter(players.values())).game
    contents = contents_of(game, players, options, search=search)
    endings = {"python": ".py", "js": ".mjs", "c": ".h"}
    files = {language: folder / f"{game.file_name}{endings[language]}" for language in languages}
    for language, path in files.items():
        for one, text in files_of(contents, language, path).items():
            one.write_text(text, "utf-8")
    return files
