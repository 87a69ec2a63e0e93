"""A bundle: an index in one file, to be shipped, with its version and its digest.

It is a ZIP archive of the index's files and `bundle.json`, which states the version of the bundle,
the schema, and the size and SHA-256 of each file. `digest` is the SHA-256 of the lines that
`sha256sum` would print of the files. The same index and version give the same bytes. Installing
checks everything before it replaces anything.
"""

from __future__ import annotations

import os
import shutil
import zipfile
import zlib
from contextlib import ExitStack, closing
from hashlib import sha256
from typing import TYPE_CHECKING

import msgspec

from cranfield_shared.files import held_file
from cranfield_shared.version import __version__
from stacks.errors import IndexUnusableError, SaveError
from stacks.index.index_file import locked, read_previous_index, staging_path
from stacks.schema import DATABASES, LATEST_SCHEMA

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path
    from typing import IO

__all__ = ["Bundle", "BundledFile", "install_bundle", "make_bundle"]

_MANIFEST = "bundle.json"
_FORMAT = 1
_LARGEST_MANIFEST = 1 << 20
_PIECE = 1 << 20
_EARLIEST = (1980, 1, 1, 0, 0, 0)  # of a ZIP: the same index gives the same bytes


class BundledFile(msgspec.Struct, frozen=True):
    """A file of the index; `documents` are counted by source."""

    name: str
    bytes: int
    sha256: str
    documents: dict[str, int]


class Bundle(msgspec.Struct, frozen=True):
    """What `bundle.json` states."""

    format: int
    version: str
    schema: int
    made_by: str
    digest: str
    files: list[BundledFile]


def make_bundle(index: Path, target: Path, version: str) -> Bundle:
    """Write the files of an index, or the one file given, into a bundle."""
    if not version.strip():
        raise SaveError("a bundle has a version, such as 1.2.0; the one given is empty")
    paths = [index / f"{name}.db" for name in DATABASES] if index.is_dir() else [index]
    files = {path: _describe(path) for path in paths if path.is_file()}
    if not files:
        raise IndexUnusableError(f"there is no index at {index}; make one with stacks save")
    described = list(files.values())
    bundle = Bundle(
        _FORMAT, version, LATEST_SCHEMA, f"stacks {__version__}", _digest(described), described
    )
    try:
        _write(bundle, list(files), target)
    except OSError as problem:
        raise SaveError(f"{target} could not be written: {problem.strerror or problem}") from None
    return bundle


def _describe(path: Path) -> BundledFile:
    """Describe a file of the index; one of another schema could not be installed."""
    previous = read_previous_index(path)
    if path.name not in {f"{name}.db" for name in DATABASES} or previous is None:
        names = ", ".join(f"{name}.db" for name in DATABASES)
        raise SaveError(f"{path} cannot be bundled under its name; files of an index are {names}")
    with closing(previous.connect()) as connection:
        (schema,) = connection.execute("PRAGMA user_version").fetchone()
    if schema != LATEST_SCHEMA:
        raise IndexUnusableError(
            f"{path} has version {schema}, not {LATEST_SCHEMA}; bring it up to date with stacks "
            "save --only-changed and the same --from"
        )
    with path.open("rb") as opened:
        digest = sha256()
        while piece := opened.read(_PIECE):
            digest.update(piece)
    return BundledFile(path.name, path.stat().st_size, digest.hexdigest(), previous.documents)


def _digest(files: Iterable[BundledFile]) -> str:
    lines = "".join(f"{file.sha256}  {file.name}\n" for file in sorted(files, key=_get_name))
    return sha256(lines.encode()).hexdigest()


def _get_name(file: BundledFile) -> str:
    return file.name


def _write(bundle: Bundle, paths: list[Path], target: Path) -> None:
    """Write the archive beside its place, and put it there when it is complete."""
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_name(f".{target.name}.partial")
    with held_file(partial) as handle:
        try:
            os.truncate(handle, 0)
            with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
                manifest = msgspec.json.format(msgspec.json.encode(bundle), indent=2)
                archive.writestr(zipfile.ZipInfo(_MANIFEST, _EARLIEST), manifest)
                for path in paths:
                    entry = zipfile.ZipInfo(path.name, _EARLIEST)
                    entry.compress_type = zipfile.ZIP_DEFLATED
                    with path.open("rb") as source, archive.open(entry, "w") as packed:
                        shutil.copyfileobj(source, packed, _PIECE)
            os.fsync(handle)
            partial.replace(target)
        except BaseException:
            partial.unlink(missing_ok=True)
            raise


def install_bundle(path: Path, folder: Path, *, replace: bool = False) -> Bundle:
    """Check a bundle and put its files into a folder; files of an index there need `replace`."""
    try:
        with zipfile.ZipFile(path) as archive:
            bundle = _read_manifest(path, archive)
            targets = {file.name: folder / file.name for file in bundle.files}
            present = [str(target) for target in targets.values() if target.exists()]
            if present and not replace:
                raise SaveError(
                    f"{', '.join(present)} is there already; add --replace, or choose another "
                    "folder with --to"
                )
            # All files are locked before the first is replaced: a bundle is installed whole.
            with ExitStack() as locks:
                for target in targets.values():
                    locks.enter_context(locked(target))
                _install(archive, bundle, targets)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as problem:
        raise SaveError(f"{path} is not a bundle, or damaged ({problem})") from None
    except OSError as problem:
        raise SaveError(f"{path} cannot be installed: {problem.strerror or problem}") from None
    return bundle


def _read_manifest(path: Path, archive: zipfile.ZipFile) -> Bundle:
    """Read and check what a bundle states about itself."""
    try:
        entry = archive.getinfo(_MANIFEST)
        with archive.open(entry) as opened:
            bundle = msgspec.json.decode(opened.read(_LARGEST_MANIFEST), type=Bundle)
    except KeyError:
        raise SaveError(f"{path} is not a bundle: it has no {_MANIFEST}") from None
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as problem:
        raise SaveError(f"{path} is not a bundle: {_MANIFEST} {problem}") from None
    if bundle.format != _FORMAT:
        raise SaveError(f"{path} has format {bundle.format}; this stacks reads {_FORMAT}")
    if bundle.schema != LATEST_SCHEMA:
        raise SaveError(
            f"{path} holds an index of version {bundle.schema}, and this stacks reads "
            f"{LATEST_SCHEMA}; install the stacks that made it ({bundle.made_by}), or get a bundle "
            "of this version"
        )
    # A name is where a file will be written: none may point out of the folder.
    names = [file.name for file in bundle.files]
    allowed = {f"{name}.db" for name in DATABASES}
    if not names or len(set(names)) != len(names) or not set(names) <= allowed:
        raise SaveError(f"{path} states the files {names}; those of an index are {sorted(allowed)}")
    if bundle.digest != _digest(bundle.files):
        raise SaveError(f"{path} is damaged: its digest is not that of its files")
    return bundle


def _install(archive: zipfile.ZipFile, bundle: Bundle, targets: dict[str, Path]) -> None:
    """Unpack and check every file, then put all of them in their places."""
    staged = {file.name: staging_path(targets[file.name]) for file in bundle.files}
    try:
        for file in bundle.files:
            try:
                packed = archive.open(file.name)
            except KeyError:
                raise SaveError(f"{archive.filename} lacks {file.name}") from None
            with packed, staged[file.name].open("wb") as unpacked:
                _unpack(file, packed, unpacked)
        for name, staging in staged.items():
            staging.replace(targets[name])
    finally:
        for staging in staged.values():
            staging.unlink(missing_ok=True)


def _unpack(file: BundledFile, packed: IO[bytes], unpacked: IO[bytes]) -> None:
    """Copy as many bytes as are stated, and compare their digest; more are not read."""
    digest = sha256()
    left = file.bytes
    # One byte more than stated shows that there are more, and a ZIP bomb is not unpacked.
    while piece := packed.read(min(_PIECE, left + 1)):
        left -= len(piece)
        if left < 0:
            break
        digest.update(piece)
        unpacked.write(piece)
    if left or digest.hexdigest() != file.sha256:
        raise SaveError(f"{file.name} of the bundle is damaged: it is not what bundle.json states")
    unpacked.flush()
    os.fsync(unpacked.fileno())
