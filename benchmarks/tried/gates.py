"""What a decision of the search is worth: `python gates.py SEED MINUTES OUT.pkl 30,100,300,800`, then gates_table.py OUT.pkl.

Decisions of games of the champion against itself; each move is worth the mean return of 96 rollouts from the true hands,
the deck shuffled, more than the guide`s move. Tallies are kept by particle.
"""
import sys, time, pickle
import numpy as np
from rulebots.game import load_game
from rulebots.players.names import make_player
from rulebots.position import Position
from rulebots.search.rollout import search as S, belief as B, race as R
from rulebots.search.rollout.rounds import Worlds, COUNT, GAIN, RETURN, WON
from rulebots.search.rollout.settings import RolloutSettings
seed, minutes, out = int(sys.argv[1]), float(sys.argv[2]), sys.argv[3]
budgets = [int(x) for x in sys.argv[4].split(",")]
game = load_game("lost-cities"); guide = make_player("champion", game)
# per-particle tallies; racing as before
last = {}
orig_believe = B.Believer.believe
def believe(self, *a):
    b = orig_believe(self, *a)
    last["belief"] = b
    return b
B.Believer.believe = believe
_init = R.Race.__init__
def init(self, g, pos, cands, worlds, past, luck):
    self._groups = worlds.groups
    _init(self, g, pos, cands, worlds._replace(groups=np.arange(len(worlds.groups))), past, luck)
    last["race"] = self
R.Race.__init__ = init
def gains(self):
    n = int(self._groups.max())+1
    agg = lambda x: np.array([np.bincount(self._groups, row, n) for row in x])
    return agg(self.tally.sums[COUNT]), agg(self.tally.sums[GAIN])
R.Race.gains = property(gains)
S.Race = R.Race
rng = np.random.default_rng(seed)
searches = {b: S.RolloutSearch(guide, RolloutSettings(simulations=b)) for b in budgets}
ref = S.RolloutSearch(guide, RolloutSettings(simulations=100))
ref.prepare()
for s in searches.values(): s.prepare()
rows, t0 = [], time.monotonic()
while time.monotonic() - t0 < 60*minutes:
    deal = rng.permutation(60)
    pos = Position(game, None, deal, seed=int(rng.integers(1, 2**31))) if False else Position(game, None, deal)
    g = len(rows)
    while not pos.over and not pos.stalled:
        if len(pos.legal_moves) > 1 and pos.plies > 3 and rng.random() < 0.1:
            row = {"ply": pos.plies, "game": deal[:4].tolist(), "phase": int(pos.state.phase), "n": len(pos.legal_moves)}
            sd = int(rng.integers(1, 2**31))
            for b, s in searches.items():
                last.clear(); t = time.thread_time()
                res = s.run(pos.redealt(sd), seed=sd)
                took = time.thread_time() - t
                race, bel = last["race"], last["belief"]
                row[b] = dict(cands=race._candidates.copy(), move=res.move, sums=race.tally.sums[[COUNT, GAIN]].astype(np.float32),
                              groups=None if bel is None else bel.groups, origins=getattr(bel, "origins", None), took=took, scale=race._scale,
                              distinct=0 if bel is None else len(np.unique(bel.deals, axis=0)))
            cands = race._candidates
            w = Worlds(np.tile(deal, (64,1)), np.arange(64), 60 - int(pos.state.deck_left))
            race = R.Race(guide, pos, cands, w, B.past_of(pos), sd ^ 12345)
            race.run(96)
            t = race.tally.sums
            row["truth_gain"] = t[GAIN].sum(1)/96; row["truth_win"] = (t[WON]-t[WON][0]).sum(1)/96; row["cands"] = cands; row["scale"]=race._scale
            rows.append(row)
        pos.push(guide.decide(pos))
    pickle.dump(rows, open(out, "wb"))
print(len(rows))
