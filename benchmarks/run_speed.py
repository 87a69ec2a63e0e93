"""What running costs: the harness's own time a query, both cores used, 100,000 recorded answers.

Every figure is a ratio to, or a difference from, something timed in the same run.
"""

from __future__ import annotations

import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

QUERIES = 50
RECORDED = 50_000
MOST_OVERHEAD = 0.005
MOST_SECONDS = 30.0

SEARCH = """\
import sys, time
number = sys.argv[1].removeprefix("word")
end = time.perf_counter() + float(sys.argv[2])
while time.perf_counter() < end:
    pass
print(f"doc-{number}\\ndoc-x\\ndoc-y")
"""


def make_project(folder: Path, queries: int, work: float) -> None:
    """Write a suite and two systems that are real processes."""
    (folder / "search.py").write_text(SEARCH)
    systems = "".join(
        f"[systems.{name}]\nkind = 'command'\npattern = 'doc-\\S+'\n"
        f"run = ['{sys.executable}', '-S', 'search.py', '{{query}}', '{work}']\n"
        for name in ("old", "new")
    )
    (folder / "cranfield.toml").write_text(f"suites = ['suite.toml']\n{systems}")
    entries = "".join(
        f"[[query]]\nid = 'q{number}'\ntext = 'word{number}'\nexpect.ids = 'doc-{number}'\n"
        for number in range(queries)
    )
    (folder / "suite.toml").write_text(f"id = 'suite'\nclass = 'canonical'\n{entries}")


def bare_loop(folder: Path, work: float) -> float:
    """Run the same processes with subprocess.run and nothing else."""
    started = time.perf_counter()
    for _ in range(2):
        for number in range(QUERIES):
            command = [sys.executable, "-S", "search.py", f"word{number}", str(work)]
            subprocess.run(command, cwd=folder, capture_output=True, check=True)
    return time.perf_counter() - started


def asking(folder: Path, jobs: int) -> float:
    """Time `run_suite` over both systems, without start-up."""
    from cranfield.runs.runner import RunOptions, run_suite
    from cranfield.runs.store import open_store
    from cranfield.suites import load_suite
    from cranfield.systems import load_systems, open_system

    suite = load_suite(folder / "suite.toml")
    specs = load_systems(folder / "cranfield.toml")
    store = open_store(folder / "store.db")
    started = time.perf_counter()
    for spec in specs.values():
        system = open_system(spec, dict(os.environ))
        run_suite(suite, system, RunOptions(jobs=jobs), spec=spec, store=store)
        system.close()
    return time.perf_counter() - started


def overhead(rounds: int = 5) -> float:
    """Return the seconds that the harness adds to a query."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_project(folder, QUERIES, 0)
        differences = []
        for _ in range(rounds):
            bare, ours = bare_loop(folder, 0), asking(folder, 1)
            differences.append((ours - bare) / (2 * QUERIES))
            print(f"  bare loop {bare:.2f} s, cranfield {ours:.2f} s")
    return statistics.median(differences)


def speed_up() -> float:
    """Return how much sooner two jobs are done than one, where each query takes processor time."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_project(folder, QUERIES, 0.05)
        one, two = asking(folder, 1), asking(folder, 2)
    print(f"  one job {one:.2f} s, two jobs {two:.2f} s")
    return one / two


def record(folder: Path, queries: int) -> None:
    """Write a suite and what two systems answered to it."""
    chance = random.Random(1967)  # noqa: S311 - not for secrets
    entries = "".join(
        f"[[query]]\nid = 'q{number}'\ntext = 'word{number}'\nexpect.ids = 'doc://w/{number}'\n"
        for number in range(queries)
    )
    (folder / "suite.toml").write_text(f"id = 'suite'\nclass = 'canonical'\n{entries}")
    for arm, found in (("a", 0.70), ("b", 0.72)):
        with (folder / f"{arm}.jsonl").open("w") as lines:
            for number in range(queries):
                hits = [
                    {"id": f"doc://x/{chance.randrange(10**6)}", "score": round(9 - rank * 0.3, 3)}
                    for rank in range(10)
                ]
                if chance.random() < found:
                    place = min(9, int(chance.expovariate(0.8)))
                    hits[place]["id"] = f"doc://w/{number}"
                lines.write(json.dumps({"id": f"q{number}", "hits": hits}) + "\n")
    (folder / "cranfield.toml").write_text(
        "suites = ['suite.toml']\n"
        "[systems.a]\nkind = 'recorded'\nfile = 'a.jsonl'\n"
        "[systems.b]\nkind = 'recorded'\nfile = 'b.jsonl'\n"
    )


def compare_recorded(queries: int) -> tuple[float, float]:
    """Return seconds and megabytes of `cranfield compare` over two recordings."""
    with tempfile.TemporaryDirectory() as name:
        record(Path(name), queries)
        command = [sys.executable, "-m", "cranfield", "compare", "a", "b", "--show", "none"]
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        started = time.perf_counter()
        subprocess.run(command, cwd=name, check=True, capture_output=True)
        seconds = time.perf_counter() - started
        after = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    return seconds, max(before, after) / 1024


def main() -> int:
    """Measure, print, and exit with 1 where a promise is not kept."""
    failed = False
    print(f"{QUERIES} queries x 2 command systems")
    added = overhead()
    print(f"  added a query: {added * 1000:.2f} ms (promised: under {MOST_OVERHEAD * 1000:.0f})")
    failed |= added > MOST_OVERHEAD
    if (os.cpu_count() or 1) >= 2:
        gained = speed_up()
        print(f"  two jobs: {gained:.2f} times as fast as one")
    small_seconds, small = compare_recorded(RECORDED // 10)
    seconds, large = compare_recorded(RECORDED)
    print(f"{2 * RECORDED:,} recorded responses graded, stored and compared")
    print(f"  {seconds:.1f} s (promised: under {MOST_SECONDS:.0f}), {large:.0f} MB")
    print(f"  a tenth of them: {small_seconds:.1f} s, {small:.0f} MB")
    failed |= seconds > MOST_SECONDS
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
