"""Hearts: take no hearts and not the queen of spades, or take them all."""
