"""Versions as comparable numbers: 17.4.1 is 170401."""

from __future__ import annotations

import re

__all__ = ["version_number"]

_VERSION = re.compile(r"\s*(\d+)(?:\.(\d+))?(?:\.(\d+))?")
_LONGEST_MAJOR = 9
"""Digits of the first part; a longer one is not a version, and does not fit into the database."""


def version_number(version: str) -> int | None:
    """Turn `17`, `17.4` or `17.4.1` into a number.

    None if it does not begin with a digit, or has more digits than any version has.
    """
    match = _VERSION.match(version)
    if match is None:
        return None
    major, minor, patch = ((part or "0").lstrip("0") or "0" for part in match.groups())
    if len(major) > _LONGEST_MAJOR:
        return None
    return int(major) * 10_000 + _two_digits(minor) * 100 + _two_digits(patch)


def _two_digits(part: str) -> int:
    return int(part) if len(part) <= 2 else 99
