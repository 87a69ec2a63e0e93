"""Words that no document has, taken for near ones that some have."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from stacks.index import Request, save
from stacks.query import Index, open_index

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from stacks.model import Document

TEXTS = {
    "1": "The ferryman crossed the river in the flood.",
    "2": "The ferryman and the potter ate bread.",
    "3": "Meditation and stillness of the mind.",
    "4": "A flock of birds; a flower.",
    "5": "A slip, ferrymon, that no other text has.",
}


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Index]:
    lines = [json.dumps({"_id": name, "text": text}) for name, text in TEXTS.items()]
    (tmp_path / "corpus.jsonl").write_text("\n".join(lines))
    save([Request.parse(f"jsonl={tmp_path / 'corpus.jsonl'}")], tmp_path / "index")
    with open_index(tmp_path / "index") as opened:
        yield opened


def found(index: Index, text: str) -> list[str]:
    return [hit.uri.rsplit("/", 1)[1] for hit in index.search(text)]


def test_a_misspelt_word_finds_what_was_meant(index: Index) -> None:
    assert found(index, "feryman in the flod")[0] == "1"
    assert found(index, "meditashun") == ["3"]


def test_a_word_that_is_there_is_taken_as_it_is(index: Index) -> None:
    assert found(index, "flock") == ["4"]


def test_the_explanation_says_what_was_taken_for_what(index: Index) -> None:
    results = index.search("feryman")
    explanation = index.explain(results.hits[0])
    assert [(each.phrase, each.because) for each in explanation.bridged] == [
        ("ferryman", "feryman, which no document has")
    ]
    assert explanation.terms[0].score == pytest.approx(explanation.bm25)


@pytest.mark.parametrize("text", ["qqqqqq", "x7gh2", "фыва", "a" * 5000, "ab", "शान्ति"])
def test_what_is_near_to_nothing_stays_so(index: Index, text: str) -> None:
    assert found(index, text) == []


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
    index: Index, text: str, meant: str
) -> None:
    hits = index.search(text).hits
    bridged = [each for hit in hits[:1] for each in index.explain(hit).bridged]
    assert [each.phrase for each in bridged] == ([meant] if meant else [])
    assert all(each.weight == 1.0 for each in bridged)


def test_a_word_of_one_document_is_a_slip_itself_if_another_is_near(index: Index) -> None:
    (meant,) = index.explain(index.search("ferrymom").hits[0]).bridged
    assert meant.phrase == "ferryman"


def test_a_correction_counts_like_the_word_itself(index: Index) -> None:
    right, wrong = index.search("potter").hits[0], index.search("pottre").hits[0]
    assert wrong.bm25 == pytest.approx(right.bm25)


def test_eight_words_are_corrected(index: Index) -> None:
    eight = "zaaa zbbb zccc zddd zeee zfff zggg pottre"
    assert found(index, eight) == ["2"]
    assert found(index, f"zhhh {eight}") == []


def test_the_nearest_name_of_each_word_is_suggested_first(
    index_of: Callable[..., Index], page: Callable[..., Document]
) -> None:
    index = index_of(
        [
            page("a/x", "URLSession"),
            page("a/y", "Hashable"),
            page("a/z", "Hash"),
            page("a/u", "URL"),
        ]
    )
    assert index.suggest("urlsesion hashabel") == ["URLSession", "Hashable"]
    assert index.suggest("urlsession") == []
    assert index.suggest("ur") == []
    assert index.suggest("xrlsession") == []
