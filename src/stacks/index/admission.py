"""Which documents an index admits: no error pages, no placeholders, no duplicates.

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

__all__ = ["Admission", "Refusal", "hash_document"]

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
_SYMBOL_TITLE = re.compile(r"null|undefined", re.IGNORECASE)
"""Placeholders that are also names of symbols."""
_UNTITLED = ("passage", "file")
"""Kinds whose titles no author chose as a title: a file may well be called `todo`."""


class Refusal(NamedTuple):
    """Why a document is not admitted: an event of the audit, and what to report."""

    event: str
    message: str


class Admission:
    """The documents admitted so far, which those that follow are checked against."""

    def __init__(self) -> None:
        self._admitted: dict[str, tuple[bytes, str]] = {}

    def check(self, document: Document, content_hash: str) -> Refusal | None:
        """Return why a document must stay out, None if it may be admitted."""
        if refusal := _check_title(document):
            return refusal
        admitted = self._admitted.get(document.uri)
        return _describe_duplicate(document, content_hash, *admitted) if admitted else None

    def admit(self, uri: str, content_hash: str, title: str) -> None:
        """Remember a document that is in the index."""
        self._admitted[uri] = bytes.fromhex(content_hash), title

    def forget(self, uri: str) -> None:
        """Free the URI of a document that was removed."""
        self._admitted.pop(uri, None)


def _check_title(document: Document) -> Refusal | None:
    """Refuse titles of error pages and placeholders; a declaration may be called Forbidden."""
    title = document.title.strip()
    if document.kind in _UNTITLED:
        return None
    if not title:
        return Refusal("placeholder-title", "has no title")
    if document.declaration or document.kind in SYMBOL_KINDS:
        return None
    if _ERROR_TITLE.fullmatch(title):
        return Refusal("error-template", f"is an error page: its title is {title!r}")
    if _PLACEHOLDER_TITLE.fullmatch(title) and not _is_named_by_address(title, document.uri):
        return Refusal("placeholder-title", f"has the placeholder title {title!r}")
    return None


def _is_named_by_address(title: str, uri: str) -> bool:
    """Return whether a page is called so at its address too: the symbol `null` is at `/null`."""
    last = uri.partition("?")[0].rpartition("/")[2]
    return bool(_SYMBOL_TITLE.fullmatch(title)) and last.casefold() == title.casefold()


def _describe_duplicate(
    document: Document, content_hash: str, admitted_hash: bytes, admitted_title: str
) -> Refusal:
    if bytes.fromhex(content_hash) == admitted_hash:
        return Refusal("duplicate-a", f"{document.uri} came before with the same content")
    if document.title != admitted_title and _normalise(document.title) == _normalise(
        admitted_title
    ):
        return Refusal(
            "duplicate-b",
            f"{document.uri} came before as {admitted_title!r}, now {document.title!r}",
        )
    return Refusal(
        "duplicate-c", f"{document.uri} came before with other content ({admitted_title!r})"
    )


def _normalise(title: str) -> str:
    return " ".join(title.split()).casefold()


def hash_document(document: Document) -> str:
    """Hash the text that a reader of the document sees; 16 hexadecimal digits."""
    seen = f"{document.title}\0{document.declaration}\0{document.summary}\0{document.content}"
    return blake2b(seen.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
