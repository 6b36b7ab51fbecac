"""Alpha-beta search."""
