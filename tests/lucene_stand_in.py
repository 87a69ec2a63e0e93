"""A stand-in for OpenSearch and Elasticsearch: no such server can be started for the tests.

It takes an index with a strict mapping, bulk files and searches, and answers in the shapes of the
real ones. What it does not know it refuses with the error that they give, so a request which
passes here has the parts that a real server reads. Its scores are BM25 of each field, added or the
best of them, as `multi_match` has it; it has no nested queries and no vectors to search by.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from tests.systems.servers import Received, Reply

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

TYPES = {"text", "keyword", "integer", "boolean", "knn_vector", "nested"}
FILTERS = {"lowercase", "asciifolding", "porter_stem"}
COMBINED: dict[str, Callable[[list[float]], float]] = {"best_fields": max, "most_fields": sum}
BODY = {"size", "query", "_source"}
K1, B = 1.2, 0.75


class RefusedError(Exception):
    """A request that the server does not take: its code, the type of the error and a reason."""

    def __init__(self, code: int, kind: str, reason: str) -> None:
        super().__init__(reason)
        self.reply = Reply(
            {"error": {"type": kind, "reason": reason, "root_cause": []}, "status": code}, code
        )


def refuse(kind: str, reason: str) -> RefusedError:
    return RefusedError(400, kind, reason)


@dataclass
class LuceneIndex:
    """An index: its fields with their types, and its documents by id."""

    properties: dict[str, Any] | None = None
    documents: dict[str, dict[str, Any]] = field(default_factory=dict)
    words: dict[str, dict[str, Counter[str]]] = field(default_factory=dict)

    def add(self, name: str, source: dict[str, Any]) -> None:
        if len(name.encode()) > 512:
            raise refuse("illegal_argument_exception", "id is too long, must be no longer than 512")
        for key, value in source.items() if self.properties is not None else ():
            if key not in (self.properties or {}):
                kind = "strict_dynamic_mapping_exception"
                raise refuse(kind, f"introduction of [{key}] is not allowed")
            check_value((self.properties or {})[key], value)
        self.documents[name] = source

    def words_of(self, path: str) -> dict[str, Counter[str]]:
        """Count the words of a field, by document."""
        if path not in self.words:
            key = path.removesuffix(".words")
            self.words[path] = {
                name: Counter(analyze(str(source.get(key, ""))))
                for name, source in self.documents.items()
            }
        return self.words[path]

    def text_fields(self) -> list[str]:
        if self.properties is None:
            return sorted({key for source in self.documents.values() for key in source})
        return [name for name, each in self.properties.items() if each["type"] == "text"]

    def check_field(self, path: str) -> None:
        name, _, below = path.partition(".")
        known = (self.properties or {}).get(name)
        if self.properties is not None and (known is None or (below and "fields" not in known)):
            raise AssertionError(f"a query of a field that the mapping lacks finds nothing: {path}")


def check_value(known: dict[str, Any], value: Any) -> None:
    kinds = {"integer": int, "boolean": bool, "text": str}
    expected = kinds.get(known["type"])
    if expected is not None and not isinstance(value, expected):
        raise refuse("mapper_parsing_exception", f"failed to parse field of type {known['type']}")
    for piece in value if known["type"] == "nested" else ():
        size = known["properties"]["vector"]["dimension"]
        if len(piece["vector"]) != size:
            raise refuse("mapper_parsing_exception", f"vector dimension mismatch: {size}")


def analyze(text: str) -> list[str]:
    return [word.removesuffix("s") for word in re.findall(r"[^\W_]+", text.lower())]


@dataclass
class StandIn:
    """The server: its indexes by name."""

    indexes: dict[str, LuceneIndex] = field(default_factory=dict)

    def reply(self, request: Received) -> Reply:
        name, _, action = urlsplit(request.path).path.strip("/").partition("/")
        try:
            if request.method == "PUT" and not action:
                return self._create(name, request.json)
            return self._handle(name, action, request)
        except RefusedError as refused:
            return refused.reply

    def _handle(self, name: str, action: str, request: Received) -> Reply:
        if name not in self.indexes:
            raise RefusedError(404, "index_not_found_exception", f"no such index [{name}]")
        handlers = {"_bulk": self._bulk, "_search": self._search}
        if request.method != "POST" or action not in handlers:
            raise RefusedError(405, "method_not_allowed", f"{request.method} {action}")
        return handlers[action](self.indexes[name], request)

    def _create(self, name: str, body: dict[str, Any]) -> Reply:
        analysis = body.get("settings", {}).get("analysis", {})
        for each in analysis.get("analyzer", {}).values():
            if each["tokenizer"] not in analysis["tokenizer"] or set(each["filter"]) - FILTERS:
                raise refuse("illegal_argument_exception", "failed to find tokenizer or filter")
        properties = body["mappings"]["properties"]
        for key, each in properties.items():
            analyzer = each.get("analyzer", "standard")
            if each["type"] not in TYPES or analyzer not in (*analysis["analyzer"], "standard"):
                raise refuse("mapper_parsing_exception", f"no handler for type of [{key}]")
        self.indexes[name] = LuceneIndex(properties)
        return Reply({"acknowledged": True, "index": name})

    def _bulk(self, index: LuceneIndex, request: Received) -> Reply:
        if "json" not in request.headers.get("content-type", ""):
            raise RefusedError(406, "content_type_header", "Content-Type header is not supported")
        if not request.body.endswith(b"\n"):
            raise refuse("illegal_argument_exception", "The bulk request must be terminated by a "
                         "newline [\\n]")  # fmt: skip
        lines = [json.loads(line) for line in request.body.splitlines()]
        for action, source in zip(lines[::2], lines[1::2], strict=True):
            index.add(action["index"]["_id"], source)
        return Reply({"took": 1, "errors": False, "items": [{}] * (len(lines) // 2)})

    def _search(self, index: LuceneIndex, request: Received) -> Reply:
        if unknown := set(request.json) - BODY:
            raise refuse("parsing_exception", f"Unknown key for a VALUE in {sorted(unknown)}")
        size = request.json.get("size", 10)
        if not isinstance(size, int) or not 0 <= size <= 10_000:
            raise refuse("illegal_argument_exception", "[size] must be a number up to 10000")
        scored = sorted(
            ((score, name) for name, score in search(index, request.json["query"]).items()),
            key=lambda pair: (-pair[0], pair[1]),
        )
        hidden = request.json.get("_source", {}).get("excludes", [])
        hits = [
            {"_index": "docs", "_id": name, "_score": score,
             "_source": {key: value for key, value in index.documents[name].items()
                         if key not in hidden}}
            for score, name in scored[:size]
        ]  # fmt: skip
        total = {"value": len(scored), "relation": "eq"}
        best = hits[0]["_score"] if hits else None
        found = {"total": total, "max_score": best, "hits": hits}
        return Reply({"took": 1, "timed_out": False, "_shards": {"failed": 0}, "hits": found})


def search(index: LuceneIndex, query: dict[str, Any]) -> dict[str, float]:
    """Score the documents of a query: `bool` with `must` and `filter`, `multi_match`, `term`."""
    [(kind, body)] = query.items()
    if kind == "multi_match":
        return multi_match(index, body)
    if kind == "term":
        [(name, value)] = body.items()
        if isinstance(value, list):
            raise refuse("parsing_exception", "[term] query does not support array of values")
        index.check_field(name)
        return {each: 0.0 for each, known in index.documents.items() if known.get(name) == value}
    if kind != "bool" or set(body) - {"must", "filter"}:
        raise refuse("parsing_exception", f"unknown query [{kind}]")
    scores = dict.fromkeys(index.documents, 0.0)
    for part in body.get("must", []):
        found = search(index, part)
        scores = {name: scores[name] + score for name, score in found.items() if name in scores}
    for part in body.get("filter", []):
        passing = search(index, part)
        scores = {name: score for name, score in scores.items() if name in passing}
    return scores


def multi_match(index: LuceneIndex, body: dict[str, Any]) -> dict[str, float]:
    if set(body) - {"query", "fields", "type", "lenient"}:
        raise refuse("parsing_exception", f"[multi_match] query does not support {sorted(body)}")
    combine = COMBINED[body.get("type", "best_fields")]
    fields = [each.partition("^") for each in body.get("fields") or index.text_fields()]
    for name, _, _ in fields:
        index.check_field(name)
    scored = [
        {
            document: float(boost or 1) * score
            for document, score in bm25(index, name, body["query"])
        }
        for name, _, boost in fields
    ]
    found = {document for each in scored for document in each}
    return {
        document: float(combine([each.get(document, 0.0) for each in scored])) for document in found
    }


def bm25(index: LuceneIndex, path: str, text: str) -> Iterator[tuple[str, float]]:
    """Yield the documents that have a word of the text in a field, with their scores."""
    words = index.words_of(path)
    mean = sum(each.total() for each in words.values()) / max(len(words), 1)
    terms = set(analyze(text))
    holding = Counter(term for each in words.values() for term in terms & each.keys())
    for name, counts in words.items():
        score = sum(
            math.log(1 + (len(words) - holding[term] + 0.5) / (holding[term] + 0.5))
            * counts[term] / (counts[term] + K1 * (1 - B + B * counts.total() / mean))
            for term in terms if counts[term]
        )  # fmt: skip
        if score:
            yield name, score
