"""How long `cranfield serve` takes: the list of 1,000 runs, and a comparison of 10,000 queries.

The pages are asked for over a real connection to a server in this process. CPU time of the process
is what counts, as other work may share the machine; the time on the clock stands beside it. The
first time a page is made from the store, here by three servers in turn, of which the fastest
counts; then it is kept until something changes that it shows. Exits with 1 if a page takes longer
than its goal, the first time or then.

    python benchmarks/web_speed.py
"""

from __future__ import annotations

import tempfile
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import httpx

from cranfield.model import Hit, Query, Response, Suite
from cranfield.runs.runner import RunOptions, run_suite
from cranfield.runs.store import open_store
from cranfield.web.application import listen, make_application, make_server
from cranfield.web.guard import Access
from cranfield.web.workbench import Workbench

if TYPE_CHECKING:
    from cranfield.runs.store import Store

RUNS = 1000
SUITES = 4
QUERIES = 10_000
HITS = 10
SERVERS = 3
GOALS = {"list": 0.050, "comparison": 1.0}


class Timing(NamedTuple):
    """How long one request took."""

    cpu: float
    clock: float
    size: int


def make_suite(name: str, count: int) -> Suite:
    """Make a suite of queries that each have one right document."""
    queries = tuple(
        Query(f"q{number}", f"how to do thing {number}", {"ids": f"doc-{number}"})
        for number in range(count)
    )
    return Suite(name, "canonical", queries)


def answer(text: str, shift: int) -> Response:
    """Answer with ten hits, the right one at a rank that depends on the query."""
    number = int(text.rpartition(" ")[2])
    right = (number * 7 + shift) % HITS
    names = [f"doc-{number if place == right else number * 31 + place}" for place in range(HITS)]
    return Response.of(
        tuple(Hit(name, HITS - place, "", {"title": name}) for place, name in enumerate(names))
    )


def old(text: str, limit: int) -> Response:  # noqa: ARG001 - a system's signature
    """Answer as an older build."""
    return answer(text, 1)


def new(text: str, limit: int) -> Response:  # noqa: ARG001 - a system's signature
    """Answer as a newer build."""
    return answer(text, 0)


def fill(store: Store) -> None:
    """Store many runs of small suites in turn, and two runs of a large one."""
    suites = [make_suite(f"suite-{number}", 20) for number in range(SUITES)]
    for number in range(RUNS - 2):
        system = new if number % 2 else old
        run_suite(suites[number % SUITES], system, RunOptions(label=f"v{number}"), store=store)
    large = make_suite("large", QUERIES)
    for label, system in (("before", old), ("after", new)):
        run_suite(large, system, RunOptions(label=label), store=store)


def ask(client: httpx.Client, path: str) -> Timing:
    """Ask for a page, and take the time of it."""
    cpu, clock = time.process_time(), time.perf_counter()
    size = len(client.get(path).raise_for_status().content)
    return Timing(time.process_time() - cpu, time.perf_counter() - clock, size)


def measure(folder: Path) -> dict[str, list[Timing]]:
    """Serve a folder, and ask for each page five times, the first time with nothing kept."""
    opened, port = listen("127.0.0.1", 0)
    workbench = Workbench(str(folder / "cranfield.toml"), None, {})
    server = make_server(make_application(workbench, Access("127.0.0.1"), print))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [opened]})
    thread.start()
    while not server.started:
        time.sleep(0.01)
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=120) as client:
        client.get("/run?name=v1")  # loads what is imported on first use
        client.get("/compare?a=v0&b=v4")
        taken = {
            name: [ask(client, path) for _ in range(5)]
            for name, path in (("list", "/"), ("comparison", "/compare?a=before&b=after"))
        }
    server.should_exit = True
    thread.join()
    opened.close()
    return taken


def fastest(folder: Path) -> dict[str, tuple[Timing, Timing]]:
    """Return for each page the fastest time of a new server, and the fastest after that."""
    taken = [measure(folder) for _ in range(SERVERS)]
    return {
        name: (
            min(each[name][0] for each in taken),
            min(timing for each in taken for timing in each[name][1:]),
        )
        for name in GOALS
    }


def main() -> None:
    """Print a table."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        (folder / "cranfield.toml").write_text("")
        store = open_store(folder / ".cranfield" / "cranfield.db")
        fill(store)
        store.close()
        taken = fastest(folder)
    print("page         time        CPU ms   clock ms      kB   goal")
    for name, timings in taken.items():
        for when, each in zip(("first", "then"), timings, strict=True):
            line = f"{each.cpu * 1000:8.1f} {each.clock * 1000:10.1f} {each.size / 1000:7.0f}"
            print(f"{name:12} {when:9} {line}   {GOALS[name] * 1000:.0f} ms")
    if any(each.cpu > GOALS[name] for name, timings in taken.items() for each in timings):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
