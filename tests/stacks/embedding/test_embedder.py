"""Whatever a model makes, what comes out has length 1 or is nothing at all."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest

from stacks.embedding import Embedder, Identity
from stacks.errors import EmbeddingError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


class Given(Embedder):
    """Makes the rows that a test gives, and remembers the texts."""

    def __init__(self, rows: list[list[float]]) -> None:
        self.rows = rows
        self.texts: list[str] = []

    @property
    def identity(self) -> Identity:
        return Identity("given", "1", 2)

    def encode_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.texts += texts
        return np.array(self.rows, dtype=np.float32)


def test_rows_are_brought_to_length_one() -> None:
    vectors = Given([[3, 4], [0, -2]]).embed_documents(["a", "b"])
    assert vectors.dtype == np.float32
    assert vectors.tolist() == [[np.float32(0.6), np.float32(0.8)], [0.0, -1.0]]


@pytest.mark.parametrize("size", [1e-44, 1e-30, 1e30, 3e38])
def test_tiny_and_huge_rows_come_out_at_length_one(size: float) -> None:
    vectors = Given([[size, size]]).embed_documents(["a"])
    assert np.linalg.norm(vectors[0]) == pytest.approx(1)


def test_a_text_without_meaning_is_zeros_and_never_reaches_the_model() -> None:
    embedder = Given([[3, 4]])
    vectors = embedder.embed_documents(["", " \n\t", "a", "\u2003"])
    assert embedder.texts == ["a"]
    assert vectors[[0, 1, 3]].tolist() == [[0, 0]] * 3
    assert embedder.embed_query("  ").tolist() == [0, 0]
    assert embedder.texts == ["a"]


def test_no_texts_are_no_rows() -> None:
    assert Given([]).embed_documents([]).shape == (0, 2)


def test_a_row_of_zeros_stays_one() -> None:
    assert Given([[0, 0]]).embed_query("a").tolist() == [0, 0]


def test_half_characters_of_file_names_are_replaced() -> None:
    embedder = Given([[1, 0]])
    embedder.embed_documents(["caf\udce9 ü"])
    assert embedder.texts == ["caf? ü"]


def test_a_text_in_capitals_alone_reaches_the_model_in_lower_case() -> None:
    embedder = Given([[1, 0]])
    embedder.embed_query("MEASUREMENT OF DIELECTRIC CONSTANTS AT 10 GHZ")
    embedder.embed_documents(["ÉTUDE DES ANTENNES"])
    assert embedder.texts == ["measurement of dielectric constants at 10 ghz", "étude des antennes"]


@pytest.mark.parametrize(
    "text", ["NASA", "the NASA report", "How Do I Sort", "शब्द और अर्थ", "404 / 7"]
)
def test_capitals_that_mean_something_are_kept(text: str) -> None:
    embedder = Given([[1, 0]])
    embedder.embed_query(text)
    assert embedder.texts == [text]


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_what_is_no_number_is_refused(value: float) -> None:
    with pytest.raises(EmbeddingError, match="not finite numbers"):
        Given([[1, value]]).embed_query("a")


@pytest.mark.parametrize("rows", [[[1.0, 2.0, 3.0]], [[1.0, 2.0], [1.0, 2.0]], [1.0]])
def test_a_wrong_form_is_refused(rows: list[list[float]]) -> None:
    with pytest.raises(EmbeddingError, match="was expected"):
        Given(rows).embed_documents(["a"])


def test_an_identity_matches_itself_alone() -> None:
    embedder = Given([])
    assert embedder.matches(Identity("given", "1", 2))
    assert not embedder.matches(Identity("given", "2", 2))
    assert not embedder.matches(Identity("given", "1", 3))


@pytest.mark.corpus
@pytest.mark.process
def test_importing_the_package_loads_no_model_library() -> None:
    heavy = "onnxruntime tokenizers safetensors httpx wordllama requests"
    code = (
        f"import sys, stacks.embedding; print([n for n in '{heavy}'.split() if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
