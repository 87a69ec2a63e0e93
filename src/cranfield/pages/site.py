"""A folder of linked pages of everything in a store: the same store gives the same bytes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote

from cranfield.comparisons import compare
from cranfield.errors import ComparisonError
from cranfield.gates import gate_run
from cranfield.pages.html_format import render_html
from cranfield.reports import (
    consecutive_runs,
    report_comparison,
    report_runs,
    report_store,
    report_suite_history,
)
from cranfield.runs import Run, RunState
from cranfield_shared import file_name, replace_file

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from cranfield.comparisons import CompareOptions, Comparison
    from cranfield.gates import Baseline
    from cranfield.runs import Store

__all__ = ["write_site"]


@dataclass(frozen=True, slots=True)
class _Links:
    """The addresses of pages, seen from one of them; `up` leads from it to the folder."""

    up: str
    compared: frozenset[tuple[str, str]]

    def run(self, run: str) -> str:
        return self.up + quote(_run_file(run))

    def suite(self, suite: str) -> str:
        return self.up + quote(_suite_file(suite))

    def comparison(self, a: str, b: str) -> str:
        return self.up + quote(_comparison_file(a, b)) if (a, b) in self.compared else ""


def _run_file(run: str) -> str:
    return f"runs/{file_name(run)}.html"


def _suite_file(suite: str) -> str:
    return f"suites/{file_name(suite)}.html"


def _comparison_file(a: str, b: str) -> str:
    return f"comparisons/{file_name(a)}--{file_name(b)}.html"


def write_site(
    store: Store,
    folder: Path,
    options: CompareOptions | None = None,
    baselines: Mapping[str, Baseline] | None = None,
    advance: Callable[[int, int, str], None] | None = None,
) -> int:
    """Write all pages and return how many; `advance` is told of each.

    Runs that do not ask the same are not compared.
    """
    headers = store.headers()
    made = _comparisons(store, options)
    compared = frozenset(made)
    above, below = _Links("", compared), _Links("../", compared)
    suites = dict.fromkeys(each.suite.id for each in headers if each.state is not RunState.RUNNING)
    pages: dict[str, Callable[[], str]] = {
        "index.html": lambda: render_html(report_store(store, above, baselines)),
        **{_suite_file(each): _suite_page(store, each, below) for each in suites},
        **{_run_file(each.id): _run_page(Run(each, store)) for each in headers},
        **{_comparison_file(*pair): page for pair, page in made.items()},
    }
    for done, (name, make) in enumerate(pages.items(), start=1):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, make())
        if advance:
            advance(done, len(pages), name)
    return len(pages)


def _suite_page(store: Store, suite: str, addresses: _Links) -> Callable[[], str]:
    return lambda: render_html(report_suite_history(store, suite, addresses), "../index.html")


def _run_page(run: Run) -> Callable[[], str]:
    return lambda: render_html(report_runs([gate_run(run)], per_query=True), "../index.html")


def _comparisons(
    store: Store, options: CompareOptions | None
) -> dict[tuple[str, str], Callable[[], str]]:
    """Compare runs with those before them; pages are made when they are written."""
    made: dict[tuple[str, str], Callable[[], str]] = {}
    for a, b in consecutive_runs(store):
        try:
            comparison = compare(Run(a, store), Run(b, store), options)
        except ComparisonError:
            continue
        made[a.id, b.id] = _comparison_page(comparison)
    return made


def _comparison_page(comparison: Comparison) -> Callable[[], str]:
    return lambda: render_html(report_comparison(comparison), "../index.html")
