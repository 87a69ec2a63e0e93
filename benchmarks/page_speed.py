"""How soon the HTML report of 10,000 queries can be used, in Chromium, from a file.

*shown* is when the list of queries is there, *opened* how long the first query takes to show both
rankings after a click, *found* how long a filter by text takes. Exits with 1 if the file is larger
than 5 MB or the list is not there within 2 seconds. Says so if no Chromium is installed.

    python benchmarks/page_speed.py
"""

from __future__ import annotations

import shutil
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cranfield.comparisons import compare
from cranfield.formats import render
from cranfield.reports.comparison_report import report_comparison
from cranfield.runs.runner import RunOptions, run_suite
from web_speed import QUERIES, make_suite, new, old

if TYPE_CHECKING:
    from playwright.sync_api import Browser

MOST_BYTES = 5_000_000
MOST_SECONDS = 2.0
TIMES = 5


class Seconds(NamedTuple):
    """How long a reader waits."""

    shown: float
    opened: float
    found: float


def make_page() -> str:
    """Make the page of a comparison."""
    suite = make_suite("large", QUERIES)
    a, b = (
        run_suite(suite, system, RunOptions(label=label))
        for label, system in (("before", old), ("after", new))
    )
    return render(report_comparison(compare(a, b)), "html")


def use(browser: Browser, address: str) -> Seconds:
    """Open the page, a query of it, and filter its list."""
    page = browser.new_page()
    start = time.perf_counter()
    page.goto(address, wait_until="commit")
    page.wait_for_selector("#list tbody tr")
    shown = time.perf_counter() - start
    start = time.perf_counter()
    page.click("#list tbody button")
    page.wait_for_selector(".hits li")
    opened = time.perf_counter() - start
    start = time.perf_counter()
    page.fill("#filter-text", "thing 7777")
    page.wait_for_selector("#count:text-matches('^1 of')")
    found = time.perf_counter() - start
    page.close()
    return Seconds(shown, opened, found)


def main() -> None:
    """Print a table."""
    names = ("chromium", "chromium-browser", "google-chrome")
    if not (chromium := next(filter(None, map(shutil.which, names)), "")):
        print("no Chromium is installed: nothing was measured")
        return
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playing:
        file = Path(folder) / "report.html"
        file.write_text(make_page(), encoding="utf-8")
        size = file.stat().st_size
        started = playing.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-gpu"]
        )
        started.new_page().goto("about:blank")
        taken = [use(started, file.as_uri()) for _ in range(TIMES)]
        started.close()
    print(f"{QUERIES:,} queries, {size / 1e6:.1f} MB")
    print("             best    worst   goal")
    for place, name in enumerate(Seconds._fields):
        goal = f"{MOST_SECONDS:.1f} s" if name == "shown" else ""
        values = [each[place] for each in taken]
        print(f"{name:10} {min(values):5.2f} s {max(values):6.2f} s   {goal}".rstrip())
    if size > MOST_BYTES or min(each.shown for each in taken) > MOST_SECONDS:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
