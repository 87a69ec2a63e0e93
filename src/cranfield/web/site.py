"""A folder of linked pages of everything in a store: the same store gives the same bytes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote

from cranfield.errors import ComparisonError, CranfieldError
from cranfield.evaluation.comparison_evaluation import compare_stored
from cranfield.evaluation.gate_evaluation import GateResult, gate, gate_stored
from cranfield.evaluation.sessions import use_judgments
from cranfield.gates.baseline_files import DEFAULT_BASELINE, find_baselines, read_baseline
from cranfield.gates.gated_runs import gate_run
from cranfield.reports.additions import Site, find_supplements
from cranfield.reports.comparison_report import report_comparison
from cranfield.reports.gate_report import report_gates
from cranfield.reports.history_report import report_suite_history
from cranfield.reports.run_report import report_runs
from cranfield.reports.store_reports import (
    StoreOverview,
    consecutive_runs,
    finished_runs,
    report_store,
)
from cranfield.runs.records import RunState
from cranfield.runs.runner import Run
from cranfield.web.html_format import render_html
from cranfield_shared.files import file_name, replace_file

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from cranfield.comparisons import CompareOptions, Comparison
    from cranfield.evaluation.project import Project
    from cranfield.gates.baselines import Baseline
    from cranfield.runs.store import Store

__all__ = ["SITE", "write_site"]


@dataclass(frozen=True, slots=True)
class _Links:
    """The addresses of pages, seen from one of them; `up` leads from it to the folder."""

    up: str
    compared: frozenset[tuple[str, str]]
    gated: frozenset[str]

    def run(self, run: str) -> str:
        return self.up + quote(_run_file(run))

    def suite(self, suite: str) -> str:
        return self.up + quote(_suite_file(suite))

    def comparison(self, a: str, b: str) -> str:
        return self.up + quote(_comparison_file(a, b)) if (a, b) in self.compared else ""

    def gate(self, system: str) -> str:
        return self.up + quote(_gate_file(system)) if system in self.gated else ""


def _run_file(run: str) -> str:
    return f"runs/{file_name(run)}.html"


def _suite_file(suite: str) -> str:
    return f"suites/{file_name(suite)}.html"


def _comparison_file(a: str, b: str) -> str:
    return f"comparisons/{file_name(a)}--{file_name(b)}.html"


def _gate_file(system: str) -> str:
    return f"gates/{file_name(system)}.html"


def write_site(
    store: Store,
    folder: Path,
    options: CompareOptions | None = None,
    project: Project | None = None,
    advance: Callable[[int, int, str], None] | None = None,
) -> int:
    """Write all pages and return how many; `advance` is told of each.

    Runs that do not ask the same are not compared. A project has baselines, by which the latest
    runs of its systems are gated.
    """
    headers = store.headers()
    compared = _comparisons(store, options, project)
    gates = _gates(store, project)
    judged = {system: each for system, each in gates.items() if isinstance(each, GateResult)}
    above, below = (_Links(up, frozenset(compared), frozenset(judged)) for up in ("", "../"))
    overview = StoreOverview(_baselines(project), tuple(compared.values()), gates)
    suites = dict.fromkeys(each.suite.id for each in headers if each.state is not RunState.RUNNING)
    pages: dict[str, Callable[[], str]] = {
        "index.html": lambda: render_html(report_store(store, above, overview)),
        **{_suite_file(each): _suite_page(store, each, below) for each in suites},
        **{_run_file(each.id): _run_page(Run(each, store), project) for each in headers},
        **{
            _comparison_file(*pair): _comparison_page(each, store, project)
            for pair, each in compared.items()
        },
        **{_gate_file(system): _gate_page(each) for system, each in judged.items()},
    }
    for done, (name, make) in enumerate(pages.items(), start=1):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, make())
        if advance:
            advance(done, len(pages), name)
    return len(pages)


SITE = Site("html", write_site)


def _suite_page(store: Store, suite: str, addresses: _Links) -> Callable[[], str]:
    return lambda: render_html(report_suite_history(store, suite, addresses), "../index.html")


def _run_page(run: Run, project: Project | None) -> Callable[[], str]:
    def make() -> str:
        supplements = find_supplements([[run]], project, run.store) if project else {}
        judged = [gate_run(each) for each in _judge([run], project)]
        report = report_runs(judged, per_query=True, supplements=supplements)
        return render_html(report, "../index.html")

    return make


def _judge(runs: Sequence[Run], project: Project | None) -> list[Run]:
    """Return runs graded by judgments, if the project says so."""
    return use_judgments(project, runs[0].store, runs) if project else list(runs)


def _comparisons(
    store: Store, options: CompareOptions | None, project: Project | None
) -> dict[tuple[str, str], Comparison]:
    """Compare runs with those before them, and the latest run of each system with the first's."""
    made: dict[tuple[str, str], Comparison] = {}
    for a, b in consecutive_runs(store):
        try:
            arms = [Run(a, store)], [Run(b, store)]
            made[a.id, b.id] = compare_stored(project, *arms, store, options)
        except ComparisonError:
            continue
    return made


def _comparison_page(
    comparison: Comparison, store: Store, project: Project | None
) -> Callable[[], str]:
    def make() -> str:
        supplements = find_supplements(comparison.paired, project, store) if project else {}
        return render_html(report_comparison(comparison, supplements=supplements), "../index.html")

    return make


def _baselines(project: Project | None) -> dict[str, Baseline]:
    if project is None:
        return {}
    found = find_baselines(project.folder, DEFAULT_BASELINE)
    return {suite: read_baseline(path) for suite, path in found.items()}


def _gates(store: Store, project: Project | None) -> dict[str, GateResult | str]:
    """Gate the latest whole run of every suite on each system; the reason if that is impossible."""
    latest: dict[str, dict[str, Run]] = {}
    for header in finished_runs(store.headers()):
        latest.setdefault(header.system, {})[header.suite.id] = Run(header, store)
    made: dict[str, GateResult | str] = {}
    for system, runs in latest.items():
        try:
            whole = list(runs.values())
            made[system] = gate_stored(whole, project, store) if project else gate(whole)
        except CranfieldError as problem:
            made[system] = str(problem)
    return made


def _gate_page(result: GateResult) -> Callable[[], str]:
    return lambda: render_html(report_gates(result.runs), "../index.html")
