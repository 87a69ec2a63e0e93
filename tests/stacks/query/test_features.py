"""Factors on a score: the kind, name, age and place of a page, and the pages around it."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest

from stacks.index import Request, SaveOptions, save
from stacks.query import open_index
from stacks.query.candidates import Candidate, Factor, RankedCandidate
from stacks.query.features import (
    add_framework_scores,
    find_roots,
    find_twins,
    level_names,
    list_factors,
    put_current_first,
)
from stacks.query.fusion import Blend, blend
from stacks.query.question import Aliases
from stacks.query.weights import WEIGHTS

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from stacks.model import Document
    from stacks.query import Index


def candidate(number: int = 1, **fields: Any) -> Candidate:
    """A current article of its framework, without a name that the query has."""
    plain = Candidate(number, "docs://ui/x", "Grid", "", "", False, 0, 10.0, None)
    return plain._replace(**fields)


def factors(typed: str = "query", **fields: Any) -> dict[str, float]:
    return {each.reason: each.factor for each in list_factors(candidate(**fields), typed)}


@pytest.mark.parametrize("kind", ["module", "package", "class", "struct", "protocol", "actor"])
def test_a_type_or_module_goes_before_everything_else_of_its_name(kind: str) -> None:
    assert factors(kind=kind) == {f"kind {kind}": 1.5}


@pytest.mark.parametrize("kind", ["method", "property", "article", "function", "unheard-of"])
def test_other_kinds_have_no_factor(kind: str) -> None:
    assert factors(kind=kind) == {}


def test_a_title_that_is_the_query_counts_more_than_one_that_has_it() -> None:
    weighed = [list(factors(title_match=match).values()) for match in range(5)]
    assert weighed == [[12.0], [4.0], [4.0], [4.0], [4.0]]


@pytest.mark.parametrize(
    ("title", "typed", "is_spelled"),
    [
        ("ZipFile", "ZipFile", True),
        ("zipfile", "ZipFile", False),
        ("zipfile.ZipFile", "ZipFile", True),
        ("open(_:mode:)", "open", True),
        ("open(_:mode:)", "open(_:mode:)", True),
        ("os.open(path)", "open", True),
        ("os.open(path)", "os", False),
    ],
)
def test_a_name_spelled_as_typed_counts_more(title: str, typed: str, is_spelled: bool) -> None:
    found = factors(typed, title=title, title_match=2)
    assert found.get("spelled as typed") == (1.25 if is_spelled else None)


def test_a_part_of_a_title_is_no_name_that_could_be_spelled() -> None:
    assert "spelled as typed" not in factors("Grid", title="Grid", title_match=3)


def test_age_and_place_of_a_page() -> None:
    assert factors(is_deprecated=True) == {"deprecated": 0.4}
    assert factors(language="objc") == {}
    assert factors(language="swift") == {}
    assert factors(prominence=9) == {}


def test_every_step_below_the_first_counts_less() -> None:
    assert factors(uri="docs://ui/a") == {}
    assert factors(uri="docs://ui/a/b") == {"2 steps deep": pytest.approx(0.93)}
    assert factors(uri="docs://ui/a/b/c") == {"3 steps deep": pytest.approx(0.93**2)}


def test_a_framework_that_is_found_adds_its_score() -> None:
    assert factors(bm25=4.0, framework_score=1.0) == {"its framework is found too": 1.25}
    assert factors(bm25=0.0, framework_score=1.0) == {}


def test_names_are_raised_to_the_best_of_all() -> None:
    listed = [
        candidate(1, bm25=12.0),
        candidate(2, bm25=3.0, title_match=0),
        candidate(3, bm25=4.0, title_match=1),
        candidate(4, bm25=2.0, title_match=2),
        candidate(5, bm25=8.0, title_match=2),
        candidate(6, bm25=6.0, title_match=3),
        candidate(7, bm25=1.0, title_match=4),
        candidate(8, bm25=0.0, title_match=0),
    ]
    levels = level_names(listed)
    assert {number: each.factor for number, each in levels.items()} == {
        2: 4.0,
        3: 3.0,
        4: 6.0,
        5: 1.5,
        6: 2.0,
    }
    assert {each.reason for each in levels.values()} == {"level with the best"}


def test_a_current_page_takes_the_place_of_an_old_one_of_the_same_title() -> None:
    old = candidate(1, title="NSURLSession", language="objc")
    other = candidate(2, title="Elsewhere")
    deprecated = candidate(3, title="urlsession", is_deprecated=True)
    new = candidate(4, title="URLSession")
    listed = put_current_first([old, deprecated, other, new])
    assert [each.id for each in listed] == [4, 1, 2, 3]


def test_an_old_page_that_the_query_names_stays_first() -> None:
    old = candidate(1, title="NSCache", language="objc", title_match=2)
    new = candidate(2, title="Cache")
    assert put_current_first([old, new]) == [old, new]
    only_part = old._replace(title_match=3)
    assert put_current_first([only_part, new]) == [new, only_part]


@pytest.mark.parametrize("title", ["NSize", "NSNumber(value:)", "XSCache"])
def test_only_a_type_has_the_prefix_of_objective_c(title: str) -> None:
    old = candidate(1, title=title, is_deprecated=True)
    new = candidate(2, title=title[2:])
    assert put_current_first([old, new]) == [old, new]


def test_a_twin_is_an_objective_c_page_whose_swift_page_is_there() -> None:
    swift = candidate(1, uri="docs://net/session", title="URLSession", language="swift")
    twin = candidate(2, uri="docs://net/session?objc", title="NSURLSession", language="objc")
    alone = candidate(3, uri="docs://net/task?objc", title="NSURLTask", language="objc")
    assert find_twins([swift, twin, alone], "loading") == {2}
    assert find_twins([twin, alone], "loading") == frozenset()


@pytest.mark.parametrize("typed", ["NSURLSession", "nsurl", "delegate of NSURLSession.shared"])
def test_a_twin_that_is_called_by_its_own_name_is_none(typed: str) -> None:
    swift = candidate(1, uri="docs://net/session", title="URLSession", language="swift")
    twin = candidate(2, uri="docs://net/session?objc", title="NSURLSession", language="objc")
    assert find_twins([swift, twin], typed) == frozenset()


def test_a_name_that_both_pages_have_does_not_call_the_twin() -> None:
    swift = candidate(1, uri="docs://net/s", title="NSThing", language="swift")
    twin = candidate(2, uri="docs://net/s?objc", title="NSThing", language="objc")
    assert find_twins([swift, twin], "NSThing") == {2}


def test_factors_of_one_are_not_listed() -> None:
    assert prod(factors(kind="article", uri="docs://ui/x").values()) == 1
    assert list_factors(candidate(kind="article"), "x") == ()


def test_every_weight_says_what_chose_it_and_every_factor_names_its_weight() -> None:
    assert all(weight.because and weight.value > 0 for weight in WEIGHTS.values())
    named = candidate(title_match=0, title="query", kind="class", uri="docs://swift/a/b")
    listed = list_factors(named._replace(is_deprecated=True, prominence=9), "query")
    assert {each.weight for each in listed} <= WEIGHTS.keys()
    assert len(listed) == 5


LENDING = '''
def lend(book, member):
    """Lend a book to a member of the library."""
    return book, member


def renew(loan):
    """Renew a loan of the library before it is overdue."""
    return loan


def fine(loan):
    """Charge a fine for an overdue loan."""
    return loan
'''
OTHER = '''
def report(loan):
    """Print an overdue loan of the library."""
    return loan
'''


def test_chunks_of_one_file_support_each_other(tmp_path: Path) -> None:
    source = tmp_path / "src"
    source.mkdir()
    (source / "lending.py").write_text(LENDING)
    (source / "aaa.py").write_text(OTHER)
    save([Request.parse(f"code={source}")], tmp_path / "index", SaveOptions(embedder="none"))
    with open_index(tmp_path / "index") as index:
        found = index.search("overdue loan library book fine", mode="fts5")
        reasons = {hit.title: [each.reason for each in hit.factors] for hit in found}
        assert "other chunks of its file are found too" in reasons["renew"]
        assert "other chunks of its file are found too" not in reasons["report"]
        assert all(each.weight == "around" for hit in found for each in hit.factors)
        short = index.search("overdue loan", mode="fts5")
        assert not any(hit.factors for hit in short)


Make: TypeAlias = "Callable[..., Document]"
Open: TypeAlias = "Callable[..., Index]"


def member(number: int, *, bm25: float, framework_score: float = 0.0) -> Candidate:
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
    assert list_factors(member(1, bm25=4.0, framework_score=2.0), "x") == (
        Factor("its framework is found too", 1.5, "around"),
    )
    assert list_factors(member(1, bm25=0.0, framework_score=2.0), "x") == ()


def test_what_is_given_counts_in_the_list_by_meaning_and_leaves_the_likeness_as_it_is() -> None:
    words = [RankedCandidate(member(number, bm25=1.0), (), 1.0) for number in (1, 2)]
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
