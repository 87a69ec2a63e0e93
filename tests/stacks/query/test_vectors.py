"""The nearest vectors: exact, one document for all of its pieces, within what may be found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from stacks.guidance import Expansion
from stacks.query import vectors
from stacks.query.filters import Condition, DocumentFilter
from stacks.query.vectors import VectorTable, choose_vectors, embed_question

if TYPE_CHECKING:
    from numpy.typing import NDArray

EAST = np.array([1.0, 0.0], dtype=np.float32)


def table(*rows: tuple[int, float, float]) -> VectorTable:
    """A document and two numbers a row, as bytes with a scale of a hundredth."""
    return VectorTable(
        np.array([row[0] for row in rows], dtype=np.int64),
        np.full(len(rows), 0.01, dtype=np.float32),
        np.array([[100 * row[1], 100 * row[2]] for row in rows], dtype=np.int8).reshape(-1, 2),
    )


def search(given: VectorTable, count: int = 9, chosen: Any = None) -> dict[int, float]:
    found = given.search(EAST, count, chosen)
    return {number: round(value, 4) for number, value in found.items()}


def test_a_document_is_as_near_as_its_nearest_piece() -> None:
    assert search(table((1, 0.2, 0.9), (1, 0.6, 0.8), (2, 0.5, 0.8))) == {1: 0.6, 2: 0.5}


def test_the_nearest_come_first_and_equals_of_the_last_too() -> None:
    given = table((1, 0.5, 0.0), (2, 0.9, 0.0), (3, 0.5, 0.0), (4, 0.3, 0.0))
    assert list(search(given, 2).items()) == [(2, 0.9), (1, 0.5), (3, 0.5)]
    assert list(search(given, 1)) == [2]


def test_what_is_similar_by_chance_is_not_found() -> None:
    assert search(table((1, 0.13, 0.0), (2, 0.11, 0.0), (3, -0.9, 0.0))) == {1: 0.13}


def test_only_chosen_vectors_are_found() -> None:
    given = table((1, 0.9, 0.0), (2, 0.8, 0.0))
    assert search(given, chosen=np.array([False, True])) == {2: 0.8}


def test_a_file_without_vectors_has_nothing_near() -> None:
    assert search(table()) == {}


def test_vectors_are_compared_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    given = table(*((number, number / 10, 0.0) for number in range(2, 10)))
    whole = search(given)
    monkeypatch.setattr(vectors, "_BLOCK", 3)
    assert search(given) == whole
    assert len(whole) == 8


class _Model:
    """Embeds `east` and everything else north."""

    def embed_query(self, text: str) -> NDArray[np.float32]:
        vector: NDArray[np.float32] = self.embed_documents([text])[0]
        return vector

    def embed_documents(self, texts: list[str]) -> NDArray[np.float32]:
        return np.array(
            [[1.0, 0.0] if text == "east" else [0.0, 1.0] for text in texts], dtype=np.float32
        )


def test_a_query_leans_towards_the_words_of_the_corpus() -> None:
    model: Any = _Model()
    assert embed_question(model, "east", ()).tolist() == [1.0, 0.0]
    bridged = [Expansion("north", 0.5, "x"), Expansion("up", 1.0, "x")]
    # (1, 0) and the mean of (0, 0.5) and (0, 1), made one long.
    assert embed_question(model, "east", bridged).tolist() == pytest.approx([0.8, 0.6])


class _File:
    """A file of two sources, of which some documents meet any condition."""

    sources = (1, 2)

    def rows(self, *_: object) -> list[tuple[int]]:
        return [(FIRST + 1,), (SECOND + 1,)]


FIRST, SECOND = 1 << 32, 2 << 32


@pytest.mark.parametrize(
    ("sources", "condition", "passing", "chosen"),
    [
        ([1, 2], "", DocumentFilter(), None),
        ([2], "", DocumentFilter(), [False, False, True]),
        ([1, 2], "m.kind = 'x'", DocumentFilter(), [True, False, True]),
        ([1, 2], "", DocumentFilter(frozenset({FIRST + 2})), [False, True, False]),
        ([1, 2], "", DocumentFilter(None, frozenset({FIRST + 2})), [True, False, True]),
        ([1], "m.kind = 'x'", DocumentFilter(None, frozenset({FIRST + 1})), [False] * 3),
    ],
)
def test_sources_filters_and_phrases_choose(
    sources: list[int], condition: str, passing: DocumentFilter, chosen: list[bool] | None
) -> None:
    database: Any = _File()
    given = table((FIRST + 1, 1.0, 0.0), (FIRST + 2, 1.0, 0.0), (SECOND + 1, 1.0, 0.0))
    found = choose_vectors(database, given, sources, Condition(condition), passing)
    assert (None if found is None else found.tolist()) == chosen
