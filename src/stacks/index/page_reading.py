"""Reads one page into all that is stored of it, before anything of it is written.

No page ends a save: `read_page` is the one place where a page is read, and whatever its reader
raises becomes an error of the page. Nothing is written here, so a page is stored whole or not at
all.

Which documents an index admits: no error pages, no placeholders, no duplicates.

Duplicates have three tiers. A: the same URI with the same content. B: the same URI and a title
that differs only in spaces or case. C: the same URI with other content, which is an error of
the corpus or of its reader; a clean build has none. The first document stays in every tier.

Secrets of known kinds, masked in documents of every source before anything is stored of them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import partial
from hashlib import blake2b
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from cranfield_shared.secret_kinds import find_secrets, mask_secrets
from stacks.errors import StacksError
from stacks.index.document_writer import make_rows
from stacks.model import SYMBOL_KINDS
from stacks.sources import NameOnly, PageError, ReaderFailedError, describe_failure
from stacks.text import PARSING_SECONDS, limit_parsing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield_shared.secret_kinds import Secret
    from stacks.index.document_writer import DocumentRows
    from stacks.model import Document, Page
    from stacks.sources import Source

__all__ = [
    "Admission",
    "MaskedDocument",
    "ReadPage",
    "Refusal",
    "describe_secrets",
    "hash_document",
    "mask_document",
    "read_page",
]


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


class ReadPage(NamedTuple):
    """The rows of a page's documents, and what is to be noted of it.

    - `name_only` are the reasons why a content is not indexed.
    - `secret_names` are the URIs of documents left out, `secrets` the kinds of what was masked.
    - `slow` says that code takes too long to parse; empty if none does.
    """

    rows: list[DocumentRows]
    name_only: list[str]
    secret_names: list[str]
    secrets: Counter[str]
    slow: str

    @property
    def has_document(self) -> bool:
        """Whether the page yielded any document, stored or left out."""
        return bool(self.rows or self.secret_names)


def read_page(source: Source, page: Page) -> ReadPage:
    """Read a page, or raise the `PageError` that says why it cannot be read.

    A `StacksError` is not a fault of a page (a grammar is not installed), and ends the save.
    """
    try:
        return _read(source, page)
    except (PageError, StacksError):
        raise
    except Exception as problem:
        raise ReaderFailedError(describe_failure(problem)) from problem


def _read(source: Source, page: Page) -> ReadPage:
    read = ReadPage([], [], [], Counter(), "")
    with limit_parsing(PARSING_SECONDS) as limit:
        for document in source.read(page):
            if isinstance(document, NameOnly):
                read.name_only.append(str(document))
            # A URI that is masked would lead nowhere, so the document is left out.
            elif find_secrets(document.uri):
                read.secret_names.append(document.uri)
            else:
                masked = mask_document(document)
                read.secrets.update(masked.secrets)
                # Half of a surrogate pair, which no database holds, is refused here.
                msgspec.json.encode(masked.document)
                read.rows.append(make_rows(masked.document, hash_document(masked.document)))
    slow = f"has code that takes longer than {PARSING_SECONDS:g} s to parse"
    return read._replace(slow=slow) if limit.is_exceeded else read


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
        # Bytes take half the memory of digits, for each of a million documents.
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


@dataclass(frozen=True, slots=True)
class MaskedDocument:
    """A document without secrets, and how many of each kind it had."""

    document: Document
    secrets: Counter[str] = field(default_factory=Counter)


def mask_document(document: Document) -> MaskedDocument:
    """Mask the secrets in all texts of a document, its URI apart."""
    texts = _list_texts(replace(document, uri="", names=(), identifiers=()))
    # One search: most documents have no secret, and some have hundreds of names.
    if not find_secrets("\n".join([*texts, *document.names, *document.identifiers])):
        return MaskedDocument(document)
    secrets = [*chain.from_iterable(map(find_secrets, texts))]
    without = partial(_drop_parts, secrets, "\n".join(map(mask_secrets, texts)))
    masked: Document = _mask_texts(document)
    masked = replace(
        masked,
        uri=document.uri,
        names=without(document.names),
        identifiers=without(document.identifiers),
    )
    return MaskedDocument(masked, Counter(secret.kind for secret in secrets))


def describe_secrets(secrets: Counter[str]) -> str:
    """Say what was masked: `2 github-token, 1 private-key`."""
    return ", ".join(f"{count:,} {kind}" for kind, count in sorted(secrets.items()))


def _list_texts(document: Document) -> list[str]:
    """List every text of a document: whatever field a reader fills, a secret can be in it."""
    texts = [*document.facts, *document.availability]
    waiting = [msgspec.to_builtins(document)]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            texts.append(value)
        elif isinstance(value, dict):
            waiting += value.values()
        elif isinstance(value, tuple | list):
            waiting += value
    return texts


def _mask_texts(value: Any) -> Any:
    """Mask every text in a value."""
    if isinstance(value, str):
        return mask_secrets(value)
    if isinstance(value, tuple):
        return tuple(map(_mask_texts, value))
    if isinstance(value, Mapping):
        return {_mask_texts(name): _mask_texts(each) for name, each in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        masked = {each.name: _mask_texts(getattr(value, each.name)) for each in fields(value)}
        return replace(value, **masked)
    return value


def _drop_parts(secrets: Sequence[Secret], shown: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """Drop names that are secrets, or parts of one that are nowhere else in what is shown."""
    return tuple(
        name
        for name in names
        if not find_secrets(name)
        and (name in shown or not any(name in secret.value for secret in secrets))
    )
