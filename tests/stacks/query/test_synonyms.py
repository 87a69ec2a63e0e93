"""Questions in the words of programmers find documentation that has other words for the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from stacks.index import Request, SaveOptions, save
from stacks.query import open_index
from stacks.query.expansions import _read_table

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from stacks.query import Index

PAGES = {
    "rmtree": "Recursively remove a directory tree with everything below it.",
    "chmod": "Change the permissions of a directory or of anything else.",
    "getsize": "The number of bytes that are stored at a path.",
    "urlopen": "Open a connection to a server and read what it answers.",
    "exists": "Test whether a path is there.",
}


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Index]:
    folder = tmp_path / "docs"
    folder.mkdir()
    for name, text in PAGES.items():
        (folder / f"{name}.md").write_text(f"# {name}\n\n{text}\n")
    save([Request.parse(f"markdown={folder}")], tmp_path / "index", SaveOptions(embedder="none"))
    with open_index(tmp_path / "index") as opened:
        yield opened


def test_a_question_finds_what_the_documentation_calls_otherwise(index: Index) -> None:
    assert [hit.title for hit in index.search("delete a folder", limit=2)] == ["rmtree", "chmod"]
    assert [hit.title for hit in index.search("check a path", limit=1)] == ["exists"]


def test_without_the_vocabulary_synonyms_are_not_looked_for(index: Index) -> None:
    assert list(index.search("delete a folder", without=frozenset({"vocabulary"}))) == []


def test_a_single_word_is_a_name_and_has_no_synonyms(index: Index) -> None:
    assert [hit.title for hit in index.search("folder", mode="fts5")] == []


def test_a_document_that_has_the_word_gains_nothing_by_its_synonym(tmp_path: Path) -> None:
    lines = [
        {"id": "both", "text": "a folder is a directory and holds files"},
        {"id": "word", "text": "a folder is a container and holds files"},
        {"id": "synonym", "text": "a directory is a container and holds files"},
        *({"id": f"other{n}", "text": f"a directory numbered {n}"} for n in range(5)),
    ]
    folder = tmp_path / "docs"
    folder.mkdir()
    for line in lines:
        (folder / f"{line['id']}.md").write_text(f"# {line['id']}\n\n{line['text']}\n")
    save([Request.parse(f"markdown={folder}")], tmp_path / "index", SaveOptions(embedder="none"))
    with open_index(tmp_path / "index") as index:
        scores = {hit.title: hit.bm25 for hit in index.search("folder of files", limit=10)}
        assert scores["both"] == pytest.approx(scores["word"], rel=0.05)
        assert 0 < scores["synonym"] < scores["word"]
        for hit in index.search("folder of files", limit=10):
            assert "part of a name" not in [part.term for part in index.explain(hit).terms]


def test_the_corpus_decides_how_much_a_synonym_counts(index: Index) -> None:
    question = index.search("delete a folder").question
    assert question.bridged == ()  # each source prepares the question for itself
    [hit, *_] = index.search("delete a folder")
    weights = {each.phrase: each.weight for each in hit.scoring.question.bridged}
    assert weights == {"remove": 1.0, "directory": 1.0}


def test_no_word_of_the_table_is_its_own_synonym() -> None:
    for stem, synonyms in _read_table().items():
        assert stem not in synonyms
