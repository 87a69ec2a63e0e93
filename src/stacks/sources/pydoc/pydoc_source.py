"""Documentation of Python packages, read from their installed source.

A page is a top-level package or module. Nothing is imported except modules of the interpreter
itself that have no source.
"""

from __future__ import annotations

import platform
import re
import sys
import warnings
from functools import cached_property, partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from stacks.errors import SourceError
from stacks.model import Page
from stacks.sources.paths import get_reason, make_printable
from stacks.sources.pydoc.finders import (
    COMPILED,
    FolderFinder,
    InstalledFinder,
    StandardLibraryFinder,
    is_private,
)
from stacks.sources.source import PageError, Source, SourceKind, attempt, register_source

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from stacks.model import Document
    from stacks.sources.pydoc.finders import Finder, ModuleFile, Package
    from stacks.sources.pydoc.package_reader import PackageReader

__all__ = ["PydocSource", "open_pydoc"]

_NAMES = re.compile(r"[^\W\d]\w*(,[^\W\d]\w*)*")
_INTERPRETER = f"{platform.python_implementation()} {platform.python_version()} {sys.platform}"


class PydocSource(Source):
    """Python packages by their import names, and the finders that locate them."""

    def __init__(self, names: Sequence[str], finders: Sequence[Finder]) -> None:
        self.names = tuple(names)
        self.finders = tuple(finders)

    def pages(self) -> Iterator[Page | PageError]:
        """Yield a page for each package, after the errors of what cannot be read.

        The data of a page lists its files with their digests.
        """
        for name in self.names:
            package = self._find(name)
            if package is None:
                yield PageError(f"{name} is no longer there")
                continue
            yield from package.problems
            entries = [
                attempt(file.name, partial(_check, file, package))
                for file in package.modules.values()
            ]
            yield from (entry for entry in entries if isinstance(entry, PageError))
            lines = [entry for entry in entries if isinstance(entry, str)]
            if lines:
                head = [_INTERPRETER] if package.is_standard else []
                yield Page(name, "\n".join((*head, *lines)).encode())

    def read(self, page: Page) -> Iterable[Document]:
        """Make the documents of a package, or raise `PageError` if nothing in it is readable."""
        reader = self._reader
        from stacks.sources.pydoc.interpreter import UnreadableError

        try:
            return list(reader.read(page.key))
        except UnreadableError as error:
            raise PageError(str(error)) from error

    def count(self) -> int | None:
        """Count the packages."""
        return len(self.names)

    def _find(self, name: str) -> Package | None:
        found = (finder.find(name) for finder in self.finders)
        return next((package for package in found if package), None)

    @cached_property
    def _reader(self) -> PackageReader:
        try:
            from stacks.sources.pydoc.package_reader import PackageReader
        except ImportError as error:
            message = (
                f"Python packages are read with griffe: pip install 'cranfield[stacks]' ({error})"
            )
            raise SourceError(message) from error
        return PackageReader(self.finders, self.names)


def open_pydoc(location: str) -> PydocSource:
    """Open the location of `pydoc=`: `stdlib`, import names, or a folder."""
    standard = StandardLibraryFinder()
    if location == "stdlib":
        return PydocSource(standard.names, [standard])
    if _NAMES.fullmatch(location):
        return _open_names(location.split(","), [standard, InstalledFinder()])
    path = Path(location).expanduser()
    if not location or not path.exists():
        raise SourceError(
            f"{location!r} is neither 'stdlib', the import name of a package, nor a folder; "
            "separate several names by commas, and write ./name for a folder in the current one"
        )
    return _open_path(path, standard)


def _open_names(names: Sequence[str], finders: Sequence[Finder]) -> PydocSource:
    for name in names:
        if not any(finder.find(name) for finder in finders):
            raise SourceError(
                f"there is no package {name!r} in this environment; install it, give the path of "
                f"its folder, or write ./{name} if it is a folder in the current one"
            )
    return PydocSource(tuple(dict.fromkeys(names)), finders)


def _open_path(path: Path, standard: StandardLibraryFinder) -> PydocSource:
    """Open a package's folder, a module's file, or a folder of packages."""
    path = path.resolve()
    is_package = any((path / f"__init__{suffix}").exists() for suffix in (".py", ".pyi"))
    finder = FolderFinder(path.parent if is_package or path.is_file() else path)
    if is_package or path.is_file():
        name = path.name.split(".", 1)[0]
        names = tuple(each for each in (name,) if finder.find(each))
    else:
        names = finder.names
    if not names:
        raise SourceError(
            f"{path} holds no Python package or module; give a folder such as site-packages, "
            "one package's folder, or one .py file"
        )
    return PydocSource(names, [finder, standard])


def _check(file: ModuleFile, package: Package) -> str | PageError | None:
    """Return a line with the digest of a module's file, or the error why it cannot be read.

    Private machine code is skipped silently: other modules export what it defines.
    """
    if file.path is None:
        return file.name
    if file.kind == COMPILED:
        is_hidden = any(is_private(part) for part in file.name.split("."))
        message = f"{file.name} is compiled and has no .pyi beside it; it is not imported"
        return None if is_hidden else PageError(message)
    try:
        data = file.path.read_bytes()
        stub = file.stub.read_bytes() if file.stub else b""
    except OSError as error:
        return PageError(f"{file.name} cannot be read: {get_reason(error)}")
    # The interpreter has compiled its own library already.
    problem = "" if package.is_standard else _find_problem(data)
    if problem:
        return PageError(f"{file.name} is not Python: {problem}")
    digest = sha256(data + stub).hexdigest()
    return f"{file.name} {make_printable(file.path.name)} {len(data)} {digest}"


def _find_problem(data: bytes) -> str:
    """Return why a source cannot be compiled; empty if it can."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(data, "module", "exec", dont_inherit=True)
    except SyntaxError as error:
        return f"{error.msg} (line {error.lineno})"
    except UnicodeEncodeError:
        # A docstring with a lone surrogate: some Pythons cannot store it, all can parse it.
        return ""
    except (ValueError, RecursionError, MemoryError, OverflowError) as error:
        return get_reason(error)
    return ""


register_source(
    SourceKind(
        name="pydoc",
        description="the documentation of Python packages: stdlib, import names, or a folder",
        example="pydoc=stdlib",
        open=open_pydoc,
        weight=3.0,
        prefers_symbols=True,
    )
)
