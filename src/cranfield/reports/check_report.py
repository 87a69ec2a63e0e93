"""The report of a check: is anything wrong with suites, or with tasks for agents?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cranfield.formats import Line, Lines, Report, Section, Tone, count_of
from cranfield.reports.run_facts import REPORT_SCHEMA_VERSION

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from cranfield.agents import TaskCheck
    from cranfield.suites import Finding, SuiteCheck

__all__ = ["report_checks"]


def report_checks(
    checked: Sequence[tuple[Path, SuiteCheck]], tasks: Sequence[TaskCheck] = ()
) -> Report:
    """Report what a check found in suites and in tasks, the place of each finding first."""
    passed = all(each.passed for _, each in checked) and all(each.passed for each in tasks)
    return Report(
        kind="check",
        title="Check of suites" if checked or not tasks else "Check of tasks",
        sections=(*(_check(path, each) for path, each in checked), *map(_task_check, tasks)),
        passed=passed,
        subject=(*checked, *tasks),
        make_data=lambda: {
            "kind": "check",
            "schema_version": REPORT_SCHEMA_VERSION,
            "passed": passed,
            "suites": [_check_data(path, each) for path, each in checked],
            "tasks": [_task_check_data(each) for each in tasks],
        },
    )


def _task_check_data(check: TaskCheck) -> dict[str, Any]:
    return {
        "place": str(check.place),
        "tasks": len(check.tasks),
        "passed": check.passed,
        "findings": [
            {
                "severity": str(finding.severity),
                "message": finding.message,
                "task": finding.query_id or None,
                "file": finding.file,
                "line": finding.line,
            }
            for finding in check.findings
        ],
    }


def _task_check(check: TaskCheck) -> Section:
    findings = [
        Line(f"{_place(check.place, each)}: {each.severity}: {each.message}", Tone.WARNING)
        for each in check.findings
    ]
    count = count_of(len(check.tasks), "task", "tasks")
    fitness = "fit for use" if check.passed else "not fit for use"
    tone = Tone.GOOD if check.passed else Tone.BAD
    return Section(blocks=(Lines((*findings, Line(f"{check.place}: {count}: {fitness}", tone))),))


def _check_data(path: Path, check: SuiteCheck) -> dict[str, Any]:
    suite = check.suite
    return {
        "file": str(path),
        "id": suite.id if suite else None,
        "class": suite.query_class if suite else None,
        "queries": len(suite.asked) if suite else None,
        "passed": check.passed,
        "findings": [
            {
                "severity": str(finding.severity),
                "message": finding.message,
                "query": finding.query_id or None,
                "file": finding.file or str(path),
                "line": finding.line,
            }
            for finding in check.findings
        ],
    }


def _check(path: Path, check: SuiteCheck) -> Section:
    findings = [
        Line(f"{_place(path, finding)}: {finding.severity}: {finding.message}", Tone.WARNING)
        for finding in check.findings
    ]
    what = "cannot be read"
    if check.suite is not None:
        count, query_class = len(check.suite.asked), check.suite.query_class
        what = f"{check.suite.id}, {count_of(count, 'query', 'queries')} of the class {query_class}"
    fitness = "fit to run" if check.passed else "not fit to run"
    tone = Tone.GOOD if check.passed else Tone.BAD
    return Section(blocks=(Lines((*findings, Line(f"{path}: {what}: {fitness}", tone))),))


def _place(path: Path, finding: Finding) -> str:
    file = finding.file or str(path)
    return file if finding.line is None else f"{file}:{finding.line}"
