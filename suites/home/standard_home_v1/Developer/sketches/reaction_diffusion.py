"""Gray-Scott reaction and diffusion: spots, stripes and coral from two chemicals."""

import numpy as np

FEED, KILL = 0.037, 0.06


def laplace(grid):
    return (
        np.roll(grid, 1, 0) + np.roll(grid, -1, 0) + np.roll(grid, 1, 1) + np.roll(grid, -1, 1)
        - 4 * grid
    )


def step(u, v):
    reaction = u * v * v
    return (
        u + 0.16 * laplace(u) - reaction + FEED * (1 - u),
        v + 0.08 * laplace(v) + reaction - (FEED + KILL) * v,
    )


def run(size=200, steps=5000):
    u, v = np.ones((size, size)), np.zeros((size, size))
    middle = slice(size // 2 - 5, size // 2 + 5)
    v[middle, middle] = 0.5
    for _ in range(steps):
        u, v = step(u, v)
    return v
