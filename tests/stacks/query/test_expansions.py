"""Other words for the words of a query: synonyms of programmers, corrections of slips."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from stacks.index import Request, SaveOptions, save
from stacks.query import Index, open_index
from stacks.query.expansions import _read_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from stacks.model import Document

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


TEXTS = {
    "1": "The ferryman crossed the river in the flood.",
    "2": "The ferryman and the potter ate bread.",
    "3": "Meditation and stillness of the mind.",
    "4": "A flock of birds; a flower.",
    "5": "A slip, ferrymon, that no other text has.",
}


@pytest.fixture
def misspelt(tmp_path: Path) -> Iterator[Index]:
    lines = [json.dumps({"_id": name, "text": text}) for name, text in TEXTS.items()]
    (tmp_path / "corpus.jsonl").write_text("\n".join(lines))
    save([Request.parse(f"jsonl={tmp_path / 'corpus.jsonl'}")], tmp_path / "misspelt")
    with open_index(tmp_path / "misspelt") as opened:
        yield opened


def found(misspelt: Index, text: str) -> list[str]:
    return [hit.uri.rsplit("/", 1)[1] for hit in misspelt.search(text)]


def test_a_misspelt_word_finds_what_was_meant(misspelt: Index) -> None:
    assert found(misspelt, "feryman in the flod")[0] == "1"
    assert found(misspelt, "meditashun") == ["3"]


def test_a_word_that_is_there_is_taken_as_it_is(misspelt: Index) -> None:
    assert found(misspelt, "flock") == ["4"]


def test_the_explanation_says_what_was_taken_for_what(misspelt: Index) -> None:
    results = misspelt.search("feryman")
    explanation = misspelt.explain(results.hits[0])
    assert [(each.phrase, each.because) for each in explanation.bridged] == [
        ("ferryman", "feryman, which no document has")
    ]
    assert explanation.terms[0].score == pytest.approx(explanation.bm25)


@pytest.mark.parametrize("text", ["qqqqqq", "x7gh2", "фыва", "a" * 5000, "ab", "शान्ति"])
def test_what_is_near_to_nothing_stays_so(misspelt: Index, text: str) -> None:
    assert found(misspelt, text) == []


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("pottre", "potter"),
        ("feryman", "ferryman"),
        ("ferman", "ferryman"),
        ("ferrymannn", "ferryman"),
        ("ferrymaxxxx", ""),
        ("qotter", ""),
        ("flooo", "flood"),
        ("brd", ""),
        ("br3ad", ""),
        ("stillnez", "still"),
    ],
)
def test_a_word_is_near_by_its_letters_length_and_beginning(
    misspelt: Index, text: str, meant: str
) -> None:
    hits = misspelt.search(text).hits
    bridged = [each for hit in hits[:1] for each in misspelt.explain(hit).bridged]
    assert [each.phrase for each in bridged] == ([meant] if meant else [])
    assert all(each.weight == 1.0 for each in bridged)


def test_a_word_of_one_document_is_a_slip_itself_if_another_is_near(
    misspelt: Index,
) -> None:
    (meant,) = misspelt.explain(misspelt.search("ferrymom").hits[0]).bridged
    assert meant.phrase == "ferryman"


def test_a_correction_counts_like_the_word_itself(misspelt: Index) -> None:
    right, wrong = (
        misspelt.search("potter").hits[0],
        misspelt.search("pottre").hits[0],
    )
    assert wrong.bm25 == pytest.approx(right.bm25)


def test_eight_words_are_corrected(misspelt: Index) -> None:
    eight = "zaaa zbbb zccc zddd zeee zfff zggg pottre"
    assert found(misspelt, eight) == ["2"]
    assert found(misspelt, f"zhhh {eight}") == []


def test_the_nearest_name_of_each_word_is_suggested_first(
    index_of: Callable[..., Index], page: Callable[..., Document]
) -> None:
    misspelt = index_of(
        [
            page("a/x", "URLSession"),
            page("a/y", "Hashable"),
            page("a/z", "Hash"),
            page("a/u", "URL"),
        ]
    )
    assert misspelt.suggest("urlsesion hashabel") == ["URLSession", "Hashable"]
    assert misspelt.suggest("urlsession") == []
    assert misspelt.suggest("ur") == []
    assert misspelt.suggest("xrlsession") == []
