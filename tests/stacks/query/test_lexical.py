"""Reading no more than the best: they are the ones that reading everything gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stacks.query import Filters, Index, lexical
from stacks.query.filters import Condition
from stacks.query.lexical import Cutoff, Expression, LexicalSearch, choose_best, match_best
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
    monkeypatch.setattr(lexical, "_SPARE", 4)
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


def test_what_is_neither_among_the_best_nor_kept_is_not_read(index_of: Open, page: Make) -> None:
    index = index_of([page(f"a/p{n:03}", f"P{n}", "word " + "long " * n) for n in range(50)])
    found = match_best(search_of(index), Expression(('"word"',)), 1, Cutoff(3, {(1 << 32) + 50}))
    assert len(found) == 3 + lexical._SPARE + 1


def test_among_too_many_equals_everything_is_read(index_of: Open, page: Make) -> None:
    index = index_of([page(f"a/p{n:03}", f"P{n:03}", "equal words") for n in range(50)])
    assert len(match_best(search_of(index), Expression(('"equal"',)), 1, Cutoff(3))) == 50


def test_a_cut_that_is_longer_than_reading_everything_is_none(
    index_of: Open, page: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = index_of([page(f"a/p{n:03}", f"P{n}", "word " + "long " * n) for n in range(50)])
    monkeypatch.setattr(lexical, "_MOST_READ", 5)
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
