"""A damaged index is told in one message by every command, and left as it is."""

from __future__ import annotations

import contextlib
import random
import sqlite3
import subprocess
from io import StringIO
from typing import TYPE_CHECKING, NamedTuple
from unittest.mock import patch

import pytest

from stacks.cli.main import main
from stacks.errors import IndexUnusableError
from stacks.query import open_index

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.corpus

PLACES = 220
SEED = 16
PAGE_SIZE = 16384
COMMANDS = (
    ("search", "common page word7"),
    ("search", "Thing3", "--format", "json", "--explain"),
    ("search", "undo a page that went wrong"),
    ("read", "markdown://corpus/page0"),
    ("symbols", "Thing3"),
    ("conformances", "Base"),
    ("inheritance", "Thing3"),
    ("examples", "run3"),
    ("list",),
    ("list", "--frameworks"),
    ("list", "--samples"),
    ("doctor",),
)
PAGE = """\
# Page {number}

A common page. {words}

```python
class Thing{number}(Base):
    def run{number}(self): return {number}
```
"""


class Saved(NamedTuple):
    """The file of an index, and its content."""

    path: Path
    content: bytes


def stacks(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command in this process; what it does not handle is raised."""
    code = 0
    out, err = StringIO(), StringIO()
    with (
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        patch("sys.argv", ["stacks", *arguments]),
    ):
        try:
            main()
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else 0
    return subprocess.CompletedProcess(arguments, code, out.getvalue(), err.getvalue())


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Saved:
    folder = tmp_path_factory.mktemp("index")
    corpus = folder / "corpus"
    corpus.mkdir()
    for number in range(40):
        words = " ".join(f"word{number * 7 % 50 + step}" for step in range(60))
        (corpus / f"page{number}.md").write_text(PAGE.format(number=number, words=words))
    with patch("stacks.postings.LEAST_DOCUMENTS", 10):
        done = stacks(
            *("save", "--from", f"markdown={corpus}", "--to", str(folder / "made"), "--quiet"),
            *("--embedder", "wordllama"),
        )
    assert done.returncode == 0, done.stderr
    path = folder / "made" / "search.db"
    return Saved(path, path.read_bytes())


def damage(content: bytes, number: int) -> bytes:
    """Damage a file at a seeded place: some random bytes, some zeros, or an end that is missing."""
    chance = random.Random(f"{SEED}/{number}")  # noqa: S311 - test data
    place = chance.randrange(len(content))
    size = chance.choice((1, 4, 64, 1024, 4096))
    if number % 3 == 0:
        return content[:place] + chance.randbytes(size) + content[place + size :]
    if number % 3 == 1:
        return content[:place] + bytes(size) + content[place + size :]
    return content[:place]


def run_on(path: Path, content: bytes, command: tuple[str, ...]) -> str:
    """Run a command on an index of this content; return what it told."""
    path.write_bytes(content)
    done = stacks(*command, "--db", str(path.parent))
    assert done.returncode in (0, 1, 2), f"{command}: {done.stderr}"
    assert path.read_bytes() == content
    assert len(done.stderr.splitlines()) <= 2, done.stderr
    if "damaged" in done.stderr:
        assert done.returncode == 2
        assert "stacks doctor" in done.stderr
    return done.stderr + (done.stdout if command == ("doctor",) else "")


def test_no_command_that_reads_fails_on_a_damaged_index(saved: Saved) -> None:
    """Each place is read by two commands in turn, so each meets all kinds of damage."""
    told = 0
    for number in range(PLACES):
        content = damage(saved.content, number)
        for step in range(2):
            command = COMMANDS[(2 * number + step) % len(COMMANDS)]
            told += "damaged" in run_on(saved.path, content, command)
    assert told > PLACES / 4


def test_an_index_that_ends_at_any_page_is_told(saved: Saved) -> None:
    for number, size in enumerate(range(0, len(saved.content), PAGE_SIZE)):
        told = run_on(saved.path, saved.content[:size], COMMANDS[number % len(COMMANDS)])
        assert any(word in told for word in ("damaged", "is empty", "WRONG")), told


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("UPDATE docs_structured SET facts = '{\"a'", "documents whose facts are no JSON"),
        ("UPDATE vectors SET vector = x'01' WHERE piece = 0", "vectors of another length"),
        ("UPDATE docs_structured SET title = x'0102'", "rows of docs_structured have a value"),
        ("UPDATE meta SET value = '[' WHERE name = 'embedder_identity'", "are no JSON"),
        ("UPDATE term_postings SET postings = x''", "posting lists that are none"),
        ("UPDATE term_postings SET postings = x'00'", "posting lists that are none"),
        ("UPDATE term_postings SET postings = x'0101010104'", "posting lists that are none"),
        ("UPDATE term_postings SET postings = x'010100'", "posting lists that are none"),
        ("UPDATE term_postings SET postings = x'ffff0100'", "posting lists that are none"),
        ('UPDATE term_postings SET "column" = "column" + 9', "posting lists that are none"),
        ("UPDATE text_lengths SET words = x'01000000'", "lengths of other documents"),
        ("UPDATE text_lengths SET ids = x'01'", "lengths of other documents"),
    ],
)
def test_what_is_sound_but_not_what_was_saved_is_damage(
    saved: Saved, change: str, reason: str
) -> None:
    saved.path.write_bytes(saved.content)
    with contextlib.closing(sqlite3.connect(saved.path)) as connection, connection:
        connection.execute(change)
    with (
        pytest.raises(IndexUnusableError, match=rf"damaged .*{reason}.* stacks doctor"),
        open_index(saved.path) as index,
    ):
        index.search("common page word7")
    shown = stacks("doctor", "--db", str(saved.path))
    assert shown.returncode == 1
    assert reason in shown.stdout
    corpus = saved.path.parent.parent / "corpus"
    assert f"make it again with stacks save --from markdown={corpus}" in shown.stdout


def test_a_defect_of_the_program_is_not_blamed_on_the_file(
    saved: Saved, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved.path.write_bytes(saved.content)

    def fail(*_: object) -> None:
        raise KeyError("a defect")

    monkeypatch.setattr("stacks.query.index_reader.list_sources", fail)
    with open_index(saved.path) as index, pytest.raises(KeyError, match="a defect"):
        index.sources()
