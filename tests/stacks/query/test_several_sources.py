"""Files, books, code and documentation in one folder: what is named wins, what is alike waits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from stacks.index import Request, SaveOptions, save
from stacks.query import Filters, Index, open_index

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.corpus

FILES = {
    "taxes.txt": "numbers",
    "budget.txt": "nothing of note",
    "books.md": "a list of books",
    "testConfig.js": "let a = 1",
    "config.js": "let b = 2 // a test",
    "report-annual.txt": "x",
    "how to breathe.txt": "y",
}
BOOK = """# One
The budget of the household and the taxes of the king were counted by the budget keeper.

# Two
Love of the garden, and the books that were lost in the river.

# Three
The sea moves in maritime currents below the ships.
"""
ROUTING = """
[floor]
coverage = 0.9
similarity = 2.0
[[rule]]
route = "elsewhere"
any = ["how to breathe"]
[[flag]]
name = "safety"
any = ["kill myself"]
"""


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Index]:
    home, library, code = (tmp_path / name for name in ("home", "library", "code"))
    for folder in (home, library, code):
        folder.mkdir()
    for name, text in FILES.items():
        (home / name).write_text(text)
    (library / "garden.md").write_text(BOOK)
    (code / "m.py").write_text(
        'def save_file(path):\n    """Write to the disk."""\n    return path\n'
    )
    (tmp_path / "routing.toml").write_text(ROUTING)
    folder = tmp_path / "index"
    save([Request.parse(f"files={home}")], folder)
    save(
        [Request.parse(f"books={library}")],
        folder,
        SaveOptions(routing=(tmp_path / "routing.toml",)),
    )
    save([Request.parse(f"code={code}")], folder)
    with open_index(folder) as opened:
        yield opened


def titles(index: Index, text: str, mode: str = "both", source: str = "") -> list[str]:
    filters = Filters(sources=(source,) if source else ())
    return [hit.title for hit in index.search(text, mode=mode, filters=filters)]


@pytest.mark.parametrize("mode", ["fts5", "both", "semantic"])
@pytest.mark.parametrize("name", ["taxes", "budget"])
def test_a_file_that_is_called_so_comes_before_other_sources(
    index: Index, mode: str, name: str
) -> None:
    assert titles(index, name, mode)[0] == f"{name}.txt"


def test_a_function_is_named_by_its_words(index: Index) -> None:
    assert titles(index, "save file")[0] == "save_file"


def test_the_name_of_a_source_is_no_word_of_its_documents(index: Index) -> None:
    confined = Filters(sources=("books",))
    assert index.search("love -books", mode="fts5", filters=confined).relaxed == ("-books",)
    assert index.search("love -code", mode="fts5", filters=confined).relaxed == ()
    assert titles(index, "love -code", "fts5", "books") == ["Two"]
    assert titles(index, "lost books", "fts5", "books") == ["Two"]
    assert titles(index, "home", "fts5", "files") == []


def test_an_excluded_word_holds_in_every_mode(index: Index) -> None:
    for mode in ("fts5", "semantic", "both"):
        found = titles(index, "config -test", mode, "files")
        assert found[0] == "config.js"
        assert "testConfig.js" not in found


def test_a_quoted_phrase_is_required_of_names_too(index: Index) -> None:
    for mode in ("fts5", "semantic", "both"):
        filters = Filters(sources=("files",))
        assert index.search('"annual report"', mode=mode, filters=filters).relaxed
        assert not index.search('"report annual"', mode=mode, filters=filters).relaxed


def test_a_pattern_finds_what_fits_and_nothing_else(index: Index) -> None:
    assert titles(index, "*.js", "both", "files") == ["config.js", "testConfig.js"]
    assert titles(index, "*.nosuch", "both", "files") == []


def test_routing_is_that_of_the_files_that_are_asked(index: Index) -> None:
    assert index.search("how to breathe").route == "elsewhere"
    assert titles(index, "how to breathe", "both", "files")[0] == "how to breathe.txt"


def test_a_flagged_query_is_not_sent_away_by_the_floor(index: Index) -> None:
    results = index.search("kill myself quasar blazar nebula")
    assert (results.route, results.decision.flags) == ("search", ("safety",))
    assert next(iter(results.remarks())).startswith("flagged safety: ")


def test_what_nothing_is_found_for_is_below_the_floor(index: Index) -> None:
    for mode in ("fts5", "both", "plain"):
        assert index.search("xyzzy plugh", mode=mode).route == "no_results"


def test_a_source_of_no_weight_has_no_say(index: Index) -> None:
    from stacks.query import Fusion

    hits = index.search("taxes", fusion=Fusion(weights={"files": 0.0}))
    assert "files" not in {hit.source for hit in hits}


def test_half_a_character_is_no_error(index: Index) -> None:
    assert index.search("\ud800 taxes").hits[0].title == "taxes.txt"


def test_a_hit_says_where_it_lies(index: Index) -> None:
    hits = index.search("taxes").hits
    where = {hit.source: hit.where for hit in reversed(hits)}
    assert where["files"].endswith("home/taxes.txt")
    assert where["books"] == "Garden, chapter 1, passage 1"
    assert index.search("save_file").hits[0].where.endswith("code/m.py:1-3")


def test_every_hit_tells_of_its_own_document_where_files_number_theirs_alike(index: Index) -> None:
    unguarded = frozenset({"routing"})
    hits = index.search("budget books save_file", limit=50, without=unguarded).hits
    assert {hit.source for hit in hits} == {"files", "books", "code"}
    assert len({hit.id for hit in hits}) < len(hits)
    for hit in hits:
        stored = index.read(hit.uri)
        assert (stored.title, stored.source, stored.kind) == (hit.title, hit.source, hit.kind)
    assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))


@pytest.mark.parametrize("text", ["max_retry_client", "LedgerKeeper"])
def test_an_identifier_that_code_does_not_have_is_found_elsewhere(
    tmp_path: Path, text: str
) -> None:
    """Code with a part of the name is not a reason to hide the page that has the whole."""
    for name in ("pages", "code"):
        (tmp_path / name).mkdir()
    (tmp_path / "pages" / "operations.md").write_text(f"# Operations\n\nSet `{text}` to 3.\n")
    (tmp_path / "code" / "m.py").write_text("def max_of(client):\n    return client.ledger\n")
    sources = (f"markdown={tmp_path / 'pages'}", f"code={tmp_path / 'code'}")
    save([Request.parse(each) for each in sources], tmp_path / "index")
    with open_index(tmp_path / "index") as opened:
        assert opened.search(text).hits[0].title == "Operations"
