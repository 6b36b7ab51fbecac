"""A server of the Kalah Game Protocol in plain Python: in each game it plays its leftmost pit."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from naive_kalah import NaiveGame


def serve(write: Callable[[str], object], lines: Iterator[str], clients: Sequence[int], pits: int, stones: int):
    """Play a game for each seat of the client in `clients`, and say goodbye; gives the points by seat of each."""
    write("2 kgp 1 0 1\r\n")
    chosen = re.fullmatch(r"(\d+) mode freeplay", next(line for line in lines if "mode" in line))
    assert chosen
    write(f"4@{chosen[1]} ok\r\n")
    number, points = 4, []
    for which, client in enumerate(clients, 1):
        write(f'6 set game:id "{which}"\r\n8 set game:opponent "naive"\r\n')
        game = NaiveGame(pits, stones, empty_capture=False)
        while not game.over():
            if game.mover != client:
                game.play(game.legal()[0])
                continue
            number += 2
            sides = [*game.pits[client], *game.pits[1 - client]]
            numbers = (pits, game.stores[client], game.stores[1 - client], *sides)
            write(f"{number} state <{','.join(map(str, numbers))}>\r\n")
            moves = []
            while "yield" not in (line := next(lines)):
                moves += re.findall(rf"^\d+@{number} move (\d+)$", line)
            game.play(int(moves[-1]) - 1)
        points.append((game.points(0), game.points(1)))
    write("goodbye\r\n")
    return points
