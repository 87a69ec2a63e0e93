"""The best by words, from posting lists or read from FTS5: those that scoring everything gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stacks import postings
from stacks.query import Filters, Index, lexical
from stacks.query.filters import Condition
from stacks.query.lexical import (
    Cutoff,
    Expression,
    LexicalSearch,
    WeightedExpression,
    choose_best,
    match_all,
    match_best,
)
from stacks.query.rankings import RANKINGS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from stacks.model import Document

Make: TypeAlias = "Callable[..., Document]"
Open: TypeAlias = "Callable[..., Index]"

WORDS = ("every", "half", "third", "rare", "twice", "titled", "nowhere", "café", "twice twice")
DOCUMENTATION = RANKINGS.get("documentation").weights
WEIGHTS = {
    "documentation": DOCUMENTATION,
    "files": RANKINGS.get("files").weights,
    "without titles": {**DOCUMENTATION, "title": 0.0},
    "others": {**DOCUMENTATION, "title": 0.7, "content": 0.3},
}


def say(number: int) -> str:
    """Words by number, some of them often, in texts of different lengths."""
    text = ["every"] * (1 + number % 3) + ["long"] * (number % 7)
    text += ["half"] * (number % 2) + ["third"] * (number % 3 == 0) + ["rare"] * (number % 17 == 0)
    text += ["café"] * (number % 11 == 0)
    return " ".join(text + ["twice", "twice"] * (number % 5 == 0))


def call(number: int) -> str:
    return f"Titled half {number}" if number % 4 == 0 else f"P{number}"


@pytest.fixture(params=["posting lists", "FTS5 alone"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Score with numpy, and as a process that has not loaded it."""
    monkeypatch.setattr(lexical, "_SPARE", 4)
    if request.param == "FTS5 alone":
        monkeypatch.setattr(lexical, "_LOADED", {})
    return str(request.param)


@pytest.fixture
def two_sources(index_of: Open, page: Make, monkeypatch: pytest.MonkeyPatch) -> Index:
    """A large source and a small one; words of ten documents have posting lists."""
    monkeypatch.setattr(postings, "LEAST_DOCUMENTS", 10)
    large = [page(f"a/p{n:03}", call(n), say(n)) for n in range(120)]
    small = [page(f"b/p{n:03}", call(n), say(n), uri=f"few://b/p{n:03}") for n in range(50, 57)]
    return index_of(docs=large, few=small)


@pytest.mark.corpus
@pytest.mark.usefixtures("way")
@settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    words=st.lists(st.sampled_from(WORDS), min_size=1, max_size=5, unique=True),
    required=st.lists(st.sampled_from(WORDS[:4]), max_size=1),
    more=st.lists(st.tuples(*[st.sampled_from(WORDS)] * 2, st.floats(0.1, 1.0)), max_size=2),
    count=st.integers(1, 60),
    kept=st.sets(st.tuples(st.integers(1, 3), st.integers(1, 130)), max_size=20),
    sources=st.sampled_from([(1,), (2,), (1, 2)]),
    weights=st.sampled_from(sorted(WEIGHTS)),
)
def test_the_best_and_what_is_kept_are_those_of_scoring_everything(
    two_sources: Index,
    *,
    words: list[str],
    required: list[str],
    more: list[tuple[str, str, float]],
    count: int,
    kept: set[tuple[int, int]],
    sources: tuple[int, ...],
    weights: str,
) -> None:
    search = LexicalSearch(two_sources.databases[0], Condition(""), sources, WEIGHTS[weights])
    numbers = {(source << 32) + each for source, each in kept}
    asked = ask(words, required, more)
    everything = match_all(search, *asked)
    found = match_best(search, *asked, Cutoff(count, numbers))
    assert found.keys() <= everything.keys()
    for source in sources:
        of_all, of_found = (
            {number: score for number, score in each.items() if number >> 32 == source}
            for each in (everything, found)
        )
        best = choose_best(search.database, round_scores(of_all), count)
        assert set(choose_best(search.database, round_scores(of_found), count)) == set(best)
        for number in {*best, *(numbers & of_all.keys())}:
            assert of_found[number] == pytest.approx(of_all[number], rel=1e-12)


@pytest.mark.corpus
@settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    words=st.lists(st.sampled_from(WORDS), min_size=1, max_size=6, unique=True),
    more=st.lists(st.tuples(*[st.sampled_from(WORDS)] * 2, st.floats(0.1, 1.0)), max_size=2),
    weights=st.sampled_from(["documentation", "files", "without titles"]),
)
def test_both_ways_score_the_same_to_the_last_digit(
    two_sources: Index, words: list[str], more: list[tuple[str, str, float]], weights: str
) -> None:
    search = LexicalSearch(two_sources.databases[0], Condition(""), [1, 2], WEIGHTS[weights])
    asked = ask(words, (), more)
    found = match_best(search, *asked, Cutoff(200))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lexical, "_LOADED", {})
        assert match_best(search, *asked, Cutoff(200)) == found


def ask(
    words: Sequence[str], required: Sequence[str], more: Sequence[tuple[str, str, float]]
) -> tuple[Expression, list[WeightedExpression]]:
    optional, demanded = (tuple(f'"{word}"' for word in each) for each in (words, required))
    added = [
        WeightedExpression(Expression((f'"{word}"',), excluded=(f'"{without}"',)), weight)
        for word, without, weight in more
    ]
    return Expression(optional, demanded), added


def round_scores(scores: dict[int, float]) -> dict[int, float]:
    """Scores of the same terms differ in the last digits by the order of their sum."""
    return {number: float(f"{score:.12g}") for number, score in scores.items()}


def test_words_that_many_documents_have_are_not_left_to_fts5(
    two_sources: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    search = LexicalSearch(two_sources.databases[0], Condition(""), [1, 2], DOCUMENTATION)
    asked = ask(("Every", "half"), (), ())
    everything = match_all(search, *asked)
    monkeypatch.setattr(LexicalSearch, "_run", None)
    assert match_best(search, *asked, Cutoff(200)) == pytest.approx(everything, rel=1e-12)


@pytest.fixture
def one_by_one(index_of: Open, page: Make, monkeypatch: pytest.MonkeyPatch) -> LexicalSearch:
    monkeypatch.setattr(postings, "LEAST_DOCUMENTS", 10)
    index = index_of([page(f"a/p{n:03}", f"P{n}", "word " + "long " * n) for n in range(50)])
    return LexicalSearch(index.databases[0], Condition(""), [1], DOCUMENTATION)


WORD = Expression(('"word"',))


@pytest.mark.parametrize(
    ("way", "read"), [("posting lists", 4), ("FTS5 alone", 8)], indirect=["way"]
)
def test_what_is_neither_among_the_best_nor_kept_is_not_read(
    way: str, one_by_one: LexicalSearch, read: int
) -> None:
    found = match_best(one_by_one, WORD, (), Cutoff(3, {(1 << 32) + 50}))
    assert (1 << 32) + 50 in found
    assert len(found) == read, way


def test_a_cut_that_is_longer_than_reading_everything_is_none(
    one_by_one: LexicalSearch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lexical, "_LOADED", {})
    monkeypatch.setattr(lexical, "_MOST_READ", 5)
    assert len(match_best(one_by_one, WORD, (), Cutoff(3))) == 50


@pytest.mark.usefixtures("way")
def test_of_too_many_equals_all_are_read(index_of: Open, page: Make) -> None:
    index = index_of([page(f"a/p{n:03}", f"P{n:03}", "equal word") for n in range(50)])
    search = LexicalSearch(index.databases[0], Condition(""), [1], DOCUMENTATION)
    assert len(match_best(search, WORD, (), Cutoff(3))) == 50


def test_numpy_is_loaded_for_a_large_index(
    one_by_one: LexicalSearch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lexical, "_LOADED", {})
    monkeypatch.setattr(lexical, "_WORTH_NUMPY", 49)
    assert len(match_best(one_by_one, WORD, (), Cutoff(3))) == 3


@pytest.mark.usefixtures("way")
def test_a_filter_has_the_best_of_those_that_pass(index_of: Open, page: Make) -> None:
    documents = [
        page(f"a/p{n:03}", f"P{n}", "word " + "long " * n, kind="struct" if n % 2 else "class")
        for n in range(40)
    ]
    index = index_of(documents)
    condition = Filters(kinds=("struct",)).condition("")
    search = LexicalSearch(index.databases[0], condition, [1], DOCUMENTATION)
    found = match_best(search, WORD, (), Cutoff(3))
    best = choose_best(index.databases[0], found, 3)
    rows = index.databases[0].rows("SELECT id, uri FROM docs_metadata")
    assert {uri for number, uri in rows if number in best} == {
        "docs://a/p001",
        "docs://a/p003",
        "docs://a/p005",
    }


@pytest.mark.usefixtures("way")
def test_a_word_of_another_source_hides_nothing(index_of: Open, page: Make) -> None:
    elsewhere = [page(f"big/p{n}", f"P{n}", "common rare") for n in range(30)]
    corner = [page(f"small/p{n}", f"S{n}", "common words") for n in range(3)]
    index = index_of(one=elsewhere, two=corner)
    for filters in (Filters(framework="small"), Filters(sources=("two",))):
        assert len(index.search("common rare", filters=filters).hits) == 3


@pytest.mark.usefixtures("way")
def test_what_must_occur_needs_no_other_word_within_a_filter_either(
    index_of: Open, page: Make
) -> None:
    index = index_of(
        [
            page("a/both", "One", "exact phrase and other", kind="struct"),
            page("a/phrase", "Two", "exact phrase alone", kind="struct"),
            page("a/other", "Three", "other", kind="struct"),
        ]
    )
    for mode in ("fts5", "plain"):
        for filters in (Filters(), Filters(kinds=("struct",))):
            found = index.search('"exact phrase" other', filters=filters, mode=mode)
            assert [hit.uri for hit in found] == ["docs://a/both", "docs://a/phrase"]
