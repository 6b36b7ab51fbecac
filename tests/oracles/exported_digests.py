"""A number for each game, by a game's own compiled code and by its exports, so that millions of positions are compared.

Games go as in exported_games.py. At every decision the number takes in the move, the score of each legal move, how far
the game has come, and each reason: 32 bits at a time, by the step of FNV-1a (Fowler, Noll, Vo), and sums where an order
does not matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from exported_games import built, module, node, run

from rulebots.game import CHANCE, Game
from rulebots.game.chance import draw_kernel
from rulebots.game.compiled import view_kernel
from rulebots.game.dtypes import records
from rulebots.game.random_numbers import next_luck
from rulebots.kernel import Kernel, kernel, runnable
from rulebots.play.deals import draw_deals
from rulebots.play.stepper import after_opening
from rulebots.players import Player
from rulebots.players.compiled import Style, compiled_for
from rulebots.rules.scoring import features_of, scorer

#: Seed, decisions, and the number of a game.
Digest = list[int]
WORD = 0xFFFFFFFF
START = 2166136261

NODE = """
const M = await import(process.argv[2]);
const [plies, ...seeds] = process.argv.slice(3).map(Number);
const START = 2166136261;
const floats = new Float64Array(1);
const words = new Uint32Array(floats.buffer);
const mixed = (hash, word) => Math.imul(hash ^ word, 16777619) >>> 0;
const mixedFloat = (hash, number) => {
    floats[0] = number + 0;
    return mixed(mixed(hash, words[0]), words[1]);
};
const keys = {};
const keyOf = (rule) => (keys[rule] ??= [...rule].reduce((hash, c) => mixed(hash, c.charCodeAt(0)), START));
const decided = (p, name) => {
    const move = p.choose(name);
    let e;
    try {
        e = p.explain(name);
    } catch (error) {
        if (!error.message.includes("not made of rules")) throw error;
        return [move, mixed(START, move)];
    }
    let sum = 0;
    for (const [one, score] of e.moves) sum += mixedFloat(mixed(START, one), score);
    let hash = mixedFloat(mixed(mixed(START, e.moves[0][0]), sum % 2 ** 32), e.progress);
    sum = 0;
    for (const { rule, weight, shares, values, amount } of e.reasons) {
        let one = mixedFloat(keyOf(rule), weight);
        for (const k of [0, 1]) one = mixedFloat(one, shares[k] * values[k]);
        sum += mixedFloat(one, amount);
    }
    return [move, mixed(hash, sum % 2 ** 32)];
};
for (const seed of seeds) {
    const p = new M.Position(seed, { openingPlies: plies });
    let hash = START;
    let k = 0;
    while (!p.over && !p.stalled) {
        if (p.chanceToMove) {
            p.play(p.draw());
            continue;
        }
        const moves = p.legalMoves();
        const [move, found] = decided(p, M.PLAYERS[k % M.PLAYERS.length]);
        hash = mixed(hash, found);
        p.play(k % 3 ? moves[(seed * 7 + k * 13) % moves.length] : move);
        k += 1;
    }
    for (const points of p.points()) hash = mixed(hash, points);
    console.log(JSON.stringify([seed, k, hash]));
}
"""
C = """
#include "@HEADER@"
#include <stdio.h>
#include <stdlib.h>
#define G(name) @P@_##name
#define START 2166136261u
static uint32_t mixed(uint32_t hash, uint32_t word) { return (hash ^ word) * 16777619u; }
static uint32_t mixed_float(uint32_t hash, double number) {
    uint64_t bits;
    number += 0;
    memcpy(&bits, &number, 8);
    return mixed(mixed(hash, (uint32_t)bits), (uint32_t)(bits >> 32));
}
static uint32_t decided(G(position) *p, int player, int64_t *move) {
    static G(explanation) e;
    uint32_t sum = 0;
    *move = G(choose)(p, player);
    if (!G(explain)(p, player, &e)) return mixed(START, (uint32_t)*move);
    for (int i = 0; i < e.count; i++) sum += mixed_float(mixed(START, (uint32_t)e.moves[i]), e.scores[i]);
    uint32_t hash = mixed_float(mixed(mixed(START, (uint32_t)e.moves[0]), sum), e.progress);
    sum = 0;
    for (int i = 0; i < e.reasons_count; i++) {
        const G(reason) *r = e.reasons + i;
        uint32_t one = START;
        for (const char *c = r->rule; *c; c++) one = mixed(one, (uint32_t)*c);
        one = mixed_float(one, r->weight);
        for (int k = 0; k < 2; k++) one = mixed_float(one, r->shares[k] * r->values[k]);
        sum += mixed_float(one, r->amount);
    }
    return mixed(hash, sum);
}
int main(int count, char **words) {
    for (int w = 2; w < count; w++) {
        long seed = atol(words[w]), k = 0;
        uint32_t hash = START;
        G(position) p;
        G(new_game)(&p, (uint64_t)seed, atoi(words[1]));
        while (!G(is_over)(&p) && p.plies < G(ply_cap)) {
            if (G(chance_to_move)(&p)) {
                G(play)(&p, G(draw)(&p));
                continue;
            }
            int64_t moves[G(move_count)], move;
            long n = (long)G(legal_moves)(&p, moves);
            hash = mixed(hash, decided(&p, (int)(k % G(players)), &move));
            G(play)(&p, k % 3 ? moves[(seed * 7 + k * 13) % n] : move);
            k++;
        }
        for (int seat = 0; seat < G(seats); seat++) hash = mixed(hash, (uint32_t)G(points)(&p, seat));
        printf("[%ld, %ld, %lu]\\n", seed, k, (unsigned long)hash);
    }
}
"""


@kernel
def mixed(number: int, word: int) -> int:
    """A further word."""
    return ((number ^ (word & WORD)) * 16777619) & WORD


@kernel
def mixed_float(number: int, value: float, floats: Any, bits: Any) -> int:
    """The two words of a float64, low one first; `bits` is the same memory as `floats`."""
    floats[0] = value + 0.0  # without the sign of 0
    return mixed(mixed(number, bits[0]), bits[0] >> 32)


def decide_kernel(style: Style) -> Kernel[..., int]:
    """A kernel that puts a style's move into `found[0]`, and gives the number of its decision."""
    choose = style.choose
    look = view_kernel(style.game)
    if style.rules is None:

        @kernel
        def decide(
            states: Any, luck: int, moves: Any, n: int, weights: Any, keys: Any, found: Any, values: Any, floats: Any,
            bits: Any, views: Any, blended: Any, scores: Any,
        ) -> int:  # fmt: skip
            look(states[0], views, luck)
            found[0] = choose(views[0], moves, n, weights, blended, scores)
            return mixed(START, found[0])

        return decide
    score = scorer(style.rules)
    features = features_of(style.rules)
    again = style.rules.decide is not None  # else the best score is chosen

    @kernel
    def decide_by_rules(
        states: Any, luck: int, moves: Any, n: int, weights: Any, keys: Any, found: Any, values: Any, floats: Any,
        bits: Any, views: Any, blended: Any, scores: Any,
    ) -> int:  # fmt: skip
        look(states[0], views, luck)
        found[0] = choose(views[0], moves, n, weights, blended, scores)
        if again:
            look(states[0], views, luck)
            score(views[0], moves, n, weights, blended, scores)
        total = 0
        second = -1
        for i in range(n):
            total += mixed_float(mixed(START, moves[i]), scores[i], floats, bits)
            if moves[i] != found[0] and (
                second < 0 or (scores[i], -moves[i]) > (scores[second], -moves[second])
            ):  # the next best, and the lowest of equals
                second = i
        found[1] = moves[second] if second >= 0 else 0
        values[:] = 0.0
        look(states[0], views, luck)
        late = features(views[0], found, min(n, 2), values)
        number = mixed_float(mixed(mixed(START, found[0]), total), late, floats, bits)
        total = 0
        for r in range(blended.shape[0]):
            amount = blended[r] * (values[0, r] - values[1, r])
            if n > 1 and amount != 0.0:
                one = mixed_float(keys[r], blended[r], floats, bits)
                one = mixed_float(mixed_float(one, values[0, r], floats, bits), values[1, r], floats, bits)
                total += mixed_float(one, amount, floats, bits)
        return mixed(number, total)

    return decide_by_rules


def turn_kernel(game: Game) -> Kernel[..., int]:
    """A kernel that makes a move, unless it is -1, and all that chance does then; it gives how many are legal then."""
    list_moves, play, over, cap, chance = game.moves, game.play, game.over, game.ply_cap, game.chance
    draw = draw_kernel(game)

    @kernel
    def turn(states: Any, move: int, moves: Any, lucks: Any, numbers: Any) -> int:
        state = states[0]
        while True:
            if move >= 0:
                if state.mover != CHANCE:
                    lucks[state.mover] = next_luck(lucks[state.mover])
                play(state, move)
                numbers[1] += 1
            if over(state) or numbers[1] >= cap:
                return 0
            n = list_moves(state, moves)
            if not chance or state.mover != CHANCE:
                return n
            numbers[0] = next_luck(numbers[0])
            move = draw(state, moves, n, numbers[0])

    return turn


def here(players: Mapping[str, Player], seeds: Iterable[int]) -> Iterator[Digest]:
    """By the game's own code, compiled."""
    deciders = [*map(_decider, players.values())]
    game = next(iter(players.values())).game
    states = records(game.state, 1)
    moves = np.zeros(game.move_count, np.int64)
    lucks = np.zeros(game.most_seats, np.int64)
    numbers = np.zeros(2, np.int64)
    turn = runnable(turn_kernel(game), states, -1, moves, lucks, numbers)
    for seed in seeds:
        stepper = after_opening(draw_deals(game, 1, seed))
        states[0] = stepper.position.state
        lucks[: stepper.position.seats] = stepper.position.luck
        numbers[:] = stepper.chance, stepper.position.plies
        number = START
        k = 0
        n = turn(states, -1, moves, lucks, numbers)
        while n:
            legal = int(moves[(seed * 7 + k * 13) % n])
            move, found = deciders[k % len(deciders)](states, next_luck(int(lucks[states[0]["mover"]])), moves, n)
            number = mixed(number, found)
            n = turn(states, legal if k % 3 else move, moves, lucks, numbers)
            k += 1
        for seat in range(stepper.position.seats):
            number = mixed(number, int(game.points(states[0], seat)))
        yield [seed, k, number]


def _decider(player: Any) -> Any:
    style = player.style
    floats = np.zeros(1)
    found = np.zeros(2, np.int64)
    keys = np.zeros(style.columns, np.int64)
    for column, rule in enumerate(style.rules.rules if style.rules else ()):
        keys[column] = START
        for letter in rule.key:
            keys[column] = mixed(int(keys[column]), ord(letter))
    rest = (player.weights, keys, found, np.zeros((2, style.columns)), floats, floats.view(np.int64))
    workspace = style.workspace()
    examples = (records(style.game.state, 1), 1, np.zeros(0, np.int64), 0)
    decide = compiled_for(style, decide_kernel, *examples, *rest, *workspace)

    def decided(states: Any, luck: int, moves: Any, n: int) -> tuple[int, int]:
        number = decide(states, luck, moves, n, *rest, *workspace)
        return int(found[0]), int(number)

    return decided


def in_node(path: Path, plies: int, seeds: Sequence[int]) -> list[Digest]:
    """By a module of JavaScript, in Node."""
    return list(run(node(path, NODE, plies, *seeds)))


def in_c(path: Path, plies: int, seeds: Sequence[int], *flags: str) -> list[Digest]:
    """By a header of C, compiled with these flags."""
    return list(run(built(path, C, *flags, numbers=(plies, *seeds))))


def in_python(path: Path, plies: int, seeds: Sequence[int]) -> list[Digest]:
    """By a file of Python."""
    m = module(path)
    return [_played_in_python(m, plies, seed) for seed in seeds]


def _played_in_python(m: Any, plies: int, seed: int) -> Digest:
    floats = np.zeros(1)
    bits = floats.view(np.int64)

    def mixed_in(number: int, *values: float) -> int:
        for value in values:
            number = int(mixed_float(number, value, floats, bits))
        return number

    def decided(p: Any, name: str) -> int:
        try:
            e = p.explain(name)
        except ValueError:
            return int(mixed(START, p.choose(name)))
        total = sum(mixed_in(mixed(START, move), score) for move, score in e["moves"])
        number = mixed_in(mixed(mixed(START, e["moves"][0][0]), total), e["progress"])
        total = 0
        for reason in e["reasons"]:
            one = START
            for letter in reason["rule"]:
                one = mixed(one, ord(letter))
            amounts = (share * value for share, value in zip(reason["shares"], reason["values"], strict=True))
            total += mixed_in(one, reason["weight"], *amounts, reason["amount"])
        return int(mixed(number, total))

    p = m.Position(seed, opening_plies=plies)
    names = [*m.PLAYERS]
    number = START
    k = 0
    while not p.over and not p.stalled:
        if p.chance_to_move:
            p.play(p.draw())
            continue
        moves = p.legal_moves()
        name = names[k % len(names)]
        number = mixed(number, decided(p, name))
        p.play(moves[(seed * 7 + k * 13) % len(moves)] if k % 3 else p.choose(name))
        k += 1
    for points in p.points():
        number = mixed(number, points)
    return [seed, k, int(number)]
