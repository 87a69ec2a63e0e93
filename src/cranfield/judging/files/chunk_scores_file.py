"""Judgments as scored chunks: an SQLite file of files, chunks, questions and scores."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from cranfield.errors import InputError
from cranfield.formats import count_of, count_queries
from cranfield.judging.files.chunk_selections import JudgedChunk, make_chunks
from cranfield.judging.files.judgment_records import (
    FileEntry,
    JudgmentFile,
    JudgmentFormat,
    WrittenFiles,
    graded_documents,
)
from cranfield.judgments import UNRATEABLE_GRADE, Judgment, JudgmentState, query_key
from cranfield.model import Query
from cranfield.relevance import open_read_only

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from pathlib import Path

    from cranfield.judging.files.chunk_selections import SelectedHit
    from cranfield.judging.files.judgment_records import GradedDocument, JudgmentRecords

__all__ = ["CHUNK_SCORES_FILE"]

_SCHEMA = """
PRAGMA page_size = 4096;
CREATE TABLE Files (
  fileName TEXT PRIMARY KEY,
  mtime FLOAT NOT NULL,  -- seconds; when scoring began, for all files
  size INTEGER NOT NULL  -- bytes
);
CREATE TABLE Chunks (
  chunkId TEXT PRIMARY KEY,
  treeName TEXT NOT NULL,  -- module, class, function, method …
  codeName TEXT NOT NULL,
  parentId TEXT REFERENCES Chunks(chunkId),
  fileName TEXT NOT NULL REFERENCES Files(fileName),
  lineNo INTEGER NOT NULL  -- from 1
);
CREATE TABLE Blobs (
  chunkId TEXT NOT NULL REFERENCES Chunks(chunkId),
  start INTEGER NOT NULL,  -- from 1
  lines TEXT NOT NULL,
  breadcrumb TEXT NOT NULL  -- names of the chunks around it
);
CREATE TABLE Info (
  codebase TEXT,
  startTimestamp TEXT,
  endTimestamp TEXT,  -- of scoring
  notes TEXT
);
CREATE TABLE Hashes (
  chunkHash TEXT PRIMARY KEY,
  chunkId TEXT UNIQUE REFERENCES Chunks(chunkId)
);
CREATE TABLE Documents (
  chunkHash TEXT NOT NULL REFERENCES Hashes(chunkHash),
  documentId TEXT NOT NULL,  -- under which a system found the chunk
  CONSTRAINT pair UNIQUE (chunkHash, documentId)
);
CREATE TABLE Questions (
  questionId TEXT PRIMARY KEY,
  question TEXT NOT NULL
);
CREATE TABLE Scores (
  questionId TEXT REFERENCES Questions(questionId),
  chunkHash TEXT REFERENCES Hashes(chunkHash),
  score INTEGER,  -- 0 or 1
  timestamp TEXT,
  CONSTRAINT pair UNIQUE (questionId, chunkHash)
);
CREATE TABLE Runs (
  runId TEXT PRIMARY KEY,
  runName TEXT UNIQUE,
  comments TEXT,
  startTimestamp TEXT,
  endTimestamp TEXT
);
CREATE TABLE RunScores (
  runId TEXT REFERENCES Runs(runId),
  questionId TEXT REFERENCES Questions(questionId),
  chunkHash TEXT REFERENCES Hashes(chunkHash),
  score INTEGER,  -- 0 or 1
  relevance FLOAT,  -- Range [0.0 ... 1.0]
  CONSTRAINT triple UNIQUE (runId, questionId, chunkHash)
);
"""
_WRITER = slice(96, 100)  # the version of the library that wrote a file: information, no more
_SAME_WRITER = (3_035_000).to_bytes(4, "big")
_EXPECTED = "scored chunks have the tables Questions (questionId, question) and Scores"
_QUESTIONS = "SELECT questionId, question FROM Questions ORDER BY rowid"
_SCORES = "SELECT questionId, chunkHash, score, timestamp FROM Scores ORDER BY rowid"
_HASHES = "SELECT chunkHash, chunkId FROM Hashes"
_DOCUMENTS = "SELECT chunkHash, documentId FROM Documents ORDER BY rowid"
_TEXTS = "SELECT chunkHash, lines FROM Hashes JOIN Blobs USING (chunkId) ORDER BY start"
_RUNS = "SELECT count(*) FROM Runs"
_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table'"


def _write(records: JudgmentRecords) -> WrittenFiles:
    """Write a score for each pair of question and chunk; the same records give the same bytes."""
    graded = graded_documents(records)
    chunks = make_chunks(graded, records)
    with closing(sqlite3.connect(":memory:")) as database:
        database.executescript(_SCHEMA)
        started = records.started or min((row.given for row in graded), default="")
        _write_chunks(database, chunks, started)
        _write_scores(database, graded, replace(records, started=started))
        unknown = _write_runs(database, graded, records)
        database.commit()
        database.execute("VACUUM")
        content = bytearray(database.serialize())
    content[_WRITER] = _SAME_WRITER
    notes = tuple(_left_out(records, unknown))
    return WrittenFiles({"": bytes(content)}, len(graded), notes)


def _left_out(records: JudgmentRecords, unknown: int) -> Iterator[str]:
    if unknown:
        are = "is" if unknown == 1 else "are"
        yield f"{count_of(unknown, 'unjudged hit')} for any question {are} left out"
    narrowed = sum(bool(each.language or each.filters) for each in records.queries.values())
    if narrowed:
        queries = count_queries(narrowed)
        yield f"the languages and filters of {queries} are left out; .jsonl holds them"


def _write_chunks(
    database: sqlite3.Connection, chunks: Sequence[JudgedChunk], started: str
) -> None:
    began = _seconds(started)
    sizes: dict[str, int] = {}
    for chunk in chunks:
        own = len(chunk.text.encode())
        sizes[chunk.file] = chunk.file_size or sizes.get(chunk.file, 0) + own
    database.executemany(
        "INSERT INTO Files VALUES (?, ?, ?)", ((name, began, size) for name, size in sizes.items())
    )
    database.executemany(
        "INSERT INTO Chunks VALUES (?, ?, ?, ?, ?, ?)",
        ((each.id, each.kind, each.name, each.parent, each.file, each.line) for each in chunks),
    )
    database.executemany(
        "INSERT INTO Blobs VALUES (?, ?, ?, ?)",
        ((each.id, each.line, each.text, each.breadcrumb) for each in chunks),
    )
    database.executemany(
        "INSERT INTO Hashes VALUES (?, ?)", ((each.hash, each.id) for each in chunks)
    )
    database.executemany(
        "INSERT INTO Documents VALUES (?, ?)",
        ((each.hash, document) for each in chunks for document in each.documents),
    )


def _write_scores(
    database: sqlite3.Connection, graded: Sequence[GradedDocument], records: JudgmentRecords
) -> None:
    ended = max((row.given for row in graded), default="")
    database.execute(
        "INSERT INTO Info VALUES (?, ?, ?, ?)",
        (records.codebase, records.started, ended, records.notes),
    )
    asked = {row.query_id: records.queries[row.query].text for row in graded}
    database.executemany("INSERT INTO Questions VALUES (?, ?)", asked.items())
    scores = {(row.query_id, row.item): (row.grade, row.given) for row in graded}
    database.executemany(
        "INSERT INTO Scores VALUES (?, ?, ?, ?)",
        ((*pair, grade, given) for pair, (grade, given) in scores.items()),
    )


def _write_runs(
    database: sqlite3.Connection, graded: Sequence[GradedDocument], records: JudgmentRecords
) -> int:
    """Write for each run, question and chunk whether the run selected it; count unknown chunks."""
    scored: dict[tuple[str, str], dict[str, None]] = {}
    for row in graded:
        scored.setdefault((row.query, row.query_id), {})[row.item] = None
    known = {row.item for row in graded}
    unknown = 0
    for run in records.runs:
        database.execute(
            "INSERT INTO Runs VALUES (?, ?, ?, ?, ?)",
            (run.id, run.name, run.comments, run.started, run.finished),
        )
        for (query, question), chunks in scored.items():
            hits = run.hits.get(query, ())
            selected = {item: hit for hit in reversed(hits) if (item := _chunk_of(hit, known))}
            unknown += sum(not _chunk_of(hit, known) for hit in hits)
            rows = {**dict.fromkeys(chunks), **selected}
            database.executemany(
                "INSERT INTO RunScores VALUES (?, ?, ?, ?, ?)",
                (
                    (run.id, question, item, int(hit is not None), hit and hit.relevance)
                    for item, hit in rows.items()
                ),
            )
    return unknown


def _chunk_of(hit: SelectedHit, known: Collection[str]) -> str:
    """Return what a hit was judged as, empty if nobody judged it."""
    return next((item for item in (hit.content, f"id:{hit.document}") if item in known), "")


def _seconds(time: str) -> float:
    try:
        moment = datetime.fromisoformat(time)
    except ValueError:
        return 0.0
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def _read(path: Path) -> JudgmentFile:
    try:
        with closing(open_read_only(path)) as opened:
            tables = {name for (name,) in opened.execute(_TABLES)}
            return _read_tables(opened, tables, path)
    except sqlite3.Error as problem:
        raise InputError(f"cannot be read: {problem}; {_EXPECTED}", file=str(path)) from None


def _read_tables(opened: sqlite3.Connection, tables: set[str], path: Path) -> JudgmentFile:
    queries = {
        str(name): Query(str(name), str(text)) for name, text in opened.execute(_QUESTIONS) if text
    }
    documents: dict[str, list[str]] = {}
    if "Hashes" in tables:
        documents = {chunk: [str(name)] for chunk, name in opened.execute(_HASHES)}
    if "Documents" in tables:
        found: dict[str, list[str]] = {}
        for chunk, document in opened.execute(_DOCUMENTS):
            found.setdefault(chunk, []).append(document)
        documents |= found
    entries = tuple(
        entry
        for row in opened.execute(_SCORES)
        for entry in _entries(row, queries, documents.get(row[1], [str(row[1])]), path)
    )
    texts: dict[str, str] = {}
    if {"Hashes", "Blobs"} <= tables:
        for chunk, lines in opened.execute(_TEXTS):
            content = _content(chunk)
            if content and lines:
                texts[content] = f"{texts[content]}\n{lines}" if content in texts else lines
    runs = opened.execute(_RUNS).fetchone()[0] if "Runs" in tables else 0
    return JudgmentFile(entries, texts, notes=_passed_over(runs))


def _passed_over(runs: int) -> tuple[str, ...]:
    return (
        (f"{count_of(runs, 'run is', 'runs are')} not imported; run the systems again",)
        if runs
        else ()
    )


def _entries(
    row: tuple[Any, ...], queries: dict[str, Query], documents: Sequence[str], path: Path
) -> Iterator[FileEntry]:
    question, chunk, score, given = row
    if not isinstance(score, int):
        raise InputError(
            f"question {question!r} has the score {score!r} for the chunk {chunk!r}; scores are "
            "whole numbers, 0 for a chunk that is not needed",
            file=str(path),
        )
    query = queries.get(str(question))
    rated = score != UNRATEABLE_GRADE
    for document in documents:
        judgment = Judgment(
            query="" if query is None else query_key(query),
            document=document,
            rater="",
            grade=score if rated else None,
            content=_content(str(chunk)),
            state=JudgmentState.GRADED if rated else JudgmentState.UNRATEABLE,
            given=str(given or ""),
            query_id=str(question),
        )
        yield FileEntry(judgment, query)


def _content(chunk: str) -> str:
    """Return the content that a hash stands for; a document of unknown content has none."""
    return "" if chunk.startswith("id:") else chunk


def _recognises(path: Path) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as opened:
        return opened.read(15) == b"SQLite format 3"


CHUNK_SCORES_FILE = JudgmentFormat(
    name="chunk-scores",
    summary="an SQLite file of scored chunks: a score for every question and chunk",
    suffixes=(".db", ".sqlite", ".sqlite3"),
    recognises=_recognises,
    write=_write,
    read=_read,
    holds_runs=True,
)
