"""Identifiers, names and versions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stacks.text import (
    fold_name,
    is_identifier,
    rank_names,
    split_identifier,
    version_number,
)


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("LazyVGrid", ("Lazy", "VGrid", "Grid")),
        ("URLSession", ("URL", "Session")),
        ("JSONDecoder", ("JSON", "Decoder")),
        ("HTTPSCookieStorage", ("HTTPS", "Cookie", "Storage")),
        ("read_csv", ("read", "csv")),
        ("__init__", ("init",)),
        ("SCREAMING_SNAKE_CASE", ("SCREAMING", "SNAKE", "CASE")),
        ("hash(into:)", ("hash", "into")),
        ("os.path.join", ("os", "path", "join")),
        ("UInt8", ("UInt8", "Int8")),
        ("utf8", ("utf8",)),
        ("Größe", ("Größe",)),
        ("x", ()),
        ("", ()),
        ("!=(_:_:)", ()),
    ],
)
def test_an_identifier_gives_its_parts(name: str, parts: tuple[str, ...]) -> None:
    assert split_identifier(name) == parts


@given(st.text())
def test_every_part_occurs_in_its_identifier_and_is_longer_than_a_letter(name: str) -> None:
    for part in split_identifier(name):
        assert part in name
        assert len(part) > 1


@pytest.mark.parametrize(
    "text",
    [
        "URLSession",
        "read_csv",
        "os.path",
        "hash(into:)",
        "@MainActor",
        "#Preview",
        "_id",
    ],
)
def test_names_of_a_program_are_identifiers(text: str) -> None:
    assert is_identifier(text)


@pytest.mark.parametrize(
    "text", ["dictionary", "Hashable", "sort an Array", "", "C++", "what?", "3D", "-x"]
)
def test_words_of_a_language_are_not_identifiers(text: str) -> None:
    assert not is_identifier(text)


@pytest.mark.parametrize(
    ("name", "folded"),
    [
        ("Path", "path"),
        ("@MainActor", "mainactor"),
        ("print()", "print"),
        ("  Core\tNFC ", "core nfc"),
    ],
)
def test_names_are_compared_without_case_spaces_and_marks(name: str, folded: str) -> None:
    assert fold_name(name) == folded


def test_the_nearest_reading_of_a_name_counts() -> None:
    assert rank_names("Path.exists", ["pathlib.Path.exists", "exists"]) == {
        "path.exists": 0,
        "exists": 1,
        "pathlib.path.exists": 2,
    }


def test_a_call_is_looked_up_by_its_base_name() -> None:
    assert rank_names("hash(into:)", ["Hashable.hash(into:)"]) == {
        "hash(into:)": 0,
        "hash": 0,
        "hashable.hash(into:)": 2,
        "hashable.hash": 2,
    }


def test_a_sentence_is_no_name() -> None:
    assert rank_names("long " * 100, []) == {}


@pytest.mark.parametrize(
    ("version", "number"),
    [
        ("17", 170000),
        ("17.4.1", 170401),
        ("10.9", 100900),
        ("10.10", 101000),
        ("", None),
        ("x", None),
    ],
)
def test_versions_become_numbers(version: str, number: int | None) -> None:
    assert version_number(version) == number


def test_version_numbers_compare_as_versions() -> None:
    versions = ["9.0", "10.2", "10.10", "10.10.1", "13"]
    numbers = [version_number(each) or 0 for each in versions]
    assert numbers == sorted(numbers)
