"""What a game is like to play: figures for its designer, measured on games between players of several strengths.

`plan_of` says what is to be measured, `measured` measures it part by part. All figures come with a 95 % interval.
"""

from evolve.analysis.report.plan import FORMAT, Plan, measured, plan_of

__all__ = ["FORMAT", "Plan", "measured", "plan_of"]
