"""What a check found in suites, one line each, with the place first."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from cranfield.suites import Finding, SuiteCheck

__all__ = ["render_checks"]


def render_checks(checked: Sequence[tuple[Path, SuiteCheck]]) -> str:
    """Write the findings of each suite, and what they come to."""
    return "\n".join(_check(path, each) for path, each in checked)


def _check(path: Path, check: SuiteCheck) -> str:
    lines = [
        f"{_place(path, finding)}: {finding.severity}: {finding.message}"
        for finding in check.findings
    ]
    if check.suite is None:
        told = "cannot be read"
    else:
        count = len(check.suite.asked)
        told = f"{check.suite.id}, {count} queries of the class {check.suite.query_class}"
    verdict = "fit to run" if check.passed else "not fit to run"
    return "".join(f"{line}\n" for line in [*lines, f"{path}: {told}: {verdict}"])


def _place(path: Path, finding: Finding) -> str:
    file = finding.file or str(path)
    return file if finding.line is None else f"{file}:{finding.line}"
