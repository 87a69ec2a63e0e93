"""Score tables and projects for tests of sweeps."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cranfield.model import Query, Suite
from cranfield.sweeps.sweep_plan import QueryTable
from cranfield.sweeps.tuning import TrialScores

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from cranfield.sweeps.searches import Trial

__all__ = ["SEARCH", "make_sweep_project", "make_table", "scores_of"]

SEARCH = '''
import hashlib


def search(text, limit, boost=0.0, noise=0):
    """`boost` helps odd words, `noise` shuffles luck and helps nobody."""
    number = int(text.removeprefix("word"))
    right, wrong = f"doc-{number}", ["doc-x", "doc-y", "doc-z"]
    luck = hashlib.sha256(f"{text} {noise}".encode()).digest()[0] / 256
    with open("asked.txt", "a") as asked:
        asked.write(f"{text} {boost} {noise}\\n")
    return [right, *wrong] if luck < 0.4 + boost * (number % 2) * 0.6 else [*wrong, right]
'''
CONFIG = """\
# my search
suites = ["small.toml"]

[systems.mine]  # in production
kind = "python"
call = "search.py:search"
arguments = { boost = 0.0, noise = 0 }  # chosen by hand
"""
SWEEP = """\
system = "mine"

[settings]
arguments = { boost = "{boost}", noise = "{noise}" }

[parameters]
boost = [0.0, 1.0]
noise = [0, 1, 2]
"""


def make_sweep_project(folder: Path, queries: int = 100, sweep: str = SWEEP) -> Path:
    """Make a project and the file of a sweep; return the latter."""
    (folder / "search.py").write_text(SEARCH.replace("asked.txt", str(folder / "asked.txt")))
    (folder / "cranfield.toml").write_text(CONFIG)
    entries = "".join(
        f'\n[[query]]\nid = "q{number}"\ntext = "word{number}"\n'
        f'category = "{"even" if number % 2 == 0 else "odd"}"\n'
        f"expect.matches = '^doc-{number}$'\n"
        for number in range(queries)
    )
    (folder / "small.toml").write_text(f'id = "small"\nclass = "canonical"\n{entries}')
    file = folder / "boosts.toml"
    file.write_text(sweep)
    return file


def make_table(sizes: dict[tuple[str, str], int]) -> QueryTable:
    """Make a table with so many queries of each suite and category."""
    suites: dict[str, list[Query]] = {}
    for (suite, category), size in sizes.items():
        for number in range(size):
            name = f"{suite}-{category}-{number}"
            suites.setdefault(suite, []).append(Query(name, name, category=category))
    made = [Suite(name, "canonical", tuple(queries)) for name, queries in suites.items()]
    return QueryTable.of(made, dict.fromkeys(suites, "RR@10"))


def scores_of(trial: Trial, values: NDArray[np.float64], seconds: float = 0.01) -> TrialScores:
    """Make the scores of a trial that answered every query."""
    size = len(values)
    return TrialScores(
        trial, values, np.zeros(size, dtype=np.bool_), np.full(size, seconds, dtype=np.float64)
    )
