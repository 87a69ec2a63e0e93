"""An encoder in a directory is read as its files say, and refused in words where it cannot be."""

from __future__ import annotations

import math
import shutil
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from stacks.embedding import model_kinds, open_embedder
from stacks.embedding.onnx_embedder import OnnxEmbedder
from stacks.embedding.onnx_model import divide_by_length
from stacks.embedding.wordllama_embedder import WordLlamaEmbedder
from stacks.errors import EmbeddingError

if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from pathlib import Path

pytest.importorskip("onnxruntime", reason="the extra for ONNX models is not installed")
pytest.importorskip("onnx", reason="onnx, which builds the models of these tests, is missing")

from onnx import TensorProto
from tests.stacks.embedding.encoders import (
    VECTORS,
    write_encoder,
    write_json,
    write_tokenizer,
)

HALF = math.sqrt(0.5)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "tiny"
    write_tokenizer(place)
    write_encoder(place / "model.onnx")
    return place


def embed(spec: str, *texts: str) -> Any:
    return open_embedder(spec).embed_documents(texts)


def test_tokens_are_averaged_without_the_filling(folder: Path) -> None:
    got = embed(f"onnx={folder}", "cat", "cat dog cat dog", "dog dog cat cat cat")
    thirteen = math.sqrt(13)
    expected = [[1, 0], [HALF, HALF], [3 / thirteen, 2 / thirteen]]
    assert np.abs(got - expected).max() < 1e-6


def test_filling_that_is_no_number_does_no_harm(folder: Path) -> None:
    write_encoder(folder / "model.onnx", vectors=[[math.inf, math.nan], *VECTORS[1:]])
    assert embed(f"onnx={folder}", "cat", "dog dog").tolist() == [[1, 0], [0, 1]]


def test_many_texts_of_any_length_keep_their_order(folder: Path) -> None:
    counts = [(n * 37) % 90 + 1 for n in range(100)]
    texts = [" ".join(["cat"] * count + ["dog"]) for count in counts]
    expected = [[c / math.hypot(c, 1), 1 / math.hypot(c, 1)] for c in counts]
    assert np.abs(embed(f"onnx={folder}", *texts) - expected).max() < 1e-6


def test_the_first_token_is_taken_where_asked_for(folder: Path) -> None:
    assert embed(f"onnx={folder},pooling=cls", "cat dog dog").tolist() == [[1, 0]]


def test_marks_of_the_tokenizer_are_tokens_as_well(folder: Path) -> None:
    write_tokenizer(folder, marked=True)
    got = embed(f"onnx={folder}", "cat")  # [CLS] (0, 1), cat (1, 0), [SEP] (0, 0)
    assert np.abs(got - [[HALF, HALF]]).max() < 1e-6


@pytest.mark.parametrize(
    "config",
    [
        {"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False},
        {"pooling_mode": "cls", "word_embedding_dimension": 2},
    ],
)
def test_the_directory_s_own_pooling_holds(folder: Path, config: dict[str, Any]) -> None:
    write_json(folder / "1_Pooling" / "config.json", config)
    assert embed(f"onnx={folder}", "cat dog").tolist() == [[1, 0]]
    assert np.abs(embed(f"onnx={folder},pooling=mean", "cat dog") - HALF).max() < 1e-6


def test_the_list_of_modules_says_where_pooling_stands(folder: Path) -> None:
    write_json(folder / "modules.json", [{"path": "9_P", "type": "sentence_transformers.Pooling"}])
    write_json(folder / "9_P" / "config.json", {"pooling_mode_cls_token": True})
    assert embed(f"onnx={folder}", "cat dog").tolist() == [[1, 0]]


def test_unknown_pooling_is_refused_unless_overridden(folder: Path) -> None:
    write_json(folder / "1_Pooling" / "config.json", {"pooling_mode_max_tokens": True})
    with pytest.raises(EmbeddingError, match="asks for pooling by max; there are mean, cls"):
        open_embedder(f"onnx={folder}")
    open_embedder(f"onnx={folder},pooling=mean")


def test_a_dense_layer_that_the_model_lacks_is_refused(folder: Path) -> None:
    modules = [{"path": "2_Dense", "type": "sentence_transformers.models.Dense"}]
    write_json(folder / "modules.json", modules)
    with pytest.raises(EmbeddingError, match="dense layer"):
        open_embedder(f"onnx={folder}")
    write_encoder(folder / "model.onnx", pooled=True)
    assert embed(f"onnx={folder}", "dog").tolist() == [[1, 0]]


def test_an_output_that_is_pooled_already_is_taken(folder: Path) -> None:
    write_encoder(folder / "model.onnx", pooled=True)
    assert embed(f"onnx={folder}", "dog").tolist() == [[1, 0]]
    assert embed(f"onnx={folder},pooling=mean", "dog").tolist() == [[0, 1]]


def test_prefixes_stand_in_front_of_queries_and_documents(folder: Path) -> None:
    embedder = open_embedder(f"onnx={folder},query=query: ,document=passage: ")
    ten = math.sqrt(10)
    assert np.abs(embedder.embed_query("dog") - [3 / ten, 1 / ten]).max() < 1e-6
    assert np.abs(embedder.embed_documents(["cat"]) - [[1 / ten, 3 / ten]]).max() < 1e-6


def test_prefixes_that_the_directory_names_hold(folder: Path) -> None:
    prompts = {"prompts": {"query": "query: ", "document": ""}}
    write_json(folder / "config_sentence_transformers.json", prompts)
    embedder = open_embedder(f"onnx={folder}")
    assert embedder.embed_query("query:").tolist() == [1, 0]
    assert np.abs(embedder.embed_query("dog") - [3 / math.sqrt(10), 1 / math.sqrt(10)]).max() < 1e-6
    assert open_embedder(f"onnx={folder},query=").embed_query("dog").tolist() == [0, 1]


@pytest.mark.parametrize(
    ("name", "config"),
    [
        ("sentence_bert_config.json", {"max_seq_length": 3}),
        ("tokenizer_config.json", {"model_max_length": 3}),
        ("config.json", {"max_position_embeddings": 3}),
    ],
)
def test_texts_are_cut_where_the_model_ends(
    folder: Path, name: str, config: dict[str, Any]
) -> None:
    write_json(folder / name, config)
    assert embed(f"onnx={folder}", "cat cat cat dog dog").tolist() == [[1, 0]]


def test_no_limit_in_the_settings_means_the_usual_one(folder: Path) -> None:
    write_json(folder / "tokenizer_config.json", {"model_max_length": 10**30})
    assert embed(f"onnx={folder}", "cat " * 512 + "dog " * 9_000).tolist() == [[1, 0]]
    assert embed(f"onnx={folder},length=2", "cat cat dog").tolist() == [[1, 0]]


def test_inputs_of_any_usual_form_are_filled(folder: Path) -> None:
    inputs = ("input_ids", "attention_mask", "token_type_ids", "position_ids")
    write_encoder(folder / "model.onnx", inputs=inputs, kind=TensorProto.INT32)
    assert embed(f"onnx={folder}", "dog").tolist() == [[0, 1]]


def test_strange_inputs_are_refused_by_name(folder: Path) -> None:
    write_encoder(folder / "model.onnx", inputs=("input_ids", "pixel_values"))
    with pytest.raises(EmbeddingError, match="pixel_values"):
        open_embedder(f"onnx={folder}")
    write_encoder(folder / "model.onnx", inputs=("input_ids", "attention_mask"))


def test_a_model_that_makes_no_numbers_is_refused(folder: Path) -> None:
    with pytest.raises(EmbeddingError, match="not finite numbers"):
        embed(f"onnx={folder}", "cat", "boom")


def test_models_in_a_folder_of_their_own_are_found(folder: Path) -> None:
    (folder / "onnx").mkdir()
    (folder / "model.onnx").rename(folder / "onnx" / "model_quantized.onnx")
    assert embed(f"onnx={folder}", "dog").tolist() == [[0, 1]]


def test_several_strange_models_ask_for_a_choice(folder: Path) -> None:
    (folder / "model.onnx").rename(folder / "b.onnx")
    shutil.copy(folder / "b.onnx", folder / "a.onnx")
    with pytest.raises(EmbeddingError, match=r"choose with file=: there are a\.onnx, b\.onnx"):
        open_embedder(f"onnx={folder}")
    assert embed(f"onnx={folder},file=b.onnx", "dog").tolist() == [[0, 1]]
    with pytest.raises(EmbeddingError, match=r"holds no c\.onnx"):
        open_embedder(f"onnx={folder},file=c.onnx")


def test_what_is_missing_is_named(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(EmbeddingError, match="is not a directory"):
        open_embedder(f"onnx={tmp_path / 'nowhere'}")
    with pytest.raises(EmbeddingError, match="is not a directory"):
        open_embedder("onnx")
    with pytest.raises(EmbeddingError, match="is a file"):
        open_embedder(f"onnx={folder / 'model.onnx'}")
    (folder / "tokenizer.json").unlink()
    with pytest.raises(EmbeddingError, match=r"holds no tokenizer\.json"):
        open_embedder(f"onnx={folder}")
    (folder / "model.onnx").unlink()
    with pytest.raises(EmbeddingError, match=r"holds no model\.onnx"):
        open_embedder(f"onnx={folder}")


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "config.json"])
@pytest.mark.parametrize("data", [b"", b"garbage", b"{}}", b"\xff\x00"])
def test_damaged_files_are_told_by_name(folder: Path, name: str, data: bytes) -> None:
    (folder / name).write_bytes(data)
    with pytest.raises(EmbeddingError, match=name):
        open_embedder(f"onnx={folder}")


def test_the_revision_follows_all_that_changes_a_document(folder: Path, tmp_path: Path) -> None:
    first = open_embedder(f"onnx={folder}").identity
    moved = tmp_path / "elsewhere"
    shutil.copytree(folder, moved)
    assert open_embedder(f"onnx={moved},query=query: ").identity == first
    assert first.dimension == 2
    others = {
        open_embedder(f"onnx={moved},{option}").identity
        for option in (
            "document=passage: ",
            "pooling=cls",
            "length=9",
        )
    }
    write_encoder(moved / "model.onnx", vectors=VECTORS[::-1])
    others.add(open_embedder(f"onnx={moved}").identity)
    assert len({first, *others}) == 5


def test_the_name_is_the_one_in_the_configuration(folder: Path) -> None:
    write_json(folder / "config.json", {"_name_or_path": "someone/Mini-L6", "pad_token_id": 0})
    assert open_embedder(f"onnx={folder}").identity.name == "onnx:Mini-L6"


def test_a_missing_library_names_the_extra(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def find_nothing(name: str) -> ModuleSpec | None:
        return None

    monkeypatch.setattr(model_kinds, "find_spec", find_nothing)
    with pytest.raises(EmbeddingError, match=r"pip install 'cranfield\[onnx\]'"):
        open_embedder(f"onnx={folder}")


def test_batches_have_texts_of_like_length_and_few_tokens() -> None:
    lengths = [3, 600, 5, 4, 600, 2_000, 100, 3]
    assert divide_by_length(lengths, 3) == [[0, 7, 3], [2], [6], [1], [4], [5]]
    assert divide_by_length([512, 1, 512], 32) == [[1], [0, 2]]
    assert divide_by_length([], 32) == []
    rng = np.random.default_rng(5)
    many = rng.integers(1, 300, size=500).tolist()
    batches = divide_by_length(many, 32)
    assert sorted(place for batch in batches for place in batch) == list(range(500))
    assert all(len(batch) * max(many[place] for place in batch) <= 1_024 for batch in batches)


def test_the_number_of_pieces_is_an_option_that_identifies_vectors(folder: Path) -> None:
    usual, more = open_embedder(f"onnx={folder}"), open_embedder(f"onnx={folder},pieces=7")
    assert (usual.most_pieces, more.most_pieces) == (2, 7)
    assert not usual.matches(more.identity)
    with pytest.raises(EmbeddingError, match="pieces = '0'; give a whole number of 1 or more"):
        open_embedder(f"onnx={folder},pieces=0")


def test_an_encoder_tells_how_much_alike_texts_are_and_a_static_model_only_an_order() -> None:
    assert OnnxEmbedder.has_degrees
    assert not WordLlamaEmbedder.has_degrees
