"""What a page is part of speaks for it, and only for questions in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import pytest

from stacks.query.candidates import Candidate, Factor, RankedCandidate
from stacks.query.evidence import add_framework_scores, find_roots
from stacks.query.features import list_factors
from stacks.query.frameworks import Aliases
from stacks.query.fusion import Blend, blend

if TYPE_CHECKING:
    from collections.abc import Callable

    from stacks.model import Document
    from stacks.query import Index

Make: TypeAlias = "Callable[..., Document]"
Open: TypeAlias = "Callable[..., Index]"


def candidate(number: int, *, bm25: float, framework_score: float = 0.0) -> Candidate:
    return Candidate(
        number,
        f"docs://{number}",
        f"T{number}",
        "",
        "",
        False,
        0,
        bm25,
        None,
        framework_score=framework_score,
    )


def test_a_document_is_given_a_fifth_of_what_its_framework_has() -> None:
    scores = {1: 10.0, 2: 4.0, 3: 6.0}
    assert add_framework_scores(scores, {2: 1, 3: 9, 4: 1}) == {2: 2.0, 4: 2.0}


def test_the_page_of_a_framework_is_looked_for_among_those_that_are_found() -> None:
    places = [
        (1, "docs://shutil", "shutil"),
        (2, "docs://shutil/copy2", "shutil"),
        (3, "docs://os/remove", "os"),
        (4, "docs://loose", ""),
    ]
    assert find_roots("docs", places) == {2: 1}
    assert find_roots("other", places) == {}


def test_what_is_given_is_added_as_a_factor_with_its_reason() -> None:
    assert list_factors(candidate(1, bm25=4.0, framework_score=2.0), "x") == (
        Factor("its framework is found too", 1.5, "around"),
    )
    assert list_factors(candidate(1, bm25=0.0, framework_score=2.0), "x") == ()


def test_what_is_given_counts_in_the_list_by_meaning_and_leaves_the_likeness_as_it_is() -> None:
    words = [RankedCandidate(candidate(number, bm25=1.0), (), 1.0) for number in (1, 2)]
    listed = blend(words, [], {1: 0.5, 2: 0.45}, Blend(share=1.0), framework_scores={2: 0.1})
    assert [each.candidate.id for each in listed] == [2, 1]
    assert [each.blended.similarity for each in listed if each.blended] == [0.45, 0.5]


@pytest.fixture
def index(index_of: Open, page: Make) -> Index:
    same = "Copies one thing to another place and keeps its times."
    return index_of(
        [
            page("archive", "Archive", "Files that hold other files.", kind="module"),
            page("archive/copy", "transfer", same, kind="function"),
            page("attic", "Attic", "Old letters.", kind="module"),
            page("attic/copy", "convey", same, kind="function"),
            *(page(f"other/p{n}", f"Topic {n}", "Nothing of this.") for n in range(20)),
        ]
    )


def test_of_two_pages_that_say_the_same_the_one_whose_framework_answers_comes_first(
    index: Index,
) -> None:
    hits = index.search("copies of files with their times").hits
    assert hits[0].uri == "docs://archive/copy"
    reasons = [factor.reason for factor in hits[0].factors]
    assert "its framework is found too" in reasons
    other = next(hit for hit in hits if hit.uri == "docs://attic/copy")
    assert "its framework is found too" not in [factor.reason for factor in other.factors]


def test_a_single_word_is_no_question(index: Index) -> None:
    reasons = [factor.reason for hit in index.search("copies").hits for factor in hit.factors]
    assert "its framework is found too" not in reasons


def test_a_framework_is_called_by_words_that_its_name_runs_together(
    index_of: Open, page: Make
) -> None:
    index = index_of(
        [
            page("usernotifications", "UserNotifications", "Short messages.", kind="module"),
            page(
                "usernotifications/center",
                "UserNotificationCenter",
                "The framework for user notifications.",
                kind="class",
            ),
        ]
    )
    assert index.search("user notifications framework").hits[0].uri == "docs://usernotifications"


def test_the_page_of_a_framework_adds_nothing_to_itself(index: Index) -> None:
    hit = next(hit for hit in index.search("files that hold others") if hit.uri == "docs://archive")
    assert "its framework is found too" not in [factor.reason for factor in hit.factors]


class _File:
    """A file with one framework that has short forms."""

    def rows(self, _: str) -> list[tuple[str, str, str, str]]:
        return [("corenfc", "CoreNFC", "Core NFC", "nfc, near field communication")]


def test_a_short_form_of_several_words_stands_for_its_framework() -> None:
    file: Any = _File()
    aliases = Aliases([file])
    assert list(aliases.expand(("read", "Near", "field", "communication"))) == [
        "near field communication"
    ]
    assert list(aliases.expand(("NFC", "tag"))) == ["nfc"]
    assert aliases.expand(("corenfc", "nfc")) == {}


def test_a_framework_is_resolved_by_any_of_its_names() -> None:
    file: Any = _File()
    aliases = Aliases([file])
    for name in ("corenfc", "CoreNFC", " core  NFC ", "nfc"):
        assert aliases.resolve(name) == aliases.find_slug(name) == "corenfc"
    assert (aliases.resolve("Unheard Of"), aliases.find_slug("Unheard Of")) == ("unheard of", "")
    assert aliases.resolve("  ") == ""
