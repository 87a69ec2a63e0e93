"""CPU time of a command from nothing: help pages, small commands, first searches.

Each command runs in a fresh process with its bytecode compiled, as after an installation; the
least of several runs counts, and is held to its promise. Commands on stored runs get a project of
their own: a suite of 40 queries, two systems that read run files, a stored run of each. The index
is that of `suites/python-docs`; without `--index FOLDER` it is saved first, which takes a minute;
`--no-search` leaves searches out.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

ROUNDS = 7
QUERY = "read a file line by line"
QUERIES = 40
DEPTH = 20

CONFIG = """\
suites = ["small.toml"]
systems.old = { kind = "runfile", file = "old.run" }
systems.new = { kind = "runfile", file = "new.run" }
"""


class Started(NamedTuple):
    """A command to be timed, and the most seconds of CPU time that are promised."""

    name: str
    arguments: list[str]
    promise: float | None = None
    folder: Path | None = None


def measure(started: Started, environment: dict[str, str]) -> float:
    """Return the least seconds of CPU time, system calls included, of several runs."""
    taken = []
    for _ in range(ROUNDS + 1):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        start(started.arguments, environment, started.folder)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        user, system = after.ru_utime - before.ru_utime, after.ru_stime - before.ru_stime
        taken.append(user + system)
    # The first run compiles.
    return min(taken[1:])


def start(arguments: list[str], environment: dict[str, str], folder: Path | None = None) -> None:
    """Run Python with some arguments; one that fails ends the benchmark."""
    command = [sys.executable, *arguments]
    quiet = subprocess.DEVNULL
    done = subprocess.run(
        command, check=False, cwd=folder, env=environment, stdout=quiet, stderr=subprocess.PIPE
    )
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{done.stderr.decode()}")


def make_project(folder: Path, environment: dict[str, str]) -> None:
    """Write a project, with judgments and two runs as TREC files, and store a run of each."""
    chance = random.Random(1967)  # noqa: S311 - the same files each time
    folder.mkdir()
    (folder / "cranfield.toml").write_text(CONFIG)
    suite, qrels = ['id = "small"\nclass = "judged"\n'], []
    runs: dict[str, list[str]] = {"old": [], "new": []}
    for number in range(QUERIES):
        judged = {f"d{document}": document % 3 for document in range(0, DEPTH, 2)}
        grades = ", ".join(f"{document} = {grade}" for document, grade in judged.items())
        text = f"word{number} of a query"
        suite.append(f'[[query]]\nid = "q{number}"\ntext = "{text}"\nexpect.ids = {{{grades}}}\n')
        qrels += [f"q{number} 0 {document} {grade}\n" for document, grade in judged.items()]
        for rows in runs.values():
            found = chance.sample(range(DEPTH), DEPTH)
            rows += [f"q{number} Q0 d{each} 1 {-rank} tag\n" for rank, each in enumerate(found)]
    (folder / "small.toml").write_text("\n".join(suite))
    (folder / "qrels.txt").write_text("".join(qrels))
    for name, rows in runs.items():
        (folder / f"{name}.run").write_text("".join(rows))
        run = ["-m", "cranfield", "run", "--system", name, "--label", f"stored-{name}", "--quiet"]
        start(run, environment, folder)


def list_commands(project: Path) -> list[Started]:
    """List the commands of `cranfield`, with what is promised of each."""

    def cranfield(*arguments: str, promise: float) -> Started:
        name = " ".join(("cranfield", *arguments))
        return Started(name, ["-m", "cranfield", *arguments], promise, project)

    return [
        cranfield("--help", promise=0.15),
        cranfield("score", "qrels.txt", "old.run", promise=0.30),
        cranfield("runs", "list", promise=0.35),
        cranfield("compare", "stored-old", "stored-new", promise=0.90),
        cranfield("report", "stored-old", "stored-new", promise=1.0),
        cranfield("check", promise=0.5),
    ]


def list_searches(index: Path) -> list[Started]:
    """List the searches of `stacks` in an index, with what is promised of each."""
    search = ["-m", "stacks", "search", QUERY, "--db", str(index), "--mode"]
    return [
        Started("stacks search, by words", [*search, "fts5"], 0.30),
        Started("stacks search, with vectors", [*search, "both"], 0.45),
    ]


def save_index(folder: Path, environment: dict[str, str]) -> None:
    """Save Python's standard library with vectors."""
    arguments = ["-m", "stacks", "save", "--from", "pydoc=stdlib"]
    start([*arguments, "--embedder", "wordllama", "--quiet", "--to", str(folder)], environment)


def main() -> int:
    """Print what each takes; exit with 1 if a promise was not kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--index", type=Path, help="an index of Python's standard library")
    parser.add_argument("--no-search", action="store_true", help="leave out searches of stacks")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(Path(place) / "caches")}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        environment.pop("CRANFIELD_STORE", None)
        make_project(Path(place) / "project", environment)
        commands = [
            Started("python -c pass", ["-c", "pass"]),
            Started("python -c 'import typer'", ["-c", "import typer"]),
            Started("python -c 'import numpy'", ["-c", "import numpy"]),
            *list_commands(Path(place) / "project"),
            Started("stacks --help", ["-m", "stacks", "--help"], 0.12),
        ]
        if not given.no_search:
            index = given.index or Path(place) / "index"
            if not index.exists():
                save_index(index, environment)
            commands += list_searches(index)
        kept = [report(each, measure(each, environment)) for each in commands]
    return 0 if all(kept) else 1


def report(started: Started, taken: float) -> bool:
    """Print what a command took; return whether its promise was kept."""
    is_kept = started.promise is None or taken <= started.promise
    verdict = "kept" if is_kept else "NOT KEPT"
    promised = "" if started.promise is None else f"  promised {started.promise:g}: {verdict}"
    print(f"{started.name:40} {taken:.3f} s{promised}", flush=True)
    return is_kept


if __name__ == "__main__":
    sys.exit(main())
