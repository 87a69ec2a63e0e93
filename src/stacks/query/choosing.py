"""The best of many scores, the same ones whatever the order they come in."""

from __future__ import annotations

import json
from heapq import nlargest
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from stacks.query.database import Database

__all__ = ["choose_best"]

_IN_ORDER = """
SELECT m.id FROM json_each(?) AS wanted JOIN docs_metadata AS m ON m.id = wanted.value
ORDER BY m.uri LIMIT ?
"""


def choose_best(database: Database, scores: Mapping[int, float], count: int) -> list[int]:
    """Choose the highest; of those that are equal at the end, the ones whose URIs come first."""
    if len(scores) <= count:
        return list(scores)
    last = nlargest(count, scores.values())[-1]
    reaching = [number for number, score in scores.items() if score >= last]
    if len(reaching) == count:
        return reaching
    above = [number for number in reaching if scores[number] > last]
    equal = [number for number in reaching if scores[number] == last]
    rows = database.rows(_IN_ORDER, (json.dumps(equal), count - len(above)))
    return above + [number for (number,) in rows]
