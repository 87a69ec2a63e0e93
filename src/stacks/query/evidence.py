"""What the documents around a candidate add to its score: its framework's page, its file's chunks.

A member of a framework seldom says what the framework is for: `copy2` does not speak of high-level
operations on files, the page of `shutil` does. So a question in words that finds the page of a
framework is a little more likely to be answered by what lies below it, by words and by meaning.

A question about code is seldom answered by one function alone: the words that it is asked in are
spread over a class, its methods and the functions beside them. So each chunk is given a share of
the best chunks of the same file.
"""

from __future__ import annotations

import json
from heapq import nlargest
from typing import TYPE_CHECKING

from stacks.query.weights import WEIGHTS

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from stacks.query.question import Question
    from stacks.storage import Database

__all__ = ["add_framework_scores", "find_file_scores", "find_roots"]

_BEST = 3
"""How many of the best chunks of a file count."""
_FEWEST_WORDS = 4
"""A shorter query looks for a name or a line, not for a file about something."""

_FILES = """
SELECT m.id, m.page_id FROM json_each(?) AS wanted JOIN docs_metadata AS m ON m.id = wanted.value
"""


def find_roots(source: str, places: Collection[tuple[int, str, str]]) -> dict[int, int]:
    """Find the page of the framework that each document lies in, if that is among them.

    `places` are the number, the URI and the framework of documents of one source.
    """
    numbers = {uri: number for number, uri, _ in places}
    roots = {}
    for number, _, framework in places:
        root = numbers.get(f"{source}://{framework}", number)
        if root != number:
            roots[number] = root
    return roots


def add_framework_scores(scores: Mapping[int, float], roots: Mapping[int, int]) -> dict[int, float]:
    """Return what the page of its framework adds to each document, if that is found as well."""
    share = WEIGHTS["around"].value
    return {number: share * scores[root] for number, root in roots.items() if root in scores}


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
    share = WEIGHTS["around"].value
    best = {file: sum(nlargest(_BEST, found)) for file, found in grouped.items()}
    added = {number: share * (best[file] - scores[number]) for number, file in files.items()}
    return {number: score for number, score in added.items() if score > 0}
