"""Tiny ONNX models and tokenizers whose every output can be worked out by hand."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import WhitespaceSplit
from tokenizers.processors import TemplateProcessing

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "cat", "dog", "query:", "passage:", "boom"]
VECTORS: list[list[float]] = [
    [99, 99],
    [0, 0],
    [0, 1],
    [0, 0],
    [1, 0],
    [0, 1],
    [3, 0],
    [0, 3],
    [np.nan, 0],
]
WEIGHTS = [99.0, 0.0, 0.0, 0.0, 2.0, -1.0, 0.5, 0.25, np.nan]
INT64 = TensorProto.INT64


def write_tokenizer(folder: Path, *, marked: bool = False) -> None:
    """Write a tokenizer of whole words, with marks around texts where asked for."""
    tokenizer = Tokenizer(WordLevel({word: n for n, word in enumerate(WORDS)}, unk_token=WORDS[1]))
    tokenizer.pre_tokenizer = WhitespaceSplit()
    if marked:
        tokenizer.post_processor = TemplateProcessing(
            single="[CLS] $A [SEP]",
            pair="[CLS] $A [SEP] $B:1 [SEP]:1",
            special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
        )
    # Settings that a published file may hold, and that are not wanted here.
    tokenizer.enable_padding(length=7)
    tokenizer.enable_truncation(1)
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(folder / "tokenizer.json"))


def write_encoder(
    path: Path,
    *,
    inputs: Sequence[str] = ("input_ids", "attention_mask"),
    kind: int = INT64,
    pooled: bool = False,
    vectors: Sequence[Sequence[float]] = VECTORS,
) -> None:
    """Write a model that looks each token up; `pooled` adds an output that holds twos."""
    table = numpy_helper.from_array(np.array(vectors, dtype=np.float32), "table")
    nodes = [helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"])]
    outputs = [make_output("last_hidden_state", ["n", "t", 2])]
    constants = [table]
    if pooled:
        zero = numpy_helper.from_array(np.array(0, dtype=np.float32), "zero")
        axes = numpy_helper.from_array(np.array([1], dtype=np.int64), "axes")
        two = numpy_helper.from_array(np.array([[2, 0]], dtype=np.float32), "two")
        constants += [zero, axes, two]
        nodes += [
            helper.make_node("Mul", ["last_hidden_state", "zero"], ["nothing"]),
            helper.make_node("ReduceSum", ["nothing", "axes"], ["flat"], keepdims=0),
            helper.make_node("Add", ["flat", "two"], ["sentence_embedding"]),
        ]
        outputs.append(make_output("sentence_embedding", ["n", 2]))
    write_graph(path, nodes, outputs, constants, dict.fromkeys(inputs, kind))


def write_cross_encoder(path: Path) -> None:
    """Write a model that sums a weight for each token, and two for each of the second text."""
    constants = [
        numpy_helper.from_array(np.array(WEIGHTS, dtype=np.float32), "weights"),
        numpy_helper.from_array(np.array([1], dtype=np.int64), "axes"),
    ]
    nodes = [
        helper.make_node("Gather", ["weights", "input_ids"], ["each"]),
        helper.make_node("Cast", ["attention_mask"], ["mask"], to=TensorProto.FLOAT),
        helper.make_node("Cast", ["token_type_ids"], ["second"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["each", "mask"], ["kept"]),
        helper.make_node("Mul", ["kept", "second"], ["again"]),
        helper.make_node("Add", ["kept", "again"], ["all"]),
        helper.make_node("ReduceSum", ["all", "axes"], ["logits"], keepdims=1),
    ]
    names = ("input_ids", "attention_mask", "token_type_ids")
    write_graph(
        path, nodes, [make_output("logits", ["n", 1])], constants, dict.fromkeys(names, INT64)
    )


def make_output(name: str, shape: list[Any]) -> Any:
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)


def write_graph(
    path: Path,
    nodes: list[Any],
    outputs: list[Any],
    constants: list[Any],
    inputs: Mapping[str, int],
) -> None:
    values = [
        helper.make_tensor_value_info(name, kind, ["n", "t"]) for name, kind in inputs.items()
    ]
    graph = helper.make_graph(nodes, "tiny", values, outputs, initializer=constants)
    model = helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8, producer_name="tests"
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    onnx.save(model, str(path))


def write_json(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value))
