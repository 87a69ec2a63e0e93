"""The paths of URIs: readable, and two different names never get the same path."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path
from urllib.parse import quote

from stacks.sources.file_selection import ARCHIVE_SUFFIXES

__all__ = ["get_corpus_name", "make_slug", "quote_path", "quote_segment", "spell_out"]

# Letters of every script stay as they are: people read URIs, and SQLite compares them as text.
_UNSAFE_IN_PATH = re.compile(r'[\s\x00-\x20\x7f%?#<>"{}|\\^`]')
_UNSAFE_IN_SEGMENT = re.compile(r'[\s\x00-\x20\x7f%?#<>"{}|\\^`/]')
_NO_SLUG = re.compile(r"[\W_]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def quote_path(path: str) -> str:
    """Percent-encode characters not allowed in a path, `%` included, so that nothing is lost."""
    return _UNSAFE_IN_PATH.sub(lambda match: quote(match.group(), safe=""), path)


def quote_segment(name: str) -> str:
    """Percent-encode a name that is one segment of a path; a slash in it is not a separator."""
    return _UNSAFE_IN_SEGMENT.sub(lambda match: quote(match.group(), safe=""), name)


def make_slug(name: str) -> str:
    """Write a name in lower case with hyphens: `My Sample App` becomes `my-sample-app`."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return _NO_SLUG.sub("-", folded).strip("-")


def spell_out(name: str) -> str:
    """Write a file or folder name as a title: `using-swift` becomes `Using swift`."""
    words = " ".join(re.split(r"[-_\s]+", _CAMEL.sub(" ", name))).strip()
    return words[:1].upper() + words[1:]


def get_corpus_name(location: str) -> str:
    """Name a corpus after its folder, its archive or the folder of its single file."""
    path = Path(location).resolve()
    if path.is_dir() or not path.suffix:
        return path.name or "root"
    for suffix in sorted(ARCHIVE_SUFFIXES, key=len, reverse=True):
        if path.name.lower().endswith(suffix):
            return path.name[: -len(suffix)] or path.parent.name
    return path.parent.name or "root"
