"""A suite looked at from all sides, and everything that was found."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from cranfield.errors import CranfieldError, InputError
from cranfield.relevance import read_expectation, without_system
from cranfield.suites.backtracking import runaway_patterns
from cranfield.suites.existence import find_missing
from cranfield.suites.findings import Finding, Severity
from cranfield.suites.hygiene import near_duplicates, unbalanced_categories
from cranfield.suites.ledger import compare_with_ledger, ledger_path, read_ledger, write_ledger
from cranfield.suites.passages import find_passages, short_passages
from cranfield.suites.requirements import unmet_requirements
from cranfield.suites.sources import SuiteSource, read_source

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cranfield.model import Query, Suite

__all__ = ["SuiteCheck", "check_suite"]


@dataclass(frozen=True, slots=True)
class SuiteCheck:
    """What was found in a suite, errors first; no suite if it could not be read at all."""

    suite: Suite | None
    findings: tuple[Finding, ...]

    @property
    def passed(self) -> bool:
        """Whether there is no error."""
        return not _has_errors(self.findings)


def check_suite(
    path: str | Path,
    *,
    corpus: str | Path | None = None,
    indexes: Sequence[Path] = (),
    accept_ledger: bool = False,
) -> SuiteCheck:
    """Check all that loading checks, and what only time would tell.

    With a corpus, expected passages are looked for in it; in indexes of stacks, all else that is
    expected. With `accept_ledger`, new ids and
    edited texts are written into the ledger beside the suite, once there is no error.
    """
    path = Path(path)
    if not path.exists():
        raise InputError("does not exist; give a suite file or folder", file=str(path))
    try:
        source = read_source(path)
    except InputError as problem:
        return SuiteCheck(None, (_unreadable(problem),))
    findings = [
        *unmet_requirements(source),
        *runaway_patterns(source),
        *short_passages(source),
        *([] if corpus is None else find_passages(source, Path(corpus))),
        *(find_missing(source, indexes) if indexes else ()),
        *_hopeless(source),
        *_repeated_texts(source),
        *near_duplicates(source),
        *unbalanced_categories(source, source.suite.proportions),
        *_deprecated(source),
    ]
    sound = not _has_errors(findings)
    findings += _about_ledger(source, ledger_path(path), accept=accept_ledger, sound=sound)
    severities = list(Severity)
    findings.sort(key=lambda finding: severities.index(finding.severity))
    file = str(source.path)
    return SuiteCheck(
        source.suite, tuple(replace(each, file=each.file or file) for each in findings)
    )


def _unreadable(problem: InputError) -> Finding:
    """Take an error apart: a finding has its place beside its message."""
    place = problem.file if problem.line is None else f"{problem.file}:{problem.line}"
    message = str(problem).removeprefix(f"{place}: ")
    return Finding(Severity.ERROR, message, line=problem.line, file=problem.file)


def _repeated_texts(source: SuiteSource) -> Iterator[Finding]:
    """Find questions that are asked twice; two expectations of one question cannot both hold."""
    first: dict[tuple[str, str, str], Query] = {}
    for place, query in enumerate(source.suite.queries):
        if query.deprecated or not query.text.strip():
            continue
        key = (" ".join(query.text.split()), query.language, repr(query.filters))
        earlier = first.setdefault(key, query)
        if earlier is query:
            continue
        if earlier.expect == query.expect:
            yield source.note(f"query {query.id!r} asks the same as {earlier.id!r}", place)
        else:
            yield source.warning(
                f"query {query.id!r} asks the same as {earlier.id!r} and expects something else; "
                "put both expectations into one query, or say what tells the two apart",
                place,
            )


def _hopeless(source: SuiteSource) -> Iterator[Finding]:
    """Find queries that no answer can satisfy, because everything they name is graded as wrong."""
    for place, query in enumerate(source.suite.queries):
        if query.deprecated:
            continue
        try:
            targets = read_expectation(without_system(query)).targets
        except CranfieldError:
            continue  # told as an error already
        if targets and all(target.grade <= 0 for target in targets):
            yield source.warning(
                f"query {query.id!r} names only what is wrong, so that no answer can be right; "
                "grade what is right with 1 or more",
                place,
            )


def _deprecated(source: SuiteSource) -> Iterator[Finding]:
    for place, query in enumerate(source.suite.queries):
        if query.deprecated:
            yield source.note(f"query {query.id!r} is deprecated and never asked", place)


def _about_ledger(
    source: SuiteSource, path: Path, *, accept: bool, sound: bool
) -> Iterator[Finding]:
    """Compare with the ledger; if asked for and nothing is wrong, bring it up to date."""
    try:
        ledger = read_ledger(path)
        if ledger is None and not accept:
            yield source.note(
                f"there is no ledger of ids ({path.name}) yet; --update-ledger writes it, so that "
                "no id is ever used again"
            )
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
    return any(finding.severity is Severity.ERROR for finding in findings)
