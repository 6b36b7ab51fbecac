"""Learning from decisions that were played on: rollouts, and the policy gradient on their returns."""
