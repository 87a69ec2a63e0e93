"""The default model gives what its own package gives, without importing it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.metadata import version
from typing import TYPE_CHECKING

import numpy as np
import pytest

from stacks.embedding import open_embedder
from stacks.embedding import wordllama_embedder as module
from stacks.errors import EmbeddingError

if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from pathlib import Path

TEXTS = [
    "How is a dictionary sorted by its values?",
    "पुस्तकालय में किताबें कहाँ हैं?",
    "¿Dónde está la biblioteca? 図書館はどこですか 😀",
    "def open_index(path: Path) -> Index:\n    return Index(path)  # a comment\n",
    "a",
    "  leading and   repeated blanks ",
    "<s> </s> <unk> are words here",
    "long text about bridges and rivers, " * 500,
    "\x00\x01 control",
]
REFERENCE = """
import sys, json, logging
from pathlib import Path
import wordllama
from wordllama import WordLlama
folder = Path(wordllama.__file__).parent
model = WordLlama.load(cache_dir=folder, disable_download=True)
texts = json.loads(sys.stdin.read())
print(json.dumps([model.embed([text], norm=True)[0].tolist() for text in texts]))
"""


@pytest.mark.corpus
@pytest.mark.process
def test_vectors_equal_the_package_s_own() -> None:
    import json

    done = subprocess.run(
        [sys.executable, "-c", REFERENCE],
        input=json.dumps(TEXTS),
        capture_output=True,
        text=True,
        check=True,
    )
    expected = np.array(json.loads(done.stdout))
    got = open_embedder("wordllama").embed_documents(TEXTS)
    assert got.shape == (len(TEXTS), 256)
    assert np.abs(got - expected).max() < 1e-5


def test_near_meanings_are_nearer_than_far_ones() -> None:
    embedder = open_embedder("wordllama")
    car, far = embedder.embed_documents(["a car on the road", "the recipe of a cake"])
    query = embedder.embed_query("vehicle")
    assert query @ car > query @ far


def test_capitals_do_not_change_a_vector() -> None:
    embedder = open_embedder("wordllama")
    texts = ["measurement of the dielectric constant of liquids", "¿dónde está la biblioteca?"]
    shouted = [text.upper() for text in texts]
    assert np.array_equal(embedder.embed_documents(shouted), embedder.embed_documents(texts))
    assert np.array_equal(embedder.embed_query(shouted[0]), embedder.embed_query(texts[0]))
    assert all(embedder.reads(text) for text in shouted)


def test_vectors_of_texts_as_written_are_not_compared() -> None:
    embedder = open_embedder("wordllama")
    as_written = embedder.identity._replace(revision=version("wordllama"))
    assert embedder.matches(embedder.identity)
    assert not embedder.matches(as_written)


def test_a_shorter_vector_is_the_head_of_the_long_one() -> None:
    whole = open_embedder("wordllama").embed_query("rivers and bridges")
    short = open_embedder("wordllama,dimension=64")
    assert short.identity.dimension == 64
    head = whole[:64] / np.linalg.norm(whole[:64])
    assert np.abs(short.embed_query("rivers and bridges") - head).max() < 1e-6


def test_batches_do_not_change_a_vector() -> None:
    embedder = open_embedder("wordllama")
    together = embedder.embed_documents(TEXTS)
    alone = [embedder.embed_documents([text])[0] for text in TEXTS]
    assert np.array_equal(together, np.array(alone))


@pytest.mark.process
def test_a_forked_process_embeds_without_a_word() -> None:
    code = """
import os, sys
from stacks.embedding import open_embedder
embedder = open_embedder("wordllama")
embedder.embed_documents(["some words", "other words"] * 50)
child = os.fork()
if child == 0:
    embedder.embed_documents(["some words", "other words"] * 50)
    os._exit(0)
status = os.waitpid(child, 0)[1]
print(status, "wordllama" in sys.modules)
"""
    environment = {k: v for k, v in os.environ.items() if k != "TOKENIZERS_PARALLELISM"}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        capture_output=True,
        text=True,
        env=environment,
        timeout=60,
        check=True,
    )
    assert done.stdout.strip() == "0 False"
    assert done.stderr == ""


def test_a_missing_package_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    def find_nothing(name: str) -> ModuleSpec | None:
        return None

    monkeypatch.setattr(module, "find_spec", find_nothing)
    with pytest.raises(EmbeddingError, match=r"pip install 'cranfield\[stacks\]'"):
        open_embedder("wordllama")


def write_tensor(kind: str, shape: list[int], count: int) -> bytes:
    """A file of weights that says it has so many numbers of a kind, and has others."""
    tensor = {"dtype": kind, "shape": shape, "data_offsets": [0, 2 * count]}
    header = json.dumps({"embedding.weight": tensor}).encode()
    return len(header).to_bytes(8, "little") + header + bytes(2 * count)


@pytest.mark.parametrize(
    "weights",
    [
        b"",
        b"garbage" * 9,
        (2).to_bytes(8, "little") + b"{}",
        (2).to_bytes(8, "little") + b"[]",
        write_tensor("F32", [4, 256], 1024),
        write_tensor("F16", [8, 256], 1024),
        write_tensor("F16", [-8, 256], 1024),
    ],
    ids=["empty", "garbage", "no tensor", "no header", "other numbers", "cut off", "no shape"],
)
def test_damaged_weights_are_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, weights: bytes
) -> None:
    (tmp_path / "weights").mkdir()
    (tmp_path / "weights" / "l2_supercat_256.safetensors").write_bytes(weights)
    monkeypatch.setattr(module, "_find_folder", lambda: tmp_path)
    with pytest.raises(EmbeddingError, match="install the package again"):
        open_embedder("wordllama")
