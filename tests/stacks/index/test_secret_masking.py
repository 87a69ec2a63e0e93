"""Keys and tokens of known kinds are in no index, whatever the source, and are counted."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from stacks.cli import build_app
from stacks.index import Request, SaveOptions, save
from stacks.index.secret_masking import mask_document
from stacks.model import Dependency, Document, Snippet, Symbol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from stacks.index import Saved

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
