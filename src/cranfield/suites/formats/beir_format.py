"""BEIR collections: a folder with queries.jsonl and judgments under qrels."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec

from cranfield.errors import InputError
from cranfield.suites.formats.file_parts import (
    QueriesFile,
    Topic,
    decode_queries,
    join_judgments,
    read_bytes,
    text_lines,
)
from cranfield.suites.formats.suite_formats import SuiteFormat

if TYPE_CHECKING:
    from pathlib import Path

    from cranfield.suites.suite_source import SuiteSource

__all__ = ["BEIR_FORMAT"]

_QUERIES = "queries.jsonl"
_SPLITS = ("test", "dev", "train")
_EXPECTED = 'each line is an object such as {"_id": "1", "text": "a query"}'
_INFORMATIVE = frozenset({"metadata", "title", "url", "answer", "answers", "context"})
"""What collections add to a query, and no retrieval reads."""


class _Query(msgspec.Struct):
    id: str | int = msgspec.field(name="_id")
    text: str


def _read(path: Path) -> SuiteSource:
    """Read a collection, by its folder or by the judgments of one split.

    Given the folder, the split is test, or else dev, or else train.
    """
    folder, qrels = (path, _split_of(path)) if path.is_dir() else (path.parents[1], path)
    queries = folder / _QUERIES
    file = QueriesFile(queries, _EXPECTED, _INFORMATIVE)
    decoded = decode_queries(list(text_lines(read_bytes(queries))), _Query, file)
    topics = [
        Topic(str(query.id), query.text, line)
        for query, line in zip(decoded.queries, decoded.lines, strict=True)
    ]
    name = folder.resolve().name
    suite_id = name if qrels.stem == _SPLITS[0] else f"{name}-{qrels.stem}"
    joined = join_judgments(suite_id, topics, queries, qrels)
    return replace(joined, findings=(*joined.findings, *decoded.findings))


def _split_of(folder: Path) -> Path:
    splits = [folder / "qrels" / f"{split}.tsv" for split in _SPLITS]
    found = next((split for split in splits if split.is_file()), None)
    if found is None:
        raise InputError(
            "has queries and no judgments; a BEIR collection has qrels/test.tsv (or dev.tsv, "
            "train.tsv) beside queries.jsonl",
            file=str(folder),
        )
    return found


def _recognises(path: Path) -> bool:
    if path.is_dir():
        return (path / _QUERIES).is_file()
    return path.suffix == ".tsv" and path.resolve().parent.name == "qrels" and _has_queries(path)


def _has_queries(split: Path) -> bool:
    return (split.resolve().parents[1] / _QUERIES).is_file()


BEIR_FORMAT = SuiteFormat(
    name="beir",
    summary="a BEIR folder with queries.jsonl and qrels/test.tsv, or one of its qrels files",
    recognises=_recognises,
    read=lambda path: _read(path if path.is_dir() else path.resolve()),
)
