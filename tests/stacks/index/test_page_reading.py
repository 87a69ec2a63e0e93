"""What of a page is stored: bad pages end no save, duplicates stay out, secrets are masked."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

from stacks.cli.main import build_app
from stacks.cli.save_command import save as save_command
from stacks.errors import SourceError, StacksError
from stacks.health_check import examine
from stacks.index import Request, Saved, SaveOptions, save
from stacks.index.page_reading import Admission, hash_document, mask_document
from stacks.model import Dependency, Document, Page, Snippet, Symbol
from stacks.query import open_index
from stacks.sources.markdown import MarkdownSource

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
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
    assert "test_page_reading.py, line" in event.message
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
    failure = "middle.md makes its reader fail: ZeroDivisionError: oh (test_page_reading.py, line "
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


Make = Callable[..., Document]


def admit(admission: Admission, document: Document) -> str:
    content_hash = hash_document(document)
    refusal = admission.check(document, content_hash)
    if refusal is None:
        admission.admit(document.uri, content_hash, document.title)
    return refusal.event if refusal else ""


def test_a_check_alone_admits_nothing(page: Make) -> None:
    admission = Admission()
    document = page("a/b")
    assert admission.check(document, hash_document(document)) is None
    assert admission.check(document, hash_document(document)) is None


def test_the_same_page_twice_is_a_duplicate_of_tier_a(page: Make) -> None:
    admission = Admission()
    assert admit(admission, page("a/b")) == ""
    assert admit(admission, page("a/b")) == "duplicate-a"


def test_a_title_that_differs_in_case_and_spaces_is_tier_b(page: Make) -> None:
    admission = Admission()
    admit(admission, page("a/b", "My Page"))
    assert admit(admission, page("a/b", "my  page", "Other text.")) == "duplicate-b"


def test_other_content_under_the_same_uri_is_tier_c(page: Make) -> None:
    admission = Admission()
    admit(admission, page("a/b", "Page", "One."))
    assert admit(admission, page("a/b", "Page", "Two.")) == "duplicate-c"


@pytest.mark.parametrize(
    "title",
    [
        "Forbidden",
        "403 Forbidden",
        "404",
        "Error 404: Not Found",
        "JavaScript Required",
        "This page requires JavaScript.",
        "Page Not Found",
        "502 Bad Gateway",
        "Just a moment...",
    ],
)
def test_error_pages_are_refused(page: Make, title: str) -> None:
    assert admit(Admission(), page("a/b", title)) == "error-template"


@pytest.mark.parametrize("title", ["Untitled", "TODO", "[title]", "Lorem ipsum dolor", "…", "null"])
def test_placeholders_are_refused(page: Make, title: str) -> None:
    assert admit(Admission(), page("a/b", title)) == "placeholder-title"


@pytest.mark.parametrize("title", ["null", "undefined", "Null"])
def test_a_symbol_that_is_called_like_a_placeholder_is_admitted(page: Make, title: str) -> None:
    address = f"js/value/{title.lower()}"
    assert admit(Admission(), page(address, title, kind="article")) == ""
    assert admit(Admission(), page(f"{address}?language=objc", title, kind="article")) == ""
    assert admit(Admission(), page("js/untitled", "Untitled", kind="article"))


@pytest.mark.parametrize("title", ["Error", "Errors", "404 ways to fail", "Not", "Handling errors"])
def test_real_titles_pass(page: Make, title: str) -> None:
    assert admit(Admission(), page("a/b", title)) == ""


def test_a_declaration_may_be_called_forbidden(page: Make) -> None:
    assert admit(Admission(), page("http/forbidden", "Forbidden", kind="case")) == ""


def test_a_page_with_a_declaration_may_be_called_forbidden(page: Make) -> None:
    document = page("http/forbidden", "Forbidden", declaration="FORBIDDEN = 403")
    assert admit(Admission(), document) == ""


def test_a_passage_needs_no_title(page: Make) -> None:
    document = Document(uri="jsonl://x/1", title="", content="text", kind="passage")
    assert admit(Admission(), document) == ""


def test_a_page_that_was_forgotten_may_come_again(page: Make) -> None:
    admission = Admission()
    admit(admission, page("a/b"))
    admission.forget("docs://a/b")
    assert admit(admission, page("a/b", "b", "Other.")) == ""


TOKEN = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"  # noqa: S105 - nobody's
SLACK = "xoxb" + "-123456789012-987654321098-AbCdEfGhIjKlMnOpQrStUvWx"
BODY = "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW"
KEY = f"-----BEGIN RSA PRIVATE KEY-----\n{BODY}\n{BODY}\n-----END RSA PRIVATE KEY-----"
PROSE = f"Put the token {TOKEN} there, and {SLACK}. The sea is wide and blue.\n"
PAGE = f"# Deploying the harbour\n\n{PROSE}\n```python\ntoken = '{TOKEN}'\n```\n"
DOCC = {
    "identifier": {"url": "doc://x/documentation/Harbour", "interfaceLanguage": "swift"},
    "kind": "article",
    "metadata": {"title": "Deploying the harbour", "role": "article"},
    "abstract": [{"type": "text", "text": f"Use {TOKEN}."}],
    "primaryContentSections": [
        {
            "kind": "content",
            "content": [{"type": "paragraph", "inlineContent": [{"type": "text", "text": PROSE}]}],
        }
    ],
    "references": {},
}
MANIFEST = 'from x import y\nlet package = Package(name: "Harbour")\n'
METADATA = (
    f"Name: port\nVersion: 1\nRequires-Dist: sea @ git+https://{TOKEN}@github.com/a/sea.git\n"
)
SOURCES: dict[str, dict[str, str]] = {
    "files": {"notes.txt": PROSE, "harbour.md": PAGE, "run.py": f"token = '{TOKEN}'\n"},
    "code": {"harbour.py": f"def deploy(token='{TOKEN}'):\n    '''Use {SLACK}.'''\n    return 1\n"},
    "markdown": {"harbour.md": PAGE},
    "swift-org": {"harbour.md": PAGE},
    "swift-evolution": {"0001-harbour.md": PAGE},
    "apple-archive": {"harbour.md": PAGE},
    "jsonl": {"corpus.jsonl": json.dumps({"_id": "1", "title": TOKEN, "text": PROSE}) + "\n"},
    "books": {"harbour.md": PAGE + "\n\nThe sea is wide.\n" * 40},
    "samples": {"Harbour/README.md": PAGE, "Harbour/main.py": f"token = '{TOKEN}'\n"},
    "packages": {
        "Harbour/Package.swift": MANIFEST,
        "Harbour/README.md": PAGE,
        "port.dist-info/METADATA": METADATA,
    },
    "docc": {"data/documentation/harbour.json": json.dumps(DOCC)},
    "pydoc": {
        "harbour/__init__.py": f'"""Deploy. {PROSE}"""\n\nTOKEN = "{TOKEN}"\n\n\n'
        f'def deploy(token: str = "{TOKEN}") -> None:\n    """Use {SLACK}."""\n'
    },
}


def write_all(folder: Path, files: Mapping[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def save_from(folder: Path, source: str, *, only_changed: bool = False) -> Saved:
    request = Request.parse(f"{source}={folder}")
    options = SaveOptions(only_changed=only_changed, embedder="none")
    [saved] = save([request], folder.parent / "index", options)
    return saved


def leaks(path: Path, *secrets: str) -> list[str]:
    """Return the parts of secrets that an index file holds anywhere, in any case."""
    data = path.read_bytes().lower()
    parts = [part for secret in secrets for part in secret.lower().replace("_", "-").split("-")]
    return [part for part in parts if len(part) > 8 and part.encode() in data]


@pytest.mark.parametrize("source", SOURCES)
def test_a_token_is_in_no_index_whatever_the_source(source: str, tmp_path: Path) -> None:
    folder = write_all(tmp_path / "harbour", SOURCES[source])
    if source == "pydoc":
        folder = folder / "harbour"
    saved = save_from(folder, source)
    assert saved.documents
    assert saved.audit.counts["masked"], saved.audit.events
    assert leaks(saved.path, TOKEN, SLACK) == []
    masked = [each for each in saved.audit.events if each.event == "masked"]
    assert all("github-token" in each.message for each in masked)
    with closing(sqlite3.connect(saved.path)) as connection:
        texts = [row[0] for row in connection.execute("SELECT content FROM docs_text")]
    assert any("[masked:" in text for text in texts)


def test_the_command_says_what_was_masked(tmp_path: Path) -> None:
    folder = write_all(tmp_path / "d", {"n.txt": f"{TOKEN}\n", "plain.txt": "the harbour\n"})
    to = str(tmp_path / "index")
    arguments = ["save", "--files", "--from", f"files={folder}", "--to", to, "--embedder", "none"]
    printed = CliRunner().invoke(build_app(), arguments).stdout
    assert "masked: 1 (keys and tokens of known kinds in the text: masked)" in printed
    assert "    n.txt: 1 github-token\n" in printed
    assert leaks(tmp_path / "index" / "files.db", TOKEN) == []
    doctor = CliRunner().invoke(build_app(), ["doctor", "--all", "--db", f"{to}/files.db"]).stdout
    assert "1 github-token" in doctor


def test_a_masked_page_is_not_read_again_and_stays_in_the_audit(tmp_path: Path) -> None:
    folder = write_all(tmp_path / "d", {"n.txt": PROSE, "plain.txt": "the harbour\n"})
    save_from(folder, "files")
    again = save_from(folder, "files", only_changed=True)
    assert again.audit.unchanged["files"] == 2
    assert again.audit.counts["masked"] == 1


def test_a_page_with_a_token_in_its_name_is_skipped_and_the_audit_does_not_show_it(
    tmp_path: Path,
) -> None:
    folder = write_all(tmp_path / "d", {f"{TOKEN}.txt": "words\n", "plain.txt": "the harbour\n"})
    saved = save_from(folder, "files")
    [event] = saved.audit.events
    assert (event.event, event.page) == ("secret-in-name", "[masked:github-token].txt")
    assert leaks(saved.path, TOKEN) == []


def test_a_token_at_the_end_of_what_is_kept_of_a_long_file_is_not_kept_in_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("stacks.sources.files.file_contents.LONGEST_TEXT", 100)
    text = "words " * 14 + TOKEN + " words" * 20
    saved = save_from(write_all(tmp_path / "d", {"long.txt": text}), "files")
    assert leaks(saved.path, TOKEN[:20]) == []


def test_a_private_key_that_passages_divide_is_in_none_of_them(
    tmp_path: Path, request_of: Callable[..., Request]
) -> None:
    """A reader of books cuts a text anywhere between words."""
    halves = [KEY[:120], KEY[120:]]
    pages = [Document(f"p/{n}", f"Part {n}", f"The sea. {half}") for n, half in enumerate(halves)]
    [saved] = save([request_of("apple-docs", pages)], tmp_path)
    assert BODY[:30].encode() not in saved.path.read_bytes()
    assert saved.audit.counts["masked"] == 2


def test_every_text_of_a_document_is_masked_and_names_that_are_parts_of_a_secret_go() -> None:
    symbol = Symbol("deploy", "function", f"deploy(t='{TOKEN}')", attributes=(TOKEN,))
    document = Document(
        "x", f"T {TOKEN}", f"{SLACK} AbCd", summary=TOKEN, declaration=f"let t = '{TOKEN}'",
        names=("harbour", TOKEN), identifiers=("AbCdEfGhIjKlMnOpQrStUvWx", "AbCd", "harbour"),
        module=TOKEN, language=TOKEN, availability={"ios": TOKEN}, parents=(f"x://{TOKEN}",),
        dependencies=(Dependency("b", address=f"git+https://{TOKEN}@github.com/a/b.git"),),
        snippets=(Snippet(f"use('{TOKEN}')", "python"),), symbols=(symbol,), facts={"key": TOKEN},
    )  # fmt: skip
    masked = mask_document(document)
    assert TOKEN not in repr(masked.document)
    assert SLACK not in repr(masked.document)
    assert masked.document.names == ("harbour",)
    assert masked.document.identifiers == ("AbCd", "harbour")
    assert masked.secrets == Counter({"github-token": 12, "slack-token": 1})


def test_a_document_without_secrets_is_the_same_document() -> None:
    document = Document("x", "sk_live_", "deadbeef" * 8, names=("ghp_",), identifiers=("AKIA",))
    assert mask_document(document).document is document
