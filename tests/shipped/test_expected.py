"""What the shipped suites expect is there to be found."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.shipped.projects import SUITES, Project, of_project

from cranfield.model import Hit
from cranfield.relevance import (
    RuleContext,
    Target,
    TimedPattern,
    read_expectation,
    resolve_expectation,
)
from cranfield.suites import load_suite
from cranfield.suites.checks.suite_check import check_suite
from stacks.query import open_index

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from cranfield.model import Query

pytestmark = [pytest.mark.process, pytest.mark.corpus]

PATTERNS = {"matches", "prefers", "sources"}
IDS = {"ids", "sql"}


@pytest.mark.process
@pytest.mark.parametrize("name", [of_project("apple-docs"), of_project("python-docs")])
def test_every_page_that_is_expected_is_in_the_index(
    shipped: Callable[[str], Project], name: str
) -> None:
    project = shipped(name)
    uris = project.read_uris()
    context = RuleContext(project.folder, project.database)
    queries = [query for suite in project.suites.values() for query in suite.queries]
    assert len(queries) > 250
    missing = [
        f"{query.id}: {target.name}"
        for query in queries
        for target in find_missing(resolve_expectation(query, context), uris)
        if not (target.grade == 0 and is_gone(query))
    ]
    assert missing == []


@pytest.mark.process
@pytest.mark.parametrize("name", [of_project("python-docs")])
def test_check_reports_a_name_that_this_python_has_no_page_of(
    shipped: Callable[[str], Project], name: str, tmp_path: Path
) -> None:
    project = shipped(name)
    file = project.folder / "questions.toml"
    checked = check_suite(file, corpora=[project.index])
    assert [str(each) for each in checked.findings] == []
    text = file.read_text().replace("pydoc://sys/setrecursionlimit", "pydoc://sys/setlimit")
    (tmp_path / "questions.toml").write_text(text)
    checked = check_suite(tmp_path / "questions.toml", corpora=[project.index])
    assert not checked.passed
    assert any("expects 'pydoc://sys/setlimit'" in each.message for each in checked.findings)


def find_missing(query: Query, uris: list[str]) -> Iterator[Target]:
    """Yield what no page of the index is; a query of an SQL rule names pages by then."""
    targets = read_expectation(query).targets
    assert targets, query.id
    assert query.expect.keys() <= PATTERNS | IDS, query.id
    known = set(uris)
    for target in targets:
        if query.expect.keys() <= IDS:
            found = target.name in known
        else:
            pattern = TimedPattern(target.name)
            found = any(pattern.is_in(uri) for uri in uris)
        if not found:
            yield target


def is_gone(query: Query) -> bool:
    """Tell whether this Python no longer has what the query's old page is about."""
    gone = [tag.removeprefix("gone-") for tag in query.tags if tag.startswith("gone-")]
    return any(
        sys.version_info >= tuple(int(part) for part in version.split(".")) for version in gone
    )


@pytest.mark.parametrize("name", [of_project("apple-docs")])
def test_each_source_has_what_is_expected_of_it(
    shipped: Callable[[str], Project], name: str
) -> None:
    project = shipped(name)
    uris = project.read_uris()
    listed = [
        (query.id, each["source"], TimedPattern(each["pattern"]))
        for query in project.suites["cross-source.toml"].queries
        for each in query.expect["sources"]
    ]
    assert {source for _, source, _ in listed} > {"apple-docs", "swift-evolution", "swift-book"}
    elsewhere = [
        (query, uri)
        for query, source, pattern in listed
        for uri in uris
        if pattern.is_in(uri) and not uri.startswith(f"{source}://")
    ]
    assert elsewhere == []


def test_every_file_that_is_expected_is_in_the_home_folder() -> None:
    suite = load_suite(SUITES / "home" / "test_corpus.json")
    expected = {path for query in suite.queries for path in query.expect.get("files", [])}
    assert len(expected) >= 30
    home = SUITES / "home" / "standard_home_v1"
    assert [path for path in sorted(expected) if not (home / path).is_file()] == []


GOLDEN = ("golden-set-en.json", "golden-set-es.json", "golden-set-hi.json")
HELD_OUT = "golden-set-en-held-out.json"


@pytest.mark.parametrize("file", GOLDEN)
def test_every_passage_that_is_expected_is_in_the_books(file: str) -> None:
    folder = SUITES / "teachings"
    checked = check_suite(folder / file, corpora=[folder / "books"])
    assert [str(each) for each in checked.findings if "passage" in each.message] == []
    assert checked.passed
    assert checked.suite is not None
    assert any("passages" in query.expect for query in checked.suite.queries)


@pytest.mark.process
@pytest.mark.parametrize(
    ("name", "file"), [of_project("teachings", file) for file in (*GOLDEN, HELD_OUT)]
)
def test_every_passage_that_is_expected_is_whole_in_a_passage_of_the_index(
    shipped: Callable[[str], Project], name: str, file: str
) -> None:
    """Books are cut, and marks of emphasis taken out: what is left has to be recognised."""
    project = shipped(name)
    with open_index(project.index) as index:
        stored = [index.read(uri) for uri in project.read_uris()]
    hits = [Hit(each.uri, text=each.content, fields=each.facts) for each in stored]
    expected = [
        replace(query, expect={"passages": [passage]})
        for query in load_suite(project.folder / file).queries
        for passage in query.expect.get("passages", [])
    ]
    assert len(expected) >= 32
    missing = [
        query.expect for query in expected if not any(map(read_expectation(query).meets, hits))
    ]
    assert missing == []


def test_a_passage_that_is_in_no_book_would_be_noticed(tmp_path: Path) -> None:
    golden = json.loads((SUITES / "teachings" / "golden-set-es.json").read_text())
    text = json.dumps(golden, ensure_ascii=False).replace("la", "lá")
    (tmp_path / "golden-set-es.json").write_text(text)
    checked = check_suite(tmp_path / "golden-set-es.json", corpora=[SUITES / "teachings" / "books"])
    assert any("is not in" in each.message for each in checked.findings)


@pytest.mark.process
@pytest.mark.parametrize("name", [of_project("chunks")])
def test_the_scored_chunks_are_those_of_the_index(
    shipped: Callable[[str], Project], name: str
) -> None:
    project = shipped(name)
    with open_index(project.index) as index:
        hashes = {index.read(uri).facts["hash"] for uri in project.read_uris()}
    assert len(hashes) == 400
    for question in project.suites["evals.db"].queries:
        assert question.expect["chunks"].keys() == hashes, question.id
