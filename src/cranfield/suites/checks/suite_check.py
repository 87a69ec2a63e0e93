"""The check of a suite: all checks together, with the findings in order of severity."""

from __future__ import annotations

from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from cranfield.errors import InputError
from cranfield.formats import count_of
from cranfield.relevance import normalise
from cranfield.suites.checks.corpora import Corpus, find_missing, read_documents
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
from cranfield.suites.similar_names import NOTHING_ACCEPTED
from cranfield.suites.suite_source import Finding, FindingSeverity, SuiteSource
from cranfield_shared.files import replace_file
from cranfield_shared.settings_files import read_limited

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from cranfield.model import Suite
    from cranfield.suites.similar_names import AcceptedNames

__all__ = [
    "SuiteCheck",
    "check_suite",
    "compare_with_ledger",
    "find_unmet",
    "ledger_path",
    "read_ledger",
    "write_ledger",
]


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


_SAME_QUESTION = 0.6
"""How similar two texts must be, from 0 to 1, for one to be an edit of the other."""

_MOST_LEDGER = 1 << 30
_COMPARED = 400
"""Comparison takes time quadratic in the length; the beginning of a text is enough."""


def ledger_path(suite: Path) -> Path:
    """Return the path of a suite's ledger."""
    return suite.with_name(f"{suite.name}.ledger.json")


def read_ledger(path: Path) -> dict[str, str] | None:
    """Read the texts by id; `None` if there is no ledger yet."""
    try:
        return msgspec.json.decode(read_limited(path, _MOST_LEDGER), type=dict[str, str])
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError) as problem:
        raise InputError(
            f"is no ledger of ids and texts ({problem}); restore it from version control",
            file=str(path),
        ) from None


def write_ledger(path: Path, source: SuiteSource, ledger: Mapping[str, str]) -> None:
    """Add a suite's queries to a ledger, one id a line in order, so that changes can be reviewed.

    The file is replaced as a whole; one that would not change is left alone.
    """
    entries = {**ledger, **{query.id: query.text for query in source.suite.queries}}
    lines = [f"  {_json(name)}: {_json(entries[name])}" for name in sorted(entries)]
    content = "{\n" + ",\n".join(lines) + "\n}\n"
    try:
        if path.exists() and path.read_text(encoding="utf-8") == content:
            return
        replace_file(path, content)
    except OSError as problem:
        raise InputError(
            f"cannot be written: {problem.strerror or problem}", file=str(path)
        ) from None


def compare_with_ledger(
    source: SuiteSource, ledger: Mapping[str, str], *, accept: bool
) -> Iterator[Finding]:
    """Find ids that disappeared and ids that now stand for another query.

    An edited text is a warning, unless `accept` takes it for the same query. A text that has
    nothing in common with the old one is another query and always an error, as is a missing id:
    results stored under it would lose their meaning.
    """
    for place, query in enumerate(source.suite.queries):
        old = ledger.get(query.id, query.text)
        if old == query.text:
            continue
        if not _is_edit(old, query.text):
            yield source.error(
                f"query {query.id!r} was {_short(old)} and is {_short(query.text)} now; ids are "
                "never reused, give the new question an id of its own and keep the old one with "
                "deprecated = true",
                place,
            )
        elif not accept:
            yield source.warning(
                f"the text of query {query.id!r} was {_short(old)}; results before and after "
                "cannot be compared: deprecate the old query and give the new text an id of its "
                "own, or accept the edit by updating the ledger",
                place,
            )
    present = {query.id for query in source.suite.queries}
    for name in sorted(ledger.keys() - present):
        yield source.error(
            f"query {name!r} ({_short(ledger[name])}) is gone; keep it with deprecated = true, "
            "so that its id is never used again"
        )
    new = len(present - ledger.keys())
    if new and not accept:
        yield source.note(
            f"{count_of(new, 'query is', 'queries are')} not in the ledger yet; update it"
        )


def _is_edit(old: str, new: str) -> bool:
    one, other = normalise(old)[:_COMPARED], normalise(new)[:_COMPARED]
    return SequenceMatcher(None, one, other, autojunk=False).ratio() >= _SAME_QUESTION


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else f"{text[:59]}…")


def _json(text: str) -> str:
    return msgspec.json.encode(text).decode()
