"""CPU time of a command from nothing: help pages and first searches, beside Python itself.

Each command runs in a fresh process with its bytecode compiled, as after an installation; the
least of several runs counts. The index is that of `suites/python-docs`; without `--index FOLDER`
it is saved first, which takes a minute.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

ROUNDS = 7
QUERY = "read a file line by line"


def measure(command: list[str], caches: str) -> float:
    """Return the least seconds of CPU time, system calls included, of several runs."""
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": caches}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    taken = []
    for _ in range(ROUNDS + 1):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        user, system = after.ru_utime - before.ru_utime, after.ru_stime - before.ru_stime
        taken.append(user + system)
    # The first run compiles.
    return min(taken[1:])


def save_index(folder: Path) -> None:
    """Save Python's standard library with vectors."""
    command = [sys.executable, "-m", "stacks", "save", "--from", "pydoc=stdlib"]
    command += ["--embedder", "wordllama", "--quiet", "--to", str(folder)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def main() -> int:
    """Print what each takes; exit with 1 if a promise was not kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--index", type=Path, help="an index of Python's standard library")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        index = given.index or Path(place) / "index"
        if not index.exists():
            save_index(index)
        search = ["-m", "stacks", "search", QUERY, "--db", str(index), "--mode"]
        commands: dict[str, tuple[list[str], float | None]] = {
            "python -c pass": (["-c", "pass"], None),
            "python -c 'import typer'": (["-c", "import typer"], None),
            "python -c 'import numpy'": (["-c", "import numpy"], None),
            "cranfield --help": (["-m", "cranfield", "--help"], 0.3),
            "stacks --help": (["-m", "stacks", "--help"], 0.12),
            "stacks search, by words": ([*search, "fts5"], 0.30),
            "stacks search, with vectors": ([*search, "both"], 0.45),
        }
        kept = True
        for name, (arguments, most) in commands.items():
            taken = measure([sys.executable, *arguments], str(Path(place) / "caches"))
            promise = "" if most is None else f"  promised {most:g}: "
            verdict = "" if most is None else "kept" if taken <= most else "NOT KEPT"
            kept &= most is None or taken <= most
            print(f"{name:28} {taken:.3f} s{promise}{verdict}", flush=True)
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
