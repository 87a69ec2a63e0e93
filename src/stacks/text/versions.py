"""Versions as numbers that compare as versions do: 17.4.1 is 170401."""

from __future__ import annotations

import re

__all__ = ["version_number"]

_VERSION = re.compile(r"\s*(\d+)(?:\.(\d+))?(?:\.(\d+))?")


def version_number(version: str) -> int | None:
    """Turn `17`, `17.4` or `17.4.1` into a number; None for what begins with no digit."""
    match = _VERSION.match(version)
    if match is None:
        return None
    major, minor, patch = (int(part or 0) for part in match.groups())
    return major * 10_000 + min(minor, 99) * 100 + min(patch, 99)
