"""Test corpora: a JSON object with queries and the files that must be found."""

from __future__ import annotations

import re
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

import msgspec

from cranfield.model import Query, RegressionRules, Suite, Threshold
from cranfield.suites import KnownIds, SuiteSource
from cranfield.suites.formats import (
    INFORMATIVE_KEYS,
    Part,
    QueriesFile,
    decode,
    decode_queries,
    locate,
    misfit_findings,
    read_bytes,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from cranfield.suites import Finding

__all__ = ["read_test_corpus"]

_EXPECTED = (
    "a test corpus is an object with version, fixture_id and queries, each with id, query and "
    "expected_files"
)
_GATE = (Threshold("Pass", 0.80),)
_RULES = RegressionRules(
    at_most=2, protected=("exact_filename",), watched=("semantic",), accept_at=3
)
"""The usual rules for such corpora: two queries may regress, but no exact file name."""


_CATEGORIES = ("exact_filename", "partial_filename", "content_search", "semantic", "edge_case")
_INFORMATIVE = INFORMATIVE_KEYS | {"name"}


class _Query(msgspec.Struct):
    id: str
    query: str
    expected_files: list[str]
    category: str = ""
    above: list[str] = msgspec.field(default_factory=list)
    pass_rank: int = 3
    rationale: str = ""
    notes: str = ""
    deprecated: bool = False

    @property
    def listed_files(self) -> list[str]:
        """The files that have to exist; a deprecated query needs none."""
        files = [] if self.deprecated else [*self.expected_files, *self.above]
        return [file for file in files if not file.startswith("(any")]


class _Corpus(msgspec.Struct):
    queries: list[msgspec.Raw]
    version: str | int | float = ""
    fixture_id: str = ""
    created: str = ""
    measures: list[str] = msgspec.field(default_factory=list)


def read_test_corpus(path: Path) -> SuiteSource:
    """Read a test corpus.

    Without an expected file, or with one written `(any …)`, any result will do. An expected file
    with a star, such as `*.py`, stands for every file whose path ends that way. Files listed as
    `above` must rank below the expected ones, or be absent.
    """
    content = read_bytes(path)
    corpus = decode(Part(content, 1), _Corpus, path, _EXPECTED)
    file = QueriesFile(path, _EXPECTED, _INFORMATIVE)
    decoded = decode_queries(locate(corpus.queries, content), _Query, file)
    whole = decode(Part(content, 1), dict[str, Any], path, _EXPECTED)
    findings = (*misfit_findings(whole, _Corpus, _INFORMATIVE), *decoded.findings)
    suite = Suite(
        id=path.stem,
        query_class="files",
        queries=tuple(_query(each) for each in decoded.queries),
        description=_description(corpus),
        measures=tuple(corpus.measures),
        gate=_GATE,
        rules=_RULES,
        fixture=corpus.fixture_id,
    )
    source = SuiteSource(suite, path, decoded.lines, findings, _CATEGORIES)
    missing = tuple(_find_missing(source, [each.listed_files for each in decoded.queries]))
    return _leave_out_unguarded(replace(source, findings=(*findings, *missing)))


def _leave_out_unguarded(source: SuiteSource) -> SuiteSource:
    """Remove categories that no query has from the built-in rules, with a warning for each."""
    categories = {query.category for query in source.suite.asked}
    names = (*_RULES.protected, *_RULES.watched)
    warnings = [
        source.warning(
            f"no query is of the category {name!r}, so nothing there is protected or watched"
        )
        for name in names
        if name not in categories
    ]
    rules = replace(
        _RULES,
        protected=tuple(name for name in _RULES.protected if name in categories),
        watched=tuple(name for name in _RULES.watched if name in categories),
    )
    findings = (*source.findings, *warnings)
    return replace(source, suite=replace(source.suite, rules=rules), findings=findings)


def _query(written: _Query) -> Query:
    return Query(
        id=written.id,
        text=written.query,
        expect=_expectation(written.expected_files, written.above),
        category=written.category,
        pass_rank=written.pass_rank,
        notes="\n".join(filter(None, (written.rationale, written.notes))),
        deprecated=written.deprecated,
    )


def _expectation(expected: list[str], above: list[str]) -> dict[str, Any]:
    if above:
        return {"prefers": {"this": _either(expected), "over": _either(above)}}
    if not expected or any(each.startswith("(any") for each in expected):
        return {"anything": True}
    expect = {
        "files": [each for each in expected if "*" not in each],
        "matches": [_starred(each) for each in expected if "*" in each],
    }
    return {rule: value for rule, value in expect.items() if value}


def _either(paths: list[str]) -> str:
    return "|".join(f"(?:{_starred(path)})" for path in paths)


def _starred(path: str) -> str:
    """Turn a path with stars into a pattern; a star stays inside one folder."""
    return "(^|/)" + "[^/]*".join(re.escape(piece) for piece in re.split(r"\*+", path)) + "$"


def _description(corpus: _Corpus) -> str:
    version = f"version {corpus.version}" if corpus.version else ""
    created = f"created {corpus.created}" if corpus.created else ""
    return ", ".join(filter(None, (corpus.fixture_id, version, created)))


def _find_fixture(suite: Path, name: str) -> Path | None:
    """Return the folder of a fixture: beside the suite, or in `fixtures` there or one above."""
    folder = suite.resolve().parent
    places = (folder / name, folder / "fixtures" / name, folder.parent / "fixtures" / name)
    return next((place for place in places if name and place.is_dir()), None)


def _find_missing(source: SuiteSource, listed: Sequence[Sequence[str]]) -> Iterator[Finding]:
    """Find the files of each query that the fixture lacks: no search could return them."""
    fixture = _find_fixture(source.path, source.suite.fixture)
    if fixture is None:
        if source.suite.fixture:
            yield source.note(
                f"the fixture {source.suite.fixture} is not beside the suite, so its files "
                "are not checked"
            )
        return
    files = [path.relative_to(fixture).as_posix() for path in fixture.rglob("*") if path.is_file()]
    present = {normalize("NFC", file) for file in files}
    known = KnownIds(sorted(present))
    for place, expected in enumerate(listed):
        for file in expected:
            if not _is_present(normalize("NFC", file), present):
                near = known.find_near(file)
                hint = f"; did you mean {near}?" if near else "; restore it"
                query = source.suite.queries[place].id
                yield source.error(
                    f"query {query!r} names {file!r}, which the fixture {fixture.name} does not "
                    f"have{hint}",
                    place,
                )


def _is_present(file: str, present: set[str]) -> bool:
    if "*" not in file:
        return file in present
    return any(fnmatchcase(each, f"*{file}") for each in present)
