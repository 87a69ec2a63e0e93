"""Bundles: an index in one file, checked before anything of it is installed."""

from __future__ import annotations

import json
import zipfile
from typing import TYPE_CHECKING, Any

import pytest

from stacks.errors import IndexUnusableError, SaveError
from stacks.index import install_bundle, make_bundle, save
from stacks.query import open_index

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def packed(tmp_path: Path, page: Any, request_of: Any) -> Path:
    """A bundle of an index with two files."""
    requests = [
        request_of("docs", [page("harbor/ship", "Ship")]),
        request_of("packages", [page("nio", "NIO", kind="package")], database="packages"),
    ]
    save(requests, tmp_path / "index")
    make_bundle(tmp_path / "index", tmp_path / "bundle.zip", "2026.11")
    return tmp_path / "bundle.zip"


def change(bundle: Path, name: str, alter: Callable[[bytes], bytes | None]) -> None:
    """Change one file of a bundle, or leave it out."""
    with zipfile.ZipFile(bundle) as archive:
        files = {each: archive.read(each) for each in archive.namelist()}
    with zipfile.ZipFile(bundle, "w") as archive:
        for each, data in files.items():
            altered = alter(data) if each == name else data
            if altered is not None:
                archive.writestr(each, altered)


def test_an_installed_bundle_is_the_index_with_its_version_and_digest(
    tmp_path: Path, packed: Path
) -> None:
    bundle = install_bundle(packed, tmp_path / "new")
    assert (bundle.version, [each.name for each in bundle.files]) == (
        "2026.11",
        ["search.db", "packages.db"],
    )
    assert bundle.files[0].documents == {"docs": 1}
    assert len(bundle.digest) == 64
    for name in ("search.db", "packages.db"):
        assert (tmp_path / "new" / name).read_bytes() == (tmp_path / "index" / name).read_bytes()
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == [
        "packages.db",
        "search.db",
    ]
    with open_index(tmp_path / "new") as index:
        assert index.search("Ship").hits[0].title == "Ship"


def test_the_same_index_and_version_give_the_same_bytes(tmp_path: Path, packed: Path) -> None:
    make_bundle(tmp_path / "index", tmp_path / "again.zip", "2026.11")
    assert (tmp_path / "again.zip").read_bytes() == packed.read_bytes()


def test_an_index_that_is_there_is_replaced_only_if_told(tmp_path: Path, packed: Path) -> None:
    with pytest.raises(SaveError, match=r"search\.db.* is there already; add --replace"):
        install_bundle(packed, tmp_path / "index")
    assert install_bundle(packed, tmp_path / "index", replace=True).version == "2026.11"


@pytest.mark.parametrize(
    ("name", "alter", "said"),
    [
        ("search.db", lambda data: data[:-1] + b"x", r"search\.db of the bundle is damaged"),
        ("search.db", lambda data: data + b"x", r"search\.db of the bundle is damaged"),
        ("packages.db", lambda data: data[:100], r"packages\.db of the bundle is damaged"),
        ("packages.db", lambda _: None, r"lacks packages\.db"),
        ("bundle.json", lambda _: None, r"has no bundle\.json"),
        ("bundle.json", lambda _: b"{}", "is not a bundle"),
        (
            "bundle.json",
            lambda data: data.replace(b'"search.db"', b'"../x.db"'),
            "states the files",
        ),
        ("bundle.json", lambda data: data.replace(b'"digest": "', b'"digest": "0'), "digest"),
        ("bundle.json", lambda data: data.replace(b'"schema": ', b'"schema": 9'), "of version 9"),
    ],
)
def test_a_bundle_that_is_not_what_it_states_changes_nothing(
    tmp_path: Path, packed: Path, name: str, alter: Any, said: str
) -> None:
    change(packed, name, alter)
    before = (tmp_path / "index" / "search.db").read_bytes()
    with pytest.raises(SaveError, match=said):
        install_bundle(packed, tmp_path / "index", replace=True)
    assert (tmp_path / "index" / "search.db").read_bytes() == before
    with pytest.raises(SaveError, match=said):
        install_bundle(packed, tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_what_is_no_bundle_or_no_index_is_refused(tmp_path: Path, packed: Path) -> None:
    (tmp_path / "text.zip").write_text("words")
    with pytest.raises(SaveError, match="is not a bundle, or damaged"):
        install_bundle(tmp_path / "text.zip", tmp_path / "new")
    with pytest.raises(SaveError, match="No such file"):
        install_bundle(tmp_path / "missing.zip", tmp_path / "new")
    with pytest.raises(IndexUnusableError, match="there is no index"):
        make_bundle(tmp_path / "nowhere", tmp_path / "x.zip", "1")
    with pytest.raises(SaveError, match="a bundle has a version"):
        make_bundle(tmp_path / "index", tmp_path / "x.zip", " ")
    assert not (tmp_path / "x.zip").exists()
    assert json.loads(zipfile.ZipFile(packed).read("bundle.json"))["format"] == 1
