"""The pages of a store as it is now: the same reports as in files, with links between them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from cranfield.comparisons import compare
from cranfield.errors import StoreError
from cranfield.formats import show_milliseconds
from cranfield.gates import gate_run
from cranfield.pages import make_environment, render_report
from cranfield.reports import (
    report_comparison,
    report_runs,
    report_standings,
    report_suite_history,
)
from cranfield.runs import RunState, find_run, latest_runs
from cranfield.web.page_cache import PageCache

if TYPE_CHECKING:
    from collections.abc import Hashable

    from jinja2 import Environment

    from cranfield.formats import Report
    from cranfield.runs import Run, RunHeader, Store
    from cranfield.web.page_cache import CachedPage
    from cranfield.web.workbench import Workbench

__all__ = ["PLACES", "LivePages", "render_live", "render_live_report"]

PLACES = {"Results": "/", "Playground": "/playground", "Judging": "/judge"}
"""What the head of every page leads to, by name."""


@dataclass(frozen=True, slots=True)
class _Links:
    """The addresses of pages. Names are values of the address, so that any name can be one."""

    def run(self, run: str) -> str:
        return f"/run?{urlencode({'name': run})}"

    def suite(self, suite: str) -> str:
        return f"/suite?{urlencode({'name': suite})}"

    def comparison(self, a: str, b: str) -> str:
        return f"/compare?{urlencode({'a': a, 'b': b})}"


LINKS = _Links()


@cache
def _environment() -> Environment:
    made = make_environment("cranfield.web")
    made.globals |= {"places": PLACES, "links": LINKS}
    made.filters["milliseconds"] = show_milliseconds
    return made


def render_live(template: str, **values: Any) -> str:
    """Write a page of our own; `here` is the place it belongs to."""
    return _environment().get_template(template).render(**{"here": "", "report": None, **values})


class LivePages:
    """Makes pages, each once as long as nothing changes that it shows."""

    def __init__(self, workbench: Workbench) -> None:
        self._workbench = workbench
        self._cache = PageCache()
        self._found: tuple[list[tuple[str, str, str]], dict[str, list[Run]]] = ([], {})

    def home(self) -> CachedPage:
        """Show how every suite stands, and all runs, to choose two to compare."""
        store = self._workbench.store
        states = store.states() if store else []
        key = ("home", *states, self._workbench.baseline_stamps())
        return self._cache.get(key, lambda: self._render_home(store))

    def _render_home(self, store: Store | None) -> str:
        if store is None:
            return render_live("empty.html", here="Results")
        headers = store.headers()
        baselines = self._workbench.baselines()
        made = report_standings(store, headers, LINKS, baselines)
        return _render(made, "home.html", headers=list(reversed(headers)))

    def run(self, name: str) -> CachedPage:
        """Show one run; a run that is under way as far as it is."""
        store = self._workbench.require_store()
        run = find_run(store, name)
        is_running = run.header.state is RunState.RUNNING
        done = store.count_answers(run.header.id) if is_running else ()
        return self._cache.get(
            ("run", _version(run.header), done),
            lambda: _render(report_runs([gate_run(run)], per_query=True), header=run.header),
        )

    def suite(self, name: str) -> CachedPage:
        """Show how a suite went over time, and the rank of each query."""
        store = self._workbench.require_store()
        key = ("suite", name, *store.states())
        return self._cache.get(key, lambda: _render_suite(store, name))

    def comparison(self, a: str, b: str) -> CachedPage:
        """Compare two stored runs, or all that two names stand for."""
        arms = [self._find_arm(name) for name in (a, b)]
        versions = tuple(tuple(_version(run.header) for run in runs) for runs in arms)
        return self._cache.get(("comparison", versions), lambda: _render_comparison(arms))

    def _find_arm(self, name: str) -> list[Run]:
        """Return the runs that a name stands for, looked up again if any run has changed."""
        store = self._workbench.require_store()
        states = store.states()
        if self._found[0] != states:
            self._found = (states, {})
        known = self._found[1]
        if name not in known:
            known[name] = latest_runs(store, name)
        return known[name]


def render_live_report(report: Report, here: str) -> str:
    """Write a report as a page that belongs to a place."""
    return render_report(_environment(), report, "live.html", here=here, header=None)


def _render(report: Report, template: str = "report.html", **values: Any) -> str:
    return render_report(
        _environment(), report, "live.html", template, here="Results", **{"header": None, **values}
    )


def _render_suite(store: Store, name: str) -> str:
    made = report_suite_history(store, name, LINKS)
    if not any(header.suite.id == name for header in store.headers()):
        raise StoreError(f"{store.name} has no run of the suite {name!r}")
    return _render(made)


def _render_comparison(arms: list[list[Run]]) -> str:
    return _render(report_comparison(compare(arms[0], arms[1])))


def _version(header: RunHeader) -> Hashable:
    return (header.id, str(header.state), header.finished)
