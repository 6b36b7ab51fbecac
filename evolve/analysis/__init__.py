"""What bred players are made of."""
