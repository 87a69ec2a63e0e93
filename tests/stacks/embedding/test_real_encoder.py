"""A published sentence encoder, all-MiniLM-L6-v2 as an int8 ONNX folder, is read as it is meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from real_data import COLLECTIONS, reason_to_skip
from stacks.embedding import open_embedder
from stacks.index import Request, SaveOptions, save
from stacks.query import open_index

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from stacks.embedding import Embedder

pytest.importorskip("onnxruntime", reason="the extra for ONNX models is not installed")

MODEL = "models/all-MiniLM-L6-v2"
FOLDER = COLLECTIONS / MODEL

pytestmark = [
    pytest.mark.corpus,
    pytest.mark.skipif(not FOLDER.exists(), reason=reason_to_skip(MODEL)),
]

NOTES = {
    "garage.md": "# Vehicle\n\nThe automobile needs new tyres and an oil change before winter.",
    "kitchen.md": "# Cake\n\nBeat the eggs with sugar, fold in the flour and bake for an hour.",
    "clinic.md": "# Cardiology\n\nA myocardial infarction needs treatment within ninety minutes.",
    "harbour.md": "# Boats\n\nThe vessel leaves the dock at dawn and returns with the tide.",
}


@pytest.fixture(scope="module")
def encoder() -> Iterator[Embedder]:
    with open_embedder(f"onnx={FOLDER}") as opened:
        yield opened


def test_the_settings_of_the_folder_hold(encoder: Embedder) -> None:
    assert encoder.identity.name == "onnx:MiniLM-L6-H384-uncased"
    assert encoder.identity.dimension == 384
    # 256 tokens are read: what follows does not change the vector.
    start = "bridges and rivers " * 100
    one, other = encoder.embed_documents([start + "of Rome", start + "in a kitchen"])
    assert np.array_equal(one, other)


def test_a_paraphrase_is_nearer_than_any_other_sentence(encoder: Embedder) -> None:
    pairs = [
        ("How do I delete a folder?", "Removing a directory and everything in it"),
        ("the heart attack of a patient", "myocardial infarction"),
        ("my car does not start", "the automobile's engine fails to turn over"),
        ("cheap flights to Paris", "low-cost air travel to the French capital"),
    ]
    answers = encoder.embed_documents([answer for _, answer in pairs])
    for place, (question, _) in enumerate(pairs):
        assert int(np.argmax(answers @ encoder.embed_query(question))) == place


def test_padding_and_order_hardly_change_a_vector(encoder: Embedder) -> None:
    texts = [" ".join(["a report on the tides of the harbour"] * count) for count in (9, 1, 4, 2)]
    together = encoder.embed_documents(texts)
    alone = np.array([encoder.embed_documents([text])[0] for text in texts])
    # An int8 model rounds to a scale that it takes from the whole batch.
    assert (together * alone).sum(axis=1).min() > 0.99


def test_capitals_do_not_change_a_vector(encoder: Embedder) -> None:
    text = "Measurement of dielectric constants"
    assert np.array_equal(encoder.embed_query(text.upper()), encoder.embed_query(text))


def test_an_index_finds_by_meaning_what_no_word_finds(tmp_path: Path) -> None:
    place = tmp_path / "notes"
    place.mkdir()
    for name, text in NOTES.items():
        (place / name).write_text(text)
    options = SaveOptions(embedder=f"onnx={FOLDER}")
    save([Request.parse(f"files={place}")], tmp_path / "index", options)
    with open_index(tmp_path / "index") as index:
        for query, expected in [("heart attack", "clinic.md"), ("ship", "harbour.md")]:
            assert [hit.title for hit in index.search(query, mode="fts5")] == []
            for mode in ("semantic", "both"):
                assert next(iter(index.search(query, mode=mode))).title == expected
