"""One grade a document: qrels of TREC, and folders of BEIR."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec

from cranfield.errors import InputError
from cranfield.judging.files.judgment_records import (
    FileEntry,
    JudgmentFile,
    JudgmentFormat,
    WrittenFiles,
    decode_object,
    graded_documents,
    read_text,
    refuse_ids,
)
from cranfield.judgments import UNRATEABLE_GRADE, Judgment, JudgmentState, query_key
from cranfield.model import Hit, Query
from cranfield.relevance import hash_content
from cranfield.trec_files import read_qrels

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from cranfield.judging.files.judgment_records import GradedDocument, JudgmentRecords

__all__ = [
    "BEIR_FOLDER",
    "TREC_QRELS",
    "read_grades",
]

_UNFIT_FOR_QRELS = re.compile(r"[\x00-\x20\x7f]|^$|^#|^query-id|^\ufeff")


def _write_qrels(records: JudgmentRecords) -> WrittenFiles:
    graded = graded_documents(records)
    ids = (each for row in graded for each in (row.query_id, row.document))
    refuse_ids(
        "TREC qrels",
        filter(_UNFIT_FOR_QRELS.search, ids),
        "they are empty, have white space, or begin as a comment or a header does",
    )
    lines = (f"{row.query_id} 0 {row.document} {row.grade}\n" for row in graded)
    return WrittenFiles({"": "".join(lines).encode()}, len(graded))


def _read_qrels(path: Path) -> JudgmentFile:
    return JudgmentFile(read_grades(path, {}))


def read_grades(path: Path, queries: Mapping[str, Query]) -> tuple[FileEntry, ...]:
    """Read qrels of either kind as judgments of an unnamed rater; -1 is a document nobody can rate.

    `queries` are by the ids that the qrels have.
    """
    return tuple(
        FileEntry(make_judgment(query, document, grade), queries.get(query))
        for query, document, grade in read_qrels(str(path)).judgments()
    )


def make_judgment(query_id: str, document: str, grade: int) -> Judgment:
    """Make the judgment of an unnamed rater that a grade of qrels stands for."""
    if grade == UNRATEABLE_GRADE:
        state = JudgmentState.UNRATEABLE
        return Judgment("", document, "", state=state, query_id=query_id)
    return Judgment("", document, "", grade, query_id=query_id)


TREC_QRELS = JudgmentFormat(
    name="trec",
    summary="TREC qrels: a grade for every document",
    suffixes=(".qrels", ".trec"),
    recognises=lambda path: (
        path.is_file()
        and (path.suffix.lower() in (".qrels", ".trec", ".txt") or "qrels" in path.name)
    ),
    write=_write_qrels,
    read=_read_qrels,
)


_QUERIES, _CORPUS, _QRELS = "queries.jsonl", "corpus.jsonl", "qrels/test.tsv"
_UNFIT_FOR_BEIR = re.compile(r'[\x00-\x1f\x7f]|^"|^$|^[ #\ufeff]| $')
_EXPECTED_OF_BEIR = 'each line is an object such as {"_id": "1", "text": "…"}'


def _write_beir(records: JudgmentRecords) -> WrittenFiles:
    graded = graded_documents(records)
    ids = (each for row in graded for each in (row.query_id, row.document))
    refuse_ids(
        "BEIR",
        filter(_UNFIT_FOR_BEIR.search, ids),
        "they are empty, have tabs or line breaks, or begin or end with a character that readers "
        "of tables take for something else",
    )
    queries = {row.query_id: records.queries[row.query] for row in graded}
    texts = _known_texts(graded, records)
    unknown = len({row.document for row in graded} - texts.keys())
    contents = {
        _QUERIES: b"".join(_query_line(name, query) for name, query in queries.items()),
        _CORPUS: b"".join(_document_line(row, records) for row in texts.values()),
        _QRELS: "".join(_qrels_lines(graded)).encode(),
    }
    note = f"{_CORPUS} lacks {unknown} documents, whose text is unknown or was judged in versions"
    return WrittenFiles(contents, len(graded), (note,) if unknown else ())


def _known_texts(
    graded: list[GradedDocument], records: JudgmentRecords
) -> dict[str, GradedDocument]:
    """Return the documents with one text that is known, which is all that a collection holds."""
    contents: dict[str, set[str]] = {}
    for row in graded:
        contents.setdefault(row.document, set()).add(row.content)
    return {
        row.document: row
        for row in graded
        if len(contents[row.document]) == 1 and row.content in records.texts
    }


def _query_line(name: str, query: Query) -> bytes:
    line: dict[str, Any] = {"_id": name, "text": query.text}
    metadata = {"language": query.language, "filters": dict(query.filters)}
    line["metadata"] = {key: value for key, value in metadata.items() if value}
    return msgspec.json.encode(line) + b"\n"


def _document_line(row: GradedDocument, records: JudgmentRecords) -> bytes:
    text = records.texts[row.content]
    known = hash_content(Hit(row.document, text=text)) == row.content
    metadata = {} if known else {"hash": row.content}
    line = {"_id": row.document, "title": "", "text": text, "metadata": metadata}
    return msgspec.json.encode(line) + b"\n"


def _qrels_lines(graded: list[GradedDocument]) -> Iterator[str]:
    yield "query-id\tcorpus-id\tscore\n"
    for row in graded:
        yield f"{row.query_id}\t{row.document}\t{row.grade}\n"


def _read_beir(path: Path) -> JudgmentFile:
    """Read the folder, or one of its files under `qrels`."""
    folder, qrels = (path, path / _QRELS) if path.is_dir() else (path.resolve().parents[1], path)
    queries = dict(_read_queries(folder / _QUERIES))
    corpus = folder / _CORPUS
    contents, texts = _read_corpus(corpus) if corpus.is_file() else ({}, {})
    entries = tuple(
        _complete(entry, contents.get(entry.judgment.document, ""))
        for entry in read_grades(qrels, queries)
    )
    return JudgmentFile(entries, texts)


def _complete(entry: FileEntry, content: str) -> FileEntry:
    key = query_key(entry.query) if entry.query else ""
    return replace(entry, judgment=replace(entry.judgment, query=key, content=content))


def _read_queries(path: Path) -> Iterator[tuple[str, Query]]:
    for line, number in _lines(path):
        metadata = line.get("metadata") or {}
        if not isinstance(metadata, dict) or not isinstance(line.get("text"), str):
            raise InputError(f"has no text; {_EXPECTED_OF_BEIR}", file=str(path), line=number)
        filters = metadata.get("filters") or {}
        language = str(metadata.get("language") or "")
        yield (
            str(line["_id"]),
            Query(str(line["_id"]), line["text"], language=language, filters=filters),
        )


def _read_corpus(path: Path) -> tuple[dict[str, str], dict[str, str]]:
    """Return the content of every document that has a text, and the text of every content."""
    contents, texts = {}, {}
    for line, _ in _lines(path):
        name = str(line["_id"])
        parts = (line.get("title"), line.get("text"))
        text = "\n".join(str(part) for part in parts if part)
        metadata = line.get("metadata")
        fields = metadata if isinstance(metadata, dict) else {}
        content = hash_content(Hit(name, text=text, fields=fields))
        if content:
            contents[name], texts[content] = content, text
    return contents, texts


def _lines(path: Path) -> Iterator[tuple[dict[str, Any], int]]:
    for number, line in enumerate(read_text(path, may_be_empty=True).split("\n"), start=1):
        if line.strip():
            value = decode_object(line, path, number, _EXPECTED_OF_BEIR)
            if "_id" not in value:
                raise InputError(f"has no _id; {_EXPECTED_OF_BEIR}", file=str(path), line=number)
            yield value, number


def _recognises(path: Path) -> bool:
    if path.is_dir():
        return (path / _QUERIES).is_file()
    in_folder = path.suffix == ".tsv" and path.resolve().parent.name == "qrels"
    return in_folder and (path.resolve().parents[1] / _QUERIES).is_file()


BEIR_FOLDER = JudgmentFormat(
    name="beir",
    summary="a BEIR folder: a grade for every document, with the texts that are known",
    suffixes=("",),
    recognises=_recognises,
    write=_write_beir,
    read=_read_beir,
)
