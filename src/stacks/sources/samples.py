"""Sample code: a folder of projects, each with its README and its source files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stacks.errors import SourceError
from stacks.model import Document, Page, Snippet
from stacks.sources.folders import list_files, read_files
from stacks.sources.front_matter import split_front_matter
from stacks.sources.markdown_cleaner import clean_markdown
from stacks.sources.paths import (
    decode_text,
    get_corpus_name,
    is_binary,
    make_slug,
    quote_path,
    spell_out,
)
from stacks.sources.source import PageError, Source, SourceKind, register_source
from stacks.text import (
    find_snippets,
    find_title,
    first_paragraph,
    language_of_file,
    source_extensions,
    stored_language,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["BUILD_FOLDERS", "SamplesSource"]

BUILD_FOLDERS = frozenset(
    {
        "__pycache__",
        "build",
        "Carthage",
        "DerivedData",
        "dist",
        "node_modules",
        "Pods",
        "venv",
        "xcuserdata",
    }
)
"""Folders of generated or downloaded files, which no person wrote."""

_READMES = ("readme.md", "readme.markdown", "readme.rst", "readme.txt", "readme")
"""The names of the file that introduces a project, the best first."""

_LARGEST_SOURCE = 2 * 2**20  # bytes; a larger file is data or made by a program
_GENERATED = (".min.js", ".bundle.js", ".pb.swift", ".pb.go", "_pb2.py")


class SamplesSource(Source):
    """A folder of projects, or one project.

    A page's key begins with the folder of its project, also if the location is the project;
    the key of a page that lists the files of a project without a README is that folder alone.
    """

    def __init__(self, location: str) -> None:
        self.location = location

    def pages(self) -> Iterator[Page | PageError]:
        """Yield for each project its README or list of files, and its source files."""
        suffixes = (*source_extensions(), *_READMES)
        keys = list(list_files(self.location, suffixes=suffixes, without=BUILD_FOLDERS))
        layout = _Layout(keys, get_corpus_name(self.location))
        if layout.is_empty:
            raise SourceError(
                f"{self.location} has no source files; "
                f"these have one of the extensions {', '.join(source_extensions())}"
            )
        yield from layout.list_projects_without_readme()
        yield from layout.list_twins()
        for page in read_files(
            self.location, suffixes=suffixes, largest=_LARGEST_SOURCE, without=BUILD_FOLDERS
        ):
            if isinstance(page, PageError):
                yield page
            elif layout.is_wanted(page.key):
                yield Page(layout.prefix + page.key, page.data)

    def read(self, page: Page) -> Iterable[Document]:
        """Make the document of a project or of a source file; binary files have none."""
        folder, _, path = page.key.partition("/")
        if not path:
            return [_make_project(folder, _list_as_markdown(page.data))]
        if is_binary(page.data):
            return []
        text = decode_text(page.data)
        if not text.strip():
            return []
        if path.lower() in _READMES:
            return [_make_project(folder, clean_markdown(split_front_matter(text).body))]
        return [_make_file(folder, path, text)]


class _Layout:
    """Which of the files of a location belong to which project."""

    def __init__(self, keys: list[str], corpus: str) -> None:
        is_one_project = any("/" not in key and _is_source(key) for key in keys)
        self.prefix = f"{corpus}/" if is_one_project else ""
        self._sources: dict[str, list[str]] = {}
        readmes: dict[str, list[str]] = {}
        for key in sorted(keys):
            folder, _, path = (self.prefix + key).partition("/")
            if _is_source(path):
                self._sources.setdefault(folder, []).append(path)
            elif path.lower() in _READMES:
                readmes.setdefault(folder, []).append(path)
        self._readmes = {
            folder: min(paths, key=lambda path: _READMES.index(path.lower()))
            for folder, paths in readmes.items()
            if folder in self._sources
        }
        self._owners: dict[str, str] = {}
        for folder in self._sources:
            self._owners.setdefault(_slug_of(folder), folder)

    @property
    def is_empty(self) -> bool:
        """Whether there is no project at all."""
        return not self._sources

    def is_wanted(self, key: str) -> bool:
        """Return whether a file is a source file, or the README, of a project with an address."""
        folder, _, path = (self.prefix + key).partition("/")
        if self._owners.get(_slug_of(folder)) != folder:
            return False
        return path == self._readmes.get(folder) or _is_source(path)

    def list_twins(self) -> Iterator[PageError]:
        """Refuse projects whose names differ only in punctuation."""
        for folder in self._sources:
            owner = self._owners[_slug_of(folder)]
            if owner != folder:
                slug = _slug_of(folder)
                yield PageError(
                    f"{folder} has the same address as {owner} ({slug}); rename one of them"
                )

    def list_projects_without_readme(self) -> Iterator[Page]:
        """Make a page that lists the files of each project without a README."""
        for folder, paths in self._sources.items():
            if folder not in self._readmes and self._owners[_slug_of(folder)] == folder:
                yield Page(f"{folder}/", "\n".join(paths).encode())


def _is_source(path: str) -> bool:
    """Return whether a file is source code by its name; generated files are not."""
    name = path.lower()
    return name.endswith(source_extensions()) and not name.endswith(_GENERATED)


def _slug_of(folder: str) -> str:
    """Return the name of a project in its address."""
    return make_slug(folder) or quote_path(folder)


def _list_as_markdown(data: bytes) -> str:
    """Write the list of a project's files."""
    paths = data.decode().split("\n")
    return "\n".join(f"- {path}" for path in paths)


def _make_project(folder: str, content: str) -> Document:
    """Make the document of a project from its README or list of files."""
    title = find_title(content) or spell_out(folder)
    heading = "" if find_title(content) else f"# {title}\n\n"
    return Document(
        uri=f"samples://{_slug_of(folder)}",
        title=title,
        content=heading + content,
        framework=_slug_of(folder),
        module=folder,
        kind="sample",
        summary=first_paragraph(content),
        names=(folder,) if folder != title else (),
        snippets=find_snippets(content),
    )


def _make_file(folder: str, path: str, code: str) -> Document:
    """Make the document of a source file."""
    name = path.rpartition("/")[2]
    language = stored_language(language_of_file(name))
    return Document(
        uri=f"samples://{_slug_of(folder)}/{quote_path(path)}",
        title=name,
        content=code,
        framework=_slug_of(folder),
        module=folder,
        language=language,
        kind="file",
        names=(path,) if path != name else (),
        snippets=(Snippet(code, language),),
    )


register_source(
    SourceKind(
        name="samples",
        description="sample projects: each folder's README and source files",
        example="samples=sample-code",
        open=SamplesSource,
        database="samples",
    )
)
