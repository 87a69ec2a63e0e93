"""What a page is part of speaks for it.

A member of a framework seldom says what the framework is for: `copy2` does not speak of high-level
operations on files, the page of `shutil` does. So a question in words that finds the page of a
framework is a little more likely to be answered by what lies below it, by words and by meaning.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from stacks.query.database import Database

__all__ = ["FRAMEWORK_SHARE", "find_roots", "lean_on_roots"]

FRAMEWORK_SHARE = 0.2
"""How much of the framework's own score is added; measured on questions about two libraries."""

_ROOTS = """
SELECT m.id, root.id FROM json_each(?) AS wanted
JOIN docs_metadata AS m ON m.id = wanted.value
JOIN docs_metadata AS root ON root.uri = m.source || '://' || m.framework AND root.id <> m.id
"""


def find_roots(database: Database, numbers: Iterable[int]) -> dict[int, int]:
    """Find the pages of the frameworks that documents lie in, where there are such."""
    return dict(database.rows(_ROOTS, (json.dumps(list(numbers)),)))


def lean_on_roots(scores: Mapping[int, float], roots: Mapping[int, int]) -> dict[int, float]:
    """Say what each document is given by the page of its framework, if that is found as well."""
    return {
        number: FRAMEWORK_SHARE * scores[root] for number, root in roots.items() if root in scores
    }
