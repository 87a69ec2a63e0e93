"""Judgments as TREC qrels: a line `query 0 document grade` for each document."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cranfield.judging.files.judgment_formats import JudgmentFormat, WrittenFiles, refuse_ids
from cranfield.judging.files.judgment_records import (
    FileEntry,
    JudgmentFile,
    graded_documents,
)
from cranfield.judgments import UNRATEABLE_GRADE, Judgment, JudgmentState
from cranfield.trec_files import read_qrels

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from cranfield.judging.files.judgment_records import JudgmentRecords
    from cranfield.model import Query

__all__ = ["TREC_QRELS", "read_grades"]

_UNFIT = re.compile(r"[\x00-\x20\x7f]|^$|^#|^query-id|^\ufeff")


def _write(records: JudgmentRecords) -> WrittenFiles:
    graded = graded_documents(records)
    ids = (each for row in graded for each in (row.query_id, row.document))
    refuse_ids(
        "TREC qrels",
        filter(_UNFIT.search, ids),
        "they are empty, have white space, or begin as a comment or a header does",
    )
    lines = (f"{row.query_id} 0 {row.document} {row.grade}\n" for row in graded)
    return WrittenFiles({"": "".join(lines).encode()}, len(graded))


def _read(path: Path) -> JudgmentFile:
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
    write=_write,
    read=_read,
)
