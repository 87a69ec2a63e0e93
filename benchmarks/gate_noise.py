"""How often a gate takes noise for a fall, and could tell a fall: the table of docs/ci.md.

A query that passes by chance, or has another value each time, is asked so often for the baseline
and so often at the gate, thousands of times over. Nothing of it changed, so every regression is
a mistake.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import numpy as np

from cranfield.gates.significance import ChangeKind, can_detect_drop, classify_change

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

REPETITIONS = (
    (1, 1),
    (5, 1),
    (5, 3),
    (5, 5),
    (12, 1),
    (12, 3),
    (12, 12),
    (30, 1),
    (30, 3),
    (30, 12),
)
"""Of the baseline, and of the gate."""
DRAWS = 1500


def main() -> int:
    """Print the table."""
    random = np.random.default_rng(0)

    def passes(share: float) -> Callable[[int], NDArray[np.float64]]:
        return lambda count: (random.random(count) < share).astype(np.float64)

    kinds: dict[str, Callable[[int], NDArray[np.float64]]] = {
        "9 of 10": passes(0.9),
        "1 of 2": passes(0.5),
        "another each time": lambda count: random.random(count).round(6),
    }
    sys.stdout.write(f"baseline, gate   {'   '.join(kinds)}   a drop could be detected\n")
    for before, after in REPETITIONS:
        wrong = [_share_wrong(draw, before, after) for draw in kinds.values()]
        detected = np.mean(
            [can_detect_drop(tuple(kinds["9 of 10"](before)), after) for _ in range(DRAWS)]
        )
        shown = "   ".join(f"{share:7.1%}" for share in wrong)
        sys.stdout.write(f"{before:8}, {after:4}   {shown}   {detected:12.0%}\n")
    return 0


def _share_wrong(draw: Callable[[int], NDArray[np.float64]], before: int, after: int) -> float:
    """The share of draws in which an unchanged query is taken for regressed."""
    moves = (classify_change(tuple(draw(before)), tuple(draw(after))) for _ in range(DRAWS))
    return sum(move is ChangeKind.REGRESSED for move in moves) / DRAWS


if __name__ == "__main__":
    raise SystemExit(main())
