"""The pages of a store as it is now: the same reports as in files, with links between them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote_plus, urlencode

from cranfield.comparisons import pair_runs
from cranfield.errors import StoreError
from cranfield.evaluation.comparison_evaluation import compare_stored
from cranfield.evaluation.gate_evaluation import gate_stored
from cranfield.evaluation.sessions import use_judgments
from cranfield.formats import printable, show_milliseconds
from cranfield.gates.gated_runs import gate_run
from cranfield.judgments import JudgmentStore
from cranfield.reports.additions import PAGE_SETS, find_supplements, supplement_data
from cranfield.reports.comparison_report import report_comparison
from cranfield.reports.gate_report import report_gates
from cranfield.reports.history_report import report_suite_history
from cranfield.reports.query_rankings import answers_to_query, comparison_rankings, run_rankings
from cranfield.reports.run_report import report_runs
from cranfield.reports.store_reports import report_standings
from cranfield.runs.lookup import find_run, latest_runs
from cranfield.runs.records import RunState
from cranfield.web.html_format import pack_answers, render_report
from cranfield.web.page_templates import make_environment
from cranfield.web.workbench import PageCache

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from jinja2 import Environment

    from cranfield.comparisons import Comparison
    from cranfield.formats import Report
    from cranfield.reports.additions import Supplements
    from cranfield.runs.run_entries import RunEntry
    from cranfield.runs.runner import Run
    from cranfield.runs.store import Store
    from cranfield.web.workbench import CachedPage, Workbench

__all__ = ["LivePages", "render_live", "render_live_report"]

_MOST_PACKED = 500
"""A page has the answers to so many queries with it."""
_MOST_RUNS = 200
_PLACES = {"Results": "/", "Playground": "/playground"}
"""What the head of every page leads to, by name; page sets follow."""


@dataclass(frozen=True, slots=True)
class _Links:
    """The addresses of pages. Names are values of the address, so any name can be one."""

    def run(self, run: str) -> str:
        return f"/run?name={quote_plus(run)}"

    def suite(self, suite: str) -> str:
        return f"/suite?name={quote_plus(suite)}"

    def comparison(self, a: str, b: str) -> str:
        return f"/compare?{urlencode({'a': a, 'b': b})}"

    def gate(self, system: str) -> str:
        return f"/gate?name={quote_plus(system)}"


LINKS = _Links()


@cache
def _environment() -> Environment:
    sets = PAGE_SETS.values()
    made = make_environment(*(each.package for each in sets))
    places = _PLACES | {each.title: each.place for each in sets}
    made.globals |= {"places": places, "links": LINKS}
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
        self._alike: tuple[Hashable, tuple[Run, ...]] = ((), ())
        self._found: tuple[list[tuple[str, str, str]], dict[str, list[Run]]] = ([], {})
        for template in ("home.html", "report.html"):
            _environment().get_template(template)  # compiled before anybody waits for it

    def home(self) -> CachedPage:
        """Show how every suite stands, and all runs, to choose two to compare."""
        store = self._workbench.store
        states = store.states() if store else []
        key = ("home", *states, self._workbench.baseline_stamps())
        return self._cache.get(key, lambda: self._render_home(store))

    def _render_home(self, store: Store | None) -> str:
        if store is None:
            return render_live("empty.html", here="Results")
        entries = store.entries()
        baselines = self._workbench.baselines()
        made = report_standings(store, entries, LINKS, baselines)
        return _render(made, "home.html", rows_of_runs=_list_rows(entries))

    def run(self, name: str) -> CachedPage:
        """Show one run; a run that is under way as far as it is."""
        store = self._workbench.require_store()
        run = find_run(store, name)
        supplements = find_supplements([[run]], self._workbench.project, store)
        key = ("run", self._version([run]), repr(supplement_data(supplements)))
        return self._cache.get(key, lambda: _render_run(self._judge([run])[0], supplements))

    def suite(self, name: str) -> CachedPage:
        """Show how a suite went over time, and the rank of each query."""
        store = self._workbench.require_store()
        key = ("suite", name, *store.states())
        return self._cache.get(key, lambda: _render_suite(store, name))

    def comparison(self, a: str, b: str) -> CachedPage:
        """Compare two stored runs, or all that two names stand for."""
        arms = self._find_arm(a), self._find_arm(b)
        store = self._workbench.require_store()
        supplements = find_supplements(_pair(*arms), self._workbench.project, store)
        key = ("comparison", *map(self._version, arms), repr(supplement_data(supplements)))
        return self._cache.get(
            key,
            lambda: _render_comparison(
                arms, compare_stored(self._workbench.project, *arms, store), supplements
            ),
        )

    def gate(self, name: str) -> CachedPage:
        """Judge the latest runs of a system, or those of another name, as `cranfield gate` does."""
        runs = self._find_arm(name)
        project, store = self._workbench.project, self._workbench.require_store()
        key = ("gate", self._version(runs), self._workbench.baseline_stamps())
        return self._cache.get(
            key, lambda: _render(report_gates(gate_stored(runs, project, store).runs))
        )

    def answers(self, arms: Sequence[str], suite: str, query: str) -> dict[str, Any]:
        """Return what one or two arms answered to a query, as the script of a page reads it.

        An arm is the ids of its runs. Hits are graded as in the comparison: by one truth.
        """
        store = self._workbench.require_store()
        runs = tuple(_find_of_suite(store, arm, suite) for arm in arms)
        return pack_answers(answers_to_query(self._graded_alike(runs), query))

    def _graded_alike(self, runs: tuple[Run, ...]) -> tuple[Run, ...]:
        """Return the runs of a page as it grades them; those of the last one are kept."""
        key = self._version(runs)
        if self._alike[0] != key:
            judged = tuple(self._judge(runs))
            if len(judged) == 2:
                paired = pair_runs(*judged)
                judged = (paired.a, paired.b)
            self._alike = (key, judged)
        return self._alike[1]

    def _judge(self, runs: Sequence[Run]) -> list[Run]:
        """Return runs graded by judgments, if the project says so."""
        return use_judgments(self._workbench.project, self._workbench.require_store(), runs)

    def _version(self, runs: Sequence[Run]) -> Hashable:
        """Return what changes whenever the figures of runs do."""
        store = self._workbench.require_store()
        judgments = JudgmentStore(store).count()
        states = (_find_state(run, store) for run in runs)
        return (self._workbench.project_stamp(), judgments, *states)

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


class _RunRow(NamedTuple):
    """A run as the list of runs writes it."""

    id: str
    shown_id: str
    link: str
    about: str
    suite: str
    suite_link: str
    system: str
    label: str
    queries: int
    state: str
    started: str


def _list_rows(entries: Sequence[RunEntry]) -> list[_RunRow]:
    """Write the rows of all runs, the newest first; what many share is made harmless once."""
    show, link = cache(printable), cache(LINKS.suite)
    return [
        _RunRow(
            each.id,
            show(each.id),
            LINKS.run(each.id),
            f"{show(each.label or each.id)}, {show(each.system)}",
            show(each.suite),
            link(each.suite),
            show(each.system),
            show(each.label),
            each.queries,
            str(each.state),
            show(each.started[:19].replace("T", " ")),
        )
        for each in reversed(entries)
    ]


def _render_suite(store: Store, name: str) -> str:
    made = report_suite_history(store, name, LINKS)
    if not any(entry.suite == name for entry in store.entries()):
        raise StoreError(f"{store.name} has no run of the suite {name!r}")
    return _render(made)


def _render_run(run: Run, supplements: Supplements) -> str:
    gated = gate_run(run)
    made = report_runs([gated], per_query=True, supplements=supplements)
    if len(gated.outcomes.queries) <= _MOST_PACKED:
        return _render(made, header=run.header)
    light = replace(made, make_rankings=lambda: run_rankings([gated], with_answers=False))
    return _render(light, header=run.header, source=_source([run.header.id]))


def _pair(a: Sequence[Run], b: Sequence[Run]) -> list[tuple[Run, Run]]:
    """Pair the runs of two arms by their suites."""
    first = {run.header.suite.id: run for run in a}
    return [(first[name], run) for run in b if (name := run.header.suite.id) in first]


def _render_comparison(
    arms: Sequence[Sequence[Run]], comparison: Comparison, supplements: Supplements
) -> str:
    """Show two arms compared; the answers to many queries are sent when a query is opened."""
    made = report_comparison(comparison, supplements=supplements)
    if sum(len(suite.changes) for suite in comparison.suites) <= _MOST_PACKED:
        return _render(made)
    light = replace(made, make_rankings=lambda: comparison_rankings(comparison, with_answers=False))
    return _render(light, source=_source([",".join(run.header.id for run in arm) for arm in arms]))


def _find_of_suite(store: Store, arm: str, suite: str) -> Run:
    """Find the run of a suite among the ids of an arm."""
    runs = (find_run(store, name) for name in arm.split(",")[:_MOST_RUNS])
    if (found := next((run for run in runs if run.header.suite.id == suite), None)) is None:
        raise StoreError(f"none of the runs {arm} is of the suite {suite!r}")
    return found


def _find_state(run: Run, store: Store) -> Hashable:
    header = run.header
    is_running = header.state is RunState.RUNNING
    done = store.count_answers(header.id) if is_running else ()
    return (header.id, str(header.state), header.finished, done)


def _source(arms: Sequence[str]) -> str:
    return f"/answers?{urlencode([('arm', each) for each in arms])}"
