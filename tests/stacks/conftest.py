"""Small corpora and indexes that the tests of the engine share."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from stacks.index import Request, save
from stacks.model import Document, Page
from stacks.query import Index, open_index
from stacks.sources import PageError, Source, SourceKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path


class Given(Source):
    """Documents that a test gives, one a page; an exception stands for a page that has none."""

    def __init__(self, documents: Iterable[Document | PageError]) -> None:
        self.documents = list(documents)

    def pages(self) -> Iterator[Page | PageError]:
        for number, document in enumerate(self.documents):
            if isinstance(document, PageError):
                yield document
            else:
                yield Page(f"{document.uri}#{number}", repr(document).encode())

    def read(self, page: Page) -> Iterable[Document]:
        document = self.documents[int(page.key.rpartition("#")[2])]
        return [] if isinstance(document, PageError) else [document]

    def count(self) -> int:
        return len(self.documents)


@pytest.fixture
def request_of() -> Callable[..., Request]:
    """Make a request for documents: `request_of("apple-docs", documents)`."""

    def make(name: str, documents: Iterable[Document | PageError], **settings: Any) -> Request:
        settings = {"prefers_symbols": True, **settings}
        kind = SourceKind(name, "given", f"{name}=x", lambda _: Given(documents), **settings)
        return Request(kind, "given")

    return make


@pytest.fixture
def index_of(tmp_path: Path, request_of: Callable[..., Request]) -> Iterator[Callable[..., Index]]:
    """Save documents and open the index: `index_of(documents)` or `index_of(a=…, b=…)`."""
    opened: list[Index] = []

    def make(documents: Iterable[Document] = (), **sources: Iterable[Document]) -> Index:
        named = {name.replace("_", "-"): given for name, given in sources.items()}
        given = {"docs": list(documents)} if documents else {}
        save([request_of(name, each) for name, each in {**given, **named}.items()], tmp_path)
        opened.append(open_index(tmp_path))
        return opened[-1]

    yield make
    for index in opened:
        index.close()


@pytest.fixture
def page() -> Callable[..., Document]:
    """Make a document from its path: `page("swiftui/view", kind="protocol")`."""

    def make(path: str, title: str = "", content: str = "", **fields: object) -> Document:
        name = path.rsplit("/", 1)[-1]
        document = Document(
            uri=f"docs://{path}",
            title=title or name,
            content=content or f"About {name}.",
            framework=path.split("/", 1)[0],
        )
        return replace(document, **fields)  # type: ignore[arg-type]

    return make
