"""Reads one page into all that is stored of it, before anything of it is written.

No page ends a save: `read_page` is the one place where a page is read, and whatever its reader
raises becomes an error of the page. Nothing is written here, so a page is stored whole or not at
all.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from cranfield_shared.secret_kinds import find_secrets
from stacks.errors import StacksError
from stacks.index.admission import hash_document
from stacks.index.document_rows import make_rows
from stacks.index.secret_masking import mask_document
from stacks.sources import NameOnly, PageError, ReaderFailedError, describe_failure
from stacks.text import PARSING_SECONDS, limit_parsing

if TYPE_CHECKING:
    from stacks.index.document_rows import DocumentRows
    from stacks.model import Page
    from stacks.sources import Source

__all__ = ["ReadPage", "read_page"]


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

    A `StacksError` is no fault of a page (a grammar is not installed), and ends the save.
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
