"""What the slice offers is there, by its name, and help pages name what there is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cranfield.formats import FORMATS, list_formats
from cranfield.harnesses.slice import SLICE
from cranfield.suites import SUITE_FORMATS

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("name", SLICE.offers["cranfield.formats"])
def test_a_format_is_for_the_kinds_that_help_pages_name(name: str) -> None:
    found = FORMATS.get(name)
    assert found.name == name
    assert found.kinds == SLICE.formats[name]
    assert all(name in list_formats(kind) for kind in found.kinds)


@pytest.mark.parametrize("name", SLICE.offers["cranfield.suites"])
def test_a_suite_format_goes_by_its_name(name: str) -> None:
    assert SUITE_FORMATS.get(name).name == name


@pytest.mark.parametrize(
    ("file", "content", "name"),
    [
        ("suite.json", b" [", "golden-set"),
        ("suite.json", b"{", "test-corpus"),
        ("scores.db", b"", "chunk-scores"),
        ("suite.txt", b"SQLite format 3\0", "chunk-scores"),
        ("suite.ledger.json", b"{", None),
        ("suite.csv", b"[", None),
    ],
)
def test_a_suite_is_recognised_by_at_most_one_of_them(
    tmp_path: Path, file: str, content: bytes, name: str | None
) -> None:
    path = tmp_path / file
    path.write_bytes(content)
    offered = map(SUITE_FORMATS.get, SLICE.offers["cranfield.suites"])
    assert [each.name for each in offered if each.recognises(path)] == ([name] if name else [])
