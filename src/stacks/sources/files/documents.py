"""The document of a file: what it is called, where it lies, what it is and what it says."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from stacks.model import Document
from stacks.sources.files.descriptions import describe_file
from stacks.sources.uris import make_slug, quote_segment
from stacks.text import FileType, TextAccess, find_identifiers, get_file_type

if TYPE_CHECKING:
    from stacks.sources.files.reading import Content

__all__ = ["Corpus", "make_document"]

_MOST_IDENTIFIERS = 2000
_LOOKED_THROUGH = 500_000  # characters; longer code is data or made by a program


@dataclass(frozen=True, slots=True)
class Corpus:
    """The folder that files come from, by the name it has in their addresses."""

    name: str

    @property
    def slug(self) -> str:
        """The name in lower case, as frameworks have it."""
        return make_slug(self.name) or quote_segment(self.name)

    def make_uri(self, key: str) -> str:
        """Write the address of a file."""
        parts = (self.name, *key.split("/"))
        return "files://" + "/".join(quote_segment(part) for part in parts)


def make_document(corpus: Corpus, key: str, size: int, content: Content) -> Document:
    """Make the document of a file; where there is a reason against its content, by name alone."""
    folder, _, name = key.rpartition("/")
    kind = get_file_type(name)
    # What cannot be read as its name says may be anything.
    is_code = kind.type == "code" and not content.reason
    # Names are stored decomposed on some systems, and typed composed on all.
    title = unicodedata.normalize("NFC", name)
    stem, ending = _split_name(title)
    seen = content.text[:_LOOKED_THROUGH] if is_code else ""
    return Document(
        uri=corpus.make_uri(key),
        title=title,
        content=content.text,
        summary=_summarise(name, unicodedata.normalize("NFC", folder), kind),
        framework=corpus.slug,
        module=corpus.name,
        language=kind.language if is_code else "",
        kind="file",
        names=(stem,) if stem != title else (),
        identifiers=find_identifiers(seen, _MOST_IDENTIFIERS),
        facts={
            **content.facts,
            "extension": ending.lower(),
            "folder": folder,
            "size": str(size),
            "type": _get_type(kind, content),
            "content": f"name only: {content.reason}" if content.reason else content.extent,
        },
    )


def _summarise(name: str, folder: str, kind: FileType) -> str:
    """Say in a line what a file is and where it lies."""
    described = describe_file(name, folder, kind)
    return " in ".join(part for part in (described, folder) if part)


def _split_name(name: str) -> tuple[str, str]:
    """Split a name at its last dot; the dots that hide a file are no such dot."""
    bare = name.lstrip(".")
    stem, dot, ending = bare.rpartition(".")
    if not dot or not stem:
        return name, ""
    return name[: -len(ending) - 1], ending


def _get_type(kind: FileType, content: Content) -> str:
    """Say what a file is; an unknown one that was read as text is a text."""
    if kind.access is TextAccess.SNIFF:
        return "other" if content.reason else "text"
    return kind.type
