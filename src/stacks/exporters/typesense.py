"""An index for Typesense: the schema, bulk files, and a search with the weights of the fields.

Typesense keeps one vector of a document: the mean of those of its pieces. It has neither stop words
nor stems, and its weights are whole numbers: they have the same ratios.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any

import numpy as np

from stacks.export import (
    FILTER_FIELDS,
    LIST_FIELDS,
    Exporter,
    write_json,
    write_parts,
    write_system,
)
from stacks.model import PLATFORMS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from stacks.export import ExportedDocument, ExportPlan

__all__ = ["TYPESENSE_EXPORTER"]

_SEPARATORS = list("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
"""What ends a word: everything but letters and digits, as in the index."""
_HIDDEN = ("content", "symbols", "symbol_components", "names", "vector")
_TEXTS = ("uri", "title", "summary", "content", "symbols", "symbol_components")
_FINEST = 8
"""Weights are told apart to an eighth."""


def _write(plan: ExportPlan, documents: Iterable[ExportedDocument], folder: Path) -> None:
    write_json(folder / "schema.json", _schema(plan))
    write_json(folder / "query.json", _params(plan))
    write_parts(folder, "jsonl", (_entry(document) for document in documents))
    settings = {
        "kind": "http",
        "url": f"http://localhost:8108/collections/{plan.name}/documents/search",
        "preset": "typesense",
        "headers": {"X-TYPESENSE-API-KEY": "${TYPESENSE_API_KEY}"},
        "params": _params(plan),
    }
    remarks = ["Typesense returns 250 hits at most, and searches by words alone here."]
    write_system(folder, settings, remarks)


def _schema(plan: ExportPlan) -> dict[str, Any]:
    fields: list[dict[str, Any]] = [{"name": name, "type": "string"} for name in _TEXTS]
    fields += [{"name": name, "type": "string", "facet": True} for name in FILTER_FIELDS]
    fields += [{"name": "declaration", "type": "string", "index": False, "optional": True}]
    fields += [{"name": name, "type": "string[]"} for name in LIST_FIELDS]
    fields += [{"name": "deprecated", "type": "bool"}, {"name": "prominence", "type": "int32"}]
    fields += [
        {"name": f"min_{platform}", "type": "int32", "optional": True} for platform in PLATFORMS
    ]
    if plan.dimension:
        size = {"num_dim": plan.dimension, "optional": True}
        fields += [{"name": "vector", "type": "float[]", **size}]
    return {"name": plan.name, "token_separators": _SEPARATORS, "fields": fields}


def _params(plan: ExportPlan) -> dict[str, Any]:
    return {
        "q": "{query}",
        "query_by": ",".join(plan.weights),
        "query_by_weights": ",".join(map(str, _whole(plan.weights).values())),
        "sort_by": "_text_match:desc,prominence:desc",
        "prefix": "false",
        "per_page": "{k}",
        "exclude_fields": ",".join(_HIDDEN),
    }


def _whole(weights: Mapping[str, float]) -> dict[str, int]:
    """Return whole numbers of the same ratios."""
    exact = {name: Fraction(weight).limit_denominator(_FINEST) for name, weight in weights.items()}
    common = lcm(*(each.denominator for each in exact.values()))
    return {name: max(1, int(each * common)) for name, each in exact.items()}


def _entry(document: ExportedDocument) -> list[dict[str, Any]]:
    fields = {key: value for key, value in document.fields.items() if value is not None}
    entry = {"id": fields["uri"], **fields}
    mean = document.vectors.sum(axis=0) if len(document.vectors) else np.zeros(0)
    length = float(np.linalg.norm(mean))
    if length:
        entry["vector"] = [round(float(value) / length, 6) for value in mean]
    return [entry]


def _steps(plan: ExportPlan) -> Sequence[str]:
    server = "http://localhost:8108/collections"
    send = 'curl -H "X-TYPESENSE-API-KEY: $TYPESENSE_API_KEY"'
    load = f"{server}/{plan.name}/documents/import?action=create"
    return (
        f"{send} {server} --data-binary @schema.json",
        f'for part in documents-*.jsonl; do {send} "{load}" --data-binary "@$part"; done',
    )


TYPESENSE_EXPORTER = Exporter("typesense", "a collection of Typesense", _write, _steps)
