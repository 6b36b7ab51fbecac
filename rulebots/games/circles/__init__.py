"""Circle elimination: a triangle of stones, from which lines of adjacent ones are taken in turn."""
