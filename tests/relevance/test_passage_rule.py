"""Passages that survive a new chunking."""

from __future__ import annotations

import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.errors import ExpectationError
from cranfield.model import Grades, Hit, Query, Response
from cranfield.relevance import normalise, read_expectation

PASSAGE = "The soul's calm is like a wave in the ocean"
HINDI = "मन की शांति ही सबसे बड़ा धन है"


def grade(passages: Any, *hits: str | Hit) -> Grades:
    ranking = tuple(
        Hit(str(rank), text=hit) if isinstance(hit, str) else hit for rank, hit in enumerate(hits)
    )
    query = Query("q", "text", {"passages": passages})
    return read_expectation(query).grade(Response.of(ranking))


@pytest.mark.parametrize(
    "text",
    [
        f"before. {PASSAGE}, after",
        PASSAGE.replace("'", "\u2019"),
        PASSAGE.replace(" ", "\u00a0"),
        PASSAGE.replace(" ", "\n   "),
        PASSAGE.upper(),
        PASSAGE.replace("ocean", "oce\u00adan"),
        PASSAGE.replace("wave", "wa\u200bve"),
    ],
)
def test_a_passage_is_found_whatever_its_typography(text: str) -> None:
    assert grade(PASSAGE, text).ranked == (2,)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("caf\u00e9", "cafe\u0301"),
        ("\u201cyes\u201d \u2018no\u2019", "\"yes\" 'no'"),
        ("re\u2011use \u2013 or \u2014 not", "re-use - or - not"),
        ("\ufb01nd", "find"),
        ("Stra\u00dfe", "STRASSE"),
    ],
)
def test_forms_of_one_text_are_one(one: str, other: str) -> None:
    assert normalise(one) == normalise(other)


def test_hindi_is_found_composed_or_not() -> None:
    for form in ("NFC", "NFD", "NFKC", "NFKD"):
        assert grade(HINDI, f"… {unicodedata.normalize(form, HINDI)} …").ranked == (2,)


@given(st.text())
def test_composed_and_decomposed_texts_are_compared_alike(text: str) -> None:
    assert normalise(unicodedata.normalize("NFD", text)) == normalise(
        unicodedata.normalize("NFC", text)
    )


@given(st.text(), st.text(), st.text())
def test_a_text_holds_each_of_its_lines(before: str, line: str, after: str) -> None:
    text = normalise(f"{before}\n{line}\n{after}")
    assert " ".join(filter(None, map(normalise, (before, line, after)))) == text


def test_high_is_worth_two_and_partial_one() -> None:
    passages = [PASSAGE, {"text": "another stretch of words", "relevance": "partial"}]
    grades = grade(passages, "x", "Another  stretch of words.", PASSAGE)
    assert grades.ranked == (None, 1, 2)
    assert grades.judgments == (2, 1)


@pytest.mark.parametrize(
    ("fields", "is_right"),
    [
        ({}, True),
        ({"book": "autobiography", "chapter": 12}, True),
        ({"book_slug": "autobiography", "chapter_number": "12"}, True),
        ({"book": "autobiography"}, True),
        ({"book": "letters", "chapter": 12}, False),
        ({"book": "autobiography", "chapter": 13}, False),
        ({"book": None, "chapter": None}, True),
    ],
)
def test_book_and_chapter_narrow_where_a_hit_names_them(
    fields: dict[str, Any], is_right: bool
) -> None:
    expected = [{"text": PASSAGE, "book": "autobiography", "chapter": 12}]
    assert grade(expected, Hit("1", text=PASSAGE, fields=fields)).ranked == (
        2 if is_right else None,
    )


def test_the_same_passage_in_two_hits_earns_once() -> None:
    assert grade(PASSAGE, PASSAGE, PASSAGE).earned == (2, 0)


@pytest.mark.parametrize(
    ("passages", "message"),
    [
        ("", "an empty passage is in every text"),
        ([], "an empty passage"),
        ([" \u00a0\n"], "an empty passage"),
        ([{"text": "a", "relevance": "some"}], "[0].relevance: invalid enum value 'some'"),
        ([{"words": "a"}], "[0]: object missing required field `text`"),
        (7, "passages: expected"),
    ],
)
def test_a_passage_that_says_nothing_is_refused(passages: Any, message: str) -> None:
    with pytest.raises(ExpectationError) as refused:
        grade(passages)
    assert message in str(refused.value)
