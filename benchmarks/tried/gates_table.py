"""What other gates would have made of the tallies of gates.py: `python gates_table.py OUT.pkl ...`."""

import pickle
import sys

import numpy as np
from scipy.stats import norm, t

rows = [row for file in sys.argv[1:] for row in pickle.load(open(file, "rb"))]


def tallied(row, budget, which):
    """Gains, errors as racing.py has them, and groups, of all candidates; and those that stayed in the race."""
    found = row[budget]
    groups = np.unique(found[which], return_inverse=True)[1]
    counts, sums = (np.array([np.bincount(groups, line) for line in table.astype(float)]) for table in found["sums"])
    total, n = counts.sum(axis=1), (counts > 0).sum(axis=1)
    with np.errstate(all="ignore"):
        mean = sums.sum(axis=1) / total
        rest = np.where(counts > 0, sums - mean[:, None] * counts, 0.0)
        error = np.sqrt((rest**2).sum(axis=1) * n / (n - 1.0)) / total
        effective = total**2 / (counts**2).sum(axis=1)
    return mean, error, n, effective, total >= total[1:].max() / 2


def chosen(row, budget, gate, doubt=0.0, which="groups", freedom="groups", challengers=False):
    mean, error, n, effective, stayed = tallied(row, budget, which)
    number = effective if freedom == "effective" else n
    with np.errstate(all="ignore"):
        wide = np.where(number > 1, error * t.ppf(0.975, np.maximum(number - 1, 1e-9)) / norm.ppf(0.975), np.inf)
        least = norm.isf(norm.sf(gate) / (len(mean) - 1)) if challengers else gate
        able = (mean > 0) & (mean > wide * (least + doubt * wide)) & stayed
    able[0] = False
    return int(np.argmax(np.where(able, mean, -np.inf))) if able.any() else 0


def show(name, budget, choose):
    gains, wins, other = np.zeros(len(rows)), np.zeros(len(rows)), 0
    for number, row in enumerate(rows):
        if one := choose(row):
            at = list(row["cands"]).index(row[budget]["cands"][one])
            gains[number], wins[number], other = row["truth_gain"][at], row["truth_win"][at], other + 1
    error = [1000 * values.std() / len(rows) ** 0.5 for values in (gains, wins)]
    print(
        f"{budget:4} {name:40} other moves {100 * other / len(rows):4.1f} %, for each decision x 1000: "
        f"return {1000 * gains.mean():5.2f} +- {error[0]:.2f}, won {1000 * wins.mean():5.2f} +- {error[1]:.2f}"
    )


rows = [row for row in rows if all(row[b]["groups"] is not None for b in (30, 100, 300, 800) if b in row)]
print(len(rows), "decisions; +- one standard error")
for budget in (30, 100, 300, 800):
    show("as the search chose", budget, lambda row: [int(m) for m in row[budget]["cands"]].index(int(row[budget]["move"])))
    show("2 errors", budget, lambda row: chosen(row, budget, 2))
    show("2, Bonferroni", budget, lambda row: chosen(row, budget, 2, challengers=True))
    show("2, Student by effective groups", budget, lambda row: chosen(row, budget, 2, freedom="effective"))
    if all(row[budget]["origins"] is not None for row in rows):
        show("2, groups by first ancestor", budget, lambda row: chosen(row, budget, 2, which="origins"))
    show("3", budget, lambda row: chosen(row, budget, 3))
    for gate, doubt in ((0.5, 40), (1, 20), (1, 30), (1, 40), (1.5, 0), (1.5, 15), (1.5, 30)):
        show(f"{gate} and {doubt} e", budget, lambda row: chosen(row, budget, gate, doubt))
