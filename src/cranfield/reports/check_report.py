"""The report of a check: is anything wrong with suites, or with tasks for agents?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cranfield.formats import Line, Lines, Report, Section, Tone, count_of, count_queries
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


def _check_data(path: Path, check: SuiteCheck) -> dict[str, Any]:
    suite = check.suite
    return {
        "file": str(path),
        "id": suite.id if suite else None,
        "class": suite.query_class if suite else None,
        "queries": len(suite.asked) if suite else None,
        "passed": check.passed,
        "findings": [_finding_data(each, path, "query") for each in check.findings],
    }


def _task_check_data(check: TaskCheck) -> dict[str, Any]:
    return {
        "place": str(check.place),
        "tasks": len(check.tasks),
        "passed": check.passed,
        "findings": [_finding_data(each, check.place, "task") for each in check.findings],
    }


def _finding_data(finding: Finding, place: Path, about: str) -> dict[str, Any]:
    return {
        "severity": str(finding.severity),
        "message": finding.message,
        about: finding.query_id or None,
        "file": finding.file or str(place),
        "line": finding.line,
    }


def _check(path: Path, check: SuiteCheck) -> Section:
    what = "cannot be read"
    if check.suite is not None:
        count = count_queries(len(check.suite.asked))
        what = f"{check.suite.id}, {count} of the class {check.suite.query_class}"
    return _section(path, check, what, "fit to run")


def _task_check(check: TaskCheck) -> Section:
    return _section(check.place, check, count_of(len(check.tasks), "task"), "fit for use")


def _section(place: Path, check: SuiteCheck | TaskCheck, what: str, fit: str) -> Section:
    """Show what was found at a place, and at last whether that is fit."""
    findings = [
        Line(f"{_locate(each, place)}: {each.severity}: {each.message}", Tone.WARNING)
        for each in check.findings
    ]
    last = (
        Line(f"{place}: {what}: {fit}", Tone.GOOD)
        if check.passed
        else Line(f"{place}: {what}: not {fit}", Tone.BAD)
    )
    return Section(blocks=(Lines((*findings, last)),))


def _locate(finding: Finding, place: Path) -> str:
    file = finding.file or str(place)
    return file if finding.line is None else f"{file}:{finding.line}"
