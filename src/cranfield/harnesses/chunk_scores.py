"""Scored chunks: a SQLite file with questions, and a score for each chunk reviewed for them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

from cranfield.errors import InputError
from cranfield.model import Query, Suite
from cranfield.relevance import open_read_only
from cranfield.suites import Finding, FindingSeverity, SuiteSource

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["read_chunk_scores"]

_EXPECTED = (
    "scored chunks have the tables Questions (questionId, question) and "
    "Scores (questionId, chunkHash, score)"
)
_TEXT_COLUMNS = ("question", "text")
_COLUMNS = "SELECT lower(name) FROM pragma_table_info(?)"
_QUESTIONS = {
    column: f"SELECT questionId, {column} FROM Questions ORDER BY rowid"  # noqa: S608 - our own names
    for column in _TEXT_COLUMNS
}
_SCORES = "SELECT questionId, chunkHash, score FROM Scores ORDER BY rowid"
_HASHES = "SELECT chunkHash FROM Hashes"


def read_chunk_scores(path: Path) -> SuiteSource:
    """Read questions with their scored chunks; a score of 0 is kept as judged and not relevant."""
    try:
        with closing(open_read_only(path)) as opened:
            questions = _questions(opened, path)
            scores = _scores(opened, path)
            known = (
                {str(row[0]) for row in opened.execute(_HASHES)} if _has_hashes(opened) else None
            )
    except sqlite3.Error as problem:
        raise InputError(f"cannot be read: {problem}; {_EXPECTED}", file=str(path)) from None
    queries = tuple(
        Query(name, text, {"chunks": scores[name]}) for name, text in questions if name in scores
    )
    findings = (*_findings(queries, known), *_unasked(questions, scores))
    unscored = len(questions) - len(queries)
    description = f"{unscored} questions without a score are left out" if unscored else ""
    suite = Suite(path.stem, "chunks", queries, description)
    return SuiteSource(suite, path, findings=findings)


def _questions(opened: sqlite3.Connection, path: Path) -> list[tuple[str, str]]:
    columns = _columns(opened, "Questions")
    text = next((name for name in _TEXT_COLUMNS if name in columns), None)
    if text is None or "questionid" not in columns:
        raise InputError(f"has no table of questions; {_EXPECTED}", file=str(path))
    rows = opened.execute(_QUESTIONS[text]).fetchall()
    if not rows:
        raise InputError("has no question; the table Questions is empty", file=str(path))
    return [(str(name), "" if asked is None else str(asked)) for name, asked in rows]


def _scores(opened: sqlite3.Connection, path: Path) -> dict[str, dict[str, int]]:
    if not {"questionid", "chunkhash", "score"} <= _columns(opened, "Scores"):
        raise InputError(f"has no table of scores; {_EXPECTED}", file=str(path))
    scores: dict[str, dict[str, int]] = {}
    for question, chunk, score in opened.execute(_SCORES):
        of_question = scores.setdefault(str(question), {})
        if str(chunk) in of_question:
            raise InputError(
                f"question {question!r} has two scores for the chunk {chunk!r}; keep one",
                file=str(path),
            )
        of_question[str(chunk)] = _score(score, question, chunk, path)
    return scores


def _score(score: Any, question: Any, chunk: Any, path: Path) -> int:
    if isinstance(score, int | float) and float(score).is_integer():
        return int(score)
    raise InputError(
        f"question {question!r} has the score {score!r} for the chunk {chunk!r}; scores are "
        "whole numbers, 0 for a chunk that is not needed",
        file=str(path),
    )


def _has_hashes(opened: sqlite3.Connection) -> bool:
    return "chunkhash" in _columns(opened, "Hashes")


def _columns(opened: sqlite3.Connection, table: str) -> set[str]:
    return {row[0] for row in opened.execute(_COLUMNS, (table,))}


def _findings(queries: tuple[Query, ...], known: set[str] | None) -> Iterator[Finding]:
    for query in queries:
        scores: dict[str, int] = query.expect["chunks"]
        lost = len(scores.keys() - known) if known is not None else 0
        if lost:
            message = (
                f"{lost} scored chunks of the question {query.id!r} are not in the table Hashes; "
                "nothing can find them any more"
            )
            yield Finding(FindingSeverity.WARNING, message, query.id)


def _unasked(
    questions: list[tuple[str, str]], scores: dict[str, dict[str, int]]
) -> Iterator[Finding]:
    for name in sorted(scores.keys() - {name for name, _ in questions}):
        message = f"there are scores for the question {name!r}, which is not in Questions"
        yield Finding(FindingSeverity.WARNING, message)
