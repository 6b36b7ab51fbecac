"""What plays the games of a run: threads here, or processes here and on other machines."""
