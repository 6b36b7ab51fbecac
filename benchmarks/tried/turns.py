"""A turn decided by the search with a tree below each candidate (depth), against the flat one: `python turns.py SEED MINUTES OUT.pkl SIMULATIONS`."""
import sys
import time, pickle
import numpy as np
from rulebots.game import load_game
from rulebots.players.names import make_player
from rulebots.position import Position
from rulebots.search.rollout import search as S, race as R, belief as B
from rulebots.search.rollout.rounds import Worlds, COUNT, RETURN, WON
from rulebots.search.rollout.settings import RolloutSettings
seed, minutes, out = int(sys.argv[1]), float(sys.argv[2]), sys.argv[3]
sims = [int(x) for x in sys.argv[4].split(",")]
game = load_game("lost-cities"); guide = make_player("champion", game)
methods = {(n, d): S.RolloutSearch(guide, RolloutSettings(simulations=n, depth=d)) for n in sims for d in (0, 1, 4)}
for s in methods.values(): s.prepare()
rng = np.random.default_rng(seed); rows=[]; t0=time.monotonic()
def value(pos, moves, deal, read, sd):
    """Mean return and wins for the seat that moved, from the true deal with the unread cards shuffled, 96 times."""
    seat = pos.mover
    p = pos.copy()
    for m in moves[:-1]: p.push(m)
    # the last move is the only candidate; the world is the true deal
    race = R.Race(guide, p, np.array([moves[-1]]), Worlds(np.tile(deal,(64,1)), np.arange(64), read), B.past_of(p), sd)
    race._scale = 12.0
    race.run(96)
    t = race.tally.sums
    return t[RETURN].sum()/96, t[WON].sum()/96
while time.monotonic()-t0 < 60*minutes:
    deal = rng.permutation(60); pos = Position(game, None, deal)
    while not pos.over and not pos.stalled:
        if int(pos.state.phase) == 0 and pos.plies > 3 and rng.random() < 0.12 and len(pos.legal_moves) > 1:
            sd = int(rng.integers(1, 2**31)); read = 60-int(pos.state.deck_left)
            def turn(choose):
                p = pos.copy(); a = choose(p); p.push(a)
                if p.over or p.mover != pos.mover: return [a]
                return [a, choose(p) if len(p.legal_moves) > 1 else int(p.legal_moves[0])]
            base = turn(guide.decide); cache = {tuple(base): value(pos, base, deal, read, sd)}
            row = {"base": cache[tuple(base)]}
            for key, s in methods.items():
                t = time.thread_time()
                mv = [int(m) for m in turn(lambda p: s.run(p.redealt(sd), seed=sd).move)]
                took = time.thread_time()-t
                if tuple(mv) not in cache: cache[tuple(mv)] = value(pos, mv, deal, read, sd)
                row[key] = (*cache[tuple(mv)], took, mv != [int(m) for m in base])
            rows.append(row)
        pos.push(guide.decide(pos))
    pickle.dump(rows, open(out+".tmp","wb")); import os; os.replace(out+".tmp", out)
print(len(rows))
