"""Conway's game of life in the terminal."""

import time
from collections import Counter

GLIDER = {(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)}


def step(alive):
    neighbours = Counter(
        (x + dx, y + dy) for x, y in alive for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy
    )
    return {cell for cell, count in neighbours.items() if count == 3 or (count == 2 and cell in alive)}


alive = GLIDER
while True:
    print("\033[H\033[2J" + "\n".join("".join(".#"[(x, y) in alive] for x in range(40)) for y in range(20)))
    alive = step(alive)
    time.sleep(0.1)
