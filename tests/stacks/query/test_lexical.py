"""Reading no more than the best: they are the ones that reading everything gives."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING, TypeAlias

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stacks.query import Filters, Index, best_matches, lexical
from stacks.query.best_matches import Cutoff, choose_best, match_best
from stacks.query.filters import Condition
from stacks.query.lexical import Expression, LexicalSearch
from stacks.query.rankings import RANKINGS

if TYPE_CHECKING:
    from collections.abc import Callable

    from stacks.model import Document

Make: TypeAlias = "Callable[..., Document]"
Open: TypeAlias = "Callable[..., Index]"

WORDS = ("every", "half", "third", "rare", "twice", "nowhere")


def say(number: int) -> str:
    """Words by number, some of them often, in texts of different lengths."""
    text = ["every"] * (1 + number % 3) + ["long"] * (number % 7)
    text += ["half"] * (number % 2) + ["third"] * (number % 3 == 0) + ["rare"] * (number % 17 == 0)
    return " ".join(text + ["twice", "twice"] * (number % 5 == 0))


def search_of(index: Index, condition: Condition | None = None) -> LexicalSearch:
    weights = RANKINGS.get("documentation").weights
    return LexicalSearch(index.databases[0], condition or Condition(""), [1], weights)


@pytest.fixture
def search(index_of: Open, page: Make, monkeypatch: pytest.MonkeyPatch) -> LexicalSearch:
    """A search in which words of all rarities behave as in a large index."""
    monkeypatch.setattr(best_matches, "_SPARE", 4)
    monkeypatch.setattr(lexical, "_BUDGET", 30)
    monkeypatch.setattr(lexical, "_MOST_RANKED", 50)
    return search_of(index_of([page(f"a/p{n:03}", f"P{n}", say(n)) for n in range(120)]))


@pytest.mark.corpus
@settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    words=st.lists(st.sampled_from(WORDS), min_size=1, max_size=4, unique=True),
    required=st.lists(st.sampled_from(WORDS[:4]), max_size=1),
    count=st.integers(1, 60),
    enough=st.integers(1, 60),
    kept=st.sets(st.integers(1, 120), max_size=20),
)
def test_the_best_and_what_is_kept_are_those_of_reading_everything(
    search: LexicalSearch,
    words: list[str],
    required: list[str],
    count: int,
    enough: int,
    kept: set[int],
) -> None:
    numbers = {(1 << 32) + each for each in kept}
    expression = Expression(
        tuple(f'"{word}"' for word in words), tuple(f'"{word}"' for word in required)
    )
    everything = search.match(expression, enough)
    found = match_best(search, expression, enough, Cutoff(count, numbers))
    best = choose_best(search.database, everything, count)
    assert set(choose_best(search.database, found, count)) == set(best)
    for number in {*best, *(numbers & everything.keys())}:
        assert found[number] == everything[number]
    assert numbers & found.keys() == numbers & everything.keys()
    assert (len(found) < enough) == (len(everything) < enough)


@pytest.fixture
def two_sources(index_of: Open, page: Make, monkeypatch: pytest.MonkeyPatch) -> LexicalSearch:
    """A search in a large source and a small one."""
    monkeypatch.setattr(best_matches, "_SPARE", 4)
    large = [page(f"a/p{n:03}", f"P{n}", say(n)) for n in range(120)]
    small = [page(f"b/p{n:03}", f"P{n}", say(n), uri=f"few://b/p{n:03}") for n in range(50, 57)]
    index = index_of(docs=large, few=small)
    weights = RANKINGS.get("documentation").weights
    return LexicalSearch(index.databases[0], Condition(""), [1, 2], weights)


@pytest.mark.corpus
@settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    words=st.lists(st.sampled_from(WORDS), min_size=1, max_size=5, unique=True),
    count=st.integers(1, 30),
    kept=st.sets(st.tuples(st.integers(1, 2), st.integers(1, 120)), max_size=20),
)
def test_each_source_has_the_best_that_reading_everything_gives(
    two_sources: LexicalSearch, words: list[str], count: int, kept: set[tuple[int, int]]
) -> None:
    numbers = {(source << 32) + each for source, each in kept}
    expression = Expression(tuple(f'"{word}"' for word in words))
    everything = two_sources.match(expression, 1)
    found = match_best(two_sources, expression, 1, Cutoff(count, numbers))
    for source in (1, 2):
        of_all, of_found = (
            {number: score for number, score in each.items() if number >> 32 == source}
            for each in (everything, found)
        )
        best = choose_best(two_sources.database, of_all, count)
        assert set(choose_best(two_sources.database, of_found, count)) == set(best)
        for number in {*best, *(numbers & of_all.keys())}:
            assert of_found[number] == pytest.approx(of_all[number], rel=1e-12)


def test_documents_of_common_words_alone_are_scored_only_where_they_can_be_among_the_best(
    two_sources: LexicalSearch,
) -> None:
    expression = Expression(('"rare"', '"half"'))
    everything = two_sources.match(expression, 1)
    found = match_best(two_sources, expression, 1, Cutoff(2))
    # The small source has one document with the rare word: its second best has the other alone.
    assert len([number for number in everything if number >> 32 == 1]) > 60
    assert len([number for number in found if number >> 32 == 1]) == 8
    assert {n for n in found if n >> 32 == 2} == {n for n in everything if n >> 32 == 2}


@pytest.mark.parametrize("skipped", [0, 10, 1_000])
def test_common_words_add_the_same_in_one_statement_as_in_two(
    search: LexicalSearch, monkeypatch: pytest.MonkeyPatch, skipped: int
) -> None:
    monkeypatch.setattr(lexical, "_SKIPPED_LIKE_SCORED", skipped)
    words = ('"rare"', '"third"', '"half"', '"every"')
    for optional in permutations(words, 3):
        expression = Expression(optional)
        rarest = next(word for word in words if word in optional)
        everything = search.match_all(expression)
        wanted = {n: score for n, score in everything.items() if search.has(rarest, n)}
        assert search.match(expression, 1) == pytest.approx(wanted, rel=1e-12)


def test_words_that_must_not_occur_are_left_out_of_what_chooses_too(
    search: LexicalSearch,
) -> None:
    expression = Expression(('"rare"', '"half"', '"every"'), excluded=('"twice"',))
    everything = search.match_all(expression)
    found = search.match(expression, 1)
    wanted = {n: score for n, score in everything.items() if search.has('"rare"', n)}
    assert found == pytest.approx(wanted, rel=1e-12)
    assert found
    assert not any(search.has('"twice"', number) for number in found)


def test_what_is_neither_among_the_best_nor_kept_is_not_read(index_of: Open, page: Make) -> None:
    index = index_of([page(f"a/p{n:03}", f"P{n}", "word " + "long " * n) for n in range(50)])
    found = match_best(search_of(index), Expression(('"word"',)), 1, Cutoff(3, {(1 << 32) + 50}))
    assert len(found) == 3 + best_matches._SPARE + 1


def test_among_too_many_equals_everything_is_read(index_of: Open, page: Make) -> None:
    index = index_of([page(f"a/p{n:03}", f"P{n:03}", "equal words") for n in range(50)])
    assert len(match_best(search_of(index), Expression(('"equal"',)), 1, Cutoff(3))) == 50


def test_a_cut_that_is_longer_than_reading_everything_is_none(
    index_of: Open, page: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = index_of([page(f"a/p{n:03}", f"P{n}", "word " + "long " * n) for n in range(50)])
    monkeypatch.setattr(best_matches, "_MOST_READ", 5)
    assert len(match_best(search_of(index), Expression(('"word"',)), 1, Cutoff(3))) == 50


def test_a_cut_within_a_filter_has_the_best_of_those_that_pass(index_of: Open, page: Make) -> None:
    documents = [
        page(f"a/p{n:03}", f"P{n}", "word " + "long " * n, kind="struct" if n % 2 else "class")
        for n in range(40)
    ]
    index = index_of(documents)
    condition = Filters(kinds=("struct",)).condition("")
    found = match_best(search_of(index, condition), Expression(('"word"',)), 1, Cutoff(3))
    best = choose_best(index.databases[0], found, 3)
    rows = index.databases[0].rows("SELECT id, uri FROM docs_metadata")
    assert {uri for number, uri in rows if number in best} == {
        "docs://a/p001",
        "docs://a/p003",
        "docs://a/p005",
    }
