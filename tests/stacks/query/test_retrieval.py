"""Candidates of a source: by parts of names, by names without words, and for questions in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import pytest

from stacks.index import save
from stacks.query import open_index
from stacks.query.filters import Condition
from stacks.query.lexical import LexicalSearch
from stacks.query.rankings import COLUMN_WEIGHTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from stacks.model import Document
    from stacks.query import Hit, Index

Make: TypeAlias = "Callable[..., Document]"
Open: TypeAlias = "Callable[..., Index]"


def hits(index: Index, text: str, **settings: Any) -> dict[str, Hit]:
    return {hit.uri.removeprefix("docs://"): hit for hit in index.search(text, **settings)}


@pytest.fixture
def grids(index_of: Open, page: Make) -> Index:
    return index_of(
        [
            page("ui/lazygrid", "LazyGrid", "A container.", kind="struct"),
            page("ui/text", "Text", "grids and gridlock"),
            page("ui/other", "Other", "nothing " + "of it " * 50),
            *(page(f"ui/p{n}", f"P{n}", "filler") for n in range(20)),
        ]
    )


def test_a_prefix_of_a_name_counts_like_a_word(grids: Index) -> None:
    lexical = LexicalSearch(grids.databases[0], Condition(""), [1], COLUMN_WEIGHTS)
    (whole,) = lexical.match_prefix('"lazygri"').values()
    assert hits(grids, "lazygri")["ui/lazygrid"].bm25 == pytest.approx(whole)


def test_two_letters_are_no_prefix(grids: Index) -> None:
    assert list(hits(grids, "laz")) == ["ui/lazygrid"]
    assert hits(grids, "la") == {}


def test_prefixes_are_tried_if_whole_words_find_too_little(grids: Index) -> None:
    assert "ui/lazygrid" in hits(grids, "nothing lazyg")
    assert "ui/lazygrid" not in hits(grids, "nothing lazyg", limit=1)
    assert "ui/lazygrid" not in hits(grids, '"nothing" lazyg')
    assert "ui/lazygrid" not in hits(grids, "nothing lazyg -gridlock")


def test_five_terms_are_too_many_for_prefixes(grids: Index) -> None:
    assert "ui/lazygrid" in hits(grids, "zzz yyy xxx lazyg")
    assert "ui/lazygrid" not in hits(grids, "zzz yyy xxx www lazyg")


def test_a_page_that_is_named_without_its_words_has_the_least_score_of_those_named(
    index_of: Open, page: Make
) -> None:
    index = index_of(
        [
            page("a/one", "Widget", "widget widget"),
            page("a/two", "Thing", "no such word", names=("Widget",)),
        ]
    )
    found = hits(index, "widget")
    assert found["a/two"].bm25 == found["a/one"].bm25


def test_a_page_that_is_named_where_no_words_are_found_has_a_score_of_one(
    index_of: Open, page: Make
) -> None:
    index = index_of([page("a/two", "Thing", "no such word", names=("==",))])
    assert hits(index, "==")["a/two"].bm25 == 1.0


def test_a_question_in_words_forgets_the_kind_of_what_it_does_not_name(
    index_of: Open, page: Make
) -> None:
    index = index_of([page("ui/grid", "Grid", "rows of cells", kind="struct")])
    by_name = [factor.reason for factor in hits(index, "Grid")["ui/grid"].factors]
    assert "kind struct" in by_name
    in_words = hits(index, "rows of cells")["ui/grid"].factors
    assert [factor.reason for factor in in_words] == []


def test_without_age_a_deprecated_page_counts_like_any_other(index_of: Open, page: Make) -> None:
    index = index_of([page("a/old", "Old", "kettle", is_deprecated=True, language="objc")])
    assert [factor.reason for factor in hits(index, "kettle")["a/old"].factors] == [
        "deprecated",
    ]
    found = hits(index, "kettle", without=frozenset({"age"}))["a/old"]
    assert [factor.reason for factor in found.factors] == []
    assert found.is_deprecated


def test_plain_scores_are_explained_by_the_words_as_they_were_searched(
    index_of: Open, page: Make
) -> None:
    index = index_of([page("a/x", "Grid", "a grid of rows"), page("a/y", "Y", "else")])
    (hit,) = index.search("grid rows", mode="plain").hits
    explanation = index.explain(hit)
    assert [part.term for part in explanation.terms] == ['"grid"', '"rows"']
    assert sum(part.score for part in explanation.terms) == pytest.approx(hit.score)


@pytest.fixture
def files(
    tmp_path: Path, page: Make, request_of: Callable[..., Any]
) -> Iterator[Callable[[str], dict[str, list[str]]]]:
    """Find files, each with the reasons of its factors."""
    texts = {
        "apart": "one and two, three four five six seven eight nine",
        "row": "zero one two three four five six seven eight nine",
        "some": "one one one one",
    }
    documents = [page(name, f"{name}.txt", text, kind="file") for name, text in texts.items()]
    save([request_of("docs", documents, ranking="files")], tmp_path)
    with open_index(tmp_path) as index:
        yield lambda text: {
            uri: [factor.reason for factor in hit.factors] for uri, hit in hits(index, text).items()
        }


def test_files_with_every_word_count_more_up_to_eight_words(
    files: Callable[[str], dict[str, list[str]]],
) -> None:
    assert files("one two") == {
        "row": ["has every word"],
        "apart": ["has every word"],
        "some": [],
    }
    assert files("one") == {"some": [], "row": [], "apart": []}
    eight = "one two three four five six seven eight"
    assert files(eight)["row"] == ["has every word"]
    assert files(f"{eight} nine")["row"] == []
