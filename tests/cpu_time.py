"""What a run of the tests costs: processor seconds of all workers and of the processes they start.

Wall time says how busy a machine was, processor time says how dear a test is. The sum stands at
the end of each run; `--cpu-report FILE` lists the dearest folders, files, tests and fixtures.
"""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Generator

_SHOWN = 40  # rows of each table


def seconds_used() -> float:
    """Processor seconds of this process and of the children that it has waited for."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def add_option(parser: pytest.Parser) -> None:
    parser.addoption("--cpu-report", metavar="FILE", help="write where processor time went to FILE")


class CpuTime:
    """The plug-in: measures in each worker, adds up in the process that shows the results."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._workers = 0.0
        self._collection = 0.0
        self._tests: Counter[str] = Counter()
        self._fixtures: Counter[str] = Counter()
        self._of_item: list[tuple[str, float]] = []
        self._inner = 0.0  # what fixtures that a fixture asks for took

    def pytest_collection_finish(self) -> None:
        self._collection = seconds_used()

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(
        self, fixturedef: pytest.FixtureDef[Any]
    ) -> Generator[None, object, object]:
        outer, self._inner = self._inner, 0.0
        start = seconds_used()
        try:
            return (yield)
        finally:
            taken = seconds_used() - start
            if taken - self._inner > 0.005:
                name = f"{fixturedef.baseid}::{fixturedef.argname}"
                self._of_item.append((name, taken - self._inner))
            self._inner = outer + taken

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self) -> Generator[None, object, object]:
        self._inner = 0.0
        self._start = seconds_used()
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self,
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        now = seconds_used()
        fixtures, self._of_item = self._of_item, []
        # Attributes of a report travel from a worker to the process that shows it.
        vars(report)["cpu_seconds"] = now - self._start - sum(each for _, each in fixtures)
        vars(report)["cpu_fixtures"] = fixtures
        self._start = now
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._tests[report.nodeid] += vars(report).get("cpu_seconds", 0.0)
        for name, taken in vars(report).get("cpu_fixtures", ()):
            self._fixtures[name] += taken

    def pytest_sessionfinish(self) -> None:
        output = getattr(self._config, "workeroutput", None)
        if output is not None:
            output["cpu_seconds"] = seconds_used()
            output["cpu_collection"] = self._collection

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        output = getattr(node, "workeroutput", {})
        self._workers += output.get("cpu_seconds", 0.0)
        self._collection += output.get("cpu_collection", 0.0)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if hasattr(self._config, "workerinput"):
            return
        # Workers that have been waited for would be counted twice, as children and by themselves.
        times = os.times()
        own = times.user + times.system
        if not self._workers:
            own = seconds_used()
        total = own + self._workers
        terminalreporter.write_line(
            f"{total:,.0f} CPU seconds, of them {self._collection:,.0f} before the first test"
        )
        path = self._config.getoption("--cpu-report")
        if path:
            Path(path).write_text(self._report(total), encoding="utf-8")

    def _report(self, total: float) -> str:
        folders: Counter[str] = Counter()
        files: Counter[str] = Counter()
        functions: Counter[str] = Counter()
        for test, taken in self._tests.items():
            file = test.split("::")[0]
            parts = file.split("/")
            folders["/".join(parts[1:-1]) or parts[-1]] += taken
            files[file] += taken
            functions[test.split("[")[0]] += taken
        lines = [f"{total:10.1f} in all", f"{self._collection:10.1f} collection and set-up"]
        for title, table in (
            ("folders", folders),
            ("files", files),
            ("fixtures", self._fixtures),
            ("functions", functions),
            ("tests", self._tests),
        ):
            lines += ["", f"{sum(table.values()):10.1f} {title}"]
            lines += [f"{taken:10.2f}   {name}" for name, taken in table.most_common(_SHOWN)]
        return "\n".join(lines) + "\n"
