"""Pages that a query names though it is not their title: members, runs, frameworks, twins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stacks.query import Filters, Index, document_names
from stacks.query.document_names import _read_titles, has_parts_in_a_row
from stacks.query.filters import Condition
from stacks.query.lexical import LexicalSearch
from stacks.query.rankings import RANKINGS

if TYPE_CHECKING:
    from collections.abc import Callable

    from stacks.model import Document

Make: TypeAlias = "Callable[..., Document]"
Open: TypeAlias = "Callable[..., Index]"

MEMBER = ("Array.append(_:)",)


def uris(index: Index, text: str, **settings: Any) -> list[str]:
    return [hit.uri.removeprefix("docs://") for hit in index.search(text, **settings)]


@pytest.fixture
def lists(index_of: Open, page: Make) -> Index:
    """A type that speaks of nothing but its member, and the member."""
    return index_of(
        [
            page("swift/array", "Array", "append " * 20 + "array", kind="struct"),
            page("swift/array/append(_:)", "append(_:)", "Adds.", kind="method", names=MEMBER),
            page("swift/set/append(_:)", "append(_:)", "Array append.", kind="method"),
        ]
    )


@pytest.mark.parametrize(
    "text", ["Array append", "array append", "Array.append", "Array append(_:)"]
)
def test_a_member_is_named_with_its_type(lists: Index, text: str) -> None:
    assert uris(lists, text)[0] == "swift/array/append(_:)"


def test_the_type_alone_is_still_the_type(lists: Index) -> None:
    assert uris(lists, "Array")[0] == "swift/array"


def test_a_member_is_named_in_words(index_of: Open, page: Make) -> None:
    names = ("Task.checkCancellation()",)
    index = index_of(
        [
            page("swift/task", "Task", "check for cancellation " * 9, kind="struct"),
            page("swift/task/x", "checkCancellation()", "Throws.", kind="method", names=names),
        ]
    )
    assert uris(index, "task check cancellation")[0] == "swift/task/x"


def test_a_name_of_its_own_goes_before_a_member(index_of: Open, page: Make) -> None:
    index = index_of(
        [
            page("json/encoder", "json.encoder", kind="module"),
            page("json/jsonencoder", "JSONEncoder", kind="class"),
        ]
    )
    assert uris(index, "json encoder") == ["json/jsonencoder", "json/encoder"]


def test_a_page_with_the_run_in_its_title_goes_before_pages_that_speak_of_it(
    index_of: Open, page: Make
) -> None:
    chatter = [page(f"ui/p{n}", f"Topic{n}", "viewController " * 9) for n in range(12)]
    index = index_of(
        [
            *chatter,
            page("swift/controller", "Controller", "a view", kind="protocol"),
            page("ui/uiviewcontroller", "UIViewController", "Manages.", kind="class"),
            page("ui/uitableviewcontroller", "UITableViewController", "Manages.", kind="class"),
        ]
    )
    assert uris(index, "ViewController")[:2] == ["ui/uiviewcontroller", "ui/uitableviewcontroller"]


def test_a_name_with_all_words_in_a_row_goes_before_one_with_some(
    index_of: Open, page: Make
) -> None:
    index = index_of(
        [
            page("ui/a", "UIGraphicsRenderer", "graphics image renderer " * 5, kind="class"),
            page("ui/b", "UIGraphicsImageRenderer", "Draws.", kind="class"),
            page("ui/c", "UIGraphicsRendererImage", "graphics image renderer", kind="class"),
        ]
    )
    assert uris(index, "graphics image renderer")[0] == "ui/b"


@pytest.mark.parametrize(
    "text", ["import CoreMap", "Core Map framework", "coremap module", "framework CoreMap"]
)
def test_a_framework_that_is_said_to_be_one_is_its_page(
    index_of: Open, page: Make, text: str
) -> None:
    index = index_of(
        [
            page("coremap", "Core Map", "Maps.", kind="module", module="CoreMap"),
            page("coremap/region", "Region", "import CoreMap framework module", kind="class"),
            page("other/import", "import", "import the framework, import", kind="article"),
        ]
    )
    assert uris(index, text)[0] == "coremap"


def test_a_framework_whose_name_is_in_every_page_is_found(index_of: Open, page: Make) -> None:
    pages = [page(f"swift/p{n}", f"Page{n}", "Swift standard library") for n in range(20)]
    index = index_of([*pages, page("swift", "Swift", "Swift.", kind="module")])
    assert uris(index, "Swift standard library")[0] == "swift"


def test_another_name_goes_before_titles_that_have_the_query_inside(
    index_of: Open, page: Make
) -> None:
    index = index_of(
        [
            page("net/session", "NSSession", "Loads.", kind="class", names=("Session",)),
            *(page(f"net/s{n}", f"NSSessionTask{n}", "session " * 9, kind="class") for n in "abc"),
        ]
    )
    assert uris(index, "Session")[0] == "net/session"
    assert uris(index, "NSSession")[0] == "net/session"


class TestTwins:
    """Swift pages with the Objective-C pages of the same things."""

    @pytest.fixture
    def index(self, index_of: Open, page: Make) -> Index:
        """Three things in both languages, and one page that speaks of them, that last."""
        pages = [page("net/about", "Loading", "URLSession loads; a URLSessionTask is one.")]
        for name in ("URLSession", "URLSessionTask", "URLSessionConfiguration"):
            path, text = f"net/{name.lower()}", f"{name} loads."
            pages.append(page(path, name, text, kind="class", language="swift"))
            pages.append(
                page(
                    f"{path}?language=objc",
                    f"NS{name}",
                    text,
                    kind="class",
                    language="objc",
                    names=(name,),
                )
            )
        return index_of(pages[::-1])

    def test_a_twin_stands_below_other_concepts(self, index: Index) -> None:
        found = uris(index, "URLSession")
        assert found[0] == "net/urlsession"
        assert set(found[1:4]) == {"net/urlsessiontask", "net/urlsessionconfiguration", "net/about"}
        assert all(uri.endswith("?language=objc") for uri in found[4:])

    def test_who_types_the_name_of_the_twin_gets_it(self, index: Index) -> None:
        assert uris(index, "NSURLSession")[0] == "net/urlsession?language=objc"

    def test_who_asks_for_the_language_gets_the_twin(self, index: Index) -> None:
        found = uris(index, "URLSession", filters=Filters(language="objc"))
        assert found[0] == "net/urlsession?language=objc"
        assert len(found) == 3

    def test_where_age_has_no_say_a_twin_is_a_page_like_any_other(self, index: Index) -> None:
        hits = index.search("URLSession", without=frozenset({"age"}))
        reasons = {factor.reason for hit in hits for factor in hit.factors}
        assert "its Swift page is here" not in reasons

    def test_the_reason_is_told(self, index: Index) -> None:
        hits = {hit.uri: hit for hit in index.search("URLSession")}
        factors = hits["docs://net/urlsession?language=objc"].factors
        assert ("its Swift page is here", 0.4, "outdated") in factors


def test_of_namesakes_that_are_alike_the_shorter_goes_first(index_of: Open, page: Make) -> None:
    index = index_of(
        [
            page("swift/task/a", "run(name:executor:operation:)", "Runs.", kind="method"),
            page("swift/task/b", "run(name:operation:)", "Runs. Runs. And so on.", kind="method"),
        ]
    )
    assert uris(index, "run") == ["swift/task/b", "swift/task/a"]


def test_an_acronym_is_found_behind_the_prefix_of_its_owner(index_of: Open, page: Make) -> None:
    index = index_of(
        [
            page("net/about", "Loading", "A URLConnection, the URLConnection.", kind="article"),
            page("net/nsurlconnection", "NSURLConnection", "Loads.", kind="class"),
        ]
    )
    assert uris(index, "URLConnection")[0] == "net/nsurlconnection"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("alerts", "Alert"),
        ("categories", "Category"),
        ("classes", "Class"),
        ("indexes", "Index"),
        ("batches", "Batch"),
        ("ties", "Tie"),
        ("table views", "TableView"),
        ("table view batches", "TableViewBatch"),
        ("fetched result categories", "fetched_result_category"),
    ],
)
def test_a_plural_names_what_the_singular_is_called(
    index_of: Open, page: Make, text: str, title: str
) -> None:
    chatter = [page(f"a/p{n}", f"On {n}", f"{text} " * 9) for n in range(3)]
    index = index_of([*chatter, page("a/it", title, "It.", kind="class")])
    hit = index.search(text).hits[0]
    assert hit.title == title
    assert "title is nearly the query" in [factor.reason for factor in hit.factors]


@pytest.mark.parametrize(("text", "title"), [("gas", "Ga"), ("glass", "glas"), ("as", "a")])
def test_a_word_that_only_ends_like_a_plural_is_none(
    index_of: Open, page: Make, text: str, title: str
) -> None:
    index = index_of([page("a/it", title, f"{text} {text}", kind="class")])
    reasons = [factor.reason for hit in index.search(text) for factor in hit.factors]
    assert ("title is nearly the query" in reasons) == (text == "glass")


def test_a_name_that_other_pages_have_too_is_a_name_and_no_title(
    index_of: Open, page: Make
) -> None:
    index = index_of(
        [
            page("a/one", "Grid", "x", kind="class"),
            page("a/two", "Table", "x", kind="class", names=("Grid",)),
            page("a/three", "LazyGrid", "x", kind="class"),
            page("a/four", "ui.Grid", "x", kind="class"),
        ]
    )
    reasons = {hit.title: {factor.reason for factor in hit.factors} for hit in index.search("grid")}
    assert "title is the query" in reasons["Grid"]
    assert "a name is the query" in reasons["Table"]
    assert "the query is part of the title" in reasons["LazyGrid"]
    assert "title is nearly the query" in reasons["ui.Grid"]


def test_a_page_with_the_title_goes_before_a_framework_with_the_short_form(
    index_of: Open, page: Make
) -> None:
    pages = [
        page("corenfc", "Core NFC", "Tags.", kind="module", module="CoreNFC"),
        page("radio/nfc", "NFC", "A standard.", kind="article"),
    ]
    reasons = {hit.uri: hit.factors for hit in index_of(pages).search("NFC")}
    assert "title is the query" not in [each.reason for each in reasons["docs://corenfc"]]


def test_the_parts_of_a_title_are_not_looked_for_in_a_long_query(
    index_of: Open, page: Make
) -> None:
    index = index_of([page("a/it", "OneTwoThreeFourFive", "It.", kind="class")])
    four = index.search("two three four five").hits[0].factors
    assert "the query is several parts of the title" in [factor.reason for factor in four]
    five = [
        factor.reason for hit in index.search("one two three four five") for factor in hit.factors
    ]
    assert "the query is several parts of the title" not in five


def test_words_in_a_row_of_a_sentence_are_no_name(index_of: Open, page: Make) -> None:
    index = index_of([page("a/it", "The fast imageLoader of today", "It.", kind="article")])
    in_words = [factor.reason for factor in index.search("image loader").hits[0].factors]
    assert "the query is several parts of the title" not in in_words
    as_one = [factor.reason for factor in index.search("imageLoader").hits[0].factors]
    assert "the query is several parts of the title" in as_one


def test_a_name_with_its_owner_is_nearly_the_title(lists: Index) -> None:
    factors = lists.search("Array.append").hits[0].factors
    assert "title is nearly the query" in [factor.reason for factor in factors]


def test_a_short_form_is_the_page_of_its_framework_alone(index_of: Open, page: Make) -> None:
    index = index_of(
        [
            page("corenfc", "Core NFC", "Tags.", kind="module", module="CoreNFC"),
            page("corenfc/parts", "Parts", "nfc nfc", kind="module", module="CoreNFC"),
        ]
    )
    reasons = {hit.uri: {each.reason for each in hit.factors} for hit in index.search("NFC")}
    assert "title is the query" in reasons["docs://corenfc"]
    assert "title is the query" not in reasons["docs://corenfc/parts"]


@pytest.mark.parametrize("text", ["table view -unheard", '"table view"', '"TableView" -unheard'])
def test_a_query_with_demands_names_what_meets_them(index_of: Open, page: Make, text: str) -> None:
    index = index_of(
        [
            page("a/view", "View", "A table view, a TableView, any table view.", kind="class"),
            page("a/it", "TableView", "It is a table view.", kind="class"),
            page("b/it", "TableView", "It is a table view, of which is unheard.", kind="class"),
        ]
    )
    hits = [hit.uri for hit in index.search(text).hits]
    assert hits[0].endswith("a/it")
    assert any(hit.endswith("b/it") for hit in hits) == ("-unheard" not in text)


@pytest.mark.parametrize(
    "text",
    [
        "Console(stderr=True, width=80)",
        'Console(title="a table")',
        "python Console",
        "Console in Python",
        "Console python class",
    ],
)
def test_a_pasted_call_and_the_language_do_not_hide_a_name(
    index_of: Open, page: Make, text: str
) -> None:
    index = index_of(
        [
            page("a/other", "get_console", "Console, console, a console in Python.", kind="class"),
            page("a/it", "Console", "It writes.", kind="class"),
        ]
    )
    assert index.search(text).hits[0].uri.endswith("a/it")


@pytest.mark.parametrize("text", ["Console::write", "Console#write", "Console->write"])
def test_other_joints_than_a_dot_name_a_member(index_of: Open, page: Make, text: str) -> None:
    index = index_of(
        [
            page("a/other", "write", "A console, write to a console.", kind="function"),
            page("a/it", "Console.write", "It writes.", kind="method"),
        ]
    )
    assert index.search(text).hits[0].uri.endswith("a/it")


def test_a_misspelt_identifier_gets_hits_and_the_name_that_was_meant(
    index_of: Open, page: Make
) -> None:
    index = index_of(
        [
            page("a/is_junction", "is_junction", "Whether it is one.", kind="function"),
            page("a/other", "is_pyopenssl", "Something that is.", kind="property"),
        ]
    )
    found = index.search("is_junttion")
    assert found.near_names == ("is_junction",)
    assert list(found.remarks()) == [
        "nothing is called is_junttion or has it; did you mean is_junction?"
    ]
    assert index.search("is_junction").near_names == ()


@pytest.mark.parametrize(
    ("title", "wanted"),
    [
        ("UICollectionViewLayout", "collectionview"),
        ("UIGraphicsImageRenderer", "graphicsimagerenderer"),
        ("UITableView", "uitable"),
        ("NSURLSession", "urlsession"),
        ("NSURLSession", "nsurlsession"),
        ("LazyVGrid", "vgrid"),
        ("open(_:options:completionHandler:)", "completionhandler"),
        ("read_csv_file", "csvfile"),
        ("Path.is_relative_to", "isrelative"),
        ("MyViewViewController", "viewcontroller"),
        ("Using ViewController well.", "viewcontroller"),
    ],
)
def test_a_run_of_parts_is_found(title: str, wanted: str) -> None:
    assert has_parts_in_a_row(title, wanted)


@pytest.mark.parametrize(
    ("title", "wanted"),
    [
        ("Reviewcontroller", "viewcontroller"),
        ("ViewControllers", "viewcontroller"),
        ("UIViewTableController", "viewcontroller"),
        ("open(_:options:completion:)", "optionscompletion"),
        ("ViewController.present", "viewcontroller"),
        ("NSURLSession", "lsession"),
        ("StraßeViewController", "viewcontroller"),
        ("", "viewcontroller"),
    ],
)
def test_what_begins_or_ends_inside_a_part_is_no_run(title: str, wanted: str) -> None:
    assert not has_parts_in_a_row(title, wanted)


@given(st.text(), st.text(min_size=1))
def test_any_title_can_be_looked_at(title: str, wanted: str) -> None:
    assert has_parts_in_a_row(title, wanted) in (True, False)


@given(st.lists(st.sampled_from(["View", "Table", "Cell", "Image"]), min_size=1, max_size=5))
def test_every_run_of_words_in_a_name_is_a_run(words: list[str]) -> None:
    name = "".join(words)
    for first in range(len(words)):
        for last in range(first + 1, len(words) + 1):
            assert has_parts_in_a_row(name, "".join(words[first:last]).casefold())


@pytest.mark.parametrize(
    ("most", "expected"),
    [(4, {"Grid", "LazyGrid", "GridItem"}), (3, {"Grid", "LazyGrid", "GridItem"}), (1, {"Grid"})],
)
def test_of_too_many_titles_the_best_are_read(
    index_of: Callable[..., Index],
    page: Callable[..., Document],
    monkeypatch: pytest.MonkeyPatch,
    most: int,
    expected: set[str],
) -> None:
    index = index_of(
        [
            page("ui/lazy", "LazyGrid", "long " * 50),
            page("ui/item", "GridItem", "long " * 50),
            page("ui/grid", "Grid", "grid grid"),
            page("ui/other", "Other", "grid in the text alone"),
        ]
    )
    weights = RANKINGS.get("documentation").weights
    lexical = LexicalSearch(index.databases[0], Condition(""), [1], weights)
    monkeypatch.setattr(document_names, "_MOST_TITLES", most)
    assert {title for _, title in _read_titles(lexical, '"grid"')} == expected


def test_titles_are_read_within_a_filter(
    index_of: Callable[..., Index], page: Callable[..., Document]
) -> None:
    index = index_of([page("ui/grid", "Grid", kind="struct"), page("ui/make", "makeGrid()")])
    structs = Condition("m.kind = ?", ("struct",))
    weights = RANKINGS.get("documentation").weights
    lexical = LexicalSearch(index.databases[0], structs, [1], weights)
    assert [title for _, title in _read_titles(lexical, '"grid"')] == ["Grid"]
