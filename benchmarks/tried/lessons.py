"""Lessons of the champion decided by the search: `python lessons.py SEED MINUTES OUT.pkl SIMULATIONS`."""
import sys, time, pickle
import numpy as np
from rulebots.game import load_game
from rulebots.players import compiled_for
from rulebots.players.names import make_player
from rulebots.position import Position
from rulebots.dtypes import records
from rulebots.kernel import kernel
from rulebots.law import looking
from rulebots.rules.scoring import features_of, scorer
from rulebots.search.rollout import search as S, race as R
from rulebots.search.rollout.rounds import COUNT, GAIN
from rulebots.search.rollout.settings import RolloutSettings
seed, minutes, out, sims = int(sys.argv[1]), float(sys.argv[2]), sys.argv[3], int(sys.argv[4])
game = load_game("lost-cities"); guide = make_player("champion", game); style = guide.style
def feature_kernel(style):
    look, feature, score = looking(style.game), features_of(style.rules), scorer(style.rules)
    @kernel(inlines=False)
    def feats(states, moves, n, out, weights, views, blended, scores):
        look(states[0], views, 1)
        score(views[0], moves, n, weights, blended, scores)
        look(states[0], views, 1)
        return feature(views[0], moves, n, out)
    return feats
none = np.zeros(0, np.int64)
F = compiled_for(style, feature_kernel, records(game.state,1), none, 0, np.zeros((0,0),np.float32), np.zeros((2, style.columns)), *style.workspace())
last = {}
_init = R.Race.__init__
def init(self, *a, **k):
    _init(self, *a, **k); last["race"] = self
R.Race.__init__ = init
rules = len(style.rules.rules)
ss = [S.RolloutSearch(guide, RolloutSettings(simulations=sims, belief=b)) for b in (True, False)]
for s in ss: s.prepare()
rng = np.random.default_rng(seed); rows=[]; t0=time.monotonic(); st=records(game.state,1)
while time.monotonic()-t0 < 60*minutes:
    pos = Position(game, None, rng.permutation(60))
    while not pos.over and not pos.stalled:
        legal = pos.legal_moves
        if len(legal) > 1 and rng.random() < 0.1:
            st[0] = pos.state; ws = style.workspace(); mv = legal.copy(); out_ = np.zeros((len(mv), rules), np.float32)
            late = F(st, mv, len(mv), out_, guide.weights, *ws)
            scores = ws.scores[:len(mv)].copy(); idx = {int(m): i for i, m in enumerate(mv)}
            near = {int(m) for m, sc in zip(mv, scores) if sc >= scores.max() - 0.92}
            if len(near) > 1:
                sd = int(rng.integers(1, 2**31)); p2 = pos.redealt(sd); got=[]
                for s in ss:
                    s.run(p2, seed=sd); r = last["race"]; c = r.tally.sums[COUNT].sum(1)
                    got.append((r._candidates.copy(), c, r.tally.sums[GAIN].sum(1)/np.maximum(c,1)))
                cands = [int(m) for m in got[0][0] if int(m) in near]
                if len(cands) > 1:
                    rows.append(dict(late=late, features=np.array([out_[idx[m]] for m in cands]), moves=cands, game=pos.plies,
                        returns=[[g[2][list(g[0]).index(m)] for m in cands] for g in got]))
        pos.push(guide.decide(pos))
pickle.dump(rows, open(out,"wb")); print(len(rows))
