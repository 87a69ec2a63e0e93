"""Reports as JSON, by the published schemas in docs/schemas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cranfield_shared.plain_text import escape_json

if TYPE_CHECKING:
    from cranfield.formats.document import Report

__all__ = ["as_json", "render_json"]


def render_json(report: Report) -> str:
    """Write everything that is known."""
    return as_json(report.data)


def as_json(written: Any) -> str:
    """Write JSON as people read it, one thing a line."""
    import msgspec

    return escape_json(msgspec.json.format(msgspec.json.encode(written), indent=2).decode()) + "\n"
