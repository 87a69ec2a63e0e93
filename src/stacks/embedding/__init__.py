"""What does a text mean? Models that turn texts into vectors, behind one protocol."""

from stacks.embedding.embedder import (
    EMBEDDERS,
    Embedder,
    EmbedderKind,
    Identity,
    make_valid,
    open_embedder,
)
from stacks.embedding.model_endpoint import ModelEndpoint, RetryPolicy, send_in_parts
from stacks.embedding.model_kinds import ModelKind, ModelSpec, take_number
from stacks.embedding.onnx_model import OnnxFiles, OnnxModel, OnnxOutputs

__all__ = [
    "EMBEDDERS",
    "Embedder",
    "EmbedderKind",
    "Identity",
    "ModelEndpoint",
    "ModelKind",
    "ModelSpec",
    "OnnxFiles",
    "OnnxModel",
    "OnnxOutputs",
    "RetryPolicy",
    "make_valid",
    "open_embedder",
    "send_in_parts",
    "take_number",
]
