"""What the other chunks of its file add to a chunk: a file is more than its best chunk.

A question about code is seldom answered by one function alone: the words that it is asked in are
spread over a class, its methods and the functions beside them. So each chunk is given a share of
the best chunks of the same file.
"""

from __future__ import annotations

import json
from heapq import nlargest
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from stacks.query.database import Database
    from stacks.query.question import Question

__all__ = ["find_file_scores"]

_SHARE = 0.2
"""The share of the other chunks' scores; measured on scored chunks and on changes of our source."""
_BEST = 3
"""How many of the best chunks of a file count."""
_FEWEST_WORDS = 4
"""A shorter query looks for a name or a line, not for a file about something."""

_FILES = """
SELECT m.id, m.page_id FROM json_each(?) AS wanted JOIN docs_metadata AS m ON m.id = wanted.value
"""


def find_file_scores(
    database: Database, scores: Mapping[int, float], question: Question
) -> dict[int, float]:
    """Return what the other chunks of its file add to the score of each chunk."""
    if not question.is_prose or len(question.query.words) < _FEWEST_WORDS:
        return {}
    files: dict[int, int] = dict(database.rows(_FILES, (json.dumps(list(scores)),)))
    grouped: dict[int, list[float]] = {}
    for number, file in files.items():
        grouped.setdefault(file, []).append(scores[number])
    best = {file: sum(nlargest(_BEST, found)) for file, found in grouped.items()}
    added = {number: _SHARE * (best[file] - scores[number]) for number, file in files.items()}
    return {number: score for number, score in added.items() if score > 0}
