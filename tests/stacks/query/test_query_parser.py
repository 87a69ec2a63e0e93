"""Any text is a query."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stacks.query.query_parser import parse_query, quote


def test_words_phrases_and_exclusions_are_told_apart() -> None:
    query = parse_query('sort "in place" -stable -"by key" arrays')
    assert query.terms == (("sort",), ("arrays",))
    assert query.phrases == (("in", "place"),)
    assert query.excluded == (("stable",), ("by", "key"))


def test_a_minus_inside_a_word_is_a_hyphen() -> None:
    assert parse_query("read-only").terms == (("read",), ("only",))


def test_a_lone_minus_means_nothing() -> None:
    query = parse_query("a - b")
    assert query.excluded == ()


def test_an_unclosed_quote_reaches_to_the_end() -> None:
    assert parse_query('"memory layout').phrases == (("memory", "layout"),)


def test_function_words_go_where_other_words_remain() -> None:
    assert parse_query("How do I sort").terms == (("sort",),)
    assert parse_query("what is this").terms == (("what",), ("is",), ("this",))


def test_a_compound_stays_together() -> None:
    assert parse_query("URLSession.shared").terms == (("URLSession", "shared"),)


@pytest.mark.parametrize("text", ["", " ", "\0", "*", '"', '""', "-", "😀", "((", ":", '-""'])
def test_signs_alone_are_nothing_to_look_for(text: str) -> None:
    assert parse_query(text).is_empty


def test_a_pasted_book_is_cut_to_the_length_of_a_report() -> None:
    query = parse_query(" ".join(f"word{number}" for number in range(5000)))
    assert len(query.terms) == 128


@given(st.text())
def test_quoting_leaves_nothing_that_fts5_could_trip_over(text: str) -> None:
    query = parse_query(text)
    for term in (*query.terms, *query.phrases, *query.excluded):
        written = quote(term)
        assert written.count('"') == 2
        assert "\0" not in written


def test_what_is_wanted_is_the_text_without_quotes_and_without_what_must_not_occur() -> None:
    assert parse_query('grid "lazy rows" -cell -"old one" view').wanted == "grid lazy rows view"


def test_a_compound_that_begins_with_a_stop_word_stays_whole() -> None:
    assert parse_query("grid the.view").terms == (("grid",), ("the", "view"))


def test_a_word_and_an_identifier_have_a_hundred_characters_at_most() -> None:
    assert parse_query("a" * 101).terms == (("a" * 100,),)
    assert parse_query("aB" * 50).identifier
    assert not parse_query("aB" * 50 + "c").identifier
