"""Parts of a site's pages: inserted, and never without end."""

from __future__ import annotations

from stacks.model import Page
from stacks.sources.markdown.includes import IncludedParts


def test_a_part_that_includes_itself_fills_a_page_up_to_a_limit() -> None:
    parts = IncludedParts()
    part = b"{% include part.md %}" + b"words " * 50_000
    parts.add(Page("_includes/part.md", part))
    filled = parts.fill(Page("index.md", b"# Title\n\n{% include part.md %}\n"))
    assert filled.data.startswith(b"# Title\n\n")
    assert len(filled.data) < 2**20 + 2 * len(part)


def test_a_long_page_has_its_parts_inserted_too() -> None:
    parts = IncludedParts()
    parts.add(Page("_includes/part.md", b"the part"))
    filled = parts.fill(Page("index.md", b"word " * 2_000_000 + b"{% include part.md %}"))
    assert filled.data.endswith(b"word the part")
