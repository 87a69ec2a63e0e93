"""Run files larger than memory: CPU time a row and peak memory of `cranfield score` as files grow.

    python benchmarks/score_scale.py [MILLION_ROWS ...]

Every file is written, scored by the command in a process of its own, and deleted. Half of them have
the rows of a query together, as programs write them; in the others the queries take turns. Some
scores are equal and ids are long, so ties are read a second time. At the end two large files
are scored in one call. 50 million rows need some 5 GB of room in the folder of temporary files.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

SIZES = (2, 10, 50)
DEPTH = 1000
MOST_MEGABYTES = 1000
MOST_GROWTH = 1.5
"""How many times the CPU time a row of the smallest file the largest may take."""
QUERIES_AT_ONCE = 500


class Cost(NamedTuple):
    """CPU time in seconds, peak memory in MB, and what was printed."""

    seconds: float
    megabytes: float
    printed: str


def score(qrels: Path, *runs: Path) -> Cost:
    """Score runs by the command in a process of its own."""
    command = [sys.executable, "-m", "cranfield", "score", str(qrels), *map(str, runs)]
    with subprocess.Popen([*command, "-m", "nDCG@10", "-m", "AP"], stdout=subprocess.PIPE) as child:
        assert child.stdout is not None  # noqa: S101 - for the type checker
        printed = child.stdout.read().decode()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"cranfield failed: {' '.join(command)}")
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, printed)


def write_files(folder: Path, queries: int) -> tuple[Path, Path, Path]:
    """Write judgments, a run with each query's rows together, and the same rows in turns."""
    rest = make_rows(np.random.default_rng(1967))
    heads = [f"query-{number:07d} Q0 " for number in range(queries)]
    qrels, together, in_turns = (folder / name for name in ("qrels", "together.run", "turns.run"))
    judged = [row.split()[0] for row in rest[::40]]
    with qrels.open("w") as file:
        for number in range(queries):
            file.writelines(
                f"query-{number:07d} 0 {document} {place % 3}\n"
                for place, document in enumerate(judged)
            )
    with together.open("w") as file:
        file.writelines(head + head.join(rest) for head in heads)
    with in_turns.open("w") as file:
        file.writelines(rows_in_turns(heads, rest))
    return qrels, together, in_turns


def make_rows(random: np.random.Generator) -> list[str]:
    """Make the rows of a ranking without their query; every tenth score is that before it."""
    scores = np.sort(random.gamma(4, 3, DEPTH))[::-1]
    scores[10::10] = scores[9:-1:10]
    documents = random.choice(8_800_000, DEPTH, replace=False)
    rows = enumerate(zip(documents, scores, strict=True), start=1)
    return [f"passage-{found:08d} {rank} {score:.6f} bench\n" for rank, (found, score) in rows]


def rows_in_turns(heads: list[str], rest: list[str]) -> Iterator[str]:
    """Yield the same rows, all queries taking turns."""
    for row in rest:
        for start in range(0, len(heads), QUERIES_AT_ONCE):
            yield row.join([*heads[start : start + QUERIES_AT_ONCE], ""])


def main() -> int:
    """Print the table; 1 if memory or the time a row grow more than promised."""
    sizes = [int(each) for each in sys.argv[1:]] or SIZES
    costs: dict[tuple[str, int], Cost] = {}
    print(f"{'million rows':>12}  {'order':<9} {'µs CPU a row':>12} {'peak MB':>8}", flush=True)
    for millions in sizes:
        with tempfile.TemporaryDirectory(prefix="cranfield-bench-") as folder:
            qrels, together, in_turns = write_files(Path(folder), millions * 1000)
            runs = {"together": [together], "in turns": [in_turns]}
            if millions == sizes[-1]:
                runs["both files"] = [together, in_turns]
            for order, files in runs.items():
                cost = costs[order, millions] = score(qrels, *files)
                rows = millions * len(files)
                line = f"{rows:>12}  {order:<9} {cost.seconds / rows:>12.2f}"
                print(f"{line} {cost.megabytes:>8.0f}", flush=True)
            same = costs["together", millions].printed.replace("together.run", "turns.run")
            if same.split() != costs["in turns", millions].printed.split():
                sys.exit("the order of a file changed its figures")
    return report(costs, sizes[0], sizes[-1])


def report(costs: dict[tuple[str, int], Cost], smallest: int, largest: int) -> int:
    """Say which promises were kept."""
    most = max(cost.megabytes for cost in costs.values())
    kept = most < MOST_MEGABYTES
    print(f"peak memory {most:.0f} MB, promised below {MOST_MEGABYTES}: {'yes' if kept else 'NO'}")
    for order in ("together", "in turns"):
        first, last = costs[order, smallest].seconds, costs[order, largest].seconds
        growth = last / largest / (first / smallest)
        linear = growth <= MOST_GROWTH
        kept &= linear
        said = f"a row of the largest takes {growth:.2f} times one of the smallest"
        print(f"{order}: {said}, promised {MOST_GROWTH:g}: {'yes' if linear else 'NO'}")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
