"""What is turned away at the door: error pages, placeholders and duplicates.

Duplicates have three tiers. A: the same URI with the same content. B: the same URI and a title
that differs only in spaces or case. C: the same URI with other content, which is an error of
the corpus or of its reader; a clean build has none. The first document stays in every tier.
"""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

from stacks.model import SYMBOL_KINDS

if TYPE_CHECKING:
    from stacks.model import Document

__all__ = ["Door", "Refusal", "hash_document"]

_ERROR_TITLE = re.compile(
    r"(?:(?:error\s*)?[45]\d\d\b[\s:–-]*)?(?:"
    r"forbidden|unauthori[sz]ed|access denied|(?:page |file )?not found|bad (?:request|gateway)|"
    r"service (?:temporarily )?unavailable|internal server error|gateway time-?out|"
    r"too many requests|(?:please )?(?:enable )?javascript(?: is)?(?: required| disabled)?|"
    r"this page requires javascript\.?|just a moment\W*|an error (?:has )?occurred\.?"
    r")|(?:error\s*)?[45]\d\d",
    re.IGNORECASE,
)
_PLACEHOLDER_TITLE = re.compile(
    r"\W*|untitled(?: (?:page|document))?|placeholder|(?:no|page|document) title|todo|tbd|tba|"
    r"lorem ipsum.*|\(?null\)?|undefined|[\[<{].*(?:title|placeholder).*[\]>}]",
    re.IGNORECASE,
)


_UNTITLED = ("passage", "file")
"""Kinds whose titles are chosen by nobody who writes pages: a file may well be called `todo`."""


class Refusal(NamedTuple):
    """Why a document was not let in."""

    event: str
    message: str


class Door:
    """Remembers what came in, and says why something may not."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[bytes, str]] = {}

    def remember(self, uri: str, content_hash: str, title: str) -> None:
        """Take note of a document that is in the index already."""
        self._known[uri] = bytes.fromhex(content_hash), title

    def forget(self, uri: str) -> None:
        """Let a URI in again, since its document was taken out."""
        self._known.pop(uri, None)

    def refuse(self, document: Document, content_hash: str) -> Refusal | None:
        """Say why the document stays out, or remember it and say nothing."""
        if refusal := _judge_title(document):
            return refusal
        known = self._known.get(document.uri)
        if known is None:
            self.remember(document.uri, content_hash, document.title)
            return None
        return _judge_twin(document, content_hash, *known)


def _judge_title(document: Document) -> Refusal | None:
    """A declaration may be called Forbidden; an article may not."""
    title = document.title.strip()
    if document.kind in _UNTITLED:
        return None
    if not title:
        return Refusal("placeholder-title", "has no title")
    if document.declaration or document.kind in SYMBOL_KINDS:
        return None
    if _ERROR_TITLE.fullmatch(title):
        return Refusal("error-template", f"is an error page: its title is {title!r}")
    if _PLACEHOLDER_TITLE.fullmatch(title):
        return Refusal("placeholder-title", f"has the placeholder title {title!r}")
    return None


def _judge_twin(
    document: Document, content_hash: str, known_hash: bytes, known_title: str
) -> Refusal:
    if bytes.fromhex(content_hash) == known_hash:
        return Refusal("duplicate-a", f"{document.uri} came before with the same content")
    if document.title != known_title and _plain(document.title) == _plain(known_title):
        return Refusal(
            "duplicate-b",
            f"{document.uri} came before as {known_title!r}, now {document.title!r}",
        )
    return Refusal(
        "duplicate-c", f"{document.uri} came before with other content ({known_title!r})"
    )


def _plain(title: str) -> str:
    return " ".join(title.split()).casefold()


def hash_document(document: Document) -> str:
    """Hash what a reader of the document would see: 16 hexadecimal digits."""
    seen = f"{document.title}\0{document.declaration}\0{document.summary}\0{document.content}"
    return blake2b(seen.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
