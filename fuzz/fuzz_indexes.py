"""Damaged indexes: searched or refused with a message, and left as they are."""

from __future__ import annotations

from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from io import StringIO
from typing import TYPE_CHECKING
from unittest.mock import patch

from stacks.cli.main import main

if TYPE_CHECKING:
    from pathlib import Path
    from random import Random

_PAGE = """\
# Page {number}

A common page. {words}

```python
class Thing{number}(Base):
    def run{number}(self): return {number}
```
"""
_COMMANDS = (
    ("search", "common page word7"),
    ("search", "Thing3", "--format", "json", "--explain"),
    ("search", "undo a page that went wrong", "--source", "markdown"),
    ("read", "markdown://corpus/page0"),
    ("symbols", "Thing3"),
    ("conformances", "Base"),
    ("inheritance", "Thing3"),
    ("examples", "run3"),
    ("list",),
    ("list", "--frameworks"),
    ("doctor", "--all"),
)
_ALLOWED = (0, 1, 2)


def attack(random: Random, folder: Path) -> None:
    """Damage the bytes of an index, and run two commands on it."""
    index = folder / "index"
    path = index / "search.db"
    whole = _save(folder)
    content = whole
    for _ in range(random.choice((1, 1, 2, 5))):
        content = _damage(random, content) or whole
    path.unlink(missing_ok=True)
    path.write_bytes(content)
    for command in random.sample(_COMMANDS, 2):
        code, err = _run(*command, "--db", str(index))
        if code not in _ALLOWED:
            raise AssertionError(f"{command}: exit {code}: {err}")
        if path.read_bytes() != content:
            raise AssertionError(f"{command} changed the index")


def _damage(random: Random, content: bytes) -> bytes:
    place, size = random.randrange(len(content)), random.choice((1, 4, 64, 1024, 4096))
    rest = content[place + size :]
    kept = random.choice((random.randbytes(size) + rest, bytes(size) + rest, b""))
    return content[:place] + kept


def _run(*words: str) -> tuple[int, str]:
    """Run a command in this process; what it does not handle is raised."""
    with (
        redirect_stdout(StringIO()),
        redirect_stderr(StringIO()) as err,
        patch("sys.argv", ["stacks", *words]),
    ):
        try:
            main()
        except SystemExit as ended:
            return ended.code if isinstance(ended.code, int) else 0, err.getvalue()
    return 0, err.getvalue()


@cache
def _save(folder: Path) -> bytes:
    corpus = folder / "corpus"
    corpus.mkdir()
    for number in range(40):
        words = " ".join(f"word{number * 7 % 50 + step}" for step in range(60))
        (corpus / f"page{number}.md").write_text(_PAGE.format(number=number, words=words))
    options = ("--from", f"markdown={corpus}", "--to", str(folder / "index"), "--quiet")
    code, err = _run("save", *options, "--embedder", "wordllama")
    if code:
        raise AssertionError(err)
    return (folder / "index" / "search.db").read_bytes()
