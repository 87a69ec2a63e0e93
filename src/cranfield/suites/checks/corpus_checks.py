"""Checks of a suite against its corpus: whether the documents that it expects exist."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cranfield.errors import CranfieldError, ExpectationError
from cranfield.relevance import (
    RuleContext,
    keep_reader,
    read_expectation,
    resolve_expectation,
    without_system,
)
from cranfield.suites.checks.corpora import CorpusKind, read_corpus
from cranfield.suites.near_ids import KnownIds

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from pathlib import Path

    from cranfield.model import Query
    from cranfield.relevance import Expectation
    from cranfield.suites.checks.corpora import Corpus, Document
    from cranfield.suites.suite_source import Finding, SuiteSource

__all__ = ["find_missing", "read_documents"]

_MOST_NAMED = 3
_NAMING = ("ids", "files", "chunks")
"""Rules whose targets are names; each that does not exist is a mistake."""

_LOOKED_UP = {
    CorpusKind.INDEX: ("ids", "files", "chunks", "matches", "prefers", "sources", "where", "sql"),
    CorpusKind.LINES: ("ids", "files", "chunks", "matches", "prefers", "sources", "where"),
    CorpusKind.FOLDER: ("ids", "files"),
}
"""The rules that documents of a kind can be looked up by: a folder has no ids of a system."""


@dataclass(frozen=True, slots=True)
class _Expected:
    """What one rule of one query expects, and which of its targets were found."""

    place: int
    query: Query
    rule: str
    expectation: Expectation
    met: set[int]

    @property
    def right(self) -> list[tuple[int, str]]:
        """The targets that count as right, with their positions."""
        targets = enumerate(self.expectation.targets)
        return [(position, target.name) for position, target in targets if target.grade > 0]

    @property
    def missing(self) -> list[str]:
        """The right targets that no document met."""
        return [name for position, name in self.right if position not in self.met]


def read_documents(corpora: Sequence[Corpus]) -> list[Document]:
    """Read all documents of some corpora."""
    return [document for corpus in corpora for document in read_corpus(corpus)]


def find_missing(
    source: SuiteSource, corpora: Sequence[Corpus], documents: Sequence[Document]
) -> Iterator[Finding]:
    """Find expected targets that no document meets, with the near one of a misspelt name.

    Passages are left to `find_passages`. If not a single name of the suite exists, the corpus is
    probably another one, which is reported once.
    """
    kinds = {document.kind for document in documents if document.names}
    known_rules = {rule for kind in kinds for rule in _LOOKED_UP[kind]}
    expected, problems = _read_all(source, corpora, known_rules)
    yield from problems
    for document in documents:
        _look_up(document, expected)
    yield from _describe(source, expected, corpora, documents)


def _read_all(
    source: SuiteSource, corpora: Sequence[Corpus], rules: Collection[str]
) -> tuple[list[_Expected], list[Finding]]:
    """Read what the queries expect by some rules, and find what cannot be read."""
    expected: list[_Expected] = []
    problems: list[Finding] = []
    with keep_reader():
        for place, query in enumerate(source.suite.queries):
            for rule in () if query.deprecated else query.expect:
                if rule in rules:
                    try:
                        expected.append(_read(source, place, rule, corpora))
                    except CranfieldError as problem:
                        problems.append(source.error(str(problem), place))
    return expected, problems


def _read(source: SuiteSource, place: int, rule: str, corpora: Sequence[Corpus]) -> _Expected:
    query = source.suite.queries[place]
    alone = replace(query, expect={rule: query.expect[rule]})
    expectation = read_expectation(resolve_expectation(alone, _context(source, corpora)))
    if not expectation.targets and not without_system(alone).expect:
        raise ExpectationError(
            f"query {query.id!r}: {rule}: {query.expect[rule]!r} finds nothing, so no hit could be "
            "right; fix it, or remove the query"
        )
    return _Expected(place, query, rule, expectation, set())


def _context(source: SuiteSource, corpora: Sequence[Corpus]) -> RuleContext:
    """Query the database that a run would: the suite's own, or else the one that is searched."""
    folder = source.path.parent
    if source.suite.database:
        return RuleContext(folder, folder / source.suite.database)
    files = [file for corpus in corpora for file in _databases(corpus.path)]
    return RuleContext(folder, files[0] if len(files) == 1 else None)


def _databases(path: Path) -> list[Path]:
    return sorted(path.glob("*.db")) if path.is_dir() else [path]


def _look_up(document: Document, expected: Sequence[_Expected]) -> None:
    rules = _LOOKED_UP[document.kind]
    hits = document.hits()
    for each in expected:
        if each.rule in rules:
            for hit in hits:
                each.met.update(each.expectation.meets(hit))


def _describe(
    source: SuiteSource,
    expected: Sequence[_Expected],
    corpora: Sequence[Corpus],
    documents: Sequence[Document],
) -> Iterator[Finding]:
    where = ", ".join(str(corpus.path) for corpus in corpora)
    names = [document.names[0] for document in documents if document.names]
    named = [each for each in expected if each.rule in _NAMING and each.right]
    if len(named) > 1 and names and not any(each.met for each in expected):
        # A system may call files by other names than their paths.
        is_certain = any(document.kind is not CorpusKind.FOLDER for document in documents)
        report = source.error if is_certain else source.warning
        yield report(
            f"not one of the names that {len(named)} queries expect is in {where}, whose documents "
            f"are called {', '.join(map(repr, names[:_MOST_NAMED]))} …: is it the right corpus?"
        )
        return
    known = KnownIds(names) if any(each.missing for each in expected) else None
    for each in expected:
        if known is not None and (missing := each.missing):
            yield _describe_missing(source, each, missing, known, where)


def _describe_missing(
    source: SuiteSource, each: _Expected, missing: Sequence[str], known: KnownIds, where: str
) -> Finding:
    shown = ", ".join(_with_near(name, known, each.rule) for name in missing[:_MOST_NAMED])
    more = f" and {len(missing) - _MOST_NAMED} more" if len(missing) > _MOST_NAMED else ""
    message = f"query {each.query.id!r} expects {shown}{more}, which no document of {where} is"
    is_certain = each.rule in _NAMING and source.suite.query_class != "judged"
    if is_certain or len(missing) == len(each.right):
        return source.error(message, each.place)
    return source.warning(message, each.place)


def _with_near(name: str, known: KnownIds, rule: str) -> str:
    near = known.find_near(name) if rule in _NAMING else ""
    return f"{name!r} (did you mean {near!r}?)" if near else repr(name)
