"""How fast and how lean: cranfield against its peers, files on disk to values, same run.

Every scorer runs in a fresh process; the figure is its best of several rounds, and its peak
memory. ranx compiles itself once before it is timed.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

from generate import Case, cases_of
from peers import PEERS

LARGE, MEDIUM, SMALL = 6980, 1500, 225
FLOORS = {"pytrec_eval": 5.0, "ranx": 15.0}
"""How many times as fast as a peer we promise to be on the large files."""
MEDIUM_FLOORS = {"pytrec_eval": 3.0}
"""Likewise on those of 1.5 million rows, where loading modules takes a third of our time."""


class Timing(NamedTuple):
    """Wall time in seconds, peak memory in MB, and what was computed."""

    seconds: float
    megabytes: float
    means: dict[str, float]


def measure_once(peer: str, case: Case) -> Timing:
    """Run one scorer in a process of its own."""
    script = Path(__file__).with_name("peers.py")
    command = [sys.executable, str(script), peer, str(case.qrels), str(case.run)]
    started = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None  # noqa: S101 - for the type checker
        printed = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{peer} failed on {case.name}")
    return Timing(seconds, usage.ru_maxrss / 1024, json.loads(printed))


def best(peer: str, case: Case, rounds: int) -> Timing:
    """Return the fastest of several rounds."""
    return min((measure_once(peer, case) for _ in range(rounds)), key=lambda each: each.seconds)


def report(case: Case, timings: dict[str, Timing], *, floors: dict[str, float]) -> bool:
    """Print one case and tell whether every promise was kept."""
    ours = timings["cranfield"]
    print(f"\n{case.name}", flush=True)
    kept = True
    for peer, timing in timings.items():
        ratio = timing.seconds / ours.seconds
        line = f"  {peer:<12} {timing.seconds:7.2f} s  {timing.megabytes:6.0f} MB"
        if peer != "cranfield":
            floor = floors.get(peer, 1.0)
            kept &= ratio >= floor
            line += f"  {ratio:5.1f} times ours (promised {floor:g}: {_said(ratio >= floor)})"
            worst = max(abs(timing.means[name] - ours.means[name]) for name in ours.means)
            line += f"  largest difference of a mean {worst:.1e}"
        print(line)
    if floors:
        leaner = ours.megabytes < timings["pytrec_eval"].megabytes
        kept &= leaner
        print(f"  memory below pytrec_eval's: {_said(leaner)}")
    return kept


def _said(true: bool) -> str:  # noqa: FBT001 - a truth to put into words
    return "yes" if true else "NO"


def main() -> None:
    """Time everything and exit with 1 if a promise was not kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=2, help="rounds of each scorer")
    parser.add_argument("--peers", nargs="*", default=list(PEERS), help="scorers to run")
    rounds, peers = parser.parse_args().rounds, parser.parse_args().peers
    if "ranx" in peers:
        measure_once("ranx", cases_of(SMALL)[0])
    kept = True
    for queries, floors in ((SMALL, {}), (MEDIUM, MEDIUM_FLOORS), (LARGE, FLOORS)):
        print(f"\n== {queries} queries × 1000 rows")
        for case in cases_of(queries):
            timings = {peer: best(peer, case, rounds) for peer in peers}
            kept &= report(case, timings, floors=floors)
    print(f"\nevery promise kept: {_said(kept)}")
    sys.exit(not kept)


if __name__ == "__main__":
    main()
