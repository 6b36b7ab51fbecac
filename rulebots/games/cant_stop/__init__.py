"""Can't Stop: roll four dice, climb two columns, and stop before a roll fits nowhere. For one to four."""
