"""What `stacks serve --http` sustains, beside a plain SQLite loop over the same file.

A synthetic corpus is saved (`index_growth.py`) and served by the real command. The peer is a
process with as many threads as the server has workers, each with its own connection, that run one
FTS5 statement: the documents with any of the words that the engine looks for (stop words left out),
by BM25. It reads no names, ranks nothing again, and writes neither JSON nor HTTP. Both are measured
in turn, in two ways:

- *closed loop*: so many clients, each asks again as soon as it is answered;
- *open loop*: requests arrive at random at a given rate, whether or not earlier ones are answered,
  and a request's time counts from its arrival. The highest rate without a refusal at which p99
  stays below 200 ms is what is sustained.

Then 200 clients ask at once, those that are refused come back when Retry-After says so, while
/health is asked once a tenth of a second; and the server's memory is compared with what it was
before.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote as encode

import httpx
import numpy as np

from http_load import Answered, ask_at, ask_in_turn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

DOCUMENTS = 20_000
WORKERS = 2
CLIENTS = 200
SECONDS = 4.0
ROUNDS = 3
LONGEST = 0.2
"""The p99 in seconds that a sustained rate stays below."""
SLOWEST_HEALTH = 1.0
MOST_GROWTH = 1.2
STEP = 1.15
STATEMENT = """
SELECT m.uri, s.title, bm25(docs_fts) AS score FROM docs_fts
JOIN docs_metadata AS m ON m.id = docs_fts.rowid JOIN docs_structured AS s ON s.id = m.id
WHERE docs_fts MATCH ? ORDER BY score LIMIT 10
"""


class Measured(NamedTuple):
    """What came of a load: answers a second, times in seconds, refusals and failures."""

    rate: float
    p50: float
    p99: float
    refused: int
    failed: int

    @property
    def is_sustained(self) -> bool:
        """Whether all were answered, and soon."""
        return not self.refused and not self.failed and self.p99 < LONGEST


def summarise(answers: list[Answered], seconds: float) -> Measured:
    """Sum up what came of a load."""
    times = [each.seconds for each in answers if each.status == 200]
    refused = sum(each.status == 503 for each in answers)
    p50, p99 = np.percentile(times, (50, 99)) if times else (np.inf, np.inf)
    failed = len(answers) - len(times) - refused
    return Measured(len(times) / seconds, float(p50), float(p99), refused, failed)


def make_arrivals(rate: float, seconds: float) -> list[float]:
    """Draw the times at which requests arrive, the same ones each time."""
    draw = random.Random(1967)  # noqa: S311 - repeatable, not secret
    arrivals = [0.0]
    while arrivals[-1] < seconds:
        arrivals.append(arrivals[-1] + draw.expovariate(rate))
    return arrivals


class Peer:
    """The plain loop, in a process of its own that reads a rate a line and answers a line each."""

    def __init__(self, index: Path, queries: Path) -> None:
        command = [sys.executable, __file__, "--peer", str(index), "--queries", str(queries)]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def measure(self, rate: float) -> Measured:
        """Run at a rate; 0 is as fast as it can."""
        print(rate, file=self.process.stdin, flush=True)
        line = self.process.stdout.readline() if self.process.stdout else ""
        return Measured(*json.loads(line))

    def close(self) -> None:
        """End the process."""
        self.process.communicate()


def run_peer(index: Path, queries: list[str]) -> None:
    """Be the plain loop: rates on standard input, measurements on standard output."""
    for line in sys.stdin:
        rate = float(line)
        arrivals = make_arrivals(rate, SECONDS) if rate else []
        answers, seconds = loop_plainly(index, queries, arrivals)
        print(json.dumps(summarise(answers, seconds)), flush=True)


def loop_plainly(
    index: Path, queries: list[str], arrivals: list[float]
) -> tuple[list[Answered], float]:
    """Run statements in threads, at their times of arrival or one after the other."""
    import sqlite3
    from concurrent.futures import ThreadPoolExecutor

    from stacks.query.query_parser import parse_query, quote

    matches = [
        " OR ".join(quote((word,)) for word in parse_query(query).words) for query in queries
    ]
    numbers, answers = count(), list[Answered]()
    began = time.perf_counter()

    def loop(_: int) -> None:
        connection = sqlite3.connect(f"{index.as_uri()}?mode=ro", uri=True)
        connection.execute("PRAGMA mmap_size = 1073741824")
        while True:
            number, due = next(numbers), time.perf_counter()
            if arrivals:
                if number >= len(arrivals):
                    break
                due = began + arrivals[number]
                time.sleep(max(0.0, due - time.perf_counter()))
            elif due - began > SECONDS:
                break
            connection.execute(STATEMENT, (matches[number % len(matches)],)).fetchall()
            answers.append(Answered(200, time.perf_counter() - due))
        connection.close()

    with ThreadPoolExecutor(WORKERS) as pool:
        list(pool.map(loop, range(WORKERS)))
    return answers, time.perf_counter() - began


class Server:
    """The real command, and the paths that are asked of it."""

    def __init__(self, process: subprocess.Popen[str], url: str, queries: list[str]) -> None:
        self.process = process
        self.url = url
        self.paths = [f"/search?q={encode(query)}" for query in queries]

    def measure(self, rate: float) -> Measured:
        """Let requests arrive at a rate."""
        arrivals = make_arrivals(rate, SECONDS)
        began = time.perf_counter()
        answers = ask_at(self.url, self.paths, arrivals)
        return summarise(answers, time.perf_counter() - began)

    def measure_closed(self, clients: int, seconds: float = SECONDS) -> Measured:
        """Let so many clients ask, each again and again."""
        return summarise(ask_in_turn(self.url, self.paths, clients, seconds), seconds)

    @property
    def megabytes(self) -> float:
        """The memory that the process has now."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


@contextmanager
def serving(folder: Path, queries: list[str]) -> Iterator[Server]:
    """Serve an index with the real command."""
    command = [sys.executable, "-m", "stacks", "serve", "--http", "--port", "0"]
    command += ["--db", str(folder), "--workers", str(WORKERS)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        line = process.stderr.readline() if process.stderr else ""
        yield Server(process, line.split()[-1], queries)
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate()


def find_sustained(measure: Callable[[float], Measured], start: float) -> tuple[float, Measured]:
    """Return the highest rate that is sustained, by steps up or down from one.

    If none is, the last measurement is returned, and says so.
    """
    rate, measured = start, measure(start)
    if measured.is_sustained:
        while (above := measure(rate * STEP)).is_sustained:
            rate, measured = rate * STEP, above
        return rate, measured
    while not measured.is_sustained and rate > 1:
        rate /= STEP
        measured = measure(rate)
    return rate, measured


def describe(name: str, measured: Measured) -> str:
    """Write a line of figures."""
    return (
        f"  {name:<34} {measured.rate:7.0f}/s   p50 {1000 * measured.p50:6.1f} ms"
        f"   p99 {1000 * measured.p99:7.1f} ms   refused {measured.refused}"
    )


def compare_closed(server: Server, peer: Peer) -> float:
    """Print both closed loops, measured in turn; return the server's rate."""
    pairs = [(server.measure_closed(WORKERS), peer.measure(0)) for _ in range(ROUNDS)]
    ours = sorted(first for first, _ in pairs)[ROUNDS // 2]
    plain = sorted(second for _, second in pairs)[ROUNDS // 2]
    print(f"closed loop, {WORKERS} clients and {WORKERS} threads, median of {ROUNDS} rounds")
    print(describe("stacks serve", ours))
    print(describe("plain SQLite loop", plain))
    print(f"  ratio {ours.rate / plain.rate:.2f}", flush=True)
    return ours.rate


def compare_open(server: Server, peer: Peer, start: float) -> None:
    """Print what both sustain."""
    print(f"open loop, the highest rate with p99 below {1000 * LONGEST:.0f} ms and no refusal")
    ours_rate, ours = find_sustained(server.measure, start)
    plain_rate, plain = find_sustained(peer.measure, start)
    print(describe(f"stacks serve, {ours_rate:.0f} arrive a second", ours))
    print(describe(f"plain SQLite, {plain_rate:.0f} arrive a second", plain))
    if ours.is_sustained and plain.is_sustained:
        print(f"  ratio {ours_rate / plain_rate:.2f}", flush=True)
    else:
        print("  no rate was sustained: the machine is too busy for a ratio", flush=True)


def overload(server: Server) -> dict[str, bool]:
    """Print what comes of many clients at once, and return which promises are kept."""
    from concurrent.futures import ThreadPoolExecutor

    before = server.megabytes
    health: list[float] = []
    with ThreadPoolExecutor(1) as pool:
        asking = pool.submit(server.measure_closed, CLIENTS, 5 * SECONDS)
        while not asking.done():
            health.append(httpx.get(f"{server.url}/health", timeout=60).elapsed.total_seconds())
            time.sleep(0.1)
        measured = asking.result()
    after, slowest = server.megabytes, float(np.percentile(health, 99))
    print(f"{CLIENTS} clients at once for {5 * SECONDS:.0f} s")
    print(describe("stacks serve", measured))
    print(
        f"  /health p99 {1000 * slowest:.1f} ms; memory {before:.0f} MB before, {after:.0f} after"
    )
    return {
        "every request is answered or refused with 503": not measured.failed,
        f"/health p99 below {SLOWEST_HEALTH:g} s while overloaded": slowest < SLOWEST_HEALTH,
        f"memory at most {MOST_GROWTH:g} times that before": after < MOST_GROWTH * before,
    }


def main() -> int:
    """Measure, print, and exit with 1 if a promise is not kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=DOCUMENTS)
    parser.add_argument("--peer", type=Path, help="be the plain loop over this file")
    parser.add_argument("--queries", type=Path)
    options = parser.parse_args()
    if options.peer:
        run_peer(options.peer, json.loads(options.queries.read_text()))
        return 0
    from index_growth import make_queries, measure

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        measure(options.documents, folder)
        index, listed = folder / "search.db", folder / "queries.json"
        queries = make_queries(index)
        listed.write_text(json.dumps(queries))
        print(f"{options.documents:,} documents, {len(queries)} queries, {WORKERS} workers")
        peer = Peer(index, listed)
        with serving(folder, queries) as server:
            server.measure_closed(CLIENTS, 1.0)
            rate = compare_closed(server, peer)
            compare_open(server, peer, rate)
            peer.close()
            promises = overload(server)
    for promise, kept in promises.items():
        print(f"{'kept' if kept else 'NOT KEPT'}: {promise}")
    return 0 if all(promises.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
