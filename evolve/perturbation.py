"""How far simultaneous perturbations move a centre (J. C. Spall, IEEE Trans. Automat. Contr. 37, 1992).

The strategy `spsa` and the search of `evolve tune` step alike; benchmarks/tuning.py measures these constants.
"""

from rulebots.game import Floats

#: See `step_of`.
STEP = 0.17
DIMENSIONS = 0.25
DELAY = 3.0
DECAY = 0.3
#: The weight of the n-th centre in a mean grows about as n**LATENESS.
LATENESS = 3


def step_of(pairs: float, size: int) -> float:
    """The step for one pair, in perturbations of `size` numbers, after so many pairs.

    It is STEP * size**-DIMENSIONS * (1 + pairs / (DELAY * size**1.5)) ** -DECAY.
    """
    return float(STEP * size**-DIMENSIONS * (1 + pairs / (DELAY * size**1.5)) ** -DECAY)


def add_centre(mean: Floats, centre: Floats, number: int) -> None:
    """Make the n-th centre (from 1) part of the mean of them, the later ones counting more.

    See O. Shamir and T. Zhang, ICML 2013. Both are float64[size].
    """
    mean += (LATENESS + 1) / (LATENESS + number) * (centre - mean)
