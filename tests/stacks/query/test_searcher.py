"""Searching: who comes first, who is left out, and why."""

from __future__ import annotations

from threading import Thread
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stacks.errors import IndexUnusableError, QueryError
from stacks.index import save
from stacks.model import Symbol
from stacks.query import Filters, Fusion, Index, open_index

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from stacks.model import Document

Make: TypeAlias = "Callable[..., Document]"
Open: TypeAlias = "Callable[..., Index]"


def uris(index: Index, text: str, **settings: Any) -> list[str]:
    return [hit.uri.removeprefix("docs://") for hit in index.search(text, **settings)]


def test_the_page_that_is_called_so_comes_before_pages_that_talk_of_it(
    index_of: Open, page: Make
) -> None:
    chatter = [page(f"swift/p{n}", f"Topic {n}", "hashable hashable hashable") for n in range(30)]
    index = index_of([*chatter, page("swift/hashable", "Hashable", kind="protocol")])
    assert uris(index, "Hashable")[0] == "swift/hashable"


def test_among_namesakes_a_type_comes_before_a_member(index_of: Open, page: Make) -> None:
    index = index_of(
        [
            page("swift/task/result", "result", kind="property"),
            page("swift/result", "Result", kind="enum"),
        ]
    )
    assert uris(index, "result") == ["swift/result", "swift/task/result"]


def test_a_current_page_comes_before_its_deprecated_namesake(index_of: Open, page: Make) -> None:
    old = page(
        "swift/a", "flatMap(_:)", "flatMap flatMap flatMap", kind="method", is_deprecated=True
    )
    new = page("swift/sequence/b", "flatMap(_:)", "Maps.", kind="method")
    assert uris(index_of([old, new]), "flatMap") == ["swift/sequence/b", "swift/a"]


def test_swift_comes_before_objective_c_for_the_same_concept(index_of: Open, page: Make) -> None:
    legacy = page(
        "foundation/nsurlsession",
        "NSURLSession",
        "URLSession in Objective-C. " * 3,
        kind="class",
        language="objc",
    )
    modern = page(
        "foundation/urlsession",
        "URLSession",
        "Coordinates transfers.",
        kind="class",
        language="swift",
    )
    index = index_of([legacy, modern])
    assert uris(index, "URLSession")[0] == "foundation/urlsession"
    assert uris(index, "NSURLSession")[0] == "foundation/nsurlsession"


@pytest.mark.parametrize("query", ["Grid", "lazy grid", "VGrid", "lazyvgrid", "LazyVG"])
def test_a_part_of_a_name_finds_it(index_of: Open, page: Make, query: str) -> None:
    index = index_of([page("ui/lazyvgrid", "LazyVGrid", "A container."), page("ui/text", "Text")])
    assert uris(index, query)[0] == "ui/lazyvgrid"


def test_a_part_is_taken_as_typed_before_its_stem(index_of: Open, page: Make) -> None:
    floats = [page(f"swift/float/f{n}", f"Float{n} float", "float " * 5) for n in range(5)]
    index = index_of([*floats, page("swift/floatingpoint", "FloatingPoint", "A number.")])
    assert uris(index, "floating")[0] == "swift/floatingpoint"


def test_a_short_form_finds_its_framework(index_of: Open, page: Make) -> None:
    index = index_of(
        [
            page("corenfc", "Core NFC", "Detect tags.", kind="module", module="CoreNFC"),
            page(
                "corebluetooth", "Core Bluetooth", "Not nfc.", kind="module", module="CoreBluetooth"
            ),
        ]
    )
    results = index.search("NFC")
    assert results.hits[0].uri == "docs://corenfc"
    assert results.expansions == {"nfc": "corenfc"}


def test_quoted_words_must_stand_together(index_of: Open, page: Make) -> None:
    index = index_of([page("a/x", "X", "in the first place"), page("a/y", "Y", "place in")])
    assert uris(index, '"first place"') == ["a/x"]
    assert index.search('"first place"').relaxed == ()
    assert index.search('"place first"').relaxed == ('"place first"',)


def test_a_word_after_a_minus_must_not_occur(index_of: Open, page: Make) -> None:
    index = index_of([page("a/x", "X", "config main"), page("a/y", "Y", "config test")])
    assert uris(index, "config -test") == ["a/x"]
    assert index.search("config -test").relaxed == ()
    assert index.search("-test").relaxed == ("-test",), "there is nothing but what must not occur"


def test_filters_confine(index_of: Open, page: Make) -> None:
    index = index_of(
        [
            page("ui/a", "Grid A", kind="struct", language="swift", availability={"ios": "14.0"}),
            page("ui/b", "Grid B", kind="class", language="objc", availability={"ios": "16.4"}),
            page(
                "web/c",
                "Grid C",
                kind="article",
                language="swift",
                symbols=(Symbol("update", "method", attributes=("@MainActor",)),),
            ),
        ]
    )
    assert uris(index, "grid", filters=Filters(framework="web")) == ["web/c"]
    assert uris(index, "grid", filters=Filters(language="objc")) == ["ui/b"]
    assert uris(index, "grid", filters=Filters(kinds=("struct", "article"))) == ["ui/a", "web/c"]
    strict = Filters(available={"ios": "16"}, strict_availability=True)
    assert uris(index, "grid", filters=strict) == ["ui/a"]
    strict = Filters(available={"ios": "16.4"}, strict_availability=True)
    assert uris(index, "grid", filters=strict) == ["ui/a", "ui/b"]
    assert uris(index, "grid", filters=Filters(attribute="MainActor")) == ["web/c"]
    assert uris(index, "grid", filters=Filters(attribute="@Main")) == []
    with pytest.raises(QueryError, match="no platform 'atari'"):
        index.search("grid", filters=Filters(available={"atari": "1"}))
    with pytest.raises(QueryError, match="is not a version"):
        index.search("grid", filters=Filters(available={"ios": "new"}))


def test_sources_are_fused_by_their_authority(index_of: Open, page: Make) -> None:
    index = index_of(
        a=[page("a/one", "One", "shared words")], b=[page("b/two", "Two", "shared words")]
    )
    assert uris(index, "shared words") == ["a/one", "b/two"]
    heavier = Fusion(weights={"b": 2.0})
    results = index.search("shared words", fusion=heavier)
    assert [hit.uri for hit in results] == ["docs://b/two", "docs://a/one"]
    assert results.hits[0].score == pytest.approx(2 / 21)
    assert uris(index, "shared words", filters=Filters(sources=("b",))) == ["b/two"]


def test_an_identifier_is_asked_of_sources_that_know_code(
    tmp_path: Path, page: Make, request_of: Callable[..., object]
) -> None:
    code = request_of("code", [page("a/lazygrid", "LazyGrid", kind="struct")])
    prose = request_of(
        "prose",
        [page("b/x", "On LazyGrid", "LazyGrid LazyGrid"), page("b/y", "Closures", "OnlyInProse")],
        prefers_symbols=False,
    )
    save([code, prose], tmp_path)  # type: ignore[list-item]
    with open_index(tmp_path) as index:
        assert uris(index, "LazyGrid") == ["a/lazygrid"]
        assert uris(index, "about LazyGrid") == ["a/lazygrid", "b/x"]
        assert uris(index, "OnlyInProse") == ["b/y"], "where no such source has it, all are asked"
        assert uris(index, "Closures") == ["b/y"], "one capital does not make an identifier"


def test_a_file_is_searched_for_an_identifier_too(
    tmp_path: Path, page: Make, request_of: Callable[..., Any]
) -> None:
    code = request_of("code", [page("a/lazygrid", "LazyGrid", kind="struct")])
    file = page("b/lazygrid.txt", "LazyGrid.txt", kind="file")
    files = request_of("files", [file], prefers_symbols=False, ranking="files")
    save([code, files], tmp_path)
    with open_index(tmp_path) as index:
        assert set(uris(index, "LazyGrid")) == {"a/lazygrid", "b/lazygrid.txt"}


def test_a_source_of_no_weight_has_no_hits(index_of: Open, page: Make) -> None:
    index = index_of(a=[page("a/one", "One", "words")], b=[page("b/two", "Two", "words")])
    assert uris(index, "words", fusion=Fusion(weights={"b": 0.0})) == ["a/one"]


def test_a_share_of_meaning_is_refused_if_nothing_has_a_meaning(index_of: Open, page: Make) -> None:
    index = index_of([page("a/x", "X", "a")])
    for mode in ("smart", "fts5", "plain"):
        with pytest.raises(QueryError, match=r"a share of meaning of .* has nothing to weigh"):
            uris(index, "a", mode=mode, fusion=Fusion(meaning=0.5))


def test_plain_mode_is_the_words_alone(index_of: Open, page: Make) -> None:
    index = index_of(
        [
            page("a/x", "X", "grid", kind="collection"),
            page("a/y", "Y", "grid grid", kind="collection"),
        ]
    )
    hits = index.search("grid", mode="plain").hits
    assert [hit.score for hit in hits] == [hit.bm25 for hit in hits]
    assert all(hit.factors == () for hit in hits)


def test_the_parts_of_an_explanation_add_up(index_of: Open, page: Make) -> None:
    index = index_of(
        [
            page(
                "swift/hashable",
                "Hashable",
                "a hashable type",
                summary="Hashable things.",
                kind="protocol",
            ),
            *(page(f"a/b{n}") for n in range(9)),
        ]
    )
    results = index.search("hashable type")
    explanation = index.explain(results.hits[0])
    assert sum(part.score for part in explanation.terms) == pytest.approx(results.hits[0].bm25)
    for part in explanation.terms:
        assert sum(part.columns.values()) == pytest.approx(part.score)
    assert explanation.terms[0].occurrences == {"title": 1, "content": 1, "summary": 1, "uri": 1}
    product = explanation.bm25
    for factor in explanation.factors:
        product *= factor.factor
    assert product == pytest.approx(explanation.corrected)
    assert explanation.fused.earned == pytest.approx(results.hits[0].score)


@pytest.mark.parametrize(
    "text",
    [
        '"',
        "'",
        "*",
        "a*",
        "-",
        "- -",
        ":",
        "title:x",
        "NEAR(a b)",
        "a AND",
        "OR",
        "NOT x",
        "(",
        "{x}:y",
        "a^b",
        "\0",
        "a\0b",
        "😀",
        "x" * 10_000,
        "word " * 2_000,
        "-" * 500,
        '"' * 501,
        "a\nb\tc",
        "\ud800",
        "́",
        "; DROP TABLE docs_metadata",
        "%",
        "_",
        "?",
        "\\",
        "é ü ß",
        "日本語",
        "السلام",
    ],
)
def test_any_text_is_a_legal_query(index_of: Open, page: Make, text: str) -> None:
    index = index_of([page("a/x", "X", "some words and 日本語 here")])
    for mode in ("smart", "plain"):
        assert {hit.uri for hit in index.search(text, mode=mode)} <= {"docs://a/x"}


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(text=st.text(alphabet=st.characters(), max_size=40))
def test_no_text_makes_fts5_complain(small: Index, text: str) -> None:
    assert {hit.uri for hit in small.search(text)} <= {"docs://a/x", "docs://a/y"}


@pytest.fixture
def small(index_of: Open, page: Make) -> Index:
    return index_of([page("a/x", "X", "words"), page("a/y", "Y", "more words")])


@pytest.mark.parametrize("query", ["regex", "NFC", "grid", "lazyg", "LazyVGrid", "lazy grid", "=="])
def test_every_hit_passes_the_filters(index_of: Open, page: Make, query: str) -> None:
    documents = [
        page("re", "re", kind="module", language="python", module="re"),
        page("corenfc", "Core NFC", kind="module", language="swift", module="CoreNFC"),
        page("ui/lazyvgrid", "LazyVGrid", kind="struct", language="swift"),
        page("ui/==", "==(_:_:)", kind="operator", language="swift"),
    ]
    index = index_of(documents)
    for language in ("python", "swift"):
        hits = index.search(query, filters=Filters(language=language, kinds=("struct", "article")))
        assert all(hit.language == language and hit.kind == "struct" for hit in hits)


def test_an_operator_is_found_by_its_name(index_of: Open, page: Make) -> None:
    index = index_of([page("swift/==", "==(_:_:)", kind="operator"), page("swift/x", "x")])
    assert uris(index, "==") == ["swift/=="]


def test_equal_documents_are_ordered_by_uri_however_many_there_are(
    tmp_path: Path, page: Make, request_of: Callable[..., Any]
) -> None:
    documents = [page(f"a/p{n:03}", f"P{n:03}", "equal words") for n in range(150)]
    answers = []
    for folder, pages in (("up", documents), ("down", documents[::-1])):
        save([request_of("docs", pages)], tmp_path / folder)
        with open_index(tmp_path / folder) as index:
            answers.append([uris(index, "equal words", mode=mode) for mode in ("smart", "plain")])
    assert answers[0] == answers[1]
    assert answers[0][0] == [f"a/p{n:03}" for n in range(10)]


@pytest.mark.parametrize(
    "query", ["hash", "lazyv", "Grid", "value of the", "LazyVGrid view", "the"]
)
def test_every_explanation_adds_up(index_of: Open, page: Make, query: str) -> None:
    documents = [
        page(f"ui/p{n}", title, f"{title} holds a value of the view", kind="struct")
        for n, title in enumerate(
            ["LazyVGrid", "LazyHGrid", "Hashable", "hash", "View", "Value"] * 3
        )
    ]
    index = index_of(documents)
    results = index.search(query, limit=20)
    assert results.hits
    for hit in results:
        explanation = index.explain(hit)
        assert sum(part.score for part in explanation.terms) == pytest.approx(hit.bm25)


def test_a_limit_and_a_mode_must_make_sense(index_of: Open, page: Make) -> None:
    index = index_of([page("a/x")])
    with pytest.raises(QueryError, match="at least 1"):
        index.search("x", limit=0)
    with pytest.raises(QueryError, match="modes are smart, fts5, semantic, both, plain"):
        index.search("x", mode="clever")


def test_many_threads_search_one_index(index_of: Open, page: Make) -> None:
    index = index_of([page(f"a/p{n}", f"Page{n}", f"word{n} common") for n in range(50)])
    wrong: list[str] = []

    def ask(number: int) -> None:
        wrong.extend(
            str(number) for _ in range(20) if uris(index, f"word{number}")[:1] != [f"a/p{number}"]
        )

    threads = [Thread(target=ask, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_a_damaged_index_says_so(index_of: Open, page: Make, tmp_path: Path) -> None:
    index_of([page(f"a/p{n}", f"Page{n}", "common words " * 200) for n in range(200)]).close()
    path = tmp_path / "search.db"
    data = bytearray(path.read_bytes())
    data[40_000:] = b"\xff" * (len(data) - 40_000)
    path.write_bytes(bytes(data))
    with pytest.raises(IndexUnusableError, match=r"is damaged .* stacks doctor says more"):
        open_index(path).search("common")


def test_what_is_not_there_is_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(IndexUnusableError, match="stacks save"):
        open_index(tmp_path / "none.db")
    with pytest.raises(IndexUnusableError, match="holds no index"):
        open_index(tmp_path)
    (tmp_path / "text.db").write_text("hello, this is not a database, only a text file")
    with pytest.raises(IndexUnusableError, match="is not an index"):
        open_index(tmp_path / "text.db")
