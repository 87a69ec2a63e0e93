"""Content hashes of queries and suites: equal hashes mean the same question."""

from __future__ import annotations

import hashlib
import re
from dataclasses import asdict
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from cranfield.model import Query, Suite

__all__ = ["can_name_file", "hash_query", "hash_suite"]

_FILE_NAME = re.compile(r"\w[\w.-]*")
_JUDGING_NOTHING = ("folder", "latency", "fixture")


def hash_query(query: Query) -> str:
    """Hash what a query asks and expects; notes, tags and category may change freely."""
    return _hash(
        {
            "id": query.id,
            "text": query.text,
            "expect": query.expect,
            "language": query.language,
            "filters": query.filters,
            "pass_rank": query.pass_rank,
        }
    )


def hash_suite(suite: Suite) -> str:
    """Hash a whole suite, its gate and its notes included, but not what judges nothing."""
    told = {name: value for name, value in asdict(suite).items() if name not in _JUDGING_NOTHING}
    return _hash(told)


def _hash(content: object) -> str:
    encoded = msgspec.json.encode(content, order="sorted")
    return hashlib.sha256(encoded).hexdigest()[:16]


def can_name_file(suite_id: str) -> bool:
    """Tell whether files can be named by the id of a suite, as its baselines are."""
    return bool(_FILE_NAME.fullmatch(suite_id))
