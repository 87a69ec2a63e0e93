"""Run and judgment files of the size of a large test collection, the same every time.

Run as `python generate.py QUERIES`.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np

__all__ = ["Case", "cases_of"]

FOLDER = Path(__file__).parent / "data"
DEPTH = 1000
DOCUMENTS = 8_800_000
GRADES, GRADE_CHANCES = (0, 1, 2, 3), (0.6, 0.2, 0.15, 0.05)


class Case(NamedTuple):
    """A run file and the judgments to score it with."""

    name: str
    qrels: Path
    run: Path


def cases_of(queries: int) -> list[Case]:
    """Return the four cases with that many queries; their files are written if not there."""
    folder = FOLDER / f"{queries}x{DEPTH}"
    if not (folder / "complete").exists():
        # In a process of its own: a child's peak memory starts at that of its parent.
        subprocess.run([sys.executable, __file__, str(queries)], check=True)
    run, shuffled, sparse, dense = _paths(folder)
    return [
        Case("sparse judgments, in order", sparse, run),
        Case("sparse judgments, shuffled", sparse, shuffled),
        Case("dense judgments, in order", dense, run),
        Case("dense judgments, shuffled", dense, shuffled),
    ]


def _paths(folder: Path) -> tuple[Path, Path, Path, Path]:
    return (
        folder / "run.txt",
        folder / "run.shuffled.txt",
        folder / "qrels.sparse.txt",
        folder / "qrels.dense.txt",
    )


def _write(queries: int) -> None:
    folder = FOLDER / f"{queries}x{DEPTH}"
    folder.mkdir(parents=True, exist_ok=True)
    run, shuffled, sparse, dense = _paths(folder)
    chance = np.random.default_rng(1967)
    lines: list[str] = []
    sparse_lines: list[str] = []
    dense_lines: list[str] = []
    for query in chance.choice(1_200_000, queries, replace=False).tolist():
        found = chance.choice(DOCUMENTS, DEPTH, replace=False)
        scores = np.sort(chance.gamma(4, 3, DEPTH))[::-1]
        lines.extend(
            f"{query} Q0 {document} {rank} {score:.6f} bench\n"
            for rank, (document, score) in enumerate(zip(found, scores, strict=True), start=1)
        )
        # One right answer, mostly near the top and sometimes not found at all.
        place = int(chance.exponential(30))
        right = found[place] if place < DEPTH and chance.random() < 0.85 else DOCUMENTS + query
        sparse_lines.append(f"{query} 0 {right} 1\n")
        judged = np.concatenate(
            (chance.choice(found, 100, replace=False), DOCUMENTS + chance.choice(9999, 50, False))
        )
        grades = chance.choice(GRADES, len(judged), p=GRADE_CHANCES)
        dense_lines.extend(f"{query} 0 {d} {g}\n" for d, g in zip(judged, grades, strict=True))
    run.write_text("".join(lines))
    shuffled.write_text("".join(lines[place] for place in chance.permutation(len(lines))))
    sparse.write_text("".join(sparse_lines))
    dense.write_text("".join(dense_lines))
    (folder / "complete").touch()


if __name__ == "__main__":
    _write(int(sys.argv[1]))
