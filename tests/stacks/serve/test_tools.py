"""The tools: what each answers, and what it says where there is nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from tests.stacks.serve.corpus import DOCUMENTS, GUIDE, save_documents

from stacks.cli.serve_command import serve
from stacks.errors import QueryError
from stacks.query import Index, Results, open_index
from stacks.serve import TOOLS, ToolAnswer, call_tool, list_tools
from stacks.serve.tool_markdown import format_code, render_hits
from stacks.serve.tools import write_instructions

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    with open_index(save_documents(tmp_path_factory.mktemp("index"))) as opened:
        yield opened


def ask(index: Index, name: str, /, **given: Any) -> ToolAnswer:
    return call_tool(index, name, given)


def test_there_are_six_tools_and_each_tells_when_to_use_it() -> None:
    assert [tool.name for tool in list_tools()] == [
        "search",
        "read_document",
        "search_symbols",
        "search_conformances",
        "get_inheritance",
        "list_frameworks",
    ]
    for tool in list_tools():
        assert TOOLS.get(tool.name) is tool
        assert "Use it" in tool.description
        assert (
            "eturns" in tool.description or "Read" in tool.description or "List" in tool.description
        )


def test_an_unknown_tool_is_named_with_a_near_one(index: Index) -> None:
    with pytest.raises(QueryError, match=r"unknown tool 'serch': did you mean search\b"):
        ask(index, "serch")


def test_an_unknown_tool_of_any_length_gets_a_short_answer(index: Index) -> None:
    with pytest.raises(QueryError) as caught:
        ask(index, "x" * 100_000)
    assert len(str(caught.value)) < 300


def test_a_tool_of_a_plug_in_comes_last_and_has_its_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tool = replace(TOOLS.get("search"), name="ask_other", instruction="ask_other asks others.")
    monkeypatch.setitem(TOOLS._things, "ask_other", tool)
    names = [each.name for each in list_tools()]
    assert (len(names), names[0], names[-1]) == (7, "search", "ask_other")
    assert "ask_other asks others." in write_instructions()


def test_every_tool_is_in_the_help_of_the_command() -> None:
    assert all(f"GET {tool.path}" in str(serve.__doc__) for tool in list_tools())


def test_another_name_of_a_framework_is_explained(
    index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Results, "expansions", {"shp": "shapes"})
    assert render_hits(index.search("Circle"), 10).startswith(
        "shp also means shapes\n1. **Circle**"
    )


def test_a_language_that_is_the_framework_is_not_repeated(index: Index) -> None:
    results = index.search("Circle")
    hits = tuple(replace(hit, framework="swift") for hit in results)
    shown = render_hits(replace(results, hits=hits), 10)
    assert "1. **Circle** – class in swift\n" in shown


def test_code_with_backquotes_stays_code() -> None:
    assert format_code("a`b") == "`` a`b ``"
    assert format_code("ab") == "`ab`"


def test_a_hit_shows_title_kind_uri_summary_and_availability(index: Index) -> None:
    answer = ask(index, "search", query="Shape", limit=1)
    assert answer.text.splitlines()[:4] == [
        "1. **Shape** – class in shapes, swift",
        "   `docs://shapes/shape`",
        "   A figure in the plane.",
        "   iOS 17.0+, macOS 14.0+",
    ]
    (hit,) = answer.data["hits"]
    assert (hit["rank"], hit["uri"], hit["deprecated"]) == (1, "docs://shapes/shape", False)
    assert hit["availability"] == {"ios": "17.0", "macos": "14.0"}
    assert "remark" not in answer.data


def test_a_deprecated_hit_is_marked(index: Index) -> None:
    answer = ask(index, "search", query="RedCircle")
    assert "**RedCircle** – class in shapes, swift, **deprecated**" in answer.text
    assert answer.data["hits"][0]["deprecated"] is True


def test_a_full_list_says_that_there_may_be_more(index: Index) -> None:
    assert "a higher limit" in ask(index, "search", query="figure", limit=1).text
    assert "a higher limit" not in ask(index, "search", query="figure", limit=50).text


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"query": "xyzzy"}, 'nothing found for "xyzzy"; try fewer or other words'),
        ({"query": '"no such words"'}, "try fewer or other words, without quotes or minus"),
        ({"query": "RedCirlce"}, 'nothing found for "RedCirlce"; did you mean RedCircle?'),
        ({"query": "Shape", "kind": "clas"}, 'no kind "clas" here; did you mean class? kinds are'),
        ({"query": "Shape", "language": "rust"}, 'no language "rust" here; languages are swift'),
        (
            {"query": "Shape", "attribute": "MainActr"},
            'no declaration here is marked "@MainActr"; did you mean @MainActor?',
        ),
        ({"query": "?!"}, "nothing to look for: the query has no letter or digit"),
        ({"query": ""}, "nothing to look for"),
        (
            {"query": "Shape", "framework": "shaps"},
            'there is no framework "shaps" here; did you mean shapes? list_frameworks names them',
        ),
        ({"query": "Shape", "source": "dox"}, 'no source "dox" here; sources are docs'),
        (
            {"query": "Shape", "kind": "struct", "min_ios": "16", "strict_availability": True},
            (
                'nothing found for "Shape" with kind "struct", min_ios "16", strict_availability '
                '"true"; without these filters there is Shape (`docs://shapes/shape`)'
            ),
        ),
    ],
)
def test_an_empty_search_says_why_and_what_to_try(
    index: Index, given: dict[str, Any], said: str
) -> None:
    answer = call_tool(index, "search", given)
    assert said in answer.text
    assert answer.data["hits"] == []
    assert answer.data["remark"] == answer.text
    assert answer.is_found


def test_names_near_a_misspelt_one_are_suggested(index: Index) -> None:
    assert ask(index, "search", query="RedCirlce").data["suggestions"] == ["RedCircle"]
    assert ask(index, "search", query="xyzzy").data["suggestions"] == []
    assert "suggestions" not in ask(index, "search", query="Shape").data


def test_filters_confine_a_search(index: Index) -> None:
    def find(**given: Any) -> list[str]:
        return [hit["title"] for hit in ask(index, "search", query="Shape", **given).data["hits"]]

    assert "Shape" in find(min_ios="17.4")
    assert "Shape" not in find(min_ios="16.0")
    assert find(kind="method") == ["load(from:)"]
    assert "Shape" in find(source=["docs"], framework="Shapes", language="Swift")


def test_a_version_that_is_none_is_an_error(index: Index) -> None:
    with pytest.raises(QueryError, match="is not a version"):
        ask(index, "search", query="Shape", min_ios="soon")


@pytest.mark.parametrize(
    "query", ["x" * 10_000, "a\0b", "猫 🐈" * 2000, '"' * 999, "NEAR(a b) OR *", "half \ud800"]
)
def test_any_text_is_a_query(index: Index, query: str) -> None:
    answer = ask(index, "search", query=query)
    assert answer.text
    assert len(answer.text) < 2000


def test_a_page_is_read_with_its_title_summary_and_declaration(index: Index) -> None:
    answer = ask(index, "read_document", uri="docs://shapes/shape")
    assert answer.text == (
        "`docs://shapes/shape`\nclass, Shapes, swift, iOS 17.0+, macOS 14.0+\n\n# Shape\n\n"
        "A figure in the plane.\n\n```swift\nclass Shape : Drawable\n```\n\n"
        "The root of all figures."
    )
    page = answer.text.split("\n\n", 1)[1]
    assert answer.data["content"] == page
    assert (answer.data["next_offset"], answer.data["characters"]) == (None, len(page))


def test_a_long_page_comes_in_parts_that_join_without_a_seam(index: Index) -> None:
    read, offset, parts = "", 0, 0
    while offset is not None:
        answer = ask(index, "read_document", uri="docs://shapes/guide", offset=offset)
        read += answer.data["content"]
        assert len(answer.data["content"]) <= 20_000
        assert answer.data["content"].endswith("\n")
        offset = answer.data["next_offset"]
        parts += 1
        if offset is not None:
            assert f"read_document with offset {offset}.]" in answer.text
    assert read == f"# Drawing Guide\n\n{GUIDE}"
    assert parts == 4


def test_a_page_of_one_long_line_is_cut_where_the_limit_is(tmp_path: Path) -> None:
    line = replace(DOCUMENTS[0], kind="file", content="x" * 1000)
    with open_index(save_documents(tmp_path, [line])) as index:
        answer = ask(index, "read_document", uri=line.uri, limit=300)
        assert answer.data["next_offset"] == 300
        assert ask(index, "read_document", uri=line.uri, offset=999).data["content"] == "x"
        whole = ask(index, "read_document", uri=line.uri, limit=1000)
        assert (len(whole.data["content"]), whole.data["next_offset"]) == (1000, None)
        with pytest.raises(QueryError, match="has 1000 characters; offset must be less"):
            ask(index, "read_document", uri=line.uri, offset=1000)


@pytest.mark.parametrize(
    ("uri", "said"),
    [
        ("docs://Shapes/Circle", "did you mean Circle (`docs://shapes/circle`)"),
        ("docs://shapes/shape/nothing", "the nearest page above it is `docs://shapes/shape`"),
        ("xyzzy", "use search to find one"),
        ("", "use search to find one"),
        ("q/" * 5000, "use search to find one"),
        ("\0", "use search to find one"),
    ],
)
def test_an_unknown_uri_suggests_near_ones(index: Index, uri: str, said: str) -> None:
    answer = ask(index, "read_document", uri=uri)
    assert not answer.is_found
    assert said in answer.text
    assert answer.data == {"error": answer.text}
    assert len(answer.text) < 500


def test_symbols_are_found_by_what_they_are(index: Index) -> None:
    for given in (
        {"text": "load"},
        {"attribute": "MainActor"},
        {"is_async": True, "is_throws": True},
        {"kind": "method"},
    ):
        answer = call_tool(index, "search_symbols", given)
        assert [each["name"] for each in answer.data["symbols"]] == ["load"], given
    assert answer.text == (
        "- `func load(from: URL) async throws` – method, `docs://shapes/shape/load(from:)`\n"
        "  attributes: @MainActor"
    )


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            {"text": "load", "kind": "struct"},
            (
                'no declaration matches text "load", kind "struct"; without these filters there is '
                "load (method, `docs://shapes/shape/load(from:)`)"
            ),
        ),
        ({"text": "guide"}, "see Drawing Guide (`docs://shapes/guide`)"),
        ({"text": "xyzzy"}, "try fewer words or filters, or search"),
        ({"is_static": True}, "no declaration matches is_static true"),
    ],
)
def test_no_symbol_is_an_answer_too(index: Index, given: dict[str, Any], said: str) -> None:
    answer = call_tool(index, "search_symbols", given)
    assert said in answer.text
    assert answer.data == {"symbols": [], "remark": answer.text}


def test_symbols_need_something_to_go_by(index: Index) -> None:
    for given in ({}, {"text": "  "}):
        with pytest.raises(QueryError, match="give text, or a filter such as attribute"):
            call_tool(index, "search_symbols", given)


def test_conformances_are_found_by_protocol_and_by_class(index: Index) -> None:
    found = ask(index, "search_conformances", name="Hashable")
    assert [each["name"] for each in found.data["symbols"]] == ["Point"]
    assert "conforms to: Hashable" in found.text
    assert "`class Circle : Shape`" in ask(index, "search_conformances", name="Shape").text


def test_no_conformance_is_an_answer_too(index: Index) -> None:
    answer = ask(index, "search_conformances", name="Guide")
    assert answer.text.startswith('nothing here is known to conform to "Guide"')
    assert "see Drawing Guide (`docs://shapes/guide`)" in answer.text
    with pytest.raises(QueryError):
        ask(index, "search_conformances", name="?")


def test_a_family_is_drawn_step_by_step(index: Index) -> None:
    answer = ask(index, "get_inheritance", symbol="shape", direction="down")
    assert answer.text == (
        "**Shape** – class, `docs://shapes/shape`\n\nis inherited by:\n"
        "- Circle `docs://shapes/circle`\n  - RedCircle `docs://shapes/redcircle`"
    )
    near = ask(index, "get_inheritance", symbol="docs://shapes/shape", direction="down", depth=1)
    assert [each["title"] for each in near.data["relatives"]] == ["Circle"]
    both = ask(index, "get_inheritance", symbol="Circle").text
    assert "inherits from:\n- Shape `docs://shapes/shape`" in both
    assert "is inherited by:\n- RedCircle" in both


@pytest.mark.parametrize(
    ("symbol", "said"),
    [
        (
            "Point",
            (
                "no inheritance data: Point is a value type (struct), which inherits from no "
                "class; it conforms to Hashable, Sendable; for what else conforms to Hashable, "
                "try search_conformances with name Hashable"
            ),
        ),
        ("Drawable", "for what conforms to it, try search_conformances with name Drawable"),
        ("load(from:)", "load(from:) is not a type, but of kind method"),
        ("Drawing", 'no page is called "Drawing"; did you mean Drawing Guide'),
        ("xyzzy", 'no page is called "xyzzy"; use search to find one'),
        ("docs://nowhere", "no page is called"),
    ],
)
def test_no_family_says_why(index: Index, symbol: str, said: str) -> None:
    answer = ask(index, "get_inheritance", symbol=symbol)
    assert said in answer.text
    assert answer.data["relatives"] == ()
    assert answer.data["remark"] == answer.text


def test_nothing_above_a_class_says_so(index: Index) -> None:
    answer = ask(index, "get_inheritance", symbol="Shape", direction="up")
    assert "no inheritance data: nothing above Shape (class) is in this index" in answer.text


def test_a_name_of_several_types_is_refused_and_an_absent_parent_has_no_uri(tmp_path: Path) -> None:
    base = "docs://elsewhere/root"
    types = [
        replace(DOCUMENTS[1], uri=f"docs://{name}/shape", parents=(base,), children=())
        for name in ("a", "b")
    ]
    with open_index(save_documents(tmp_path, types)) as index:
        with pytest.raises(QueryError, match="2 types are called Shape; give the URI of one"):
            ask(index, "get_inheritance", symbol="Shape")
        answer = ask(index, "get_inheritance", symbol="docs://a/shape")
    assert answer.text.endswith("inherits from:\n- root (not in this index)")
    assert not answer.data["relatives"][0]["is_indexed"]


def test_a_huge_family_is_cut_in_text_and_whole_as_data(tmp_path: Path) -> None:
    root = DOCUMENTS[1]
    children = [
        replace(root, uri=f"docs://shapes/s{number}", title=f"S{number}", children=())
        for number in range(400)
    ]
    root = replace(root, children=tuple(each.uri for each in children))
    with open_index(save_documents(tmp_path, [root, *children])) as index:
        answer = ask(index, "get_inheritance", symbol=root.uri)
    assert len(answer.data["relatives"]) == 400
    assert answer.text.endswith("… and 100 more; ask with a smaller depth")


def test_what_the_index_holds_is_listed(index: Index) -> None:
    answer = ask(index, "list_frameworks")
    assert answer.text == (
        "sources:\n- docs: 7 documents\n\nframeworks:\n- shapes (Shapes): 7 documents"
    )
    assert [entry["slug"] for entry in answer.data["frameworks"]] == ["shapes"]
    with pytest.raises(QueryError, match="it takes none"):
        ask(index, "list_frameworks", all=True)
