"""The scripts beside the suites build exactly what is committed."""

from __future__ import annotations

import io
import re
import sqlite3
import zipfile
import zlib
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PIL import Image
from tests.shipped.projects import SUITES, load_script

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.corpus


def read_files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_the_pages_of_the_documentation_are_built_byte_for_byte(tmp_path: Path) -> None:
    script = load_script(SUITES / "apple-docs" / "build_docs.py")
    count = script.build(tmp_path / "documentation")
    built = read_files(tmp_path / "documentation")
    assert count == len(built) > 250
    committed = read_files(SUITES / "apple-docs" / "corpus" / "apple-docs")
    assert {f"data/documentation/{path}": content for path, content in built.items()} == committed


def test_building_again_removes_pages_that_have_no_source(tmp_path: Path) -> None:
    script = load_script(SUITES / "apple-docs" / "build_docs.py")
    (tmp_path / "documentation" / "swift").mkdir(parents=True)
    (tmp_path / "documentation" / "swift" / "gone.json").write_text("{}")
    script.build(tmp_path / "documentation")
    assert "swift/gone.json" not in read_files(tmp_path / "documentation")


def test_the_scores_of_chunks_are_built_byte_for_byte() -> None:
    script = load_script(SUITES / "chunks" / "build_scores.py")
    given = script.read_questions(script.QUESTIONS)
    built = script.build_scores(given, script.cut_sample(script.HERE / given.root))
    committed = script.SCORES.read_bytes()
    # Another version of SQLite may lay pages out differently; what they hold is the same.
    assert built == committed or dump(built) == dump(committed)


def dump(content: bytes) -> list[str]:
    with closing(sqlite3.connect(":memory:")) as database:
        database.deserialize(content)
        return list(database.iterdump())


def test_the_binary_files_of_the_home_folder_are_built_as_they_are_committed() -> None:
    script = load_script(SUITES / "home" / "build_home.py")
    built = dict(script.built_files())
    assert len(built) > 50
    different = [
        path
        for path, content in built.items()
        if not is_same(path, content, (script.HOME / path).read_bytes())
    ]
    assert different == []


def is_same(path: str, built: bytes, committed: bytes) -> bool:
    """Compare bytes; where these differ, what is packed in them, as libraries pack differently."""
    unpack = UNPACK.get(Path(path).suffix)
    if built == committed or unpack is None:
        return built == committed
    return unpack(built) == unpack(committed)


def unzip(content: bytes) -> object:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def read_streams(content: bytes) -> object:
    streams = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", content, re.S)
    return [zlib.decompress(each) for each in streams if each[:1] == b"\x78"]


def read_pixels(content: bytes) -> object:
    with Image.open(io.BytesIO(content)) as image:
        return image.size, image.convert("RGB").tobytes()


UNPACK: dict[str, Callable[[bytes], object]] = {
    ".docx": unzip,
    ".pptx": unzip,
    ".xlsx": unzip,
    ".pdf": read_streams,
    ".png": read_pixels,
    ".gif": read_pixels,
}
