"""Names inside queries: beside kinds, frameworks and words that ask, joined or spaced."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stacks.query.query_names import find_name_runs, split_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from stacks.model import Document
    from stacks.query import Index

Make: TypeAlias = "Callable[..., Document]"
Open: TypeAlias = "Callable[..., Index]"


def uris(index: Index, text: str, **settings: Any) -> list[str]:
    return [hit.uri.removeprefix("docs://") for hit in index.search(text, **settings)]


@pytest.fixture
def index(index_of: Open, page: Make) -> Index:
    """Names among pages that repeat the words which people type beside them."""
    chatter = "class type function method counter tally result example how to use " * 5
    parser = ("shapes.Parser.add_argument", "Parser.add_argument")
    helper = ("shapes.Helper.add_argument", "Helper.add_argument")
    return index_of(
        [
            page("shapes", "shapes", "Shapes.", kind="module", module="shapes"),
            page("clocks", "clocks", "Clocks.", kind="module", module="clocks"),
            page("clocks/perf_counter", "perf_counter", chatter, kind="function"),
            page("clocks/about", "About clocks", chatter, kind="article"),
            page("shapes/tally", "Tally", "Counts.", kind="class"),
            page("clocks/tally", "tally", "Counts.", kind="function"),
            page("shapes/result", "Result", "Holds.", kind="enum"),
            page("clocks/resulttype", "resultType", "Says.", kind="property"),
            page("shapes/media", "ContentAndMedia", "Holds.", kind="struct"),
            page("shapes/long", "one_of_the_very_long_names", "x", kind="function"),
            *(page(f"shapes/parser/p{n}", f"p{n}", "x", kind="method") for n in range(9)),
            page("shapes/parser", "Parser", "Parses.", kind="class"),
            page("shapes/helper", "Helper", "Helps to add argument text.", kind="class"),
            page("shapes/helper/add", "Helper.add_argument", "shapes", kind="method", names=helper),
            page("shapes/parser/add", "Parser.add_argument", "Adds.", kind="method", names=parser),
        ]
    )


@pytest.mark.parametrize(
    "text",
    [
        "Tally class",
        "class Tally",
        "tally class",
        "the Tally type",
        "Tally shapes",
        "shapes Tally",
        "Tally in shapes",
        "how to use the Tally class",
        "Tally class example",
        "example of Tally in the shapes module",
        "What is the Tally class?",
    ],
)
def test_a_name_is_found_beside_words_that_describe_it(index: Index, text: str) -> None:
    assert uris(index, text)[0] == "shapes/tally"


@pytest.mark.parametrize("text", ["tally function", "clocks tally", "how to use tally in clocks"])
def test_kind_and_framework_choose_among_namesakes(index: Index, text: str) -> None:
    assert uris(index, text)[0] == "clocks/tally"


def test_a_kind_that_no_namesake_is_of_does_not_hide_the_name(index: Index) -> None:
    assert uris(index, "Result protocol")[0] == "shapes/result"


def test_a_name_beside_its_kind_goes_before_the_words_joined(index: Index) -> None:
    found = uris(index, "Result type")
    assert found[0] == "shapes/result"
    assert "clocks/resulttype" in found
    assert uris(index, "resultType")[0] == "clocks/resulttype"


@pytest.mark.parametrize(
    ("text", "uri"),
    [
        ("content and media", "shapes/media"),
        ("content and media struct", "shapes/media"),
        ("how to use content and media in shapes", "shapes/media"),
        ("one of the very long names", "shapes/long"),
        ("usage of perf counter", "clocks/perf_counter"),
    ],
)
def test_words_of_a_name_may_be_spaced_and_stop_words(index: Index, text: str, uri: str) -> None:
    assert uris(index, text)[0] == uri


@pytest.mark.parametrize(
    "text", ["shapes add_argument", "add_argument shapes", "how to use shapes add_argument"]
)
def test_a_member_beside_its_framework_is_that_of_the_larger_type(index: Index, text: str) -> None:
    assert uris(index, text)[:2] == ["shapes/parser/add", "shapes/helper/add"]


def test_a_member_with_its_owner_is_found_beside_other_words(index: Index) -> None:
    for text in ("Helper add_argument method", "how to use Helper.add_argument in shapes"):
        assert uris(index, text)[0] == "shapes/helper/add", text


def test_a_question_is_no_name(index: Index) -> None:
    hits = index.search("count the tally of a clock")
    assert "title is nearly the query" not in {each.reason for hit in hits for each in hit.factors}


def test_runs_are_the_longest_first_and_never_the_whole() -> None:
    runs = list(find_name_runs(("the", "grid", "type"), lambda _: ""))
    assert [run.words for run in runs] == [("the", "grid"), ("grid", "type"), ("grid",)]
    assert [bool(run.kinds) for run in runs] == [True, False, True]


def test_a_name_is_of_one_kind_in_one_framework() -> None:
    runs = list(find_name_runs(("class", "grid", "module"), lambda _: ""))
    assert ("grid",) not in [run.words for run in runs]


def test_signs_at_the_ends_of_words_are_no_part_of_a_name() -> None:
    assert split_name("what is `grid()`, and why?") == ("what", "is", "grid", "and", "why")


@given(st.text(alphabet="ab. ()@?", max_size=30))
def test_any_query_has_runs_of_its_own_words(text: str) -> None:
    words = split_name(text)
    for run in find_name_runs(words, lambda name: name if "a" in name else ""):
        assert 0 < len(run.words) < len(words)
        assert all(run.spellings)
