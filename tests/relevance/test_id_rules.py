"""Right answers named one by one."""

from __future__ import annotations

from typing import Any

import pytest

from cranfield.errors import ExpectationError
from cranfield.model import Grades, Hit, Query, Response
from cranfield.relevance import hash_chunk, read_expectation

# printf '# src/queue.py\n# queue Queue\ndef __len__(self):\n    return len(self._data)' | md5sum
MD5 = "5a00bf12a7ea85ac17c0685b0ee67ebd"
TEXT = "def __len__(self):\n    return len(self._data)"


def grade(expect: dict[str, Any], *hits: str | Hit) -> Grades:
    ranking = tuple(hit if isinstance(hit, Hit) else Hit(hit) for hit in hits)
    return read_expectation(Query("q", "text", expect)).grade(Response.of(ranking))


@pytest.mark.parametrize(
    "given",
    [
        {"a": 2, "b": 1, "c": 0},
        [{"id": "a", "grade": 2}, "b", {"id": "c", "grade": 0}],
    ],
)
def test_ids_have_grades_and_holes_stay_holes(given: Any) -> None:
    grades = grade({"ids": given}, "x", "c", "a")
    assert grades.ranked == (None, 0, 2)
    assert grades.judgments == (2, 1, 0)


def test_one_id_needs_no_list() -> None:
    assert grade({"ids": "a"}, "a", "b").ranked == (1, None)


@pytest.mark.parametrize(
    ("path", "is_right"),
    [
        ("Documents/budget.xlsx", True),
        ("/home/rex/Documents/budget.xlsx", True),
        ("file:///home/rex/Documents/budget.xlsx", True),
        ("C:\\Users\\rex\\Documents\\budget.xlsx", True),
        ("./Documents//budget.xlsx", True),
        ("MyDocuments/budget.xlsx", False),
        ("budget.xlsx", False),
        ("Documents/budget.xlsx/more", False),
        ("", False),
    ],
)
def test_a_file_is_right_when_its_path_ends_in_the_expected_one(path: str, is_right: bool) -> None:
    assert grade({"files": ["Documents/budget.xlsx"]}, path).ranked == (1 if is_right else None,)


@pytest.mark.parametrize(
    ("path", "expected", "is_right"),
    [
        ("files://home/My%20Docs/100%25.txt", "My Docs/100%.txt", True),
        ("file:///home/rex/My%20Docs/100%25.txt", "My Docs/100%.txt", True),
        ("files://home/My%20Docs/a.txt", "My%20Docs/a.txt", True),
        ("files://home/a%2520b.txt", "a%20b.txt", True),
        ("files://home/a%2520b.txt", "a b.txt", False),
        ("/home/rex/a%20b.txt", "a b.txt", False),
        ("/home/rex/a%20b.txt", "a%20b.txt", True),
    ],
)
def test_escapes_of_a_uri_are_read_and_those_in_a_name_are_part_of_it(
    path: str, expected: str, is_right: bool
) -> None:
    assert grade({"files": [expected]}, path).ranked == (1 if is_right else None,)


def test_file_names_are_compared_in_one_unicode_form() -> None:
    composed, decomposed = "r\u00e9sum\u00e9.pdf", "re\u0301sume\u0301.pdf"
    assert grade({"files": composed}, decomposed).ranked == (1,)
    assert grade({"files": decomposed}, composed).ranked == (1,)


def test_a_chunks_hash_is_the_md5_of_file_parents_and_text() -> None:
    assert hash_chunk("src/queue.py", ["queue", "Queue"], TEXT) == MD5


def test_equal_texts_in_different_classes_have_different_hashes() -> None:
    one = hash_chunk("src/queue.py", ["queue", "Queue"], TEXT)
    assert one != hash_chunk("src/queue.py", ["queue", "Stack"], TEXT)
    assert one != hash_chunk("src/stack.py", ["queue", "Queue"], TEXT)


@pytest.mark.parametrize(
    "hit",
    [
        Hit(MD5),
        Hit("17", fields={"hash": MD5}),
        Hit("17", text=TEXT, fields={"file": "src/queue.py", "parents": ["queue", "Queue"]}),
    ],
)
def test_a_chunk_is_known_by_id_by_hash_or_by_its_own_text(hit: Hit) -> None:
    assert grade({"chunks": {MD5: 1, "other": 0}}, "other", hit).ranked == (0, 1)


@pytest.mark.parametrize("parents", [None, 5, "abc", {"a": 1}])
def test_parents_of_another_shape_are_no_parents(parents: Any) -> None:
    alone = hash_chunk("a.py", [], "text")
    hit = Hit("17", text="text", fields={"file": "a.py", "parents": parents})
    assert grade({"chunks": [alone]}, hit).ranked == (1,)


def test_half_a_surrogate_pair_in_a_chunk_is_hashed_and_not_refused() -> None:
    hit = Hit("17", text="\ud800", fields={"file": "a.py"})
    assert grade({"chunks": ["x"]}, hit).ranked == (None,)


@pytest.mark.parametrize(
    ("expect", "message"),
    [
        ({"ids": []}, "ids: names nothing; to expect no result write nothing = true"),
        ({"ids": ["a", " "]}, "ids: an empty name can match nothing"),
        ({"ids": ["a", "a"]}, "ids: 'a' is named twice"),
        ({"ids": {"a": 128}}, "ids: 'a' has the grade 128; grades go from -127 to 127"),
        ({"ids": {"a": 1.5}}, "expected `int`, got `float`"),
        ({"ids": 3}, "ids: expected"),
        ({"ids": [{"id": "a", "grade": "x"}]}, "[0].grade: expected `int`, got `str`"),
        ({"files": []}, "files: names nothing"),
        ({"files": ["./"]}, "files: every path ends in './'; name a file"),
        ({"files": [1]}, "files: [0]: expected `str`, got `int`"),
        ({"chunks": None}, "chunks: expected"),
    ],
)
def test_names_that_cannot_be_used_are_refused(expect: dict[str, Any], message: str) -> None:
    with pytest.raises(ExpectationError) as refused:
        read_expectation(Query("q", "text", expect))
    assert message in str(refused.value)
