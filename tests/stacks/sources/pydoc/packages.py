"""Python packages written to a folder and read as a save reads them."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from hashlib import sha256
from typing import TYPE_CHECKING

from stacks.model import Document, Page
from stacks.sources.pydoc.pydoc_source import PydocSource, open_pydoc
from stacks.sources.source import PageError

if TYPE_CHECKING:
    from pathlib import Path

Files = Mapping[str, "str | bytes"]


def write(folder: Path, files: Files) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        data = text if isinstance(text, bytes) else textwrap.dedent(text).encode()
        path.write_bytes(data)
    return folder


def read_all(source: PydocSource) -> dict[str, Document]:
    pages = [page for page in source.pages() if isinstance(page, Page)]
    documents = [document for page in pages for document in source.read(page)]
    by_uri = {document.uri: document for document in documents}
    assert len(by_uri) == len(documents), "a URI was given twice"
    return by_uri


def read_folder(folder: Path, files: Files) -> dict[str, Document]:
    return read_all(open_pydoc(str(write(folder, files))))


def errors_of(source: PydocSource) -> list[str]:
    return [str(error) for error in source.pages() if isinstance(error, PageError)]


def get_hash_suffix(name: str) -> str:
    """Return what distinguishes a name from others that fold to the same URI."""
    return sha256(name.encode()).hexdigest()[:4]
