"""What a page of an export draws, by Node, as the game's own code draws it: plain data, rounded."""

from __future__ import annotations

import json
import math
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rulebots.game import Game
from rulebots.game.position import Position
from rulebots.packages import package_of
from rulebots.play.deals import draw_deals
from rulebots.play.stepper import after_opening

DRIVER = """
const read = (name) => require("fs").readFileSync(`${process.argv[1]}/${name}`, "utf8");
const game = new Function(`${read("game.js")}; return game;`)();
const scene = read("play.js").split("// Which moves places")[0];
const look = new Function("game", "document", `${scene}; return {
  begin: (one) => { position = one; past = []; }, seen, play };`)(game, {});
const rounded = (number) => Math.round(100 * number) / 100 + 0;
const listed = (numbers) => Object.entries(numbers).map(([key, value]) => [Number(key), value]);
const [most, ...seeds] = process.argv.slice(2).map(Number);
for (const seed of seeds) {
  const p = new game.Position(seed);
  look.begin(p);
  for (let k = 0; k < most && !p.over; k++) {
    for (const seat of [null, 0, game.SEATS - 1]) {
      const d = game.draw(look.seen(), seat);
      const shapes = d.shapes.map((s) => [
        s.kind, s.look, Object.values(s.numbers).map(rounded), s.kind === "polygon" ? "" : s.words, s.anchor,
        s.seat ?? null,
      ]);
      const places = Object.values(d.places).map((q) => [
        q.name, ...[q.x, q.y, q.width, q.height].map(rounded), q.label, q.oval,
      ]);
      const pieces = d.pieces.map((q) => [q.key, q.first, q.end, q.step, q.start, q.marked]);
      const size = [rounded(d.width), rounded(d.height)], moves = [listed(d.ways), listed(d.spots)];
      console.log(JSON.stringify([d.words, ...size, shapes, places, ...moves, pieces, game.show(p.state, seat)]));
    }
    const moves = p.legalMoves();
    const move = p.chanceToMove ? p.draw() : moves[(seed * 7 + k * 13) % moves.length];
    console.log(JSON.stringify(game.sentence ? game.sentence(p.state, move) : null));
    look.play(move);
  }
}
"""


def original(game: Game, seeds: Sequence[int], most: int) -> Iterator[Any]:
    """The drawings of the first positions of these deals, for nobody and two seats, and what each move does."""
    draw: Any = package_of(game).draw
    sentence: Any = game.text.sentence
    for seed in seeds:
        stepper = after_opening(draw_deals(game, 1, seed, opening_plies=0))
        position = stepper.position = Position(game, seed=seed)
        for k in range(most):
            if position.over:
                break
            for seat in (None, 0, position.seats - 1):
                d = draw(position, seat)
                shapes = [
                    [s.kind, s.look, [_rounded(number) for _, number in s.numbers], _words(s), s.anchor, s.seat]
                    for s in d.shapes
                ]
                places = [
                    [p.name, *map(_rounded, (p.x, p.y, p.width, p.height)), p.label, p.oval] for p in d.places.values()
                ]
                pieces = [[p.key, p.first, p.end, p.step, p.start, p.marked] for p in d.pieces]
                moves = [sorted([move, list(names)] for move, names in found.items()) for found in (d.ways, d.spots)]
                size = [_rounded(d.width), _rounded(d.height)]
                yield [d.words, *size, shapes, places, *moves, pieces, game.text.show(position.state, seat)]
            legal = position.legal_moves.tolist()
            move = stepper.draw() if position.chance_to_move else legal[(seed * 7 + k * 13) % len(legal)]
            yield sentence(position.state, move) if sentence else None
            position.play(move)


def of_page(folder: Path, seeds: Sequence[int], most: int) -> Iterator[Any]:
    """The same by the files of a page."""
    command = ["node", "-e", DRIVER, str(folder), str(most), *map(str, seeds)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    yield from map(json.loads, done.stdout.splitlines())


def _rounded(number: float) -> float:
    return math.floor(100 * number + 0.5) / 100  # as JavaScript does


def _words(shape: Any) -> str:
    # The corners of a symbol are rounded to texts.
    return "" if shape.kind == "polygon" else str(shape.words)
