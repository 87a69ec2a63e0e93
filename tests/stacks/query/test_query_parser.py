"""Any text is a query; quotes and minus signs that a person typed are demands."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stacks.cli.search_command import SEARCH_FORMATS, SearchReport
from stacks.query.query_parser import parse_query, quote
from stacks.serve.tools import call_tool

if TYPE_CHECKING:
    from collections.abc import Callable

    from stacks.model import Document
    from stacks.query import Index


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


Make: TypeAlias = "Callable[..., Document]"
Open: TypeAlias = "Callable[..., Index]"

REPORT = """
Renderer crashes when the "viewport height" is negative -verbose

Steps: call `render(scene, "wide angle")` with a height of -12, then resize the window.
The log says "height must not be negative" and the process exits.
"""
ABSTRACT = (
    "I am interested in articles on the time -sharing of computers, the so called "
    '"conversational mode", and their scheduling by priority among many users at once'
)


@pytest.fixture
def index(index_of: Open, page: Make) -> Index:
    """Three pages that have some of the words each."""
    return index_of(
        [
            page("draw/renderer", "Renderer", "Renders a scene of a height in a window."),
            page("draw/sorting", "Sorting", "Sort rows; a stable sort keeps equal rows in order."),
            page("time/sharing", "Scheduling", "Users share computers by priority in time."),
        ]
    )


def uris(index: Index, text: str, **settings: Any) -> list[str]:
    return [hit.uri.removeprefix("docs://") for hit in index.search(text, **settings)]


@pytest.mark.parametrize("text", [REPORT, ABSTRACT])
def test_long_text_demands_nothing(text: str) -> None:
    query = parse_query(text)
    assert not query.phrases
    assert not query.excluded


def test_the_quoted_words_of_long_text_are_words() -> None:
    words = parse_query(REPORT).words
    assert {"viewport", "verbose", "wide", "12"} <= set(words)
    assert parse_query(ABSTRACT).wanted.count('"') == 0


def test_a_short_query_demands_what_it_quotes_and_excludes() -> None:
    query = parse_query('sort "in place" -stable')
    assert query.phrases == (("in", "place"),)
    assert query.excluded == (("stable",),)


def test_a_long_quotation_alone_is_typed_on_purpose() -> None:
    sentence = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
    assert len(parse_query(f'"{sentence}"').phrases[0]) == 14
    assert not parse_query(f'He wrote "{sentence}').phrases, "nobody closed this quote"


@pytest.mark.parametrize("mode", ["smart", "plain"])
def test_pasted_text_finds_what_its_words_find(index: Index, mode: str) -> None:
    assert uris(index, REPORT, mode=mode)[0] == "draw/renderer"
    assert uris(index, ABSTRACT, mode=mode)[0] == "time/sharing"
    assert "quotes and minus signs are read as words" in index.search(REPORT).asked


@pytest.mark.parametrize("mode", ["smart", "plain"])
def test_a_phrase_that_nothing_has_is_looked_for_as_words(index: Index, mode: str) -> None:
    results = index.search('"equal order" rows', mode=mode)
    assert [hit.title for hit in results] == ["Sorting"]
    assert 'without demanding "equal order"' in results.asked
    assert results.relaxed == ('"equal order"',)


def test_what_is_excluded_stays_out_while_something_is_left(index: Index) -> None:
    results = index.search('"height of things" -stable rows')
    assert [hit.title for hit in results] == ["Renderer"]
    assert results.relaxed == ('"height of things"',)


def test_an_exclusion_that_leaves_nothing_is_relaxed(index: Index) -> None:
    results = index.search("sorting -rows")
    assert [hit.title for hit in results] == ["Sorting"]
    assert results.relaxed == ("-rows",)


def test_demands_that_leave_something_hold(index: Index) -> None:
    results = index.search('"stable sort" rows')
    assert results.relaxed == ()
    assert "demand" not in results.asked
    assert list(results.remarks()) == []


def test_nothing_is_said_of_demands_if_their_words_find_nothing_either(index: Index) -> None:
    results = index.search('"unheard of" unseen')
    assert not results.hits
    assert results.relaxed == ()


@pytest.mark.parametrize("name", ["text", "markdown"])
def test_a_reader_is_told_before_the_first_hit(index: Index, name: str) -> None:
    results = index.search('"equal order" rows')
    first = SEARCH_FORMATS[name](SearchReport(results)).splitlines()[0]
    assert "asked: every source, by words, without demanding" in first


def test_programs_are_told(index: Index) -> None:
    results = index.search('"equal order" rows')
    data = json.loads(SEARCH_FORMATS["json"](SearchReport(results)))
    assert data["relaxed"] == ['"equal order"']
    answer = call_tool(index, "search", {"query": '"equal order" rows'})
    assert answer.data["relaxed"] == ['"equal order"']
    assert "without demanding" in answer.text
