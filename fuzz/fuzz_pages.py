"""Pages of every source: a spoilt page costs itself at most, and never with a bug of its reader."""

from __future__ import annotations

import io
import shutil
import tarfile
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mutations import spoil
from samples import PAGES
from stacks.errors import StacksError
from stacks.index import Request, SaveOptions, page_reading, save
from stacks.sources import PageError, ReaderFailedError

if TYPE_CHECKING:
    from random import Random


# Code that takes too long is common here; with the limit of a save, nothing else would be tried.
setattr(page_reading, "PARSING_SECONDS", 0.2)  # noqa: B010 - it is not exported


def attack(random: Random, folder: Path) -> None:
    """Save a sound page beside a spoilt one, and find the sound one."""
    kind = random.choice(sorted(PAGES))
    corpus = folder / "corpus"
    shutil.rmtree(corpus, ignore_errors=True)
    shutil.rmtree(folder / "index", ignore_errors=True)
    sound, *others = PAGES[kind]
    _write(corpus, sound.path, sound.data)
    for page in others:
        _write(corpus, page.path, spoil(random, page.data))
    location = _pack(random, corpus) if kind in _ARCHIVED and random.random() < 0.2 else corpus
    graphs = None
    if kind == "docc" and random.random() < 0.2:
        graphs = folder / "graphs"
        _write(graphs, "Kit.symbols.json", spoil(random, _GRAPH))
    request = Request.parse(f"{kind}={location}")
    try:
        if graphs or random.random() < 0.2:
            _check_saved(request, folder, graphs)
        else:
            _check_read(request)
    except StacksError as problem:
        # Of what is one file (passages, an archive) damage in the middle is damage of the whole.
        if "reader fail" in str(problem) or (location.is_dir() and kind != "jsonl"):
            raise


def _check_read(request: Request) -> None:
    """Read every page, which is most of a save in a tenth of the time."""
    source = request.kind.open(request.location)
    documents = 0
    for page in source.pages():
        if isinstance(page, ReaderFailedError):
            raise page
        if isinstance(page, PageError):
            continue
        try:
            documents += page_reading.read_page(source, page).has_document
        except ReaderFailedError:
            raise
        except PageError:
            continue
    _check_any(request, documents)


def _check_saved(request: Request, folder: Path, graphs: Path | None) -> None:
    options = SaveOptions(embedder="none", symbol_graphs=graphs)
    (saved,) = save([request], folder / "index", options)
    failed = [event for event in saved.audit.events if event.event == "reader-failed"]
    if failed:
        raise ReaderFailedError(f"{failed[0].page} {failed[0].message}")
    _check_any(request, saved.documents)


def _check_any(request: Request, documents: int) -> None:
    if not documents and request.kind.name != "jsonl" and Path(request.location).is_dir():
        raise AssertionError(f"{request.kind.name}: the sound page is not there")


def _write(folder: Path, path: str, data: bytes) -> None:
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    (folder / path).write_bytes(data)


def _pack(random: Random, corpus: Path) -> Path:
    """Pack a corpus, and spoil the archive now and then."""
    path = corpus.with_name(random.choice(("corpus.tar", "corpus.tar.gz", "corpus.zip")))
    data = _make_zip(corpus) if path.suffix == ".zip" else _make_tar(corpus, path.suffix)
    path.write_bytes(spoil(random, data) if random.random() < 0.5 else data)
    return path


def _list_files(corpus: Path) -> list[Any]:
    return sorted(file for file in corpus.rglob("*") if file.is_file())


def _make_zip(corpus: Path) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in _list_files(corpus):
            archive.write(file, file.relative_to(corpus))
    return packed.getvalue()


def _make_tar(corpus: Path, suffix: str) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz" if suffix == ".gz" else "w") as archive:
        for file in _list_files(corpus):
            archive.add(file, file.relative_to(corpus).as_posix())
    return packed.getvalue()


_ARCHIVED = ("docc", "markdown", "swift-org")
_GRAPH = (
    b'{"module": {"name": "Kit"}, "symbols": [{"identifier": {"precise": "s:1"}, '
    b'"pathComponents": ["Good"], "swiftGenerics": {"constraints": '
    b'[{"kind": "conformance", "lhs": "T", "rhs": "Hashable"}]}}]}'
)
