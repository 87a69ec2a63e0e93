"""What does a text mean? Models that make vectors, behind one protocol."""

from stacks.embedding import http as _http  # noqa: F401 - registers its kind
from stacks.embedding import onnx as _onnx  # noqa: F401 - registers its kind
from stacks.embedding import wordllama as _wordllama  # noqa: F401 - registers its kind
from stacks.embedding.embedder import (
    EMBEDDERS,
    Embedder,
    EmbedderKind,
    Identity,
    make_valid,
    open_embedder,
    register_embedder,
)
from stacks.embedding.kinds import ModelKind, ModelKinds
from stacks.embedding.onnx_files import OnnxFiles
from stacks.embedding.onnx_model import ModelRun, OnnxModel
from stacks.embedding.posting import Endpoint, Patience, send_in_parts
from stacks.embedding.specs import ModelSpec, take_number

__all__ = [
    "EMBEDDERS",
    "Embedder",
    "EmbedderKind",
    "Endpoint",
    "Identity",
    "ModelKind",
    "ModelKinds",
    "ModelRun",
    "ModelSpec",
    "OnnxFiles",
    "OnnxModel",
    "Patience",
    "make_valid",
    "open_embedder",
    "register_embedder",
    "send_in_parts",
    "take_number",
]
