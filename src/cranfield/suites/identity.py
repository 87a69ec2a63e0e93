"""The identity of queries and suites: content hashes, and ids that can name files."""

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
_NOT_HASHED = ("folder", "latency", "fixture")


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
    """Hash a whole suite, gate and notes included, without what does not affect a verdict."""
    content = asdict(suite)
    return _hash({name: content[name] for name in content if name not in _NOT_HASHED})


def _hash(content: object) -> str:
    encoded = msgspec.json.encode(content, order="sorted")
    return hashlib.sha256(encoded).hexdigest()[:16]


def can_name_file(suite_id: str) -> bool:
    """Return whether the id of a suite can name files, as those of its baselines."""
    return bool(_FILE_NAME.fullmatch(suite_id))
