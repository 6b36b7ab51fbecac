"""`python turns_table.py OUT.pkl`: what the turns of turns.py were worth."""
import pickle,sys,numpy as np
rows=[r for f in sys.argv[1:] for r in pickle.load(open(f,"rb"))]
keys=[k for k in rows[0] if k!="base"]; N=len(rows); print(N,"turns")
for k in keys:
    g=np.array([r[k][0]-r["base"][0] for r in rows]); w=np.array([r[k][1]-r["base"][1] for r in rows])
    print(k,"ms a turn %.1f"%(1000*np.mean([r[k][2] for r in rows])),"dev %.1f%%"%(100*np.mean([r[k][3] for r in rows])),"gain %.2f+-%.2f win %.2f+-%.2f (x1000)"%(1e3*g.mean(),1e3*g.std()/N**.5,1e3*w.mean(),1e3*w.std()/N**.5))
    if k[1]:
        f=(k[0],0); d=np.array([r[k][0]-r[f][0] for r in rows]); v=np.array([r[k][1]-r[f][1] for r in rows])
        print("    against flat %.2f+-%.2f win %.2f+-%.2f"%(1e3*d.mean(),1e3*d.std()/N**.5,1e3*v.mean(),1e3*v.std()/N**.5))
