"""No page ends a save: what is wrong with it is an event with its name, and the rest is saved."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from stacks.cli.save_command import save as save_command
from stacks.errors import SourceError, StacksError
from stacks.index import Request, Saved, SaveOptions, save
from stacks.model import Document, Page
from stacks.query import open_index
from stacks.sources.markdown.markdown_source import MarkdownSource
from stacks.storage import examine

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

SLOW = "|-|\n" * 10_000


def save_corpus(source: str, folder: Path, to: Path, *, only_changed: bool = False) -> Saved:
    (saved,) = save(
        [Request.parse(f"{source}={folder}")],
        to,
        SaveOptions(only_changed=only_changed, embedder="none"),
    )
    return saved


def events(saved: Saved) -> list[tuple[str, str]]:
    return [(event.event, event.page) for event in saved.audit.events]


@pytest.fixture
def handbook(tmp_path: Path) -> Path:
    folder = tmp_path / "handbook"
    folder.mkdir()
    (folder / "first.md").write_text("# First\n\nSound words.\n")
    (folder / "middle.md").write_text("# Middle\n\nOther words.\n")
    (folder / "third.md").write_text("# Third\n\nMore sound words.\n")
    return folder


def failing(problem: Exception) -> Callable[[MarkdownSource, Page], Iterator[Document]]:
    """Reading that fails with the page `middle.md`, after its first document."""
    read = MarkdownSource.read

    def fail(self: MarkdownSource, page: Page) -> Iterator[Document]:
        yield from read(self, page)
        if page.key == "middle.md":
            raise problem

    return fail


@pytest.mark.parametrize(
    "problem",
    [ZeroDivisionError("oh"), RecursionError(), MemoryError(), KeyError("x"), UnicodeError()],
    ids=lambda problem: type(problem).__name__,
)
def test_a_reader_that_fails_skips_its_page_and_names_it(
    handbook: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, problem: Exception
) -> None:
    monkeypatch.setattr(MarkdownSource, "read", failing(problem))
    saved = save_corpus("markdown", handbook, tmp_path / "index")
    assert events(saved) == [("reader-failed", "middle.md")]
    (event,) = saved.audit.events
    assert event.message.startswith(f"makes its reader fail: {type(problem).__name__}")
    assert "test_page_boundary.py, line" in event.message
    with open_index(tmp_path / "index") as index:
        assert {hit.title for hit in index.search("sound words")} == {"First", "Third"}
        assert not index.search("other"), "a page is written whole or not at all"


def test_a_page_that_failed_is_read_again_by_the_next_save(
    handbook: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(MarkdownSource, "read", failing(ZeroDivisionError()))
        save_corpus("markdown", handbook, tmp_path / "index")
    saved = save_corpus("markdown", handbook, tmp_path / "index", only_changed=True)
    assert (saved.documents, events(saved)) == (3, [])


def test_what_is_missing_on_the_machine_is_no_fault_of_a_page(
    handbook: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(MarkdownSource, "read", failing(StacksError("install the grammar")))
    with pytest.raises(StacksError, match="install the grammar"):
        save_corpus("markdown", handbook, tmp_path / "index")


def test_a_reader_that_fails_between_pages_changes_nothing(
    handbook: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_corpus("markdown", handbook, tmp_path / "index")

    def fail(_: MarkdownSource) -> Iterator[Page]:
        yield Page("first.md", b"# Changed\n\nWords.")
        raise ZeroDivisionError("oh")

    monkeypatch.setattr(MarkdownSource, "pages", fail)
    with pytest.raises(SourceError, match=r"makes its reader fail: ZeroDivisionError: oh"):
        save_corpus("markdown", handbook, tmp_path / "index")
    with open_index(tmp_path / "index") as index:
        assert [hit.title for hit in index.search("first")] == ["First"]


def test_text_that_no_database_holds_skips_its_page(
    handbook: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = MarkdownSource.read

    def spoil(self: MarkdownSource, page: Page) -> list[Document]:
        documents = list(read(self, page))
        if page.key == "middle.md":
            documents.append(Document("markdown://x", "Half", "half a pair: \ud800"))
        return documents

    monkeypatch.setattr(MarkdownSource, "read", spoil)
    saved = save_corpus("markdown", handbook, tmp_path / "index")
    assert (events(saved), saved.documents) == ([("reader-failed", "middle.md")], 2)


@pytest.fixture
def short_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """A limit that broken code of a few kilobytes exceeds."""
    monkeypatch.setattr("stacks.index.page_reading.PARSING_SECONDS", 0.05)


@pytest.mark.usefixtures("short_limit")
@pytest.mark.parametrize("language", ["python", "ts", "tsx", "js"])
def test_code_that_takes_too_long_to_parse_is_kept_as_text(
    handbook: Path, tmp_path: Path, language: str
) -> None:
    (handbook / "slow.md").write_text(f"# Slow\n\nUnusual words.\n\n```{language}\n{SLOW}```\n")
    saved = save_corpus("markdown", handbook, tmp_path / "index")
    assert events(saved) == [("as-text", "slow.md")]
    assert saved.audit.events[0].message == "has code that takes longer than 0.05 s to parse"
    with open_index(tmp_path / "index") as index:
        assert [hit.title for hit in index.search("unusual")] == ["Slow"]


@pytest.mark.usefixtures("short_limit")
@pytest.mark.parametrize("name", ["slow.py", "slow.ts", "slow.js"])
def test_a_source_file_that_takes_too_long_to_parse_is_cut_into_pieces(
    tmp_path: Path, name: str
) -> None:
    folder = tmp_path / "src"
    folder.mkdir()
    (folder / name).write_text(f"# unusual words\n{SLOW}")
    (folder / "sound.py").write_text("def sound():\n    return 1\n")
    saved = save_corpus("code", folder, tmp_path / "index")
    assert events(saved) == [("as-text", name)]
    with open_index(tmp_path / "index") as index:
        assert [hit.title for hit in index.search("unusual")] == [f"{name}:1-80"]
        assert [hit.title for hit in index.search("sound")] == ["sound"]


def make_docc_page(name: str, **fields: Any) -> str:
    page = {
        "identifier": {"url": f"doc://x/documentation/Kit/{name}"},
        "metadata": {"title": name, "symbolKind": "struct"},
        "abstract": [{"type": "text", "text": "A sound page."}],
    }
    return json.dumps({**page, **fields})


def test_hostile_pages_of_docc_are_saved(tmp_path: Path) -> None:
    folder = tmp_path / "corpus" / "data" / "documentation"
    folder.mkdir(parents=True)
    nested: dict[str, Any] = {"type": "paragraph", "inlineContent": []}
    for _ in range(450):
        nested = {"type": "aside", "content": [nested]}
    sections = [{"kind": "content", "content": [nested]}]
    (folder / "good.json").write_text(make_docc_page("Good"))
    (folder / "twin.json").write_text(make_docc_page("Twin", variantOverrides=["x"]))
    (folder / "deep.json").write_text(make_docc_page("Deep", primaryContentSections=sections))
    saved = save_corpus("docc", tmp_path / "corpus", tmp_path / "index")
    assert (saved.documents, events(saved)) == (3, [])


def test_save_says_how_many_pages_failed_and_which_first(
    handbook: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(MarkdownSource, "read", failing(ZeroDivisionError("oh")))
    path = tmp_path / "index" / "search.db"
    save_command([f"markdown={handbook}"], path.parent)
    said = capsys.readouterr()
    meaning = "page that its reader failed with, a bug to report: skipped"
    assert f"  reader-failed: 1 ({meaning}); first: middle.md" in said.out
    failure = "middle.md makes its reader fail: ZeroDivisionError: oh (test_page_boundary.py, line "
    assert f"warning: 1 pages are not in {path}; first: {failure}" in said.err
    wrong = [finding.message for finding in examine(path) if not finding.is_fine]
    assert wrong[0] == f"{path}: last save: reader-failed 1"
    assert wrong[1].startswith(f"  reader-failed: markdown {failure}")


@pytest.mark.parametrize("readme", ["x" * 5000, "\\u0000", "../../etc/passwd", ".", "/etc"])
def test_a_readme_that_no_system_has_costs_the_readme_alone(tmp_path: Path, readme: str) -> None:
    for name, said in (("good", "README.md"), ("odd", readme)):
        (tmp_path / "all" / name).mkdir(parents=True)
        text = f'[project]\nname = "{name}"\nversion = "1"\nreadme = {{file = "{said}"}}\n'
        (tmp_path / "all" / name / "pyproject.toml").write_text(text)
    saved = save_corpus("packages", tmp_path / "all", tmp_path / "index")
    assert (saved.documents, events(saved)) == (2, [])
