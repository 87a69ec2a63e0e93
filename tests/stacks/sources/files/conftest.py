"""A folder read as its users would read it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from stacks.model import Document, Page
from stacks.sources.files.files_source import FilesSource

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from stacks.sources.files.extractor import Extractor


@dataclass
class Outcome:
    """What became of a folder: documents, reasons and errors by key, and the order of keys."""

    documents: dict[str, Document] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    pages: list[Page] = field(default_factory=list)

    @property
    def keys(self) -> list[str]:
        return [page.key for page in self.pages]


@pytest.fixture
def read() -> Iterator[Callable[..., Outcome]]:
    """Read every file of a folder, as a save does."""
    sources: list[FilesSource] = []

    def read_folder(
        folder: Path, *, megabytes: int = 32, extractor: Extractor | None = None
    ) -> Outcome:
        source = FilesSource(str(folder), megabytes=megabytes, extractor=extractor)
        sources.append(source)
        outcome = Outcome()
        for page in source.pages():
            if not isinstance(page, Page):
                outcome.errors.append(str(page))
                continue
            outcome.pages.append(page)
            made = list(source.read(page))
            assert isinstance(made[0], Document)
            outcome.documents[page.key] = made[0]
            for further in made[1:]:
                assert not isinstance(further, Document)
                outcome.reasons[page.key] = str(further)
        return outcome

    yield read_folder
    for source in sources:
        source._extractor.close()


@pytest.fixture
def write(tmp_path: Path) -> Callable[[dict[str, str | bytes]], Path]:
    """Write files into a folder called `home`."""

    def write_files(files: dict[str, str | bytes]) -> Path:
        home = tmp_path / "home"
        home.mkdir(exist_ok=True)
        for name, text in files.items():
            path = home / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return home

    return write_files
