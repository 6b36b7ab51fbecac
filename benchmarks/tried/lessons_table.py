"""Weights that learn from the lessons of lessons.py: `python lessons_table.py OUT.pkl`."""
import pickle, sys, numpy as np
from rulebots.game import load_game
from rulebots.players import RulePlayer
from rulebots.players.names import make_player
from rulebots.play.match import play_match
from rulebots.random_numbers import rng_of
from evolve.lessons.policy_gradient import Adam, ascend
from evolve.lessons.rollouts import Lessons
rows=[r for f in sys.argv[1:] for r in pickle.load(open(f,"rb"))]; print(len(rows),"decisions", flush=True)
game=load_game("lost-cities"); champ=make_player("champion",game); shelly=make_player("shelly",game)
print("champion v shelly", play_match(champ, shelly, 4000, 777, jobs=1).win_rate, flush=True)
half=len(rows)//2
def lessons(which, part=slice(None)):
    rs=rows[part]
    return Lessons(np.array([len(r["moves"]) for r in rs]), np.array([r["late"] for r in rs], float), np.concatenate([r["features"] for r in rs]).astype(np.float32),
      np.concatenate([r["returns"][which] for r in rs]).astype(float), np.concatenate([r["moves"] for r in rs]).astype(np.int64))
for which,name in ((0,"belief"),(1,"uniform")):
    for epochs,step in ((6,0.002),(20,0.002),(20,0.005),(60,0.005)):
        genes=ascend(np.array(champ.weights).ravel().copy(), [lessons(which)], Adam(champ.weights.size), epochs=epochs, step_size=step, temperature=0.2, rng=rng_of(3))
        p=RulePlayer(champ.rules, genes.reshape(champ.weights.shape), name)
        r=play_match(p, champ, 3000, 778, jobs=1); s=play_match(p, shelly, 3000, 777, jobs=1)
        print(name,epochs,step,"moved %.3f"%np.abs(genes-np.array(champ.weights).ravel()).mean(),"v champion %.1f"%(100*r.win_rate),[round(100*x,1) for x in r.win_rate_95],"v shelly %.1f"%(100*s.win_rate),[round(100*x,1) for x in s.win_rate_95], flush=True)
