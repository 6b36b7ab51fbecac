"""Players whose names hold settings, `kind:name=value,...`: a module a kind, with `player_of(spec, game)`."""
