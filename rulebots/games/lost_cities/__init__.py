"""Lost Cities, by Reiner Knizia: expeditions of rising cards, each of which costs 20 points."""
