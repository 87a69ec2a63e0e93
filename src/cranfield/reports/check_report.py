"""The report of a check: is anything wrong with suites, or with what slices can check?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cranfield.formats import Line, Lines, Report, Section, Tone, count_of, count_queries
from cranfield.reports.run_facts import REPORT_SCHEMA_VERSION
from cranfield.suites.checks.checkers import CHECKERS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from cranfield.suites import Finding
    from cranfield.suites.checks.checkers import PlaceCheck
    from cranfield.suites.checks.suite_check import SuiteCheck

__all__ = ["report_checks"]


def report_checks(
    checked: Sequence[tuple[Path, SuiteCheck]], places: Sequence[PlaceCheck] = ()
) -> Report:
    """Report what a check found in suites and in other places, the place of each finding first."""
    passed = all(each.passed for _, each in checked) and all(each.passed for each in places)
    kind = "suites" if checked or not places else f"{places[0].noun}s"
    return Report(
        kind="check",
        title=f"Check of {kind}",
        sections=(*(_check(path, each) for path, each in checked), *map(_place_check, places)),
        passed=passed,
        subject=(*checked, *places),
        make_data=lambda: {
            "kind": "check",
            "schema_version": REPORT_SCHEMA_VERSION,
            "passed": passed,
            "suites": [_check_data(path, each) for path, each in checked],
            **{
                name: [_place_check_data(each) for each in places if f"{each.noun}s" == name]
                for name in CHECKERS.names()
            },
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


def _place_check_data(check: PlaceCheck) -> dict[str, Any]:
    return {
        "place": str(check.place),
        f"{check.noun}s": check.count,
        "passed": check.passed,
        "findings": [_finding_data(each, check.place, check.noun) for each in check.findings],
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


def _place_check(check: PlaceCheck) -> Section:
    return _section(check.place, check, count_of(check.count, check.noun), "fit for use")


def _section(place: Path, check: SuiteCheck | PlaceCheck, what: str, fit: str) -> Section:
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
