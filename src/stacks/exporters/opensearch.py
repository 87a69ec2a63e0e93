"""An index for OpenSearch: the mapping, bulk files, and a query with the weights of the fields.

The analyzer is that of the index: words are letters and digits, without diacritics, stemmed by
Porter's algorithm; OpenSearch's BM25 has the same constants. Vectors are nested, one for each piece
of a text.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

from stacks.export import (
    FILTER_FIELDS,
    LIST_FIELDS,
    NUMBER_FIELDS,
    Exporter,
    write_json,
    write_parts,
    write_system,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from stacks.export import ExportedDocument, ExportPlan

__all__ = ["OPENSEARCH_EXPORTER"]

_LONGEST_ID = 512
_KEYWORDS = (*FILTER_FIELDS, *LIST_FIELDS)
_HIDDEN = ("content", "symbols", "symbol_components", "names", "pieces")


def _write(plan: ExportPlan, documents: Iterable[ExportedDocument], folder: Path) -> None:
    write_json(folder / "mapping.json", _mapping(plan))
    write_json(folder / "query.json", _query(plan))
    write_parts(folder, "ndjson", (_entry(document) for document in documents))
    settings = {
        "kind": "http",
        "url": f"http://localhost:9200/{plan.name}/_search",
        "preset": "opensearch",
        "id": "_source.uri",
        "body": _query(plan),
    }
    write_system(folder, settings)


def _mapping(plan: ExportPlan) -> dict[str, Any]:
    text = {"type": "text", "analyzer": "stacks"}
    properties: dict[str, Any] = {name: {"type": "keyword"} for name in _KEYWORDS}
    for name in plan.weights:
        known = properties.get(name)
        properties[name] = {**known, "fields": {"words": text}} if known else text
    properties |= {
        "uri": {"type": "keyword", "fields": {"words": text}},
        "declaration": {"type": "text", "index": False},
        "deprecated": {"type": "boolean"},
        **{name: {"type": "integer"} for name in NUMBER_FIELDS},
    }
    if plan.dimension:
        vector = {"type": "knn_vector", "dimension": plan.dimension, "space_type": "cosinesimil"}
        properties["pieces"] = {"type": "nested", "properties": {"vector": vector}}
    return {
        "settings": {"index": {"knn": bool(plan.dimension)}, "analysis": _analysis()},
        "mappings": {"dynamic": "strict", "properties": properties},
    }


def _analysis() -> dict[str, Any]:
    words = {"type": "pattern", "pattern": r"[^\p{L}\p{N}\p{Co}\p{Mn}\p{Mc}]+"}
    analyzer = {"tokenizer": "words", "filter": ["lowercase", "asciifolding", "porter_stem"]}
    return {"tokenizer": {"words": words}, "analyzer": {"stacks": {"type": "custom", **analyzer}}}


def _query(plan: ExportPlan) -> dict[str, Any]:
    """Write the body of a search; {query}, {k} and filters are filled in."""
    fields = [
        f"{name}.words^{weight:g}" if name in (*_KEYWORDS, "uri") else f"{name}^{weight:g}"
        for name, weight in plan.weights.items()
    ]
    match = {"query": "{query}", "type": "most_fields", "fields": fields}
    filters = [{"term": {name: f"{{filters.{name}}}"}} for name in FILTER_FIELDS]
    return {
        "size": "{k}",
        "query": {"bool": {"must": [{"multi_match": match}], "filter": filters}},
        "_source": {"excludes": list(_HIDDEN)},
    }


def _entry(document: ExportedDocument) -> list[dict[str, Any]]:
    uri = document.fields["uri"]
    is_short = len(uri.encode()) <= _LONGEST_ID
    name = uri if is_short else sha256(uri.encode()).hexdigest()
    fields = {key: value for key, value in document.fields.items() if value is not None}
    pieces = [{"vector": [round(float(x), 6) for x in vector]} for vector in document.vectors]
    return [{"index": {"_id": name}}, {**fields, **({"pieces": pieces} if pieces else {})}]


def _steps(plan: ExportPlan) -> Sequence[str]:
    server = f"http://localhost:9200/{plan.name}"
    send = "curl -H 'Content-Type: application/x-ndjson'"
    return (
        f"curl -X PUT -H 'Content-Type: application/json' {server} --data-binary @mapping.json",
        f'for part in documents-*.ndjson; do {send} {server}/_bulk --data-binary "@$part"; done',
    )


OPENSEARCH_EXPORTER = Exporter("opensearch", "an index of OpenSearch", _write, _steps)
