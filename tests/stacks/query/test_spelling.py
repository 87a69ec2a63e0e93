"""Words that no document has, taken for near ones that some have."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from stacks.index import Request, save
from stacks.query import Index, open_index

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TEXTS = {
    "1": "The ferryman crossed the river in the flood.",
    "2": "The ferryman and the potter ate bread.",
    "3": "Meditation and stillness of the mind.",
    "4": "A flock of birds; a flower.",
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
