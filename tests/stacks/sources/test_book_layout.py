"""Numbers of chapters are read as people write them."""

from __future__ import annotations

import pytest

from stacks.sources.book_layout import (
    Heading,
    number_chapters,
    read_chapter_line,
    read_heading,
)


@pytest.mark.parametrize(
    ("numeral", "number"),
    [("I", 1), ("iv", 4), ("IX", 9), ("XIV", 14), ("XL", 40), ("XLVIII", 48), ("XCIX", 99)],
)
def test_roman_numerals_are_numbers(numeral: str, number: int) -> None:
    assert read_chapter_line(f"Chapter {numeral}") == Heading(number, "")


@pytest.mark.parametrize(
    ("line", "heading"),
    [
        ("CHAPTER: 12", Heading(12, "")),
        ("**Chapter 1**", Heading(1, "")),
        ("Chapter Twelve", Heading(12, "")),
        ("Capítulo primero", Heading(1, "")),
        ("CAPITULO once. El mar", Heading(11, "El mar")),
        ("अध्याय ४", Heading(4, "")),
        ("Chapter 3 The Two Saints", Heading(3, "The Two Saints")),
        ("Chapter 3. All is one.", Heading(3, "All is one.")),
    ],
)
def test_a_line_that_names_a_chapter_is_its_heading(line: str, heading: Heading) -> None:
    assert read_chapter_line(line) == heading


@pytest.mark.parametrize(
    "line",
    [
        "Chapter",
        "Chapters 1 and 2",
        "Chapter 3 tells us that all is one.",
        "Chapter IIII",
        "Chapter mild",
        "Chapter 12345",
        "In chapter 3",
        "Chapter 3: " + "x" * 200,
        "",
    ],
)
def test_another_line_is_none(line: str) -> None:
    assert read_chapter_line(line) is None


@pytest.mark.parametrize(
    ("text", "heading"),
    [
        ("12. Home", Heading(12, "Home")),
        ("XII", Heading(12, "")),
        ("IV – Home", Heading(4, "Home")),
        ("I am that", Heading(None, "I am that")),
        ("1984", Heading(None, "1984")),
        ("3 friends", Heading(None, "3 friends")),
        ("Home", Heading(None, "Home")),
        ("", Heading(None, "")),
    ],
)
def test_a_heading_may_begin_with_a_number(text: str, heading: Heading) -> None:
    assert read_heading(text) == heading


@pytest.mark.parametrize(
    ("stated", "numbers"),
    [
        ([], []),
        ([None, None, None], [1, 2, 3]),
        ([None, 1, 2], [0, 1, 2]),
        ([None, None, 1], [0, 0, 1]),
        ([3, None, 4, None], [3, 3, 4, 5]),
        ([1, 2, 1, 2], [1, 2, 1, 2]),
        ([None, 0], [0, 0]),
    ],
)
def test_chapters_without_numbers_fit_between_those_with(
    stated: list[int | None], numbers: list[int]
) -> None:
    assert number_chapters(stated) == numbers
