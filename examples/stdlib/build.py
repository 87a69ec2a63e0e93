"""Make the example's judgments and runs from its suite and its two builds.

The committed files were made with Python 3.11; another version has other docstrings and gives
other runs.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

from search import BUILDS, open_index, search

HERE = Path(__file__).parent
DEPTH = 20


def main() -> None:
    """Write `qrels.txt`, `plain.run` and `weighted.run`."""
    queries = tomllib.loads((HERE / "stdlib.toml").read_text())["query"]
    for build in BUILDS:
        index = open_index(build)
        lines = [
            f"{query['id']} Q0 {name} {rank} {score:.6f} {build}\n"
            for query in queries
            for rank, (name, score) in enumerate(
                search(index, build, query["text"], DEPTH), start=1
            )
        ]
        (HERE / f"{build}.run").write_text("".join(lines))
    judgments = [
        f"{query['id']} 0 {module} {grade}\n"
        for query in queries
        for module, grade in query["expect"]["ids"].items()
    ]
    (HERE / "qrels.txt").write_text("".join(judgments))


if __name__ == "__main__":
    main()
