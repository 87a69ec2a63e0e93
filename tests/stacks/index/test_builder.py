"""Saving: what gets in, what is noted, and what only changed pages cost."""

from __future__ import annotations

import json
import shutil
import sqlite3
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stacks.errors import IndexUnusableError, SaveError, SourceError
from stacks.index import Request, SaveOptions, save
from stacks.model import Dependency, Document, Page, Snippet, Symbol
from stacks.query import open_index
from stacks.sources import PageError, Source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Make: TypeAlias = "Callable[..., Document]"
Requests: TypeAlias = "Callable[..., Request]"


def ask(path: Path, sql: str) -> list[Any]:
    connection = sqlite3.connect(path)
    try:
        return connection.execute(sql).fetchall()
    finally:
        connection.close()


def test_an_index_is_one_file_that_answers(
    tmp_path: Path, page: Make, request_of: Requests
) -> None:
    (saved,) = save([request_of("docs", [page("swift/array")])], tmp_path)
    assert [file.name for file in tmp_path.iterdir() if file.suffix == ".db"] == ["search.db"]
    assert saved.documents == 1
    with open_index(saved.path) as index:
        assert [hit.uri for hit in index.search("array")] == ["docs://swift/array"]


def test_a_source_of_an_unknown_database_is_refused_before_anything_is_saved(
    tmp_path: Path, page: Make, request_of: Requests
) -> None:
    known = request_of("docs", [page("swift/array")])
    strange = replace(known, kind=replace(known.kind, name="mail", database="mails"))
    message = "the source mail is stored in 'mails', which is not a database; there are search, "
    with pytest.raises(SaveError, match=message):
        save([known, strange], tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_every_page_is_accounted_for(tmp_path: Path, page: Make, request_of: Requests) -> None:
    documents = [
        page("a/one"),
        page("a/one"),
        page("a/two", "404 Not Found"),
        PageError("broken.json is not JSON"),
        page("a/three", "Untitled"),
    ]
    (saved,) = save([request_of("docs", documents)], tmp_path)
    assert saved.audit.counts["duplicate-a"] == 1
    assert saved.audit.counts["error-template"] == 1
    assert saved.audit.counts["placeholder-title"] == 1
    assert saved.audit.counts["unreadable"] == 1
    assert saved.documents == 1
    stored = ask(saved.path, "SELECT event, message FROM audit ORDER BY id")
    assert ("unreadable", "broken.json is not JSON") in stored
    assert len(stored) == 4


def test_a_corpus_without_documents_is_refused_beside_others_unless_allowed(
    tmp_path: Path, page: Make, request_of: Requests
) -> None:
    requests = [request_of("docs", [page("a/b")]), request_of("none", [])]
    with pytest.raises(
        SaveError, match=r"none=given gave no document \(it has no page\); .*--allow"
    ):
        save(requests, tmp_path)
    assert not list(tmp_path.glob("*.db"))
    (saved,) = save(requests, tmp_path, SaveOptions(allow_empty=True))
    assert saved.audit.counts["empty-source"] == 1


def test_a_corpus_without_documents_is_refused_beside_another_of_its_source(
    tmp_path: Path,
) -> None:
    (tmp_path / "good").mkdir()
    (tmp_path / "good" / "page.md").write_text("# Page\n\nText.")
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "page.md").write_text("")
    requests = [Request.parse(f"markdown={tmp_path / name}") for name in ("good", "bad")]
    with pytest.raises(SaveError, match=r"bad gave no document \(page\.md: is empty\)"):
        save(requests, tmp_path / "index")


def test_a_corpus_whose_documents_all_came_before_is_not_empty(
    tmp_path: Path, page: Make, request_of: Requests
) -> None:
    requests = [request_of("docs", [page("a/b")]), request_of("copy", [page("a/b")])]
    (saved,) = save(requests, tmp_path)
    assert saved.audit.counts["duplicate-a"] == 1


def test_a_save_without_a_single_document_is_refused(
    tmp_path: Path, page: Make, request_of: Requests
) -> None:
    with pytest.raises(SaveError, match="gave no document"):
        save([request_of("docs", [])], tmp_path)
    save([request_of("docs", [page("a/b")]), request_of("more", [page("c/d")])], tmp_path)
    with pytest.raises(SaveError, match=r"broken\.json is not JSON"):
        save(
            [
                request_of("docs", [PageError("broken.json is not JSON")]),
                request_of("more", [page("c/d")]),
            ],
            tmp_path,
        )
    with open_index(tmp_path) as index:
        assert len(index.search("b d")) == 2


def test_symbols_snippets_and_imports_are_written(
    tmp_path: Path, page: Make, request_of: Requests
) -> None:
    document = page(
        "swift/box",
        "Box",
        symbols=(Symbol("Box", "struct", "struct Box<T>", attributes=("@frozen",)),),
        snippets=(Snippet("import SwiftUI\nfinal class Crate: Holder {}\n", "swift"),),
    )
    (saved,) = save([request_of("docs", [document])], tmp_path)
    symbols = ask(saved.path, "SELECT doc_uri, name, kind, origin FROM doc_symbols ORDER BY id")
    assert symbols == [
        ("docs://swift/box", "Box", "struct", "source"),
        ("docs://swift/box", "Crate", "class", "snippet"),
    ]
    assert ask(saved.path, "SELECT module FROM doc_imports") == [("SwiftUI",)]
    assert ask(saved.path, "SELECT language, position FROM doc_code_examples") == [("swift", 1)]
    names = ask(saved.path, "SELECT symbols FROM docs_structured")
    assert names == [("Box Crate",)]


def test_an_edge_of_inheritance_told_from_both_sides_is_one(
    tmp_path: Path, page: Make, request_of: Requests
) -> None:
    documents = [
        page("a/parent", children=("docs://a/child",)),
        page("a/child", parents=("docs://a/parent",)),
    ]
    (saved,) = save([request_of("docs", documents)], tmp_path)
    assert ask(saved.path, "SELECT * FROM inheritance") == [("docs://a/parent", "docs://a/child")]


def test_what_a_type_demands_is_handed_down_to_members_that_use_it(
    tmp_path: Path, page: Make, request_of: Requests
) -> None:
    link = Symbol("Link", "struct", "struct Link<D>", generic_constraints=("D: View",))
    using = Symbol("init", "initializer", "init(destination: D)")
    other = Symbol("id", "property", "var id: Int")
    documents = [
        page("ui/link", symbols=(link,)),
        page("ui/link/init", symbols=(using,)),
        page("ui/link/id", symbols=(other,)),
    ]
    (saved,) = save([request_of("docs", documents)], tmp_path)
    found = dict(ask(saved.path, "SELECT name, generic_constraints FROM doc_symbols"))
    assert found == {"Link": "D: View", "init": "D: View", "id": ""}


def test_constraints_pass_through_a_type_that_has_none(
    tmp_path: Path, page: Make, request_of: Requests
) -> None:
    outer = Symbol("Outer", "struct", "struct Outer<D>", generic_constraints=("D: View",))
    documents = [
        page("ui/outer", symbols=(outer,)),
        page("ui/outer/inner", symbols=(Symbol("Inner", "struct", "struct Inner"),)),
        page("ui/outer/inner/init", symbols=(Symbol("init", "initializer", "init(to: D)"),)),
    ]
    (saved,) = save([request_of("docs", documents)], tmp_path)
    found = dict(ask(saved.path, "SELECT name, generic_constraints FROM doc_symbols"))
    assert found == {"Outer": "D: View", "Inner": "", "init": "D: View"}


def test_prominence_is_the_number_of_pages_below_and_members_have_their_parents(
    tmp_path: Path, page: Make, request_of: Requests
) -> None:
    paths = ("ui", "ui/run", "ui/link", "ui/link/a", "ui/link/b", "ui/link/b/c", "ui/link/b/d")
    documents = [page(path, kind="function") for path in paths]
    documents.append(page("ui/guide", kind="article"))
    (saved,) = save([request_of("docs", documents)], tmp_path)
    found = dict(ask(saved.path, "SELECT uri, prominence FROM docs_metadata"))
    assert found == {
        "docs://ui": 7,
        "docs://ui/run": 7,
        "docs://ui/guide": 0,
        "docs://ui/link": 4,
        "docs://ui/link/a": 4,
        "docs://ui/link/b": 2,
        "docs://ui/link/b/c": 2,
        "docs://ui/link/b/d": 2,
    }


def test_a_page_that_goes_takes_its_imports_and_snippets_along(
    tmp_path: Path, page: Make, request_of: Requests
) -> None:
    code = page("a/code", language="python", snippets=(Snippet("import os\n"),))
    save([request_of("docs", [page("a/kept"), code])], tmp_path)
    languages = ask(tmp_path / "search.db", "SELECT language FROM code_examples")
    assert languages == [("python",)]
    (saved,) = save(
        [request_of("docs", [page("a/kept")])], tmp_path, SaveOptions(only_changed=True)
    )
    assert ask(saved.path, "SELECT count(*) FROM imports") == [(0,)]
    assert ask(saved.path, "SELECT count(*) FROM code_examples") == [(0,)]


def test_symbol_graphs_have_the_last_word_before_inheritance(
    tmp_path: Path, page: Make, request_of: Requests
) -> None:
    graphs = tmp_path / "graphs"
    graphs.mkdir()
    (graphs / "UI.symbols.json").write_text(
        '{"module": {"name": "UI"}, "symbols": [{"identifier": {"precise": "s:2UI4LinkV"},'
        '"pathComponents": ["Link"], "kind": {"identifier": "swift.struct"},'
        '"swiftGenerics": {"constraints": ['
        '{"kind": "conformance", "lhs": "D", "rhs": "View"},'
        '{"kind": "sameType", "lhs": "D.Body", "rhs": "Never"}]}}]}'
    )
    (graphs / "Broken.symbols.json").write_text("{")
    documents = [
        page("ui/link", symbols=(Symbol("Link", "struct", "struct Link<D>"),)),
        page("ui/link/init", symbols=(Symbol("init", "initializer", "init(to: D)"),)),
    ]
    options = SaveOptions(symbol_graphs=graphs)
    (saved,) = save([request_of("docs", documents)], tmp_path / "index", options)
    found = dict(ask(saved.path, "SELECT name, generic_constraints FROM doc_symbols"))
    assert found == {"Link": "D: View, D.Body == Never", "init": "D: View, D.Body == Never"}
    assert saved.audit.counts["unreadable"] == 1


def test_symbol_graphs_are_found_in_folders_of_a_folder(
    tmp_path: Path, page: Make, request_of: Requests
) -> None:
    deep = tmp_path / "graphs" / "arm64"
    deep.mkdir(parents=True)
    (deep / "UI.symbols.json").write_text(
        '{"module": {"name": "UI"}, "symbols": [{"identifier": {"precise": "s:x"},'
        '"pathComponents": ["Link"], "swiftGenerics": {"constraints": ['
        '{"kind": "conformance", "lhs": "D", "rhs": "View"}]}}]}'
    )
    documents = [page("ui/link", symbols=(Symbol("Link", "struct"),))]
    options = SaveOptions(symbol_graphs=tmp_path / "graphs")
    (saved,) = save([request_of("docs", documents)], tmp_path / "index", options)
    assert ask(saved.path, "SELECT generic_constraints FROM doc_symbols") == [("D: View",)]


GRAPH = (
    '{"module": {"name": "UI"}, "symbols": [{"identifier": {"precise": "s:x"},'
    '"pathComponents": ["Link"], "swiftGenerics": {"constraints": ['
    '{"kind": "conformance", "lhs": "D", "rhs": "View"}]}}]}'
)


@pytest.mark.parametrize("only_changed", [True, False])
def test_constraints_of_symbol_graphs_stay_until_they_are_replaced_or_removed(
    tmp_path: Path, page: Make, request_of: Requests, *, only_changed: bool
) -> None:
    (tmp_path / "UI.symbols.json").write_text(GRAPH)
    link = page("ui/link", symbols=(Symbol("Link", "struct", "struct Link<D>"),))
    member = page("ui/link/init", symbols=(Symbol("init", "initializer", "init(to: D)"),))
    graphs = SaveOptions(symbol_graphs=tmp_path / "UI.symbols.json")
    save([request_of("docs", [link])], tmp_path / "index", graphs)
    again = SaveOptions(only_changed=only_changed)
    (saved,) = save([request_of("docs", [link, member])], tmp_path / "index", again)
    sql = "SELECT name, generic_constraints FROM doc_symbols"
    assert dict(ask(saved.path, sql)) == {"Link": "D: View", "init": "D: View"}
    removed = SaveOptions(only_changed=only_changed, symbol_graphs=Path("none"))
    (saved,) = save([request_of("docs", [link, member])], tmp_path / "index", removed)
    assert dict(ask(saved.path, sql)) == {"Link": "", "init": ""}


def test_samples_are_found_by_other_forms_of_a_word(
    tmp_path: Path, page: Make, request_of: Requests
) -> None:
    sample = page("a/b", "Dragging files", kind="sample", summary="Drops files on windows.")
    save([request_of("docs", [sample])], tmp_path)
    with open_index(tmp_path) as index:
        assert [each.title for each in index.samples("drag a window")] == ["Dragging files"]


def test_dependencies_are_edges_between_packages(
    tmp_path: Path, page: Make, request_of: Requests
) -> None:
    needed = (Dependency("b", ">=2,<3"), Dependency("c", "", "https://example.com/c"))
    one = page("a", kind="package", language="python", framework="a", dependencies=needed)
    two = page("b", kind="package", language="python", framework="b")
    other = page("c", kind="package", language="swift", framework="c")
    (saved,) = save([request_of("packages", [one, two, other])], tmp_path)
    assert ask(saved.path, "SELECT * FROM package_dependencies ORDER BY dependency") == [
        ("docs://a", "b", ">=2,<3", "", "docs://b"),
        ("docs://a", "c", "", "https://example.com/c", None),
    ]
    again = SaveOptions(only_changed=True)
    (saved,) = save([request_of("packages", [replace(one, dependencies=()), two])], tmp_path, again)
    assert ask(saved.path, "SELECT * FROM package_dependencies") == []


def test_inheritance_that_a_page_no_longer_states_is_forgotten(
    tmp_path: Path, page: Make, request_of: Requests
) -> None:
    base, leaf = page("a/base", kind="class"), page("a/leaf", kind="class")
    save([request_of("docs", [base, replace(leaf, parents=(base.uri,))])], tmp_path)
    with open_index(tmp_path) as index:
        assert [each.uri for each in index.inheritance("leaf").relatives] == [base.uri]
    save([request_of("docs", [base, leaf])], tmp_path, SaveOptions(only_changed=True))
    with open_index(tmp_path) as index:
        assert index.inheritance("leaf").relatives == ()


class Navigation(Source):
    """Three pages, of which one has something to search for."""

    def pages(self) -> Iterator[Page]:
        yield from (Page(key, key.encode()) for key in ("menu", "text", "index"))

    def read(self, page: Page) -> list[Document]:
        return [Document("docs://a/text", "Text", "Words.")] if page.key == "text" else []


def test_pages_without_a_document_are_counted(tmp_path: Path, request_of: Requests) -> None:
    request = request_of("docs", [])
    kind = replace(request.kind, open=lambda _: Navigation())
    (saved,) = save([replace(request, kind=kind)], tmp_path)
    assert (saved.documents, saved.audit.counts["without-document"]) == (1, 2)


def test_a_symbol_is_found_by_its_precise_id_before_its_path(
    tmp_path: Path, page: Make, request_of: Requests
) -> None:
    """The page of an overload is not where its path components lead."""
    (tmp_path / "UI.symbols.json").write_text(
        '{"module": {"name": "UI"}, "symbols": [{"identifier": {"precise": "s:2UI4LinkV"},'
        '"pathComponents": ["Link"], "swiftGenerics": {"constraints": ['
        '{"kind": "superclass", "lhs": "D", "rhs": "Control"}]}}]}'
    )
    facts = {"external_id": "s:2UI4LinkV"}
    documents = [
        page("ui/link-4x2", symbols=(Symbol("Precise", "struct"),), facts=facts),
        page("ui/link", symbols=(Symbol("SamePath", "struct"),)),
        page(
            "ui/other", symbols=(Symbol("Other", "struct"),), facts={"external_id": "s:2UI5Other"}
        ),
    ]
    options = SaveOptions(symbol_graphs=tmp_path / "UI.symbols.json")
    (saved,) = save([request_of("docs", documents)], tmp_path / "index", options)
    found = dict(ask(saved.path, "SELECT name, generic_constraints FROM doc_symbols"))
    assert found == {"Precise": "D: Control", "SamePath": "", "Other": ""}
    assert saved.audit.counts["constraints-from-symbol-graphs"] == 1


def test_only_changed_pages_are_read_again(
    tmp_path: Path, page: Make, request_of: Requests
) -> None:
    first = [page("a/kept", "Kept"), page("a/changed", "Changed", "Old words."), page("a/gone")]
    save([request_of("docs", first)], tmp_path)
    second = [page("a/kept", "Kept"), page("a/changed", "Changed", "New words."), page("a/new")]
    changes = SaveOptions(only_changed=True)
    (saved,) = save([request_of("docs", second)], tmp_path, changes)
    assert saved.audit.documents["docs"] == 2
    with open_index(saved.path) as index:
        assert [hit.uri for hit in index.search("new words")][:1] == ["docs://a/changed"]
        assert not index.search("old")
        assert not index.search("gone")
        assert [hit.uri for hit in index.search("kept")] == ["docs://a/kept"]


def test_saving_changes_gives_what_saving_anew_gives(
    tmp_path: Path, page: Make, request_of: Requests
) -> None:
    first = [page(f"a/{name}", name.upper(), f"{name} text") for name in ("x", "y", "z")]
    second = [first[0], replace(first[1], content="y other words"), page("a/w", "W", "w text")]
    save([request_of("docs", first)], tmp_path / "changed")
    save([request_of("docs", second)], tmp_path / "changed", SaveOptions(only_changed=True))
    save([request_of("docs", second)], tmp_path / "anew")
    for query in ("x", "y", "z", "w", "text", "other words"):
        answers = []
        for folder in ("changed", "anew"):
            with open_index(tmp_path / folder) as index:
                answers.append([(hit.uri, round(hit.bm25, 9)) for hit in index.search(query)])
        assert answers[0] == answers[1]


def everything(path: Path) -> dict[str, list[Any]]:
    """What an index says, without the numbers that depend on the order of saving."""
    return {
        "documents": ask(
            path, "SELECT uri, content_hash, prominence FROM docs_metadata ORDER BY 1"
        ),
        "names": ask(
            path,
            "SELECT n.name, m.uri, n.nearness FROM doc_names AS n "
            "JOIN docs_metadata AS m ON m.id = n.doc_id ORDER BY 1, 2",
        ),
        "symbols": ask(
            path,
            "SELECT doc_uri, name, kind, generic_constraints FROM doc_symbols ORDER BY 1, 2, 3",
        ),
        "edges": ask(path, "SELECT * FROM inheritance"),
        "words": ask(path, "SELECT count(*) FROM docs_fts WHERE docs_fts MATCH 'text'"),
        "orphans": ask(
            path,
            "SELECT count(*) FROM doc_names WHERE doc_id NOT IN (SELECT id FROM docs_metadata)",
        ),
    }


def sound(path: Path) -> bool:
    """Ask FTS5 itself whether its tables agree with the text they are about."""
    connection = sqlite3.connect(path)
    try:
        for table in ("docs_fts", "doc_symbols_fts", "doc_code_fts", "sample_code_fts"):
            connection.execute(f"INSERT INTO {table} ({table}, rank) VALUES ('integrity-check', 1)")  # noqa: S608
        return True
    finally:
        connection.close()


ROUNDS = st.lists(
    st.dictionaries(
        st.sampled_from(["p", "q", "r", "s"]),
        st.tuples(st.sampled_from(["a/x", "a/y", "a/x/z", "b/w"]), st.integers(0, 2)),
        min_size=1,
    ),
    min_size=2,
    max_size=4,
)


@pytest.mark.corpus
@settings(max_examples=40, deadline=None)
@given(rounds=ROUNDS)
def test_any_edits_saved_as_changes_give_what_saving_anew_gives(
    rounds: list[dict[str, tuple[str, int]]],
) -> None:
    """Pages come, go, change, and hand their URIs to one another; each URI has one page."""
    with TemporaryDirectory() as folder:
        changed, anew = Path(folder) / "changed", Path(folder) / "anew"
        for number, pages in enumerate(rounds):
            corpus = Path(folder) / "corpus"
            shutil.rmtree(corpus, ignore_errors=True)
            corpus.mkdir()
            claimed: set[str] = set()
            for key, (path, version) in pages.items():
                if path not in claimed:
                    claimed.add(path)
                    (corpus / f"{key}.json").write_text(write_page(path, version))
            request = Request.parse(f"apple-docs={corpus}")
            save([request], changed, SaveOptions(only_changed=number > 0))
        save([request], anew)
        assert everything(changed / "search.db") == everything(anew / "search.db")
        assert sound(changed / "search.db")


def write_page(path: str, version: int) -> str:
    """A page of DocC whose text and declaration depend on its version."""
    name = path.rsplit("/", 1)[-1]
    declared = f"struct {name}<D>" + (f" where D : V{version}" if version else "")
    tokens = [{"kind": "text", "text": declared}]
    return json.dumps(
        {
            "identifier": {"url": f"doc://x/documentation/{path}"},
            "metadata": {"title": name, "symbolKind": "struct"},
            "abstract": [{"type": "text", "text": f"version{version} text"}],
            "primaryContentSections": [
                {"kind": "declarations", "declarations": [{"tokens": tokens}]}
            ],
        }
    )


def test_a_corpus_named_by_another_path_is_the_same_corpus(tmp_path: Path) -> None:
    (tmp_path / "book").mkdir()
    (tmp_path / "book" / "x.md").write_text("# X\n\ntext\n")
    save([Request.parse(f"markdown={tmp_path / 'book'}")], tmp_path / "index")
    other = f"markdown={tmp_path}/book/../book/"
    (saved,) = save([Request.parse(other)], tmp_path / "index", SaveOptions(only_changed=True))
    assert saved.documents == 1
    assert saved.audit.unchanged["markdown"] == 1


def test_a_page_that_lost_its_uri_to_another_gets_it_when_the_other_goes(
    tmp_path: Path, page: Make, request_of: Requests
) -> None:
    winner, loser = page("a/x", "X", "winner text"), page("a/x", "X", "loser text")
    save([request_of("docs", [winner, loser])], tmp_path)
    changes = SaveOptions(only_changed=True)
    (saved,) = save([request_of("docs", [winner, loser])], tmp_path, changes)
    assert saved.audit.counts["duplicate-c"] == 1, "what was noted is noted again"
    (saved,) = save([request_of("docs", [page("b/y"), loser])], tmp_path, changes)
    with open_index(tmp_path) as index:
        assert [hit.uri for hit in index.search("loser")] == ["docs://a/x"]


def test_only_changed_keeps_other_corpora_of_the_same_source(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "page.md").write_text(f"# {name.title()}\n\nAbout {name}.\n")
    first, second = (Request.parse(f"markdown={tmp_path / name}") for name in ("one", "two"))
    save([first], tmp_path / "index")
    with pytest.raises(SaveError, match="--only-changed to keep what is there"):
        save([second], tmp_path / "index")
    (saved,) = save([second], tmp_path / "index", SaveOptions(only_changed=True))
    assert saved.documents == 2


@pytest.mark.parametrize("kind", ["markdown", "docc", "jsonl", "pydoc"])
def test_a_path_that_does_not_exist_is_what_is_told_where_there_is_an_index(
    tmp_path: Path, kind: str
) -> None:
    """It is another corpus than the index has, but no option would help."""
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "page.md").write_text("# One\n\nAbout one.\n")
    save([Request.parse(f"markdown={tmp_path / 'notes'}")], tmp_path / "index")
    with pytest.raises(SourceError, match=r"No such file|not there|nor a folder"):
        save([Request.parse(f"{kind}={tmp_path / 'nots'}")], tmp_path / "index")
    with open_index(tmp_path / "index") as index:
        assert len(index.search("one")) == 1


def test_pages_that_changed_are_not_counted_as_gone(
    tmp_path: Path, page: Make, request_of: Requests
) -> None:
    save([request_of("docs", [page("a/b", "B", "Old."), page("a/gone")])], tmp_path)
    newer = [page("a/b", "B", "New.")]
    (saved,) = save([request_of("docs", newer)], tmp_path, SaveOptions(only_changed=True))
    assert saved.audit.dropped == {"docs": 1}


def test_a_title_with_other_spaces_replaces_a_document_of_a_corpus_that_is_not_read(
    tmp_path: Path, page: Make, request_of: Requests
) -> None:
    save([request_of("old", [page("a/b", "My Page", "Old.")])], tmp_path)
    newer = [page("a/b", "my  page", "New.")]
    (saved,) = save([request_of("new", newer)], tmp_path, SaveOptions(only_changed=True))
    assert ask(saved.path, "SELECT title FROM docs_structured") == [("my  page",)]


def test_a_source_becomes_empty_only_if_that_is_allowed(
    tmp_path: Path, page: Make, request_of: Requests
) -> None:
    full = [request_of("one", [page("a/b")]), request_of("two", [page("a/c")])]
    save(full, tmp_path)
    emptied = [request_of("one", [page("a/b")]), request_of("two", [])]
    with pytest.raises(SaveError, match="two=given gave no document"):
        save(emptied, tmp_path)
    with pytest.raises(SaveError, match="two=given gave no document"):
        save(emptied, tmp_path, SaveOptions(replace=True))
    (saved,) = save(emptied, tmp_path, SaveOptions(allow_empty=True))
    assert (saved.documents, saved.audit.counts["empty-source"]) == (1, 1)


def test_a_framework_is_displayed_by_the_title_of_its_own_page(
    tmp_path: Path, page: Make, request_of: Requests
) -> None:
    documents = [page("swiftui", "SwiftUI", module="SwiftUI"), page("swiftui/view", module="Other")]
    (saved,) = save([request_of("docs", documents)], tmp_path)
    sql = "SELECT * FROM framework_aliases"
    assert ask(saved.path, sql) == [("swiftui", "SwiftUI", "SwiftUI", "sui", 2)]


def test_only_changed_keeps_sources_that_are_not_named(
    tmp_path: Path, page: Make, request_of: Requests
) -> None:
    save([request_of("one", [page("a/first")])], tmp_path)
    save([request_of("two", [page("b/second")])], tmp_path, SaveOptions(only_changed=True))
    with open_index(tmp_path) as index:
        assert [entry.name for entry in index.sources()] == ["one", "two"]
        assert len(index.search("first second")) == 2


def test_a_save_does_not_drop_a_source_by_accident(
    tmp_path: Path, page: Make, request_of: Requests
) -> None:
    save([request_of("one", [page("a/first")])], tmp_path)
    with pytest.raises(SaveError, match=r"holds one=given, .* --only-changed .* --replace"):
        save([request_of("two", [page("b/second")])], tmp_path)
    (saved,) = save([request_of("two", [page("b/second")])], tmp_path, SaveOptions(replace=True))
    assert saved.documents == 1


def test_another_programs_file_is_not_replaced(
    tmp_path: Path, page: Make, request_of: Requests
) -> None:
    path = tmp_path / "search.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE precious (x)")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(IndexUnusableError, match="another program's"):
        save([request_of("docs", [page("a/b")])], tmp_path)
    assert path.read_bytes() == before
    path.write_text("not a database at all, but somebody's notes")
    with pytest.raises(IndexUnusableError, match="is not an index"):
        save([request_of("docs", [page("a/b")])], tmp_path)
    assert path.read_text().startswith("not a database")


def test_an_index_of_a_newer_version_is_refused(
    tmp_path: Path, page: Make, request_of: Requests
) -> None:
    (saved,) = save([request_of("docs", [page("a/b")])], tmp_path)
    connection = sqlite3.connect(saved.path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(IndexUnusableError, match="version 99, newer"):
        open_index(saved.path)
    with pytest.raises(IndexUnusableError, match="version 99, newer"):
        save([request_of("docs", [page("a/b")])], tmp_path, SaveOptions(only_changed=True))


def test_a_request_says_what_it_needs() -> None:
    with pytest.raises(SaveError, match="SOURCE=PATH"):
        Request.parse("apple-docs")
    with pytest.raises(SourceError, match="did you mean apple-docs"):
        Request.parse("apple-doc=x")


def test_the_same_documents_give_the_same_answers_in_any_order_of_reading(
    tmp_path: Path, page: Make, request_of: Requests
) -> None:
    documents = [page(f"a/p{number}", "Same", "equal words here") for number in range(20)]
    answers = []
    for folder, pages in (("up", documents), ("down", documents[::-1])):
        save([request_of("docs", pages)], tmp_path / folder)
        with open_index(tmp_path / folder) as index:
            answers.append([hit.uri for hit in index.search("equal words", limit=20)])
    assert answers[0] == answers[1] == sorted(answers[0])


@pytest.mark.parametrize("options", [SaveOptions(), SaveOptions(only_changed=True)])
def test_an_index_that_was_copied_with_its_corpus_holds_the_copy(
    tmp_path: Path, options: SaveOptions
) -> None:
    first, second = tmp_path / "first", tmp_path / "deep" / "second"
    (first / "docs").mkdir(parents=True)
    (first / "docs" / "one.md").write_text("# One\n\nA page about cats.\n")
    save([Request.parse(f"markdown={first / 'docs'}")], first / "index")
    shutil.copytree(first, second)
    (second / "docs" / "two.md").write_text("# Two\n\nAnother page.\n")
    (saved,) = save([Request.parse(f"markdown={second / 'docs'}")], second / "index", options)
    assert saved.documents == 2
    places = ask(saved.path, "SELECT DISTINCT location FROM pages")
    assert places == [(str(second / "docs"),)]


def test_an_index_that_was_copied_alone_holds_what_it_was_made_of(tmp_path: Path) -> None:
    """Documents that happen to lie beside the copy do not replace them."""
    for folder in ("first", "second"):
        (tmp_path / folder / "docs").mkdir(parents=True)
        (tmp_path / folder / "docs" / "one.md").write_text(f"# One\n\nA page of the {folder}.\n")
    corpus = Request.parse(f"markdown={tmp_path / 'first' / 'docs'}")
    save([corpus], tmp_path / "first" / "index")
    shutil.copytree(tmp_path / "first" / "index", tmp_path / "second" / "index")
    (saved,) = save([corpus], tmp_path / "second" / "index")
    assert ask(saved.path, "SELECT DISTINCT location FROM pages") == [(corpus.location,)]
    other = Request.parse(f"markdown={tmp_path / 'third'}")
    (tmp_path / "third").mkdir()
    (tmp_path / "third" / "one.md").write_text("# One\n\nA page.\n")
    with pytest.raises(SaveError, match="which this save does not name"):
        save([other], tmp_path / "second" / "index")
