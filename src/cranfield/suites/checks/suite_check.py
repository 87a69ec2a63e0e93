"""The check of a suite: all checks together, with the findings in order of severity."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from cranfield.errors import InputError
from cranfield.suites.accepted_names import NOTHING_ACCEPTED
from cranfield.suites.checks.corpora import Corpus
from cranfield.suites.checks.corpus_checks import find_missing, read_documents
from cranfield.suites.checks.ledger import (
    compare_with_ledger,
    ledger_path,
    read_ledger,
    write_ledger,
)
from cranfield.suites.checks.passage_checks import find_passages, short_passages
from cranfield.suites.checks.query_checks import (
    deprecated_queries,
    impossible_queries,
    near_duplicates,
    repeated_texts,
    slow_patterns,
    unbalanced_categories,
)
from cranfield.suites.formats import read_accepted
from cranfield.suites.requirements import unmet_requirements
from cranfield.suites.suite_source import Finding, FindingSeverity, SuiteSource

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cranfield.model import Suite
    from cranfield.suites.accepted_names import AcceptedNames

__all__ = ["SuiteCheck", "check_suite", "find_unmet"]


@dataclass(frozen=True, slots=True)
class SuiteCheck:
    """The findings about a suite, errors first; no source if it could not be read at all."""

    source: SuiteSource | None
    findings: tuple[Finding, ...]

    @property
    def suite(self) -> Suite | None:
        """The suite, if it could be read."""
        return self.source.suite if self.source else None

    @property
    def passed(self) -> bool:
        """Whether there is no error."""
        return not _has_errors(self.findings)


def check_suite(
    path: str | Path,
    *,
    corpora: Sequence[str | Path | Corpus] = (),
    accept_ledger: bool = False,
    accepted: AcceptedNames = NOTHING_ACCEPTED,
) -> SuiteCheck:
    """Check a suite: everything that loading checks, and everything else that can be found.

    In corpora, everything that is expected is looked up: passages in texts, ids and paths among
    documents and files, all of it in an index of stacks. With `accept_ledger`, new ids and edited
    texts are written to the ledger beside the suite, unless there is an error.
    """
    path = Path(path)
    if not path.exists():
        raise InputError("does not exist; give a suite file or folder", file=str(path))
    try:
        source = read_accepted(path, accepted)
    except InputError as problem:
        return SuiteCheck(None, tuple(map(_unreadable, problem.parts)))
    findings = [
        *unmet_requirements(source, accepted),
        *slow_patterns(source),
        *short_passages(source),
        *find_unmet(source, corpora),
        *impossible_queries(source),
        *repeated_texts(source),
        *near_duplicates(source),
        *unbalanced_categories(source, source.suite.proportions),
        *deprecated_queries(source),
    ]
    sound = not _has_errors(findings)
    findings += _check_ledger(source, ledger_path(path), accept=accept_ledger, sound=sound)
    severities = list(FindingSeverity)
    findings.sort(key=lambda finding: severities.index(finding.severity))
    file = str(source.path)
    return SuiteCheck(source, tuple(replace(each, file=each.file or file) for each in findings))


def find_unmet(source: SuiteSource, corpora: Sequence[str | Path | Corpus]) -> Iterator[Finding]:
    """Find everything that a suite expects and that no corpus has."""
    if corpora:
        given = [each if isinstance(each, Corpus) else Corpus(Path(each)) for each in corpora]
        documents = read_documents(given)
        yield from find_passages(source, given, documents)
        yield from find_missing(source, given, documents)


def _unreadable(problem: InputError) -> Finding:
    """Turn an error into a finding, which has its place apart from the message."""
    return Finding(FindingSeverity.ERROR, problem.message, line=problem.line, file=problem.file)


def _check_ledger(
    source: SuiteSource, path: Path, *, accept: bool, sound: bool
) -> Iterator[Finding]:
    """Compare with the ledger; with `accept`, update it unless there is an error."""
    try:
        ledger = read_ledger(path)
        if ledger is None and not accept:
            return
        compared = list(compare_with_ledger(source, ledger or {}, accept=accept))
        yield from compared
        if not accept:
            return
        if sound and not _has_errors(compared):
            write_ledger(path, source, ledger or {})
            yield source.note(f"the ledger {path.name} is up to date")
        else:
            yield source.note(f"the ledger {path.name} was left alone, because there are errors")
    except InputError as problem:
        yield _unreadable(problem)


def _has_errors(findings: Iterable[Finding]) -> bool:
    return any(finding.severity is FindingSeverity.ERROR for finding in findings)
