"""Includes: parts of a site's pages in files of their own, inserted as Jekyll does.

A part is a file whose name starts with an underscore. A page that includes one changes when the
part changes, so parts are inserted before the page is yielded.
"""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING

from stacks.model import Page
from stacks.sources.front_matter import split_front_matter
from stacks.sources.text_encodings import decode_text

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["IncludedParts", "is_part"]

_INCLUDE = re.compile(r"\{%-?\s*include(_relative)?\s+([\w./-]{1,300})[^%\n]{0,1000}+%\}")
_PART = re.compile(r"(?:^|/)(?:_includes/.*|_[^/]*)$")
# For one page with nested parts: they may include each other without end.
_MOST_INCLUDES = 200
_MOST_INSERTED = 2**20  # characters


def is_part(key: str) -> bool:
    """Return whether a file is a part of pages, by its name."""
    return bool(_PART.search(key))


class IncludedParts:
    """The parts of a site by their paths, and which of them were included."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}
        self._used: set[str] = set()

    def add(self, page: Page) -> None:
        """Keep a part."""
        self._texts[page.key] = split_front_matter(decode_text(page.data)).body

    def list_unused(self) -> Iterator[Page]:
        """Yield the parts that no page included, as pages of their own."""
        for key, text in self._texts.items():
            if key not in self._used:
                yield Page(key, text.encode())

    def fill(self, page: Page) -> Page:
        """Insert the parts of a page, and the parts of those parts."""
        if b"include" not in page.data:
            return page
        text = decode_text(page.data)
        folder = posixpath.dirname(page.key)
        inserted = 0
        for _ in range(_MOST_INCLUDES):
            match = _INCLUDE.search(text)
            if match is None or inserted > _MOST_INSERTED:
                break
            part = self._find(folder, match)
            inserted += len(part)
            text = text[: match.start()] + part + text[match.end() :]
        return Page(page.key, text.encode())

    def _find(self, folder: str, match: re.Match[str]) -> str:
        """Return the text of a part; empty if it is missing or not Markdown."""
        is_relative, name = match.groups()
        key = posixpath.normpath(posixpath.join(folder if is_relative else "_includes", name))
        self._used.add(key)
        return self._texts.get(key, "")
