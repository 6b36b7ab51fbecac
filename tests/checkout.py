"""Where things stand in a checkout, whatever folder a test is in."""

from pathlib import Path

CHECKOUT = Path(__file__).parents[1]
POPULATIONS = CHECKOUT / "populations"
GOLDEN = CHECKOUT / "tests" / "golden"
